"""From posteriors and best paths to links, pair by pair."""

import math

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.lane_kernels import SECOND, view

NEAR, FAR = 1e-3, 1e-7  # how close to 0 and 1 posteriors are taken for what they are
CERTAIN = 11.0  # log odds of both posteriors from which on they tell more than that
ODDS_NEAR = 6.9  # less than the log odds at which `NEAR` ends them
HOPELESS = np.float32(1e-6)  # products of posteriors that no calibration makes anything of


@helper
def confidences_of(forward, reverse, directions, i, j, out):
    """The probability of the link i-j in each lane: the product of the directions' posteriors, of those there are."""
    here = forward.posterior[(j * forward.states + i) * LANES :]
    there = reverse.posterior[(i * reverse.states + j) * LANES :]
    for lane in range(LANES):
        first = here[lane] if directions[0] else np.float32(1)
        second = there[lane] if directions[1] else np.float32(1)
        out[lane] = min(first * second, np.float32(1))


@helper
def odds(probability, nearest):
    """The logarithm of a probability's odds, no nearer to 0 and 1 than `nearest`."""
    bounded = min(max(np.float64(probability), nearest), 1.0 - nearest)
    return math.log(bounded / (1.0 - bounded))


@helper
def calibrate(forward, reverse, calibration, i, j, out):
    """Turn the products of the directions' posteriors into the probability that the link i-j is right, in each lane.

    See `confidence.Calibration`, whose numbers come in their order.
    """
    here = forward.posterior[(j * forward.states + i) * LANES :]
    there = reverse.posterior[(i * reverse.states + j) * LANES :]
    for lane in range(LANES):
        if out[lane] > HOPELESS:
            first, second = odds(here[lane], NEAR), odds(there[lane], NEAR)
            least = min(first, second)
            score = calibration[0] + calibration[1] * (first + second)
            score += calibration[2] * least + calibration[3] * max(0.0, least)
            if least >= ODDS_NEAR:
                score += calibration[4] * max(0.0, odds(min(here[lane], there[lane]), FAR) - CERTAIN)
            out[lane] = np.float32(1.0 / (1.0 + math.exp(-score)))


@helper
def on_path(step, state):
    """Whether a step of a path is at a state: NULL is -1, one state itself, two are first + SECOND * (second + 1)."""
    return step >= 0 and (step % SECOND == state or step // SECOND == state + 1)


@helper
def paths_of(forward, reverse, directions, i, j, out):
    """Which best paths link i and j in each lane: 1 for forward, 2 for reverse, 3 for both."""
    here, there = forward[j * LANES :], reverse[i * LANES :]
    for lane in range(LANES):
        first = 1 if directions[0] and on_path(here[lane], i) else 0
        out[lane] = first + (2 if directions[1] and on_path(there[lane], j) else 0)


@kernel
def collect_links(
    chunk, first, end, posterior, paths, directions, threshold, calibration, places, confidences
):
    """List the links of the batches `first` to `end`: rows (piece, source, target, by which paths), confidences.

    With a threshold above zero a link is a cell of at least that confidence, else a step of a best path. Confidences
    are products of posteriors, or, with a calibration that is not empty, what it makes of them. A pair's links
    come sorted, those of a batch's pairs intermingled. Returns their number; only as many are written as
    there is room for.
    """
    used = 0
    one, other = np.int64(0), np.int64(1)  # as variables: literals would compile the view once for each
    weights, found = np.empty(LANES, np.float32), np.full(LANES, 3, np.int64)
    for b in range(first, end):
        forward = view(chunk, b, first, one, posterior, posterior)
        reverse = view(chunk, b, first, other, posterior, posterior)
        forward_path = view(chunk, b, first, one, paths, paths).null_posterior
        reverse_path = view(chunk, b, first, other, paths, paths).null_posterior
        for i in range(forward.states):
            for j in range(forward.steps):
                confidences_of(forward, reverse, directions, i, j, weights)
                if len(calibration) > 0:
                    calibrate(forward, reverse, calibration, i, j, weights)
                if threshold <= 0:
                    paths_of(forward_path, reverse_path, directions, i, j, found)
                for lane in range(LANES):
                    inside = i < chunk.source_lengths[b, lane] and j < chunk.target_lengths[b, lane]
                    if found[lane] > 0 and weights[lane] >= threshold and inside:
                        if used < len(places):
                            places[used, 0], places[used, 3] = chunk.pieces[b, lane], found[lane]
                            places[used, 1], places[used, 2] = i, j
                            confidences[used] = weights[lane]
                        used += 1
    return used


@kernel
def count_rows(places, counts):
    """Count the rows of each piece."""
    for row in range(len(places)):
        counts[places[row, 0]] += 1


@kernel
def place_rows(places, confidences, next_row, begins, links, confidence):
    """Write rows (piece, source, target, paths) where their pieces' links come, as they come.

    `next_row` tells for each piece where, `begins` [side][piece] the piece's first word in its sentence. `links` are
    the columns source, target and paths.
    """
    source, target, paths = links
    for row in range(len(places)):
        piece = places[row, 0]
        k = next_row[piece]
        next_row[piece] += 1
        source[k], target[k] = places[row, 1] + begins[0, piece], places[row, 2] + begins[1, piece]
        paths[k], confidence[k] = places[row, 3], confidences[row]


@kernel
def order_of_rows(pieces, count):
    """A stable counting sort of rows by their piece."""
    first = np.zeros(count + 1, np.int64)
    for row in range(len(pieces)):
        first[pieces[row] + 1] += 1
    for piece in range(count):
        first[piece + 1] += first[piece]
    order = np.empty(len(pieces), np.int64)
    for row in range(len(pieces)):
        order[first[pieces[row]]] = row
        first[pieces[row]] += 1
    return order
