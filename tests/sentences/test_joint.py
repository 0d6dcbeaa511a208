"""`JointNMF`: planted factors, the same for all threads and limits of memory, and its borders."""

import numpy as np
import pytest

from cepts.errors import InputError, OptionError
from cepts.sentences import FactorOptions, JointNMF, Matrix
from cepts.sentences import joint as joint_module
from cepts.sentences.matrices import as_matrix, paired_blocks, row_blocks
from cepts.storage.scratch import Scratch
from tests.reference import joint_factorisation as twin
from tests.sentences.factorisations import BETAS, likeness, planted, sparse_problem


@pytest.mark.parametrize("start", ["random", "svd"])
@pytest.mark.parametrize(
    "options", [{"beta": 0.0}, {"beta": 1.0}, {"beta": 0.5}, {"beta": 1.0, "update": "additive"}]
)
def test_planted_factors_are_found(start, options, seed):
    given, factors = planted(seed)
    model = JointNMF(k=3, start=start, iterations=1500, tolerance=0, seed=4, **options).fit(*given)
    assert model.losses[-1] < 2e-3 * model.losses[0]
    assert likeness(model.source_factors, factors[0]) > 0.995
    assert likeness(model.target_factors, factors[1]) > 0.995
    both = [np.concatenate(each) for each in (model.factors, factors)]
    assert likeness(*both) > 0.995  # the same dimension has both languages' features


def test_both_languages_sentences_are_at_the_same_place(seed):
    given, _ = planted(seed)
    model = JointNMF(k=3, start="svd", tolerance=0).fit(*given)
    scores = model.score(*given)
    known = np.all([each.any(axis=1) for each in given], axis=0)
    assert scores[known].min() > 0.99
    assert not scores[~known].any()
    shifted = model.score(given[0], np.roll(given[1], 1, axis=0))
    assert shifted.mean() < 0.8 * scores.mean()


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_the_svd_start_is_ahead_of_chance(beta, seed):
    given, _ = planted(seed, noise=0.1)
    near = JointNMF(k=3, beta=beta, start="svd", iterations=4, tolerance=0).fit(*given).losses[-1]
    for number in range(1, 6):
        random = JointNMF(k=3, beta=beta, iterations=4, tolerance=0, seed=number).fit(*given).losses[-1]
        assert near < random


@pytest.mark.parametrize("beta", BETAS)
def test_losses_are_told_from_start_to_end(beta, seed):
    given, _, _ = sparse_problem(seed)
    told = []
    model = JointNMF(k=4, beta=beta, iterations=7, tolerance=0, progress=lambda *each: told.append(each))
    losses = model.fit(*given).losses
    assert len(losses) == 8
    assert np.all(np.diff(losses) < 1e-5 * losses[0])
    assert losses[-1] < 0.8 * losses[0]
    assert told == list(enumerate(losses[:-1]))


def test_updates_end_when_little_is_gained(seed):
    given, _, _ = sparse_problem(seed)
    losses = JointNMF(k=4, iterations=500, tolerance=1e-3).fit(*given).losses
    assert 4 < len(losses) < 100
    falls = -np.diff(losses[:-1])
    assert np.all(falls[:-1] >= 1e-3 * losses[0])
    assert falls[-1] < 1e-3 * losses[0]
    assert len(JointNMF(k=4, iterations=20, tolerance=0).fit(*given).losses) == 21


@pytest.fixture
def small_chunks(monkeypatch):
    """Many chunks, even of small matrices."""

    def cut(source, target):
        return paired_blocks(source, target, 20)

    monkeypatch.setattr(joint_module, "paired_blocks", cut)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("start", ["random", "svd"])
@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
def test_threads_and_memory_give_the_same_bits(start, beta, seed, monkeypatch):
    given, _, _ = sparse_problem(seed)
    scratches = []

    class Noted(Scratch):
        def __init__(self, limit):
            super().__init__(limit)
            scratches.append(self)

    monkeypatch.setattr(joint_module, "Scratch", Noted)
    options = {"k": 3, "beta": beta, "start": start, "coupling": 0.1, "iterations": 6, "tolerance": 0}
    expected = JointNMF(**options).fit(*given)
    for threads, memory in ((2, 1 << 29), (3, 1 << 29), (1, 0), (3, 0), (2, 3000)):
        model = JointNMF(threads=threads, memory=memory, **options).fit(*given)
        assert bool(scratches[-1].on_disk) == (memory < 1 << 29)
        assert model.losses == expected.losses
        np.testing.assert_array_equal(model.source_factors, expected.source_factors)
        np.testing.assert_array_equal(model.target_factors, expected.target_factors)
        np.testing.assert_array_equal(model.transform(given[0]), expected.transform(given[0]))


@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_blocks_are_as_good_as_whole_matrices(beta, seed):
    given, _, _ = sparse_problem(seed)
    sparse = [as_matrix(each) for each in given]
    options = {"k": 4, "beta": beta, "start": "svd", "iterations": 15, "tolerance": 0}
    whole = JointNMF(**options).fit(*given)
    blocks = [tuple(each.part(*rows) for each in sparse) for rows in row_blocks(len(given[0]), 7)]
    parts = JointNMF(**options).fit_blocks(iter(blocks), (12, 9))
    np.testing.assert_allclose(parts.losses, whole.losses, rtol=1e-4)
    np.testing.assert_allclose(parts.source_factors, whole.source_factors, atol=2e-3)


def test_seeds_differ_and_repeat(seed):
    given, _, _ = sparse_problem(seed)
    one, same, other = (
        JointNMF(k=3, seed=number, iterations=5).fit(*given).source_factors for number in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)


def test_the_objective_has_the_penalties(seed):
    given, _, _ = sparse_problem(seed)
    free = JointNMF(k=3, beta=1.0, iterations=300).fit(*given)
    bound = JointNMF(k=3, beta=1.0, iterations=300, coupling=2.0).fit(*given)
    shared = [
        float(each.source_factors.sum(axis=0) @ each.target_factors.sum(axis=0)) for each in (free, bound)
    ]
    assert shared[1] < 0.5 * shared[0]
    assert bound.losses[-1] > free.losses[-1]


class FakeSparse:
    """What is used of a sparse matrix of SciPy; entries of a row in any order, some twice, some zero."""

    def __init__(self, rows, shape):
        self.given, self.shape, self.copied = rows, shape, False

    def tocsr(self):
        self._fill()
        return self

    def copy(self):
        other = FakeSparse([list(row) for row in self.given], self.shape)
        other._fill()
        other.copied = True
        return other

    def sum_duplicates(self):
        assert self.copied, "the user's matrix is not ours to change"
        self.given = [
            [
                (feature, sum(value for other, value in row if other == feature))
                for feature in sorted({each[0] for each in row})
            ]
            for row in self.given
        ]
        self._fill()

    def eliminate_zeros(self):
        assert self.copied, "the user's matrix is not ours to change"
        self.given = [[entry for entry in row if entry[1] != 0] for row in self.given]
        self._fill()

    def _fill(self):
        self.indptr = np.cumsum([0, *(len(row) for row in self.given)]).astype(np.int32)
        self.indices = np.array([feature for row in self.given for feature, _ in row], np.int64)
        self.data = np.array([value for row in self.given for _, value in row], np.float64)


def test_arrays_matrices_and_sparse_matrices_are_alike(seed):
    given, _, _ = sparse_problem(seed)
    random = np.random.default_rng(seed)

    def fake(dense):
        rows = []
        for row in dense:
            entries = [(j, value / 2) for j, value in enumerate(row) for _ in (0, 1)]
            rows.append([entries[at] for at in random.permutation(len(entries))])
        return FakeSparse(rows, dense.shape)

    expected = JointNMF(k=3, iterations=4).fit(*given)
    for kind in (fake, as_matrix, lambda dense: dense.tolist(), lambda dense: dense.astype(np.float16)):
        model = JointNMF(k=3, iterations=4).fit(*(kind(each) for each in given))
        np.testing.assert_array_equal(model.source_factors, expected.source_factors)
        np.testing.assert_array_equal(
            model.transform(kind(given[1]), "target"), expected.transform(given[1], "target")
        )


def test_nothing_given_is_changed(seed):
    given, _, _ = sparse_problem(seed)
    sparse = [as_matrix(each) for each in given]
    copies = [[array.copy() for array in each[:3]] for each in sparse]
    for arrays in sparse:
        for array in arrays[:3]:
            array.flags.writeable = False
    model = JointNMF(k=3, iterations=3).fit(*sparse)
    model.transform(sparse[0])
    JointNMF(k=3, batch=8, epochs=1).fit(*sparse)
    for arrays, before in zip(sparse, copies, strict=True):
        for array, copy in zip(arrays[:3], before, strict=True):
            np.testing.assert_array_equal(array, copy)


def test_one_pair_is_enough():
    model = JointNMF(k=1, iterations=5, tolerance=0).fit([[1, 2, 0]], [[0, 4]])
    assert model.losses[-1] == pytest.approx(0, abs=1e-4)
    assert model.score([[1, 2, 0]], [[0, 4]]).tolist() == pytest.approx([1])
    products = model.source_factors[:, 0] / model.target_factors[1, 0]
    assert products == pytest.approx([0.25, 0.5, 0])


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("start", ["random", "svd"])
def test_a_side_may_be_empty(beta, start, seed):
    given, _, _ = sparse_problem(seed)
    nothing = np.zeros((30, 4))
    model = JointNMF(k=3, beta=beta, start=start, iterations=5).fit(given[0], nothing)
    assert not model.target_factors.any()
    assert np.all(np.isfinite(model.losses))
    assert model.source_factors.any()
    assert not model.score(given[0], nothing).any()
    without = JointNMF(k=3, beta=beta, start=start, iterations=5).fit(given[0], np.zeros((30, 0)))
    assert without.target_factors.shape == (0, 3)
    assert without.transform(np.zeros((2, 0)), "target").tolist() == [[0, 0, 0]] * 2


@pytest.mark.parametrize("start", ["random", "svd"])
def test_nothing_at_all_is_no_number_out_of_place(start):
    model = JointNMF(k=2, start=start, iterations=3).fit(np.zeros((4, 3)), np.zeros((4, 5)))
    assert not np.concatenate(model.factors).any()
    assert model.losses[-1] == pytest.approx(0, abs=1e-9)
    assert not model.score(np.zeros((4, 3)), np.zeros((4, 5))).any()


def test_empty_sentences_change_nothing(seed):
    given, _, _ = sparse_problem(seed)
    options = {"k": 3, "start": "svd", "iterations": 10, "tolerance": 0}
    kept = np.flatnonzero(given[0].any(axis=1) | given[1].any(axis=1))
    losses = [JointNMF(**options).fit(*each).losses[-1] for each in (given, [each[kept] for each in given])]
    assert losses[0] == pytest.approx(losses[1], rel=0.02)


def test_parameters_make_the_same_model_again(seed):
    given, _, _ = sparse_problem(seed)
    model = JointNMF(k=3, beta=1, coupling=0.5, iterations=9, seed=5, threads=2)
    params = model.get_params()
    assert set(params) == {*FactorOptions.__dataclass_fields__, "threads"}
    assert (params["k"], params["beta"], params["coupling"], params["threads"]) == (3, 1, 0.5, 2)
    again = JointNMF(**params)
    assert again.get_params(deep=False) == params
    np.testing.assert_array_equal(again.fit(*given).source_factors, model.fit(*given).source_factors)


def test_the_last_loss_is_that_of_the_factors(seed):
    given, _ = planted(seed, noise=0.2)
    model = JointNMF(k=3, beta=1.0, start="svd", iterations=1000, tolerance=0).fit(*given)
    rows = twin.non_negative_least_squares(np.concatenate(given, axis=1), np.concatenate(model.factors))
    best = twin.objective(given, rows, [each.astype(float) for each in model.factors], beta=1.0)
    assert model.losses[-1] == pytest.approx(best, abs=1e-5 * sum(float((each**2).sum()) for each in given))


ONES = np.ones((3, 2))
FIT = lambda *given, **options: JointNMF(**({"k": 2} | options)).fit(*given)  # noqa: E731
WRONG = [
    (
        lambda: FIT(np.ones((3, 2)), np.ones((4, 2))),
        InputError,
        "^3 source and 4 target rows: each row is a pair of sentences$",
    ),
    (lambda: JointNMF(k=2).partial_fit(ONES, np.ones((4, 2))), InputError, "^3 source and 4 target rows"),
    (
        lambda: FIT(ONES, np.full((3, 2), np.nan)),
        InputError,
        "^the target matrix has values that are negative or no numbers: counts and weights are 0 or more$",
    ),
    (lambda: FIT(-ONES, ONES), InputError, "^the source matrix has values that are negative or no numbers"),
    (
        lambda: FIT(np.inf * ONES, ONES),
        InputError,
        "^the source matrix has values that are negative or no numbers",
    ),
    (
        lambda: FIT(np.ones(3), ONES),
        InputError,
        "^the source matrix has 1 dimensions: give rows of sentences, columns of features$",
    ),
    (lambda: FIT(ONES, ONES).transform(-ONES), InputError, "^the matrix has values that are negative"),
    (
        lambda: FIT(ONES, ONES, k=4),
        OptionError,
        "^k 4 is more than these data allow: 3 pairs of sentences and 4 features give at most 3$",
    ),
    (
        lambda: FIT(np.ones((9, 2)), np.ones((9, 1)), k=4),
        OptionError,
        "9 pairs of sentences and 3 features give at most 3$",
    ),
    (lambda: FIT(ONES, ONES, k=4, batch=2), OptionError, "^k 4 is more than these data allow"),
    (
        lambda: FIT(np.ones((0, 2)), np.ones((0, 2))),
        InputError,
        "^there is nothing to factorise: no sentences, or no features$",
    ),
    (lambda: FIT(np.ones((3, 0)), np.ones((3, 0))), InputError, "^there is nothing to factorise"),
    (lambda: FIT(np.ones((0, 2)), np.ones((0, 2)), batch=2), InputError, "^there is nothing to factorise"),
    (
        lambda: JointNMF().transform(ONES),
        InputError,
        "^this model has not been fitted: call fit or partial_fit first$",
    ),
    (lambda: JointNMF().source_factors, InputError, "^this model has not been fitted"),
    (lambda: JointNMF().target_factors, InputError, "^this model has not been fitted"),
    (
        lambda: FIT(ONES, ONES).transform(ONES, "left"),
        OptionError,
        "^side must be source or target, got 'left'$",
    ),
    (
        lambda: FIT(ONES, ONES).transform(np.ones((3, 5))),
        InputError,
        "^the matrix has 5 features, the model 2 on the source side$",
    ),
    (
        lambda: FIT(ONES, ONES).transform(np.ones((3, 5)), "target"),
        InputError,
        "^the matrix has 5 features, the model 2 on the target side$",
    ),
    (
        lambda: FIT(ONES, ONES).transform(ONES, projection="flat"),
        OptionError,
        "^projection must be one of non-negative, least-squares, divergence, got 'flat'$",
    ),
    (
        lambda: FIT(ONES, ONES).score(ONES, ONES, "feet"),
        OptionError,
        "^measure must be one of cosine, dot, euclidean, hellinger, got 'feet'$",
    ),
    (
        lambda: JointNMF(sparsity=1),
        OptionError,
        "^unknown option 'sparsity'; did you mean 'row_sparsity'\\?$",
    ),
    (
        lambda: JointNMF(k=2).partial_fit(ONES, ONES).partial_fit(np.ones((3, 5)), ONES),
        InputError,
        "^the source matrix has 5 features, the batches before it 2$",
    ),
    (
        lambda: JointNMF(k=2).partial_fit(ONES, ONES).partial_fit(ONES, np.ones((3, 1))),
        InputError,
        "^the target matrix has 1 features, the batches before it 2$",
    ),
    (
        lambda: JointNMF(k=2, beta=0.5).partial_fit(ONES, ONES),
        OptionError,
        "^batches need the multiplicative update and a beta of 0 or 1$",
    ),
    (
        lambda: JointNMF(k=2, beta=1, update="additive").fit_stream(list),
        OptionError,
        "^batches need the multiplicative update and a beta of 0 or 1$",
    ),
    (lambda: FIT(ONES, ONES, threads=0), OptionError, "^threads=0: expected a number from 1 to 1024$"),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_matrix_of_ours_is_checked_too():
    wrong = as_matrix(ONES)._replace(values=np.array([1, 1, np.nan, 1, 1, 1], np.float32))
    assert isinstance(wrong, Matrix)
    with pytest.raises(InputError, match=r"^the source matrix has values that are negative or no numbers"):
        FIT(wrong, ONES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "^k=0: expected a number from 1 to 10000$"),
        ({"iterations": 0}, "^iterations=0: expected a number from 1 to 100000$"),
        ({"epochs": -1}, "^epochs=-1: expected a number from 1 to 10000$"),
        ({"seed": -1}, "^seed=-1: expected a number from 0 to 2147483647$"),
        ({"batch": 0}, "^batch=0: expected a number from 1 to 1000000000$"),
        (
            {"row_sparsity": -1, "factor_sparsity": 1},
            r"^row_sparsity=-1: expected a number from 0 to 1e\+06$",
        ),
        ({"factor_sparsity": np.nan}, r"^factor_sparsity=nan: expected a number from 0 to 1e\+06$"),
        ({"coupling": np.inf}, r"^coupling=inf: expected a number from 0 to 1e\+06$"),
        ({"tolerance": -1e-9}, "^tolerance=-1e-09: expected a number from 0 to 1$"),
        (
            {"beta": -1},
            "^beta=-1.*: expected a number above -1, up to 4$",
        ),
        ({"beta": 4.5}, "^beta=4.5: expected a number above -1, up to 4"),
        ({"beta": np.nan}, "^beta=nan: expected a number above -1, up to 4"),
        ({"update": "magic"}, "^update must be one of multiplicative, additive, got 'magic'$"),
        ({"start": "here"}, "^start must be one of random, svd, got 'here'$"),
        ({"update": "additive"}, r"^the additive update is for the squared error \(beta 1\), got beta 0.0$"),
        ({"update": "additive", "beta": 1, "step": 0}, "^step=0: expected a number above 0, up to 1$"),
        ({"update": "additive", "beta": 1, "step": 1.5}, "^step=1.5: expected a number above 0, up to 1$"),
        ({"update": "additive", "beta": 1, "step": np.nan}, "^step=nan: expected a number above 0, up to 1$"),
        ({"step": 0.5}, "^step 0.5 is for the additive update; the multiplicative one has none$"),
        ({"batch": 5, "start": "svd"}, "^batches start at random: a singular value decomposition needs all"),
        ({"batch": 5, "beta": 0.5}, "^batches need the multiplicative update and a beta of 0 or 1$"),
        (
            {"batch": 5, "beta": 1, "update": "additive"},
            "^batches need the multiplicative update and a beta of 0 or 1$",
        ),
        (
            {"row_sparsity": 1},
            "^row_sparsity needs factor_sparsity: without it factors would grow, rows shrink, and nothing be sparse$",
        ),
    ],
)
def test_options_are_checked(options, message):
    for make in (FactorOptions, JointNMF):
        with pytest.raises(OptionError, match=message):
            make(**options)


def test_the_limits_themselves_are_allowed():
    for options in (
        {"beta": 4},
        {"beta": -0.99},
        {"update": "additive", "beta": 1, "step": 1.0},
        {"batch": 1},
    ):
        assert JointNMF(**options).options.k == 16


def test_losses_do_not_depend_on_how_long_it_goes_on(seed):
    given, _, _ = sparse_problem(seed)
    for beta in (0.0, 1.0):
        short, long = (
            JointNMF(k=4, beta=beta, iterations=number, tolerance=0).fit(*given).losses for number in (3, 6)
        )
        assert short == pytest.approx(long[:4], rel=1e-6)


def test_without_a_tolerance_every_iteration_is_done(seed):
    given, _ = planted(seed)  # the objective goes down to nothing but rounding
    assert len(JointNMF(k=3, beta=1.0, iterations=800, tolerance=0).fit(*given).losses) == 801


def test_a_fit_forgets_batches_before_it(seed):
    given, _, _ = sparse_problem(seed)
    model = JointNMF(k=3, iterations=3).partial_fit(*given).fit(*given)
    np.testing.assert_array_equal(
        model.partial_fit(*given).source_factors, JointNMF(k=3).partial_fit(*given).source_factors
    )


def test_zeros_that_are_entries_are_none(seed):
    given, _, _ = sparse_problem(seed)
    tiny = [each + 1e-60 * (each == 0) for each in given]  # nothing in single precision
    for beta in BETAS:
        models = [JointNMF(k=3, beta=beta, iterations=3).fit(*each) for each in (given, tiny)]
        assert np.all(np.isfinite(models[1].losses))
        np.testing.assert_array_equal(models[0].source_factors, models[1].source_factors)
