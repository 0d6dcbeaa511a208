"""`Text`: the lines that links are about, as they stand, and where the words are in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.corpus.encoding import WORD
from cepts.errors import InputError
from cepts.links.fields import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side

Span = tuple[int, int]


class TextSide:
    """One side: its lines, and the first and end character of each word.

    Words stand between ASCII white space unless `spans` says where they are, [first, end] of all words of all
    lines, those of line k from `offsets[k]` up to `offsets[k + 1]`.
    """

    def __init__(
        self,
        lines: Sequence[str],
        spans: NDArray[np.int32] | None = None,
        offsets: NDArray[np.int64] | None = None,
    ) -> None:
        self.lines = lines
        self._spans = spans
        if offsets is not None:
            self.lengths = np.diff(offsets)
            self._offsets = offsets

    def __len__(self) -> int:
        """Count the lines."""
        return len(self.lines)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each line."""
        return np.array([len(WORD.findall(line)) for line in self.lines], np.int64)

    def spans(self, k: int) -> list[Span]:
        """Return the first and end character of each word of line k."""
        if self._spans is None:
            return [match.span() for match in WORD.finditer(self.lines[k])]
        return [(first, end) for first, end in self._spans[self._offsets[k] : self._offsets[k + 1]].tolist()]

    def words(self, k: int) -> list[str]:
        """Return the words of line k as they stand.

        >>> TextSide(["La  maison"]).words(0)
        ['La', 'maison']
        """
        line = self.lines[k]
        if self._spans is None:
            return WORD.findall(line)
        return [line[first:end] for first, end in self.spans(k)]

    def words_at(
        self, begin: int, end: int, owner: NDArray[np.int64], place: NDArray[np.int32]
    ) -> NDArray[np.object_]:
        """Return the words at some places of lines, which count from line `begin` on.

        >>> TextSide(["La maison", "le chat"]).words_at(0, 2, np.array([0, 1, 1]), np.array([1, 0, 1])).tolist()
        ['maison', 'le', 'chat']
        """
        lines = [self.words(k) for k in range(begin, end)]
        starts = np.zeros(len(lines) + 1, np.int64)
        np.cumsum([len(words) for words in lines], out=starts[1:])
        flat = np.empty(int(starts[-1]), object)
        flat[:] = [word for words in lines for word in words]
        found: NDArray[np.object_] = flat[starts[owner] + place]
        return found


class Text(NamedTuple):
    """Both sides: line k of one translates line k of the other."""

    source: TextSide
    target: TextSide

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.source)

    def words(self, k: int) -> tuple[list[str], list[str]]:
        """Return the source and the target words of pair k as they stand."""
        return self.source.words(k), self.target.words(k)

    def swapped(self) -> Text:
        """Return the same text with source and target exchanged."""
        return Text(self.target, self.source)


def text_of(
    bitext: Bitext | None = None, texts: tuple[Sequence[str], Sequence[str]] | None = None
) -> Text | None:
    """Return the text of a bitext, or of lines; of both, the lines with the words of the bitext."""
    if texts is None:
        return None if bitext is None else Text(*(_side_of(side) for side in (bitext.source, bitext.target)))
    if len(texts[0]) != len(texts[1]):
        raise InputError(f"{len(texts[0])} source and {len(texts[1])} target lines, expected as many of both")
    if bitext is None:
        return Text(*(TextSide(lines) for lines in texts))
    sides = (bitext.source, bitext.target)
    for side, lines in zip(sides, texts, strict=True):
        if len(side) != len(lines):
            raise InputError(
                f"a bitext of {len(side)} pairs and {len(lines)} lines, expected as many of both"
            )
    return Text(
        *(TextSide(lines, side.spans, side.offsets) for side, lines in zip(sides, texts, strict=True))
    )


def text_as_read(bitext: Bitext) -> Text:
    """Return the text of a bitext, as it stood in its files where that was kept."""
    source, target = bitext.source.originals, bitext.target.originals
    text = text_of(bitext, None if source is None or target is None else (source, target))
    assert text is not None
    return text


def _side_of(side: Side) -> TextSide:
    """Return a side whose lines are its words, with a space between them."""
    return TextSide([" ".join(side.sentence(k)) for k in range(len(side))], None, side.offsets)


def other_words(own: Text, text: Text) -> Iterator[tuple[int, str]]:
    """Yield the pairs whose words are not those of a text, but for case, with a sentence; pairs without words pass."""
    for name, ours, theirs in zip(("source", "target"), own, text, strict=True):
        for k in range(min(len(ours), len(theirs))):
            left, right = (" ".join(side.words(k)) for side in (ours, theirs))
            if left and left != right and left.lower() != right.lower():
                yield (
                    k,
                    f"its {name} words are {shorten(left)!r}, but the text has {shorten(right)!r}, expected the same",
                )


def stripped(line: str) -> str:
    """Return a line without ASCII white space at its ends."""
    return line.strip("\t\n\v\f\r ")
