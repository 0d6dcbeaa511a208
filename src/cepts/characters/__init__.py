"""Strings, letter by letter: an edit model that learns from pairs of strings which edits are worth how much."""

from cepts.characters.examples import Left
from cepts.characters.explaining import Edit, Feature, Weight
from cepts.characters.model import Candidate, EditModel, Epoch, History
from cepts.characters.options import MODES, UPDATES, Mode, TrainingOptions, Update

__all__ = [
    "MODES",
    "UPDATES",
    "Candidate",
    "Edit",
    "EditModel",
    "Epoch",
    "Feature",
    "History",
    "Left",
    "Mode",
    "TrainingOptions",
    "Update",
    "Weight",
]
