"""From posteriors and best paths to links, pair by pair."""

import numpy as np

from cepts.running.kernel import kernel
from cepts.words.hmm_kernels import backward_pass, forward_pass, lane_likelihood, new_work
from cepts.words.ibm1_kernels import ibm1_direction
from cepts.words.lane_kernels import LANES, leave_to_null, load_batch, new_buffers
from cepts.words.viterbi_kernels import hmm_path, ibm1_path, new_trail


@kernel
def grown(rows, used, more):
    """Make room for `more` rows behind the first `used`."""
    if used + more <= len(rows):
        return rows
    larger = np.empty((max(2 * len(rows), used + more), rows.shape[1]), rows.dtype)
    larger[:used] = rows[:used]
    return larger


@kernel
def link_confidence(views, directions, i, j, lane):
    """The probability of a link: the product of the directions' posteriors, of those that there are."""
    forward, reverse = views
    confidence = np.float32(1)
    if directions[0]:
        confidence *= forward.posterior[(j * forward.states + i) * LANES + lane]
    if directions[1]:
        confidence *= reverse.posterior[(i * reverse.states + j) * LANES + lane]
    return min(confidence, np.float32(1))


@kernel
def linked_by(paths, directions, i, j, lane):
    """Which best paths link words i and j: 1 for forward, 2 for reverse, 3 for both."""
    found = 0
    if directions[0] and paths[0][j * LANES + lane] == i:
        found += 1
    if directions[1] and paths[1][i * LANES + lane] == j:
        found += 2
    return found


@kernel
def collect_links(chunk, b, views, paths, directions, threshold, places, weights, used):
    """Append the links of batch b: rows (piece, source, target, by which paths) and their confidences.

    With a threshold above zero a link is a cell of at least that confidence, else a step of a best path.
    """
    for lane in range(LANES):
        source, target = chunk.source_lengths[b, lane], chunk.target_lengths[b, lane]
        places, weights = grown(places, used, source * target), grown(weights, used, source * target)
        for i in range(source):
            for j in range(target):
                confidence = link_confidence(views, directions, i, j, lane)
                found = 3 if threshold > 0 else linked_by(paths, directions, i, j, lane)
                if found > 0 and confidence >= threshold:
                    places[used, 0] = chunk.pieces[b, lane]
                    places[used, 1], places[used, 2], places[used, 3] = i, j, found
                    weights[used, 0] = confidence
                    used += 1
    return places, weights, used


@kernel
def new_rows(chunk):
    """Allocate rows for about as many links as a chunk has words."""
    words = 16 + np.int64(chunk.source_lengths.sum()) + np.int64(chunk.target_lengths.sum())
    return np.empty((words, 4), np.int32), np.empty((words, 1), np.float32)


@kernel
def hmm_decode(chunk, values, transitions, directions, threshold):
    """Links of a chunk under the HMM, and the log probabilities [batch][direction][lane]."""
    buffers = new_buffers(chunk)
    longest = max(chunk.shapes[:, 0].max(), chunk.shapes[:, 1].max())
    distances = max(len(transitions[0].jumps), len(transitions[1].jumps))
    work = new_work(longest, buffers.shape[1], distances)
    trail = new_trail(longest, buffers.shape[1])
    paths = (np.empty(longest * LANES, np.int32), np.empty(longest * LANES, np.int32))
    likelihoods = np.zeros((len(chunk.shapes), 2, LANES))
    places, weights = new_rows(chunk)
    used = 0
    for b in range(len(chunk.shapes)):
        views = load_batch(chunk, b, values, buffers)
        for way in range(2):
            if directions[way]:
                forward_pass(views[way], transitions[way], work)
                backward_pass(views[way], transitions[way], work, False)
                for lane in range(LANES):
                    likelihoods[b, way, lane] = lane_likelihood(views[way], work, lane)
                if threshold <= 0:
                    hmm_path(views[way], transitions[way], work, trail, paths[way])
        places, weights, used = collect_links(
            chunk, b, views, paths, directions, threshold, places, weights, used
        )
    return places[:used].copy(), weights[:used, 0].copy(), likelihoods


@kernel
def ibm1_decode(chunk, values, null, directions, threshold):
    """Links of a chunk under IBM-1, and the log probabilities [batch][direction][lane]."""
    buffers = new_buffers(chunk)
    longest = max(chunk.shapes[:, 0].max(), chunk.shapes[:, 1].max())
    share, total = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    paths = (np.empty(longest * LANES, np.int32), np.empty(longest * LANES, np.int32))
    likelihoods = np.zeros((len(chunk.shapes), 2, LANES))
    places, weights = new_rows(chunk)
    used = 0
    for b in range(len(chunk.shapes)):
        views = load_batch(chunk, b, values, buffers)
        for way in range(2):
            if directions[way]:
                ibm1_direction(views[way], null[way], share, total, likelihoods[b, way])
                if threshold <= 0:
                    ibm1_path(views[way], paths[way])
        places, weights, used = collect_links(
            chunk, b, views, paths, directions, threshold, places, weights, used
        )
    return places[:used].copy(), weights[:used, 0].copy(), likelihoods


@kernel
def order_of_rows(pieces, count):
    """A stable counting sort of rows by their piece: the order, and where each piece begins."""
    first = np.zeros(count + 2, np.int64)
    for row in range(len(pieces)):
        first[pieces[row] + 2] += 1
    for piece in range(count + 1):
        first[piece + 1] += first[piece]
    order = np.empty(len(pieces), np.int64)
    for row in range(len(pieces)):
        order[first[pieces[row] + 1]] = row
        first[pieces[row] + 1] += 1
    return order, first[: count + 1]
