"""The report of `sentence_speed.py`: goals, and other costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goals import speed_report

if TYPE_CHECKING:
    from goals import Row

BETAS = {0.0: "KL", 1.0: "squared error"}
ABOUT = (
    "English-Spanish Tatoeba. An iteration updates all sentences and all features of both languages once, k = 16; its "
    "time is the difference of a run of 12 iterations and one of 2, by ten, the least of three of each. "
    "scikit-learn's multiplicative NMF factorises each language by itself, on the same matrices, in the same run. Peak "
    "memory is that of a fresh process. Everything else was compiled before."
)


def report(result: Row) -> str:
    """Write the report."""
    return speed_report("Sentences: how fast", ABOUT, result)
