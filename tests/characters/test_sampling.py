"""Which strings compete: the law of each sampler."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.characters.examples import groups_to_learn, orders_to_learn, pairs_to_learn
from cepts.characters.sampling import competing_members, competing_orders, competing_targets
from tests.characters.models import seeds, words

pairs = st.lists(st.tuples(words("ab", 2), words("xy", 2)).filter(all), min_size=1, max_size=12)
groups = st.lists(
    st.lists(words("abc", 2).filter(bool), min_size=1, max_size=5).map(tuple), min_size=1, max_size=6
)


def texts(alphabet, strings):
    return [
        alphabet.decode(strings.letters[begin:end])
        for begin, end in zip(strings.offsets[:-1], strings.offsets[1:], strict=True)
    ]


def spelled(material, epoch):
    """The examples of an epoch in letters: (source, true ones, decoys), -1 left out."""
    sources = texts(material.source_alphabet, material.sources)
    targets = texts(material.target_alphabet, material.targets)
    return [
        (sources[source], *([targets[n] for n in row if n != -1] for row in (trues, decoys)))
        for source, trues, decoys in zip(*epoch, strict=True)
    ]


@given(pairs, seeds, st.integers(1, 6))
def test_no_true_target_is_a_decoy(rows, seed, decoys):
    material = pairs_to_learn(rows)
    epoch = competing_targets(material, decoys)(np.random.default_rng(seed))
    examples = spelled(material, epoch)
    assert sorted((source, *trues) for source, trues, _ in examples) == sorted({*rows})
    assert epoch.decoys.shape == (len(examples), decoys)
    for source, _, wrong in examples:
        true = {target for one, target in rows if one == source}
        assert not true & {*wrong}
        assert {*wrong} <= {target for _, target in rows}


def test_decoys_are_any_other_targets():
    material = pairs_to_learn([("a", "x"), ("a", "y"), ("b", "z"), ("c", "w")])
    sample, random = competing_targets(material, 40), np.random.default_rng(1)
    found = {source: {*decoys} for source, _, decoys in spelled(material, sample(random))}
    assert found == {"a": {"z", "w"}, "b": {"x", "y", "w"}, "c": {"x", "y", "z"}}


@settings(max_examples=60)
@given(groups, seeds, st.integers(1, 4), st.integers(1, 6))
def test_members_compete_with_strings_that_share_no_group(rows, seed, trues, decoys):
    material = groups_to_learn(rows)
    epoch = competing_members(material, trues, decoys)(np.random.default_rng(seed))
    examples = spelled(material, epoch)
    large = [sorted({*group}) for group in rows if len({*group}) > 1]
    assert sorted(string for string, *_ in examples) == sorted(string for group in large for string in group)
    assert epoch.trues.shape == (len(examples), trues)
    assert epoch.decoys.shape == (len(examples), decoys)
    assert np.all(epoch.trues >= 0)
    for string, right, wrong in examples:
        own = [group for group in large if string in group]
        assert string not in right
        assert any({*right} <= {*group} for group in own)
        friends = {member for group in rows if string in group for member in group}
        assert not friends & {*wrong}


def test_all_members_and_all_strangers_come_up():
    material = groups_to_learn([("a", "b", "c"), ("d", "c", "e"), ("f",)])
    epoch = competing_members(material, 30, 60)(np.random.default_rng(1))
    found = {}
    for string, right, wrong in spelled(material, epoch):
        known = found.setdefault(string, (set(), set()))
        known[0].update(right)
        known[1].update(wrong)
    assert found["a"] == ({"b", "c"}, {"d", "e", "f"})
    assert found["c"] == ({"a", "b", "d", "e"}, {"f"})  # once as a member of each of its groups
    assert "f" not in found


def test_better_targets_compete_with_their_own_worse_ones():
    rows = [("a", "x", "y", "z"), ("b", "y", "x"), ("a", "z", "y")]
    material = orders_to_learn(rows)
    epoch = competing_orders(material)(np.random.default_rng(1))
    examples = spelled(material, epoch)
    assert sorted((source, *right, *wrong) for source, right, wrong in examples) == sorted(rows)
    assert np.sum(epoch.decoys == -1) == 2
    assert epoch.decoys.flags.c_contiguous


@pytest.mark.parametrize("make", [competing_targets, competing_members])
def test_seeds_reproduce_and_epochs_differ(make):
    if make is competing_targets:
        sample = make(pairs_to_learn([(source, source.upper()) for source in "abcdefgh"]), 3)
    else:
        sample = make(groups_to_learn(["abcd", "efgh"]), 2, 3)
    random = np.random.default_rng(5)
    first, second = sample(random), sample(random)
    again = sample(np.random.default_rng(5))
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    assert not np.array_equal(first.sources, second.sources)
    assert not np.array_equal(first.decoys, second.decoys)
