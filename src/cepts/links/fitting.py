"""Whether links fit their text: as many pairs, and no link beyond the last word of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.links import Links


def check_fit(
    links: Links,
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    name: str = "links",
    text: str = "the text",
    place: str = "pair",
) -> None:
    """Refuse links for another number of sentence pairs, or beyond the ends of their sentences.

    `name` and `text` are what messages call the links and their text, `place` what they call the number of a pair.

    >>> from cepts.links import Links
    >>> check_fit(Links.from_pairs([[(0, 0)], [(2, 1)]]), np.array([1, 3]), np.array([1, 2]))
    """
    if len(links) != len(source_lengths):
        raise InputError(
            f"{name}: links of {len(links)} pairs, but {text} has {len(source_lengths)} pairs, expected as many;"
            " line k must hold the links of pair k"
        )
    owner = links.row_pairs()
    outside = ~inside(owner, links.source, links.target, source_lengths, target_lengths)
    if not outside.any():
        return
    row = int(np.argmax(outside))
    pair = int(np.searchsorted(links.offsets, row, side="right")) - 1
    raise InputError(
        f"{name}, {place} {pair + 1}: link {links.source[row]}-{links.target[row]} (from 0) is outside of its pair,"
        f" which has {source_lengths[pair]} source and {target_lengths[pair]} target words;"
        f" {cure(owner, links.source, links.target, source_lengths, target_lengths)}"
    )


def inside(
    pair: NDArray[np.int64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
) -> NDArray[np.bool_]:
    """Mark the links whose words are there."""
    low: NDArray[np.bool_] = (source >= 0) & (target >= 0)
    return low & (source < source_lengths[pair]) & (target < target_lengths[pair])


def cure(
    pair: NDArray[np.int64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
) -> str:
    """Say which other way of reading the links makes all of them fit, if there is one."""
    one, lengths = np.int32(1), (source_lengths, target_lengths)
    if inside(pair, target, source, *lengths).all():
        return "turned round all links fit: source and target are swapped"
    if inside(pair, source - one, target - one, *lengths).all():
        return "one lower all links fit: they count from 1, expected from 0"
    if inside(pair, target - one, source - one, *lengths).all():
        return "turned round and one lower all links fit: source and target are swapped, and count from 1"
    return "are these links for this text, source first, counted from 0?"
