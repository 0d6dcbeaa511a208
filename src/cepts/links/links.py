"""`Links`: which words of each sentence pair correspond, for a whole corpus."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, overload

import numpy as np

from cepts.checking import check_part, check_position, check_positions, checked
from cepts.corpus.bitext import picked_rows, sliced
from cepts.errors import InputError, OptionError
from cepts.showing import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray


@checked
class Link(NamedTuple):
    """One link: word `source` of the source sentence with word `target` of the target sentence, from 0."""

    source: int
    target: int
    confidence: float = 1.0
    sure: bool = True


LARGEST_POSITION = (1 << 24) - 1  # no sentence is longer: tables of positions have this many rows at most
CERTAIN = 1.001  # a confidence may be rounded up
COLUMNS = ("source", "target", "confidence", "sure")


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Links(Shown):
    """The links of a corpus, flat: pair k owns the rows `offsets[k]` up to `offsets[k + 1]`.

    Within a pair links are sorted by source, then target position, and no position pair occurs twice.
    `scores`, where a model made the links, holds each pair's log probability per word. Links that cannot be are refused
    when they are made, so that nobody who takes them needs to look.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    confidence: NDArray[np.float32]
    sure: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    scores: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Make arrays of the right kind of what was given; refuse what no links can be."""
        for name, kind in KINDS.items():
            object.__setattr__(self, name, _array(name, getattr(self, name), kind))
        if self.scores is not None:
            object.__setattr__(self, "scores", _array("scores", self.scores, np.float64))
        rows, offsets = len(self.source), self.offsets
        for name in COLUMNS:
            if len(getattr(self, name)) != rows:
                raise InputError(
                    f"links: {len(getattr(self, name))} of {name}, expected {rows}, as of source"
                )
        if not (
            len(offsets) and offsets[0] == 0 and offsets[-1] == rows and np.all(offsets[1:] >= offsets[:-1])
        ):
            raise InputError(f"links: offsets do not rise from 0 to {rows}, the number of links")
        if self.scores is not None and len(self.scores) != len(offsets) - 1:
            raise InputError(f"links: {len(self.scores)} scores of {len(offsets) - 1} sentence pairs")
        for name in ("source", "target"):
            positions = getattr(self, name)
            if rows and not (positions.min() >= 0 and positions.max() <= LARGEST_POSITION):
                _refuse(name, positions, (positions < 0) | (positions > LARGEST_POSITION), LARGEST_POSITION)
        self._check_order()
        confidence = self.confidence
        if rows and not (confidence.min() >= 0 and confidence.max() <= CERTAIN):
            _refuse("confidence", confidence, ~((confidence >= 0) & (confidence <= CERTAIN)), 1)

    def _check_order(self) -> None:
        """Refuse links that are not sorted within their pair, or twice there."""
        source, target = self.source, self.target
        rows = (
            np.flatnonzero(source[1:] <= source[:-1]) + 1
        )  # begin a pair, or have the source of the row before
        wrong = rows[(source[rows] < source[rows - 1]) | (target[rows] <= target[rows - 1])]
        wrong = wrong[self.offsets[np.searchsorted(self.offsets, wrong)] != wrong]
        if len(wrong):
            raise InputError(
                f"links: link {wrong[0]}, {source[wrong[0]]}-{target[wrong[0]]}, is not behind the one before it; sort "
                "those of each pair, each once, or use Links.from_pairs"
            )

    def __len__(self) -> int:
        """Count the sentence pairs."""
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, k: int) -> list[Link]: ...

    @overload
    def __getitem__(self, k: slice) -> Links: ...

    def __getitem__(self, k: int | slice) -> list[Link] | Links:
        """Return the links of pair k, or the links of some pairs.

        >>> links = Links.from_pairs([[(2, 1)], [], [(0, 0)]])
        >>> links[0], len(links[1:])
        ([Link(source=2, target=1, confidence=1.0, sure=True)], 2)
        """
        if isinstance(k, slice):
            return sliced(self, k)
        check_position(k, len(self), "pair")
        k %= len(self)
        rows = slice(int(self.offsets[k]), int(self.offsets[k + 1]))
        columns = (self.source, self.target, self.confidence, self.sure)
        return [Link._make(row) for row in zip(*(column[rows].tolist() for column in columns), strict=True)]

    def _facts(self) -> dict[str, object]:
        """Return how many pairs and links there are, and how good they are where that is known."""
        facts: dict[str, object] = {"pairs": len(self), "links": len(self.source)}
        if len(self.source):
            facts["mean confidence"] = float(self.confidence.mean())
        known = None if self.scores is None else self.scores[np.isfinite(self.scores)]
        return facts if known is None or not len(known) else {**facts, "mean score": float(known.mean())}

    def __iter__(self) -> Iterator[list[Link]]:
        """Walk over the pairs."""
        return (self[k] for k in range(len(self)))

    @classmethod
    def from_pairs(cls, pairs: Iterable[Iterable[Sequence[float]]]) -> Links:
        """Build from (source, target[, confidence[, sure]]) tuples, one iterable for each pair."""
        rows: list[Link] = []
        offsets = [0]
        for pair in pairs:
            unique = {link[:2]: link for link in map(_link, pair)}
            rows.extend(unique[key] for key in sorted(unique))
            offsets.append(len(rows))
        source, target, confidence, sure = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls(source, target, confidence, sure, offsets)  # type: ignore[arg-type]  # made arrays of

    def score_of(self, k: int) -> float | None:
        """Return the score of pair k; None if it has none, as pairs with an empty side."""
        score = None if self.scores is None else float(self.scores[k])
        return None if score is None or np.isnan(score) else score

    def row_pairs(self) -> NDArray[np.int64]:
        """Return, for each row, the number of the pair that owns it.

        >>> Links.from_pairs([[(0, 0), (2, 1)], [], [(1, 1)]]).row_pairs().tolist()
        [0, 0, 2]
        """
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.offsets))

    def swapped(self) -> Links:
        """Return the same links with source and target exchanged.

        >>> [link[:2] for link in Links.from_pairs([[(0, 1), (2, 0)]]).swapped()[0]]
        [(0, 2), (1, 0)]
        """
        return links_from_rows(
            self.row_pairs(), self.target, self.source, self.confidence, self.sure, len(self), self.scores
        )

    def select(self, mask: NDArray[np.bool_]) -> Links:
        """Return the links whose row is True in `mask`, for the same pairs.

        >>> links = Links.from_pairs([[(0, 0), (2, 1)], [(1, 1)]])
        >>> links.select(links.source > 1).offsets.tolist()
        [0, 1, 1]
        """
        if len(mask) != len(self.source):
            raise OptionError(f"a mask of {len(mask)} values for {len(self.source)} links, expected as many")
        kept_before = np.zeros(len(mask) + 1, np.int64)
        np.cumsum(mask, out=kept_before[1:])
        columns = self.source[mask], self.target[mask], self.confidence[mask], self.sure[mask]
        return _believed(*columns, kept_before[self.offsets], self.scores)

    def head(self, pairs: int) -> Links:
        """Return the first `pairs` sentence pairs, or all where there are fewer.

        >>> len(Links.from_pairs([[(0, 0)], [], [(1, 1)]]).head(2))
        2
        """
        return self.part(0, max(pairs, 0))

    def part(self, first: int, end: int) -> Links:
        """Return the sentence pairs from `first` to `end`, or to the last.

        >>> Links.from_pairs([[(0, 0)], [], [(1, 1)]]).part(1, 3)[1][0][:2]
        (1, 1)
        """
        check_part(first, end, len(self))
        offsets = self.offsets[first : end + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        scores = None if self.scores is None else self.scores[first : first + len(offsets) - 1]
        columns = self.source[rows], self.target[rows], self.confidence[rows], self.sure[rows]
        return _believed(*columns, offsets - offsets[0], scores)

    def picked(self, numbers: NDArray[np.int64]) -> Links:
        """Return the sentence pairs with these numbers, in their order.

        >>> [pair[0][:2] for pair in Links.from_pairs([[(0, 0)], [], [(1, 1)]]).picked(np.array([2, 0]))]
        [(1, 1), (0, 0)]
        """
        check_positions(numbers, len(self), "pair")
        rows, offsets = picked_rows(self.offsets, numbers)
        scores = None if self.scores is None else self.scores[numbers]
        columns = self.source[rows], self.target[rows], self.confidence[rows], self.sure[rows]
        return _believed(*columns, offsets, scores)


KINDS: dict[str, Any] = {
    "source": np.int32,
    "target": np.int32,
    "confidence": np.float32,
    "sure": np.bool_,
    "offsets": np.int64,
}


def _believed(*arrays: NDArray[Any] | None) -> Links:
    """Return links of arrays that need no check: those of a part of other links."""
    links = object.__new__(Links)
    for name, array in zip((*KINDS, "scores"), arrays, strict=True):
        object.__setattr__(links, name, array)
    return links


def _array(name: str, given: ArrayLike, kind: Any) -> NDArray[Any]:
    """Return numbers as an array of the kind that kernels know, or say why that cannot be."""
    if type(given) is np.ndarray and given.dtype == kind and given.ndim == 1 and given.flags.c_contiguous:
        return given
    try:
        array = np.asarray(given)
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.ndim != 1 or array.dtype.kind not in "buif":
        raise InputError(f"links: {name} has {array.ndim} dimensions of {array.dtype}, expected 1 of numbers")
    with np.errstate(invalid="ignore", over="ignore"):
        found: NDArray[Any] = np.ascontiguousarray(array, kind)
    if found.dtype.kind != "f" and not np.array_equal(found, array):
        place = int(np.argmax(found != array))
        raise InputError(f"links: {name}[{place}] is {array[place]}, expected a number of {np.dtype(kind)}")
    return found


def _refuse(name: str, values: NDArray[Any], bad: NDArray[np.bool_], largest: int) -> NoReturn:
    """Name the first number that is out of range."""
    place = int(np.argmax(bad))
    raise InputError(f"links: {name}[{place}] is {values[place]}, expected a number from 0 to {largest}")


def _link(given: Sequence[float]) -> Link:
    """Return a link of two to four numbers: positions, confidence, and whether it is sure."""
    try:
        link = Link(*given)  # type: ignore[arg-type]
        source, target = int(link.source), int(link.target)
        if (source, target) != link[:2]:
            raise ValueError
        return Link(source, target, float(link.confidence), bool(link.sure))
    except (OptionError, TypeError, ValueError, OverflowError):
        raise InputError(
            f"links: {reprlib.repr(given)} is no link, expected (source, target[, confidence[, sure]]), from 0"
        ) from None


def links_from_rows(
    pair: NDArray[np.int64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    confidence: NDArray[np.float32],
    sure: NDArray[np.bool_],
    pairs: int,
    scores: NDArray[np.float64] | None = None,
) -> Links:
    """Build `Links` of `pairs` sentence pairs from rows in any order, each with the number of its pair.

    Rows of one position pair become one link: sure if any of them is, with the largest confidence.
    """
    keys = row_keys(pair, source, target, widths(source, target), pairs)
    if not bool(np.all(keys[1:] > keys[:-1])):
        # A stable sort is a merge of runs: almost free for files that are sorted by the other side.
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        kept = order[first]
        pair, source, target = pair[kept], source[kept], target[kept]
        confidence = np.maximum.reduceat(confidence[order], first)
        sure = np.logical_or.reduceat(sure[order], first)
    offsets = np.zeros(pairs + 1, np.int64)
    np.cumsum(np.bincount(pair, minlength=pairs), out=offsets[1:])
    return Links(source, target, confidence, sure, offsets, scores)


def widths(source: NDArray[np.int32], target: NDArray[np.int32]) -> tuple[int, int]:
    """Return the lengths of the shortest two sentences that hold all these positions."""
    return int(source.max(initial=-1)) + 1, int(target.max(initial=-1)) + 1


def row_keys(
    pair: NDArray[np.int64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    shape: tuple[int, int],
    pairs: int,
) -> NDArray[np.int64]:
    """Number the cells of all pairs, each seen as a table of the given shape, in the order of `Links`."""
    if pairs * shape[0] * shape[1] >= 2**63:
        raise InputError(
            f"positions up to {shape[0] - 1} and {shape[1] - 1} in {pairs} pairs make too many cells,"
            " expected fewer than 2^63; check the links, or cut the file"
        )
    keys: NDArray[np.int64] = (pair * shape[0] + source) * shape[1] + target
    return keys
