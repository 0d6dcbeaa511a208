"""Parallel text: reading, tokenising, encoding."""

from cepts.corpus.bitext import Bitext, Side, side_from_tokens
from cepts.corpus.columns import split_pairs
from cepts.corpus.dictionaries import read_lexicon
from cepts.corpus.encoding import encode_lines
from cepts.corpus.readers import bitext_from_pairs, read_bitext, read_side
from cepts.corpus.tokenizer import tokenize

__all__ = [
    "Bitext",
    "Side",
    "bitext_from_pairs",
    "encode_lines",
    "read_bitext",
    "read_lexicon",
    "read_side",
    "side_from_tokens",
    "split_pairs",
    "tokenize",
]
