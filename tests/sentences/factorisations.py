"""Small matrices to factorise, and factors that take note of each change."""

import itertools

import numpy as np
from hypothesis import strategies as st

from cepts.sentences.factorising import Pair, iterations_of
from cepts.sentences.matrices import CHUNK, as_matrix, chunk_of, paired_blocks

VALUES = st.sampled_from(
    [0, 0, 0, 0.25, 1, 1, 2, 5]
)  # exact in single precision, and about half of them zeros
BETAS = (-0.5, 0.0, 0.5, 1.0, 1.5, 2.0)


@st.composite
def matrices(draw, most_rows=6, most_features=5):
    """Two matrices with the same number of rows; rows and columns may be empty, a side may have no feature."""
    rows = draw(st.integers(1, most_rows))
    widths = draw(st.tuples(st.integers(0, most_features), st.integers(1, most_features)))
    return [
        np.array(draw(st.lists(VALUES, min_size=rows * width, max_size=rows * width)), float).reshape(
            rows, width
        )
        for width in draw(st.permutations(widths))
    ]


def uneven(random, *shape):
    """Positive numbers as the kernels take them."""
    return (random.exponential(size=shape) + 0.05).astype(np.float32)


def start(given, k, seed):
    """Return rows and factors to begin with."""
    random = np.random.default_rng(seed)
    return uneven(random, len(given[0]), k), [uneven(random, each.shape[1], k) for each in given]


def sparse_problem(seed, rows=30, widths=(12, 9), k=4):
    """Counts with an empty row, a row that is empty on one side, and an empty column, and a start."""
    random = np.random.default_rng(seed)
    given = [random.poisson(0.6, (rows, width)) * random.choice([0.5, 1, 3], width) for width in widths]
    given[0][3] = given[1][3] = given[0][5] = 0
    given[0][:, 2] = given[1][:, 4] = 0
    return given, *start(given, k, seed + 1)


def planted(seed, rows=60, widths=(15, 10), k=3, noise=0.0):
    """Matrices that are products of factors, each dimension with features and sentences that are its own alone."""
    random = np.random.default_rng(seed)
    factors = [np.zeros((width, k)) for width in widths]
    for each in factors:
        places = np.arange(len(each)) % k
        each[np.arange(len(each)), places] = random.uniform(0.5, 2, len(each))
    weights = random.exponential(size=(rows, k)) * (random.random((rows, k)) < 0.6)
    weights[:k] = np.eye(k)
    return [weights @ each.T + noise * random.random((rows, len(each))) for each in factors], factors


def likeness(found, expected):
    """Return how alike the columns are at the least, in the best order and whatever their scale (1: the same)."""
    units = [each / np.maximum(np.linalg.norm(each, axis=0), 1e-12) for each in (found, expected)]
    cosines = units[0].T @ units[1]
    orders = itertools.permutations(range(expected.shape[1]))
    return max(min(cosines[order[j], j] for j in range(len(order))) for order in orders)


def pairs_of(given, rows, entries=CHUNK):
    """Cut matrices into chunks, with copies of the rows."""
    blocks = paired_blocks(*(as_matrix(each) for each in given), entries)
    pairs, first = [], 0
    for source, target in blocks:
        pairs.append(
            Pair(
                (chunk_of(source), chunk_of(target)), np.array(rows[first : first + source.rows], np.float32)
            )
        )
        first += source.rows
    assert first == len(rows)
    return pairs


class Watched(list):
    """The factors of both languages; `states` are rows and factors after each update of any of the three."""

    def __init__(self, pairs, factors):
        super().__init__(np.array(each, np.float32) for each in factors)
        self.pairs, self.states = pairs, []

    def __setitem__(self, side, value):
        if side == 0:  # all sentences were updated before the first language's features are
            self.note()
        super().__setitem__(side, value)
        self.note()

    def note(self):
        rows = np.concatenate([pair.rows for pair in self.pairs])
        self.states.append((rows.astype(float), [each.astype(float) for each in self]))


def updates(given, rows, factors, options, iterations, entries=CHUNK, threads=1):
    """Return rows and factors after each update, three of them in an iteration, and the objectives told."""
    pairs = pairs_of(given, rows, entries)
    watched = Watched(pairs, factors)
    told = []
    running = iterations_of(pairs, watched, options, threads)
    while len(watched.states) < 3 * iterations:
        told.append(next(running))
    return watched.states[: 3 * iterations], told[:iterations]
