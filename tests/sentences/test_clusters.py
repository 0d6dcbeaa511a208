"""Factorisation on a cluster gives what threads give."""

import numpy as np
import pytest

from cepts.sentences import JointNMF
from cepts.sentences.matrices import as_matrix, paired_blocks
from tests.running.clusters import workers


@pytest.mark.parametrize(
    "options", [{"beta": 1}, {"beta": 0}, {"beta": 0.5}, {"beta": 1, "update": "additive"}]
)
def test_factors_have_the_same_bits(options, seed):
    random = np.random.default_rng(seed)
    source, target = (as_matrix(random.poisson(0.3, (60, width)).astype(float)) for width in (30, 20))
    blocks = list(paired_blocks(source, target, entries=100))
    assert len(blocks) > 3
    with workers() as cluster:
        here, there = (
            JointNMF(4, iterations=5, client=client, **options).fit_blocks(iter(blocks), (30, 20))
            for client in (None, cluster)
        )
    assert here.losses == there.losses
    for one, other in zip(here.factors, there.factors, strict=True):
        np.testing.assert_array_equal(one, other)
