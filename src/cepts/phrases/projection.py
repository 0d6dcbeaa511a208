"""Annotations carried over links: which source word speaks for a target word, where spans and dependencies arrive.

The rules are the same for all formats. A target word takes what it takes from one source word: that of its most
confident link; of equally confident links a sure one, then the leftmost. A span becomes one stretch of target words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.links import Link

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
    owner = [ROOT] * len(best)
    placed: list[Placed | None] = []
    for number, span in enumerate(spans):
        free = [here == span.parent for here in owner]
        rivals = [other for k, other in enumerate(spans) if k != number and other.parent == span.parent]
        parts = _parts(span, rivals, best, free, max_gap)
        placed.append(_placed(parts, best))
        if placed[-1] is not None:
            begin, end = placed[-1].begin, placed[-1].end
            owner[begin:end] = [number] * (end - begin)
    return placed


def _parts(
    span: Span, rivals: list[Span], best: Sequence[Best | None], free: list[bool], max_gap: int
) -> list[list[int]]:
    """Return the free words that a span has, in stretches without wide gaps and without another span's words."""
    parts: list[list[int]] = []
    gap = max_gap + 1
    for word, link in enumerate(best):
        if free[word] and link is not None and _within(link, span):
            if gap > max_gap:
                parts.append([])
            parts[-1].append(word)
            gap = 0
        elif not free[word] or (link is not None and any(_within(link, rival) for rival in rivals)):
            gap = max_gap + 1
        else:
            gap += 1
    return parts


def _within(link: Best, span: Span) -> bool:
    return span.begin <= link.source < span.end


def _placed(parts: list[list[int]], best: Sequence[Best | None]) -> Placed | None:
    """Choose the part with the highest sum of confidences."""
    confidences = [[link.confidence for word in part if (link := best[word])] for part in parts]
    if not parts:
        return None
    sums = [sum(part) for part in confidences]
    chosen = sums.index(max(sums))
    mean = sums[chosen] / len(confidences[chosen])
    return Placed(parts[chosen][0], parts[chosen][-1] + 1, mean, len(parts) > 1)


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
    above = [
        _linked_head(heads, chosen, link.source, word) if link else None for word, link in enumerate(best)
    ]
    depths = [_depth(heads, link.source) if link else len(heads) for link in best]
    tops = [word for word, head in enumerate(found) if head == ROOT]
    open_words = [word for word, head in enumerate(above) if head is None]
    root = tops[0] if tops else min(open_words, key=lambda word: (depths[word], word), default=0)
    complete = []
    for word, head in enumerate(found):
        known = head if head not in (None, ROOT) else above[word]
        complete.append(ROOT if word == root else root if known is None else known)
    return complete


def _linked_head(heads: Sequence[int | None], chosen: dict[int, int], source: int, word: int) -> int | None:
    """Return the target word that a word whose own head is not known goes to, if there is one above it."""
    if chosen[source] != word:
        return chosen[source]
    head = heads[source]
    while head is not None and head != ROOT and head not in chosen:
        head = heads[head]
    return None if head is None or head == ROOT else chosen[head]


def _depth(heads: Sequence[int | None], source: int) -> int:
    """Count the heads above a source word."""
    depth, head = 0, heads[source]
    while head is not None and head != ROOT:
        depth, head = depth + 1, heads[head]
    return depth
