"""Names against the right ones: how often a list of candidates has them, how high up, how far off the best one is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import numpy as np

from cepts._version import __version__
from cepts.checking import checked
from cepts.errors import InputError, OptionError
from cepts.evaluation.resampling import Comparison, Estimate, estimate, paired_bootstrap
from cepts.showing import line_of, percent, table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import ArrayLike, NDArray

    from cepts.checking import Seed

    Values = NDArray[np.float64]
    Answers = Sequence[Sequence[str]]  # for each name its candidates, best first
    References = Sequence[Collection[str]]  # for each name all that is right

LABELS = {
    "accuracy": "1-best",
    "n_best_accuracy": "{n}-best",
    "mrr": "MRR",
    "character_error_rate": "character errors",
    "right_order": "right order",
    "break_even_precision": "break-even precision",
}


@checked
@dataclass(frozen=True, repr=False)
class NameScores:
    """How well a system does: each score, by its name, as a fraction with its 95 % bootstrap interval.

    `values` has what each score is the mean of, for each name, so that two systems can be compared on the same names.
    """

    scores: dict[str, Estimate]
    count: int
    n: int
    signature: str
    values: dict[str, Values] = field(compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by name, ready for JSON; an interval is [low, high]."""
        numbers: dict[str, Any] = {}
        for name, (value, low, high) in self.scores.items():
            numbers |= {name: value, f"interval_{name}": [low, high]}
        return numbers | {"count": self.count, "n": self.n, "signature": self.signature}

    def __repr__(self) -> str:
        """Return the scores in one line."""
        return line_of(
            self, {name: value for name, (value, _, _) in self.scores.items()} | {"count": self.count}
        )

    def _repr_html_(self) -> str:
        """Return the table of `str` for a notebook."""
        rows = [
            (self.label(name), percent(value), f"{percent(low)} to {percent(high)}")
            for name, (value, low, high) in self.scores.items()
        ]
        return table(("", "", "95 % interval"), rows) + f"<small>in percent; {self.count:,} tests</small>"

    def __str__(self) -> str:
        """Return a table for people, in percent."""
        rows = [
            f"{self.label(name):<21}{100 * value:>8.2f}   95 % interval {100 * low:.2f} to {100 * high:.2f}"
            for name, (value, low, high) in self.scores.items()
        ]
        return "\n".join([*rows, f"in percent; {self.count} tests; {self.signature}"])

    def label(self, name: str) -> str:
        """Return what a table calls a score."""
        if name not in LABELS:
            raise OptionError(f"score {name!r}: expected one of {', '.join(LABELS)}")
        return LABELS[name].format(n=self.n)

    def compare(self, other: NameScores, *, resamples: int = 1000, seed: Seed = 1) -> dict[str, Comparison]:
        """Compare with another system's scores of the same names, score by score."""
        return {
            name: paired_bootstrap(values, other.values[name], resamples=resamples, seed=seed)
            for name, values in self.values.items()
            if name in other.values
        }


@checked
def evaluate_names(
    answers: Answers,
    references: References,
    n: int = 5,
    *,
    errors: bool = True,
    resamples: int = 1000,
    seed: Seed = 1,
    note: str = "names",
) -> NameScores:
    """Score lists of candidates, best first, against all that is right for each name.

    Without `errors`, no character errors are counted: they tell nothing where candidates were given. `note` begins the
    signature, which says how the numbers were made.

    >>> scores = evaluate_names([["ana", "anna"], ["igor"]], [["anna"], ["igor", "igorj"]]).scores
    >>> scores["accuracy"].value, scores["mrr"].value, scores["character_error_rate"].value
    (0.5, 0.75, 0.125)
    """
    values = {
        "accuracy": hits_at(answers, references, 1),
        "n_best_accuracy": hits_at(answers, references, n),
        "mrr": reciprocal_ranks(answers, references),
    }
    if errors:
        values["character_error_rate"] = character_errors(answers, references)
    scores = {name: estimate(some, resamples=resamples, seed=seed) for name, some in values.items()}
    signature = f"{note}|resamples:{resamples}|seed:{seed}|cepts:{__version__}"
    return NameScores(scores, len(answers), n, signature, values)


@checked
def score_tests(
    name: str,
    right: ArrayLike,
    of: ArrayLike | None = None,
    *,
    resamples: int = 1000,
    seed: Seed = 1,
    note: str = "names",
) -> NameScores:
    """Return `right_order` or `break_even_precision`, from how much is right in each test, and of how much (else 1)."""
    if name not in LABELS:
        raise OptionError(f"score {name!r}: expected one of {', '.join(LABELS)}")
    values = np.asarray(right, np.float64)
    found = estimate(values, of, resamples=resamples, seed=seed)
    shares = values if of is None else values / np.asarray(of, np.float64).mean()  # their mean is the score
    signature = f"{note}|resamples:{resamples}|seed:{seed}|cepts:{__version__}"
    return NameScores({name: found}, len(values), 1, signature, {name: shares})


@checked
def hits_at(answers: Answers, references: References, n: int = 1) -> Values:
    """Return for each name 1 if one of its first n candidates is right, else 0; the mean is the n-best accuracy.

    >>> hits_at([["ana", "anna"], ["igor"]], [["anna"], ["igor"]], 1).tolist()
    [0.0, 1.0]
    """
    if n < 1:
        raise OptionError(f"n must be at least 1, got {n}")
    pairs = _paired(answers, references)
    return np.array([any(text in right for text in found[:n]) for found, right in pairs], np.float64)


@checked
def reciprocal_ranks(answers: Answers, references: References) -> Values:
    """Return for each name 1 / the rank of the first right candidate, 0 if none is; the mean is the MRR."""
    firsts = [
        next((1 / rank for rank, text in enumerate(found, 1) if text in right), 0.0)
        for found, right in _paired(answers, references)
    ]
    return np.array(firsts, np.float64)


@checked
def character_errors(answers: Answers, references: References) -> Values:
    """Return for each name the character error rate of its best candidate, against the reference nearest to it.

    It is the number of letters to put in, take out or replace, over the letters of the reference. No candidate at all
    counts as an empty one.
    """
    rates = [
        min(edit_distance(found[0] if found else "", text) / max(len(text), 1) for text in right)
        for found, right in _paired(answers, references)
    ]
    return np.array(rates, np.float64)


@checked
def edit_distance(one: str, other: str) -> int:
    """Return how many letters must be put in, taken out or replaced at least (Levenshtein, 1966).

    >>> edit_distance("kitten", "sitting"), edit_distance("", "ab")
    (3, 2)
    """
    letters = np.array([ord(letter) for letter in other], np.int64)
    places = np.arange(len(other) + 1)
    row = places.copy()
    for number, letter in enumerate(one, 1):
        changed = np.minimum(row[1:] + 1, row[:-1] + (letters != ord(letter)))
        row = np.concatenate(([number], changed))
        row = np.minimum.accumulate(row - places) + places  # letters put in, however many in a row
    return int(row[-1])


@checked
def break_even(scores: ArrayLike, relevant: ArrayLike) -> tuple[float, int]:
    """Return how many of the R relevant items are among the R of highest score, and R.

    There precision and recall are equal. Of items with the same score at the border, each is taken to be as likely
    inside as any other. Sums of both over many rankings give the micro-averaged break-even precision (freitag-2007,
    table 4).

    >>> break_even([3, 2, 1, 0], [True, False, True, False]), break_even([1, 1], [True, False])
    ((1.0, 2), (0.5, 1))
    """
    points, wanted = np.asarray(scores, np.float64), np.asarray(relevant, np.bool_)
    if points.shape != wanted.shape or points.ndim != 1:
        raise InputError(f"{points.size} scores and {wanted.size} marks, expected as many of both")
    count = int(wanted.sum())
    if count == 0:
        return 0.0, 0
    border = np.sort(points)[-count]
    above, equal = points > border, points == border
    free = count - int(above.sum())
    return float(wanted[above].sum() + wanted[equal].sum() * free / equal.sum()), count


def _paired(answers: Answers, references: References) -> list[tuple[list[str], set[str]]]:
    """Return both in normal form C; refuse lists of different names."""
    if len(answers) != len(references):
        raise InputError(
            f"candidates of {len(answers)} names, references of {len(references)}: give both for the same names"
        )
    pairs = [
        ([normalize("NFC", text) for text in found], {normalize("NFC", text) for text in right})
        for found, right in zip(answers, references, strict=True)
    ]
    for number, (_, right) in enumerate(pairs, 1):
        if not right:
            raise InputError(f"name {number} has no reference: give at least one")
    return pairs
