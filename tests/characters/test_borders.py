"""What is at the borders of the edit model: equals without number, hostile sizes, arguments of the wrong kind."""

import numpy as np
import pytest

from cepts.characters import EditModel
from cepts.errors import InputError, ModelError, OptionError
from cepts.storage import load_folder, save_folder
from tests.characters.models import model_of

PAIRS = [("ab", "AB"), ("ba", "BA"), ("aab", "AABX")]
EVERYTHING = [(one, other) for one in ("", "a", "b") for other in ("x", "y", "") if one or other]


@pytest.mark.parametrize("order", range(3))
def test_equals_without_number_do_not_keep_the_search_from_its_end(order):
    """All strings score 0, and there are more than could ever be listed."""
    model = model_of({}, "ab", "xy", order, EVERYTHING)
    (found,) = model.transcribe(["ab" * 20], 5)
    assert len({candidate.text for candidate in found}) == 5
    assert {candidate.score for candidate in found} == {0.0}


def test_sums_that_are_equal_but_for_rounding_do_not_either():
    """Without grams, the place of an insertion makes no difference but in the last bits of a score."""
    random = np.random.default_rng(5)
    weights = {
        (*edit, "", ""): float(value) for edit, value in zip(EVERYTHING, random.random(8) / 3, strict=True)
    }
    model = model_of(weights, "ab", "xy", 0, EVERYTHING)
    (found,) = model.transcribe(["abbabaab" * 4], 5)
    assert len({candidate.text for candidate in found}) == 5


def test_copied_letters_are_scored_as_the_target_letters_that_they_are():
    """x is no letter of the sources, but one of the targets: inserted or copied, it is the same."""
    weights = {("a", "x", "", ""): 2.0, ("", "x", "", ""): -1.0}
    model = model_of(weights, "a", "x", 1, [("a", "x"), ("", "x")])
    (found,) = model.transcribe(["axa"], 8)
    texts = [candidate.text for candidate in found]
    assert texts[0] == "xxx"
    assert len({*texts}) == len(texts)
    assert [candidate.score for candidate in found] == model.affinities(["axa"] * len(texts), texts).tolist()


def test_transcriptions_are_in_normal_form():
    accent = "\N{COMBINING ACUTE ACCENT}"
    weights = {("a", "e", "", ""): 1.0, ("b", accent, "", ""): 1.0}
    model = model_of(weights, "ab", "e" + accent, 0, [("a", "e"), ("b", accent)])
    text = model.transcribe(["ab"])[0][0].text
    assert text == "\N{LATIN SMALL LETTER E WITH ACUTE}"


def test_numbers_of_strings_may_not_point_outside():
    model = model_of({("a", "x", "", ""): 1.0}, "a", "x", 0)
    sources, targets = model.encode_sources(["a", "aa"]), model.encode_targets(["x"])
    with pytest.raises(OptionError, match=r"^ones must be from 0 to 1, got 0 to 2$"):
        model.affinities_of(sources, targets, np.array([0, 2]), np.array([0, 0]))
    with pytest.raises(OptionError, match=r"^others must be from 0 to 0, got -1 to 0$"):
        model.affinities_of(sources, targets, np.array([0, 1]), np.array([0, -1]))
    with pytest.raises(OptionError, match=r"^ones and others must be as many, got 2 and 1$"):
        model.affinities_of(sources, targets, np.array([0, 1]), np.array([0]))
    every_other = np.arange(4, dtype=np.int32)[::2] // 2
    assert model.affinities_of(sources, targets, every_other, np.zeros(2, np.int8)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", ["order", "epochs", "decoys", "trues", "beam", "seed"])
@pytest.mark.parametrize("value", [1.5, "1", True])
def test_options_are_whole_numbers(name, value):
    with pytest.raises(OptionError, match=f"^{name} must be a whole number, got {value!r}$"):
        EditModel.fit(PAIRS, **{name: value})


@pytest.mark.parametrize("row", [1, None, {"a", "b"}])
def test_rows_that_are_no_sequences_are_refused(row):
    with pytest.raises(OptionError, match=r"^fit: data\[1\] must be a list of texts, got "):
        EditModel.fit([PAIRS[0], row])


@pytest.mark.parametrize("mode", ["generate", "rank", "classify"])
def test_an_empty_dev_set_is_refused(mode):
    with pytest.raises(InputError, match=r"^there is nothing to choose an epoch by: dev is empty$"):
        EditModel.fit(PAIRS, mode=mode, dev=[])


def test_weights_of_one_letter_only():
    with pytest.raises(OptionError, match=r"^give one letter, got 'ab'$"):
        model_of({}, "ab", "x", 0).largest_weights(3, "ab")


def stranger(tmp_path, change):
    EditModel.fit(PAIRS, order=1, epochs=1).save(tmp_path / "honest")
    meta, arrays, _ = load_folder(tmp_path / "honest", "edit-model")
    arrays = {name: np.array(array) for name, array in arrays.items()}
    change(meta, arrays)
    save_folder(tmp_path / "model", "edit-model", meta, arrays, {})
    return tmp_path / "model"


@pytest.mark.parametrize("name", ["plain", "values"])
def test_weights_whose_sums_are_no_numbers_are_refused(name, tmp_path):
    def change(_, arrays):
        arrays[name].flat[:] = np.where(np.arange(arrays[name].size) % 2, 3e38, -3e38)

    with pytest.raises(ModelError, match="something else where weights are expected"):
        EditModel.load(stranger(tmp_path, change))


@pytest.mark.parametrize("order", [1.0, True])
def test_orders_of_the_wrong_kind_are_refused(order, tmp_path):
    with pytest.raises(ModelError, match="order must be a whole number"):
        EditModel.load(stranger(tmp_path, lambda meta, _: meta["options"].update(order=order)))


def test_arrays_may_be_kept_column_by_column(tmp_path):
    folder = stranger(tmp_path, lambda _, arrays: arrays.update(plain=np.asfortranarray(arrays["plain"])))
    loaded, honest = EditModel.load(folder), EditModel.load(tmp_path / "honest")
    assert loaded.weights.plain.flags.c_contiguous
    assert loaded.affinity("ab", "AB") == honest.affinity("ab", "AB")
