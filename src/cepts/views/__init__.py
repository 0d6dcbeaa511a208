"""Drawings of alignments."""

from cepts.views.terminal import draw_matrix, draw_pairs

__all__ = ["draw_matrix", "draw_pairs"]
