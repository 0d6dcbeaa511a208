"""What the paper prints."""

from __future__ import annotations

from typing import NamedTuple

CITATION = (
    "D. Freitag and S. Khadivi: *A sequence alignment model based on the averaged perceptron*. "
    "EMNLP-CoNLL 2007, section 3"
)
HEAVY = "bcdfg"  # the first five consonants, which count five times as much as the others
ARABIC, RUSSIAN, MANDARIN = "ar-en-google", "ru-en-wikidata", "zh-en-dict"

CONSONANTS = {"edits-0": 0.993, "levenshtein": 0.764}
RHYMES = {"levenshtein": 0.126, "suffix": 0.130, "edits-0": 0.505, "edits-3": 0.790}
CHARACTER_ERRORS = 0.25  # of plain transliteration, Arabic

# Table 3: the largest weights of a consonant-preserving affinity; table 6: those of the tah marbuta, p in Buckwalter's
# letters.
WEIGHTS = (("d", 61.1), ("c", 60.6), ("g", 60.3), ("b", 59.1), ("f", 57.0), ("t", 18.6))
TAH_MARBUTA = (
    ("⟨p, h⟩ : t,a_", 38.5),
    ("⟨p, t⟩ : t,a_", 30.8),
    ("⟨p, h⟩ : t,ya_", 11.8),
    ("⟨p, t⟩ : s,p<e>", -8.6),
    ("⟨p, h⟩ : t,rya_", -12.1),
    ("⟨p, t⟩ : t,uba_", -14.4),
)


class Sizes(NamedTuple):
    """A row of table 5: pairs of each part, and mean lengths in characters of English and foreign names."""

    train: int
    dev: int
    test: int
    english: float
    foreign: float


SIZES = {ARABIC: Sizes(8084, 1000, 1000, 6.5, 4.9), MANDARIN: Sizes(2000, 430, 1557, 16.3, 23.0)}

# Table 7: 1-best and 5-best accuracy, Arabic-English, by our names of the rows that are as printed.
TRANSCRIPTION = {
    "smt-4gram": (0.528, 0.824),
    "ptem": (0.552, 0.803),
    "ptem-zero": (0.552, 0.803),
    "combination-printed": (0.588, 0.850),
}

# Table 8: ACC and MRR.
RANKING = {
    MANDARIN: {
        "smt": (0.795, 0.797),
        "smt-no-lm": (0.797, 0.798),
        "ibm4": (0.961, 0.971),
        "smt+ibm4": (0.971, 0.977),
        "g-1": (0.843, 0.877),
        "g-2": (0.970, 0.978),
        "g-3": (0.975, 0.982),
        "g-3-zero": (0.975, 0.982),
        "r-1": (0.961, 0.973),
        "r-2": (0.960, 0.972),
        "r-3": (0.960, 0.972),
    },
    ARABIC: {
        "smt": (0.982, 0.985),
        "smt-no-lm": (0.983, 0.985),
        "ibm4": (0.978, 0.987),
        "smt+ibm4": (0.991, 0.994),
        "g-1": (0.959, 0.975),
        "g-2": (0.968, 0.980),
        "g-3": (0.971, 0.983),
        "g-3-zero": (0.971, 0.983),
        "r-1": (0.992, 0.995),
        "r-2": (0.989, 0.993),
        "r-3": (0.989, 0.994),
    },
}
