"""Learning from generated decoys, against exhaustive twins on a tiny alphabet."""

import math

import numpy as np
import pytest

from cepts.characters import TrainingOptions, training
from cepts.characters import weights as weights_module
from cepts.characters.examples import pairs_to_learn
from cepts.characters.letters import UNKNOWN
from cepts.characters.weights import compacted, table_of, with_choices
from tests.characters.models import (
    features_of_ways,
    features_of_weights,
    number_of,
    possible_features,
    random_weights,
    weights_of_features,
)
from tests.reference import edits

PAIRS = [("a", "xy"), ("ab", "yx"), ("b", "y"), ("ba", "x"), ("bb", "xxy"), ("aa", "yyx"), ("ab", "x")]
ALLOWED = [("a", "x"), ("a", "y"), ("a", ""), ("b", "y"), ("b", ""), ("", "x"), ("", "y")]
FEW = [("a", "x"), ("a", ""), ("b", "y"), ("b", ""), ("", "y")]


@pytest.fixture
def unlimited(monkeypatch):
    monkeypatch.setattr(training, "TRAINING_MARGIN", 1e9)


def learner_of(pairs, weights, order, allowed):
    """A learner that begins with given weights."""
    material = pairs_to_learn(pairs)
    learner = training.Learner(material, order)
    alphabets = material.source_alphabet, material.target_alphabet
    table = table_of(weights_of_features(weights, *alphabets, allowed))
    learner.table = table._replace(plain=table.plain.copy(), values=table.values.copy())
    learner.sums = learner.sums._replace(values=np.zeros(len(table.keys)))
    return learner


def presented(learner, options, seed, rate=0.0):
    return training._present_generating(learner, options, np.random.default_rng(seed), rate)


def features_of(learner, table):
    """The weights of all features, those that are zero left out."""
    material = learner.material
    return features_of_weights(compacted(table), material.source_alphabet, material.target_alphabet)


def all_features(pairs, allowed, order):
    sources = sorted({source for source, _ in pairs})
    beside = {each for source in sources for each in features_of_ways(source, allowed, order)}
    return sorted(beside.union(*(possible_features(*pair, order) for pair in pairs)))


def best_of(scores):
    """The best of all strings; a test is of no use if there are two."""
    best = max(scores.values())
    (string,) = [string for string, score in scores.items() if score == best]
    return string


def naive_perceptron(pairs, weights, order, allowed):
    """The weights after presenting pairs once, their mean, and how many were mistaken."""
    weights, copies, mistakes = dict(weights), [], 0
    for source, true in pairs:
        decoy = best_of(edits.generated(weights, source, allowed, order))
        mistakes += decoy != true and edits.learn(weights, source, true, decoy, order)
        copies.append(dict(weights))
    return {each: weight for each, weight in weights.items() if weight}, edits.mean_of(copies), mistakes


@pytest.mark.parametrize("order", range(3))
@pytest.mark.usefixtures("unlimited")
def test_the_perceptron_learns_from_the_best_string_of_all(order, seed):
    allowed = FEW if order == 0 else ALLOWED
    weights = random_weights(
        all_features(PAIRS, allowed, order), np.random.default_rng(seed + order), 1 / 1024
    )
    learner = learner_of(PAIRS, weights, order, allowed)
    options = TrainingOptions(order=order, update="perceptron", beam=100)
    loss = presented(learner, options, seed)
    shuffled = [PAIRS[n] for n in np.random.default_rng(seed).permutation(len(PAIRS))]
    after, mean, mistakes = naive_perceptron(shuffled, weights, order, allowed)
    assert loss == mistakes >= 3
    assert features_of(learner, learner.table) == after
    assert features_of(learner, learner.averaged()) == pytest.approx(mean, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("order", range(3))
@pytest.mark.usefixtures("unlimited")
def test_expected_changes_are_the_gradient_of_the_true_targets_probability(order, seed):
    """By differences: each weight a little higher and a little lower."""
    pair, rate, step = ("ab", "yx"), 2.0**-10, 1e-4
    everything = all_features([pair], FEW, order)
    weights = random_weights(everything, np.random.default_rng(seed), 2.0**-9)
    learner = learner_of([pair], weights, order, FEW)
    loss = presented(learner, TrainingOptions(order=order, beam=100), seed, rate)
    assert loss == pytest.approx(-edits.log_chance(weights, *pair, FEW, order), rel=1e-5)
    after = features_of(learner, learner.table)
    moved = 0
    for each in everything:
        high, low = (
            edits.log_chance(weights | {each: weights[each] + way * step}, *pair, FEW, order)
            for way in (1, -1)
        )
        gradient = (high - low) / (2 * step)
        change = (after.get(each, 0.0) - weights[each]) / rate
        assert change == pytest.approx(gradient, abs=4e-3), each
        moved += abs(gradient) > 0.05
    assert moved > 5


@pytest.mark.usefixtures("unlimited")
def test_expected_changes_are_averaged_like_others(seed):
    """Two presentations: the mean is what the first one made and half of what the second one added."""
    pairs, order = [("a", "xy"), ("b", "y")], 1
    weights = random_weights(all_features(pairs, FEW, order), np.random.default_rng(seed), 2.0**-9)
    options = TrainingOptions(order=order, beam=100)
    turn = np.random.default_rng(seed).permutation(2)
    alone = learner_of(pairs, weights, order, FEW)
    alone.material = alone.material._replace(rows=alone.material.rows[turn[:1]])
    presented(alone, options, seed, 0.5)
    both = learner_of(pairs, weights, order, FEW)
    presented(both, options, seed, 0.5)
    once, twice, mean = (features_of(both, table) for table in (alone.table, both.table, both.averaged()))
    assert once != twice
    for each in once.keys() | twice.keys():
        expected = (once.get(each, 0.0) + twice.get(each, 0.0)) / 2
        assert mean.get(each, 0.0) == pytest.approx(expected, abs=1e-6)


def test_a_true_target_that_cannot_be_generated_rises_all_the_same(seed):
    """Nothing may be written but y: the only way to x is not in the lattice."""
    learner = learner_of([("a", "x"), ("b", "y")], {}, 0, [("a", "y"), ("a", ""), ("b", "y"), ("b", "")])
    loss = presented(learner, TrainingOptions(order=0), seed, 1.0)
    assert features_of(learner, learner.table)["a", "x", "", ""] > 0.5
    assert loss == pytest.approx(2 * math.log(3), abs=0.5)  # each against two other paths


@pytest.mark.parametrize("update", ["expected", "perceptron"])
def test_it_may_start_from_zero_weights_and_all_edits(update, seed, monkeypatch):
    options = TrainingOptions(order=1, epochs=2, update=update, beam=100, seed=seed, start="zero")
    learner = training.Learner(pairs_to_learn(PAIRS), 1)
    every = np.ones(
        learner.table.plain.shape, np.bool_
    )  # letters of both alphabets, each for each other or for none
    every[0, 0], every[UNKNOWN], every[:, UNKNOWN] = False, False, False
    learner.table = with_choices(learner.table, every)
    random = np.random.default_rng(seed)
    losses = [
        training._present_generating(learner, options, random, training.RATE * training.DECAY**epoch)
        for epoch in range(2)
    ]
    found = [(loss, each) for each, loss in training.epochs_of(learner.material, options)]
    assert [loss for loss, _ in found] == losses
    ((_, last),) = found[1:]
    assert features_of(last, last.averaged()) == features_of(learner, learner.averaged())
    assert (compacted(last.averaged()).allowed == every).all()

    monkeypatch.setattr(training, "_present_generating", lambda *_: 0.0)
    for start, is_zero in (("zero", True), ("order-0", False)):
        options = TrainingOptions(order=1, epochs=1, start=start)
        ((begun, _),) = training.epochs_of(learner.material, options)
        assert (not begun.table.plain.any()) == is_zero
        assert (compacted(begun.table).allowed == every).all() == is_zero


def trained_and_stops(options, monkeypatch):
    """Train on short texts that are turned round; where the kernels stopped is listed."""
    random, stops = np.random.default_rng(options.seed), []
    texts = ["".join(random.choice(list("abcd"), 3)) for _ in range(30)]
    material = pairs_to_learn([(text, text.upper()[::-1]) for text in texts])

    def telling(kernel):
        def call(*arguments):
            reached = kernel(*arguments)
            stops.append((reached[0], len(material.rows)))
            return reached

        return call

    with monkeypatch.context() as patch:
        for name in ("train_expecting", "train_generating"):
            patch.setattr(training, name, telling(getattr(training, name)))
        epochs = training.epochs_of(material, options)
        return [(loss, features_of(learner, learner.averaged())) for learner, loss in epochs], stops


@pytest.mark.parametrize("update", ["expected", "perceptron"])
def test_tables_of_weights_grow_in_the_middle_of_an_epoch_without_a_trace(update, monkeypatch):
    options = TrainingOptions(order=2, epochs=2, update=update, beam=5)
    plenty, _ = trained_and_stops(options, monkeypatch)
    monkeypatch.setattr(weights_module, "SMALLEST", 16)
    scarce, stops = trained_and_stops(options, monkeypatch)
    assert any(0 < stop < count for stop, count in stops)
    assert scarce == plenty


@pytest.mark.parametrize("update", ["expected", "perceptron"])
def test_lattices_and_agendas_grow_without_a_trace(update, monkeypatch):
    options = TrainingOptions(order=2, epochs=2, update=update, beam=5)
    plenty, enough = trained_and_stops(options, monkeypatch)
    monkeypatch.setattr(training, "FIRST_ARCS", 16)
    monkeypatch.setattr(training, "FIRST_NODES", 16)
    scarce, stops = trained_and_stops(options, monkeypatch)
    assert len(stops) > len(enough) + 2
    assert scarce == plenty


def test_generation_may_use_what_the_best_paths_use_and_leave_out_any_letter():
    material = pairs_to_learn([("ab", "xy"), ("b", "y")])
    learner = training.Learner(material, 0)
    sources, targets = material.source_alphabet, material.target_alphabet
    learner.table.plain[number_of(sources, "a"), number_of(targets, "x")] = 1.0
    learner.table.plain[number_of(sources, "b"), number_of(targets, "y")] = 1.0
    learner.allow_seen()
    weights = compacted(learner.table)
    allowed = {
        (sources.letter(int(s)), targets.letter(int(t)))
        for s, t in zip(*np.nonzero(weights.allowed), strict=True)
    }
    assert allowed == {("a", "x"), ("b", "y"), ("a", ""), ("b", "")}
    assert not weights.allowed[1].any()  # no edit of a letter that is not known: it is copied
    assert not weights.allowed[:, 1].any()


def test_choices_are_rows_of_target_letters():
    table = training.Learner(pairs_to_learn([("ab", "xy")]), 0).table
    allowed = np.zeros(table.plain.shape, np.bool_)
    allowed[0, 3] = allowed[2, 0] = allowed[2, 2] = True
    chosen = with_choices(table, allowed)
    assert chosen.choice_offsets.tolist() == [0, 1, 1, 3, 3]
    assert chosen.choices.tolist() == [3, 0, 2]
