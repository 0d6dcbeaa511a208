"""Learning pieces from the text itself: a unigram model over strings of up to four units, by EM.

A run is a sequence of pieces, each drawn with its probability, and each join of two units within a piece costs a
fixed factor: without it, the longest pieces would explain the text best. A piece of several units must be there
`FEWEST` times, or it would teach an aligner less than its parts do. Each step of EM keeps or raises the
likelihood. Runs of equal length are worked on side by side, in arrays of [unit][run].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus.pieces import JOIN, LONGEST, Pieces
from cepts.corpus.tokenizer import unit_ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Floats = NDArray[np.float64]

FEWEST = 10  # times that a piece of several units is there
ITERATIONS = 6
MOST_UNITS = 2_000_000  # of distinct runs, the first ones: more text teaches no more pieces that matter
LONGEST_RUN = 32  # units; longer runs are learned from in parts
LEAST_COUNT = 0.5  # expected times that a piece is used; rarer ones are forgotten
LEAST_UNIT_COUNT = 0.01  # what a unit is given then, as it must stay possible
NONE = -1


@dataclass(frozen=True)
class Batch:
    """Runs of one length: how often each is there, and the piece of so many units at each place.

    `ids[k]` is an array of [unit where it begins][run], for pieces of k + 1 units; `NONE` where there is none.
    """

    weights: Floats
    ids: list[Ids]


@dataclass(frozen=True)
class Candidates:
    """All pieces that are frequent enough, by number, and the runs that they are in."""

    texts: list[str]
    lengths: Ids
    counts: Floats
    batches: list[Batch]

    def scores(self, probabilities: Floats) -> Floats:
        """Return log probabilities with the price of joins; one more, for `NONE`, which is impossible."""
        with np.errstate(divide="ignore"):
            return np.append(np.log(probabilities) - JOIN * (self.lengths - 1), -np.inf)


def learn_pieces(runs: Sequence[str], counts: Sequence[int]) -> Pieces:
    """Learn from distinct runs, and how often each of them is there."""
    found = find_candidates(runs, counts)
    probabilities = found.counts / found.counts.sum()
    expected = found.counts
    for _ in range(ITERATIONS):
        expected, _ = expected_counts(found, probabilities)
        probabilities = expected / expected.sum()
    return _kept(found, expected)


def _kept(found: Candidates, expected: Floats) -> Pieces:
    """Forget pieces that are hardly used, and keep every unit."""
    least = np.where(found.lengths == 1, LEAST_UNIT_COUNT, 0.0)
    counts = np.where(expected >= LEAST_COUNT, expected, least)
    scores = found.scores(counts / counts.sum())
    return Pieces({found.texts[number]: float(scores[number]) for number in np.flatnonzero(counts).tolist()})


def find_candidates(runs: Sequence[str], counts: Sequence[int], fewest: int = FEWEST) -> Candidates:
    """Number the units of runs, and the strings of up to four of them that are there often enough."""
    parts, weights = _parts(runs, counts)
    flat = [unit for part in parts for unit in part]
    table: dict[str, int] = {}
    units = np.array([table.setdefault(unit, len(table)) for unit in flat], np.int64)
    lengths = np.array([len(part) for part in parts], np.int64)
    starts = np.cumsum(lengths) - lengths
    ends, weight_of = (np.repeat(values, lengths) for values in (starts + lengths, weights))
    ids, texts = [units], list(table)
    totals: list[Floats] = [np.bincount(units, weight_of, len(table)).astype(np.float64)]
    previous = units
    for size in range(2, LONGEST + 1):
        previous, found, total = _longer(units, previous, size, ends, weight_of, fewest)
        ids.append(np.where(previous == NONE, NONE, previous + len(texts)))
        texts += ["".join(flat[place : place + size]) for place in found.tolist()]
        totals.append(total)
    sizes = np.repeat(np.arange(1, LONGEST + 1), [len(total) for total in totals])
    return Candidates(texts, sizes, np.concatenate(totals), _batches(ids, starts, lengths, weights))


def _longer(
    units: Ids, previous: Ids, size: int, ends: Ids, weights: Floats, fewest: int
) -> tuple[Ids, Ids, Floats]:
    """Add a unit to strings that are there often enough; number those that still are, by their first place."""
    places = np.arange(len(units))
    places = places[(previous != NONE) & (places + size <= ends)]
    keys = previous[places] * (int(units.max(initial=0)) + 1) + units[places + size - 1]
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    totals: Floats = np.bincount(numbers, weights[places], len(first)).astype(np.float64)
    kept = totals >= fewest
    new_numbers = np.where(kept, np.cumsum(kept) - 1, NONE)
    ids = np.full(len(units), NONE, np.int64)
    ids[places] = new_numbers[numbers]
    return ids, places[first[kept]], totals[kept]


def _parts(runs: Sequence[str], counts: Sequence[int]) -> tuple[list[list[str]], Floats]:
    """Cut runs into units, and long ones into parts; leave out what is more than enough."""
    parts: list[list[str]] = []
    weights: list[int] = []
    left = MOST_UNITS
    for run, count in zip(runs, counts, strict=True):
        ends = [0, *unit_ends(run)]
        units = [run[start:end] for start, end in pairwise(ends)][:left]
        left -= len(units)
        for first in range(0, len(units), LONGEST_RUN):
            parts.append(units[first : first + LONGEST_RUN])
            weights.append(count)
        if not left:
            break
    return parts, np.array(weights, np.float64)


def _batches(ids: list[Ids], starts: Ids, lengths: Ids, weights: Floats) -> list[Batch]:
    """Put runs of one length side by side."""
    batches = []
    for length in np.unique(lengths).tolist():
        chosen = np.flatnonzero(lengths == length)
        places = starts[chosen] + np.arange(length)[:, None]
        batches.append(Batch(weights[chosen], [numbers[places] for numbers in ids]))
    return batches


def expected_counts(found: Candidates, probabilities: Floats) -> tuple[Floats, float]:
    """Return how often each piece is used, expected over all ways to cut the runs, and the log likelihood."""
    scores = found.scores(probabilities)
    counts: Floats = np.zeros(len(scores))
    likelihood = 0.0
    with np.errstate(invalid="ignore"):  # a place that no way reaches has no share to give
        for batch in found.batches:
            likelihood += _add_counts(batch, scores, counts)
    return counts[:-1], likelihood


def _add_counts(batch: Batch, scores: Floats, counts: Floats) -> float:
    """Go forward with sums over all ways, and back with the share that each way has in them."""
    units, runs = batch.ids[0].shape
    forward: Floats = np.zeros((units + 1, runs))
    for end in range(1, units + 1):
        sizes = range(1, min(LONGEST, end) + 1)
        ways = np.array([forward[end - size] + scores[batch.ids[size - 1][end - size]] for size in sizes])
        forward[end] = np.logaddexp.reduce(ways)
    cut: Floats = np.zeros((units + 1, runs))  # how probable a cut is at each place, with the run's weight
    cut[units] = batch.weights
    shares: list[Floats] = [np.zeros((units, runs)) for _ in range(LONGEST)]
    for end in range(units, 0, -1):
        for size in range(1, min(LONGEST, end) + 1):
            start = end - size
            way = forward[start] + scores[batch.ids[size - 1][start]] - forward[end]
            share = np.where(cut[end] > 0, cut[end] * np.exp(way), 0.0)
            shares[size - 1][start] = share
            cut[start] += share
    for ids, share in zip(batch.ids, shares, strict=True):
        counts += np.bincount((ids % len(counts)).ravel(), share.ravel(), len(counts))
    return float(forward[units] @ batch.weights)
