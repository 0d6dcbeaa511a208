"""The n best alignments of a pair under a chain (IBM-1, HMM), exact.

The states of a step are called nodes: a word k is node k, NULL behind a word k is node `states` + k, and the last node
is the NULL that stands behind no word: that of the beginning, or one that forgets. So every path is one
alignment. The best way to each node is known from one pass. Then each alignment of the list, from the best on, is
changed at one step before the one where it leaves the alignment that it was made of: another node before it, and the
best way to that one. What is found lies below what it was made of, so the list is final up to where it is read.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.chain_kernels import LEAST, load_chain, new_chain
from cepts.words.lane_kernels import view

NEVER = -1e30  # the log score of what cannot be
HARDLY = -1e20  # what lies below contains something that cannot be
IMPOSSIBLE = np.float32(np.log(LEAST))  # the log score that a chain gives to a probability of zero


class Lists(NamedTuple):
    """The lists of a block: their lengths and log probabilities, and each step's state, or -1 for NULL."""

    lengths: np.ndarray  # [batch][lane]
    logs: np.ndarray  # [batch][lane][rank]
    paths: np.ndarray  # [batch][lane][rank][step]


class Nodes(NamedTuple):
    """Of one pair: the best log score of a path to each node, and the node before it, [step][node]."""

    reached: np.ndarray
    before: np.ndarray
    leave: np.ndarray  # [state], log: from the NULL of the beginning to a word


class Ranking(NamedTuple):
    """A list in the making: entry r leaves the path of its parent at the node before `step`, which is `node`."""

    logs: np.ndarray
    parents: np.ndarray
    steps: np.ndarray
    nodes: np.ndarray
    paths: np.ndarray  # [rank][step]: nodes


@helper
def null_is_possible(chain, t):
    """Whether NULL may generate a step: known links may rule it out, and nothing else leaves a word nothing."""
    if chain.null_score[t] > IMPOSSIBLE:
        return True
    for k in range(chain.states):
        if chain.score[t * chain.states + k] > IMPOSSIBLE:
            return False
    return True


@helper
def fill_nodes(chain, nodes):
    """Find the best way to each node."""
    states, steps, reached, before = chain.states, chain.steps, nodes.reached, nodes.before
    moves, score, null_score, leave = chain.moves, chain.score, chain.null_score, nodes.leave
    forgets, width = len(chain.leave) > 0, 2 * states + 1
    for k in range(states):
        possible = score[k] > IMPOSSIBLE
        reached[k] = np.float64(chain.start[k]) + score[k] if possible else NEVER
        reached[states + k] = NEVER
    reached[2 * states] = null_score[0] if null_is_possible(chain, 0) else NEVER
    for t in range(1, steps):
        here, last = t * width, (t - 1) * width
        nothing, null_possible = reached[last + 2 * states], null_is_possible(chain, t)
        for k in range(states):
            best, origin = NEVER, 2 * states
            for other in range(2 * states):
                if reached[last + other] > HARDLY:
                    value = reached[last + other] + moves[(other % states) * states + k]
                    if value > best:
                        best, origin = value, other
            left = nothing + (chain.leave[t * states + k] if forgets else leave[k])
            if left > best:
                best, origin = left, 2 * states
            possible = score[t * states + k] > IMPOSSIBLE
            reached[here + k] = best + score[t * states + k] if possible else NEVER
            before[here + k] = origin
            other = k if reached[last + k] >= reached[last + states + k] else states + k
            stays = not forgets and reached[last + other] > HARDLY and null_possible
            reached[here + states + k] = reached[last + other] + null_score[t] if stays else NEVER
            before[here + states + k] = other
        best, origin = nothing + (chain.stay[0] if forgets else np.float32(0)), 2 * states
        if forgets:
            for k in range(states):
                if reached[last + k] > best:
                    best, origin = reached[last + k], k
        reached[here + 2 * states] = best + null_score[t] if null_possible else NEVER
        before[here + 2 * states] = origin


@helper
def insert(ranking, used, log, parent, step, node):
    """Put an entry where it belongs in the list, if there is room; returns the list's new length."""
    room, logs = len(ranking.logs), ranking.logs
    if used == room:
        if log <= logs[room - 1]:
            return used
        used -= 1
    place = used
    while place > 0 and logs[place - 1] < log:
        logs[place] = logs[place - 1]
        ranking.parents[place], ranking.steps[place] = ranking.parents[place - 1], ranking.steps[place - 1]
        ranking.nodes[place] = ranking.nodes[place - 1]
        place -= 1
    logs[place], ranking.parents[place], ranking.steps[place] = log, parent, step
    ranking.nodes[place] = node
    return used + 1


@helper
def write_path(chain, nodes, ranking, rank):
    """Write the nodes of an entry's path."""
    paths, width = ranking.paths, 2 * chain.states + 1
    step, parent = ranking.steps[rank], ranking.parents[rank]
    for t in range(step, chain.steps):
        paths[rank, t] = paths[parent, t]
    node = ranking.nodes[rank]
    for t in range(step - 1, -1, -1):
        paths[rank, t] = node
        node = nodes.before[t * width + node] if t > 0 else node


@helper
def branch(chain, nodes, ranking, rank, used):
    """Insert the entries that leave the path of an entry once; returns the list's new length.

    They do so where the entry does not yet differ from the one that it was made of.
    """
    states, reached, moves, room = chain.states, nodes.reached, chain.moves, len(ranking.logs)
    forgets, width, log = len(chain.leave) > 0, 2 * states + 1, ranking.logs[rank]
    for t in range(1, ranking.steps[rank]):
        node, taken, last = ranking.paths[rank, t], ranking.paths[rank, t - 1], (t - 1) * width
        word = node < states
        rest = log - reached[t * width + node]
        rest += chain.score[t * states + node] if word else chain.null_score[t]
        for other in range(width):
            so_far = reached[last + other]
            if other == taken or so_far <= HARDLY:
                continue
            if word:
                if other < 2 * states:
                    step = moves[(other % states) * states + node]
                else:
                    step = chain.leave[t * states + node] if forgets else nodes.leave[node]
            elif node < 2 * states:
                if other % states != node - states or other == 2 * states:
                    continue
                step = np.float32(0)
            else:
                if not forgets:
                    continue
                step = chain.stay[0] if other == node else np.float32(0)
            # Rounding must not make it better than what it was made of, before which it would then be put.
            value = min(rest + so_far + step, log)
            if used < room or value > ranking.logs[used - 1]:
                used = insert(ranking, used, value, rank, t, other)
    return used


@helper
def rank_paths(chain, nodes, ranking):
    """Fill a list with the best paths; returns its length."""
    width, used = 2 * chain.states + 1, 0
    for node in range(width):
        log = nodes.reached[(chain.steps - 1) * width + node]
        if log > HARDLY:
            used = insert(ranking, used, log, -1, chain.steps, node)
    rank = 0
    while rank < used:
        write_path(chain, nodes, ranking, rank)
        used = branch(chain, nodes, ranking, rank, used)
        rank += 1
    return used


@helper
def load_leave_of_beginning(chain, leave):
    """A NULL before the first word has no place: it goes on as from all places alike."""
    states = chain.states
    for k in range(states):
        total = 0.0
        for s in range(states):
            total += np.exp(np.float64(chain.moves[s * states + k]))
        leave[k] = np.log(total / states)


@helper
def new_ranking(n, longest):
    """Allocate a list."""
    return Ranking(
        np.empty(n, np.float64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty((n, longest), np.int64),
    )


@kernel
def list_chains(chunk, first, end, way, transitions, forgets, emission, lists):
    """List the n best alignments of one direction of the batches `first` to `end`.

    NULL is impossible only where known links say so: where no link is possible the list has one alignment, all NULL.
    """
    longest = max(chunk.shapes[first:end, 0].max(), chunk.shapes[first:end, 1].max())
    chain = new_chain(longest, forgets)
    nodes = Nodes(
        np.empty(longest * (2 * longest + 1), np.float64),
        np.empty(longest * (2 * longest + 1), np.int64),
        np.empty(longest, np.float32),
    )
    ranking = new_ranking(lists.logs.shape[2], longest)
    before = 0
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, emission)
        for lane in range(LANES):
            if chunk.pieces[b, lane] < 0:
                lists.lengths[b - first, lane] = 0
                continue
            chain = load_chain(chain, seen, lane, transitions)
            if chain.states != before or len(transitions.kinds) > 0:
                load_leave_of_beginning(chain, nodes.leave)
                before = chain.states
            fill_nodes(chain, nodes)
            used = rank_paths(chain, nodes, ranking)
            lists.lengths[b - first, lane] = used
            for rank in range(used):
                lists.logs[b - first, lane, rank] = ranking.logs[rank]
                for t in range(chain.steps):
                    node = ranking.paths[rank, t]
                    lists.paths[b - first, lane, rank, t] = node if node < chain.states else -1


@kernel
def share_lists(chunk, first, end, way, lists, kind, posterior):
    """Make the posteriors of one direction the share of its lists that each link, or NULL, is in.

    Entries count alike (kind 0), by their probability (1), or by one over their rank (2).
    """
    for b in range(first, end):
        seen = view(chunk, b, first, way, posterior, posterior)
        seen.posterior[:] = np.float32(0)
        seen.null_posterior[:] = np.float32(0)
        for lane in range(LANES):
            used, total = lists.lengths[b - first, lane], 0.0
            for rank in range(used):
                total += weight_of(lists.logs, b - first, lane, rank, kind)
            for rank in range(used):
                share = np.float32(weight_of(lists.logs, b - first, lane, rank, kind) / total)
                for t in range(seen.step_lengths[lane]):
                    state = lists.paths[b - first, lane, rank, t]
                    if state >= 0:
                        seen.posterior[(t * seen.states + state) * LANES + lane] += share
                    else:
                        seen.null_posterior[t * LANES + lane] += share


@helper
def weight_of(logs, b, lane, rank, kind):
    """What an entry of a list counts."""
    if kind == 1:
        return np.exp(logs[b, lane, rank] - logs[b, lane, 0])
    return 1.0 / (rank + 1.0) if kind == 2 else 1.0
