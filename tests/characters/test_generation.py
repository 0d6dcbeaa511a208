"""Generation: a beam of unlimited width against exhaustive search, and the laws of n-best lists."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.characters import searching
from cepts.characters.searching import find_best
from cepts.errors import OptionError
from tests.characters.models import features_of_ways, model_of, random_weights, seeds, words
from tests.reference import edits

ALLOWED = [("a", "x"), ("a", "y"), ("a", ""), ("b", "y"), ("b", ""), ("", "x"), ("", "y")]
WIDE = 10_000


def random_model(sources, order, seed, allowed=ALLOWED):
    features = sorted({each for source in sources for each in features_of_ways(source, allowed, order)})
    weights = random_weights(features, np.random.default_rng(seed), 1 / 1024)
    return weights, model_of(weights, "ab", "xy", order, allowed)


def found_strings(model, source, wanted, width):
    """What the search finds, with the scores of the search itself."""
    sources = model.source_alphabet.encode([source])
    found = find_best(model._table, model.order, sources, wanted, width, searching.UNLIMITED)
    count = int(np.sum(found.lengths[0] >= 0))
    return [
        (
            model.target_alphabet.decode(found.letters[0, rank, : found.lengths[0, rank]]),
            float(found.scores[0, rank]),
        )
        for rank in range(count)
    ]


@settings(max_examples=25)
@given(words("ab", 2), st.integers(0, 4), seeds, st.integers(1, 40))
def test_an_unlimited_beam_is_exhaustive_search(source, order, seed, wanted):
    weights, model = random_model([source], order, seed)
    everything = edits.generated(weights, source, ALLOWED, order)
    best = sorted(everything.values(), reverse=True)[:wanted]
    found = found_strings(model, source, wanted, WIDE)
    assert [score for _, score in found] == best
    assert len({string for string, _ in found}) == len(found)
    assert all(everything[string] == score for string, score in found)


@settings(max_examples=25)
@given(words("ab", 5), st.integers(1, 4), seeds, st.sampled_from([0.25, 1.0, 3.0]), st.integers(1, 20))
def test_edits_that_no_gram_can_save_are_left_out_without_a_loss(source, order, seed, margin, width):
    """Whether an edit's hopes are known, or might be anything, the same ways are followed."""
    _, model = random_model([source], order, seed)
    sources, table = model.source_alphabet.encode([source]), model._table
    hopeful = table._replace(hopes=np.full_like(table.hopes, 1e29))
    assert np.all(table.hopes < 1e29)
    one, other = (find_best(each, order, sources, 5, width, np.float32(margin)) for each in (table, hopeful))
    for had, wanted in zip(one, other, strict=True):
        np.testing.assert_array_equal(had, wanted)


@pytest.mark.parametrize("order", range(3))
def test_every_string_that_can_be_generated_is_found(order, seed):
    """At most three insertions in a row: before "b" and behind it up to three letters, and y between or nothing."""
    weights, model = random_model(["b"], order, seed)
    everything = edits.generated(weights, "b", ALLOWED, order)
    found = found_strings(model, "b", WIDE, WIDE)
    assert dict(found) == everything
    assert len(found) == len(everything)
    assert {len(string) for string, _ in found} == {*range(8)}


@settings(max_examples=20)
@given(words("ab", 2), st.integers(0, 3), seeds, st.integers(1, 12), st.integers(1, 6))
def test_laws_of_transcriptions(source, order, seed, n_best, beam):
    """Different strings, best first, each with its affinity, none better than the best of all."""
    _, model = random_model([source], order, seed)
    (found,) = model.transcribe([source], n_best, beam=beam)
    scores, texts = [candidate.score for candidate in found], [candidate.text for candidate in found]
    assert 1 <= len(found) <= n_best
    assert len({*texts}) == len(texts)
    assert scores == sorted(scores, reverse=True)
    assert scores == model.affinities([source] * len(found), texts).tolist()
    assert {*texts} <= edits.generated({}, source, ALLOWED, 0).keys()
    (wide,) = model.transcribe([source], n_best, beam=WIDE)
    assert max(score for _, score in found_strings(model, source, 1, beam)) <= wide[0].score


def test_a_narrow_beam_keeps_the_best_states_of_each_layer():
    """After "a": x scores 2, y 1; but y is followed by 5. A beam of one drops it."""
    weights = {
        ("a", "x", "", ""): 2.0,
        ("a", "y", "", ""): 1.0,
        ("b", "y", "target", "y"): 5.0,
        ("b", "", "", ""): -1.0,
    }
    allowed = [("a", "x"), ("a", "y"), ("b", "y"), ("b", "")]
    model = model_of(weights, "ab", "xy", 1, allowed)
    assert model.transcribe(["ab"], 1, beam=1)[0][0].text == "xy"
    assert model.transcribe(["ab"], 1, beam=2) == [[("yy", 6.0)]]


def test_a_state_is_as_good_as_the_best_way_to_it():
    """An x at the end: a left out and b:x have 5; later offers are a:x, b left out (-9) and a:x, b:x (-24).

    Of the ends x, y and nothing (0), a beam of two keeps x.
    """
    weights = {
        ("a", "x", "", ""): -9.0,
        ("b", "x", "", ""): 5.0,
        ("b", "y", "", ""): 3.0,
        ("b", "x", "target", "x"): -20.0,
    }
    allowed = [("a", ""), ("a", "x"), ("b", ""), ("b", "x"), ("b", "y")]
    model = model_of(weights, "ab", "xy", 1, allowed)
    assert model.transcribe(["ab"], 1, beam=2) == [[("x", 5.0)]]


def test_equals_at_the_edge_of_the_beam_do_not_widen_it():
    """Three states of one score and room for two: the list has what the two states that are kept become."""
    model = model_of({}, "a", "xyz", 1, [("a", "x"), ("a", "y"), ("a", "z")])
    assert len(found_strings(model, "a", 3, 2)) == 2
    assert len(found_strings(model, "a", 3, 3)) == 3


def test_states_that_are_too_bad_are_left_out(monkeypatch):
    weights, allowed = {("a", "x", "", ""): 4.0, ("a", "y", "", ""): 1.0}, [("a", "y"), ("a", "x")]
    for margin, texts in ((10.0, ["x", "y"]), (3.0, ["x", "y"]), (2.5, ["x"])):
        monkeypatch.setattr("cepts.characters.model.MARGIN", np.float32(margin))
        for order in (0, 1):
            model = model_of(weights, "a", "xy", order, allowed, "expected")
            assert [candidate.text for candidate in model.transcribe(["a"])[0]] == texts
            anything = model_of(weights, "a", "xy", order, allowed, "perceptron")
            assert [candidate.text for candidate in anything.transcribe(["a"])[0]] == ["x", "y"]


def test_insertions_that_are_too_bad_are_left_out(monkeypatch):
    weights, allowed = {("a", "x", "", ""): 4.0, ("", "y", "", ""): -1.0}, [("a", "x"), ("", "y")]
    model = model_of(weights, "a", "xy", 1, allowed, "expected")
    monkeypatch.setattr("cepts.characters.model.MARGIN", np.float32(1.5))
    assert {candidate.text for candidate in model.transcribe(["a"], 20)[0]} == {"x", "yx", "xy", "yxy"}


def test_threads_pieces_and_company_change_nothing(seed, monkeypatch):
    random = np.random.default_rng(seed)
    _, model = random_model(["ab", "ba", "aa", "bb", ""], 1, seed)
    names = ["".join(random.choice(list("ab"), size)) for size in random.integers(0, 7, 60)]
    whole = model.transcribe(names)
    assert [model.transcribe([name])[0] for name in names] == whole
    for cells in (1 << 16, 100, 1):
        monkeypatch.setattr("cepts.characters.model.CELLS", cells)
        for threads in (1, 2):
            assert model.transcribe(names, threads=threads) == whole
    assert model.transcribe(iter(names)) == whole


def test_rooms_that_are_too_small_grow_without_a_trace(seed, monkeypatch):
    _, model = random_model(["ab", "ba", "aa", "bb", ""], 1, seed)
    names = ["ab", "", "bbaab", "aaab"]
    whole = model.transcribe(names, 10)
    monkeypatch.setattr(searching, "FIRST_ARCS", 8)
    monkeypatch.setattr(searching, "FIRST_NODES", 2)
    assert model.transcribe(names, 10) == whole


def test_letters_that_are_not_known_are_copied_in_their_places():
    weights = {("a", "x", "", ""): 2.0, ("b", "y", "", ""): 2.0, ("b", "", "", ""): 1.0}
    model = model_of(weights, "ab", "xy", 1, [("a", "x"), ("b", "y"), ("b", "")])
    (found,) = model.transcribe(["1a-b2"], 2)
    assert [candidate.text for candidate in found] == ["1x-y2", "1x-2"]
    assert model.transcribe(["\U0001f600"])[0][0] == ("\U0001f600", 0.0)


def test_an_empty_name_has_the_empty_string_and_insertions():
    model = model_of({("", "x", "", ""): -1.0}, "a", "x", 0, [("a", "x"), ("", "x")])
    assert model.transcribe([""]) == [[("", 0.0), ("x", -1.0), ("xx", -2.0), ("xxx", -3.0)]]
    assert model.transcribe([]) == []


def test_a_name_without_any_way_to_its_end_has_no_transcription():
    assert model_of({}, "ab", "x", 1, [("a", "x")]).transcribe(["ab", "a"]) == [[], [("x", 0.0)]]


def test_very_long_names():
    weights = {("a", "x", "", ""): 1.0, ("b", "y", "", ""): 1.0, ("b", "y", "after", "ba"): 0.5}
    model = model_of(weights, "ab", "xy", 1 + 1, [("a", "x"), ("b", "y"), ("b", "")])
    name = "ab" * 2_500
    ((found,),) = model.transcribe([name], 1)
    assert found == ("xy" * 2_500, 5_000 + 2_499 / 2)
    assert model.affinity(name, "y") == 1.5


@pytest.mark.parametrize("name", ["n_best", "beam"])
def test_lists_and_beams_of_no_length_are_refused(name):
    model = model_of({}, "a", "x", 0)
    with pytest.raises(OptionError, match=f"^{name}=0: expected a number from 1 to 10000$"):
        model.transcribe(["a"], **{name: 0})
    with pytest.raises(OptionError, match=r"^give a list of strings, not one: \['ab'\]$"):
        model.transcribe("ab")
