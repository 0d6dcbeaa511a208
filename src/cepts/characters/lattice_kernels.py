"""The search for target strings: a lattice of states.

A state is a cursor of the source, how many letters were just inserted there, and the last letters of the target; what
comes after depends on nothing else, so that all strings that end alike share it. States of one cursor and one number of
insertions are a layer. From a state a letter is inserted, or the source's letter is left out or another one is written
for it; only edits that generation may use are tried, and a letter that the model does not know is copied, for no score.
A layer keeps its best states.
"""

from typing import NamedTuple

import numpy as np

from cepts.characters.affinity_kernels import fill_column
from cepts.characters.table_kernels import (
    BITS,
    TARGET,
    UNKNOWN,
    edit_key,
    gram_head,
    gram_number,
    hint_of,
    place_of,
)
from cepts.running.kernel import helper

INSERTIONS = 3  # in a row
LAYERS = INSERTIONS + 1  # of a cursor


class Lattice(NamedTuple):
    """States in the order of their layers, arcs in the order of the layers that they lead to.

    `counts` are how many states, arcs, and places of the layer in the making are taken.
    """

    layers: np.ndarray  # [cursor * LAYERS + insertions], where the states of each begin
    tails: np.ndarray  # the key of the last letters
    totals: np.ndarray  # of all ways to a state the best score, or the log of the sum
    grams: np.ndarray  # [state * order + size - 1]
    first_arcs: (
        np.ndarray
    )  # [2 * state + 1] arcs that insert, [2 * state] those that take the source's letter
    last_arcs: np.ndarray
    starts: np.ndarray  # of an arc: its states, the letter that it writes, its score
    ends: np.ndarray
    marks: np.ndarray
    scores: np.ndarray
    offered: np.ndarray  # a hash table of the tails of the layer in the making; for each place
    offered_total: np.ndarray
    offered_state: np.ndarray
    places: np.ndarray  # the places that are taken
    ranked: np.ndarray  # the totals of the best states of the layer, best first
    counts: np.ndarray


@helper
def first_tail(order):
    """The key of the empty string's end: a bit before the boundary tells how long it is."""
    return np.int64(1) << BITS if order > 0 else np.int64(1)


@helper
def longer_tail(tail, letter, order):
    """The key of a string's end when one more letter is written; as many letters as grams are long."""
    if order == 0:
        return tail
    if tail >> (order * BITS) == 0:
        return (tail << BITS) | np.int64(letter)
    kept = tail & ((np.int64(1) << ((order - 1) * BITS)) - 1)
    return (np.int64(1) << (order * BITS)) | (kept << BITS) | np.int64(letter)


@helper
def number_tail(table, tail, order, out, at):
    """Number the grams at the end of a string."""
    for size in range(1, order + 1):
        out[at + size - 1] = -1
        if tail >> (size * BITS) != 0:
            key = (gram_head(TARGET, size) << (size * BITS)) | (tail & ((np.int64(1) << (size * BITS)) - 1))
            out[at + size - 1] = gram_number(table.gram_keys, table.gram_numbers, key)


@helper
def log_add(one, other):
    """The log of a sum of which the logs are given."""
    high, low = max(one, other), min(one, other)
    return high + np.float32(np.log1p(np.exp(low - high))) if low > high - np.float32(16) else high


@helper
def edit_states(table, order, own, i, letter, begin, end, summed, floor, margin, lattice):
    """Offer what the states `begin` to `end` become by an edit of a source letter (0: by inserting).

    Ways below `floor` are not followed, nor those that are more than `margin` worse than another one; returns what
    `floor` is at the end. Arrays are taken out of their tuples once, and all is done in place: to hand them to
    functions would cost more than the work.
    """
    choices, hopes, hints, keys, values = table.choices, table.hopes, table.hints, table.keys, table.values
    tails, totals, grams = lattice.tails, lattice.totals, lattice.grams
    offered, offered_total, places = lattice.offered, lattice.offered_total, lattice.places
    starts, ends, marks, scores = lattice.starts, lattice.ends, lattice.marks, lattice.scores
    arc, taken = lattice.counts[1], lattice.counts[2]
    first_choice, last_choice = table.choice_offsets[letter], table.choice_offsets[letter + 1]
    if letter == UNKNOWN:
        first_choice, last_choice = np.int64(0), np.int64(1)
    for state in range(begin, end):
        before, tail, row = totals[state], tails[state], state * order
        for choice in range(first_choice, last_choice):
            mark, score = np.int32(UNKNOWN), np.float32(0)
            if letter != UNKNOWN:
                mark = choices[choice]
                score = own[i, mark]
                if before + score + hopes[choice] < floor:
                    continue
                hint = hint_of(letter, mark)
                for g in range(row, row + order):
                    gram = grams[g]
                    if gram >= 0 and (hints[gram] >> hint) & np.uint64(1):
                        key = edit_key(letter, mark, gram)
                        place = place_of(keys, key)
                        if keys[place] == key:
                            score += values[place]
                if before + score < floor:
                    continue
            total = before + score
            floor = max(floor, total - margin)
            longer = longer_tail(tail, mark, order) if mark != 0 else tail
            place = place_of(offered, longer)
            if offered[place] == 0:
                offered[place], offered_total[place], places[taken] = longer, total, place
                taken += 1
            elif summed:
                offered_total[place] = log_add(offered_total[place], total)
            else:
                offered_total[place] = max(offered_total[place], total)
            starts[arc], ends[arc], marks[arc], scores[arc] = state, place, mark, score
            arc += 1
    lattice.counts[1], lattice.counts[2] = arc, taken
    return floor


@helper
def least_total(lattice, width, floor):
    """The total that a state of the layer in the making must reach: `floor`, or that of the best number `width`."""
    ranked, used = lattice.ranked, 0
    for k in range(lattice.counts[2]):
        total = lattice.offered_total[lattice.places[k]]
        if total < floor or (used == width and total <= ranked[width - 1]):
            continue
        used = min(used + 1, width)
        rank = used - 1
        while rank > 0 and ranked[rank - 1] < total:
            ranked[rank] = ranked[rank - 1]
            rank -= 1
        ranked[rank] = total
    return ranked[width - 1] if used == width else floor


@helper
def keep_states(table, order, lattice, width, floor):
    """Make the best states that were offered a layer; of those that are as good as the last one, the first offered."""
    least, room = least_total(lattice, width, floor), width
    for k in range(lattice.counts[2]):
        room -= lattice.offered_total[lattice.places[k]] > least
    for k in range(lattice.counts[2]):
        place, state = lattice.places[k], lattice.counts[0]
        total = lattice.offered_total[place]
        keep = total > least or (total == least and room > 0)
        lattice.offered_state[place] = state if keep else -1
        if keep:
            room -= total == least
            lattice.tails[state], lattice.totals[state] = lattice.offered[place], total
            number_tail(table, lattice.tails[state], order, lattice.grams, state * order)
            for n in range(2 * state, 2 * state + 2):
                lattice.first_arcs[n], lattice.last_arcs[n] = 0, 0
            lattice.counts[0] += 1


@helper
def close_layer(lattice, first_arc, inserts):
    """Keep the arcs that lead to states of the new layer, and empty the places of the layer in the making."""
    kept = first_arc
    for arc in range(first_arc, lattice.counts[1]):
        start, end = lattice.starts[arc], lattice.offered_state[lattice.ends[arc]]
        if end >= 0:
            group = 2 * start + inserts
            if lattice.last_arcs[group] == 0:
                lattice.first_arcs[group] = kept
            lattice.starts[kept], lattice.ends[kept] = start, end
            lattice.marks[kept], lattice.scores[kept] = lattice.marks[arc], lattice.scores[arc]
            kept += 1
            lattice.last_arcs[group] = kept
    lattice.counts[1] = kept
    for k in range(lattice.counts[2]):
        lattice.offered[lattice.places[k]] = 0
    lattice.counts[2] = 0


@helper
def best_total(lattice, begin, end):
    """The best total of some states."""
    best = np.float32(-1e30)
    for state in range(begin, end):
        best = max(best, lattice.totals[state])
    return best


@helper
def most_choices(table):
    """How many edits a state can have at most."""
    most = np.int64(1)
    for letter in range(len(table.choice_offsets) - 1):
        most = max(most, table.choice_offsets[letter + 1] - table.choice_offsets[letter])
    return most


@helper
def fill_columns(table, letters, first, length, order, scores):
    """Score all edits that generation may use for the current source string."""
    for i in range(length + 1):
        letter = letters[first + i] if i < length else 0
        for choice in range(table.choice_offsets[letter], table.choice_offsets[letter + 1]):
            mark = table.choices[choice]
            if scores.stamps[mark] != scores.current[0]:
                fill_column(table, letters, first, length, order, scores, mark)
    for choice in range(table.choice_offsets[0], table.choice_offsets[1]):
        mark = table.choices[choice]
        if scores.stamps[mark] != scores.current[0]:
            fill_column(table, letters, first, length, order, scores, mark)


@helper
def search(table, letters, first, length, order, scores, width, margin, summed, lattice):
    """Build the lattice of the current source string; returns whether its arrays have been large enough.

    A layer keeps `width` states at most, and none that is more than `margin` worse than the best one of its cursor.
    """
    fill_columns(table, letters, first, length, order, scores)
    lattice.counts[0], lattice.counts[1], lattice.counts[2] = 1, 0, 0
    lattice.layers[0], lattice.layers[1] = 0, 1
    lattice.tails[0], lattice.totals[0] = first_tail(order), np.float32(0)
    number_tail(table, lattice.tails[0], order, lattice.grams, 0)
    for n in range(2):
        lattice.first_arcs[n], lattice.last_arcs[n] = 0, 0
    most = most_choices(table)
    for layer in range(1, (length + 1) * LAYERS):
        i, inserts = layer // LAYERS, np.int64(layer % LAYERS > 0)
        begin, end = lattice.layers[layer - 1 if inserts else layer - LAYERS], lattice.counts[0]
        offers, first_arc = (end - begin) * most, lattice.counts[1]
        if first_arc + offers > len(lattice.marks) or 2 * offers > len(lattice.offered):
            return False
        if end + width > len(lattice.tails):
            return False
        if inserts:
            floor = best_total(lattice, lattice.layers[layer - layer % LAYERS], end) - margin
            floor = edit_states(table, order, scores.insert, i, 0, begin, end, summed, floor, margin, lattice)
        else:
            letter, floor = letters[first + i - 1], np.float32(-1e30)
            floor = edit_states(
                table, order, scores.substitute, i - 1, letter, begin, end, summed, floor, margin, lattice
            )
        keep_states(table, order, lattice, width, floor)
        close_layer(lattice, first_arc, inserts)
        lattice.layers[layer + 1] = lattice.counts[0]
    return True
