"""What follows from links: phrase pairs and phrase tables, lexical tables and dictionaries."""

from cepts.phrases.dictionary import Dictionary, Entry, dictionary, dictionary_of_tables
from cepts.phrases.extraction import UNALIGNED, PhrasePairs, extract, extract_in_pieces
from cepts.phrases.lexical import LexicalTable, lexical_tables, lookup, tables_of_model
from cepts.phrases.lexicon_files import write_dictionary, write_lexicon
from cepts.phrases.selection import Pruning
from cepts.phrases.table import TableCounts, write_phrase_table, write_phrase_table_from_files
from cepts.phrases.term_files import write_terms
from cepts.phrases.term_tags import TaggedSide, split_tags
from cepts.phrases.terms import Term, extract_terms, without_capitals

__all__ = [
    "UNALIGNED",
    "Dictionary",
    "Entry",
    "LexicalTable",
    "PhrasePairs",
    "Pruning",
    "TableCounts",
    "TaggedSide",
    "Term",
    "dictionary",
    "dictionary_of_tables",
    "extract",
    "extract_in_pieces",
    "extract_terms",
    "lexical_tables",
    "lookup",
    "split_tags",
    "tables_of_model",
    "without_capitals",
    "write_dictionary",
    "write_lexicon",
    "write_phrase_table",
    "write_phrase_table_from_files",
    "write_terms",
]
