"""Two directions become one: heuristics on links, dual decomposition on models, cepts from association matrices."""

from cepts.choices import HEURISTICS
from cepts.combine.cepts import Cept, Cepts, CeptsOptions, factorise
from cepts.combine.dual import DualLinks, DualOptions, dual_links
from cepts.combine.heuristics import combine
from cepts.combine.matrices import AssociationOptions
from cepts.combine.own_matrices import from_matrices, read_matrices
from cepts.combine.shapes import Associations
from cepts.combine.text_cepts import cepts_of_text

__all__ = [
    "HEURISTICS",
    "AssociationOptions",
    "Associations",
    "Cept",
    "Cepts",
    "CeptsOptions",
    "DualLinks",
    "DualOptions",
    "cepts_of_text",
    "combine",
    "dual_links",
    "factorise",
    "from_matrices",
    "read_matrices",
]
