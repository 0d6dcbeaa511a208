"""`Segmentation`: which word each subword belongs to, from the marks or, where a text is given, from its characters."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.corpus.encoding import WORD
from cepts.errors import InputError
from cepts.links.fields import shorten
from cepts.links.markers import BEGINS, BLANK, CONTINUES, ENDS, MARKERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cepts.links.markers import Markers

UNKNOWN = {"<unk>", "[UNK]", "<UNK>", "⁇"}
NO_WORD = -1


class Segmentation(NamedTuple):
    """The subwords of a text: those of line k from `offsets[k]` on, each with the number of its word in the line.

    A mark without letters that begins no word belongs to none, and has number -1.
    """

    word: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of subwords of each line."""
        return np.diff(self.offsets)


class _Kinds(dict[str, int]):
    """The kinds of the distinct pieces of a text, each looked at once."""

    def __init__(self, kind: Callable[[str], int]) -> None:
        super().__init__()
        self._kind = kind

    def __missing__(self, piece: str) -> int:
        """Look at a piece that is new."""
        self[piece] = kind = self._kind(piece)
        return kind


def segment(
    lines: Sequence[str],
    markers: str,
    words: Sequence[Sequence[str]] | None = None,
    name: str = "subwords",
) -> Segmentation:
    """Find the word of each subword; `words` are the words of each line, which the subwords must join to."""
    kinds, flat, offsets = _Kinds(MARKERS[markers].kind), list[int](), [0]
    for line in lines:
        flat.extend(map(kinds.__getitem__, WORD.findall(line)))
        offsets.append(len(flat))
    _check_single(kinds, lines, MARKERS[markers], name)
    found = _by_marks(np.array(flat, np.int8), np.array(offsets, np.int64))
    if words is not None:
        _compare(lines, MARKERS[markers], words, name, found)
    return found


def _check_single(kinds: _Kinds, lines: Sequence[str], markers: Markers, name: str) -> None:
    """Refuse a piece with letters of two words, which could be linked with neither alone."""
    for piece in kinds:
        if len(WORD.findall(markers.joined(piece))) > 1:
            line = next(k for k, line in enumerate(lines, 1) if piece in WORD.findall(line))
            raise InputError(
                f"{name}, line {line}: {shorten(piece)!r} holds more than one word, expected pieces of single words"
            )


def _by_marks(kinds: NDArray[np.int8], offsets: NDArray[np.int64]) -> Segmentation:
    """Number the words of each line by the kinds of its pieces."""
    first, last = (np.zeros(len(kinds), np.bool_) for _ in range(2))
    starts, ends = offsets[:-1][np.diff(offsets) > 0], offsets[1:][np.diff(offsets) > 0] - 1
    first[starts] = last[ends] = True
    next_continues = np.append(kinds[1:] == CONTINUES, False) & ~last
    blank = (kinds == BLANK) & ~next_continues
    if (kinds == ENDS).any():  # marks stand at ends: a word begins behind a piece that ends one
        begins = np.append(True, kinds[:-1] == ENDS)[: len(kinds)] | first
    else:
        begins = ((kinds == BEGINS) | (kinds == BLANK) | first) & ~blank
    count = np.append(0, np.cumsum(begins))
    owner = np.repeat(offsets[:-1], np.diff(offsets))
    word = count[1:] - count[owner] - 1
    return Segmentation(
        np.where(blank, NO_WORD, word).astype(np.int32), offsets, count[offsets[1:]] - count[offsets[:-1]]
    )


def _compare(
    lines: Sequence[str], markers: Markers, words: Sequence[Sequence[str]], name: str, found: Segmentation
) -> None:
    """Compare subwords with the words that they must join to; where marks tell other words, go by characters."""
    if len(lines) != len(words):
        raise InputError(
            f"{name}: {len(lines)} lines, but the text of words has {len(words)}, expected as many of both"
        )
    for k, (line, right) in enumerate(zip(lines, words, strict=True)):
        if WORD.findall(markers.joined(line)) == list(right):
            continue
        begin, end = int(found.offsets[k]), int(found.offsets[k + 1])
        numbers = _by_characters(WORD.findall(line), markers, right)
        if numbers is None and not _known_but_for_unknown(line, markers, right, found, k):
            joined = shorten(markers.joined(line).strip())
            raise InputError(
                f"{name}, line {k + 1}: the subwords join to {joined!r}, but the text has"
                f" {shorten(' '.join(right))!r}, expected the same; are the markers right?"
            )
        if numbers is not None:
            found.word[begin:end] = numbers
            found.words[k] = len(right)


def _by_characters(pieces: list[str], markers: Markers, words: Sequence[str]) -> list[int] | None:
    """Number the words of pieces by their characters, as they stand or without case, accents and width."""
    bare = [markers.bare(piece) for piece in pieces]
    if markers is MARKERS["bytelevel"]:
        return _places(pieces, markers, bare, [word.encode().decode("latin-1") for word in words])
    numbers = _places(pieces, markers, bare, words)
    if numbers is None:
        numbers = _places(pieces, markers, [folded(p) for p in bare], [folded(word) for word in words])
    return numbers


def folded(text: str) -> str:
    """Return a text without case, accents and differences of width, as tokenisers normalise it.

    >>> folded("Élan"), folded("ﬁn")
    ('elan', 'fin')
    """
    plain = unicodedata.normalize("NFKD", text)
    return "".join([char for char in plain if unicodedata.category(char) != "Mn"]).casefold()


def _places(pieces: list[str], markers: Markers, bare: list[str], words: Sequence[str]) -> list[int] | None:
    """Number the words of pieces that have the same characters, None if they have not, or if a piece has two words."""
    if "".join(bare) != "".join(words) or not all(words):
        return None
    ends = list(accumulate(map(len, words)))
    numbers, place = list[int](), 0
    for piece in bare:
        numbers.append(bisect_right(ends, place) if piece else NO_WORD)
        place += len(piece)
        if piece and place > ends[numbers[-1]]:
            return None
    for k in range(
        len(pieces) - 1, -1, -1
    ):  # a piece without letters belongs to the word that goes on behind it
        if numbers[k] == NO_WORD:
            goes_on = k + 1 < len(pieces) and markers.kind(pieces[k + 1]) in (CONTINUES, ENDS)
            numbers[k] = numbers[k + 1] if goes_on else NO_WORD
    return numbers


def _known_but_for_unknown(
    line: str, markers: Markers, words: Sequence[str], found: Segmentation, k: int
) -> bool:
    """Tell whether marks give the right words but for those that the vocabulary did not have."""
    if found.words[k] != len(words):
        return False
    numbers = found.word[found.offsets[k] : found.offsets[k + 1]].tolist()
    joined, unknown = [""] * len(words), set[int]()
    for piece, number in zip(WORD.findall(line), numbers, strict=True):
        if number != NO_WORD:
            joined[number] += markers.bare(piece)
            unknown |= {number} if markers.bare(piece) in UNKNOWN else set()
    return all(
        k in unknown or folded(ours) == folded(theirs)
        for k, (ours, theirs) in enumerate(zip(joined, words, strict=True))
    )
