"""Parallel text: reading, tokenising, encoding."""

from cepts.corpus.adapting import as_bitext
from cepts.corpus.bitext import Bitext, Side, side_from_tokens
from cepts.corpus.columns import split_pairs
from cepts.corpus.encoding import encode_lines
from cepts.corpus.lexicons import read_lexicon
from cepts.corpus.originals import Originals
from cepts.corpus.pairs import read_bitext_in_pieces, read_pairs
from cepts.corpus.raw_text import looks_raw
from cepts.corpus.readers import bitext_from_pairs, read_bitext, read_side
from cepts.corpus.segmenter import Segmenter, Segmenters
from cepts.corpus.text_options import TextOptions
from cepts.corpus.tokenizer import tokenize

__all__ = [
    "Bitext",
    "Originals",
    "Segmenter",
    "Segmenters",
    "Side",
    "TextOptions",
    "as_bitext",
    "bitext_from_pairs",
    "encode_lines",
    "looks_raw",
    "read_bitext",
    "read_bitext_in_pieces",
    "read_lexicon",
    "read_pairs",
    "read_side",
    "side_from_tokens",
    "split_pairs",
    "tokenize",
]
