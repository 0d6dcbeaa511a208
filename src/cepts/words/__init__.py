"""Word models: IBM-1 and the HMM, in either direction or both at once."""

from cepts.words.hmm import Hmm
from cepts.words.ibm1 import Ibm1
from cepts.words.indexed import IndexedBitext, index_bitext
from cepts.words.jumps import Jumps
from cepts.words.lexicon import Lexicon, Smoothing, Vocabularies
from cepts.words.linking import DirectedLinks, link
from cepts.words.model import Agreement, ExtraCounts, Training, WordModel
from cepts.words.spelling import same_spelling_entries
from cepts.words.training import Monitor, Step, train

__all__ = [
    "Agreement",
    "DirectedLinks",
    "ExtraCounts",
    "Hmm",
    "Ibm1",
    "IndexedBitext",
    "Jumps",
    "Lexicon",
    "Monitor",
    "Smoothing",
    "Step",
    "Training",
    "Vocabularies",
    "WordModel",
    "index_bitext",
    "link",
    "same_spelling_entries",
    "train",
]
