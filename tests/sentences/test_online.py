"""The factorisation of a stream: near the one that sees all, whatever the batches, and nothing dies unseen."""

import numpy as np
import pytest

from cepts.errors import InputError
from cepts.sentences import FactorOptions, JointNMF
from cepts.sentences.matrices import as_matrix, row_blocks
from cepts.sentences.online import Stream
from tests.reference import joint_factorisation as twin
from tests.sentences.factorisations import likeness, planted, sparse_problem

ONE_LANGUAGE = {0.0: "divergence", 1.0: "non-negative"}


def loss_by_projection(factors, given, beta):
    """The objective of sentences that are projected by both languages' features together."""
    both = JointNMF(k=factors[0].shape[1], beta=beta)
    both.factors = [np.concatenate(factors), factors[1]]
    rows = both.transform(np.concatenate(given, axis=1), projection=ONE_LANGUAGE[beta]).astype(float)
    return twin.objective(given, rows, [np.maximum(each, 1e-9).astype(float) for each in factors], beta)


@pytest.mark.parametrize("beta", [0.0, 1.0])
@pytest.mark.parametrize("batch", [25, 100, 400])
def test_a_stream_ends_near_the_solution_of_all(beta, batch, seed):
    given, planted_factors = planted(seed, rows=400, noise=0.05)
    whole = JointNMF(k=3, beta=beta, start="svd", iterations=300).fit(*given)
    stream = JointNMF(k=3, beta=beta, batch=batch, epochs=40 * batch // 100 + 5, seed=2).fit(*given)
    losses = [loss_by_projection(each, given, beta) for each in (whole.factors, stream.factors)]
    nothing = loss_by_projection([np.ones_like(each) for each in whole.factors], given, beta)
    assert losses[1] - losses[0] < 0.05 * (nothing - losses[0])
    assert likeness(np.concatenate(stream.factors), np.concatenate(planted_factors)) > 0.98


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_losses_of_one_batch_that_is_everything_fall(beta, seed):
    given, _, _ = sparse_problem(seed)
    model = JointNMF(k=4, beta=beta, batch=1000, epochs=30).fit(*given)
    assert len(model.losses) == 30
    assert np.mean(model.losses[-5:]) < 0.8 * model.losses[0]
    assert np.all(np.isfinite(np.concatenate(model.factors)))


def test_a_loss_is_that_of_one_sentence(seed):
    given, _, _ = sparse_problem(seed)
    twice = [np.concatenate([each, each]) for each in given]
    once, double = (
        JointNMF(k=4, batch=1000, epochs=30, seed=3).fit(*each).losses[-1] for each in (given, twice)
    )
    assert once == pytest.approx(double, rel=0.1)


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_features_of_later_batches_live(beta, seed):
    random = np.random.default_rng(seed)
    source, target = random.poisson(1.0, (90, 8)) * 1.0, random.poisson(1.0, (90, 6)) * 1.0
    source[:30, 5] = target[:60, 2] = 0
    model = JointNMF(k=3, beta=beta, batch=30, epochs=8).fit(source, target)
    alike = model.source_factors.sum(axis=1)
    assert alike[5] > 0.3 * np.median(alike)
    assert model.target_factors[2].sum() > 0.1 * np.median(model.target_factors.sum(axis=1))


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_features_that_never_come_fade(beta, seed):
    given, _, _ = sparse_problem(seed)
    model = JointNMF(k=3, beta=beta, batch=10, epochs=30).fit(*given)
    assert model.source_factors[2].max() < 0.02 * model.source_factors.max()
    assert model.target_factors[4].max() < 0.02 * model.target_factors.max()


@pytest.mark.parametrize(
    ("epochs", "weight"), [(2, 0.0), (1, 0.1)]
)  # parts do not know that sentences come again
@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_parts_are_a_stream(beta, epochs, weight, seed):
    given, _, _ = sparse_problem(seed)
    options = {
        "k": 3,
        "beta": beta,
        "factor_sparsity": weight,
        "row_sparsity": weight,
        "coupling": weight,
        "seed": 7,
    }
    whole = JointNMF(batch=8, epochs=epochs, **options).fit(*given)
    parts, streamed = JointNMF(**options), JointNMF(batch=8, epochs=epochs, **options)
    sparse = [as_matrix(each) for each in given]
    for _ in range(epochs):
        for first, end in row_blocks(30, 8):
            assert parts.partial_fit(given[0][first:end], given[1][first:end]) is parts
    streamed.fit_stream(lambda: (tuple(each.part(*rows) for each in sparse) for rows in row_blocks(30, 8)))
    for other in (parts, streamed):
        assert other.losses == whole.losses
        assert len(other.losses) == 4 * epochs
        for side in (0, 1):
            np.testing.assert_array_equal(other.factors[side], whole.factors[side])


def test_batches_without_sentences_are_no_batches(seed):
    given, _, _ = sparse_problem(seed)
    one, other = JointNMF(k=3), JointNMF(k=3)
    one.partial_fit(given[0][:0], given[1][:0])
    with pytest.raises(InputError, match=r"^this model has not been fitted"):
        one.transform(given[0])
    one.partial_fit(*given).partial_fit(given[0][:0], given[1][:0])
    np.testing.assert_array_equal(one.source_factors, other.partial_fit(*given).source_factors)


def test_progress_is_told_by_batch(seed):
    given, _, _ = sparse_problem(seed)
    told = []
    model = JointNMF(k=3, batch=10, epochs=2, progress=lambda *each: told.append(each)).fit(*given)
    assert told == list(enumerate(model.losses, 1))
    assert len(told) == 6


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_what_would_have_led_to_the_start_leaves_it(beta, seed):
    """A batch of empty sentences says nothing: shares of features stay, all fade alike."""
    given, _, _ = sparse_problem(seed)
    stream = Stream(FactorOptions(k=3, beta=beta))
    stream.add(*(as_matrix(np.zeros_like(each)) for each in given))
    expected = [each / each.sum() for each in stream.factors]
    stream.add(*(as_matrix(np.zeros_like(each)) for each in given))
    for found, sought in zip(stream.factors, expected, strict=True):
        np.testing.assert_allclose(found / found.sum(), sought, rtol=1e-4)
        assert found.any()


def test_one_step_by_hand():
    # KL, one feature a side, k = 1. A sentence fits both features at once: x = (6 + 3) / (a1 + a2). What is remembered
    # of a feature is its share of values, x * a * (y / (x * a)) = y, mixed with a0 * x0 from the start, and its factor
    # is that by what is remembered of sentences, a mixture of x0 and x.
    stream = Stream(FactorOptions(k=1))
    random = np.random.default_rng(1)
    first_x = 0.99 * random.standard_exponential((1, 1), np.float32).item() + 0.01
    shares = [0.99 * random.standard_exponential((1, 1), np.float32).item() + 0.01 for _ in range(2)]
    begin = [1.5 * total / 2 * share for total, share in zip((6, 3), shares, strict=True)]
    x, weight = 9 / sum(begin), 2**-0.6
    stream.add(as_matrix([[6]]), as_matrix([[3]]))
    sentences = (1 - weight) * first_x + weight * x
    for factor, value, before in zip(stream.factors, (6, 3), begin, strict=True):
        assert factor.item() == pytest.approx(
            ((1 - weight) * before * first_x + weight * value) / sentences, rel=1e-5
        )


@pytest.mark.parametrize("beta", [0.0, 1.0])
@pytest.mark.parametrize("weight", [1.0, 20.0])
def test_penalties_of_a_stream_are_those_of_all_sentences(beta, weight, seed):
    given, _ = planted(seed, rows=400, noise=0.05)
    options = {"k": 3, "beta": beta, "factor_sparsity": weight, "row_sparsity": 0.1 * weight}
    whole = JointNMF(start="svd", iterations=300, **options).fit(*given)
    stream = JointNMF(batch=100, epochs=30, **options).fit(*given)
    for one, other in zip(whole.factors, stream.factors, strict=True):
        assert 0.5 < other.sum() / one.sum() < 2


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_streams_do_not_know_scales(beta, seed):
    given, _, _ = sparse_problem(seed)
    small, large = (
        JointNMF(k=3, beta=beta, batch=10).fit(*(scale * each for each in given)) for scale in (2.0**-20, 1)
    )
    np.testing.assert_allclose(small.source_factors * 2.0**20, large.source_factors, rtol=1e-3, atol=1e-5)


def test_a_first_batch_without_sentences_is_told_nothing(seed):
    given, _, _ = sparse_problem(seed)
    told = []
    matrices = [as_matrix(each) for each in given]
    model = JointNMF(k=3, epochs=1, progress=lambda *each: told.append(each))
    model.fit_stream(lambda: [tuple(each.part(0, 0) for each in matrices), tuple(matrices)])
    assert told == [(1, model.losses[0])]
