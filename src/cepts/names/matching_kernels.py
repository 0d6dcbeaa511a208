"""The affinity of a source name with all target names of a list, by tries: names that begin alike share the work.

A node of a trie stands for all target names that begin alike. The dynamic programme is that of `affinity_kernels.align`
with nodes in the place of the target's cursors, and goes row by row, a row being all nodes of a trie for one cursor of
the source. Tries are small, so that rows stay in the processor's nearest memory.
"""

from typing import NamedTuple

import numpy as np

from cepts.characters.affinity_kernels import fill_column, longest_of, new_source_scores, take_source
from cepts.characters.table_kernels import TARGET, gram_key, gram_number, weight_beside
from cepts.running.kernel import helper, kernel


class Tries(NamedTuple):
    """Tries of target names: trie n has nodes `nodes[n]` to `nodes[n + 1]` and names `names[n]` to `names[n + 1]`.

    Its first node is empty, and a parent stands before its children. What the innermost loop looks up by is unsigned,
    which saves it the question whether it counts from the end.
    """

    nodes: np.ndarray
    names: np.ndarray
    parents: np.ndarray  # [node], counted from the trie's first node
    marks: np.ndarray  # the letter that a node adds, [node]
    ends: np.ndarray  # the node of each name, counted from the trie's first node
    grams: np.ndarray  # numbers of the grams before the cursor behind a node, [node][size - 1]
    letters: np.ndarray  # all letters that nodes add


class Beside(NamedTuple):
    """What the target's grams add to edits: to inserting a node's letter, [node], and to others, [row][node].

    The others substitute a source letter by the node's, or leave it out; `rows` has the row of each source letter.
    """

    rows: np.ndarray
    insert: np.ndarray
    substitute: np.ndarray
    leave: np.ndarray


@kernel
def number_nodes(table, order, strings, owners, depths, grams):
    """Number the grams before the cursor behind each node: `depths[node]` letters of string `owners[node]`."""
    for node in range(len(owners)):
        first, depth = strings.offsets[owners[node]], depths[node]
        length = strings.offsets[owners[node] + 1] - first
        for size in range(1, order + 1):
            key = gram_key(TARGET, strings.letters, depth - size, depth, first, length)
            grams[node * order + size - 1] = gram_number(table.gram_keys, table.gram_numbers, key)


@kernel
def fill_beside(table, order, tries, letters, beside):
    """Score the edits of some source letters beside the grams of all nodes."""
    hints, keys, values, grams = table.hints, table.keys, table.values, tries.grams
    for n in range(len(tries.nodes) - 1):
        first = tries.nodes[n]
        for node in range(first, tries.nodes[n + 1]):
            mark, here = np.int32(tries.marks[node]), node * order
            parent = (first + np.int64(tries.parents[node])) * order
            if node > first:
                beside.insert[node] = weight_beside(
                    hints, keys, values, 0, mark, grams, parent, parent + order
                )
            for row in range(len(letters)):
                letter = letters[row]
                beside.leave[row, node] = weight_beside(
                    hints, keys, values, letter, 0, grams, here, here + order
                )
                if node > first:
                    beside.substitute[row, node] = weight_beside(
                        hints, keys, values, letter, mark, grams, parent, parent + order
                    )


@helper
def first_row(parents, marks, plain, insert, row):
    """Fill the row of the source's first cursor: all letters are inserted."""
    row[0] = np.float32(0)
    for node in range(1, len(parents)):
        row[node] = row[parents[node]] + (plain[marks[node]] + insert[node])


@helper
def next_row(parents, marks, plain, substitute, leave, inserted, insert, before, row):
    """Fill the row of a cursor: the letter before it is left out or substituted, or a letter is inserted.

    `plain` and `inserted` are what letters score without the target's grams; the others are what those add.
    """
    left_out = plain[0]
    row[0] = before[0] + (left_out + leave[0])
    for node in range(1, len(parents)):
        parent, mark = parents[node], marks[node]
        score = before[node] + (left_out + leave[node])
        score = max(score, before[parent] + (plain[mark] + substitute[node]))
        row[node] = max(score, row[parent] + (inserted[mark] + insert[node]))


@helper
def walk(tries, n, beside, scores, letters, begin, length, one, other):
    """Fill rows of trie n for the current source name; returns the last one."""
    first, last = tries.nodes[n], tries.nodes[n + 1]
    parents, marks, insert = tries.parents[first:last], tries.marks[first:last], beside.insert[first:last]
    row, before = one, other
    first_row(parents, marks, scores.insert[0], insert, row)
    for i in range(length):
        at = beside.rows[letters[begin + i]]
        row, before = before, row
        substitute, leave = beside.substitute[at, first:last], beside.leave[at, first:last]
        plain, inserted = scores.substitute[i], scores.insert[i + 1]
        next_row(parents, marks, plain, substitute, leave, inserted, insert, before, row)
    return row


@helper
def fill_scores(table, order, letters, begin, length, marks, scores):
    """Make a source name the current one, and score all its edits without the target's grams."""
    take_source(table, letters, begin, length, order, scores)
    fill_column(table, letters, begin, length, order, scores, np.int32(0))
    for n in range(len(marks)):
        fill_column(table, letters, begin, length, order, scores, marks[n])


@helper
def largest_step(offsets):
    """The size of the largest part."""
    largest = np.int64(0)
    for n in range(len(offsets) - 1):
        largest = max(largest, offsets[n + 1] - offsets[n])
    return largest


@helper
def offer(strength, name, found, strengths):
    """Insert a name among the best ones, best first; of equals, the first to come stays before."""
    at = len(found) - 1
    while at > 0 and (found[at - 1] < 0 or strengths[at - 1] < strength):
        found[at], strengths[at] = found[at - 1], strengths[at - 1]
        at -= 1
    found[at], strengths[at] = name, strength


@kernel
def find_names(table, order, sources, tries, beside, usual, found, strengths, totals):
    """List for each source name the target names whose affinity is most above what is usual for them, [name][rank].

    Where there are no more, `found` stays -1. `totals` [target name] are added to by all affinities.
    """
    scores = new_source_scores(longest_of(sources), table.plain.shape[1], order)
    room = np.empty((2, largest_step(tries.nodes)), np.float32)
    last = found.shape[1] - 1
    for k in range(len(found)):
        begin = sources.offsets[k]
        length = sources.offsets[k + 1] - begin
        fill_scores(table, order, sources.letters, begin, length, tries.letters, scores)
        for n in range(len(tries.nodes) - 1):
            row = walk(tries, n, beside, scores, sources.letters, begin, length, room[0], room[1])
            for name in range(tries.names[n], tries.names[n + 1]):
                affinity = row[tries.ends[name]]
                totals[name] += affinity
                strength = affinity - usual[name]
                if found[k, last] < 0 or strength > strengths[k, last]:
                    offer(strength, name, found[k], strengths[k])
