"""Training: the objective never rises, nothing becomes NaN, threads change nothing, and whoever watches hears of it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.words import Agreement, ExtraCounts, Smoothing, Training, index_bitext, link, train
from cepts.words import indexed as indexed_module
from cepts.words.layout import plan_chunks
from cepts.words.lexicon import FLOOR
from cepts.words.regularity import regularity_of
from cepts.words.training import Trainer
from tests.words.corpora import (
    INDEPENDENT,
    bitext_of,
    corpora,
    even_model,
    random_pairs,
    some_entries,
    uniform_model,
)

MODELS = ("ibm1", "hmm")
seeds = st.integers(0, 2**32 - 1)
# What rounding may add to an objective in one iteration, as a share of it (of one, if it is smaller): probabilities
# and posteriors are float32, each with an error of 6e-8, and a floor of 1e-10 is under all of them.
ROUNDING = 2e-6
PURE = INDEPENDENT._replace(smoothing=Smoothing(0.0, 1e-10))  # the usual floor of 1e-7 is not part of EM
DIRECTIONS = {"forward": (True, False), "reverse": (False, True), "both": (True, True)}
OPTIMISERS = {
    "em": {"optimizer": "em", "jump_update": "exact"},
    "em, jumps by gradient": {"optimizer": "em", "jump_update": "gradient"},
    "pgd": {"optimizer": "pgd"},
}
OPTIMISED = [
    (name, optimiser)
    for name in MODELS
    for optimiser in OPTIMISERS
    if (name, optimiser[:3]) != ("ibm1", "em,")
]


def curves(indexed, model, training, iterations=6):
    """The objectives before each iteration and after the last: one curve for EM, one for each direction for PGD.

    Descent may end before its last iteration, where nothing leads further down.
    """
    steps = []
    trainer = Trainer(model, indexed, 1, steps.append)
    trainer.run(iterations, training)
    reported = [step for step in steps if step.objective is not None]
    parts = by_direction(reported)
    for part in parts:
        assert [step.iteration for step in part] == list(range(1, len(part) + 1))
    alone = [
        training._replace(directions=(way == 0, way == 1)) for way in range(2) if training.directions[way]
    ]
    watched = alone if training.optimizer == "pgd" else [training]
    if training.optimizer == "em":
        assert len(reported) == iterations
    ends = [trainer.objective(trainer.expect(each), each) for each in watched]
    return [[*(step.objective for step in part), end] for part, end in zip(parts, ends, strict=True)]


def by_direction(steps):
    """Sort steps by their directions, which may take turns."""
    found = {}
    for step in steps:
        found.setdefault(step.direction, []).append(step)
    return list(found.values())


def rises(values, tolerance=ROUNDING):
    """The steps at which the objective rose by more than rounding."""
    return [b - a for a, b in pairwise(values) if not b <= a + tolerance * max(1.0, abs(a))]


def with_additions(bitext, indexed, training, strength, exempt, extra, seed):
    """Training with a regularity term, entries that it spares, and counts that are known beforehand, or without."""
    if strength is not None:
        spared = some_entries(indexed, seed) if exempt else None
        training = training._replace(regularity=regularity_of(bitext, indexed, strength, spared))
    if extra:
        entries = some_entries(indexed, seed + 1)
        counts = np.random.default_rng(seed).uniform(0.1, 2.0, len(entries)).astype(np.float32)
        training = training._replace(extra=ExtraCounts(entries, counts))
    return training


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("name", "optimiser"), OPTIMISED)
@settings(max_examples=15)
@given(
    pairs=corpora(),
    band=st.integers(1, 3),
    null=st.sampled_from([None, 0.02, 0.1, 0.5]),
    learn_null=st.booleans(),
    strength=st.sampled_from([None, 0.1, 2.5, 30.0]),
    exempt=st.booleans(),
    extra=st.booleans(),
    seed=seeds,
)
def test_the_objective_never_rises(
    name, optimiser, direction, pairs, band, null, learn_null, strength, exempt, extra, seed
):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    training = PURE._replace(directions=DIRECTIONS[direction], learn_null=learn_null, **OPTIMISERS[optimiser])
    training = with_additions(bitext, indexed, training, strength, exempt, extra, seed)
    if name == "hmm" and null is None:  # which is for IBM-1 alone
        null = 0.3
    for values in curves(indexed, even_model(name, indexed, band, null), training):
        assert rises(values) == []


@pytest.mark.parametrize("strength", [None, 2.5])
@pytest.mark.parametrize(("name", "optimiser"), OPTIMISED)
def test_nor_does_it_on_larger_corpora(name, optimiser, strength):
    for seed in range(2):
        bitext = bitext_of(random_pairs(seed, count=60, longest=9, words=40))
        indexed = index_bitext(bitext)
        training = PURE._replace(**OPTIMISERS[optimiser])
        training = with_additions(bitext, indexed, training, strength, True, True, seed)
        for values in curves(indexed, even_model(name, indexed), training, 12):
            assert rises(values) == []
            assert values[-1] < 0.9 * values[0], "and there is something to learn"


@pytest.mark.parametrize("name", MODELS)
def test_nor_with_the_usual_floor_from_a_uniform_beginning(name):
    for seed in range(4):
        indexed = index_bitext(bitext_of(random_pairs(seed, count=60, longest=9, words=20)))
        (values,) = curves(indexed, uniform_model(name, indexed), INDEPENDENT, 12)
        assert rises(values) == []
        assert values[-1] < 0.9 * values[1]


def noise(seed, count, longest):
    """Pairs of a language of two words, in which only positions can be learned."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, longest + 1, (count, 2)).tolist()
    return [tuple(rng.integers(0, 2, length).tolist() for length in pair) for pair in lengths]


def test_renormalised_jumps_break_the_law():
    # What the law is worth: the same watch sees the objective rise where jump counts are only renormalised.
    broken = []
    for seed in range(12):
        for pairs in (noise(seed, 8, 4), noise(seed, 4, 8)):
            indexed = index_bitext(bitext_of(pairs))
            model = even_model("hmm", indexed)
            assert rises(curves(indexed, model, PURE, 12)[0]) == []
            broken += rises(curves(indexed, model, PURE._replace(jump_update="renormalised"), 12)[0])
    assert len(broken) >= 3
    assert max(broken) > 0.01


@pytest.mark.parametrize("strength", [None, 0.5])
def test_both_optimisers_find_the_optimum_of_ibm1(strength, seed):
    # Its objective is convex, with and without the term: there is one optimum, whoever looks for it.
    bitext = bitext_of(random_pairs(seed, count=15, words=20))
    indexed = index_bitext(bitext)
    training = with_additions(bitext, indexed, PURE, strength, True, False, seed)
    for direction in ("forward", "reverse"):
        there = training._replace(directions=DIRECTIONS[direction])
        ends = [
            curves(indexed, even_model("ibm1", indexed), there._replace(optimizer=optimizer), 150)[0][-1]
            for optimizer in ("em", "pgd")
        ]
        assert ends[1] == pytest.approx(ends[0], rel=5e-3)


DEGENERATE = {
    "one pair of one word": [([1], [1])],
    "every word once": [([1, 2, 3], [1, 2, 3]), ([4], [4]), ([5, 6], [5, 6, 7])],
    "all words the same": [([1, 1, 1], [1, 1]), ([1], [1, 1, 1, 1]), ([1], [1])],
    "one word against many": [([1], list(range(60))), (list(range(60)), [1]), ([1, 2], [1, 2])],
    "empty sides": [([], []), ([1, 2], [1]), ([], [3]), ([2], []), ([2, 3], [3, 2])],
    "nothing but empty sides": [([], [1]), ([2], [])],
    "the same pair again and again": [([1, 2, 3], [4, 5, 6])] * 20,
    "one word more each time": [(list(range(k)), list(range(k))) for k in range(1, 9)],
}


def assert_numbers(model, directed, pairs):
    """No number of a model, of its links or of its scores is infinite or none, but the scores of empty pairs."""
    for array in model_arrays(model):
        assert np.isfinite(array).all()
        assert (array >= 0).all()
    for links in directed:
        assert np.isfinite(links.confidence).all()
        scored = [bool(source and target) for source, target in pairs]
        assert np.isfinite(links.scores).tolist() == scored


@pytest.mark.parametrize(
    ("strength", "floor"), [(None, 1e-10), (2.5, 1e-10), (1e6, 1e-10), (None, FLOOR), (1e6, FLOOR)]
)
@pytest.mark.parametrize(("name", "optimiser"), OPTIMISED)
@pytest.mark.parametrize("pairs", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_corpora_give_numbers(pairs, name, optimiser, strength, floor):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    training = PURE._replace(smoothing=Smoothing(0.0, floor), learn_null=True, **OPTIMISERS[optimiser])
    training = with_additions(bitext, indexed, training, strength, True, False, 1)
    iterations = 8 if "gradient" in optimiser else 50  # fifty steps in each of the eight
    steps = []
    model = train(even_model(name, indexed), indexed, iterations, training, monitor=steps.append)
    assert np.isfinite([step.objective for step in steps if step.objective is not None]).all()
    assert_numbers(model, link(model, bitext, indexed, (True, True)), pairs)
    assert_numbers(model, link(model, bitext, indexed, (True, True), 1e-30), pairs)


@pytest.mark.parametrize("name", MODELS)
def test_steps_that_are_always_accepted_do_not_grow_beyond_numbers(name):
    # At the optimum from the start: each step is as good as none, and the next one is longer.
    indexed = index_bitext(bitext_of(DEGENERATE["one pair of one word"]))
    (values,) = curves(
        indexed,
        even_model(name, indexed),
        PURE._replace(optimizer="pgd", directions=DIRECTIONS["forward"], learn_null=False),
        200,
    )
    assert values == pytest.approx([0.0] * len(values), abs=1e-5)


def test_agreement_has_another_objective():
    # Products of posteriors are not the counts of either direction: the sum of likelihoods may rise and fall.
    training = Training(agreement=Agreement.PRODUCT, smoothing=Smoothing(0.0, 0.0))
    indexed = index_bitext(bitext_of(random_pairs(3, count=30)))
    (together,) = curves(indexed, uniform_model("hmm", indexed), training, 8)
    (alone,) = curves(indexed, uniform_model("hmm", indexed), training._replace(agreement=Agreement.NONE), 8)
    assert together[0] == alone[0]
    assert together[-1] > alone[-1]


def test_counts_known_beforehand_are_added_in_the_m_step():
    # By hand: one source word, two target words in a pair each: 0.9 counts of either, the rest is NULL's. With 9
    # more counts known of the first it has 9.9 of 10.8.
    indexed = index_bitext(bitext_of([([1], [1]), ([1], [2])]))
    entry = int(indexed.row_offsets[1]) + indexed.columns[indexed.row_offsets[1] :].tolist().index(1)
    for known, share in (
        (None, 0.5),
        (ExtraCounts(np.array([entry]), np.array([9.0], np.float32)), 9.9 / 10.8),
    ):
        model = train(uniform_model("ibm1", indexed), indexed, 1, INDEPENDENT._replace(extra=known))
        assert model.lexicon.values[entry, 0] == pytest.approx(share, rel=1e-6)


def model_arrays(model):
    yield model.lexicon.values
    for jumps in getattr(model, "jumps", ()):
        yield from jumps.vectors


@pytest.fixture
def many_chunks(monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext = bitext_of(random_pairs(seed, count=150, words=30))
    indexed = index_bitext(bitext)
    assert len(indexed.chunks) > 4
    return indexed


@pytest.mark.parametrize("changes", [{"agreement": Agreement.PRODUCT}, {}, {"optimizer": "pgd"}])
@pytest.mark.parametrize("name", MODELS)
def test_any_number_of_threads_gives_the_same_bits(name, changes, many_chunks):
    training = PURE._replace(**changes)
    trained = [
        train(even_model(name, many_chunks), many_chunks, 3, training, threads) for threads in (1, 2, 3)
    ]
    for other in trained[1:]:
        for a, b in zip(model_arrays(trained[0]), model_arrays(other), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("iterations", [4, 40])
@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=10)
@given(pairs=corpora() | st.sampled_from(list(DEGENERATE.values())))
def test_descent_in_both_directions_is_descent_in_each(name, iterations, pairs):
    # In forty iterations one direction may find its end before the other.
    indexed = index_bitext(bitext_of(pairs))
    training = PURE._replace(optimizer="pgd")
    both = curves(indexed, even_model(name, indexed), training, iterations)
    for way, direction in enumerate(("forward", "reverse")):
        alone = training._replace(directions=DIRECTIONS[direction])
        assert curves(indexed, even_model(name, indexed), alone, iterations) == [both[way]]


def test_a_direction_that_is_at_its_end_is_heard_of_no_more():
    indexed = index_bitext(bitext_of(DEGENERATE["empty sides"]))
    steps, saved = [], []
    trainer = Trainer(even_model("ibm1", indexed), indexed, 1, steps.append)
    trainer.run(60, PURE._replace(optimizer="pgd"), lambda _, position: saved.append(position))
    forward, reverse = (len(part) for part in by_direction(steps))
    assert forward < reverse < 60
    ended = [position.lengths[0] == 0.0 for position in saved]
    assert ended == [False] * (forward - 1) + [True] * (reverse - forward + 1)
    assert saved[-1].lengths == (0.0, 0.0)


@pytest.mark.parametrize("name", MODELS)
def test_likelihoods_alone_are_those_of_an_e_step(name, many_chunks):
    trainer = Trainer(even_model(name, many_chunks), many_chunks)
    trainer.run(2, PURE)
    for direction in DIRECTIONS.values():
        training = PURE._replace(directions=direction)
        np.testing.assert_array_equal(trainer.likelihoods(training), trainer.expect(training).likelihoods)


def test_the_watcher_hears_of_each_chunk_and_each_iteration(many_chunks):
    steps = []
    train(uniform_model("ibm1", many_chunks), many_chunks, 2, INDEPENDENT, monitor=steps.append)
    chunks = len(many_chunks.chunks)
    assert {step.stage for step in steps} == {"ibm1"}
    assert [(step.iteration, step.iterations) for step in steps] == [(1, 2)] * (chunks + 1) + [(2, 2)] * (
        chunks + 1
    )
    assert [step.done for step in steps[: chunks + 1]] == [*(k / chunks for k in range(1, chunks + 1)), 1.0]
    assert [step.objective is None for step in steps] == ([True] * chunks + [False]) * 2


def test_the_watcher_of_descent_hears_of_each_iteration_of_each_direction(seed):
    indexed = index_bitext(bitext_of(random_pairs(seed)))
    steps = []
    train(even_model("ibm1", indexed), indexed, 3, PURE._replace(optimizer="pgd"), monitor=steps.append)
    assert {step.stage for step in steps} == {"ibm1-pgd"}
    assert [(step.iteration, step.iterations) for step in steps] == [
        (1, 3),
        (1, 3),
        (2, 3),
        (2, 3),
        (3, 3),
        (3, 3),
    ]
    assert [step.direction for step in steps] == ["forward", "reverse"] * 3
    assert [step.done for step in steps] == pytest.approx([k / 6 for k in range(1, 7)])


def test_no_iterations_leave_the_model_as_it_is(many_chunks):
    model = uniform_model("hmm", many_chunks)
    assert train(model, many_chunks, 0, INDEPENDENT) is model


def test_threads_below_one_are_refused(many_chunks):
    with pytest.raises(OptionError, match="threads=0: expected a number from 1 to 1024"):
        train(uniform_model("ibm1", many_chunks), many_chunks, 1, INDEPENDENT, threads=0)


def test_an_error_of_the_watcher_stops_the_training(many_chunks):
    def refuse(step):  # noqa: ARG001
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(uniform_model("ibm1", many_chunks), many_chunks, 2, INDEPENDENT, threads=2, monitor=refuse)


def test_counts_of_several_sources_are_added_up():
    one = ExtraCounts(np.array([5, 2]), np.array([1.0, 0.5], np.float32))
    two = ExtraCounts(np.array([2, 9]), np.array([0.25, 3.0], np.float32))
    nothing = ExtraCounts(np.array([], np.int64), np.array([], np.float32))
    both = ExtraCounts.joined([one, nothing, two])
    assert (both.entries.tolist(), both.counts.tolist()) == ([2, 5, 9], [0.75, 1.0, 3.0])
    assert ExtraCounts.joined([nothing, one]) is one
    assert ExtraCounts.joined([nothing]) is None
