"""Links between subwords as links between words, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.corpus.encoding import WORD
from cepts.errors import InputError, OptionError
from cepts.links.fitting import check_fit
from cepts.links.links import links_from_rows
from cepts.links.markers import MARKERS, check_markers, detect_markers
from cepts.links.rows import Rows
from cepts.links.segmentation import segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.links.links import Links
    from cepts.links.segmentation import Segmentation

    Lines = Sequence[str]
    Sides = list[Segmentation | None]


@checked
def links_to_words(
    links: Links,
    source: Lines | None = None,
    target: Lines | None = None,
    *,
    markers: str | None = None,
    source_words: Lines | None = None,
    target_words: Lines | None = None,
) -> Links:
    """Return links between words for links between subwords.

    `source` and `target` are the lines of subwords, separated by spaces; a side that is None has words already. Two
    words are linked where any two of their subwords are, with the largest confidence, sure if any is. `markers` is one
    of `MARKERS`, or seen from the text. With `source_words` or `target_words`, the lines of words, it is checked that
    subwords join to them, and what is a word is decided there.

    >>> from cepts.links import Links
    >>> links = Links.from_pairs([[(0, 0, 0.5), (1, 0, 0.9), (2, 1)]])
    >>> links_to_words(links, ["▁mai son ▁blanche"])[0]
    [Link(source=0, target=0, confidence=0.8999999761581421, sure=True),
     Link(source=1, target=1, confidence=1.0, sure=True)]
    """
    sides = segmentations((source, target), markers, (words_of(source_words), words_of(target_words)))
    check_fit(links, *lengths_of(sides, links, words=False))
    return merged(links, sides)[0]


def merged(links: Links, sides: Sides) -> tuple[Links, int]:
    """Return links between words, and how many were dropped, of marks without letters, which belong to no word."""
    pair, kept = links.row_pairs(), np.ones(len(links.source), np.bool_)
    places = []
    for side, place in zip(sides, (links.source, links.target), strict=True):
        new = place if side is None else side.word[side.offsets[pair] + place]
        kept &= new >= 0
        places.append(new)
    columns = places[0][kept], places[1][kept], links.confidence[kept], links.sure[kept]
    return links_from_rows(pair[kept], *columns, len(links), links.scores), int((~kept).sum())


@checked
def links_to_subwords(
    links: Links,
    source: Lines | None = None,
    target: Lines | None = None,
    *,
    markers: str | None = None,
    source_words: Lines | None = None,
    target_words: Lines | None = None,
) -> Links:
    """Return links between subwords for links between words: each subword of one with each of the other.

    Arguments are those of `links_to_words`, which leads back.

    >>> from cepts.links import Links
    >>> back = links_to_subwords(Links.from_pairs([[(0, 0), (1, 1)]]), ["▁mai son ▁blanche"])
    >>> [link[:2] for link in back[0]]
    [(0, 0), (1, 0), (2, 1)]
    """
    sides = segmentations((source, target), markers, (words_of(source_words), words_of(target_words)))
    check_fit(links, *lengths_of(sides, links, words=True))
    return expanded(links, sides)


def expanded(links: Links, sides: Sides) -> Links:
    """Return links between subwords: each subword of one word with each of the other."""
    row = np.arange(len(links.source))
    places: list[NDArray[np.int32]] = [links.source, links.target]
    pair = links.row_pairs()
    for k, side in enumerate(sides):
        if side is not None:
            again, place = _expanded(side, pair[row], places[k])
            row = row[again]
            places = [old[again] for old in places]
            places[k] = place
    columns = places[0], places[1], links.confidence[row], links.sure[row]
    return links_from_rows(pair[row], *columns, len(links), links.scores)


def _expanded(
    side: Segmentation, pair: NDArray[np.int64], word: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return, for each subword of each given word, the row of the word and the subword's place in its line."""
    first_word = np.append(0, np.cumsum(side.words))
    owner = np.repeat(np.arange(len(side.words)), side.lengths)
    real = np.flatnonzero(side.word >= 0)
    number = first_word[owner[real]] + side.word[real]  # of the word, in the whole text; rising
    counts = np.bincount(number, minlength=int(first_word[-1]))
    starts = np.append(0, np.cumsum(counts))
    wanted = first_word[pair] + word
    again = np.repeat(np.arange(len(word)), counts[wanted])
    within = np.arange(len(again)) - np.repeat(np.append(0, np.cumsum(counts[wanted]))[:-1], counts[wanted])
    piece = real[starts[wanted[again]] + within]
    return again, (piece - side.offsets[owner[piece]]).astype(np.int32)


def words_of(lines: Lines | None) -> list[list[str]] | None:
    """Return the words of lines."""
    return None if lines is None else [WORD.findall(line) for line in lines]


def marks_of(lines: tuple[Lines | None, Lines | None], markers: str | None) -> list[str]:
    """Name the marks of each side: as it is said, or seen there or on the other side."""
    if lines == (None, None):
        raise OptionError("no subwords: give the lines of subwords of the source, of the target, or of both")
    if markers is not None:
        check_markers(markers)
        return [markers, markers]
    seen = [None if side is None else detect_markers(side) for side in lines]
    if seen == [None, None]:
        raise OptionError(
            "the subwords have no marks that are known: name the markers, sentencepiece, wordpiece, bpe or bytelevel"
        )
    return [one or other or "" for one, other in zip(seen, reversed(seen), strict=True)]


def segmentations(
    lines: tuple[Lines | None, Lines | None],
    markers: str | None,
    words: tuple[Sequence[Sequence[str]] | None, Sequence[Sequence[str]] | None],
    names: tuple[str, str] = ("source subwords", "target subwords"),
) -> Sides:
    """Cut the sides that have subwords, by marks that are named or seen; `words` are what they must join to."""
    styles = marks_of(lines, markers)
    return [
        None if side is None else segment(side, style, right, name)
        for side, style, right, name in zip(lines, styles, words, names, strict=True)
    ]


def lengths_of(sides: Sides, links: Links | Rows, words: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many words or subwords each line has; a side without a text is as long as its links need."""
    pairs = links.pairs if isinstance(links, Rows) else len(links)
    lengths = []
    for name, side, place in zip(("source", "target"), sides, (links.source, links.target), strict=True):
        if side is not None and len(side.words) != pairs:
            raise InputError(
                f"links of {pairs} pairs, but {len(side.words)} lines of {name} subwords, expected as many of both"
            )
        most = int(place.max(initial=-1)) + 1
        own = np.full(pairs, most, np.int64) if side is None else side.words if words else side.lengths
        lengths.append(own)
    return lengths[0], lengths[1]


def joined_lines(lines: Lines, style: str) -> list[str]:
    """Return the words of lines of subwords, with a space between them.

    >>> joined_lines(["▁mai son ▁blanche"], "sentencepiece")
    ['maison blanche']
    """
    return [" ".join(WORD.findall(MARKERS[style].joined(line))) for line in lines]
