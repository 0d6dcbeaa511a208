"""Drawings of alignments, and plots of numbers."""

from cepts.views.document import write_html
from cepts.views.lines import draw_lines
from cepts.views.pairs import AlignedPair, aligned_pairs
from cepts.views.picture import draw_svg
from cepts.views.plots import plot_accuracy, plot_reliability, plot_speed, plot_training
from cepts.views.raster import to_png
from cepts.views.records import Curve, Measured, curves_of, read_measured, read_training
from cepts.views.terminal import draw_matrix, draw_pairs

__all__ = [
    "AlignedPair",
    "Curve",
    "Measured",
    "aligned_pairs",
    "curves_of",
    "draw_lines",
    "draw_matrix",
    "draw_pairs",
    "draw_svg",
    "plot_accuracy",
    "plot_reliability",
    "plot_speed",
    "plot_training",
    "read_measured",
    "read_training",
    "to_png",
    "write_html",
]
