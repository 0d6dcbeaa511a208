"""Word models: IBM-1, HMM, their bi-word kin, IBM-3 and IBM-4, in either direction or both at once."""

from cepts.words.biword import Bi1, BiHmm, BiWord, ratio_places
from cepts.words.classes import word_classes
from cepts.words.fertility import Ibm3, Ibm4
from cepts.words.finished import Doubles, Finished
from cepts.words.forgetful import ForgetfulHmm
from cepts.words.hmm import Hmm
from cepts.words.ibm1 import Ibm1
from cepts.words.indexed import IndexedBitext, index_bitext
from cepts.words.jumps import Jumps
from cepts.words.lexicon import Lexicon, Smoothing, Vocabularies
from cepts.words.linking import DirectedLinks, link
from cepts.words.model import Agreement, ExtraCounts, Training, WordModel
from cepts.words.pairs import Distances, KnownPairs, PairTable
from cepts.words.spelling import same_spelling_entries
from cepts.words.training import Monitor, Step, Trainer, train

__all__ = [
    "Agreement",
    "Bi1",
    "BiHmm",
    "BiWord",
    "DirectedLinks",
    "Distances",
    "Doubles",
    "ExtraCounts",
    "Finished",
    "ForgetfulHmm",
    "Hmm",
    "Ibm1",
    "Ibm3",
    "Ibm4",
    "IndexedBitext",
    "Jumps",
    "KnownPairs",
    "Lexicon",
    "Monitor",
    "PairTable",
    "Smoothing",
    "Step",
    "Trainer",
    "Training",
    "Vocabularies",
    "WordModel",
    "index_bitext",
    "link",
    "ratio_places",
    "same_spelling_entries",
    "train",
    "word_classes",
]
