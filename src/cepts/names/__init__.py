"""Names across scripts: a phrase-based system of characters, word models as judges, and the combination of systems."""

from cepts.names.combination import Combination
from cepts.names.matching import Match, calibrate, match
from cepts.names.opening import NameSystem, load_system
from cepts.names.phrase_system import PhraseSettings, PhraseSystem
from cepts.names.systems import Judge, System
from cepts.names.word_scores import WordScores

__all__ = [
    "Combination",
    "Judge",
    "Match",
    "NameSystem",
    "PhraseSettings",
    "PhraseSystem",
    "System",
    "WordScores",
    "calibrate",
    "load_system",
    "match",
]
