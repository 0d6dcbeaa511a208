"""Drawings of alignments, and plots of numbers."""

from cepts.views.plots import plot_accuracy, plot_reliability, plot_speed, plot_training
from cepts.views.raster import to_png
from cepts.views.records import Curve, Measured, curves_of, read_measured, read_training
from cepts.views.terminal import draw_matrix, draw_pairs

__all__ = [
    "Curve",
    "Measured",
    "curves_of",
    "draw_matrix",
    "draw_pairs",
    "plot_accuracy",
    "plot_reliability",
    "plot_speed",
    "plot_training",
    "read_measured",
    "read_training",
    "to_png",
]
