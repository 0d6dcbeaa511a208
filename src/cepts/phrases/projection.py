"""Annotations carried over links: which source word speaks for a target word, where spans and dependencies arrive.

The rules are the same for all formats. A target word takes what it takes from one source word: that of its most
confident link; of equally confident links a sure one, then the leftmost. A span becomes one stretch of target words.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from cepts.links import Link

Value = TypeVar("Value")

MAX_GAP = 1
ROOT = -1  # the head of a root, and the parent of a span within no other


class Best(NamedTuple):
    """The source word that speaks for a target word, and the confidence of their link."""

    source: int
    confidence: float


class Span(NamedTuple):
    """Words `begin` to `end`, the end not included; `parent` is the number of the span around it, or ROOT."""

    begin: int
    end: int
    parent: int = ROOT


class Placed(NamedTuple):
    """Where a span arrives, the mean confidence of its words' links, and whether parts of it were left out."""

    begin: int
    end: int
    confidence: float
    torn: bool


def best_links(links: Iterable[Link], words: int) -> list[Best | None]:
    """Return the source word of each of so many target words.

    >>> from cepts.links import Link
    >>> best_links([Link(0, 1, 0.9), Link(1, 0, 0.5), Link(2, 0, 0.7)], 3)
    [Best(source=2, confidence=0.7), Best(source=0, confidence=0.9), None]
    """
    chosen: dict[int, Link] = {}
    for link in sorted(links, key=lambda link: (-link.confidence, not link.sure, link.source)):
        chosen.setdefault(link.target, link)
    return [
        Best(chosen[word].source, chosen[word].confidence) if word in chosen else None
        for word in range(words)
    ]


@checked
def project_spans(
    spans: Sequence[Span], best: Sequence[Best | None], max_gap: int = MAX_GAP
) -> list[Placed | None]:
    """Return where spans of source words arrive, None for one that does not; parents come before their children.

    A span takes the target words that its source words speak for. Up to `max_gap` words between two of them are taken
    too, unless another span has them. If several parts are left, the one with the highest sum of confidences stays,
    of equal ones the leftmost. A span arrives within its parent.

    >>> words = [Best(0, 1.0), None, Best(1, 0.8)]
    >>> project_spans([Span(0, 2)], words)
    [Placed(begin=0, end=3, confidence=0.9, torn=False)]
    >>> project_spans([Span(0, 2)], words, max_gap=0)
    [Placed(begin=0, end=1, confidence=1.0, torn=True)]
    """
    text = _Linked(best)
    owner = np.full(len(best), ROOT)
    together = _spans_by_parent(spans)
    placed: list[Placed | None] = []
    for number, span in enumerate(spans):
        around = (0, len(best)) if span.parent == ROOT else _ends(placed, span.parent)
        found = text.words_within(span, around)
        found = found[owner[found] == span.parent]
        parts = _parts(found, text, owner, together[span.parent], max_gap)
        placed.append(_placed(parts, text.confidences))
        begin, end = _ends(placed, number)
        owner[begin:end] = number
    return placed


class _Linked:
    """Target words by the source words that speak for them."""

    def __init__(self, best: Sequence[Best | None]) -> None:
        self.sources = np.array([ROOT if link is None else link.source for link in best], np.int64)
        self.confidences = np.array([0.0 if link is None else link.confidence for link in best])
        self._words = np.argsort(self.sources, kind="stable")
        self._sorted = self.sources[self._words]

    def words_within(self, span: Span, around: tuple[int, int]) -> NDArray[np.int64]:
        """Return the words of a stretch that a span's words speak for, in their order."""
        first, end = np.searchsorted(self._sorted, (max(span.begin, 0), span.end))
        if end - first < around[1] - around[0]:
            words = self._words[first:end]
            return np.sort(words[(around[0] <= words) & (words < around[1])])
        sources = self.sources[slice(*around)]
        return around[0] + np.flatnonzero((max(span.begin, 0) <= sources) & (sources < span.end))


class _Together:
    """Spans with one parent, for asking which source words any of them has."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the spans begin and end, each sorted."""
        begins, ends = ([span[side] for span in self.spans if span.begin < span.end] for side in (0, 1))
        return np.sort(np.array(begins, np.int64)), np.sort(np.array(ends, np.int64))

    def have(self, sources: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which source words are within a span: more of the spans begin up to there than have ended."""
        begins, ends = (np.searchsorted(side, sources, side="right") for side in self._bounds)
        return (begins > ends) & (sources >= 0)


def _spans_by_parent(spans: Sequence[Span]) -> dict[int, _Together]:
    found: dict[int, _Together] = defaultdict(_Together)
    for span in spans:
        found[span.parent].spans.append(span)
    return found


def _ends(placed: list[Placed | None], number: int) -> tuple[int, int]:
    """Return where a span has arrived, or a stretch without words."""
    where = placed[number] if 0 <= number < len(placed) else None
    return (0, 0) if where is None else (where.begin, where.end)


def _parts(
    words: NDArray[np.int64], text: _Linked, owner: NDArray[np.int64], together: _Together, max_gap: int
) -> list[NDArray[np.int64]]:
    """Return the words of a span, in stretches without wide gaps and without words of another one of its parent."""
    gaps = np.diff(words)
    apart = gaps > max_gap + 1
    doubtful = np.flatnonzero((gaps > 1) & ~apart)
    if len(doubtful):  # some other span may have words in between
        first, end = int(words[doubtful[0]]), int(words[doubtful[-1] + 1])
        taken = (owner[first:end] != owner[first]) | together.have(text.sources[first:end])
        before = np.concatenate([[0], np.cumsum(taken)])
        begins, ends = words[doubtful] + 1 - first, words[doubtful + 1] - first
        apart[doubtful] = before[ends] > before[begins]
    cuts = np.flatnonzero(apart) + 1
    return np.split(words, cuts) if len(words) else []


def _placed(parts: list[NDArray[np.int64]], confidences: NDArray[np.float64]) -> Placed | None:
    """Choose the part with the highest sum of confidences."""
    if not parts:
        return None
    sums = [
        float(np.cumsum(confidences[part])[-1]) for part in parts
    ]  # in their order, unlike those of `sum`
    chosen = sums.index(max(sums))
    words, mean = parts[chosen], sums[chosen] / len(parts[chosen])
    return Placed(int(words[0]), int(words[-1]) + 1, mean, len(parts) > 1)


def representatives(best: Sequence[Best | None]) -> dict[int, int]:
    """Return for each source word that speaks for target words the most confident of these, or the leftmost.

    >>> representatives([Best(0, 0.5), Best(0, 0.9), None])
    {0: 1}
    """
    chosen: dict[int, int] = {}
    for word, link in enumerate(best):
        if link is not None:
            before = best[chosen.get(link.source, word)]
            if link.source not in chosen or (before is not None and link.confidence > before.confidence):
                chosen[link.source] = word
    return chosen


@checked
def project_heads(heads: Sequence[int | None], best: Sequence[Best | None]) -> list[int | None]:
    """Return the head of each target word, ROOT for a root, None where it is not known.

    `heads` are those of the source words, from 0. A dependency arrives where both of its words have a
    representative, between these two. So there are no cycles, and no more roots than there were.

    >>> project_heads([1, ROOT], [Best(1, 1.0), None, Best(0, 1.0)])
    [-1, None, 0]
    """
    chosen = representatives(best)
    if any(not 0 <= source < len(heads) for source in chosen):
        raise InputError(f"heads of {len(heads)} words, but links of word {max(chosen)}")
    found: list[int | None] = [None] * len(best)
    for source, word in chosen.items():
        head = heads[source]
        if head is not None:
            found[word] = ROOT if head == ROOT else chosen.get(head)
    return found


def complete_heads(
    heads: Sequence[int | None], best: Sequence[Best | None], found: Sequence[int | None]
) -> list[int]:
    """Return a head for each target word, so that they are one tree with one root; heads that were found stay.

    The root is the first one that arrived, else the word whose source word is nearest to a root. A word whose head has
    no counterpart goes to its head's head, and so on; a second word of one source word to the first; others, and
    further roots, to the root.

    >>> complete_heads([1, ROOT], [Best(1, 1.0), None, Best(0, 1.0)], [-1, None, 0])
    [-1, 0, 0]
    """
    chosen = representatives(best)
    nearest, depth = _linked_heads(heads, chosen), _depths(heads)
    above = [
        None if link is None else nearest[link.source] if chosen[link.source] == word else chosen[link.source]
        for word, link in enumerate(best)
    ]
    depths = [depth[link.source] if link else len(heads) for link in best]
    tops = [word for word, head in enumerate(found) if head == ROOT]
    open_words = [word for word, head in enumerate(above) if head is None]
    root = tops[0] if tops else min(open_words, key=lambda word: (depths[word], word), default=0)
    complete = []
    for word, head in enumerate(found):
        known = head if head not in (None, ROOT) else above[word]
        complete.append(ROOT if word == root else root if known is None else known)
    return complete


def _linked_heads(heads: Sequence[int | None], chosen: dict[int, int]) -> list[int | None]:
    """Return for each source word the target word of the nearest head above it that has one."""
    return _from_above(heads, None, lambda head, above: chosen.get(head, above))


def _depths(heads: Sequence[int | None]) -> list[int]:
    """Count the heads above each source word."""
    return _from_above(heads, 0, lambda _, above: above + 1)


def _from_above(heads: Sequence[int | None], top: Value, below: Callable[[int, Value], Value]) -> list[Value]:
    """Return a value for each word of a tree: `top` without a head, else what follows from the head and its value."""
    found: dict[int, Value] = {}
    for word in range(len(heads)):
        path: list[int] = []
        here = word
        while here not in found:
            path.append(here)
            if len(path) > len(heads):
                raise InputError("the heads of words make a cycle, expected a tree")
            head = heads[here]
            if head is None or head == ROOT:
                found[path.pop()] = top
                break
            here = head
        for lower in reversed(path):
            head = heads[lower]
            assert head is not None
            found[lower] = below(head, found[head])
    return [found[word] for word in range(len(heads))]
