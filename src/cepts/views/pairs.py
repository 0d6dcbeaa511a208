"""`AlignedPair`: all that is drawn of one sentence pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked
from cepts.errors import InputError
from cepts.links.text import Text, text_as_read

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from cepts.corpus import Bitext
    from cepts.links import Link, Links


@checked
class AlignedPair(NamedTuple):
    """One pair: its line from 1, its words, its links, and what else is known of it.

    `score` is the log probability per word, `error` the alignment error rate against `gold`, `note` a few words for
    the heading.
    """

    line: int
    source: Sequence[str]
    target: Sequence[str]
    links: Sequence[Link]
    gold: Sequence[Link] | None = None
    score: float | None = None
    error: float | None = None
    note: str = ""

    @property
    def heading(self) -> str:
        """Say which pair this is, and how good.

        >>> AlignedPair(7, ["a"], ["b"], [], score=-2.5, error=0.25).heading
        'line 7, score -2.50, AER 25 %'
        """
        parts = [
            f"line {self.line}",
            self.note,
            "" if self.score is None else f"score {self.score:.2f}",
            "" if self.error is None else f"AER {100 * self.error:.0f} %",
        ]
        return ", ".join(part for part in parts if part)


@checked
def aligned_pairs(
    text: Bitext | Text,
    links: Links,
    gold: Links | None = None,
    *,
    numbers: Sequence[int] | None = None,
    notes: Sequence[str] | None = None,
    compared: Container[int] | None = None,
) -> Iterator[AlignedPair]:
    """Yield an `AlignedPair` for each alignment in `links`: row r is one of pair `numbers[r]` of the text, from 0.

    Without `numbers`, all pairs in their order. Gold is of the whole text or of its first pairs; those behind have
    none, nor have those that are not in `compared`, where that is given.
    """
    text = text if isinstance(text, Text) else text_as_read(text)
    numbers = range(len(links)) if numbers is None else numbers
    if len(numbers) != len(links) or any(not 0 <= number < len(text) for number in numbers):
        raise InputError(f"links of {len(links)} pairs for {len(numbers)} pairs of a text of {len(text)}")
    if notes is not None and len(notes) < len(links):
        raise InputError(f"{len(notes)} notes for links of {len(links)} pairs, expected as many")
    for row, k in enumerate(numbers):
        absent = gold is None or k >= len(gold) or (compared is not None and k not in compared)
        found, right = links[row], None if gold is None or absent else gold[k]
        yield AlignedPair(
            k + 1,
            text.source.words(k),
            text.target.words(k),
            found,
            right,
            links.score_of(row),
            None if right is None else error_rate(found, right),
            "" if notes is None else notes[row],
        )


def error_rate(links: Sequence[Link], gold: Sequence[Link]) -> float:
    """Return the alignment error rate of one pair, as `cepts evaluate` defines it.

    >>> from cepts.links import Link
    >>> error_rate([Link(0, 0), Link(1, 1)], [Link(0, 0), Link(0, 1), Link(1, 1, sure=False)])
    0.25
    """
    found = {link[:2] for link in links}
    sure, possible = ({link[:2] for link in gold if link.sure or not only} for only in (True, False))
    size = len(found) + len(sure)
    return 1 - (len(found & sure) + len(found & possible)) / size if size else 0.0
