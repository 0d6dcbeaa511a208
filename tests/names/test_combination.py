"""The combination: planted judges, laws of lists, and real systems saved and loaded."""

import numpy as np
import pytest

from cepts.characters import Candidate, EditModel
from cepts.errors import InputError, ModelError, OptionError
from cepts.names import Combination, PhraseSystem, WordScores
from tests.aligning.forging import changed, describe, forge
from tests.names.scripts import pairs

EVERY = pairs(300, seed=3)
TRAIN, DEV, TEST = EVERY[:220], EVERY[220:260], EVERY[260:]
SOURCES, TARGETS = (list(side) for side in zip(*TEST, strict=True))
RIGHT = dict(EVERY)


class Planted:
    """Knows the truth, or not: adds noise to it; proposes the right target and some letters more."""

    def __init__(self, knowledge, seed, ending):
        self.knowledge, self.seed, self.ending = knowledge, seed, ending

    def affinities(self, sources, targets, *, threads=1):  # noqa: ARG002
        noise = [hash_noise(self.seed, *pair) for pair in zip(sources, targets, strict=True)]
        truth = [RIGHT[one] == other for one, other in zip(sources, targets, strict=True)]
        return np.array(self.knowledge * np.array(truth) + noise, np.float32)

    def transcribe(self, names, n_best=5, *, threads=1):  # noqa: ARG002
        texts = [[RIGHT[name] + self.ending * k for k in range(n_best)] for name in names]
        return [[Candidate(text, 0.0) for text in some] for some in texts]


class Judging(Planted):
    """Cannot write."""

    transcribe = None


def hash_noise(seed, *strings):
    """The same noise for the same strings, in any process."""
    numbers = [seed, *(ord(letter) for string in strings for letter in (*string, " "))]
    return float(np.random.default_rng(numbers).normal())


def test_the_judge_that_knows_counts_more():
    systems = {"knows": Planted(3.0, 1, "E"), "guesses": Planted(0.0, 2, "I")}
    found = Combination.fit(systems, DEV, n_best=10)
    assert found.coefficients[0] > 1
    assert abs(found.coefficients[1]) < 0.5


def test_two_judges_are_better_than_each():
    systems = {"one": Planted(2.0, 1, "E"), "other": Planted(2.0, 2, "I")}

    def accuracy(chosen):
        found = Combination.fit(chosen, EVERY[:200], n_best=10).transcribe(
            [name for name, _ in EVERY[200:]], 1
        )
        return np.mean([one[0].text == target for one, (_, target) in zip(found, EVERY[200:], strict=True)])

    alone = max(accuracy({name: system}) for name, system in systems.items())
    assert accuracy(systems) > alone + 0.05


def test_candidates_are_the_union_of_all_lists():
    systems = {"one": Planted(1.0, 1, "E"), "judge": Judging(1.0, 3, ""), "other": Planted(1.0, 2, "I")}
    found = Combination(systems, np.ones(3), n_best=4).transcribe(SOURCES[:1], n_best=100)
    right = TARGETS[0]
    # as many as are asked for, of each system that writes: the right target is in both lists
    expected = {right + ending * k for ending in "EI" for k in range(100)}
    assert len(found[0]) == 100
    assert {name.text for name in found[0]} < expected
    short = Combination(systems, np.ones(3), n_best=4).transcribe(SOURCES[:1], n_best=4)
    assert {name.text for name in short[0]} < {right + ending * k for ending in "EI" for k in range(4)}


def test_a_score_is_the_weighted_sum_and_lists_fall():
    systems = {"one": Planted(1.0, 1, "E"), "other": Planted(1.0, 2, "I")}
    combined = Combination(systems, np.array([2.0, -1.0]), n_best=5)
    for source, names in zip(SOURCES, combined.transcribe(SOURCES, n_best=9), strict=True):
        texts = [name.text for name in names]
        parts = [system.affinities([source] * len(texts), texts) for system in systems.values()]
        assert [name.score for name in names] == pytest.approx(2 * parts[0] - parts[1], abs=1e-5)
        assert np.all(np.diff([name.score for name in names]) <= 0)
        assert len(names) == 9


def test_ranking_among_candidates():
    systems = {"one": Judging(4.0, 1, ""), "other": Judging(4.0, 2, "")}
    combined = Combination.fit(systems, DEV, task="rank", decoys=20)
    ranked = combined.rank(SOURCES, TARGETS, n_best=3)
    assert all(len(names) == 3 for names in ranked)
    right = np.mean([names[0].text == target for names, target in zip(ranked, TARGETS, strict=True)])
    assert right > 0.9
    scores = combined.affinities([SOURCES[0]] * len(TARGETS), TARGETS)
    assert ranked[0][0].score == pytest.approx(scores.max())


def test_decoys_are_drawn_by_the_seed():
    systems = {"one": Judging(1.0, 1, ""), "other": Judging(0.5, 2, "")}
    one, same, other = (
        Combination.fit(systems, DEV, task="rank", decoys=5, seed=seed).coefficients for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.fixture(scope="module")
def real():
    systems = {
        "edits": EditModel.fit(TRAIN, mode="generate", order=1, epochs=3, seed=1),
        "phrases": PhraseSystem.fit(TRAIN, DEV, n_best=20, rounds=2, order=3),
        "words": WordScores.fit(TRAIN, "hmm"),
    }
    return Combination.fit(systems, DEV, n_best=10)


def test_real_systems_saved_and_loaded(real, tmp_path):
    real.save(tmp_path / "model")
    again = Combination.load(tmp_path / "model")
    assert list(again.systems) == ["edits", "phrases", "words"]
    assert again.n_best == 10
    for one, other in zip(again.transcribe(SOURCES), real.transcribe(SOURCES), strict=True):
        assert [name.text for name in one] == [name.text for name in other]
        assert [name.score for name in one] == pytest.approx([name.score for name in other], abs=1e-4)


def test_real_systems_write(real):
    found = real.transcribe(SOURCES)
    assert np.mean([names[0].text == target for names, target in zip(found, TARGETS, strict=True)]) > 0.9
    assert real.transcribe([]) == []


def test_names_that_would_take_minutes_are_refused(real):
    assert real.transcribe([SOURCES[0], 250 * "anna"])[1]
    with pytest.raises(
        InputError, match=r"^a name of 1,001 letters is too long to transcribe: at most 1,000$"
    ):
        real.transcribe([SOURCES[0], 1001 * "a"])


def test_a_forged_combination_is_refused(real, tmp_path):
    model = tmp_path / "model"
    real.save(model)
    forge(model, "coefficients", changed(real.coefficients, 0, np.nan))
    with pytest.raises(ModelError, match="is no combination that this version can use: its weights are none"):
        Combination.load(model)
    real.save(model)
    describe(model, lambda description: description["meta"]["systems"][0].update(kind="magic"))
    with pytest.raises(ModelError, match="a system of kind magic, expected one of word-aligner, edit-model"):
        Combination.load(model)


def test_a_system_that_cannot_be_saved_is_named(tmp_path):
    with pytest.raises(OptionError, match=r"system 'one' cannot be saved: it has no method save\(folder\)"):
        Combination({"one": Planted(1.0, 1, "E")}, np.ones(1)).save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ({}, {}, "no systems to combine: give at least one"),
        ({"one": Planted(1, 1, "E")}, {"task": "sing"}, "task 'sing': expected one of transcribe, rank"),
        ({"one": Judging(1, 1, "")}, {}, "no system writes names, they only judge them: use task 'rank'"),
        ({"one": Planted(1, 1, "E")}, {"n_best": 0}, "n_best=0: expected a number from 1"),
        ({"one": Planted(1, 1, "E")}, {"decoys": 0}, "decoys=0: expected a number from 1"),
    ],
)
def test_what_cannot_be_is_refused(systems, options, message):
    with pytest.raises(OptionError, match=message):
        Combination.fit(systems, DEV, **options)


def test_lists_of_no_names_are_refused():
    combined = Combination({"one": Planted(1.0, 1, "E")}, np.ones(1))
    with pytest.raises(OptionError, match="n_best=0: expected a number from 1"):
        combined.transcribe(SOURCES, n_best=0)
    with pytest.raises(OptionError, match="n_best=0: expected a number from 1"):
        combined.rank(SOURCES, TARGETS, n_best=0)
    with pytest.raises(InputError, match="no pair of names to learn from"):
        Combination.fit({"one": Planted(1.0, 1, "E")}, [])
