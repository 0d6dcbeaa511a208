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
    outside = ~_inside(links, source_lengths, target_lengths)
    if not outside.any():
        return
    row = int(np.argmax(outside))
    pair = int(np.searchsorted(links.offsets, row, side="right")) - 1
    raise InputError(
        f"{name}, {place} {pair + 1}: link {links.source[row]}-{links.target[row]} (from 0) is outside of its pair,"
        f" which has {source_lengths[pair]} source and {target_lengths[pair]} target words;"
        f" {_cure(links, source_lengths, target_lengths)}"
    )


def _inside(
    links: Links, source_lengths: NDArray[np.integer], target_lengths: NDArray[np.integer], shift: int = 0
) -> NDArray[np.bool_]:
    """Mark the links whose words are there, when moved by `shift`."""
    owner = links.row_pairs()
    source, target = links.source + np.int32(shift), links.target + np.int32(shift)
    low: NDArray[np.bool_] = (source >= 0) & (target >= 0)
    return low & (source < source_lengths[owner]) & (target < target_lengths[owner])


def _cure(links: Links, source_lengths: NDArray[np.integer], target_lengths: NDArray[np.integer]) -> str:
    """Say which other way of reading the links makes all of them fit, if there is one."""
    lengths = (source_lengths, target_lengths)
    if _inside(links, *lengths[::-1]).all():
        return "turned round all links fit: source and target are swapped"
    if _inside(links, *lengths, shift=-1).all():
        return "one lower all links fit: they count from 1, expected from 0"
    return "are these links for this text, source first, counted from 0?"
