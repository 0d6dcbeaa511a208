"""The n-gram model against its slow twin, by hand, and at the edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.phrases.discounts import discounted, discounts
from cepts.phrases.language_model import UNKNOWN, LanguageModel
from cepts.phrases.language_model_kernels import score_next, score_sequences
from tests.reference import language_model as reference

SIZE = 3
texts = st.lists(st.lists(st.integers(0, SIZE - 1), max_size=6), max_size=12)
contexts = st.lists(st.integers(-1, SIZE), max_size=5)
orders = st.integers(1, 5)


def everything(model):
    return [*range(model.size), model.end, UNKNOWN]


def test_single_ids_by_hand():
    # 0, 1 and the end once each: each loses 1/2 of 1, total 3; the lost half is shared by 2 ids, end and unknown.
    model = LanguageModel.fit([[0, 1]], size=2, order=1)
    expected = [1 / 6 + 1 / 8, 1 / 6 + 1 / 8, 1 / 6 + 1 / 8, 1 / 8]
    assert np.exp(model.next_logs([], everything(model))) == pytest.approx(expected)


def test_pairs_by_hand():
    # Different ids before 0: begin; before 1: 0; before the end: 1. Behind 0 came only 1, once, which loses 1/2:
    # p(1 | 0) = 1/2 + 1/2 p(1), p(0 | 0) = 1/2 p(0), with p(0) = p(1) = 1/6 + 1/2 * 1/4.
    model = LanguageModel.fit([[0, 1]], size=2, order=2)
    single = 1 / 6 + 1 / 8
    assert np.exp(model.next_logs([0], [1, 0])) == pytest.approx([1 / 2 + single / 2, single / 2])
    whole = model.log_probabilities(np.array([0, 1], np.int32), np.array([0, 2]))
    assert np.exp(whole) == pytest.approx([(1 / 2 + single / 2) ** 3])


@given(texts, orders, contexts)
def test_equals_the_slow_twin(text, order, context):
    model = LanguageModel.fit(text, size=SIZE, order=order)
    twin = reference.LanguageModel(text, SIZE, order)
    wanted = [*range(SIZE), reference.END, reference.UNKNOWN]
    expected = [twin.next(one, context) for one in wanted]
    assert np.exp(model.next_logs(context, everything(model))) == pytest.approx(expected, rel=1e-4)


@given(texts, orders, contexts)
def test_all_that_can_come_next_sums_to_one(text, order, context):
    model = LanguageModel.fit(text, size=SIZE, order=order)
    assert np.exp(model.next_logs(context, everything(model))).sum() == pytest.approx(1, abs=1e-5)


@given(texts, orders, st.lists(contexts, min_size=1, max_size=4))
def test_a_sequence_is_the_product_of_its_steps(text, order, sequences):
    model = LanguageModel.fit(text, size=SIZE, order=order)
    ids = np.array([one for sequence in sequences for one in sequence], np.int32)
    offsets = np.cumsum([0, *(len(sequence) for sequence in sequences)])
    expected = []
    for sequence in sequences:
        known = [one if one < SIZE else UNKNOWN for one in sequence]
        steps = [model.next_logs(known[:k], [one])[0] for k, one in enumerate([*known, model.end])]
        expected.append(sum(steps))
    assert model.log_probabilities(ids, offsets) == pytest.approx(expected, abs=1e-9)


@given(texts, orders)
def test_a_state_is_as_long_as_it_matters_and_no_longer(text, order):
    model = LanguageModel.fit(text, size=SIZE, order=order)
    children = np.diff(model.trie.first_child)
    assert np.all((children[model.states] > 0) | (model.states == 0))
    own = np.flatnonzero(children > 0)
    assert np.array_equal(model.states[own], own)


@given(texts, orders)
def test_sequences_one_behind_the_other_give_the_same_model(text, order):
    ids = np.array([one for sequence in text for one in sequence], np.int32)
    offsets = np.cumsum([0, *(len(sequence) for sequence in text)])
    flat = LanguageModel.fit_flat(ids, offsets, size=SIZE, order=order)
    model = LanguageModel.fit(text, size=SIZE, order=order)
    assert all(
        np.array_equal(one, two)
        for one, two in zip(flat.arrays().values(), model.arrays().values(), strict=True)
    )


def test_the_end_and_the_beginning_are_no_ids_of_a_sequence():
    model = LanguageModel.fit([[0, 1], [1]], size=2, order=3)
    offsets = np.array([0, 1])
    unknown, end, begin = (
        model.log_probabilities(np.array([one], np.int32), offsets) for one in (UNKNOWN, 2, 3)
    )
    assert unknown == end == begin


def test_saved_arrays_give_the_same_model():
    model = LanguageModel.fit([[0, 1, 0], [2]], size=3, order=3)
    again = LanguageModel.from_arrays(model.arrays())
    assert (again.order, again.size, again.start) == (3, 3, model.start)
    assert np.array_equal(again.next_logs([0], range(4)), model.next_logs([0], range(4)))


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("suffixes", -1, 10_000),
        ("suffixes", 1, 1),
        ("states", -1, -1),
        ("first_child", 1, 0),
        ("first_child", -1, 10_000),
        ("ids", -1, 99),
        ("logs", 0, 1.0),
        ("logs", 0, np.nan),
        ("shape", 0, 0),
        ("unknown", 0, np.inf),
    ],
)
def test_arrays_that_cannot_be_a_model_are_refused(name, place, value):
    arrays = {key: array.copy() for key, array in LanguageModel.fit([[0, 1], [1]], size=2).arrays().items()}
    arrays[name][place] = value
    with pytest.raises(
        ValueError, match=rf"its n-grams do not fit each other|^{name}\[.*, expected a number"
    ):
        LanguageModel.from_arrays(arrays)


@pytest.mark.parametrize("order", [0, 21])
def test_an_order_that_cannot_be_is_refused(order):
    message = f"order={order}: expected a number from 1 to 20"
    with pytest.raises(OptionError, match=message):
        LanguageModel.fit([[0]], size=1, order=order)


@pytest.mark.parametrize("wrong", [2, 3, -1])
def test_ids_beyond_the_size_are_refused(wrong):
    with pytest.raises(OptionError, match="a language model of 2 ids: expected ids from 0 to 1"):
        LanguageModel.fit([[0, wrong]], size=2)


@settings(max_examples=50)
@given(st.lists(st.integers(1, 9), max_size=40))
def test_discounts_leave_something_of_every_count(counts):
    taken = discounts(np.array(counts, np.int64))
    assert taken[0] == 0
    assert np.all((taken[1:] > 0) & (taken[1:] < [1, 2, 3]))


def test_discounts_by_hand():
    # 4 counts of one, 2 of two, 1 each of three and four: Y = 4 / 8, D1 = 1 - 2 Y 2/4, D2 = 2 - 3 Y 1/2, D3 = 3 - 4 Y
    counts = np.array([1, 1, 1, 1, 2, 2, 3, 4])
    assert discounts(counts).tolist() == [0.0, 0.5, 1.25, 1.0]
    shares, left = discounted(counts, np.array([0, 0, 0, 0, 0, 0, 0, 1]), 3)
    assert shares[-1] == pytest.approx(3 / 4)
    assert left.tolist() == pytest.approx([(4 * 0.5 + 2 * 1.25 + 1.0) / 11, 1 / 4, 1.0])


def test_each_kernel_compiles_once():
    assert len(score_next.signatures) == 1
    assert len(score_sequences.signatures) == 1
