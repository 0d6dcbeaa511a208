"""How large numbers may be: declared once, for options of the command line and for callers from Python.

Bounds from above are far beyond what makes sense. They keep a slip from asking for all memory, or for a year.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, NamedTuple

from cepts.errors import OptionError, said


class Bounds(NamedTuple):
    """The least and the most that a number may be; either may itself be ruled out.

    >>> Bounds(1, 1000).check("beam", 5)
    >>> str(Bounds(1, 1000)), str(Bounds(0, 0.5, whole=False, above=True))
    ('a number from 1 to 1000', 'a number above 0, up to 0.5')
    """

    least: float
    most: float
    whole: bool = True
    above: bool = False  # the least is not allowed
    below: bool = False  # the most is not allowed

    def check(self, name: str, value: object) -> None:
        """Refuse what is no number within the bounds, by the name of the argument that has it."""
        if not self.holds(value):
            raise OptionError(f"{said(name, value)}: expected {self}")

    def holds(self, value: object) -> bool:
        """Tell whether something is a number within the bounds; not-a-number is not."""
        kind = Integral if self.whole else Real
        if isinstance(value, bool) or not isinstance(value, kind):
            return False
        number: Any = value
        enough = number > self.least if self.above else number >= self.least
        return bool(enough and (number < self.most if self.below else number <= self.most))

    def __str__(self) -> str:
        least, most = (f"{end}" if self.whole else f"{end:g}" for end in (self.least, self.most))
        if self.above and self.below:
            return f"a number between {least} and {most}"
        if self.above:
            return f"a number above {least}, up to {most}"
        return f"a number from {least} {'to below' if self.below else 'to'} {most}"


def real(least: float, most: float, *, above: bool = False, below: bool = False) -> Bounds:
    """Return bounds of numbers that need not be whole."""
    return Bounds(least, most, whole=False, above=above, below=below)


# Of many commands.
PROBABILITY = real(0, 1)
THREADS = Bounds(1, 1024)
SEED = Bounds(0, 2**31 - 1)
MIN_COUNT = Bounds(1, 10**9)
TASK_TIMEOUT = real(0, 1e6, above=True)  # seconds; a task of more than eleven days hangs
PORT = Bounds(0, 65535)

# How words are aligned: `align`, `train`.
ITERATIONS = Bounds(0, 1000)
CLASSES = Bounds(1, 2000)  # the counts of pairs of classes, held twice, then take 64 MB
JUMP_BAND = Bounds(1, 100)
JUMP_CLASSES = Bounds(1, 256)
DOUBT = real(1e-3, 1e3)
SPELLING = real(0, 20)
INNER_PROBABILITY = real(0, 1, above=True, below=True)
PRIOR = real(0, 100)
REGULARITY = real(0, 1e6)
PRUNE = real(0, 0.1)
WEIGHT = real(0, 1e6)  # of a lexicon, of the same spelling
ROUNDS = Bounds(1, 100_000)
ALPHA = real(0, 1e6)
STEP_SIZE = real(1e-6, 1e6)
N_BEST_ALIGNMENTS = Bounds(1, 10_000)
NULL_WEIGHT = real(0, 1000)
SCALE = real(1, 1e6)
MATRIX_SCALE = real(0, 1e6, above=True)
CEPTS = Bounds(1, 10_000)
RESTARTS = Bounds(1, 10_000)
EM_STEPS = Bounds(1, 100_000)
TOLERANCE = real(0, 1, below=True)
PATIENCE = Bounds(0, 100_000)

# What comes of links: `phrases`, `lexicon`, `terms`, `project`, `validate`, `plot`.
PHRASE_LENGTH = Bounds(1, (1 << 15) - 1)  # the links of a phrase are kept in small numbers
BEST_WORDS = Bounds(1, 10**6)
EXAMPLES = Bounds(0, 1000)
LISTED_TERMS = Bounds(1, 10**9)
TERM_WORDS = Bounds(1, 100)
VARIANTS = Bounds(1, 1000)
MAX_GAP = Bounds(0, 1000)
PROBLEMS = Bounds(1, 10**6)
BINS = Bounds(1, 1000)

# `filter`.
PAIR_WORDS = Bounds(1, 1000)  # words that any rule lets pass: memory for a pair stays bounded
MAX_RATIO = real(1, 1e6)

# `names`.
ORDER = Bounds(0, 4)
EPOCHS = Bounds(1, 10_000)
RESAMPLES = Bounds(1, 10**6)
STRINGS = Bounds(1, 10_000)  # that are drawn for each one
NAME_BEAM = Bounds(1, 10_000)
CANDIDATES = Bounds(1, 10_000)
WEIGHTS = Bounds(1, 10**6)  # that are listed
SCORE = real(-1e9, 1e9)

# `similar`.
FACTORS = Bounds(1, 10_000)
FEATURES = Bounds(1, 10**9)
BETA = real(-1, 4, above=True)
PRICE = real(0, 1e6)
STEP = real(0, 1, above=True)
UPDATES = Bounds(1, 100_000)
BATCH = Bounds(1, 10**9)
NEIGHBOURS = Bounds(0, 1000)

# `translate`.
NGRAM = Bounds(1, 20)
TUNING_ROUNDS = Bounds(1, 1000)
BEAM = Bounds(1, 100_000)
DISTORTION_LIMIT = Bounds(0, 60)
LOOKS = Bounds(1, 1000)
TRANSLATIONS = Bounds(1, 100_000)
