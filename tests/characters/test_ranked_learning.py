"""The averaged perceptron against its naive twin, which keeps a copy of all weights for each presentation."""

import numpy as np
import pytest

from cepts.characters import TrainingOptions, training
from cepts.characters import weights as weights_module
from cepts.characters.examples import groups_to_learn, orders_to_learn, pairs_to_learn
from cepts.characters.weights import compacted
from tests.characters.models import features_of_weights
from tests.reference import edits

MATERIAL = {"rank": pairs_to_learn, "classify": groups_to_learn, "affinity": orders_to_learn}


def random_word(random, letters, longest=4):
    return "".join(random.choice(list(letters), random.integers(1, longest + 1)))


def random_rows(mode, seed, count=12):
    """Examples without any sense: the perceptron errs all the time."""
    random = np.random.default_rng(seed)
    sizes = {"rank": [2] * count, "affinity": [3] * (count - 2) + [5, 4], "classify": [4, 1, 3, 2, 3]}[mode]
    letters = "ab" if mode == "classify" else "xyz"
    return [
        (random_word(random, "ab"), *(random_word(random, letters) for _ in range(size - 1)))
        for size in sizes
    ]


def strings_of(alphabet, strings):
    return [
        alphabet.decode(strings.letters[begin:end])
        for begin, end in zip(strings.offsets[:-1], strings.offsets[1:], strict=True)
    ]


def naive_epochs(material, options):
    """Yield after each epoch the weights, their mean over all presentations, and the number of mistakes."""
    random = np.random.default_rng(options.seed)
    sampler = training._sampler(material, options)
    sources = strings_of(material.source_alphabet, material.sources)
    targets = strings_of(material.target_alphabet, material.targets)
    weights, copies = {}, []
    for _ in range(options.epoch_count):
        mistakes = 0
        for source, trues, decoys in zip(*sampler(random), strict=True):
            named = ([targets[n] for n in numbers if n >= 0] for numbers in (trues, decoys))
            mistakes += edits.learn_from_lists(weights, sources[source], *named, options.order)
            copies.append(dict(weights))
        yield {each: weight for each, weight in weights.items() if weight}, edits.mean_of(copies), mistakes


def check_training(mode, order, seed, **chosen):
    options = TrainingOptions(mode=mode, order=order, seed=seed, epochs=3, **chosen)
    material = MATERIAL[mode](random_rows(mode, seed))
    alphabets = material.source_alphabet, material.target_alphabet
    mistaken = 0
    fast, slow = training.epochs_of(material, options), naive_epochs(material, options)
    for (learner, loss), (weights, mean, mistakes) in zip(fast, slow, strict=True):
        assert loss == mistakes
        assert features_of_weights(compacted(learner.table), *alphabets) == weights
        assert features_of_weights(compacted(learner.averaged()), *alphabets) == pytest.approx(mean, rel=1e-6)
        mistaken += mistakes
    assert mistaken > 5
    return learner


@pytest.mark.parametrize("order", range(5))
@pytest.mark.parametrize("mode", MATERIAL)
def test_lazy_averages_are_naive_averages(mode, order, seed):
    check_training(mode, order, seed + order, decoys=3, trues=2)


@pytest.mark.parametrize("mode", MATERIAL)
def test_tables_grow_in_the_middle_of_an_epoch_without_a_trace(mode, seed, monkeypatch):
    stops = []

    def train_and_tell(*arguments):
        reached = kernel(*arguments)
        stops.append((reached[0], len(arguments[5])))
        return reached

    kernel = training.train_ranked
    monkeypatch.setattr(training, "train_ranked", train_and_tell)
    monkeypatch.setattr(weights_module, "SMALLEST", 16)
    learner = check_training(mode, 2, seed, decoys=3)
    assert any(0 < at < count for at, count in stops)
    assert len(learner.table.gram_keys) > 16
    assert len(learner.table.keys) > 256


def test_one_presentation_by_hand():
    """At first all scores are 0: "a" with "x" true and "y" a decoy is a mistake, then never again.

    The mean of presentations 1 to 3 is what the first one made.
    """
    options = TrainingOptions(mode="affinity", order=1, epochs=3)
    material = orders_to_learn([("a", "x", "y")])
    *_, (learner, loss) = training.epochs_of(material, options)
    beside = [("", ""), ("before", "^"), ("after", "a"), ("target", "^")]
    expected = {("a", other, *gram): way for other, way in (("x", 1.0), ("y", -1.0)) for gram in beside}
    alphabets = material.source_alphabet, material.target_alphabet
    assert features_of_weights(compacted(learner.averaged()), *alphabets) == expected
    assert loss == 0


def test_a_late_mistake_counts_for_what_is_left_of_the_presentations():
    """Order 0, two rows that contradict each other. The first one raises a:x and lowers a:y by 1. Then "y" is true: it
    is inserted and "a" left out (0, where a:y has -1 by now), and both rise; the decoy a:x has 1, and falls. The mean
    of the two copies has a whole change of the first presentation, and half of one of the second.
    """
    options = TrainingOptions(mode="affinity", order=0, epochs=1)
    material = orders_to_learn([("a", "x", "y"), ("a", "y", "x")])
    ((learner, loss),) = training.epochs_of(material, options)
    alphabets = material.source_alphabet, material.target_alphabet
    mean = features_of_weights(compacted(learner.averaged()), *alphabets)
    first, then = (
        ("x", "y") if mean["a", "x", "", ""] > 0 else ("y", "x")
    )  # chance presents one of them first
    assert mean == {
        ("a", first, "", ""): 0.5,
        ("a", then, "", ""): -1.0,
        ("", then, "", ""): 0.5,
        ("a", "", "", ""): 0.5,
    }
    assert loss == 2
