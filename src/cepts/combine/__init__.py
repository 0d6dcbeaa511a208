"""Two directions become one: heuristics on links."""

from cepts.combine.heuristics import HEURISTICS, combine

__all__ = ["HEURISTICS", "combine"]
