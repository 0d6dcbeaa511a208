"""What a model can learn from, what is left out, and what is refused."""

import pytest

from cepts.characters import EditModel, Epoch, Left, TrainingOptions
from cepts.errors import CeptsError, InputError, OptionError

PAIRS = [("ab", "AB"), ("ba", "BA"), ("aab", "AAB")]
QUICK = {"order": 1, "epochs": 1}
NOTHING = (
    "^there is nothing to learn from: {} examples have an empty string, {} one of more than 1000 letters$"
)


def left(rows, **chosen):
    return EditModel.fit(rows, **(QUICK | chosen)).history.left


@pytest.mark.parametrize("mode", ["generate", "rank", "classify", "affinity"])
def test_nothing_to_learn_from(mode):
    with pytest.raises(InputError, match=NOTHING.format(0, 0)):
        EditModel.fit([], mode=mode)
    empty = [("", "", "")] if mode == "affinity" else [("", "")]
    with pytest.raises(InputError, match=NOTHING.format(2 if mode == "classify" else 1, 0)):
        EditModel.fit(empty, mode=mode)
    long = [("a" * 1001, "b" * 1001, "c")[: 3 if mode == "affinity" else 2]]
    with pytest.raises(InputError, match=NOTHING.format(0, 2 if mode == "classify" else 1)):
        EditModel.fit(long, mode=mode)


def test_empty_long_and_repeated_examples_are_counted():
    rows = [*PAIRS, ("", "A"), ("a", ""), ("a" * 1001, "A"), ("a", "A" * 10_000), PAIRS[0], PAIRS[0]]
    assert left(rows) == Left(empty=2, long=2, repeated=2)
    assert left(rows, mode="rank") == Left(2, 2, 2)
    assert left(
        [("a", "b", "c"), ("a", "b", ""), ("a", "b", "c"), ("a", "b", "c" * 1001)], mode="affinity"
    ) == (1, 1, 1)
    groups = [("a", "b", "", "a"), ("b", "c" * 10_000), ("b", "d")]
    assert left(groups, mode="classify") == Left(
        empty=1, long=1, repeated=1
    )  # b may be in two groups, but not twice


def test_repeated_examples_and_those_left_out_teach_nothing():
    model = EditModel.fit(PAIRS, **QUICK)
    more = EditModel.fit([*PAIRS, *PAIRS, ("", "z"), ("é" * 1001, "A")], **QUICK)
    assert more.source_alphabet.letters == model.source_alphabet.letters
    assert (
        more.affinities(["ab", "b"], ["AB", "A"]).tolist()
        == model.affinities(["ab", "b"], ["AB", "A"]).tolist()
    )


def test_strings_of_a_thousand_letters_are_learned_from():
    rows = [("ab" * 500, "AB" * 500), ("b", "B")]
    assert left(rows, mode="rank", order=0, decoys=1) == Left()
    assert left(rows, order=0) == Left()
    assert left([("a" * 1000, "b"), ("c", "d")], mode="classify", order=1) == Left()


@pytest.mark.parametrize(
    ("rows", "mode", "message"),
    [
        ([("a", "b"), ("a",)], "generate", "^example 2 has 1 strings, expected 2$"),
        ([("a", "b", "c")], "generate", "^example 1 has 3 strings, expected 2$"),
        ([("a", "b", "c")], "rank", "^example 1 has 3 strings, expected 2$"),
        ([("a", "b")], "affinity", "^example 1 has 2 strings, expected 3$"),
        ([("a",), ()], "classify", "^example 2 has 0 strings, expected 1$"),
        ([("a", "b"), "ab"], "generate", "^example 2 is not a row of strings: 'ab'$"),
        ("ab", "classify", "^example 1 is not a row of strings: 'a'$"),
        ([("a", 1)], "generate", r"^fit: (data|dev)\[0\]\[1\] must be text, got int 1$"),
        ([("a", None)], "rank", r"^fit: (data|dev)\[0\]\[1\] must be text, got None$"),
        ([("a", b"b")], "rank", r"^fit: (data|dev)\[0\]\[1\] must be text, got bytes$"),
    ],
)
def test_rows_that_are_no_examples_are_refused(rows, mode, message):
    with pytest.raises(CeptsError, match=message):
        EditModel.fit(rows, mode=mode)
    good = {"classify": [("a", "b")], "affinity": [("a", "b", "c")]}.get(mode, PAIRS)
    with pytest.raises(CeptsError, match=message):
        EditModel.fit(good, mode=mode, dev=rows)


def test_rows_may_be_lists_and_come_one_by_one():
    one = EditModel.fit(PAIRS, **QUICK)
    other = EditModel.fit((list(row) for row in PAIRS), **QUICK)
    assert one.affinity("ab", "AB") == other.affinity("ab", "AB")


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"mode": "guess"}, "^mode must be 'generate', 'rank', 'classify' or 'affinity', got 'guess'$"),
        ({"update": "magic"}, "^update must be 'expected' or 'perceptron', got 'magic'$"),
        ({"start": "one"}, "^start must be 'order-0' or 'zero', got 'one'$"),
        ({"order": 5}, "^order=5: expected a number from 0 to 4$"),
        ({"order": -1}, "^order=-1: expected a number from 0 to 4$"),
        ({"epochs": 0}, "^epochs=0: expected a number from 1 to 10000$"),
        ({"decoys": 0}, "^decoys=0: expected a number from 1 to 10000$"),
        ({"trues": 0}, "^trues=0: expected a number from 1 to 10000$"),
        ({"beam": -3}, "^beam=-3: expected a number from 1 to 10000$"),
        ({"seed": -1}, "^seed=-1: expected a number from 0 to 2147483647$"),
        ({"ordre": 1}, "^unknown option 'ordre'; did you mean 'order'\\?$"),
        ({"options": TrainingOptions(), "order": 1}, "^give either options or single fields, not both$"),
    ],
)
def test_options_that_cannot_be_used_are_refused(chosen, message):
    with pytest.raises(OptionError, match=message):
        EditModel.fit(PAIRS, **chosen)


def test_options_are_given_whole_or_field_by_field():
    options = TrainingOptions(mode="rank", order=1, epochs=2, decoys=3, seed=9)
    one = EditModel.fit(PAIRS, options=options)
    other = EditModel.fit(PAIRS, mode="rank", order=1, epochs=2, decoys=3, seed=9)
    assert one.options == other.options == options
    assert one.affinity("ab", "AB") == other.affinity("ab", "AB")


def test_what_is_usual_for_a_mode():
    usual = {mode: TrainingOptions(mode=mode) for mode in ("generate", "rank", "classify", "affinity")}
    assert {mode: options.epoch_count for mode, options in usual.items()} == {
        "generate": 10,
        "rank": 20,
        "classify": 10,
        "affinity": 5,
    }
    assert usual["rank"].decoy_count == 200
    assert (usual["classify"].trues, usual["classify"].decoy_count) == (5, 5)
    assert TrainingOptions(mode="rank", epochs=3, decoys=7).epoch_count == 3
    assert TrainingOptions(mode="rank", epochs=3, decoys=7).decoy_count == 7


def test_dev_examples_that_are_in_training_are_counted():
    history = EditModel.fit(PAIRS, dev=[PAIRS[0], ("b", "B"), PAIRS[0]], **QUICK).history
    assert history.overlap == 1
    assert EditModel.fit(PAIRS, **QUICK).history.overlap == 0
    groups = [("a", "b"), ("c", "d")]
    assert EditModel.fit(groups, dev=[("c", "d"), ("d", "c")], mode="classify", **QUICK).history.overlap == 1


def test_progress_is_told_after_each_epoch():
    told = []
    model = EditModel.fit(PAIRS, mode="rank", order=0, epochs=3, decoys=2, dev=PAIRS, progress=told.append)
    assert [(epoch.number, epoch.of) for epoch in told] == [(1, 3), (2, 3), (3, 3)]
    assert told == model.history.epochs
    assert all(isinstance(epoch, Epoch) and 0 <= epoch.dev <= 1 for epoch in told)


@pytest.mark.parametrize("groups", [[("a",), ("b",)], [("a", "b")], [("a", "a"), ("b",)]])
def test_groups_that_teach_nothing_are_refused(groups: list[tuple[str, ...]]) -> None:
    with pytest.raises(
        InputError, match=r"^there is nothing to tell apart: expected at least two groups, and two"
    ):
        EditModel.fit(groups, mode="classify")


def test_one_target_alone_cannot_be_ranked() -> None:
    with pytest.raises(InputError, match=r"^there is nothing to rank: all examples have the same target$"):
        EditModel.fit([("a", "x"), ("b", "x")], mode="rank")


def test_strings_that_would_fill_the_memory_are_refused() -> None:
    model = EditModel.fit([("a", "b"), ("b", "a")], order=0, epochs=1)
    with pytest.raises(
        InputError, match=r"^strings of 40,000 and 40,000 letters are too long to compare: their"
    ):
        model.affinity("a" * 40_000, "b" * 40_000)
    with pytest.raises(
        InputError, match=r"^a name of 5,001 letters is too long to transcribe: at most 5,000$"
    ):
        model.transcribe(["a", "a" * 5001])
    assert model.transcribe(["a" * 5000], 1)[0][0].text == "b" * 5000
