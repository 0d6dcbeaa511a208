"""How many links of each sentence are right: all that the scores are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.errors import InputError
from cepts.links.links import row_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.links.links import Links


class Counts(NamedTuple):
    """Sizes of sets, for each sentence; possible gold links include the sure ones."""

    links: NDArray[np.int64]
    sure: NDArray[np.int64]
    possible: NDArray[np.int64]
    links_in_sure: NDArray[np.int64]
    links_in_possible: NDArray[np.int64]

    def total(self) -> Counts:
        """Add up the sentences."""
        return Counts(*(column.sum(keepdims=True) for column in self))

    def aer(self) -> NDArray[np.float64]:
        """Return the alignment error rate, 1 - (|A and S| + |A and P|) / (|A| + |S|); 0 if A and S are empty.

        A are the links, S the sure, P the possible gold links (Och and Ney, 2003).
        """
        right, of = self.links_in_sure + self.links_in_possible, self.links + self.sure
        return np.where(of > 0, 1 - right / np.maximum(of, 1), 0.0)


def count(links: Links, gold: Links, shift: int = 0) -> Counts:
    """Count, for each sentence, links, gold links, and links that are in the gold when moved by `shift`."""
    check_lengths(links, gold)
    pairs = len(gold)
    owner, gold_owner = links.row_pairs(), gold.row_pairs()
    in_possible, in_sure = _look_up(links, gold, owner, gold_owner, shift)
    return Counts(
        np.bincount(owner, minlength=pairs),
        np.bincount(gold_owner[gold.sure], minlength=pairs),
        np.bincount(gold_owner, minlength=pairs),
        np.bincount(owner[in_sure], minlength=pairs),
        np.bincount(owner[in_possible], minlength=pairs),
    )


def in_gold(links: Links, gold: Links) -> NDArray[np.bool_]:
    """Mark the links that are in the gold, sure or possible."""
    check_lengths(links, gold)
    return _look_up(links, gold, links.row_pairs(), gold.row_pairs(), 0)[0]


def check_lengths(links: Links, gold: Links) -> None:
    """Refuse links and gold of different numbers of sentences."""
    if len(links) != len(gold):
        shorter = min(len(links), len(gold))
        raise InputError(
            f"links have {len(links)} sentences, gold has {len(gold)}, expected as many; if the longer"
            f" file begins with the sentences of the shorter one, cut it (head -n {shorter})"
        )


def _look_up(
    links: Links, gold: Links, owner: NDArray[np.int64], gold_owner: NDArray[np.int64], shift: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the links that are in the gold, and those that are sure in it, when moved by `shift`."""
    if len(gold.source) == 0:
        return np.zeros(len(owner), np.bool_), np.zeros(len(owner), np.bool_)
    shape = int(gold.source.max()) + 1, int(gold.target.max()) + 1
    source, target = links.source + np.int32(shift), links.target + np.int32(shift)
    inside = (source >= 0) & (target >= 0) & (source < shape[0]) & (target < shape[1])
    keys = row_keys(gold_owner, gold.source, gold.target, shape, len(gold))
    wanted = row_keys(owner, source, target, shape, len(gold))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found = inside & (keys[place] == wanted)
    return found, found & gold.sure[place]
