"""Sentences: their features, the joint factorisation of two languages, and similarity in the common space."""

from cepts.sentences.features import FeatureOptions, FeatureSpace, parse_features, tag_lines
from cepts.sentences.joint import JointNMF
from cepts.sentences.matrices import Matrix
from cepts.sentences.model import SentenceModel
from cepts.sentences.options import FactorOptions
from cepts.sentences.projection import project
from cepts.sentences.similarity import similarities

__all__ = [
    "FactorOptions",
    "FeatureOptions",
    "FeatureSpace",
    "JointNMF",
    "Matrix",
    "SentenceModel",
    "parse_features",
    "project",
    "similarities",
    "tag_lines",
]
