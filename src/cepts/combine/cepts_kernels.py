"""Factorising association matrices into cepts by tempered EM (goutte-2004, eqs. 3-6), pair by pair.

A cell of the matrix is explained by the cepts and by uniform noise, a cell of a NULL by that NULL's own cept and by
noise: that is what the paper's zero initial conditions come to, as EM preserves them. Parameters are kept as
P(c) P(source | c) and P(target | c), [word][cept]. In tempered EM each component's share is raised to a power, given
here in eighths, so that square roots suffice.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel

# Rows of the tables of parameters. For the NULLs, WORK holds what was observed; for noise, the share of a cell.
# NumPy's integers: of plain ones as arguments, a kernel would be compiled for each value.
PRESENT, WORK, NEXT, BEST, TRIAL = np.arange(5, dtype=np.int64)
AXIS, COUNTS, KEPT = np.arange(3, dtype=np.int64)  # rows of the axes
EIGHTHS = np.int64(8)  # the power of plain EM
LOOK = 3  # steps from one look at the likelihood to the next
AXIS_ROUNDS = 4
TINY = 1e-300
FIRST_NOISE, LEAST_NOISE = 0.05, 1e-3
SHARPNESS = 0.8  # how far the halves of a split cept are apart


class Rules(NamedTuple):
    """How to search, and when to stop."""

    bayes: bool  # BIC, else AIC
    cepts: int  # exactly so many, or 0 to choose
    patience: int
    restarts: int  # 0: annealing
    powers: np.ndarray  # eighths, the last is EIGHTHS
    warm_steps: int
    steps: int
    tolerance: float
    null: bool
    noise: bool
    retrain: bool
    seed: int


class Room(NamedTuple):
    """What the factorisation of a pair needs; sized for the largest pair."""

    cell_source: np.ndarray
    cell_target: np.ndarray
    cells: np.ndarray  # rows: the share of the sample, its probability, what one cept explains of it
    source: np.ndarray  # [row][word * width + cept]: P(c) P(word | c)
    target: np.ndarray  # P(word | c)
    source_null: np.ndarray  # [row][word]: the joint probability with the NULL of the other side
    target_null: np.ndarray
    noise: np.ndarray  # [row]
    weight: np.ndarray  # [cept]
    alive: np.ndarray
    source_axis: np.ndarray  # rows: the axis of a cept, its expected counts, the axis of the best cept
    target_axis: np.ndarray
    chance: np.ndarray  # the state of the random numbers, never 0


def new_room(sources: int, targets: int, cells: int) -> Room:
    """Allocate for pairs of at most so many words a side, and so many cells (in NumPy: nothing to compile)."""
    width = min(sources, targets)
    return Room(
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int32),
        np.zeros((3, cells)),
        np.zeros((5, sources * width)),
        np.zeros((5, targets * width)),
        np.zeros((5, sources)),
        np.zeros((5, targets)),
        np.zeros(5),
        np.zeros(width),
        np.zeros(width, np.bool_),
        np.zeros((3, sources)),
        np.zeros((3, targets)),
        np.ones(1, np.uint64),
    )


@helper
def plant(room, seed):
    """Begin the random numbers of a pair."""
    room.chance[0] = np.uint64(seed + 1) * np.uint64(0x9E3779B97F4A7C15)


@helper
def draw(chance):
    """Return a random number between 0 and 1 (xorshift64*, Vigna 2016)."""
    state = chance[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    chance[0] = state
    return np.float64((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) / 2.0**53


@helper
def tempered(value, power):
    """Raise a value to a power, given in eighths."""
    if power == EIGHTHS:
        return value
    half = np.sqrt(value)
    quarter = np.sqrt(half)
    result = 1.0
    if power & 4:
        result *= half
    if power & 2:
        result *= quarter
    if power & 1:
        result *= np.sqrt(quarter)
    return result


@helper
def load(values, first, source_null, target_null, place, room):
    """Take in a pair's matrix as shares of the sample; returns the number of cells above zero, and the sample's size.

    `place` is (first source word, source words, first target word, target words).
    """
    source_first, sources, target_first, targets = place
    used, size = 0, 0.0
    for i in range(sources):
        for j in range(targets):
            value = np.float64(values[first + i * targets + j])
            if value > 0:
                room.cell_source[used], room.cell_target[used], room.cells[0, used] = i, j, value
                used += 1
                size += value
    for i in range(sources):
        room.source_null[WORK, i] = source_null[source_first + i]
        size += room.source_null[WORK, i]
    for j in range(targets):
        room.target_null[WORK, j] = target_null[target_first + j]
        size += room.target_null[WORK, j]
    share = 1 / size if size > 0 else 0.0
    for n in range(used):
        room.cells[0, n] *= share
    for i in range(sources):
        room.source_null[WORK, i] *= share
    for j in range(targets):
        room.target_null[WORK, j] *= share
    return used, size


@kernel
def climb(room, used, shape, cepts, power, steps, tolerance):
    """Run steps of EM at a power, until the objective rises by less than the tolerance from one look to the next.

    The objective is that of the tempered likelihood: for each count 1 / power * log(sum of components^power).
    """
    sources, targets, width = shape
    cell_source, cell_target, cells = room.cell_source, room.cell_target, room.cells
    source, target, weight = room.source, room.target, room.weight
    source_null, target_null, noise = room.source_null, room.target_null, room.noise
    last = -np.inf
    for step in range(steps):
        look = step % LOOK == LOOK - 1
        for k in range(sources * width):
            source[WORK, k], source[NEXT, k] = tempered(source[PRESENT, k], power), 0.0
        for k in range(targets * width):
            target[WORK, k], target[NEXT, k] = tempered(target[PRESENT, k], power), 0.0
        flat = tempered(noise[PRESENT] * noise[WORK], power)
        ratios, objective = 0.0, 0.0
        # E step: a cell's ratio of observed to explained, given to the words of each cept.
        for n in range(used):
            i, j = np.int64(cell_source[n]) * width, np.int64(cell_target[n]) * width
            explained = flat
            for c in range(cepts):
                explained += source[WORK, i + c] * target[WORK, j + c]
            ratio = cells[0, n] / max(explained, TINY)
            ratios += ratio
            if look:
                objective += cells[0, n] * np.log(max(explained, TINY))
            for c in range(cepts):
                source[NEXT, i + c] += ratio * target[WORK, j + c]
            for c in range(cepts):
                target[NEXT, j + c] += ratio * source[WORK, i + c]
        for side in range(2):
            null = source_null if side == 0 else target_null
            for k in range(sources if side == 0 else targets):
                if null[WORK, k] > 0:
                    own = tempered(null[PRESENT, k], power)
                    ratio = null[WORK, k] / max(flat + own, TINY)
                    ratios += ratio
                    null[PRESENT, k] = own * ratio
                    if look:
                        objective += null[WORK, k] * np.log(max(flat + own, TINY))
                else:
                    null[PRESENT, k] = 0.0
        # M step.
        noise[PRESENT] = flat * ratios
        for c in range(cepts):
            weight[c] = 0.0
        for i in range(sources):
            for c in range(cepts):
                source[PRESENT, i * width + c] = source[WORK, i * width + c] * source[NEXT, i * width + c]
                weight[c] += source[PRESENT, i * width + c]
        for j in range(targets):
            for c in range(cepts):
                joint = target[WORK, j * width + c] * target[NEXT, j * width + c]
                target[PRESENT, j * width + c] = joint / weight[c] if weight[c] > TINY else 0.0
        if look:
            if (objective - last) * EIGHTHS < tolerance * power:
                break
            last = objective


@helper
def log_likelihood(room, used, shape, cepts):
    """Return the mean log probability of the sample, and leave each cell's probability in the room."""
    sources, targets, width = shape
    cells, source, target = room.cells, room.source, room.target
    flat = room.noise[PRESENT] * room.noise[WORK]
    total = 0.0
    for n in range(used):
        i, j = np.int64(room.cell_source[n]) * width, np.int64(room.cell_target[n]) * width
        explained = flat
        for c in range(cepts):
            explained += source[PRESENT, i + c] * target[PRESENT, j + c]
        cells[1, n] = max(explained, TINY)
        total += cells[0, n] * np.log(cells[1, n])
    for side in range(2):
        null = room.source_null if side == 0 else room.target_null
        for k in range(sources if side == 0 else targets):
            if null[WORK, k] > 0:
                total += null[WORK, k] * np.log(max(flat + null[PRESENT, k], TINY))
    return total


@helper
def start_with_one(room, used, shape, with_noise):
    """Begin with one cept: source and target words are independent."""
    sources, targets, width = shape
    for k in range(sources * width):
        room.source[PRESENT, k] = 0.0
    for k in range(targets * width):
        room.target[PRESENT, k] = 0.0
    room.noise[PRESENT] = FIRST_NOISE if with_noise else 0.0
    room.noise[WORK] = 1.0 / ((sources + 1) * (targets + 1))
    rest = 1 - room.noise[PRESENT]
    total = 0.0
    for n in range(used):
        room.source[PRESENT, room.cell_source[n] * width] += rest * room.cells[0, n]
        room.target[PRESENT, room.cell_target[n] * width] += room.cells[0, n]
        total += room.cells[0, n]
    for j in range(targets):
        room.target[PRESENT, j * width] /= max(total, TINY)
    for i in range(sources):
        room.source_null[PRESENT, i] = rest * room.source_null[WORK, i]
    for j in range(targets):
        room.target_null[PRESENT, j] = rest * room.target_null[WORK, j]


@helper
def start_at_random(room, used, shape, cepts, with_noise):
    """Begin anywhere."""
    sources, targets, width = shape
    start_with_one(room, used, shape, with_noise)
    for i in range(sources):
        for c in range(cepts):
            room.source[PRESENT, i * width + c] = draw(room.chance) / (sources * cepts)
    for c in range(cepts):
        total = 0.0
        for j in range(targets):
            room.target[PRESENT, j * width + c] = draw(room.chance)
            total += room.target[PRESENT, j * width + c]
        for j in range(targets):
            room.target[PRESENT, j * width + c] /= total


@helper
def expect(room, used, shape, c):
    """Leave the counts that are expected of a cept in the room, cell by cell and word by word; returns their sum."""
    sources, targets, width = shape
    cells, source_axis, target_axis = room.cells, room.source_axis, room.target_axis
    for row in range(sources):
        source_axis[COUNTS, row] = 0.0
    for column in range(targets):
        target_axis[COUNTS, column] = 0.0
    weight = 0.0
    for n in range(used):
        i, j = np.int64(room.cell_source[n]), np.int64(room.cell_target[n])
        joint = room.source[PRESENT, i * width + c] * room.target[PRESENT, j * width + c]
        share = cells[0, n] * joint / cells[1, n]
        cells[2, n] = share
        source_axis[COUNTS, i] += share
        target_axis[COUNTS, j] += share
        weight += share
    return weight


@helper
def centre(axis, words, weight):
    """Give an axis the mean 0 and the variance 1, under the expected counts; returns its deviation before that."""
    mean = 0.0
    for k in range(words):
        mean += axis[COUNTS, k] * axis[AXIS, k] / weight
    variance = 0.0
    for k in range(words):
        axis[AXIS, k] -= mean
        variance += axis[COUNTS, k] * axis[AXIS, k] ** 2 / weight
    if variance < 1e-20:
        return 0.0
    for k in range(words):
        axis[AXIS, k] /= np.sqrt(variance)
    return np.sqrt(variance)


@helper
def find_axis(room, used, shape, c):
    """Find the axis along which a cept is most unlike one of independent words; returns its weight and correlation.

    These are the first singular vectors and value of its expected counts beside the trivial ones, by power iteration.
    A cept of correlation s is unstable under EM at powers above 1 / (1 + s): as the temperature falls, it splits there,
    along this axis.
    """
    sources, targets, _ = shape
    cells, cell_source, cell_target = room.cells, room.cell_source, room.cell_target
    source_axis, target_axis = room.source_axis, room.target_axis
    weight = expect(room, used, shape, c)
    correlation = 0.0
    if weight < TINY:
        return weight, correlation
    for i in range(sources):
        source_axis[AXIS, i] = i + 0.1 * ((7 * i) % 5)  # any start that no likely axis is orthogonal to
    for _ in range(AXIS_ROUNDS):
        if centre(source_axis, sources, weight) == 0:
            return weight, 0.0
        for j in range(targets):
            target_axis[AXIS, j] = 0.0
        for n in range(used):
            target_axis[AXIS, cell_target[n]] += cells[2, n] * source_axis[AXIS, cell_source[n]]
        for j in range(targets):
            target_axis[AXIS, j] = (
                target_axis[AXIS, j] / target_axis[COUNTS, j] if target_axis[COUNTS, j] > TINY else 0.0
            )
        correlation = centre(target_axis, targets, weight)
        if correlation == 0:
            return weight, 0.0
        for i in range(sources):
            source_axis[AXIS, i] = 0.0
        for n in range(used):
            source_axis[AXIS, cell_source[n]] += cells[2, n] * target_axis[AXIS, cell_target[n]]
        for i in range(sources):
            source_axis[AXIS, i] = (
                source_axis[AXIS, i] / source_axis[COUNTS, i] if source_axis[COUNTS, i] > TINY else 0.0
            )
    return weight, correlation


@helper
def halve(table, axis, words, width, c, new):
    """Share a cept's words among it and a new one, by their side of the axis."""
    for k in range(words):
        share = 0.5 * (1 + SHARPNESS * np.sign(axis[KEPT, k]))
        whole = table[PRESENT, k * width + c]
        table[PRESENT, k * width + new] = share * whole
        table[PRESENT, k * width + c] = (1 - share) * whole


@helper
def copy_row(table, origin, goal, length):
    """Copy the beginning of a row into another; a slice would compile for seconds."""
    for k in range(length):
        table[goal, k] = table[origin, k]


@helper
def find_unexplained(room, used):
    """Return the cell that would gain most by a cept of its own, and how much that is."""
    cells = room.cells
    most, chosen = 0.0, -1
    for n in range(used):
        if cells[0, n] > cells[1, n]:
            gain = cells[0, n] * np.log(cells[0, n] / cells[1, n])
            if gain > most:
                most, chosen = gain, n
    return chosen, most


@helper
def raise_from_noise(room, used, shape, new, seed):
    """Make a new cept of what noise explains in the row and in the column of a cell."""
    sources, targets, width = shape
    flat = room.noise[PRESENT] * room.noise[WORK]
    for row in range(sources):
        room.source[PRESENT, row * width + new] = 0.0
    for column in range(targets):
        room.target[PRESENT, column * width + new] = 0.0
    total = 0.0
    for n in range(used):
        i, j = np.int64(room.cell_source[n]), np.int64(room.cell_target[n])
        share = room.cells[0, n] * flat / room.cells[1, n]
        if j == room.cell_target[seed]:
            room.source[PRESENT, i * width + new] = share
        if i == room.cell_source[seed]:
            room.target[PRESENT, j * width + new] = share
            total += share
    for column in range(targets):
        room.target[PRESENT, column * width + new] /= max(total, TINY)


@helper
def find_cept(room, used, shape, cepts):
    """Return the cept that a split gains most from, and how much about that is; its axis is left in the room."""
    most, chosen = 0.0, -1
    for c in range(cepts):
        weight, correlation = find_axis(room, used, shape, c)
        # Exact for halves of equal weight that have nothing in common.
        gain = weight * correlation**2 * np.log(2)
        if gain > most:
            most, chosen = gain, c
            copy_row(room.source_axis, AXIS, KEPT, shape[0])
            copy_row(room.target_axis, AXIS, KEPT, shape[1])
    return chosen, most


@helper
def add_cept(room, used, shape, cepts, with_noise):
    """Split the cept from which most can be gained, or take one out of the noise; returns whether either could be."""
    sources, targets, width = shape
    chosen, gain = find_cept(room, used, shape, cepts)
    cell, noise_gain = find_unexplained(room, used)
    if with_noise and noise_gain > gain:
        raise_from_noise(room, used, shape, cepts, cell)
    elif chosen >= 0:
        halve(room.source, room.source_axis, sources, width, chosen, cepts)
        halve(room.target, room.target_axis, targets, width, chosen, cepts)
        for c in (chosen, cepts):
            total = 0.0
            for j in range(targets):
                total += room.target[PRESENT, j * width + c]
            for j in range(targets):
                room.target[PRESENT, j * width + c] /= max(total, TINY)
    if with_noise:
        room.noise[PRESENT] = max(room.noise[PRESENT], LEAST_NOISE)
    return chosen >= 0 or (with_noise and cell >= 0)


@helper
def copy(room, shape, origin, goal):
    """Copy one row of parameters into another."""
    sources, targets, width = shape
    copy_row(room.source, origin, goal, sources * width)
    copy_row(room.target, origin, goal, targets * width)
    copy_row(room.source_null, origin, goal, sources)
    copy_row(room.target_null, origin, goal, targets)
    room.noise[goal] = room.noise[origin]


@helper
def try_restarts(room, used, shape, cepts, rules):
    """Leave the best of some random starts as the present parameters."""
    best = -np.inf
    for _ in range(rules.restarts):
        start_at_random(room, used, shape, cepts, rules.noise)
        climb(room, used, shape, cepts, EIGHTHS, rules.steps, rules.tolerance)
        reached = log_likelihood(room, used, shape, cepts)
        if reached > best:
            best = reached
            copy(room, shape, PRESENT, TRIAL)
    copy(room, shape, TRIAL, PRESENT)


@helper
def fit(room, used, size, shape, rules):
    """Leave the parameters of the best number of cepts in the room; returns that number and the log likelihood.

    Each number begins where the one before ended, with one cept split. The search ends when the criterion has fallen
    more than `patience` times since its best.
    """
    sources, targets, _ = shape
    most = min(sources, targets)
    goal = min(rules.cepts, most)
    price = (sources + targets - 1) * (0.5 * np.log(max(size, 1.0)) if rules.bayes else 1.0)
    start_with_one(room, used, shape, rules.noise)
    cepts = np.int64(1)
    climb(room, used, shape, cepts, EIGHTHS, rules.steps, rules.tolerance)
    chosen, likelihood, best, falls = cepts, 0.0, -np.inf, 0
    while True:
        reached = size * log_likelihood(room, used, shape, cepts)
        value = reached - cepts * price
        if value > best or goal > 0:
            best, chosen, likelihood, falls = value, cepts, reached, 0
            copy(room, shape, PRESENT, BEST)
        else:
            falls += 1
        if falls > rules.patience or cepts == (goal if goal > 0 else most):
            break
        if rules.restarts > 0:
            try_restarts(room, used, shape, cepts + 1, rules)
        elif add_cept(room, used, shape, cepts, rules.noise):
            for power in rules.powers:
                steps = rules.steps if power == EIGHTHS else rules.warm_steps
                climb(room, used, shape, cepts + 1, power, steps, rules.tolerance)
        else:
            break
        cepts += 1
    copy(room, shape, BEST, PRESENT)
    return chosen, likelihood
