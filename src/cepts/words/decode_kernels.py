"""From posteriors and best paths to links, pair by pair."""

import numpy as np

from cepts.running.kernel import kernel
from cepts.words.lane_kernels import LANES, view


@kernel
def link_confidence(forward, reverse, directions, i, j, lane):
    """The probability of a link: the product of the directions' posteriors, of those that there are."""
    confidence = np.float32(1)
    if directions[0]:
        confidence *= forward.posterior[(j * forward.states + i) * LANES + lane]
    if directions[1]:
        confidence *= reverse.posterior[(i * reverse.states + j) * LANES + lane]
    return min(confidence, np.float32(1))


@kernel
def linked_by(forward_path, reverse_path, directions, i, j, lane):
    """Which best paths link words i and j: 1 for forward, 2 for reverse, 3 for both."""
    found = 0
    if directions[0] and forward_path[j * LANES + lane] == i:
        found += 1
    if directions[1] and reverse_path[i * LANES + lane] == j:
        found += 2
    return found


@kernel
def collect_links(chunk, first, end, posterior, paths, directions, threshold, places, confidences):
    """List the links of the batches `first` to `end`: rows (piece, source, target, by which paths), confidences.

    With a threshold above zero a link is a cell of at least that confidence, else a step of a best path. Returns
    their number; only as many are written as there is room for.
    """
    used = 0
    one, other = np.int64(0), np.int64(1)  # as variables: literals would compile the view once for each
    for b in range(first, end):
        forward = view(chunk, b, first, one, posterior, posterior)
        reverse = view(chunk, b, first, other, posterior, posterior)
        forward_path = view(chunk, b, first, one, paths, paths).null_posterior
        reverse_path = view(chunk, b, first, other, paths, paths).null_posterior
        for lane in range(LANES):
            for i in range(chunk.source_lengths[b, lane]):
                for j in range(chunk.target_lengths[b, lane]):
                    confidence = link_confidence(forward, reverse, directions, i, j, lane)
                    found = 3
                    if threshold <= 0:
                        found = linked_by(forward_path, reverse_path, directions, i, j, lane)
                    if found > 0 and confidence >= threshold:
                        if used < len(places):
                            places[used, 0], places[used, 3] = chunk.pieces[b, lane], found
                            places[used, 1], places[used, 2] = i, j
                            confidences[used] = confidence
                        used += 1
    return used


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
