"""What the perceptron does to weights: the edits of a true string rise, those of decoys fall (freitag-2007, table 1).

Averages are lazy: `sums` holds each change times the moment it was made, so that after T moments the mean of a weight
is its value less sums / T.
"""

from typing import NamedTuple

import numpy as np

from cepts.characters.affinity_kernels import (
    DELETE,
    INSERT,
    align,
    longest_of,
    new_desk,
    new_source_scores,
    take_source,
    trace,
)
from cepts.characters.table_kernels import edit_key, hint_of, place_of
from cepts.running.kernel import helper, kernel


class Sums(NamedTuple):
    """Changes times their moments: of `plain`, and of `values`."""

    plain: np.ndarray
    values: np.ndarray


@helper
def change(table, sums, source, target, grams, begin, end, share, moment):
    """Add to the weights of an edit beside some grams."""
    hint = np.uint64(1) << hint_of(source, target)
    for g in range(begin, end):
        if grams[g] >= 0:
            key = edit_key(source, target, grams[g])
            place = place_of(table.keys, key)
            if table.keys[place] == 0:
                table.keys[place] = key
                table.counts[1] += 1
                table.hints[grams[g]] |= hint
            table.values[place] += share
            sums.values[place] += moment * share


@helper
def change_path(
    table, sums, letters, first, length, source_grams, marks, begin, size, order, desk, share, moment
):
    """Add to the weights of all edits of the path that was found last."""
    for k in range(trace(desk, length, size)):
        step, i, j = desk.edits[k, 0], desk.edits[k, 1], desk.edits[k, 2]
        source = np.int32(0) if step == INSERT else letters[first + i]
        target = np.int32(0) if step == DELETE else marks[begin + j]
        table.plain[source, target] += share
        sums.plain[source, target] += moment * share
        row = i * 2 * order
        change(table, sums, source, target, source_grams, row, row + 2 * order, share, moment)
        row = j * order
        change(table, sums, source, target, desk.grams, row, row + order, share, moment)


@helper
def is_full(table, room):
    """Whether fewer than `room` more keys can be taken in."""
    return 2 * (table.counts[1] + room) > len(table.keys)


@kernel
def train_ranked(table, sums, order, sources, targets, examples, trues, decoys, begin, moment):
    """Present examples from `begin` on: a source, some true and some decoy targets (-1: none), as numbers of strings.

    The true target is the one that scores least, the decoy the one that scores most; if it scores no less than the true
    one, the weights of its edits fall and those of the true one's rise. Stops when the table is full; returns the next
    example, and how many were mistaken.
    """
    longest, most = longest_of(sources), longest_of(targets)
    scores = new_source_scores(longest, table.plain.shape[1], order)
    desks = (new_desk(longest, most, order), new_desk(longest, most, order))
    room, mistakes = (longest + most) * 6 * order, 0
    letters, marks = sources.letters, targets.letters
    for k in range(begin, len(examples)):
        if is_full(table, room):
            return k, mistakes
        first = sources.offsets[examples[k]]
        length = sources.offsets[examples[k] + 1] - first
        take_source(table, letters, first, length, order, scores)
        chosen = np.full(2, -1)
        reached = np.array([np.float32(1e30), np.float32(-1e30)])
        for side in range(2):
            some = trues if side == 0 else decoys
            for n in range(some.shape[1]):
                other = some[k, n]
                if other >= 0:
                    from_, to = targets.offsets[other], targets.offsets[other + 1]
                    score = align(
                        table, letters, first, length, scores, marks, from_, to - from_, order, desks[0]
                    )
                    if (score < reached[0]) if side == 0 else (score > reached[1]):
                        chosen[side], reached[side] = other, score
        if chosen[0] < 0 or chosen[1] < 0 or reached[1] < reached[0]:
            continue
        mistakes += 1
        for side in range(2):  # both paths as they are before any weight changes
            some = desks[side]
            from_ = targets.offsets[chosen[side]]
            size = targets.offsets[chosen[side] + 1] - from_
            align(table, letters, first, length, scores, marks, from_, size, order, some)
        for side in range(2):
            from_ = targets.offsets[chosen[side]]
            size = targets.offsets[chosen[side] + 1] - from_
            share = np.float32(1 - 2 * side)
            change_path(
                table,
                sums,
                letters,
                first,
                length,
                scores.grams,
                marks,
                from_,
                size,
                order,
                desks[side],
                share,
                moment + k,
            )
    return len(examples), mistakes
