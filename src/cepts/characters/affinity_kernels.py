"""The affinity of two strings: the best score of edits that turn one into the other (freitag-2007, equation 1).

A cursor stands between letters. At the cursors (i, j) an edit takes the source's letter i, or nothing, and gives the
target's letter j, or nothing. Its score is what it always scores, and what the grams before and behind the source's
cursor and before the target's add: a sum of a part that knows the source's cursor and one that knows the target's.
"""

from typing import NamedTuple

import numpy as np

from cepts.characters.table_kernels import number_source, number_target, weight_beside
from cepts.running.kernel import helper, kernel

INSERT, DELETE, SUBSTITUTE = 0, 1, 2
IMPOSSIBLE = np.float32(-1e30)


class SourceScores(NamedTuple):
    """What the edits of one source string score without the target's grams.

    Columns of target letters are filled as they are asked for: `stamps[letter]` is the number of the string (from 1)
    whose scores stand there. `insert` and `substitute` are [cursor][target letter]; `substitute` by letter 0 is leaving
    out.
    """

    grams: np.ndarray
    stamps: np.ndarray
    insert: np.ndarray
    substitute: np.ndarray
    current: np.ndarray  # [1], the number of the string


class Desk(NamedTuple):
    """Room for a target string: its grams, the scores of paths, and the edits of the best one from its end."""

    grams: np.ndarray
    best: np.ndarray  # [source cursor][target cursor]
    steps: np.ndarray  # the last edit of the best path to these cursors
    insert: np.ndarray  # [target cursor]: what the target's grams add to inserting its letter
    edits: np.ndarray  # (edit, source cursor, target cursor)


@helper
def new_source_scores(longest, marks, order):
    """Allocate room for source strings of at most so many letters, for so many target letters."""
    return SourceScores(
        np.empty((longest + 1) * 2 * order, np.int32),
        np.zeros(marks, np.int64),
        np.zeros((longest + 1, marks), np.float32),
        np.zeros((longest + 1, marks), np.float32),
        np.zeros(1, np.int64),
    )


@helper
def new_desk(longest_source, longest_target, order):
    """Allocate room for strings of at most so many letters."""
    cells = (longest_source + 1) * (longest_target + 1)
    return Desk(
        np.empty((longest_target + 1) * order, np.int32),
        np.empty(cells, np.float32),
        np.empty(cells, np.int8),
        np.empty(longest_target + 1, np.float32),
        np.empty((longest_source + longest_target, 3), np.int32),
    )


@helper
def take_source(table, letters, first, length, order, scores):
    """Make a source string the current one."""
    number_source(table.gram_keys, table.gram_numbers, letters, first, length, order, scores.grams)
    scores.current[0] += 1


@helper
def fill_column(table, letters, first, length, order, scores, mark):
    """Score the edits that write a target letter (0: none) at each cursor of the current source string."""
    scores.stamps[mark] = scores.current[0]
    hints, keys, values, plain, grams = table.hints, table.keys, table.values, table.plain, scores.grams
    for i in range(length + 1):
        row = i * 2 * order
        if mark > 0:
            scores.insert[i, mark] = plain[0, mark] + weight_beside(
                hints, keys, values, 0, mark, grams, row, row + 2 * order
            )
        if i < length:
            letter = letters[first + i]
            scores.substitute[i, mark] = plain[letter, mark] + weight_beside(
                hints, keys, values, letter, mark, grams, row, row + 2 * order
            )


@helper
def align(table, letters, first, length, scores, marks, begin, size, order, desk):
    """Fill the table of best scores of the current source string and a target string; returns the affinity."""
    number_target(table.gram_keys, table.gram_numbers, marks, begin, size, order, desk.grams)
    hints, keys, values, beside = table.hints, table.keys, table.values, desk.grams
    best, steps, width = desk.best, desk.steps, size + 1
    if scores.stamps[0] != scores.current[0]:
        fill_column(table, letters, first, length, order, scores, 0)
    for j in range(size):
        mark = marks[begin + j]
        if scores.stamps[mark] != scores.current[0]:
            fill_column(table, letters, first, length, order, scores, mark)
        desk.insert[j] = weight_beside(hints, keys, values, 0, mark, beside, j * order, j * order + order)
    best[0] = np.float32(0)
    for j in range(1, size + 1):
        best[j] = best[j - 1] + scores.insert[0, marks[begin + j - 1]] + desk.insert[j - 1]
        steps[j] = INSERT
    for i in range(1, length + 1):
        letter, here = letters[first + i - 1], i * width
        for j in range(size + 1):
            score = best[here - width + j] + scores.substitute[i - 1, 0]
            score += weight_beside(hints, keys, values, letter, 0, beside, j * order, j * order + order)
            step = DELETE
            if j > 0:
                mark, row = marks[begin + j - 1], (j - 1) * order
                value = best[here - width + j - 1] + scores.substitute[i - 1, mark]
                value += weight_beside(hints, keys, values, letter, mark, beside, row, row + order)
                if value >= score:
                    score, step = value, SUBSTITUTE
                value = best[here + j - 1] + scores.insert[i, mark] + desk.insert[j - 1]
                if value > score:
                    score, step = value, INSERT
            best[here + j], steps[here + j] = score, step
    return best[length * width + size]


@helper
def trace(desk, length, size):
    """List the edits of the best path from its end; returns how many."""
    i, j, count, width = length, size, 0, size + 1
    while i > 0 or j > 0:
        step = desk.steps[i * width + j]
        i -= step != INSERT
        j -= step != DELETE
        desk.edits[count, 0], desk.edits[count, 1], desk.edits[count, 2] = step, i, j
        count += 1
    return count


@helper
def longest_of(strings):
    """The length of the longest string."""
    longest = np.int64(0)
    for k in range(len(strings.offsets) - 1):
        longest = max(longest, strings.offsets[k + 1] - strings.offsets[k])
    return longest


@kernel
def affinities(table, order, sources, targets, ones, others, out):
    """The affinity of each pair (ones[k], others[k]) of strings; pairs of one source string are best kept together."""
    longest = longest_of(sources)
    scores = new_source_scores(longest, table.plain.shape[1], order)
    desk = new_desk(longest, longest_of(targets), order)
    last = -1
    for k in range(len(ones)):
        one, other = ones[k], others[k]
        first, begin = sources.offsets[one], targets.offsets[other]
        length, size = sources.offsets[one + 1] - first, targets.offsets[other + 1] - begin
        if one != last:
            take_source(table, sources.letters, first, length, order, scores)
            last = one
        out[k] = align(
            table, sources.letters, first, length, scores, targets.letters, begin, size, order, desk
        )


@kernel
def best_edits(table, order, sources, targets, edits):
    """List the edits of the best path between string 0 of both sides, from its end; returns how many."""
    longest, size = longest_of(sources), longest_of(targets)
    scores, desk = new_source_scores(longest, table.plain.shape[1], order), new_desk(longest, size, order)
    take_source(table, sources.letters, 0, longest, order, scores)
    align(table, sources.letters, 0, longest, scores, targets.letters, 0, size, order, desk)
    count = trace(desk, longest, size)
    for k in range(count):
        for n in range(3):
            edits[k, n] = desk.edits[k, n]
    return count


@kernel
def mark_edits(table, order, sources, targets, ones, others, seen):
    """Count the edits of the best path between each pair (ones[k], others[k]), [source letter][target letter]."""
    longest = longest_of(sources)
    scores = new_source_scores(longest, table.plain.shape[1], order)
    desk = new_desk(longest, longest_of(targets), order)
    for k in range(len(ones)):
        first, begin = sources.offsets[ones[k]], targets.offsets[others[k]]
        length, size = sources.offsets[ones[k] + 1] - first, targets.offsets[others[k] + 1] - begin
        take_source(table, sources.letters, first, length, order, scores)
        align(table, sources.letters, first, length, scores, targets.letters, begin, size, order, desk)
        for n in range(trace(desk, length, size)):
            step, i, j = desk.edits[n, 0], desk.edits[n, 1], desk.edits[n, 2]
            source = np.int32(0) if step == INSERT else sources.letters[first + i]
            target = np.int32(0) if step == DELETE else targets.letters[begin + j]
            seen[source, target] += 1
