"""Combine the links of two directions by rule: union, intersection, and what grows between them.

The growing rules are those of Koehn, Och and Marcu (2003), in the order of fast_align's `atools`; the order
is part of their meaning, since each link that is taken can bar later ones:

- grow-diag starts from the intersection and sweeps over the rest of the union by source, then target
  position. A link is taken at once when its source or its target word has no link yet and a link already
  taken lies in one of the eight cells around it; sweeps are repeated until one takes nothing.
- final then takes the forward links, by source, then target position, whose source or target word has no link
  yet, and after them the reverse links in the same way; final-and wants both words without a link.

Moses' `symal` walks by target position, looks from the taken links outward, and begins its last step with the
direction that it calls inverse, so that a few links can differ from its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.choices import HEURISTICS, NEED_A_MODEL, full_name
from cepts.errors import InputError, OptionError
from cepts.links.links import Links, widths

if TYPE_CHECKING:
    from numpy.typing import NDArray

FREE_WORDS = {"grow-diag": 0, "grow-diag-final": 1, "grow-diag-final-and": 2}  # that a last link must have


@checked
def combine(forward: Links, reverse: Links, method: str) -> Links:
    """Combine the links of two directions, both source-target, by one of `HEURISTICS`, or gd, gdf, gdfa for short.

    A link is as confident as in the direction that has it, or in the more confident one if both do, and sure
    if it is so in either; a pair's score is the mean of both directions' scores.

    >>> forward = Links.from_pairs([[(0, 0), (1, 1), (4, 3)]])
    >>> reverse = Links.from_pairs([[(0, 0), (2, 1), (4, 5)]])
    >>> [(link.source, link.target) for link in combine(forward, reverse, "grow-diag")[0]]
    [(0, 0), (1, 1), (2, 1)]
    """
    method = full_name(method)
    _check(forward, reverse, method)
    union, owners = _union(forward, reverse)
    if method == "union":
        return union
    if method == "intersection":
        return union.select(owners == 3)
    return union.select(_grown(union, owners, FREE_WORDS[method]))


def _check(forward: Links, reverse: Links, method: str) -> None:
    """Refuse an unknown method, and directions that cannot be of one text."""
    if method in NEED_A_MODEL:
        raise OptionError(
            f"{method!r} needs a model's probabilities, not only links; use it when aligning, or one of"
            f" {', '.join(HEURISTICS)}"
        )
    if method not in HEURISTICS:
        raise OptionError(f"unknown way to combine {method!r}, expected one of {', '.join(HEURISTICS)}")
    if len(forward) != len(reverse):
        raise InputError(
            f"forward links have {len(forward)} sentence pairs, reverse links {len(reverse)}, expected as"
            " many; are they of the same text?"
        )


def _union(forward: Links, reverse: Links) -> tuple[Links, NDArray[np.int8]]:
    """Return all links, and for each of them 1 if forward has it, 2 if reverse does, 3 for both."""
    from cepts.combine.heuristics_kernels import FORWARD, REVERSE, merge

    source, target, owners, offsets = merge(
        forward.source, forward.target, forward.offsets, reverse.source, reverse.target, reverse.offsets
    )
    in_forward, in_reverse = (owners & FORWARD) > 0, (owners & REVERSE) > 0
    confidence, sure = np.zeros(len(owners), np.float32), np.zeros(len(owners), np.bool_)
    # Links of a direction stand in the union in the direction's own order.
    confidence[in_forward], sure[in_forward] = forward.confidence, forward.sure
    confidence[in_reverse] = np.maximum(confidence[in_reverse], reverse.confidence)
    sure[in_reverse] |= reverse.sure
    return Links(source, target, confidence, sure, offsets, _scores(forward, reverse)), owners


def _grown(union: Links, owners: NDArray[np.int8], free_words: int) -> NDArray[np.bool_]:
    """Mark the rows of the union that the growing rules take."""
    from cepts.combine.heuristics_kernels import Growth, grow

    source_width, target_width = widths(union.source, union.target)
    growth = Growth(
        union.source,
        union.target,
        owners,
        taken=np.zeros(len(owners), np.bool_),
        source_taken=np.zeros(source_width, np.bool_),
        target_taken=np.zeros(target_width, np.bool_),
        row_begins=np.full(source_width + 2, -1, np.int64),
    )
    grow(growth, union.offsets, free_words)
    return growth.taken


def _scores(forward: Links, reverse: Links) -> NDArray[np.float64] | None:
    """Return the mean of both directions' scores, or those of the one that has scores."""
    if forward.scores is None or reverse.scores is None:
        return forward.scores if reverse.scores is None else reverse.scores
    mean = (forward.scores + reverse.scores) / 2
    # Equal scores are of the pair, not of a direction: keep them to the last bit, and the infinite ones.
    kept: NDArray[np.float64] = np.where(forward.scores == reverse.scores, forward.scores, mean)
    return kept
