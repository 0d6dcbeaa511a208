"""Word classes: the exchange against its slow twin, a criterion that never falls, and classes that were planted."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cepts import bounds
from cepts.corpus import Side, side_from_tokens
from cepts.errors import OptionError
from cepts.words import classes as module
from cepts.words.classes import (
    Search,
    both_views,
    by_frequency,
    class_pairs,
    criterion,
    first_classes,
    merged_classes,
    pairs_criterion,
    times_log_table,
    word_classes,
)
from cepts.words.classes_kernels import count_contexts, count_pairs, exchange, merge_losses
from tests.reference import classes as slow

seeds = st.integers(0, 2**32 - 1)
texts = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), max_size=8)
REPEATED = [["a", "a", "a", "b"], ["b", "b", "a", "a"], ["c"], [], ["c", "c", "b"]]


def frequency_of(side):
    return np.bincount(side.ids, minlength=len(side.words))


def named(side, class_of):
    return dict(zip(side.words, np.asarray(class_of).tolist(), strict=True))


def some_classes(side, seed, classes):
    return np.random.default_rng(seed).integers(0, classes, len(side.words)).astype(np.int32)


def grouped(side, class_of, classes):
    return Search(side).improved(class_of, classes, rounds=0)


def search(side, grouping, order, table=None):
    """Run the kernel once over some words."""
    text = count_contexts(side.ids, side.offsets, len(side.words))
    if table is None:
        table = times_log_table(len(side.ids))
    return exchange(order, frequency_of(side), text, grouping, table)


@given(sentences=texts, seed=seeds, classes=st.integers(1, 5))
@example(sentences=REPEATED, seed=1, classes=2)
def test_criterion_equals_the_slow_twin(sentences, seed, classes):
    side = side_from_tokens(sentences)
    class_of = some_classes(side, seed, classes)
    expected = slow.criterion(sentences, named(side, class_of))
    assert criterion(side, class_of) == pytest.approx(expected, abs=1e-9)


@given(sentences=texts, seed=seeds, other=seeds, classes=st.integers(1, 5))
def test_criteria_differ_as_likelihoods_do(sentences, seed, other, classes):
    side = side_from_tokens(sentences)
    one, two = (some_classes(side, number, classes) for number in (seed, other))
    likelihoods = [slow.log_likelihood(sentences, named(side, class_of)) for class_of in (one, two)]
    gain = criterion(side, one) - criterion(side, two)
    assert gain == pytest.approx(likelihoods[0] - likelihoods[1], abs=1e-9)


def test_criterion_of_a_text_by_hand():
    # "a b" and "a": boundary-a 2, a-b 1, a-boundary 1, b-boundary 1; a 2, b 1, boundary 2, each as first and second.
    # 2 log 2 - 2 (2 log 2 + 2 log 2) with two classes; with one: boundary-c 2, c-c 1, c-boundary 2; c 3.
    side = side_from_tokens([["a", "b"], ["a"]])
    apart, together = np.array([0, 1], np.int32), np.array([0, 0], np.int32)
    assert criterion(side, apart) == pytest.approx(-6 * math.log(2))
    assert criterion(side, together) == pytest.approx(
        4 * math.log(2) - 2 * (3 * math.log(3) + 2 * math.log(2))
    )


@settings(max_examples=60)
@given(sentences=texts, seed=seeds, classes=st.integers(1, 5))
@example(sentences=REPEATED, seed=1, classes=2)
@example(sentences=REPEATED, seed=2, classes=3)
def test_every_move_equals_the_slow_twin_and_never_lowers_the_criterion(sentences, seed, classes):
    side = side_from_tokens(sentences)
    class_of = named(side, some_classes(side, seed, classes))
    grouping = grouped(side, some_classes(side, seed, classes), classes)
    before = slow.criterion(sentences, class_of)
    for word in by_frequency(frequency_of(side)):
        best = slow.best_class(sentences, class_of, side.words[word], classes)
        moved = search(side, grouping, np.array([word]))
        assert moved == (best != class_of[side.words[word]])
        class_of[side.words[word]] = best
        assert grouping.class_of[word] == best
        after = slow.criterion(sentences, class_of)
        assert after >= before + (slow.MARGIN / 2 if moved else 0)
        assert pairs_criterion(grouping.pairs[: classes + 1]) == pytest.approx(after, abs=1e-9)
        before = after


@settings(max_examples=40)
@given(sentences=texts, classes=st.integers(1, 4), rounds=st.integers(0, 3))
@example(sentences=[[*"abcde"], [*"hgfedcba"]], classes=2, rounds=6)
def test_word_classes_equal_the_slow_twin(sentences, classes, rounds):
    side = side_from_tokens(sentences)
    expected = slow.word_classes(sentences, side.words, classes, rounds)
    assert named(side, word_classes(side, classes, rounds)) == expected


@given(sentences=texts, seed=seeds, classes=st.integers(2, 5))
@example(sentences=REPEATED, seed=1, classes=2)
def test_what_merging_loses_equals_the_slow_twin(sentences, seed, classes):
    side = side_from_tokens(sentences)
    class_of = some_classes(side, seed, classes)
    followed = class_pairs(side, class_of, classes)
    losses = merge_losses(both_views(followed), followed.sum(axis=1), times_log_table(len(side.ids)))
    for one, two in itertools.combinations(range(classes), 2):
        expected = slow.merge_loss(sentences, named(side, class_of), one, two)
        assert losses[one, two] == pytest.approx(expected, abs=1e-9)
        assert expected > -1e-9


@given(sentences=texts, seed=seeds, groups=st.integers(1, 16), classes=st.integers(1, 16))
def test_merged_classes_are_as_many_as_wanted_and_never_cut(sentences, seed, groups, classes):
    side = side_from_tokens(sentences)
    class_of = some_classes(side, seed, groups)
    merged = merged_classes(class_pairs(side, class_of, groups), classes, times_log_table(len(side.ids)))
    assert sorted(set(merged.tolist())) == list(range(min(groups, classes)))
    assert criterion(side, merged[class_of]) <= criterion(side, class_of) + 1e-9


def random_text(seed, sentences=200, words=60):
    """Draw a text with frequent and rare words, and some beside themselves."""
    rng = np.random.default_rng(seed)
    chances = 1 / np.arange(1, words + 1)
    lengths = rng.integers(0, 12, sentences)
    return [
        [f"w{k}" for k in rng.choice(words, length, p=chances / chances.sum())] for length in lengths.tolist()
    ]


@settings(max_examples=10)
@given(seed=seeds, classes=st.integers(2, 12))
def test_counts_stay_true_and_each_round_raises_the_criterion(seed, classes):
    side = side_from_tokens(random_text(seed))
    frequency = frequency_of(side)
    first = first_classes(frequency, classes)
    grouping, before = grouped(side, first, classes), criterion(side, first)
    for _ in range(5):
        moved = search(side, grouping, by_frequency(frequency))
        class_of = grouping.class_of[: len(side.words)]
        counted = grouped(side, class_of, classes)
        for kept, true in zip(grouping, counted, strict=True):
            assert (kept == true).all()
        after = criterion(side, class_of)
        assert after > before if moved else after == before
        before = after


def test_classes_merged_several_at_a_time_equal_the_slow_twin(seed):
    sentences = random_text(seed, sentences=25, words=40)
    side = side_from_tokens(sentences)
    class_of = some_classes(side, seed, 20)
    expected, groups = named(side, class_of), 20
    while groups > 8:
        expected, groups = slow.merge_some(sentences, expected, groups, 8)
    merged = merged_classes(class_pairs(side, class_of, 20), 8, times_log_table(len(side.ids)))
    assert named(side, merged[class_of]) == expected


def test_the_search_ends_where_no_single_move_helps(seed):
    sentences = random_text(seed, words=12)
    side = side_from_tokens(sentences)
    class_of = named(side, word_classes(side, 4, 100))
    assert slow.exchange(sentences, side.words, class_of, 4) == (class_of, 0)


def test_numbers_beyond_the_table_are_worked_out(seed):
    side = side_from_tokens(random_text(seed))
    first = first_classes(frequency_of(side), 6)
    results = []
    for size in (2, len(side.ids)):
        grouping = grouped(side, first, 6)
        search(side, grouping, by_frequency(frequency_of(side)), times_log_table(size))
        results.append(grouping.class_of.tolist())
    assert results[0] == results[1]
    assert len(times_log_table(10**12)) == module.TABLE_SIZE


def test_contexts_are_counted_by_hand():
    # "a b a b" then "a": a stands after the boundary twice and after b once; before b twice, before the boundary once.
    side = side_from_tokens([["a", "b", "a", "b"], [], ["a"]])
    starts, contexts, counts = count_contexts(side.ids, side.offsets, 2)
    found = [
        dict(zip(contexts[first:end].tolist(), counts[first:end].tolist(), strict=True))
        for first, end in itertools.pairwise(starts.tolist())
    ]
    before, after = (lambda word: word), (lambda word: 3 + word)
    boundary = 2
    assert found == [
        {before(boundary): 2, before(1): 1, after(1): 2, after(boundary): 1},
        {before(0): 2, after(0): 1, after(boundary): 1},
    ]


def all_partitions(side, classes):
    return itertools.product(range(classes), repeat=len(side.words))


def test_no_assignment_beats_the_best_and_the_search_reaches_it_here():
    # Two kinds of words that take turns: of the 16 ways to put 4 words into 2 classes, the two that tell a, b from
    # x, y are best by enumeration.
    sentences = [["a", "x", "b", "y"], ["b", "x", "a", "y"], ["a", "y"], ["b", "y", "b", "x"], ["a", "x"]]
    side = side_from_tokens(sentences)
    scores = {
        assignment: slow.criterion(sentences, named(side, assignment))
        for assignment in all_partitions(side, 2)
    }
    best = max(scores.values())
    assert sorted(a for a, score in scores.items() if score > best - 1e-9) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert side.words == ["a", "x", "b", "y"]
    assert tuple(word_classes(side, 2).tolist()) in [(0, 1, 0, 1), (1, 0, 1, 0)]


@settings(max_examples=40)
@given(sentences=st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=6))
def test_the_result_lies_between_the_start_and_the_best_of_all_assignments(sentences):
    side = side_from_tokens(sentences)
    start = criterion(side, Search(side).start(2, 4))
    best = max(slow.criterion(sentences, named(side, a)) for a in all_partitions(side, 2))
    assert start - 1e-9 <= criterion(side, word_classes(side, 2)) <= best + 1e-9


def planted_text(seed, groups=6, words=12, sentences=600):
    """Draw a text in which classes follow each other in a circle, mostly; returns it and the class of each word."""
    rng = np.random.default_rng(seed)
    group_of = rng.permutation(np.arange(groups * words) % groups)
    members = [np.flatnonzero(group_of == group) for group in range(groups)]
    text = []
    for _ in range(sentences):
        group, sentence = int(rng.integers(groups)), []
        for _ in range(10):
            sentence.append(f"w{rng.choice(members[group])}")
            group = (group + 1) % groups if rng.random() < 0.7 else int(rng.integers(groups))
        text.append(sentence)
    return text, {f"w{k}": int(group) for k, group in enumerate(group_of)}


@pytest.mark.parametrize("number", range(10))
def test_planted_classes_are_recovered(seed, number):
    sentences, planted = planted_text(seed + number)
    side = side_from_tokens(sentences)
    found = named(side, word_classes(side, 6))
    assert len(set(found.values())) == 6
    assert len({(found[word], planted[word]) for word in side.words}) == 6


def test_a_second_run_gives_the_same_and_memory_maps_too(seed, tmp_path):
    side = side_from_tokens(random_text(seed))
    first = word_classes(side, 7)
    assert first.dtype == np.int32
    for name in ("ids", "offsets"):
        np.save(tmp_path / name, getattr(side, name))
    arrays = [
        np.load(tmp_path / f"{name}.npy", mmap_mode="c").view(np.ndarray) for name in ("ids", "offsets")
    ]
    assert word_classes(Side(arrays[0], arrays[1], side.words), 7).tolist() == first.tolist()
    assert word_classes(side, 7).tolist() == first.tolist()


def test_the_start_gives_each_class_as_much_of_the_text():
    # 10 words of text, 4 classes of 2.5: words 1, 3, 0, 2, 4 reach to 4, 7, 8, 9, 10; word 5 never occurs.
    frequency = np.array([1, 4, 1, 3, 1, 0])
    assert by_frequency(frequency).tolist() == [1, 3, 0, 2, 4]
    assert first_classes(frequency, 4).tolist() == [2, 1, 3, 2, 3, 3]


def test_ties_go_to_the_smallest_class_and_no_word_moves_for_nothing():
    # x joins any of the empty classes 0, 2, 3 with the same gain; alone in a class it stays, whichever it is.
    side = side_from_tokens([["a", "x"], ["a"], ["a", "a"]])
    grouping = grouped(side, np.array([1, 1], np.int32), 4)
    assert search(side, grouping, np.array([1])) == 1
    assert grouping.class_of[:2].tolist() == [1, 0]
    grouping = grouped(side, np.array([1, 3], np.int32), 4)
    assert search(side, grouping, np.array([1])) == 0
    assert grouping.class_of[:2].tolist() == [1, 3]


def test_fewer_words_than_classes():
    side = side_from_tokens([["a", "b", "a"], ["c"]])
    assert word_classes(side, 50).tolist() == [0, 1, 2]


@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_an_empty_text(sentences):
    side = side_from_tokens(sentences)
    assert word_classes(side).tolist() == []
    assert criterion(side, word_classes(side)) == 0


def test_words_that_never_occur_are_in_the_last_class(seed):
    side = side_from_tokens([["a", "b"], ["b"]])
    longer = Side(side.ids, side.offsets, [*side.words, "new", "newer"])
    assert word_classes(longer, 2).tolist()[2:] == [1, 1]
    assert word_classes(longer, 1).tolist() == [0, 0, 0, 0]
    many = side_from_tokens(random_text(seed))
    longer = Side(many.ids, many.offsets, [*many.words, "new"])
    for classes in range(2, 9):
        found = word_classes(longer, classes).tolist()
        assert found == [*word_classes(many, classes).tolist(), classes - 1]
    nothing = Side(side.ids[:0], np.array([0, 0]), side.words)
    assert word_classes(nothing, 3).tolist() == [2, 2]


def test_sentences_of_one_word():
    # All words have the same neighbours, so that all ways to group them are as good: none moves. Of the four classes
    # to start with, a, b and c have 0, 1 and 2; merged are 0 with 1, the first of equals, then that with 2.
    side = side_from_tokens([["a"], ["b"], ["c"], ["a"]])
    assert word_classes(side, 2).tolist() == [0, 0, 0]
    assert criterion(side, np.array([0, 1, 1])) == pytest.approx(criterion(side, np.array([0, 0, 0])))


def test_many_classes_are_not_merged_from_twice_as_many(seed, monkeypatch):
    side = side_from_tokens(random_text(seed))
    monkeypatch.setattr(module, "MOST_DOUBLED", 4)
    plain = Search(side).improved(first_classes(frequency_of(side), 5), 5, 20)
    assert word_classes(side, 5).tolist() == plain.class_of[: len(side.words)].tolist()
    doubled = Search(side).start(4, 4)
    assert doubled.tolist() != first_classes(frequency_of(side), 4).tolist()


def test_one_class():
    assert word_classes(side_from_tokens(REPEATED), 1).tolist() == [0, 0, 0]


def test_the_monitor_hears_a_falling_objective_until_nothing_moves(seed):
    side = side_from_tokens(random_text(seed))
    steps = []
    found = word_classes(side, 5, 50, steps.append)
    assert [step.iteration for step in steps] == list(range(1, len(steps) + 1))
    assert {(step.stage, step.iterations, step.done) for step in steps} == {("classes", 50, 1.0)}
    objectives = [step.objective for step in steps]
    assert 1 < len(steps) < 50
    assert all(after < before for before, after in itertools.pairwise(objectives[:-1]))
    assert objectives[-1] == objectives[-2] == pytest.approx(-criterion(side, found))


@pytest.mark.parametrize("classes", [0, -1, bounds.CLASSES.most + 1])
def test_a_wrong_number_of_classes_is_refused(classes):
    with pytest.raises(OptionError, match=rf"^classes={classes}: expected a number from 1 to 2000$"):
        word_classes(side_from_tokens([["a"]]), classes)


def test_a_wrong_number_of_rounds_is_refused():
    with pytest.raises(OptionError, match=r"^rounds=-1: expected a number from 0 to 1000$"):
        word_classes(side_from_tokens([["a"]]), rounds=-1)


def test_each_kernel_is_compiled_once():
    word_classes(side_from_tokens(REPEATED), 2)
    criterion(side_from_tokens(REPEATED), np.array([0, 1, 0]))
    for kernel in (count_contexts, count_pairs, exchange, merge_losses):
        assert len(kernel.signatures) == 1, kernel
