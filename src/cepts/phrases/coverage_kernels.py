"""What has been read of a source, what can be read next, and what the rest will cost: for reading out of order.

What has been read is a *place*: the first id that has not (the gap), a bit set of the ids from there on, and where the
last phrase ended. A phrase may begin at most `reach` ids away from the end of the last one, and if it leaves the gap
open, must end at most `reach` ids behind it: so there is always a way back, and 64 bits are enough.

An *edge* leads from the nodes of one place, over the options of one span, to another place.
"""

import numpy as np

from cepts.phrases.language_model_kernels import advance_in, find_child
from cepts.phrases.lattice_kernels import SPREAD, grown_rows, nothing, table_size
from cepts.running.kernel import helper

LONGEST = 60  # ids of a source phrase, and the farthest reach: bits that a set has
GAP, END = 0, 1  # columns of a place
MEMBERS, MEMBERS_END, FIRST, LAST, PLACE, JUMPED, NEXT_EDGE = 0, 1, 2, 3, 4, 5, 6  # columns of an edge
NEVER = -1e300


@helper
def grown_flat(values):
    """Return the same numbers in an array with room for twice as many."""
    larger = np.empty(2 * len(values), values.dtype)
    for k in range(len(values)):
        larger[k] = values[k]
    return larger


@helper
def count_spans(source, options):
    """Count the spans that have options, and their options."""
    spans, items = np.int64(0), np.int64(0)
    for i in range(len(source)):
        node = np.int64(0)
        for stop in range(i, min(i + LONGEST, len(source))):
            node = find_child(options.first_child, options.ids, node, source[stop])
            number = options.first_option[node + 1] - options.first_option[node] if node >= 0 else np.int64(0)
            if number == 0 and stop == i:
                number = np.int64(1)
            if number > 0:
                spans, items = spans + 1, items + number
            if node < 0:
                break
    return spans, items


@helper
def estimate_of(option, i, copies, options, grams, limits, weight, unknown):
    """Return what an option adds to a score, and what its language model adds without any context."""
    low = options.target_offsets[option] if option >= 0 else np.int64(0)
    high = options.target_offsets[option + 1] if option >= 0 else np.int64(copies[i] >= 0)
    state, log = np.int64(0), 0.0
    for place in range(low, high):
        wanted = options.target_ids[place] if option >= 0 else copies[i]
        if wanted >= limits[1]:
            wanted = np.int32(-1)
        one, state = advance_in(grams, state, wanted)
        log += one
    static = options.scores[option] if option >= 0 else unknown[1 if copies[i] >= 0 else 0]
    return static, weight * log


@helper
def list_spans(source, copies, options, grams, limits, weight, unknown):
    """List the spans by their first id, and their options, those first that seem best.

    A span is its end and where its options begin; an option is its number, what it adds, and what it seems to add.
    """
    span_count, item_count = count_spans(source, options)
    first = np.zeros(len(source) + 1, np.int64)
    spans = np.zeros((span_count + 1, 2), np.int64)
    items, gains = np.empty(item_count, np.int64), np.empty((item_count, 2), np.float64)
    span, item = np.int64(0), np.int64(0)
    for i in range(len(source)):
        first[i] = span
        node = np.int64(0)
        for stop in range(i, min(i + LONGEST, len(source))):
            node = find_child(options.first_child, options.ids, node, source[stop])
            low = options.first_option[node] if node >= 0 else np.int64(0)
            high = options.first_option[node + 1] if node >= 0 else np.int64(0)
            if low == high and stop == i:
                low, high = np.int64(-1 - i), np.int64(-i)
            if low < high:
                spans[span, 0], spans[span, 1] = stop + 1, item
                span += 1
                begin = item
                for option in range(low, high):
                    static, log = estimate_of(option, i, copies, options, grams, limits, weight, unknown)
                    place = item
                    while place > begin and gains[place - 1, 1] < static + log:
                        items[place] = items[place - 1]
                        gains[place, 0], gains[place, 1] = gains[place - 1, 0], gains[place - 1, 1]
                        place -= 1
                    items[place], gains[place, 0], gains[place, 1] = option, static, static + log
                    item += 1
            if node < 0:
                break
    first[len(source)] = span
    spans[span, 1] = item
    return first, spans, items, gains


@helper
def estimate_rests(length, reach, first, spans, gains):
    """Estimate what stretches of up to `reach` ids, and all ids from one on (the last row), will add to a score."""
    rests = np.empty((reach + 2, length + 1), np.float64)
    for width in range(reach + 1):
        for i in range(length + 1):
            rests[width, i] = 0.0 if width == 0 else NEVER
    for i in range(length + 1):
        rests[reach + 1, i] = 0.0 if i == length else NEVER
    for i in range(length - 1, -1, -1):
        for span in range(first[i], first[i + 1]):
            stop, best = spans[span, 0], gains[spans[span, 1], 1]
            rests[reach + 1, i] = max(rests[reach + 1, i], best + rests[reach + 1, stop])
            for width in range(stop - i, min(reach, length - i) + 1):
                rests[width, i] = max(rests[width, i], best + rests[width - (stop - i), stop])
    return rests


@helper
def rest_of(gap, read, end, distortion, reach, rests):
    """Estimate what the ids will add that a bit set leaves open, and what it costs to go back and read them in order.

    From the end of the last phrase one goes back to the gap, and from there on jumps over each id that is read already.
    """
    total, begin, place, jumps = 0.0, gap, gap, abs(end - gap)
    while read > 0:
        if read & np.uint64(1):
            if place > begin:
                total += rests[place - begin, begin]
            begin = place + 1
            jumps += 1
        read >>= np.uint64(1)
        place += 1
    return total + rests[reach + 1, begin] - distortion * jumps


@helper
def place_number(table, places, read_sets, used, gap, read, end):
    """Return the number of a place among the first `used`, `used` itself where it is new."""
    size = len(table)
    mixed = (read ^ (np.uint64(gap) << np.uint64(44)) ^ (np.uint64(end) << np.uint64(24))) * SPREAD
    slot = np.int64(mixed >> np.uint64(32)) & (size - 1)
    while table[slot] >= 0:
        known = table[slot]
        if read_sets[known] == read and places[known, GAP] == gap and places[known, END] == end:
            return known
        slot = (slot + 1) & (size - 1)
    table[slot] = used
    return used


@helper
def larger_table(places, read_sets, used, size):
    """Number the same places in a table of another size."""
    table = nothing(size)
    for k in range(used):
        place_number(table, places, read_sets, k, places[k, GAP], read_sets[k], places[k, END])
    return table


@helper
def group_members(begin, used, node_places, members, groups):
    """Put the nodes of a stack in order by place, the best first; returns how many places there are.

    Row k of `groups` has where the nodes of the k-th place begin, and the place.
    """
    size = table_size(used - begin)
    table = nothing(size)
    owners = np.empty(used - begin, np.int64)
    count = np.int64(0)
    for node in range(begin, used):
        slot = (node_places[node] * np.int64(7919)) & (size - 1)
        while table[slot] >= 0 and groups[table[slot], 1] != node_places[node]:
            slot = (slot + 1) & (size - 1)
        if table[slot] < 0:
            table[slot] = count
            groups[count, 0], groups[count, 1] = 0, node_places[node]
            count += 1
        owners[node - begin] = table[slot]
        groups[table[slot], 0] += 1
    total = begin
    for k in range(count):
        total += groups[k, 0]
        groups[k, 0] = total
    groups[count, 0] = used
    for node in range(used - 1, begin - 1, -1):
        group = owners[node - begin]
        groups[group, 0] -= 1
        members[groups[group, 0]] = node
    return count


@helper
def open_edges(
    number, reach, distortion, groups, group_count, first, spans, rests, places, read_sets, place_count, table,
    edges, edge_gains, edge_count, heads,
):  # fmt: skip
    """Find where the nodes of a stack can go on; returns what may have grown.

    The edges that lead to the stack of n ids are a list from `heads[n]` on.
    """
    length = len(first) - 1
    for group in range(group_count):
        place = groups[group, 1]
        gap, end, read = places[place, GAP], places[place, END], read_sets[place]
        before = rest_of(gap, read, end, distortion, reach, rests)
        for start in range(max(gap, end - reach), min(end + reach, gap + max(reach - 1, 0), length - 1) + 1):
            for span in range(first[start], first[start + 1]):
                stop = spans[span, 0]
                if start > gap and stop - gap > reach:
                    break
                wanted = ((np.uint64(1) << np.uint64(stop - start)) - np.uint64(1)) << np.uint64(start - gap)
                if read & wanted:
                    break
                new_gap, new_read = gap, read | wanted
                while new_read & np.uint64(1):
                    new_read >>= np.uint64(1)
                    new_gap += 1
                after = length if new_gap == length else stop  # where all is read, nobody goes on
                new = place_number(table, places, read_sets, place_count, new_gap, new_read, after)
                if new == place_count:
                    if place_count == len(places):
                        places, read_sets = grown_rows(places), grown_flat(read_sets)
                    places[new, GAP], places[new, END], read_sets[new] = new_gap, after, new_read
                    place_count += 1
                    if 2 * place_count > len(table):
                        table = larger_table(places, read_sets, place_count, 2 * len(table))
                if edge_count == len(edges):
                    edges, edge_gains = grown_rows(edges), grown_flat(edge_gains)
                jumped, target = abs(start - end), number + stop - start
                edges[edge_count, MEMBERS], edges[edge_count, MEMBERS_END] = (
                    groups[group, 0],
                    groups[group + 1, 0],
                )
                edges[edge_count, FIRST], edges[edge_count, LAST] = spans[span, 1], spans[span + 1, 1]
                edges[edge_count, PLACE], edges[edge_count, JUMPED] = new, jumped
                edges[edge_count, NEXT_EDGE] = heads[target]
                rest = rest_of(new_gap, new_read, after, distortion, reach, rests)
                edge_gains[edge_count] = rest - before - distortion * jumped
                heads[target] = edge_count
                edge_count += 1
    return places, read_sets, place_count, table, edges, edge_gains, edge_count
