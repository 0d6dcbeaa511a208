"""Laws of the factorisation: EM against a slow twin, objectives that never fall, and cepts that are always proper."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.combine import cepts as module
from cepts.combine import cepts_kernels as kernels
from cepts.combine import from_matrices
from cepts.combine.cepts import CeptsOptions, factorise, factors
from tests.reference import cepts as twin

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 6)
PRESENT, WORK = kernels.PRESENT, kernels.WORK


def random_matrix(rng, sources, targets, zeros=0.4, null=True):
    """Counts with row 0 and column 0 for the NULLs."""
    matrix = rng.uniform(0, 50, (sources + 1, targets + 1)) * (rng.random((sources + 1, targets + 1)) > zeros)
    matrix[0, 0] = 0
    if not null:
        matrix[0], matrix[:, 0] = 0, 0
    return matrix


def random_start(rng, sources, targets, cepts):
    """Ordinary cepts, joint values of the NULLs, and noise, which sum up to one."""
    weights = rng.dirichlet(np.ones(cepts + 3))
    ordinary = [
        (weight, rng.dirichlet(np.ones(sources)).tolist(), rng.dirichlet(np.ones(targets)).tolist())
        for weight in weights[3:].tolist()
    ]
    nulls = [
        (weights[k] * rng.dirichlet(np.ones(words))).tolist() for k, words in enumerate((sources, targets))
    ]
    return ordinary, *nulls, float(weights[2])


def room_of(matrix, start):
    """The kernels' room with a matrix and parameters; returns it, the cells, and the shape."""
    ordinary, source_null, target_null, noise = start
    sources, targets = matrix.shape[0] - 1, matrix.shape[1] - 1
    width = max(min(sources, targets), len(ordinary))
    room = kernels.new_room(sources, targets, sources * targets)
    if width > min(sources, targets):
        room = room._replace(
            source=np.zeros((5, sources * width)),
            target=np.zeros((5, targets * width)),
            weight=np.zeros(width),
        )
    shares = matrix / max(matrix.sum(), 1e-300)
    rows, columns = np.nonzero(shares[1:, 1:])
    used = len(rows)
    room.cell_source[:used], room.cell_target[:used] = rows, columns
    room.cells[0, :used] = shares[1:, 1:][rows, columns]
    room.source_null[WORK], room.target_null[WORK] = shares[1:, 0], shares[0, 1:]
    room.source_null[PRESENT], room.target_null[PRESENT] = source_null, target_null
    room.noise[PRESENT], room.noise[WORK] = noise, 1 / matrix.size
    for c, (weight, source, target) in enumerate(ordinary):
        room.source[PRESENT].reshape(sources, width)[:, c] = weight * np.array(source)
        room.target[PRESENT].reshape(targets, width)[:, c] = target
    return room, used, (sources, targets, width)


def parameters(room, shape, cepts):
    """The twin's components, and noise, from a room."""
    sources, targets, width = shape
    joint = room.source[PRESENT].reshape(sources, width)
    target = room.target[PRESENT].reshape(targets, width)
    ordinary = []
    for c in range(cepts):
        weight = joint[:, c].sum()
        ordinary.append((weight, (joint[:, c] / max(weight, 1e-300)).tolist(), target[:, c].tolist()))
    nulls = room.source_null[PRESENT].tolist(), room.target_null[PRESENT].tolist()
    return twin.components(sources, targets, ordinary, *nulls), float(room.noise[PRESENT])


def assert_same_parameters(first, second):
    assert first[1] == pytest.approx(second[1], rel=1e-9, abs=1e-12)
    for one, two in zip(first[0], second[0], strict=True):
        assert one[0] == pytest.approx(two[0], rel=1e-9, abs=1e-12)
        if one[0] > 1e-9:
            for side in (1, 2):
                # The place of a NULL in its own cept is 1 by definition.
                assert one[side] == pytest.approx(two[side], rel=1e-7, abs=1e-9)


@settings(max_examples=60)
@given(seed=seeds, sources=sizes, targets=sizes, cepts=st.integers(1, 4), power=st.integers(1, 8))
def test_a_step_is_that_of_the_twin(seed, sources, targets, cepts, power):
    rng = np.random.default_rng(seed)
    matrix = random_matrix(rng, sources, targets)
    if not matrix.any():
        return
    start = random_start(rng, sources, targets, cepts)
    room, used, shape = room_of(matrix, start)
    made, noise = twin.components(sources, targets, *start[:3]), start[3]
    for _ in range(3):
        kernels.climb(room, used, shape, cepts, power, 1, 0.0)
        made, noise = twin.step(matrix.tolist(), made, noise, power / 8)
        assert_same_parameters(parameters(room, shape, cepts), (made, noise))
        # What the paper's initial conditions set to zero stays so.
        for _, source, target in made[:-2]:
            assert source[0] == target[0] == 0
        assert made[-2][1][1:] == [0.0] * sources
        assert made[-1][2][1:] == [0.0] * targets


@settings(max_examples=60)
@given(seed=seeds, sources=sizes, targets=sizes, cepts=st.integers(1, 4), power=st.integers(1, 8))
def test_no_step_lowers_the_objective(seed, sources, targets, cepts, power):
    # At power 8 / 8 it is the likelihood; below, that of tempered EM.
    rng = np.random.default_rng(seed)
    matrix = random_matrix(rng, sources, targets)
    if not matrix.any():
        return
    room, used, shape = room_of(matrix, random_start(rng, sources, targets, cepts))
    values = [twin.objective(matrix.tolist(), *parameters(room, shape, cepts), power / 8)]
    for _ in range(12):
        kernels.climb(room, used, shape, cepts, power, 1, 0.0)
        values.append(twin.objective(matrix.tolist(), *parameters(room, shape, cepts), power / 8))
    assert all(later >= earlier - 1e-9 * abs(earlier) for earlier, later in itertools.pairwise(values))
    assert values[-1] > values[0]


def test_the_plain_likelihood_may_fall_at_a_temperature(seed):
    # Why the objective above is the one to watch.
    rng = np.random.default_rng(seed)
    fell = 0
    for _ in range(30):
        matrix = random_matrix(rng, 4, 4)
        room, used, shape = room_of(matrix, random_start(rng, 4, 4, 3))
        kernels.climb(room, used, shape, 3, 8, 60, 0.0)
        before = twin.objective(matrix.tolist(), *parameters(room, shape, 3))
        kernels.climb(room, used, shape, 3, 5, 1, 0.0)
        fell += twin.objective(matrix.tolist(), *parameters(room, shape, 3)) < before - 1e-6
    assert fell > 20


@pytest.mark.parametrize("power", [5, 8])
def test_climbing_ends_when_it_rises_too_little(power, seed):
    # Every third step there is a look at the objective: no rise is enough for a huge tolerance, at the second look.
    rng = np.random.default_rng(seed)
    matrix = random_matrix(rng, 5, 5)
    start = random_start(rng, 5, 5, 3)
    results = []
    for steps, tolerance in ((1000, 1e9), (6, 0.0), (1000, 0.0)):
        room, used, shape = room_of(matrix, start)
        kernels.climb(room, used, shape, 3, power, steps, tolerance)
        results.append(room.source[PRESENT].tolist())
    assert results[0] == results[1]
    assert results[0] != results[2]
    assert len(kernels.climb.signatures) == 1


@settings(max_examples=40)
@given(seed=seeds, sources=sizes, targets=sizes, null=st.booleans(), search=st.sampled_from(module.SEARCHES))
def test_the_likelihood_is_that_of_the_factors(seed, sources, targets, null, search):
    rng = np.random.default_rng(seed)
    matrix = random_matrix(rng, sources, targets, null=null)
    matrix = matrix.astype(np.float32).astype(float)
    if not matrix.any():
        return
    found = factors(from_matrices([matrix], null=True), 0, CeptsOptions(search=search, restarts=2))
    total = found.probabilities.sum() + found.source_null.sum() + found.target_null.sum() + found.noise
    assert total == pytest.approx(1)
    ordinary = [
        (float(weight), found.source[:, c].tolist(), found.target[:, c].tolist())
        for c, weight in enumerate(found.probabilities)
    ]
    made = twin.components(sources, targets, ordinary, found.source_null.tolist(), found.target_null.tolist())
    assert found.log_likelihood == pytest.approx(twin.objective(matrix.tolist(), made, found.noise), rel=1e-9)


def assert_proper(found, k, shape, null):
    """Every word in one cept or NULL's, every cept with words of both sides, in the order of first source words."""
    cepts = found[k]
    for side in (0, 1):
        words = [word for cept in cepts for word in cept[side]]
        assert len(words) == len(set(words))
        assert set(words) <= set(range(shape[side]))
        if not null and min(shape) > 0:
            assert len(words) == shape[side], "coverage"
    assert all(cept.source and cept.target for cept in cepts)
    assert [cept.source[0] for cept in cepts] == sorted(cept.source[0] for cept in cepts)
    assert len(cepts) <= found.chosen[k] <= min(shape)


OPTIONS = [
    CeptsOptions(),
    CeptsOptions(criterion="bic"),
    CeptsOptions(null=False),
    CeptsOptions(null=False, noise=False),
    CeptsOptions(null=False, orphans="retrain"),
    CeptsOptions(orphans="retrain", powers=()),
    CeptsOptions(search="restarts", restarts=2),
    CeptsOptions(cepts=3, null=False),
    CeptsOptions(cepts=3, noise=False, search="restarts", restarts=1, orphans="retrain", null=False),
]


@pytest.mark.parametrize("options", OPTIONS)
@settings(max_examples=40)
@given(
    seed=seeds,
    shapes=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=6),
    zeros=st.sampled_from([0.0, 0.4, 0.8, 0.97, 1.0]),
    scale=st.sampled_from([1e-30, 1e-3, 1.0, 1e30]),
)
def test_cepts_are_proper(options, seed, shapes, zeros, scale):
    rng = np.random.default_rng(seed)
    matrices = [scale * random_matrix(rng, *shape, zeros) for shape in shapes]
    found = factorise(from_matrices(matrices, null=True), options)
    assert len(found) == len(shapes)
    for confidence in (found.source_confidence, found.target_confidence):
        assert ((confidence >= 0) & (confidence <= 1)).all()
    assert np.isfinite(found.log_likelihoods).all()
    for k, shape in enumerate(shapes):
        assert_proper(found, k, shape, options.null)
    for threshold in (0.0, 0.3, 0.9):
        assert_closed(found, threshold)


def assert_closed(found, threshold):
    """Words with a common partner have all partners in common; links are those of words that are sure enough."""
    links = found.links(threshold, 0.7)
    for k, pair in enumerate(links):
        partners = {}
        for link in pair:
            partners.setdefault(link.source, set()).add(link.target)
            assert link.confidence >= np.float32(threshold)
            assert link.sure == (link.confidence >= np.float32(0.7))
        for one in partners.values():
            for other in partners.values():
                assert one == other or not one & other
        sure = [
            confidence[offsets[k] : offsets[k + 1]] >= np.float32(threshold)
            for confidence, offsets in (
                (found.source_confidence, found.source_offsets),
                (found.target_confidence, found.target_offsets),
            )
        ]
        expected = {
            (i, j) for cept in found[k] for i in cept.source for j in cept.target if sure[0][i] and sure[1][j]
        }
        assert [link[:2] for link in pair] == sorted(expected)


def planted(rng, cepts, noise=0.0):
    """A matrix of blocks of counts up to 200, plus noise, its words shuffled; and the block of each word."""
    sides = [np.sort(np.concatenate([np.arange(cepts), rng.integers(0, cepts, 3)])) for _ in range(2)]
    for side in sides:
        rng.shuffle(side)
    matrix = np.where(sides[0][:, None] == sides[1], rng.integers(150, 201, (cepts + 3, 1)), 0).astype(float)
    return matrix + rng.uniform(0, noise, matrix.shape), sides


def groups(source, target):
    """Cepts as a set of (source words, target words)."""
    return {
        (tuple(np.flatnonzero(source == c).tolist()), tuple(np.flatnonzero(target == c).tolist()))
        for c in set(source.tolist())
        if c >= 0
    }


@pytest.mark.parametrize("criterion", module.CRITERIA)
@pytest.mark.parametrize("noise", [0.0, 2.0])
@settings(max_examples=40)
@given(seed=seeds, cepts=st.integers(1, 9))
def test_planted_cepts_are_found(criterion, noise, seed, cepts):
    matrix, sides = planted(np.random.default_rng(seed), cepts, noise)
    found = factorise(from_matrices([matrix]), CeptsOptions(criterion=criterion, null=False))
    assert found.chosen[0] == cepts
    assert groups(found.source, found.target) == groups(*sides)


@settings(max_examples=25)
@given(seed=seeds)
def test_a_tiny_matrix_has_the_best_of_all_proper_alignments(seed):
    rng = np.random.default_rng(seed)
    source, target = rng.permutation([0, 1, 1]), rng.permutation([0, 0, 1, 1])
    if rng.random() < 0.5:
        source, target = rng.permutation(3), rng.permutation([0, 1, 2, 2])
    row, column = rng.uniform(1, 3, 3), rng.uniform(1, 3, 4)
    matrix = np.where(source[:, None] == target, 40 * np.outer(row, column), 0.05)
    price = len(source) + len(target) - 1
    best = max(
        twin.proper_alignments(3, 4), key=lambda each: twin.hard_criterion(matrix.tolist(), *each, price)
    )
    found = factorise(from_matrices([matrix]), CeptsOptions(null=False))
    assert (tuple(found.source.tolist()), tuple(found.target.tolist())) == best


def test_pairs_chunks_and_threads_change_nothing(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    matrices = [random_matrix(rng, *rng.integers(0, 9, 2), 0.5) for _ in range(40)]
    for options in (CeptsOptions(), CeptsOptions(search="restarts", restarts=1)):
        together = factorise(from_matrices(matrices, null=True), options)
        with monkeypatch.context() as patch:
            patch.setattr(module, "CHUNK_WORK", 500)
            for threads in (1, 2, 3):
                other = factorise(from_matrices(matrices, null=True), options, threads)
                for field in vars(together):
                    np.testing.assert_array_equal(getattr(together, field), getattr(other, field))
    for k, matrix in enumerate(matrices):
        alone = factorise(from_matrices([matrix], null=True))
        assert alone[0] == factorise(from_matrices(matrices, null=True))[k]


def short(options):
    """The search that stops after twelve steps, and at the second number of cepts that is worse."""
    return options._replace(steps=12, tolerance=1e-5, patience=1)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, sources=st.integers(2, 6), targets=st.integers(2, 6), zeros=st.sampled_from([0.0, 0.6]))
def test_restarts_that_converge_never_end_below_twelve_steps(seed, sources, targets, zeros):
    # Both begin at the same places: the likelihood of each number of cepts is at least as high, and so is the
    # criterion of the best number.
    matrix = 40 * random_matrix(np.random.default_rng(seed), sources, targets, zeros)
    matrices = from_matrices([matrix], null=True)
    converging = CeptsOptions(search="restarts", restarts=3, seed=seed % 1000)
    for cepts in range(1, min(sources, targets) + 1):
        fixed = converging._replace(cepts=cepts)
        reached, stopped = (factorise(matrices, one).log_likelihoods[0] for one in (fixed, short(fixed)))
        assert reached >= stopped - 1e-9 * abs(stopped)
    price = sources + targets - 1
    best, other = (
        found.log_likelihoods[0] - price * found.chosen[0]
        for found in (factorise(matrices, one) for one in (converging, short(converging)))
    )
    assert best >= other - 1e-9 * abs(other)


def test_restarts_that_converge_end_higher_on_average(seed):
    # The law above cannot fail by both being the same search.
    rng = np.random.default_rng(seed)
    matrices = from_matrices([planted(rng, 6, 20.0)[0] for _ in range(20)])
    options = CeptsOptions(search="restarts", restarts=2, null=False, cepts=6)
    reached, stopped = (factorise(matrices, one).log_likelihoods for one in (options, short(options)))
    assert (reached - stopped).mean() > 10


def test_restarts_are_at_an_optimum_and_have_tried_every_number(seed):
    # Neither more steps nor less tolerance find more than a quarter of a nat, and no number of cepts is better. The
    # price of a cept is 13 nats.
    rng = np.random.default_rng(seed)
    matrix = planted(rng, 4, 20.0)[0]
    matrices = from_matrices([matrix])
    options = CeptsOptions(search="restarts", restarts=3, null=False)
    found = factorise(matrices, options)
    price = sum(matrix.shape) - 1
    value = found.log_likelihoods[0] - price * found.chosen[0]
    for cepts in range(1, min(matrix.shape) + 1):
        longer = options._replace(cepts=cepts, steps=100_000, tolerance=0.0)
        assert factorise(matrices, longer).log_likelihoods[0] - price * cepts < value + 0.25


def test_annealing_is_about_as_good_as_ten_restarts(seed):
    # The mean criterion, in nats, of log likelihoods of about -7,000.
    rng = np.random.default_rng(seed)
    matrices = [planted(rng, int(rng.integers(2, 9)), 5.0)[0] for _ in range(60)]
    sides = np.array([sum(matrix.shape) - 1 for matrix in matrices])
    values = []
    for options in (
        CeptsOptions(),
        *(CeptsOptions(search="restarts", restarts=n) for n in (1, 10)),
    ):
        found = factorise(from_matrices(matrices), options._replace(null=False))
        values.append((found.log_likelihoods - sides * found.chosen).mean())
    annealing, one, ten = values
    assert annealing > one + 3
    assert annealing > ten - 1
