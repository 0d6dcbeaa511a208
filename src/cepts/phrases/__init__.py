"""What follows from links: phrase tables, lexical tables, dictionaries, terms, projected annotations."""

from cepts.phrases.dictionary import Dictionary, Entry, dictionary, dictionary_of_tables
from cepts.phrases.extraction import UNALIGNED, PhrasePairs, extract, extract_in_pieces
from cepts.phrases.lexical import LexicalTable, lexical_tables, lookup, tables_of_model
from cepts.phrases.lexicon_files import write_dictionary, write_lexicon
from cepts.phrases.projecting import (
    ProjectionCounts,
    ProjectionOptions,
    project_annotations,
    read_annotated,
)
from cepts.phrases.projection import project_heads, project_spans
from cepts.phrases.projection_bio import project_entities, read_bio
from cepts.phrases.projection_conllu import project_conllu, read_conllu
from cepts.phrases.projection_lines import split_line
from cepts.phrases.projection_markup import parse_markup, project_markup, read_markup
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
    "ProjectionCounts",
    "ProjectionOptions",
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
    "parse_markup",
    "project_annotations",
    "project_conllu",
    "project_entities",
    "project_heads",
    "project_markup",
    "project_spans",
    "read_annotated",
    "read_bio",
    "read_conllu",
    "read_markup",
    "split_line",
    "split_tags",
    "tables_of_model",
    "without_capitals",
    "write_dictionary",
    "write_lexicon",
    "write_phrase_table",
    "write_phrase_table_from_files",
    "write_terms",
]
