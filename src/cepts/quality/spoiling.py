"""Bad pairs made of good ones: what a filter learns to tell from the text itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.corpus import Bitext, Side

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

CUT = (0.2, 0.6)  # the share of a sentence that is cut off
REPLACED = (0.15, 0.6)  # the share of words that are replaced
SPLICED = (0.3, 0.7)  # the share of a sentence that stays before or behind the seam


class Spoiled(NamedTuple):
    """Bad pairs, and the pairs [2][pair] of the bitext that the words of each come from."""

    bitext: Bitext
    owners: NDArray[np.int64]


def spoil(bitext: Bitext, seed: int) -> dict[str, Spoiled]:
    """Spoil each pair of a bitext in four ways.

    shuffled: the target of another pair, as long as its own. truncated: one side loses its beginning or its end.
    replaced: words of one side give way to others, drawn as often as they occur. spliced: the beginning or the end of
    one side comes from another sentence of its length.
    """
    names = ("shuffled", "truncated", "replaced", "spliced")
    ways = (shuffled, truncated, replaced, spliced)
    draws = np.random.default_rng(seed).spawn(len(names))
    return {name: way(bitext, draw) for name, way, draw in zip(names, ways, draws, strict=True)}


def shuffled(bitext: Bitext, draw: Generator) -> Spoiled:
    """Give each source the target of another pair, where there is one of its length."""
    partner = partners(bitext.target, draw)
    own = np.arange(len(bitext))
    return Spoiled(Bitext(bitext.source, bitext.target.picked(partner)), np.stack([own, partner]))


def truncated(bitext: Bitext, draw: Generator) -> Spoiled:
    """Cut the beginning or the end off one side; at least one word goes, and one stays."""
    on_source, share, in_front = _choices(bitext, draw, CUT)
    sides = []
    for side, chosen in ((bitext.source, on_source), (bitext.target, ~on_source)):
        lengths = side.lengths
        cut = np.minimum(np.maximum(np.rint(lengths * share), 1), lengths - 1)
        cut = np.where(chosen, np.maximum(cut, 0), 0)
        owner, place = _places(side)
        kept = np.where(in_front[owner], place >= cut[owner], place < (lengths - cut)[owner])
        offsets = np.concatenate(([0], np.cumsum(kept)))[side.offsets]
        sides.append(Side(side.ids[kept], offsets, side.words))
    return Spoiled(Bitext(sides[0], sides[1]), _own(bitext))


def replaced(bitext: Bitext, draw: Generator) -> Spoiled:
    """Replace words of one side by others from anywhere in the text."""
    on_source, share, _ = _choices(bitext, draw, REPLACED)
    sides = []
    for side, chosen in ((bitext.source, on_source), (bitext.target, ~on_source)):
        owner, _ = _places(side)
        hit = chosen[owner] & (draw.random(len(owner)) < share[owner])
        others = side.ids[draw.integers(0, max(len(side.ids), 1), len(side.ids))]
        sides.append(Side(np.where(hit, others, side.ids), side.offsets, side.words))
    return Spoiled(Bitext(sides[0], sides[1]), _own(bitext))


def spliced(bitext: Bitext, draw: Generator) -> Spoiled:
    """Take the beginning or the end of one side from another sentence of its length, where there is one."""
    on_source, share, in_front = _choices(bitext, draw, SPLICED)
    owners = _own(bitext)
    sides = []
    for side, chosen in ((bitext.source, on_source), (bitext.target, ~on_source)):
        partner = partners(side, draw)
        partner = np.where(chosen & (side.lengths[partner] == side.lengths), partner, owners[0])
        owner, place = _places(side)
        behind = place >= (side.lengths * share)[owner]
        ids = np.where(behind != in_front[owner], side.picked(partner).ids, side.ids)
        sides.append(Side(ids, side.offsets, side.words))
        owners[1] = np.where(chosen, partner, owners[1])
    return Spoiled(Bitext(sides[0], sides[1]), owners)


def partners(side: Side, draw: Generator) -> NDArray[np.int64]:
    """Give each sentence another one, of its length or, for the last of a length, the next."""
    order = np.lexsort((draw.random(len(side)), side.lengths))
    partner = np.empty(len(side), np.int64)
    partner[order] = np.roll(order, -1)
    return partner


def _choices(
    bitext: Bitext, draw: Generator, share: tuple[float, float]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Draw for each pair the side that is spoiled, how much of it, and whether in front."""
    pairs = len(bitext)
    return draw.random(pairs) < 0.5, draw.uniform(*share, pairs), draw.random(pairs) < 0.5


def _places(side: Side) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sentence of each word, and its place there."""
    owner = np.repeat(np.arange(len(side)), side.lengths)
    return owner, np.arange(len(side.ids)) - side.offsets[owner]


def _own(bitext: Bitext) -> NDArray[np.int64]:
    return np.tile(np.arange(len(bitext)), (2, 1))
