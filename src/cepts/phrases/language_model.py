"""`LanguageModel`: how probable a sequence of ids is, by its n-grams.

Interpolated modified Kneser-Ney (Chen and Goodman, 1998): an n-gram's count loses a discount, and what is lost goes
to the shorter context, whose counts are of different contexts, not of occurrences. The longest n-grams, and those
that begin a sequence, have no different contexts to count, and keep their occurrences. Ids that were never seen, the
unknown one among them, share what single ids lose.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts import bounds
from cepts.errors import OptionError
from cepts.phrases.discounts import discounted
from cepts.phrases.tries import ROOT, TRIE, Level, Trie, joined_trie, trie_levels, writable
from cepts.storage.schema import Field, Schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from cepts.phrases.language_model_kernels import NGrams

UNKNOWN = -1
LOG = (-1e4, 1e-6)  # a log probability below -10,000 is none
NGRAMS = Schema(
    (
        *TRIE,
        Field("logs", "float32", ("nodes",), *LOG),
        Field("backoffs", "float32", ("nodes",), *LOG),
        Field("suffixes", "int64", ("nodes",), 0, "nodes - 1"),
        Field("states", "int64", ("nodes",), 0, "nodes - 1"),
        Field("shape", "int64", (2,), 0, np.iinfo(np.int32).max - 2),
        Field("unknown", "float64", (1,), *LOG),
    )
)


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """N-grams of ids below `size`; any other id is unknown.

    Each node of `trie` is an n-gram: `logs` has the log probability of its last id behind the others, `backoffs` what
    is left there for ids that were never seen behind it, `suffixes` the n-gram without its first id, and `states` the
    longest end of it that can matter for what comes: two sequences in the same state have the same future.

    >>> model = LanguageModel.fit([[0, 1], [0, 1, 1]], size=2, order=2)
    >>> everything = [0, 1, model.end, UNKNOWN]
    >>> round(float(np.exp(model.next_logs([0], everything)).sum()), 6)
    1.0
    """

    order: int
    size: int
    trie: Trie
    logs: NDArray[np.float32]
    backoffs: NDArray[np.float32]
    suffixes: NDArray[np.int64]
    states: NDArray[np.int64]
    unknown: float

    @property
    def end(self) -> int:
        """The id of a sequence's end."""
        return self.size

    @property
    def start(self) -> int:
        """The state at a sequence's beginning."""
        begin, end = self.trie.first_child[:2].tolist()
        place = begin + int(np.searchsorted(self.trie.ids[begin:end], self.size + 1))
        return int(self.states[place]) if place < end else ROOT

    @classmethod
    def fit(cls, sequences: Iterable[Iterable[int]], *, size: int, order: int = 4) -> LanguageModel:
        """Count the n-grams of up to `order` ids of all sequences, and smooth them."""
        bodies = [list(sequence) for sequence in sequences]
        offsets = np.cumsum([0, *(len(body) for body in bodies)], dtype=np.int64)
        ids = np.array([number for body in bodies for number in body], np.int64)
        return cls.fit_flat(ids, offsets, size=size, order=order)

    @classmethod
    def fit_flat(
        cls, ids: NDArray[np.integer], offsets: NDArray[np.int64], *, size: int, order: int = 4
    ) -> LanguageModel:
        """Do so for sequences one behind the other: number k is `ids[offsets[k]:offsets[k + 1]]`."""
        bounds.NGRAM.check("order", order)
        if len(ids) and not (ids.min() >= 0 and ids.max() < size):
            raise OptionError(f"a language model of {size} ids: expected ids from 0 to {size - 1}")
        marked, starts, lengths = _windows(ids, offsets, size, order)
        levels = list(trie_levels(marked, starts, lengths))
        trie = joined_trie(levels)
        suffixes = _suffixes(levels, len(trie), len(starts))
        counts = _counts(levels, suffixes, trie, size, order)
        logs, backoffs, unknown = _smoothed(levels, trie, suffixes, counts, size)
        return cls(order, size, trie, logs, backoffs, suffixes, _states(levels, trie, suffixes), unknown)

    @cached_property
    def grams(self) -> NGrams:
        """The arrays that kernels want."""
        from cepts.phrases.language_model_kernels import NGrams  # late: it brings numba

        nodes = np.zeros((len(self.trie) + 1, 3), np.int64)
        nodes[:, 0] = self.trie.first_child
        nodes[:-1, 1], nodes[:-1, 2] = self.suffixes, self.states
        return NGrams(
            nodes, np.column_stack((self.logs, self.backoffs)), self.trie.ids, np.array([self.unknown])
        )

    def log_probabilities(self, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log probability of each sequence: number k is the ids from `offsets[k]` to `offsets[k + 1]`."""
        from cepts.phrases.language_model_kernels import score_sequences

        scores = np.empty(len(offsets) - 1)
        score_sequences(self.grams, self.start, self.end, self._known(ids), offsets, scores)
        return scores

    def next_logs(self, context: Iterable[int], wanted: Iterable[int]) -> NDArray[np.float64]:
        """Return the log probability of each wanted id (also `end` and UNKNOWN) behind the beginning of a sequence."""
        from cepts.phrases.language_model_kernels import score_next

        asked = np.array(list(wanted), np.int32)
        scores = np.empty(len(asked))
        known = self._known(np.array(list(context), np.int32))
        score_next(self.grams, self.start, known, asked, scores)
        return scores

    def _known(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """Make all ids beyond the model's own UNKNOWN."""
        return np.where((ids >= 0) & (ids < self.size), ids, UNKNOWN).astype(np.int32)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the model is, to be saved."""
        return {
            "first_child": self.trie.first_child,
            "ids": self.trie.ids,
            "logs": self.logs,
            "backoffs": self.backoffs,
            "suffixes": self.suffixes,
            "states": self.states,
            "shape": np.array([self.order, self.size], np.int64),
            "unknown": np.array([self.unknown]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> LanguageModel:
        """Return the model of saved arrays; those that cannot be one raise ValueError or KeyError."""
        own = {name: writable(array) for name, array in NGRAMS.checked(arrays).items()}
        order, size = own.pop("shape").tolist()
        trie, unknown = Trie(own.pop("first_child"), own.pop("ids")), float(own.pop("unknown")[0])
        good = (
            bounds.NGRAM.holds(order) and trie.fits(size + 2) and _leads_down(own["suffixes"], own["states"])
        )
        if not good:
            raise ValueError("its n-grams do not fit each other")
        return cls(order, size, trie, unknown=unknown, **own)


def _leads_down(suffixes: NDArray[np.int64], states: NDArray[np.int64]) -> bool:
    """Whether each n-gram's suffix comes before it, so that no walk is endless."""
    numbers = np.arange(len(suffixes))
    return bool(
        suffixes[0] == 0
        and np.all((suffixes[1:] < numbers[1:]) & (suffixes[1:] >= 0))
        and np.all(states <= numbers)
    )


def _windows(
    ids: NDArray[np.integer], offsets: NDArray[np.int64], size: int, order: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Lay out all sequences between their marks; return ids, and start and length of the n-grams at each place."""
    lengths = np.diff(offsets) + 2
    ends = np.cumsum(lengths)
    marked = np.empty(len(ids) + 2 * len(lengths), np.int32)
    body = np.ones(len(marked), np.bool_)
    for places, mark in ((ends - lengths, size + 1), (ends - 1, size)):
        marked[places] = mark
        body[places] = False
    marked[body] = ids
    starts = np.arange(len(marked), dtype=np.int64)
    return marked, starts, np.minimum(np.repeat(ends, lengths) - starts, order)


def _suffixes(levels: list[Level], nodes: int, places: int) -> NDArray[np.int64]:
    """Return each n-gram without its first id."""
    suffixes = np.zeros(nodes, np.int64)
    before = np.zeros(places + 1, np.int64)  # the (n - 1)-gram at each place
    for level in levels:
        suffixes[level.nodes] = before[level.rows + 1]
        before = np.zeros(places + 1, np.int64)
        before[level.rows] = level.nodes
    return suffixes


def _counts(
    levels: list[Level], suffixes: NDArray[np.int64], trie: Trie, size: int, order: int
) -> NDArray[np.int64]:
    """Return the count of each n-gram: occurrences of the longest, else the different ids before it."""
    counts = np.concatenate([np.zeros(1, np.int64), *(level.counts for level in levels)])
    different = np.bincount(suffixes[1:], minlength=len(trie))
    first = 1
    initial = np.zeros(len(trie), np.bool_)  # begins with the mark of the beginning
    for depth, level in enumerate(levels, 1):
        nodes = np.arange(first, first + len(level.ids))
        initial[nodes] = (level.ids == size + 1) if depth == 1 else initial[level.parents]
        if depth < order:
            counts[nodes] = np.where(initial[nodes], counts[nodes], different[nodes])
        first += len(level.ids)
    counts[1:][trie.ids[1:] == size + 1] = 0  # the beginning itself never comes next
    return counts


def _smoothed(
    levels: list[Level], trie: Trie, suffixes: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    """Return the log probability and backoff of each n-gram, and the log probability of an unknown id."""
    probability, left = np.zeros(len(trie)), np.ones(len(trie))
    even = 1.0 / (size + 2)  # all ids, the end, and the unknown one
    first = 1
    for depth, level in enumerate(levels, 1):
        nodes = slice(first, first + len(level.ids))
        shares, rest = discounted(counts[nodes], level.parents, len(trie))
        lower = even if depth == 1 else probability[suffixes[nodes]]
        probability[nodes] = shares + rest[level.parents] * lower
        left[level.parents] = rest[level.parents]
        first = nodes.stop
    logs = np.log(np.maximum(probability, 1e-300)).astype(np.float32)
    unknown = float(np.log(left[ROOT] * even))
    return logs, np.log(left).astype(np.float32), unknown


def _states(levels: list[Level], trie: Trie, suffixes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the longest end of each n-gram behind which anything was seen."""
    states = np.arange(len(trie), dtype=np.int64)
    childless = np.diff(trie.first_child) == 0
    first = 1
    for level in levels:  # an n-gram's suffix is one level up
        nodes = np.arange(first, first + len(level.ids))
        states[nodes] = np.where(childless[nodes], states[suffixes[nodes]], nodes)
        first += len(level.ids)
    return states
