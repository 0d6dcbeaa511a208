"""Other ways of reading links: counted from another number, or turned round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.links.fitting import inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.links.rows import Rows

# (turned round, moved by): what is said.
READINGS = {
    (False, -1): "links look 1-based: shifted down by one",
    (False, 1): "links look one position too low (a 1-based gold, or 0-based links in a 1-based format):"
    " shifted up by one",
    (True, 0): "source and target look swapped: turned round",
    (True, -1): "links look 1-based and source and target swapped: shifted down by one and turned round",
    (True, 1): "links look one position too low and source and target swapped: shifted up by one and turned"
    " round",
}
GIVEN = (False, 0)
LOOKED_AT = 20_000  # pairs that are enough to see how links are written
FEWEST = 20  # equal words, or pairs, that are no chance
CLEARLY = 3  # times as many


def equal_words(rows: Rows, bitext: Bitext) -> dict[tuple[bool, int], int]:
    """Count, for each way of reading links, how many of them join a word with the same word: numbers, names, marks."""
    known = {word: number for number, word in enumerate(bitext.source.words)}
    same = np.array([known.get(word, -1) for word in bitext.target.words], np.int64)
    chosen = rows.pair < min(LOOKED_AT, len(bitext))
    pair, places = rows.pair[chosen], (rows.source[chosen], rows.target[chosen])
    source_ids, target_ids = bitext.source.ids, same[bitext.target.ids] if len(same) else bitext.target.ids
    counts = {}
    for turned, shift in (GIVEN, *READINGS):
        source, target = (place + np.int32(shift) for place in (places[::-1] if turned else places))
        fits = _fits(pair, source, target, bitext)
        left = source_ids[bitext.source.offsets[pair[fits]] + source[fits]]
        right = target_ids[bitext.target.offsets[pair[fits]] + target[fits]]
        counts[turned, shift] = int((left == right).sum())
    return counts


def _fits(
    pair: NDArray[np.int64], source: NDArray[np.int32], target: NDArray[np.int32], bitext: Bitext
) -> NDArray[np.bool_]:
    """Mark the links whose words are there."""
    return inside(pair, source, target, bitext.source.lengths, bitext.target.lengths)


def suspected(rows: Rows, bitext: Bitext | None, first: int) -> Iterator[str]:
    """Yield a sentence for each sign that links count from another number, or are turned round.

    `first` is the number of the first word in the format.
    """
    if bitext is not None:
        counts = equal_words(rows, bitext)
        best = max(counts, key=lambda reading: counts[reading])
        if counts[best] >= FEWEST and counts[best] > CLEARLY * counts[GIVEN]:
            yield (
                f"{READINGS[best]}, {counts[best]} of them would join equal words, as they stand {counts[GIVEN]} do"
            )
            return
    pairs = len(np.unique(rows.pair))
    if first == 0 and pairs >= FEWEST and not (rows.source == 0).any() and not (rows.target == 0).any():
        yield f"no first word is linked in any of {pairs} pairs: links look 1-based, expected positions from 0"
