"""Links, and every format that they are written in."""

from cepts.links.best_lists import BestLists, write_best_lists
from cepts.links.formats import FORMATS
from cepts.links.links import Link, Links
from cepts.links.markers import MARKERS
from cepts.links.pharaoh import format_pharaoh, write_pharaoh
from cepts.links.reading import read_best_lists, read_links
from cepts.links.subwords import links_to_subwords, links_to_words
from cepts.links.validating import Problem, Validation, validate_links
from cepts.links.whitespace import links_to_whitespace
from cepts.links.writing import write_links

__all__ = [
    "FORMATS",
    "MARKERS",
    "BestLists",
    "Link",
    "Links",
    "Problem",
    "Validation",
    "format_pharaoh",
    "links_to_subwords",
    "links_to_whitespace",
    "links_to_words",
    "read_best_lists",
    "read_links",
    "validate_links",
    "write_best_lists",
    "write_links",
    "write_pharaoh",
]
