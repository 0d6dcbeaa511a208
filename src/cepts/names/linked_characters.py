"""The characters of pairs of names, linked by the word aligner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.corpus import Bitext, Side, side_from_tokens
from cepts.links.links import links_from_rows

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.links import Links
    from cepts.names.alphabet import MarkedAlphabet
    from cepts.names.systems import Pairs
    from cepts.words import Monitor


def character_bitext(pairs: Pairs) -> Bitext:
    """Return names as sentences whose words are their characters."""
    source, target = (side_from_tokens([list(name) for name in names]) for names in zip(*pairs, strict=True))
    return Bitext(source, target)


def trained_aligner(pairs: Pairs, threads: int, monitor: Monitor, **options: Any) -> tuple[Aligner, Bitext]:
    """Train a word aligner on characters; `options` are of its recipe."""
    from cepts.aligning import Aligner  # late: it brings numba

    bitext = character_bitext(pairs)
    return Aligner("fast", threads=threads, monitor=monitor, **options).fit(bitext), bitext


def linked(pairs: Pairs, threads: int, monitor: Monitor, **options: Any) -> Links:
    """Link the characters of pairs, without their marks."""
    aligner, bitext = trained_aligner(pairs, threads, monitor, **options)
    return aligner.align(bitext)


def bitext_of(pairs: Pairs, source: MarkedAlphabet, target: MarkedAlphabet) -> Bitext:
    """Return names between their marks as ids of two alphabets."""
    sides: list[Side] = []
    for alphabet, names in zip((source, target), zip(*pairs, strict=True), strict=True):
        encoded = [alphabet.encode(name, {}) for name in names]
        ids = np.array([number for name in encoded for number in name], np.int32)
        offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum([len(name) for name in encoded])))
        sides.append(Side(ids, offsets, ["<begin>", "<end>", *alphabet.characters]))
    return Bitext(sides[0], sides[1])


def marked(links: Links, bitext: Bitext) -> Links:
    """Return links of names between marks: the marks are linked to each other, the rest moves by one."""
    every = np.arange(len(links), dtype=np.int64)
    none = np.zeros(len(links), np.int32)
    ends = [(side.lengths - 1).astype(np.int32) for side in (bitext.source, bitext.target)]
    number = len(links.source) + 2 * len(links)
    return links_from_rows(
        np.concatenate((links.row_pairs(), every, every)),
        np.concatenate((links.source + 1, none, ends[0])).astype(np.int32),
        np.concatenate((links.target + 1, none, ends[1])).astype(np.int32),
        np.ones(number, np.float32),
        np.ones(number, np.bool_),
        len(links),
    )
