"""Drawings of alignments."""

from cepts.views.document import write_html
from cepts.views.pairs import AlignedPair, aligned_pairs
from cepts.views.picture import draw_svg
from cepts.views.raster import to_png
from cepts.views.terminal import draw_matrix, draw_pairs

__all__ = ["AlignedPair", "aligned_pairs", "draw_matrix", "draw_pairs", "draw_svg", "to_png", "write_html"]
