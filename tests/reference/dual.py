"""Slow twin of dual decomposition, denero-2011: one sentence pair, one chain for each direction, all in natural logs.

Chain a has the source words as states and the target words as steps, chain b the other way round. A path has for each
step the state that generates it, or NULL. Links are sets of (source, target).
"""

import itertools
import math
from typing import NamedTuple

NULL = -1


class Remembering(NamedTuple):
    """A chain whose NULL remembers the last state, or the one that a NULL start has drawn evenly."""

    emission: list  # [step][state]
    null_emission: list  # [step]
    start: list  # [state]
    transition: list  # [from][to]
    null: float

    @property
    def hidden(self):
        """What the chain can be at: (state, is_null)."""
        return [(i, is_null) for i in range(len(self.start)) for is_null in (False, True)]

    def begin(self, here):
        """Return the log probability of beginning here."""
        return self.null - math.log(len(self.start)) if here[1] else self.start[here[0]]

    def move(self, _step, before, after):
        """Return the log probability of coming here with a step."""
        if after[1]:
            return self.null if after[0] == before[0] else -math.inf
        return self.transition[before[0]][after[0]]


class Forgetful(NamedTuple):
    """A chain with one NULL, which forgets: it is left by a table of its own, [step][state]."""

    emission: list
    null_emission: list
    start: list
    transition: list
    null: float
    leave: list
    stay: float

    @property
    def hidden(self):
        """What the chain can be at: (state, False), or NULL."""
        return [*((i, False) for i in range(len(self.start))), (NULL, True)]

    def begin(self, here):
        """Return the log probability of beginning here."""
        return self.null if here[1] else self.start[here[0]]

    def move(self, step, before, after):
        """Return the log probability of coming here with a step."""
        if before[1]:
            return self.stay if after[1] else self.leave[step][after[0]]
        return self.null if after[1] else self.transition[before[0]][after[0]]


def shown(here):
    """Return what a path shows of a place in the chain."""
    return NULL if here[1] else here[0]


def extended(chain, extra, step, before, here):
    """Return the log score of the step that comes here from `before` (None: of the first step)."""
    coming = chain.begin(here) if before is None else chain.move(step, before, here)
    if here[1]:
        return coming + chain.null_emission[step]
    return coming + chain.emission[step][here[0]] + extra[step][here[0]]


def best_ways(chain, extra, wanted):
    """For each step and place the best way there: (score, the place before); NULL gets nothing extra.

    `wanted` has for each step what must be shown there, or None.
    """
    ways = []
    for step, only in enumerate(wanted):
        befores = {None: (0.0, None)} if step == 0 else ways[-1]
        ways.append(
            {
                here: max(
                    (
                        (score + extended(chain, extra, step, before, here), before)
                        for before, (score, _) in befores.items()
                    ),
                    key=lambda way: way[0],
                )
                for here in chain.hidden
                if only is None or shown(here) == only
            }
        )
    return ways


def nothing_extra(chain):
    """Return an extra score of zero for each step and state."""
    return [[0.0] * len(chain.start) for _ in chain.null_emission]


def path_score(chain, path):
    """Return the log probability of the best sequence of places that shows this path."""
    return max(score for score, _ in best_ways(chain, nothing_extra(chain), path)[-1].values())


def viterbi(chain, extra):
    """Return the best score with extra scores [step][state], and the path that has it."""
    ways = best_ways(chain, extra, [None] * len(chain.null_emission))
    here = max(ways[-1], key=lambda place: ways[-1][place][0])
    best, path = ways[-1][here][0], []
    for way in reversed(ways):
        path.append(shown(here))
        here = way[here][1]
    return best, tuple(reversed(path))


def runner_up(chain, extra, path):
    """Return the score of the best path other than this one: it shows something else at some step."""
    ways = best_ways(chain, extra, [None] * len(path))
    onward, best = dict.fromkeys(chain.hidden, 0.0), -math.inf
    for step in reversed(range(len(path))):
        elsewhere = (here for here in chain.hidden if shown(here) != path[step])
        best = max(best, *(ways[step][here][0] + onward[here] for here in elsewhere))
        if step:
            onward = {
                before: max(
                    extended(chain, extra, step, before, here) + onward[here] for here in chain.hidden
                )
                for before in chain.hidden
            }
    return best


def all_paths(chain):
    """List every path."""
    return list(itertools.product((NULL, *range(len(chain.start))), repeat=len(chain.null_emission)))


def links_of(path_a, path_b):
    """Return the links of both paths."""
    forward = {(state, step) for step, state in enumerate(path_a) if state != NULL}
    reverse = {(step, state) for step, state in enumerate(path_b) if state != NULL}
    return forward, reverse


def coherence(path_a, path_b, alpha):
    """Return the log score of the best links c for two paths: c is their union.

    A link of a path must be in c; one that is not of the path of its column (row) costs alpha, and must be next to the
    path's own link there. So a link that is in neither path only costs.
    """
    forward, reverse = links_of(path_a, path_b)
    cost = 0.0
    for source, target in forward | reverse:
        for there, here in ((path_a[target], source), (path_b[source], target)):
            if there == NULL or abs(there - here) > 1:
                return -math.inf
            cost += alpha if there != here else 0.0
    return -cost


def best_joint(chain_a, chain_b, alpha, tolerance=1e-9):
    """Return the best log score of (a, b, c) by enumeration, and all links c that have it, within the tolerance.

    Links only cost, so paths that fall below the best without them need not be looked at.
    """
    ranked = [
        sorted(((path_score(chain, path), path) for path in all_paths(chain)), reverse=True)
        for chain in (chain_a, chain_b)
    ]
    best, found = -math.inf, []
    for score_a, path_a in ranked[0]:
        for score_b, path_b in ranked[1]:
            if score_a + score_b < best - tolerance:
                break
            score = score_a + score_b + coherence(path_a, path_b, alpha)
            best = max(best, score)
            found.append((score, frozenset.union(*map(frozenset, links_of(path_a, path_b)))))
    return best, {links for score, links in found if score >= best - tolerance}


def potential(there, here, linked, alpha):
    """Equation 2, in logs: a step at state `there` (or NULL) against the cell of state `here`, linked or not."""
    if there == NULL:
        return -math.inf if linked else 0.0
    if there == here:
        return 0.0 if linked else -math.inf
    if not linked:
        return 0.0
    return -alpha if abs(there - here) == 1 else -math.inf


def best_of_everything(chain_a, chain_b, alpha):
    """Return what `best_joint` returns, by trying every boolean table c: nothing but the model's definition."""
    cells = list(itertools.product(range(len(chain_a.start)), range(len(chain_b.start))))
    scores = [{path: path_score(chain, path) for path in all_paths(chain)} for chain in (chain_a, chain_b)]
    found = {}
    for values in itertools.product((False, True), repeat=len(cells)):
        table = dict(zip(cells, values, strict=True))
        for path_a, path_b in itertools.product(*scores):
            score = scores[0][path_a] + scores[1][path_b]
            for (source, target), linked in table.items():
                score += potential(path_a[target], source, linked, alpha)
                score += potential(path_b[source], target, linked, alpha)
            links = frozenset(cell for cell in cells if table[cell])
            found[links] = max(score, found.get(links, -math.inf))
    best = max(found.values())
    return best, {links for links, score in found.items() if score >= best - 1e-9}


class Answer(NamedTuple):
    """What dual decomposition ends with.

    `duals` are the dual values of all rounds. `margin` is the distance to the nearest tie that was broken on the way:
    with numbers that are less precise, decisions can only differ if it is small.
    """

    forward: set
    reverse: set
    certified: bool
    rounds: int
    duals: list
    margin: float


def subproblem(chain, prices, alpha):
    """Solve one direction for dual prices [step][state]: its value, its cells (state, step), its nearest tie."""
    states = range(len(chain.start))
    extra = [
        [row[i] + sum(max(0.0, row[k] - alpha) for k in (i - 1, i + 1) if k in states) for i in states]
        for row in prices
    ]
    value, path = viterbi(chain, extra)
    cells, margin = set(), value - runner_up(chain, extra, path)
    for step, state in enumerate(path):
        if state == NULL:
            continue
        cells.add((state, step))
        for neighbour in (state - 1, state + 1):
            if neighbour in states:
                price = prices[step][neighbour]
                if price > alpha:
                    cells.add((neighbour, step))
                if price != 0 or alpha != 0:  # what was never touched is zero in any precision
                    margin = min(margin, abs(price - alpha))
    return value, cells, margin


def naive_dual(chain_a, chain_b, alpha, rounds, step="adaptive", step_size=1.0):
    """Algorithm 1, with the corrected sub-problem: subgradient descent on the dual value, dense Viterbi each time.

    The step is `step_size` over the number of the round ("harmonic"), or over 1 + the number of times that the dual
    value rose ("adaptive").
    """
    sources, targets = range(len(chain_a.start)), range(len(chain_b.start))
    price = dict.fromkeys(itertools.product(sources, targets), 0.0)
    duals, rises, margin = [], 0, math.inf
    for number in range(1, rounds + 1):
        value_a, cells, margin_a = subproblem(
            chain_a, [[price[i, j] for i in sources] for j in targets], alpha
        )
        forward = {(i, j) for i, j in cells}
        value_b, cells, margin_b = subproblem(
            chain_b, [[-price[i, j] for j in targets] for i in sources], alpha
        )
        reverse = {(i, j) for j, i in cells}
        margin = min(margin, margin_a, margin_b)
        duals.append(value_a + value_b)
        if forward == reverse:
            return Answer(forward, reverse, True, number, duals, margin)
        if step == "adaptive" and number > 1:
            rises += duals[-1] > duals[-2]
            margin = min(margin, abs(duals[-1] - duals[-2]))
        size = step_size / (number if step == "harmonic" else 1 + rises)
        for cell in price:
            price[cell] += size * ((cell in reverse) - (cell in forward))
    return Answer(forward, reverse, False, rounds, duals, margin)
