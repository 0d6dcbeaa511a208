"""Cutting the runs of a whole side: each distinct run once, whatever the number of its places."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus.bitext import Side
from cepts.corpus.segmenter import LEARNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.corpus.segmenter import Segmenter


def segmented(side: Side, segmenter: Segmenter) -> Side:
    """Cut the runs that the tokeniser left whole; learn how from this very text, if nothing was learned before."""
    rules = segmenter.rules(side.words)
    counts = np.bincount(side.ids, minlength=len(side.words)) if rules else np.empty(0, np.int64)
    segmenter = segmenter.taught(
        {side.words[number]: int(counts[number]) for number, rule in rules.items() if rule == LEARNED}
    )
    if not rules:
        return replace(side, segmenter=segmenter)
    ends = [[len(word)] for word in side.words]
    for number, rule in rules.items():
        ends[number] = segmenter.cut(side.words[number], rule)
    table: dict[str, int] = {}  # words are in order of first appearance, so their parts are, too
    parts = [
        [table.setdefault(word[start:end], len(table)) for start, end in pairwise((0, *places))]
        for word, places in zip(side.words, ends, strict=True)
    ]
    return _expanded(side, parts, ends, list(table), segmenter)


def _expanded(
    side: Side,
    parts: Sequence[Sequence[int]],
    ends: Sequence[Sequence[int]],
    words: list[str],
    segmenter: Segmenter,
) -> Side:
    """Put the parts of each token into its place."""
    sizes = np.array([len(one) for one in parts], np.int64)
    first = np.cumsum(sizes) - sizes  # of each word, in the flat lists of all parts
    flat_ids = np.array([number for one in parts for number in one], np.int32)
    flat_ends = np.array([end for one in ends for end in one], np.int32)
    flat_starts = np.array([start for one in ends for start in (0, *one[:-1])], np.int32)
    counts = sizes[side.ids]
    new_places: NDArray[np.int64] = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=new_places[1:])
    which = np.repeat(first[side.ids] - new_places[:-1], counts) + np.arange(new_places[-1])
    spans = None
    if side.spans is not None:
        begin = np.repeat(side.spans[:, 0], counts)
        spans = np.stack([begin + flat_starts[which], begin + flat_ends[which]], axis=1)
        spans[new_places[1:] - 1, 1] = side.spans[:, 1]  # lower-casing can change how long a word is
    return Side(flat_ids[which], new_places[side.offsets], words, spans, segmenter, side.originals)
