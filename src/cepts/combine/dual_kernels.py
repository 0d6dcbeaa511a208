"""Dual decomposition of two HMMs that share one table of links (denero-2011), pair by pair.

Each direction is a chain whose scores hold prices u of the links: forward adds them, reverse subtracts them. Where
the two best answers differ, the price moves, and only the steps that it touches are searched again.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.chain_kernels import follow, load_chain, new_chain
from cepts.words.hmm_kernels import largest_batch
from cepts.words.lane_kernels import view

FORWARD, REVERSE = 1, 2  # bits: whose answer has a link


class Rules(NamedTuple):
    """When to stop, what a neighbour costs, and how long steps are."""

    rounds: int
    alpha: np.float32
    step_size: np.float32
    adaptive: bool


class Market(NamedTuple):
    """What both directions of a pair share, and what each needs to change its scores; sized for the longest sentence.

    Tables of links have a margin of one cell on each side, so that every cell has four neighbours: link i-j is at
    (i + 1) * (target words + 2) + j + 1. Prices in the margin stay zero, never above a cost: no neighbour is there.
    """

    prices: np.ndarray  # the dual variables u
    marks: np.ndarray  # FORWARD and REVERSE: whose answer holds the link
    forward_scores: np.ndarray  # [target][source] the scores without prices
    reverse_scores: np.ndarray  # [source][target]
    forward_changed: np.ndarray  # [target] whether a score of that step changed
    reverse_changed: np.ndarray  # [source]
    forward_links: np.ndarray  # the cells of the forward answer
    reverse_links: np.ndarray
    used: np.ndarray  # how many there are, of each


@helper
def new_market(longest):
    """Allocate a market for pairs of at most so many words a side."""
    table, cells = (longest + 2) * (longest + 2), longest * longest
    return Market(
        np.zeros(table, np.float32),
        np.zeros(table, np.int8),
        np.empty(cells, np.float32),
        np.empty(cells, np.float32),
        np.zeros(longest, np.bool_),
        np.zeros(longest, np.bool_),
        np.empty(3 * longest, np.int64),
        np.empty(3 * longest, np.int64),
        np.zeros(2, np.int64),
    )


@helper
def answer(steps, place, is_null, prices, sign, alpha, first, along, across, cells):
    """List the links of a direction's best path, and the neighbours that pay for themselves; returns how many.

    Step t at state s is cell `first` + t * along + s * across.
    """
    used = 0
    for t in range(steps):
        if is_null[t]:
            continue
        here = first + t * along + place[t] * across
        if sign * prices[here - across] > alpha:
            cells[used] = here - across
            used += 1
        cells[used] = here
        used += 1
        if sign * prices[here + across] > alpha:
            cells[used] = here + across
            used += 1
    return used


@helper
def reprice(score, bare, states, t, place, prices, sign, alpha, here, across):
    """Set the scores that a link's price touches at step t: those of its own state, at cell `here`, and of the next.

    A score is the bare one, the price of its link, and what its neighbours bring above their cost.
    """
    for near in range(max(0, place - 1), min(states, place + 2)):
        cell = here + (near - place) * across
        total = sign * prices[cell]
        for other in (cell - across, cell + across):
            gain = sign * prices[other] - alpha
            if gain > 0:
                total += gain
        score[t * states + near] = bare[t * states + near] + total


@helper
def move_disputed(market, step):
    """Move the prices of links that only one answer has, and keep these links alone in the lists."""
    marks, prices = market.marks, market.prices
    for way in range(2):
        cells = market.forward_links if way == 0 else market.reverse_links
        kept = 0
        for n in range(market.used[way]):
            cell = cells[n]
            if marks[cell] != FORWARD + REVERSE:
                prices[cell] += -step if way == 0 else step
                cells[kept] = cell
                kept += 1
        market.used[way] = kept


@helper
def compare(forward, reverse, market, alpha):
    """Mark both answers; returns how many links only one of them has."""
    columns = reverse.states + 2
    marks, ours, theirs = market.marks, market.forward_links, market.reverse_links
    for cell in range((forward.states + 2) * columns):
        marks[cell] = 0
    first, one = columns + 1, np.float32(1)
    market.used[0] = answer(
        forward.steps, forward.place, forward.is_null, market.prices, one, alpha, first, 1, columns, ours
    )
    market.used[1] = answer(
        reverse.steps, reverse.place, reverse.is_null, market.prices, -one, alpha, first, columns, 1, theirs
    )
    different = market.used[0]
    for n in range(market.used[0]):
        marks[ours[n]] = FORWARD
    for n in range(market.used[1]):
        different += -1 if marks[theirs[n]] == FORWARD else 1
        marks[theirs[n]] += REVERSE
    return different


@helper
def move_prices(forward, reverse, market, alpha, step):
    """Make links that only forward has cheaper, those that only reverse has dearer, and set the scores anew."""
    columns, one = reverse.states + 2, np.float32(1)
    rows, prices = forward.states, market.prices
    move_disputed(market, step)
    for way in range(2):
        cells = market.forward_links if way == 0 else market.reverse_links
        for n in range(market.used[way]):
            cell = cells[n]
            i, j = cell // columns - 1, cell % columns - 1
            market.forward_changed[j] = True
            market.reverse_changed[i] = True
            reprice(forward.score, market.forward_scores, rows, j, i, prices, one, alpha, cell, columns)
            reprice(reverse.score, market.reverse_scores, columns - 2, i, j, prices, -one, alpha, cell, 1)


@helper
def decompose(forward, reverse, market, rules):
    """Bargain until both directions give one answer (the certificate), or no rounds are left.

    Returns whether there is a certificate, the rounds, and the smallest dual value: an upper bound of the optimum.
    """
    market.prices[: (forward.states + 2) * (reverse.states + 2)] = np.float32(0)
    cells = forward.states * forward.steps
    market.forward_scores[:cells] = forward.score[:cells]
    market.reverse_scores[:cells] = reverse.score[:cells]
    bound, last, rises = np.inf, np.inf, 0
    for done in range(1, rules.rounds + 1):
        value = follow(forward, market.forward_changed, done == 1)
        value += follow(reverse, market.reverse_changed, done == 1)
        bound = min(bound, value)
        if compare(forward, reverse, market, rules.alpha) == 0:
            return True, done, bound
        if value > last:
            rises += 1
        last = value
        if done < rules.rounds:
            shorter = 1 + rises if rules.adaptive else done
            move_prices(forward, reverse, market, rules.alpha, rules.step_size / np.float32(shorter))
    return False, rules.rounds, bound


@helper
def store_answers(market, forward, reverse, piece, seen, used, places, confidences):
    """Append a pair's marked links, sorted: rows (piece, source, target, whose), and the products of posteriors."""
    here, there, lane = seen
    columns = reverse.states + 2
    for i in range(forward.states):
        marks = market.marks[(i + 1) * columns + 1 :]
        for j in range(reverse.states):
            if marks[j] > 0:
                one = here.posterior[(j * here.states + i) * LANES + lane]
                two = there.posterior[(i * there.states + j) * LANES + lane]
                places[used, 0], places[used, 1], places[used, 2] = piece, i, j
                places[used, 3] = marks[j]
                confidences[used] = min(one * two, np.float32(1))
                used += 1
    return used


@kernel
def dual_block(
    chunk,
    first,
    end,
    remembers,
    forward_moves,
    reverse_moves,
    emission,
    posterior,
    rules,
    places,
    confidences,
    results,
):
    """Combine the pairs of the batches `first` to `end`; returns the number of links, those of a pair in a row.

    `results` [batch][lane] gets (certified, rounds, bound). There must be room for three links for each word.
    """
    _, words = largest_batch(chunk, first, end)
    forward, reverse = new_chain(words, not remembers), new_chain(words, not remembers)
    market = new_market(words)
    one, other = np.int64(0), np.int64(1)  # as variables: literals would compile the view once for each
    used = 0
    for b in range(first, end):
        here = view(chunk, b, first, one, emission, posterior)
        there = view(chunk, b, first, other, emission, posterior)
        for lane in range(LANES):
            if chunk.pieces[b, lane] < 0:
                continue
            forward = load_chain(forward, here, lane, forward_moves)
            reverse = load_chain(reverse, there, lane, reverse_moves)
            certified, rounds, bound = decompose(forward, reverse, market, rules)
            result = results[b - first, lane]
            result[0], result[1], result[2] = certified, rounds, bound
            seen = (here, there, lane)
            used = store_answers(
                market, forward, reverse, chunk.pieces[b, lane], seen, used, places, confidences
            )
    return used
