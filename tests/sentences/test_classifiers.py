"""Classifiers: slow twins, laws, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.sentences import classifier_kernels
from cepts.sentences.classifiers import LVQ, BestDimension, Perceptron, Regression
from tests.reference import classifiers as twin

ALL = (Perceptron, Regression, BestDimension, LVQ)
seeds = st.integers(0, 2**32 - 1)


def without_bias(kind):
    """Return a classifier for which a row and its opposite are opposite cases."""
    return kind(bias=False) if kind in (Perceptron, BestDimension) else kind()


def random_case(seed, rows=12, columns=3):
    """Return rows of small whole numbers, many of them equal, and labels of both kinds."""
    random = np.random.default_rng(seed)
    table = random.integers(-3, 4, (rows, columns)).astype(np.float32)
    labels = random.random(rows) < 0.5
    labels[:2] = [True, False]
    return table, labels


def clouds(seed, count=200):
    """Return two clouds of points of different units around (2, 0) and (-2, 0), and which is which."""
    random = np.random.default_rng(seed)
    labels = random.random(count) < 0.5
    middles = np.where(labels, 2.0, -2.0)
    return np.column_stack([middles + random.normal(size=count), 1000 * random.normal(size=count)]), labels


@given(seeds, st.integers(1, 3))
def test_the_perceptron_is_the_mean_of_all_weights(seed, epochs):
    _, labels = random_case(seed)
    table = np.random.default_rng(seed).normal(size=(12, 3)) * [1, 10, 100]  # no row on the border
    spread = np.sqrt((table**2).mean(axis=0))
    random = np.random.default_rng(5)
    orders = [random.permutation(len(table)) for _ in range(epochs)]
    signs = np.where(labels, 1, -1)
    for bias in (True, False):
        rows = np.column_stack([table / spread, np.ones(len(table))]) if bias else table / spread
        expected = twin.perceptron(rows.tolist(), signs, orders)
        model = Perceptron(epochs, bias=bias).fit(table, labels, seed=5)
        assert model.weights == pytest.approx(np.array(expected[:3]) / spread, rel=1e-9, abs=1e-12)
        assert model.bias == pytest.approx(expected[3] if bias else 0, abs=1e-12)


def test_the_perceptron_of_two_rows_by_hand():
    # Rows 1 and -1 after scaling. Without bias the first row seen adds (or takes away) itself: weight 1, which is right
    # for both from then on, so that the mean is 1, and 1/2 for rows twice as large.
    model = Perceptron(bias=False).fit(np.array([[2.0], [-2.0]]), np.array([True, False]))
    assert model.weights.tolist() == [0.5]
    assert model.margin(np.array([[4.0]])).tolist() == [2.0]


@given(seeds)
def test_a_pass_of_lvq_moves_what_its_twin_moves(seed):
    random = np.random.default_rng(seed)
    table, labels = random_case(seed)
    rows, signs = table.astype(np.float64), np.where(labels, 1.0, -1.0)
    prototypes = random.normal(size=(4, 3))
    order, rates = random.permutation(len(rows)), random.uniform(0, 0.3, len(rows))
    expected = twin.lvq(rows.tolist(), signs, order, rates, prototypes.tolist())
    classifier_kernels.lvq_epoch(rows, signs, order, rates, prototypes)
    assert prototypes == pytest.approx(np.array(expected), rel=1e-9, abs=1e-12)


@given(seeds, st.integers(1, 3))
def test_the_margin_of_lvq_goes_by_the_nearest_prototypes(seed, prototypes):
    table, labels = random_case(seed)
    model = LVQ(prototypes, epochs=2).fit(table, labels)
    assert len(model.prototypes) == 2 * prototypes
    scaled = (table / model.spread).tolist()
    expected = [twin.lvq_margin(row, model.prototypes.tolist()) for row in scaled]
    assert model.margin(table) == pytest.approx(np.array(expected), rel=1e-4, abs=1e-5)


@given(seeds, st.booleans())
def test_no_single_dimension_is_better_than_the_best(seed, free):
    table, labels = random_case(seed)
    model = BestDimension(bias=free).fit(table, labels)
    signs = np.where(labels, 1, -1)
    balance = np.sum(np.sign(model.margin(table)) * signs)
    assert balance == twin.best_balance_of_a_column(table.tolist(), signs, free)
    assert np.count_nonzero(model.weights) == 1


def test_the_threshold_is_in_the_widest_gap():
    rows = np.array([[0.0], [1], [5], [6]])
    model = BestDimension().fit(rows, np.array([False, True, False, True]))
    # Above 0.5 is true, and above 5.5 is true: both have 3 of 4 right, in gaps of 1. The first counts.
    assert (model.weights.tolist(), model.bias) == ([1.0], -0.5)
    rows[3] = 7
    model = BestDimension().fit(rows, np.array([False, True, False, True]))
    assert (model.weights.tolist(), model.bias) == ([1.0], -6.0)


def test_the_threshold_of_one_wrong_row():
    rows = np.array([[0.0], [1], [5], [6]])
    model = BestDimension().fit(rows, np.array([True, False, True, True]))
    # Only "above 3" has 3 of 4 right.
    assert (model.weights.tolist(), model.bias) == ([1.0], -3.0)


@pytest.mark.parametrize("kind", ALL)
def test_two_clouds_are_told_apart(kind, seed):
    rows, labels = clouds(seed)
    model = kind().fit(rows, labels, seed=3)
    new, expected = clouds(seed + 1)
    assert np.mean((model.margin(new) > 0) == expected) > 0.93
    assert model.width == 2


@pytest.mark.parametrize("kind", ALL)
def test_a_row_is_judged_without_the_others(kind, seed):
    rows, labels = clouds(seed)
    model = kind().fit(rows, labels)
    whole = model.margin(rows)
    assert whole.dtype == np.float32
    assert (
        np.concatenate([model.margin(rows[k : k + 1]) for k in range(len(rows))]).tolist() == whole.tolist()
    )


@pytest.mark.parametrize("kind", ALL)
def test_the_same_seed_gives_the_same_classifier(kind):
    rows, labels = clouds(0)
    one, other = (kind().fit(rows, labels, seed=8).margin(rows) for _ in range(2))
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("kind", [Perceptron, LVQ])
def test_another_seed_gives_another_classifier(kind):
    rows, labels = clouds(0)
    one, other = (kind().fit(rows, labels, seed=seed).margin(rows) for seed in (1, 2))
    assert one.tolist() != other.tolist()


@pytest.mark.parametrize("kind", ALL)
def test_what_is_packed_is_unpacked(kind, seed):
    rows, labels = clouds(seed)
    model = kind().fit(rows, labels)
    arrays = model.packed("mine_")
    assert all(name.startswith("mine_") for name in arrays)
    assert kind.unpacked(arrays, "mine_").margin(rows).tolist() == model.margin(rows).tolist()


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("spoiled", [np.nan, np.inf, 1e13])
def test_what_is_no_number_is_not_unpacked(kind, spoiled):
    arrays = kind().fit(*clouds(0)).packed()
    for name in arrays:
        bad = arrays[name].copy()
        bad.flat[0] = spoiled
        with pytest.raises(ValueError, match="holds something else where numbers are expected"):
            kind.unpacked({**arrays, name: bad})
        with pytest.raises(ValueError, match="holds something else where numbers are expected"):
            kind.unpacked({**arrays, name: arrays[name].astype(np.float32)})


def test_prototypes_that_do_not_fit_are_not_unpacked():
    arrays = LVQ().fit(*clouds(0)).packed()
    with pytest.raises(ValueError, match="its prototypes do not fit each other"):
        LVQ.unpacked({**arrays, "prototypes": arrays["prototypes"][:1]})
    with pytest.raises(ValueError, match="its prototypes do not fit each other"):
        LVQ.unpacked({**arrays, "spread": arrays["spread"][:1]})
    with pytest.raises(ValueError, match="its columns have no spread"):
        LVQ.unpacked({**arrays, "spread": np.zeros(2)})
    with pytest.raises(ValueError, match="its classifier has no weights"):
        Regression.unpacked({"weights": np.zeros(0)})


@pytest.mark.parametrize("kind", ALL)
def test_columns_of_zeros_and_single_rows_do_no_harm(kind):
    rows = np.array([[0.0, 1, 1e-30], [0, -1, 0]])
    model = without_bias(kind).fit(rows, np.array([True, False]))
    assert model.margin(rows).tolist() == pytest.approx((-model.margin(-rows)).tolist())
    assert (model.margin(rows) > 0).tolist() == [True, False]


@pytest.mark.parametrize("kind", ALL)
def test_rows_without_any_difference_give_no_answer(kind):
    model = without_bias(kind).fit(np.zeros((4, 2)), np.array([True, False, True, False]))
    assert model.margin(np.zeros((1, 2))).tolist() == [0.0]


@pytest.mark.parametrize("kind", ALL)
def test_numbers_of_all_sizes_stay_numbers(kind):
    rows, labels = clouds(1)
    model = kind().fit(rows * np.array([1e9, 1e-9]), labels)
    assert np.isfinite(model.margin(rows)).all()
    assert all(np.isfinite(array).all() for array in model.packed().values())


@pytest.mark.parametrize("kind", ALL)
def test_what_cannot_be_learned_from_is_refused(kind):
    rows = np.array([[1.0], [2.0]])
    with pytest.raises(InputError, match=r"^2 rows of which 2 are true: there must be some of both kinds$"):
        kind().fit(rows, np.array([True, True]))
    with pytest.raises(InputError, match=r"^0 rows of which 0 are true: there must be some of both kinds$"):
        kind().fit(np.zeros((0, 1)), np.zeros(0, bool))
    with pytest.raises(
        InputError, match=r"rows of shape \(2, 1\) with labels of shape \(3,\): expected a table"
    ):
        kind().fit(rows, np.array([True, False, True]))
    for spoiled in (np.nan, np.inf, -2e12):
        with pytest.raises(InputError, match="hold values that are too large or no numbers"):
            kind().fit(np.array([[1.0], [spoiled]]), np.array([True, False]))
    model = kind().fit(rows, np.array([True, False]))
    with pytest.raises(
        InputError, match=r"rows of shape \(2, 3\): this classifier learned from rows of 1 col"
    ):
        model.margin(np.zeros((2, 3)))


def test_options_that_cannot_be_used():
    with pytest.raises(OptionError, match=r"^epochs must be a whole number of at least 1, got 0$"):
        Perceptron(0)
    with pytest.raises(OptionError, match=r"^epochs must be a whole number of at least 1, got 1.5$"):
        LVQ(epochs=1.5)
    with pytest.raises(OptionError, match=r"^prototypes must be a whole number of at least 1, got -1$"):
        LVQ(-1)
    with pytest.raises(OptionError, match=r"^rate must be a number between 0 and 1, got 1$"):
        LVQ(rate=1)
    with pytest.raises(OptionError, match=r"^ridge must be a number above 0, got nan$"):
        Regression(float("nan"))


def test_a_ridge_makes_weights_small():
    rows, labels = clouds(0)
    sizes = [np.abs(Regression(ridge).fit(rows, labels).weights[0]) for ridge in (1e-4, 1e-2, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < sizes[0] / 3


def test_kernels_compile_once():
    rows, labels = clouds(0)
    for kind in (Perceptron, LVQ):
        kind().fit(rows.astype(np.float32), labels)
        kind().fit(rows, labels)
    for kernel in (classifier_kernels.perceptron_epoch, classifier_kernels.lvq_epoch):
        assert len(kernel.signatures) == 1
