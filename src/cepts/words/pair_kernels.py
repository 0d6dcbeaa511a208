"""The loops of the bi-word models: pairs of generating words (states) for each generated word (step).

A piece of I states and J steps has a cell for each pair of states i < i2 < I - 1 and each step: the last position is
never the second of two. Its cells are laid out [pair][step], pairs in the order of (i, i2). An entry is a probability
p(step word | pair of state words); `cells` name entries as unsigned numbers, which numba indexes without a check for
negative ones.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.lane_kernels import SECOND, view
from cepts.words.lexicon_kernels import find

MOST_STEPS = 400  # no piece is longer: see `layout.MAX_WORDS`
NOWHERE = np.float32(-1e30)  # a point that nothing is projected from
TINY = np.float32(1e-30)  # below, a probability is zero: no arithmetic on denormal numbers


class PairCells(NamedTuple):
    """The cells of one direction of a bitext.

    `offsets` say where each piece's cells begin (one more than pieces; a piece that is too large has none), `lengths`
    [piece] are its states and steps, `cells` the entry of each cell. Entries of a row, a pair of words, are neighbours:
    `row_offsets`. `occurrences` (piece, i, i2) are sorted by row: `occurrence_offsets`. `row_cells` are the cells
    again, in the order of the occurrences and counted from the row's first entry, so that the E and the M step each
    read in one sweep; `row_cell_offsets` say where each row's begin.
    """

    offsets: np.ndarray
    lengths: np.ndarray
    cells: np.ndarray
    row_offsets: np.ndarray
    occurrence_offsets: np.ndarray
    occurrences: np.ndarray
    row_cells: np.ndarray
    row_cell_offsets: np.ndarray


class Mixing(NamedTuple):
    """How single and double alignments share the probability of a head.

    A head i of a sentence of I states generates alone with `single`[I, i], NULL with `null`; with a second word at a
    distance d that has a weight of its own with `shape`[d - 1] * `near`[I, i], further away with `far`[I, i]. Sentences
    without room for a second word know only single alignments.
    """

    single: np.ndarray
    null: np.float32
    shape: np.ndarray
    near: np.ndarray
    far: np.ndarray


@kernel
def pair_tokens(starts, lengths, counted, ids):
    """The words of every ordered pair of states of the counted pieces, as one number each: first << 32 | second."""
    total = 0
    for piece in range(len(lengths)):
        if counted[piece]:
            n = lengths[piece, 0] - 1
            total += n * (n - 1) // 2
    keys, occurrences = np.empty(total, np.int64), np.empty((total, 3), np.int32)
    k = 0
    for piece in range(len(lengths)):
        if counted[piece]:
            n, start = lengths[piece, 0] - 1, starts[piece]
            for i in range(n - 1):
                for second in range(i + 1, n):
                    keys[k] = (np.int64(ids[start + i]) << 32) | np.int64(ids[start + second])
                    occurrences[k, 0], occurrences[k, 1], occurrences[k, 2] = piece, i, second
                    k += 1
    return keys, occurrences


@helper
def pair_rank(i, second, states):
    """The number of a pair of states in the order of a piece's cells."""
    n = states - 1
    return i * n - i * (i + 1) // 2 + second - i - 1


@kernel
def number_cells(starts, ids, vocabulary, index):
    """Number the distinct words that each row meets, row by row, and write each cell's number; fills the offsets."""
    stamp, number = np.full(vocabulary, -1, np.int32), np.zeros(vocabulary, np.int64)
    count, used = 0, 0
    for row in range(len(index.row_offsets) - 1):
        begin = count
        for o in range(index.occurrence_offsets[row], index.occurrence_offsets[row + 1]):
            piece = index.occurrences[o, 0]
            states, steps = index.lengths[piece, 0], index.lengths[piece, 1]
            rank = pair_rank(index.occurrences[o, 1], index.occurrences[o, 2], states)
            place = index.offsets[piece] + rank * steps
            cells, words = index.cells[place : place + steps], ids[starts[piece] : starts[piece] + steps]
            row_cells = index.row_cells[used : used + steps]
            for j in range(steps):
                word = words[j]
                if stamp[word] != row:
                    stamp[word], number[word] = row, count
                    count += 1
                cells[j] = number[word]
                row_cells[j] = number[word] - begin
            used += steps
        index.row_offsets[row + 1] = count
        index.row_cell_offsets[row + 1] = used


@kernel
def entry_words(starts, ids, index, words):
    """The word that each entry generates."""
    for row in range(len(index.row_offsets) - 1):
        for o in range(index.occurrence_offsets[row], index.occurrence_offsets[row + 1]):
            piece = index.occurrences[o, 0]
            states, steps = index.lengths[piece, 0], index.lengths[piece, 1]
            rank = pair_rank(index.occurrences[o, 1], index.occurrences[o, 2], states)
            place = index.offsets[piece] + rank * steps
            for j in range(steps):
                words[index.cells[place + j]] = ids[starts[piece] + j]


@helper
def distance_weight(mixing, length, i, second):
    """The weight of a second word at its distance from the head."""
    distance = second - i
    if distance <= len(mixing.shape):
        return mixing.shape[distance - 1] * mixing.near[length, i]
    return mixing.far[length, i]


@helper
def sum_doubles(index, values, mixing, place, i, states, steps, out):
    """out[j] = what head i and any second word give step j; returns where the next head's cells begin."""
    out[:steps] = np.float32(0)
    for second in range(i + 1, states - 1):
        weight = distance_weight(mixing, states, i, second)
        cells = index.cells[place : place + steps]
        for j in range(steps):
            out[j] += weight * values[cells[j]]
        place += steps
    return place


@helper
def best_doubles(index, values, mixing, place, i, states, steps, out, seconds):
    """out[j] = the most that head i and one second word give step j, and which word that is."""
    out[:steps] = np.float32(0)
    for second in range(i + 1, states - 1):
        weight = distance_weight(mixing, states, i, second)
        cells = index.cells[place : place + steps]
        for j in range(steps):
            reached = weight * values[cells[j]]
            if reached > out[j]:
                out[j], seconds[j] = reached, second
        place += steps
    return place


@kernel
def mix_block(chunk, first, end, way, index, values, mixing, emission, best, mixed, seconds):
    """Emissions of heads: alone, and with any second word (with `best`: or with the best one, named in `seconds`).

    All arrays but `values` hold a block, as posteriors do. `seconds` is -1 where a head stands alone.
    """
    doubles = np.empty(MOST_STEPS, np.float32)
    chosen = np.empty(MOST_STEPS, np.int32)
    for b in range(first, end):
        single, both = (
            view(chunk, b, first, way, emission, emission),
            view(chunk, b, first, way, mixed, mixed),
        )
        which = view(chunk, b, first, way, seconds, seconds).emission
        inner = single.states * LANES
        for lane in range(LANES):
            states, steps, piece = (
                single.state_lengths[lane],
                single.step_lengths[lane],
                chunk.pieces[b, lane],
            )
            place = index.offsets[piece] if piece >= 0 else np.int64(0)
            paired = piece >= 0 and index.offsets[piece + 1] > place
            null = mixing.null if paired else np.float32(1)
            for t in range(single.steps):
                both.null_emission[t * LANES + lane] = null * single.null_emission[t * LANES + lane]
            for i in range(single.states):
                inside = i < states
                alone = mixing.single[states, i] if inside and paired else np.float32(1)
                doubled = inside and paired and i < states - 2
                if doubled and best:
                    place = best_doubles(index, values, mixing, place, i, states, steps, doubles, chosen)
                elif doubled:
                    place = sum_doubles(index, values, mixing, place, i, states, steps, doubles)
                for t in range(single.steps):
                    k = t * inner + i * LANES + lane
                    value = alone * single.emission[k]
                    with_second = doubles[t] if doubled and t < steps else np.float32(0)
                    if best:
                        which[k] = chosen[t] if with_second > value else -1
                        both.emission[k] = max(value, with_second)
                    else:
                        both.emission[k] = value + with_second


@kernel
def split_block(chunk, first, end, way, index, mixing, emission, mixed, posterior, places, ratios):
    """Turn posteriors of heads into those of single alignments; `ratios` keep posterior over emission of each head.

    A piece's ratios are laid out [state][step] from its place.
    """
    for b in range(first, end):
        single = view(chunk, b, first, way, emission, posterior)
        both = view(chunk, b, first, way, mixed, mixed)
        inner = single.states * LANES
        for lane in range(LANES):
            states, steps, piece = (
                single.state_lengths[lane],
                single.step_lengths[lane],
                chunk.pieces[b, lane],
            )
            if piece < 0 or index.offsets[piece + 1] == index.offsets[piece]:
                continue
            for i in range(states):
                place = places[piece] + i * steps
                alone = mixing.single[states, i]
                for t in range(steps):
                    k = t * inner + i * LANES + lane
                    ratio = single.posterior[k] / both.emission[k] if both.emission[k] > 0 else np.float32(0)
                    ratios[place + t] = ratio
                    single.posterior[k] = ratio * alone * single.emission[k]


@kernel
def add_doubles(chunk, first, end, way, index, values, mixing, places, ratios, posterior):
    """Add the posteriors of double alignments to the posteriors of both of their links."""
    for b in range(first, end):
        seen = view(chunk, b, first, way, posterior, posterior)
        inner = seen.states * LANES
        for lane in range(LANES):
            states, steps, piece = seen.state_lengths[lane], seen.step_lengths[lane], chunk.pieces[b, lane]
            if piece < 0 or index.offsets[piece + 1] == index.offsets[piece]:
                continue
            place = index.offsets[piece]
            for i in range(states - 2):
                ratio = ratios[places[piece] + i * steps :]
                for second in range(i + 1, states - 1):
                    weight = distance_weight(mixing, states, i, second)
                    for t in range(steps):
                        share = weight * values[index.cells[place + t]] * ratio[t]
                        seen.posterior[t * inner + i * LANES + lane] += share
                        seen.posterior[t * inner + second * LANES + lane] += share
                    place += steps


@kernel
def name_seconds(chunk, first, end, way, seconds, paths):
    """Add the second word to each step of a best path: head + SECOND * (second + 1)."""
    for b in range(first, end):
        seen = view(chunk, b, first, way, seconds, paths)
        for t in range(seen.steps):
            for lane in range(LANES):
                head = seen.null_posterior[t * LANES + lane]
                if t < seen.step_lengths[lane] and head >= 0:
                    second = seen.emission[(t * seen.states + head) * LANES + lane]
                    seen.null_posterior[t * LANES + lane] = head + SECOND * (second + 1)


@helper
def slopes_of_row(index, row, values, mixing, places, ratios, slopes, distances, contexts):
    """slopes[k] = the log likelihood's derivative by the row's entry k; counts distances and contexts on the way."""
    begin, finish = index.row_offsets[row], index.row_offsets[row + 1]
    band = len(mixing.shape)
    for k in range(finish - begin):
        slopes[k] = np.float32(0)
    row_values, place = values[begin:finish], index.row_cell_offsets[row]
    for o in range(index.occurrence_offsets[row], index.occurrence_offsets[row + 1]):
        piece, i, second = index.occurrences[o, 0], index.occurrences[o, 1], index.occurrences[o, 2]
        states, steps = index.lengths[piece, 0], index.lengths[piece, 1]
        weight = distance_weight(mixing, states, i, second)
        cells = index.row_cells[place : place + steps]
        begun = places[piece] + i * steps
        ratio = ratios[begun : begun + steps]
        for j in range(steps):
            slopes[cells[j]] += weight * ratio[j]
        total = np.float32(0)
        for j in range(steps):  # a loop of its own: nothing is stored in between, so that it is fast
            total += ratio[j] * row_values[cells[j]]
        total *= weight
        distances[min(second - i, band + 1) - 1] += total
        contexts[states - 2 - i] += total
        place += steps


@kernel
def maximise_pairs(index, first, end, weights, values, mixing, places, ratios, updated):
    """M step of the rows `first` to `end`: expected counts, shared out by p = c / max(sum of c, weight).

    Returns the expected counts of distances, and of the numbers of seconds that a head could have had, and the new
    rows' penalty.
    """
    slopes = np.empty(longest_row(index, first, end), np.float32)
    distances, contexts = np.zeros(len(mixing.shape) + 1), np.zeros(mixing.near.shape[1] + 1)
    penalty = 0.0
    for row in range(first, end):
        slopes_of_row(index, row, values, mixing, places, ratios, slopes, distances, contexts)
        begin, finish = index.row_offsets[row], index.row_offsets[row + 1]
        old, new = values[begin:finish], updated[begin:finish]
        total = np.float32(0)
        for k in range(finish - begin):
            new[k] = old[k] * slopes[k]
            total += new[k]
        scale = np.float32(1) / max(total, weights[row]) if total > TINY else np.float32(0)
        for k in range(finish - begin):
            value = new[k] * scale
            new[k] = value if value > TINY else np.float32(0)
        if total <= TINY and weights[row] <= 0:  # nothing is expected of a row that costs nothing: it stays
            new[:] = old
        penalty += np.float64(weights[row]) * total * scale
    return distances, contexts, penalty


@kernel
def descend_pairs(index, first, end, weights, values, mixing, places, ratios, length, updated):
    """Step down the gradient of the rows `first` to `end` and project each onto its simplex (Michelot 1986).

    Returns the counts and the penalty as `maximise_pairs` does, and the objective's derivative towards the projected
    point.
    """
    slopes = np.empty(longest_row(index, first, end), np.float32)
    distances, contexts = np.zeros(len(mixing.shape) + 1), np.zeros(mixing.near.shape[1] + 1)
    penalty, slope = 0.0, 0.0
    for row in range(first, end):
        slopes_of_row(index, row, values, mixing, places, ratios, slopes, distances, contexts)
        begin, finish = index.row_offsets[row], index.row_offsets[row + 1]
        old, new = values[begin:finish], updated[begin:finish]
        total, mass, weight = np.float32(0), np.float32(0), weights[row]
        for k in range(finish - begin):
            total += old[k] * slopes[k]
            mass += old[k]
        step = np.float32(length) / max(total, weight, np.float32(1e-6))
        for k in range(finish - begin):
            new[k] = old[k] - step * (weight - slopes[k])
        unused = max(np.float32(0), np.float32(1) - mass)
        lower_to_level(new, unused if weight > 0 else NOWHERE)
        row_slope, row_mass = np.float32(0), np.float32(0)
        for k in range(finish - begin):
            row_slope += (new[k] - old[k]) * (weight - slopes[k])
            row_mass += new[k]
        slope += np.float64(row_slope)
        penalty += np.float64(weight) * row_mass
    return distances, contexts, penalty, slope


@helper
def lower_to_level(points, other):
    """Project a row of points, and one `other` point, onto the simplex, in place: Michelot's passes.

    Heights are counted from the highest point: only what is less than one below it stands above the level. Each pass
    has fewer points above; where rounding says otherwise, the level is found.
    """
    highest = other
    for k in range(len(points)):
        highest = max(highest, points[k])
    for k in range(len(points)):
        points[k] -= highest
    other -= highest
    level, size = np.float32(-1), np.float32(len(points) + 2)
    while True:
        total, above = np.float32(0), np.float32(0)
        for k in range(len(points)):
            counted = np.float32(1) if points[k] > level else np.float32(0)
            total += points[k] if points[k] > level else np.float32(0)
            above += counted
        if other > level:
            total += other
            above += np.float32(1)
        if above >= size:
            break
        level, size = (total - np.float32(1)) / above, above
    for k in range(len(points)):
        points[k] = max(points[k] - level, np.float32(0))


@helper
def longest_row(index, first, end):
    """The most entries of a row."""
    longest = 0
    for row in range(first, end):
        longest = max(longest, index.row_offsets[row + 1] - index.row_offsets[row])
    return longest


@kernel
def look_up_pairs(index, rows, words, word_map, known, values):
    """Fill the values of a text's entries from a finished table: (row_offsets, sorted words, values).

    `rows` are the text's rows in that table, or -1; `words` the words of the text's entries, `word_map` what they are
    called there, or -1. What is not known stays as it is.
    """
    known_offsets, known_words, known_values = known
    for row in range(len(rows)):
        if rows[row] >= 0:
            begin, end = known_offsets[rows[row]], known_offsets[rows[row] + 1]
            for k in range(index.row_offsets[row], index.row_offsets[row + 1]):
                word = word_map[words[k]]
                place = find(known_words, begin, end, word)
                if word >= 0 and place < end and known_words[place] == word:
                    values[k] = known_values[place]


@kernel
def mix_values(here, there, share, out):
    """out = here + share * (there - here)."""
    for k in range(len(here)):
        out[k] = here[k] + share * (there[k] - here[k])
