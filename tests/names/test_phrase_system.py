"""The phrase-based system of characters, end to end on made-up scripts."""

import numpy as np
import pytest

from cepts.errors import InputError, ModelError, OptionError
from cepts.names import PhraseSystem
from tests.aligning.forging import changed, describe, forge, set_meta
from tests.names.scripts import pairs

SMALL = {"n_best": 20, "rounds": 2, "order": 4}
EVERY = pairs(360, seed=1)
TRAIN, DEV, TEST = EVERY[:260], EVERY[260:310], EVERY[310:]


@pytest.fixture(scope="module")
def system():
    return PhraseSystem.fit(TRAIN, DEV, **SMALL)


@pytest.fixture
def saved(system, tmp_path):
    system.save(tmp_path / "model")
    return tmp_path / "model"


def test_it_learns_to_write(system):
    found = system.transcribe([source for source, _ in TEST])
    first = np.mean([names[0].text == target for names, (_, target) in zip(found, TEST, strict=True)])
    listed = np.mean(
        [target in [name.text for name in names] for names, (_, target) in zip(found, TEST, strict=True)]
    )
    assert first > 0.9
    assert listed > 0.95


def test_candidates_are_different_and_fall(system):
    lengths = []
    for names in system.transcribe([source for source, _ in TEST[:10]], n_best=30):
        texts = [name.text for name in names]
        assert len(set(texts)) == len(texts)
        assert np.all(np.diff([name.score for name in names]) <= 1e-9)
        lengths.append(len(texts))
    assert max(lengths) > 2  # some names can be written in several ways, also far from the best


def test_the_score_of_a_pair_is_that_of_the_candidate(system):
    sources = [source for source, _ in TEST[:10]]
    found = system.transcribe(sources, n_best=5)
    flat = [(source, *name) for source, names in zip(sources, found, strict=True) for name in names]
    one, other, scores = zip(*flat, strict=True)
    assert system.scores(one, other) == pytest.approx(scores, abs=1e-9)
    assert system.affinities(one, other) == pytest.approx(scores, rel=1e-5)
    assert system.affinities(one, other).dtype == np.float32


def test_right_targets_rank_first(system):
    sources, targets = zip(*TEST, strict=True)
    many = [source for source in sources for _ in targets], [*targets] * len(sources)
    for language_model in (True, False):
        table = system.scores(*many, language_model=language_model).reshape(len(sources), -1)
        assert np.mean(table.argmax(axis=1) == np.arange(len(sources))) > 0.95


def test_the_language_model_is_a_part_of_the_score(system):
    with_it, without = (system.scores(["shanao"], ["XANAO"], language_model=flag) for flag in (True, False))
    assert with_it < without


def test_unknown_characters_are_copied_or_skipped(system):
    texts = [names[0].text for names in system.transcribe(["ba-ba", "baжba", "ba7", "baAba"], n_best=1)]
    assert texts == ["BA-BA", "BABA", "BA7", "BAABA"]
    assert np.all(np.isfinite(system.scores(["жж", "ba-ba"], ["BA", "qq"])))
    assert system.scores(["ba-ba"], ["BA-BA"])[0] == pytest.approx(
        system.transcribe(["ba-ba"], 1)[0][0].score
    )


def test_an_empty_name_has_no_candidates(system):
    assert system.transcribe(["", "ba"], n_best=1)[0] == []
    assert system.transcribe([]) == []
    assert np.all(np.isfinite(system.scores(["", "ba", ""], ["BA", "", ""])))
    assert system.scores([], []).shape == (0,)


def test_a_name_of_ten_thousand_characters(system):
    assert system.transcribe(["ba" * 5000], n_best=2)[0][0].text == "BA" * 5000


def test_names_are_normalised(system):
    composed, apart = "b\N{LATIN SMALL LETTER E WITH ACUTE}", "be\N{COMBINING ACUTE ACCENT}"
    assert system.transcribe([composed]) == system.transcribe([apart])
    assert system.scores([apart], ["BE"]) == system.scores([composed], ["BE"])


def test_threads_change_nothing(system):
    sources = [source for source, _ in TEST[:8]]
    assert system.transcribe(sources, threads=2) == system.transcribe(sources)


def test_a_saved_system_is_the_same(system, saved):
    again = PhraseSystem.load(saved)
    sources, targets = zip(*TEST, strict=True)
    assert again.transcribe(sources) == system.transcribe(sources)
    assert np.array_equal(again.scores(sources, targets), system.scores(sources, targets))


def test_dev_targets_may_be_several():
    doubled = [*DEV, *((source, target + "E") for source, target in DEV)]
    system = PhraseSystem.fit(TRAIN, doubled, **SMALL)
    assert system.transcribe(["ba"], n_best=1)[0][0].text == "BA"


def test_without_dev_some_pairs_are_held_out_by_the_seed():
    one, same, other = (PhraseSystem.fit(TRAIN, seed=seed, **SMALL) for seed in (1, 1, 2))
    assert np.array_equal(one.decoder.weights, same.decoder.weights)
    assert not np.array_equal(one.decoder.weights, other.decoder.weights)


def test_too_few_pairs_are_refused():
    with pytest.raises(InputError, match="no pair of names to learn from: expected pairs of two strings"):
        PhraseSystem.fit([("a", "")], DEV)
    with pytest.raises(InputError, match="no pair of names to tune on"):
        PhraseSystem.fit(TRAIN, [])
    with pytest.raises(InputError, match="3 names are too few to hold some out for tuning: give dev pairs"):
        PhraseSystem.fit(TRAIN[:3])


def test_bad_arguments_are_refused(system):
    with pytest.raises(OptionError, match="n_best=0: expected a number from 1"):
        system.transcribe(["ba"], n_best=0)
    with pytest.raises(OptionError, match="1 sources but 2 targets, expected as many"):
        system.scores(["ba"], ["BA", "BO"])


@pytest.mark.parametrize(
    ("name", "place", "value", "reason"),
    [
        ("weights", 0, np.nan, "its weights are none"),
        ("source_characters", 0, ord("b"), "its alphabet is none"),
        ("options_target_ids", 0, 10_000, r"target_ids\[0\] is 10000, expected a number from 0 to [0-9]+"),
        ("language_model_ids", -1, 10_000, "its n-grams do not fit each other"),
    ],
)
def test_a_forged_system_is_refused(saved, name, place, value, reason):
    other = 1 if name == "source_characters" else place  # make two of its characters the same
    array = changed(np.load(saved / f"{name}.npy"), place, value)
    forge(saved, name, changed(array, other, value))
    with pytest.raises(
        ModelError, match=f"is no phrase system that this version can use: {reason}; train it again"
    ):
        PhraseSystem.load(saved)


def test_a_system_with_an_impossible_search_is_refused(saved):
    describe(saved, set_meta("search", {"beam": 0, "margin": 1.0}))
    with pytest.raises(ModelError, match="beam=0: expected a number from 1"):
        PhraseSystem.load(saved)
