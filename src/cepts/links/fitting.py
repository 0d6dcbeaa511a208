"""Whether links fit their text: as many pairs, and no link beyond the last word of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.links import Links
    from cepts.links.rows import Rows


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
    _check_count(len(links), len(source_lengths), name, text)
    if len(target_lengths) != len(source_lengths):
        raise InputError(
            f"{text} has {len(source_lengths)} source and {len(target_lengths)} target sentences"
        )
    owner = links.row_pairs()
    outside = ~inside(owner, links.source, links.target, source_lengths, target_lengths)
    if not outside.any():
        return
    row = int(np.argmax(outside))
    told = _outside(row, owner, links.source, links.target, source_lengths, target_lengths)
    raise InputError(f"{name}, {place} {owner[row] + 1}: {told}")


def check_rows(
    rows: Rows,
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    name: str,
    text: str = "the text",
    first: int = 0,
) -> None:
    """Refuse what `check_fit` refuses, of links that still know their lines; those of NULL are passed over.

    `first` is the number that the file has for a first word.
    """
    _check_count(rows.pairs, len(source_lengths), name, text)
    real = np.flatnonzero((rows.source >= 0) & (rows.target >= 0))
    columns = rows.pair[real], rows.source[real], rows.target[real], source_lengths, target_lengths
    outside = ~inside(*columns)
    if outside.any():
        row = int(np.argmax(outside))
        raise InputError(f"{name}, line {rows.line[real[row]]}: {_outside(row, *columns, first)}")


def _check_count(pairs: int, lines: int, name: str, text: str) -> None:
    """Refuse links for another number of sentence pairs."""
    if pairs != lines:
        raise InputError(
            f"{name}: links of {pairs} pairs, but {text} has {lines} pairs, expected as many;"
            " line k must hold the links of pair k"
        )


def _outside(
    row: int,
    pair: NDArray[np.int64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    first: int = 0,
) -> str:
    """Say which link is outside of its pair, as its file counts, and what would cure it."""
    return (
        f"link {source[row] + first}-{target[row] + first} (from {first}) is outside of its pair,"
        f" which has {source_lengths[pair[row]]} source and {target_lengths[pair[row]]} target words;"
        f" {cure(pair, source, target, source_lengths, target_lengths, first)}"
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
    first: int = 0,
) -> str:
    """Say which other way of reading the links makes all of them fit, if there is one; a file counts from `first`."""
    one, lengths = np.int32(1), (source_lengths, target_lengths)
    if inside(pair, target, source, *lengths).all():
        return "turned round all links fit: source and target are swapped"
    if first == 0 and inside(pair, source - one, target - one, *lengths).all():
        return "one lower all links fit: they count from 1, expected from 0"
    if first == 0 and inside(pair, target - one, source - one, *lengths).all():
        return "turned round and one lower all links fit: source and target are swapped, and count from 1"
    return f"are these links for this text, source first, counted from {first}?"
