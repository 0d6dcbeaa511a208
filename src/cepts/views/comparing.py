"""What each cell of a pair is: a link of its own account, or right, wrong and missed beside a gold standard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.links import Link

    Kinds = dict[tuple[int, int], str]  # what stands at (source position, target position)

DOUBTFUL = 0.5  # a link of lower confidence is drawn as one that is only possible

SURE, POSSIBLE = "sure", "possible"  # links without gold
RIGHT, ALLOWED, WRONG, MISSED, NOT_TAKEN = (
    "right",
    "possible in gold",
    "wrong",
    "missed",
    "possible, not taken",
)
COMPARED = (RIGHT, ALLOWED, WRONG, MISSED, NOT_TAKEN)


def kinds_of(links: Iterable[Link], gold: Iterable[Link] | None = None) -> Kinds:
    """Say of each cell that has a link, found or of gold, what it is.

    >>> from cepts.links import Link
    >>> kinds_of([Link(0, 0), Link(0, 1)], [Link(0, 0), Link(1, 0, sure=False)])
    {(0, 0): 'right', (0, 1): 'wrong', (1, 0): 'possible, not taken'}
    """
    if gold is None:
        return {
            (link.source, link.target): SURE if link.sure and link.confidence >= DOUBTFUL else POSSIBLE
            for link in links
        }
    kinds: Kinds = {(link.source, link.target): WRONG for link in links}
    for link in gold:
        place = (link.source, link.target)
        if kinds.get(place) in (WRONG, RIGHT, ALLOWED):
            kinds[place] = RIGHT if link.sure else ALLOWED
        else:
            kinds[place] = MISSED if link.sure else NOT_TAKEN
    return kinds


def check_range(links: Iterable[Link], kind: str, source: Sequence[str], target: Sequence[str]) -> None:
    """Refuse links of words that the pair does not have."""
    rows, columns = len(source), len(target)
    for i, j, *_ in links:
        if not (0 <= i < rows and 0 <= j < columns):
            raise InputError(
                f"{kind} {i}-{j} is outside of the pair: it has {rows} source"
                f" and {columns} target words, counted from 0;"
                " check that links and text belong together"
            )
