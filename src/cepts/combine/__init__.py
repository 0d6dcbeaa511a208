"""Two directions become one: heuristics on links, dual decomposition on models."""

from cepts.combine.dual import DualLinks, DualOptions, dual_links
from cepts.combine.heuristics import HEURISTICS, combine

__all__ = ["HEURISTICS", "DualLinks", "DualOptions", "combine", "dual_links"]
