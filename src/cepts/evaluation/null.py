"""`with_null_links`: words that are linked to nothing, as links that can be scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.errors import OptionError
from cepts.evaluation.counting import check_lengths
from cepts.links.links import links_from_rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cepts.links.links import Links

NULL_LINKS = ("auto", "sure", "possible")


@checked
def with_null_links(
    links: Links,
    source_lengths: ArrayLike,
    target_lengths: ArrayLike,
    sure: bool = True,
    name: str = "links",
) -> Links:
    """Add a link to NULL for each word without a link, on both sides; NULL stands behind the last word.

    Lengths are the number of words of each sentence. `sure` says what the new links are; a word that has only
    possible links gets none (goutte-2004, tables 3 and 4). `name` is what messages call the links.

    >>> from cepts.links import Links
    >>> links = with_null_links(Links.from_pairs([[(0, 1)]]), [2], [2])
    >>> [link[:2] for link in links[0]]
    [(0, 1), (1, 2), (2, 0)]
    """
    from cepts.links.fitting import check_fit  # late: only those who ask for NULL links need that room

    lengths = _checked_lengths(source_lengths, target_lengths)
    check_fit(links, *lengths, name)
    pair, source = _without_link(links, links.source, lengths[0])
    other_pair, target = _without_link(links, links.target, lengths[1])
    added = len(pair) + len(other_pair)
    return links_from_rows(
        np.concatenate((links.row_pairs(), pair, other_pair)),
        np.concatenate((links.source, source, lengths[0][other_pair].astype(np.int32))),
        np.concatenate((links.target, lengths[1][pair].astype(np.int32), target)),
        np.concatenate((links.confidence, np.ones(added, np.float32))),
        np.concatenate((links.sure, np.full(added, sure, np.bool_))),
        len(links),
        links.scores,
    )


def with_null_on_both(
    links: Links, gold: Links, null: str, lengths: tuple[ArrayLike, ArrayLike] | None
) -> tuple[Links, Links, str]:
    """Add NULL links to links and gold; say, too, what those of the gold are: sure or possible."""
    if null not in NULL_LINKS:
        raise OptionError(f"null must be auto, sure or possible, got {null!r}")
    if lengths is None:
        raise OptionError(
            "null needs the number of words of each sentence, to know which have no link: add"
            " lengths=(source_lengths, target_lengths)"
        )
    check_lengths(links, gold)
    rule = null if null != "auto" else _usual_rule(gold)
    found = with_null_links(links, *lengths)
    return found, with_null_links(gold, *lengths, sure=rule == "sure", name="gold"), rule


def _usual_rule(gold: Links) -> str:
    """Return what NULL links are in goutte-2004: possible, but sure where the gold has sure links only."""
    return "sure" if bool(gold.sure.all()) else "possible"


def _checked_lengths(
    source_lengths: ArrayLike, target_lengths: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lengths as arrays; refuse what cannot be numbers of words of the same sentence pairs."""
    source, target = np.asarray(source_lengths), np.asarray(target_lengths)
    for side, lengths in (("source", source), ("target", target)):
        if lengths.ndim != 1 or (lengths.size and (lengths.dtype.kind not in "iu" or lengths.min() < 0)):
            raise OptionError(f"{side} lengths must be whole numbers from 0, one for each sentence")
    if len(source) != len(target):
        raise OptionError(
            f"lengths of {len(source)} source and {len(target)} target sentences, expected as many of both"
        )
    return source.astype(np.int64), target.astype(np.int64)


def _without_link(
    links: Links, positions: NDArray[np.int32], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return pair and position of each word of one side that has no link."""
    starts = np.cumsum(lengths) - lengths
    owner = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    linked = np.zeros(len(owner), np.bool_)
    linked[starts[links.row_pairs()] + positions] = True
    alone = np.flatnonzero(~linked)
    return owner[alone], (alone - starts[owner[alone]]).astype(np.int32)
