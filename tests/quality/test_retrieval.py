from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.quality import retrieval, retrieval_kernels
from cepts.quality.overlap import BlockOverlaps
from cepts.quality.retrieval import (
    Scorer,
    Vectors,
    Weights,
    paired_products,
    rank,
    usual_scores,
    weighed,
)
from tests.quality.overlaps import LEFT, RIGHT, bitext_of, overlap_of, random_gains, random_sentences
from tests.reference import overlap as twin

seeds = st.integers(0, 2**32 - 1)
BOTH = Weights(-1.5, 2.0, 3.0)


def random_scorer(random, sources=7, targets=6, k=5):
    """Return a scorer of both kinds of evidence, and its two kinds alone."""
    text = bitext_of(random_sentences(random, LEFT, sources), random_sentences(random, RIGHT, targets))
    overlaps = BlockOverlaps.of(overlap_of(random_gains(random)), text.source, text.target)
    one, other = (random.random((size, k), np.float32).round(1) for size in (sources, targets))
    one[random.random(sources) < 0.3] = 0
    return Scorer((sources, targets), BOTH, overlaps, Vectors(one, other))


def joined(found):
    """Return all rows of a ranking."""
    parts = list(found)
    return [np.concatenate([part[k] for part in parts]).tolist() for k in range(3)]


@given(seeds, st.integers(1, 8), st.integers(0, 7))
def test_ranks_as_if_all_scores_were_sorted(seed, wanted, neighbours):
    scorer = random_scorer(np.random.default_rng(seed))
    scores = scorer.prepared().block(0, 7)
    rows, numbers, values = joined(rank(scorer, wanted, neighbours))
    assert rows == list(range(7))
    for row, expected in enumerate(twin.ranking(scores.astype(float).tolist(), wanted, neighbours)):
        there = [n for n in numbers[row] if n >= 0]
        assert len(there) == len(expected)
        assert numbers[row][len(there) :] == [-1] * (min(wanted, 6) - len(there))
        assert values[row][len(there) :] == [-inf] * (min(wanted, 6) - len(there))
        np.testing.assert_allclose(values[row][: len(there)], [value for _, value in expected], atol=1e-5)
        if not neighbours:  # else rounding may part what is equal
            assert there == [n for n, _ in expected]


@given(seeds, st.integers(1, 20), st.integers(1, 3), st.sampled_from([0, 2]))
def test_blocks_and_threads_change_no_bit(seed, block, threads, neighbours):
    scorer = random_scorer(np.random.default_rng(seed), sources=17, targets=13)
    whole = joined(rank(scorer, 4, neighbours, block=17))
    assert joined(rank(scorer, 4, neighbours, block=block, threads=threads)) == whole
    assert joined(rank(scorer, 4, neighbours)) == whole


def test_memory_bounds_blocks(monkeypatch):
    assert retrieval._spans((100_000, 100_000), None)[0] == (0, 41)
    assert retrieval._spans((3, 10**9), None) == [(0, 1), (1, 2), (2, 3)]
    monkeypatch.setattr(retrieval, "CELLS", 12)
    assert retrieval._spans((5, 6), None) == [(0, 2), (2, 4), (4, 5)]


@given(seeds, st.integers(1, 11))
def test_products_are_the_same_in_pairs_and_blocks(seed, k):
    random = np.random.default_rng(seed)
    size = retrieval_kernels.TILE + 5
    one, other = (
        random.normal(size=(3, k)).astype(np.float32),
        random.normal(size=(size, k)).astype(np.float32),
    )
    one[0, : k // 2] = 0
    scorer = Scorer((3, size), Weights(0, 0, 1), None, Vectors(one, other)).prepared()
    block = scorer.block(0, 3)
    np.testing.assert_allclose(block, one.astype(float) @ other.T.astype(float), atol=1e-5)
    for row in range(3):
        pairs = paired_products(np.repeat(one[row : row + 1], size, axis=0), other)
        assert weighed(np.zeros(size, np.float32), pairs, Weights(0, 0, 1)).tolist() == block[row].tolist()


def test_equal_scores_come_in_the_order_of_lines():
    vectors = Vectors(np.ones((1, 1), np.float32), np.array([[1], [2], [1], [2], [0], [1]], np.float32))
    scorer = Scorer((1, 6), Weights(0, 0, 1), None, vectors)
    (found,) = rank(scorer, 6, neighbours=0)
    assert found.targets.tolist() == [[1, 3, 0, 2, 5, -1]]
    assert found.scores.tolist() == [[2, 2, 1, 1, 1, -inf]]
    (found,) = rank(scorer, 3, neighbours=0)
    assert found.targets.tolist() == [[1, 3, 0]]


def test_neighbours_hold_back_what_is_near_to_all():
    # By hand: the first target is near to both sources (9 and 8), the second to the second source alone (7).
    vectors = Vectors(np.eye(2, dtype=np.float32), np.array([[9, 8], [1, 7]], np.float32))
    scorer = Scorer((2, 2), Weights(0, 0, 1), None, vectors)
    assert joined(rank(scorer, 1, neighbours=0))[1] == [[0], [0]]
    assert usual_scores(scorer.swapped(), 2).tolist() == [8.5, 4.0]
    assert usual_scores(scorer, 2).tolist() == [5.0, 7.5]
    _, numbers, values = joined(rank(scorer, 1, neighbours=2))
    assert numbers == [[0], [1]]
    assert values == [[9 - 4.25 - 2.5], [7 - 2 - 3.75]]


def test_no_evidence_is_no_partner():
    vectors = Vectors(np.array([[0], [1]], np.float32), np.array([[1], [0]], np.float32))
    scorer = Scorer((2, 2), Weights(5, 1, 1), None, vectors)
    for neighbours in (0, 4):
        _, numbers, values = joined(rank(scorer, 2, neighbours))
        assert numbers == [[-1, -1], [0, -1]]
        assert values[0] == [-inf, -inf]
        assert np.isfinite(values[1][0])


def test_empty_lists():
    def factors(rows):
        return np.ones((rows, 2), np.float32)

    assert list(rank(Scorer((0, 3), BOTH, None, Vectors(factors(0), factors(3))), 2)) == []
    (found,) = rank(Scorer((2, 0), BOTH, None, Vectors(factors(2), factors(0))), 2)
    assert found.targets.shape == found.scores.shape == (2, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_best": 0}, "n_best=0: expected a number from 1 to 10000"),
        ({"n_best": 1, "neighbours": -1}, "neighbours=-1: expected a number from 0 to 1000"),
        ({"n_best": 1, "block": 0}, "block=0: expected a number from 1 to 1000000000"),
    ],
)
def test_refuses_what_cannot_be(options, message):
    with pytest.raises(OptionError, match=message):
        rank(random_scorer(np.random.default_rng(1)), **options)


def test_each_kernel_is_compiled_once():
    scorer = random_scorer(np.random.default_rng(1))
    list(rank(scorer, 2, block=3))
    paired_products(scorer.vectors.sources[:2], scorer.vectors.targets[:2])
    for kernel in ("block_products", "pair_products", "weigh", "best_of_rows"):
        assert len(getattr(retrieval_kernels, kernel).signatures) == 1, kernel
