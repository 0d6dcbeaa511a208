"""The search of the decoder where phrases may be read out of order: one stack of nodes for each number of ids read.

A node is a place (see `coverage_kernels.py`) and a state of the language model. The nodes of a stack have read
different ids. They are compared by their score and an estimate of what their rest will cost. This estimate is put into
the arcs: an arc gains what it adds to the score and to the estimate, so that all that is known of lattices holds here
too, and a whole way gains its score less the first estimate.

A stack is filled by cube pruning (Huang and Chiang, 2007): an edge is a table of nodes and options, each sorted. The
best cells of all tables are looked at first, the next ones follow those that were looked at, and the language model is
asked for these alone.
"""

import numpy as np

from cepts.phrases.coverage_kernels import (
    FIRST,
    JUMPED,
    LAST,
    MEMBERS,
    MEMBERS_END,
    NEXT_EDGE,
    PLACE,
    estimate_rests,
    group_members,
    grown_flat,
    larger_table,
    list_spans,
    open_edges,
)
from cepts.phrases.decoding_kernels import (
    ABOVE,
    ALL_FEATURES,
    ARC,
    LANGUAGE_MODEL,
    LENGTH,
    NODE,
    UNKNOWN,
    UNKNOWN_COST,
    end_log,
    list_targets,
    way_length,
    write_way,
)
from cepts.phrases.language_model_kernels import advance
from cepts.phrases.lattice_kernels import (
    FROM,
    GAIN,
    HEAD,
    LOG,
    NEXT,
    OPTION,
    STATE,
    Lattice,
    grown_rows,
    nothing,
    settle,
    slot_of,
)
from cepts.running.heap_kernels import sift_down, sift_up
from cepts.running.kernel import helper, kernel

DISTORTION = 8  # its feature, behind those of monotone decoding
JUMP = 2  # column of an arc's gains: how far its phrase begins from the end of the last one
MEMO = (
    1 << 14
)  # answers of the language model that are remembered: two thirds of all questions were asked before
EDGE, ROW, COLUMN = 0, 1, 2  # columns of a cell


@helper
def first_cells(edge, edges, edge_gains, members, scores, item_gains, cells, keys, heap):
    """Put the best cell of each edge of a list into the heap; returns what may have grown, and how many there are."""
    count = np.int64(0)
    while edge >= 0:
        if count == len(cells):
            cells, keys, heap = grown_rows(cells), grown_flat(keys), grown_flat(heap)
        cells[count, EDGE], cells[count, ROW], cells[count, COLUMN] = edge, 0, 0
        best = scores[members[edges[edge, MEMBERS]]]
        keys[count] = best + edge_gains[edge] + item_gains[edges[edge, FIRST], 1]
        heap[count] = count
        count += 1
        edge = edges[edge, NEXT_EDGE]
    for k in range(count // 2 - 1, -1, -1):
        sift_down(heap, count, np.int64(k), keys)
    return cells, keys, heap, count


@helper
def build_reordered(
    source, copies, options, grams, limits, weight, distortion, unknown, beam, margin, pops, reach
):
    """Search the stacks in order; at most `pops` cells are looked at for each."""
    length, state_count, words = len(source), np.int64(len(grams.ids)), limits[1] + 3
    first, spans, items, item_gains = list_spans(source, copies, options, grams, limits, weight, unknown)
    rests = estimate_rests(length, reach, first, spans, item_gains)
    nodes, scores = np.empty((1 + length * beam, 2), np.int64), np.empty(1 + length * beam, np.float64)
    node_places, members = np.zeros(1 + length * beam, np.int64), np.empty(1 + length * beam, np.int64)
    groups = np.empty((beam + 2, 2), np.int64)
    arcs, gains = np.empty((256, 4), np.int64), np.empty((256, 3), np.float64)
    places, read_sets = np.zeros((256, 2), np.int64), np.zeros(256, np.uint64)
    table = larger_table(places, read_sets, 1, 1024)
    edges, edge_gains, edge_count = np.empty((256, 7), np.int64), np.empty(256, np.float64), np.int64(0)
    heads = nothing(length + 1)
    cells, keys, heap = np.empty((256, 3), np.int64), np.empty(256, np.float64), np.empty(256, np.int64)
    gram_nodes, gram_values, gram_ids, unknown_log = grams.nodes, grams.values, grams.ids, grams.unknown
    target_offsets, target_ids = options.target_offsets, options.target_ids
    nodes[0, 0], nodes[0, HEAD], scores[0] = limits[0], -1, rests[reach + 1, 0]
    place_count, begin, used, arc_count = np.int64(1), np.int64(0), np.int64(1), np.int64(0)
    free = np.int64(-1)
    asked, answers, next_states = nothing(MEMO), np.empty(MEMO, np.float64), np.empty(MEMO, np.int64)
    for number in range(length):
        group_count = group_members(begin, used, node_places, members, groups)
        places, read_sets, place_count, table, edges, edge_gains, edge_count = open_edges(
            number, reach, distortion, groups, group_count, first, spans, rests, places, read_sets, place_count, table,
            edges, edge_gains, edge_count, heads,
        )  # fmt: skip
        cells, keys, heap, in_heap = first_cells(
            heads[number + 1], edges, edge_gains, members, scores, item_gains, cells, keys, heap
        )
        cell_count = in_heap
        best, popped, head, arcs_here = -np.inf, np.int64(0), np.int64(-1), np.int64(0)
        while in_heap > 0 and popped < pops:
            cell = heap[0]
            if keys[cell] < best - margin:
                break
            popped += 1
            edge, row, column = cells[cell, EDGE], cells[cell, ROW], cells[cell, COLUMN]
            node, item = members[edges[edge, MEMBERS] + row], edges[edge, FIRST] + column
            option = items[item]
            state, log = nodes[node, 0], 0.0
            low = target_offsets[option] if option >= 0 else np.int64(0)
            high = target_offsets[option + 1] if option >= 0 else np.int64(copies[-1 - option] >= 0)
            for k in range(low, high):
                wanted = target_ids[k] if option >= 0 else copies[-1 - option]
                if wanted >= limits[1]:
                    # Behind the marks of end and beginning: no n-gram has it.
                    wanted = np.int32(limits[1] + 2)
                question = state * words + wanted
                slot = slot_of(question, MEMO)
                if asked[slot] != question:
                    asked[slot] = question
                    answers[slot], next_states[slot] = advance(
                        gram_nodes, gram_values, gram_ids, unknown_log, state, wanted
                    )
                log += answers[slot]
                state = next_states[slot]
            gain = item_gains[item, 0] + weight * log + edge_gains[edge]
            if scores[node] + gain >= best - margin:
                best = max(best, scores[node] + gain)
                arc = free
                if arc >= 0:
                    free = arcs[arc, NEXT]
                else:
                    if arc_count == len(arcs):
                        arcs, gains = grown_rows(arcs), grown_rows(gains)
                    arc = arc_count
                    arc_count += 1
                arcs[arc, FROM], arcs[arc, OPTION], arcs[arc, NEXT] = node, option, head
                arcs[arc, STATE] = edges[edge, PLACE] * state_count + state
                gains[arc, GAIN], gains[arc, LOG], gains[arc, JUMP] = gain, log, edges[edge, JUMPED]
                head = arc
                arcs_here += 1
            # Each cell has one that puts it into the heap: its left neighbour, in the first column the one above.
            if item + 1 < edges[edge, LAST]:
                cells[cell, COLUMN] = column + 1
                keys[cell] = scores[node] + edge_gains[edge] + item_gains[item + 1, 1]
            else:
                in_heap -= 1
                heap[0] = heap[in_heap]
            sift_down(heap, in_heap, np.int64(0), keys)
            if column == 0 and edges[edge, MEMBERS] + row + 1 < edges[edge, MEMBERS_END]:
                if cell_count == len(cells):
                    cells, keys, heap = grown_rows(cells), grown_flat(keys), grown_flat(heap)
                cells[cell_count, EDGE], cells[cell_count, ROW], cells[cell_count, COLUMN] = edge, row + 1, 0
                below = members[edges[edge, MEMBERS] + row + 1]
                keys[cell_count] = scores[below] + edge_gains[edge] + item_gains[item, 1]
                heap[in_heap] = cell_count
                sift_up(heap, in_heap, keys)
                cell_count, in_heap = cell_count + 1, in_heap + 1
        begin = used
        used, dropped = settle(head, arcs_here, arcs, gains, nodes, scores, used, beam, best - margin)
        for node in range(begin, used):
            node_places[node] = nodes[node, 0] // state_count
            nodes[node, 0] = nodes[node, 0] % state_count
        while dropped >= 0:
            following = arcs[dropped, NEXT]
            arcs[dropped, NEXT] = free
            free = dropped
            dropped = following
    return Lattice(nodes, scores, arcs, gains, begin, used)


@helper
def jumps_of(way, ways, lattice):
    """Add up how far the phrases of a complete way jump."""
    total = 0.0
    while ways[way, ARC] >= 0:
        total += lattice.gains[ways[way, ARC], JUMP]
        way = ways[way, ABOVE]
    return total


@kernel
def decode_reordered(source, copies, options, grams, limits, weights, beam, margin, pops, reach, n_best):
    """Return what `decode` returns, of targets whose phrases may be read out of order, with one feature more."""
    weight = weights[LANGUAGE_MODEL]
    unknown = np.empty(2)
    unknown[0] = -UNKNOWN_COST * weights[UNKNOWN]
    unknown[1] = unknown[0] + weights[LENGTH]
    lattice = build_reordered(
        source,
        copies,
        options,
        grams,
        limits,
        weight,
        weights[DISTORTION],
        unknown,
        beam,
        margin,
        pops,
        reach,
    )
    ways, rests, found = list_targets(lattice, copies, options, grams, limits, weight, n_best)
    count = len(found)
    offsets, scores = np.zeros(count + 1, np.int64), np.empty(count)
    features = np.zeros((count, ALL_FEATURES + 1))
    for k in range(count):
        offsets[k + 1] = offsets[k] + way_length(found[k], ways, lattice, copies, options)
    ids = np.empty(offsets[count], np.int32)
    for k in range(count):
        write_way(found[k], ways, lattice, copies, options, ids, offsets[k], features[k])
        features[k, LENGTH] = offsets[k + 1] - offsets[k]
        features[k, DISTORTION] = 0.0 - jumps_of(found[k], ways, lattice)
        way = found[k]
        scores[k] = lattice.scores[0] + rests[way]
        while ways[way, ABOVE] >= 0:
            way = ways[way, ABOVE]
        features[k, LANGUAGE_MODEL] += end_log(grams, lattice.nodes[ways[way, NODE], 0], limits)
    return ids, offsets, features, scores
