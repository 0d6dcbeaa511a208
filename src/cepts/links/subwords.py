"""Links between subwords as links between words, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.errors import InputError, OptionError
from cepts.links.fitting import check_fit
from cepts.links.links import links_from_rows
from cepts.links.markers import check_markers, detect_markers
from cepts.links.segmentation import segment
from cepts.links.text import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.links.links import Links
    from cepts.links.segmentation import Segmentation

    Lines = Sequence[str]
    Pair = tuple[Lines | None, Lines | None]


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
    return words_and_dropped(links, (source, target), markers, (source_words, target_words))[0]


def words_and_dropped(
    links: Links, lines: Pair, markers: str | None = None, words: Pair = (None, None)
) -> tuple[Links, int]:
    """Do what `links_to_words` does, and count the links of marks without letters, which belong to no word."""
    sides = segmentations(lines, markers, words)
    check_fit(links, *_lengths(links, sides, words=False))
    pair, kept = links.row_pairs(), np.ones(len(links.source), np.bool_)
    places = []
    for side, place in zip(sides, (links.source, links.target), strict=True):
        new = place if side is None else side.word[side.offsets[pair] + place]
        kept &= new >= 0
        places.append(new)
    columns = places[0][kept], places[1][kept], links.confidence[kept], links.sure[kept]
    return links_from_rows(pair[kept], *columns, len(links), links.scores), int((~kept).sum())


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
    sides = segmentations((source, target), markers, (source_words, target_words))
    check_fit(links, *_lengths(links, sides, words=True))
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


def segmentations(lines: Pair, markers: str | None, words: Pair) -> list[Segmentation | None]:
    """Cut the sides that have subwords, by marks that are named or seen, on one side or on the other."""
    if lines == (None, None):
        raise OptionError("no subwords: give the lines of subwords of the source, of the target, or of both")
    if markers is not None:
        check_markers(markers)
    seen = [markers or (None if side is None else detect_markers(side)) for side in lines]
    named = [one or other for one, other in zip(seen, reversed(seen), strict=True)]
    found: list[Segmentation | None] = []
    for name, style, side, right in zip(("source", "target"), named, lines, words, strict=True):
        if side is None:
            found.append(None)
            continue
        if style is None:
            raise OptionError(
                f"the {name} subwords have no marks that are known: name them, with markers (sentencepiece, wordpiece,"
                " bpe or bytelevel)"
            )
        text = None if right is None else [WORD.findall(line) for line in right]
        found.append(segment(side, style, text, f"{name} subwords"))
    return found


def _lengths(
    links: Links, sides: list[Segmentation | None], words: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many words or subwords each line has; a side without a text is as long as its links need."""
    lengths = []
    for name, side, place in zip(("source", "target"), sides, (links.source, links.target), strict=True):
        if side is not None and len(side.words) != len(links):
            raise InputError(
                f"links of {len(links)} pairs, but {len(side.words)} lines of {name} subwords, expected as many of both"
            )
        most = int(place.max(initial=-1)) + 1
        own = np.full(len(links), most, np.int64) if side is None else side.words if words else side.lengths
        lengths.append(own)
    return lengths[0], lengths[1]
