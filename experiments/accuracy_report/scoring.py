"""Scores from the counts of each sentence, and what chance has to do with the difference of two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.evaluation.counting import Counts
from cepts.evaluation.scores import share
from paper_tables.comparing import draws, of_samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.evaluation import Comparison
    from paper_tables.store import Record


class Scores(NamedTuple):
    """AER, precision (of possible links) and recall (of sure links), as fractions."""

    aer: float
    precision: float
    recall: float


def scores(counts: Counts) -> Scores:
    """Score all sentences together."""
    total = counts.total()
    made, sure, possible, in_sure, in_possible = (int(column[0]) for column in total)
    return Scores(float(total.aer()[0]), share(in_possible, made, possible), share(in_sure, sure, made))


def columns(counts: Counts) -> list[list[int]]:
    """Write counts as plain lists, for JSON."""
    return [column.tolist() for column in counts]


def counts_of(record: Record) -> Counts:
    """Read the counts of a record."""
    return Counts(*(np.array(column, np.int64) for column in record["counts"]))


def aer_of(record: Record) -> float:
    """Return the AER of a record in percent."""
    return float(record["scores"][record["combined"]][0])


def sampled_aer(record: Record) -> NDArray[np.float64]:
    """Return the AER, in percent, of samples of the sentences, drawn with replacement.

    All records of a part of a corpus have the same sentences, and the draws are the same for all of them: so samples
    can be compared pair by pair, of systems and of sizes.
    """
    counts = np.stack(counts_of(record), axis=1).astype(np.float64)
    return 100 * Counts(*(draws(record["corpus"], len(counts)) @ counts).T).aer()


def lower(ones: Sequence[Record], others: Sequence[Record]) -> Comparison:
    """Tell by how much the AER of some records, on average, is below that of others at the same places."""
    found = np.mean([aer_of(other) - aer_of(one) for one, other in zip(ones, others, strict=True)])
    return of_samples(float(found), _mean_samples(others) - _mean_samples(ones))


def _mean_samples(records: Sequence[Record]) -> Any:
    return np.mean([sampled_aer(record) for record in records], axis=0)
