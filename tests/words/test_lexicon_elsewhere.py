"""A lexicon on a cluster: how its rows are shared out, and that it is the same lexicon."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import ModelError
from cepts.running.flow import GoneError
from cepts.words import rooms
from cepts.words.families import Families
from cepts.words.indexed import index_bitext
from cepts.words.lexicon import Lexicon, Smoothing, totals_of_columns
from cepts.words.lexicon_elsewhere import CountsElsewhere, LexiconElsewhere
from cepts.words.model import ExtraCounts, Training
from cepts.words.regularity import regularity_of
from cepts.words.rooms import Cut
from tests.aligning.contract import sample
from tests.running.clusters import workers

row_sizes = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=30)


def cut_of(rows, fewest, grouped):
    """Cut rows of these sizes, after NULL's; groups are numbered as families are."""
    sizes = np.array([4, *(size for size, _ in rows)])
    names = np.array([0, *(group + 1 for _, group in rows)])
    groups = np.unique(names, return_inverse=True)[1].astype(np.int32) if grouped else None
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return Cut.of(offsets, groups, fewest), groups


@given(rows=row_sizes, fewest=st.integers(1, 9), grouped=st.booleans())
def test_every_entry_is_in_one_block(rows, fewest, grouped):
    cut, groups = cut_of(rows, fewest, grouped)
    blocks = [cut.entries(number) for number in range(cut.blocks)]
    assert all(block[0] == 0 for block in blocks)  # (NULL, NULL)
    whole = np.concatenate([blocks[0], *(block[1:] for block in blocks[1:])])
    assert sorted(whole.tolist()) == list(range(int(cut.row_offsets[-1])))
    assert [int(cut.offsets(number)[-1]) for number in range(cut.blocks)] == [*map(len, blocks)]
    if groups is not None:
        assert all(len(set(cut.block[groups == group])) == 1 for group in set(groups.tolist()))


@given(rows=row_sizes, fewest=st.integers(1, 9), grouped=st.booleans(), data=st.data())
def test_entries_are_found_in_their_blocks(rows, fewest, grouped, data):
    cut, _ = cut_of(rows, fewest, grouped)
    last = int(cut.row_offsets[-1]) - 1
    entries = np.array(data.draw(st.lists(st.integers(0, last), unique=True)), np.int32)
    order, numbers, ends = cut.located(entries)
    found = np.empty(len(entries), np.int64)
    for block in range(cut.blocks):
        own = slice(ends[block], ends[block + 1])
        found[order[own]] = cut.entries(block)[numbers[own]]
    assert found.tolist() == entries.tolist()


@given(
    counts=st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=4),
)
def test_totals_do_not_depend_on_how_rows_are_cut(counts, cuts):
    values = np.stack([np.array(counts, np.float32)] * 2, axis=1)
    offsets = np.array([0, 0, *range(1, len(counts) + 1)])
    columns = np.ones(len(counts), np.int32)
    whole = totals_of_columns((offsets, columns, values), 2)
    ends = sorted({0, *(min(cut, len(counts)) for cut in cuts), len(counts)})
    parts = [
        totals_of_columns((np.array([0, *range(end - first + 1)]), columns[first:end], values[first:end]), 2)
        for first, end in pairwise(ends)
    ]
    assert sum(parts).tolist() == whole.tolist()
    exact = float(np.sum(values[:, 1].astype(np.float64)))
    assert whole[0, 1] / 2**28 + whole[1, 1] / 2**60 == pytest.approx(exact, rel=1e-12, abs=1e-15)


@pytest.fixture(scope="module")
def cluster():
    with workers(3) as cluster:
        yield cluster


def both_lexicons(cluster, families=None):
    """The same lexicon twice: here, and on a cluster."""
    indexed = index_bitext(sample())
    here = Lexicon.uniform(indexed)
    there = LexiconElsewhere.spread(index_bitext(sample(), cluster=cluster), families, even=False)
    return indexed, here, there


def random_values(indexed, seed):
    values = np.random.default_rng(seed).random((len(indexed.columns), 2), np.float32) ** 20
    values[0] = 0.0
    return values


def test_values_come_back_as_they_went(cluster):
    indexed, here, there = both_lexicons(cluster)
    assert there.values.size == 0
    assert there.whole_values().tolist() == here.values.tolist()
    values = random_values(indexed, 1)
    here, there = here.with_values(values.copy()), there.with_values(values)
    assert there.whole_values().tolist() == here.values.tolist()
    some = np.random.default_rng(2).permutation(len(values))[:500].astype(np.int32)
    for one, other in ((here, there), (here.settled(), there.settled())):
        assert other.local(some).tolist() == one.local(some).tolist()
    for one, other in zip(fields(here.pruned(0.01)), fields(there.pruned(0.01)), strict=True):
        assert other.tolist() == one.tolist()
    counts = random_values(indexed, 3)
    sent = CountsElsewhere([copies[0] for copies in there.with_values(counts).there])
    assert there.kept_counts(sent, 0.01).tolist() == here.kept_counts(counts, 0.01).tolist()


def fields(lexicon):
    return lexicon.row_offsets, lexicon.columns, lexicon.values


def test_values_of_another_text_are_refused(cluster):
    _, _, there = both_lexicons(cluster)
    with pytest.raises(ModelError, match="3 values, expected those of"):
        there.with_values(np.zeros((3, 2), np.float32))


def trainings(indexed):
    """M steps with everything that there is beside counts."""
    extra = ExtraCounts(np.array([5, 70, 900]), np.array([1.0, 2.0, 0.5], np.float32))
    for known in (None, extra):
        yield None, Training(extra=known, smoothing=Smoothing(0.1))
        exempt = None if known is None else known.entries
        price = regularity_of(sample(), indexed, 2.5, exempt)
        yield None, Training(extra=known, regularity=price)
        families = Families.of(sample(), indexed, "beginnings", 4.0)
        yield families, Training(extra=known, families=families, smoothing=Smoothing(0.1))


@pytest.mark.parametrize("blocks", [3, 40])
def test_an_m_step_is_the_same_to_the_last_bit(cluster, blocks, monkeypatch):
    monkeypatch.setattr(rooms, "BLOCK", 1)
    monkeypatch.setattr(rooms, "MOST", blocks)
    for families, training in trainings(index_bitext(sample())):
        indexed, here, there = both_lexicons(cluster, families)
        counts = random_values(indexed, 4)
        sent = CountsElsewhere([copies[0] for copies in there.with_values(counts).there])
        if training.extra is not None:  # they are added where counts are summed
            added = counts.copy()
            added[training.extra.entries] += training.extra.counts[:, None]
            sent = CountsElsewhere([copies[0] for copies in there.with_values(added).there])
        after, before = there.after(sent, training), here.after(counts, training)
        assert after.whole_values().tolist() == before.values.tolist()
        for way in range(2):
            assert after.penalty(way, training) == pytest.approx(before.penalty(way, training), rel=1e-6)


def test_a_copy_that_is_doubted_is_made_anew_and_without_any_all_is_gone(cluster):
    indexed, _, there = both_lexicons(cluster)
    values = random_values(indexed, 5)
    there = there.with_values(values)
    for number in range(len(there.there)):
        there.rooms.doubt(there.there, number)
    assert {len(copies) for copies in there.there} == {1}
    assert there.whole_values().tolist() == values.tolist()
    assert {len(copies) for copies in there.there} == {2}
    for copies in there.there:
        copies.clear()
    with pytest.raises(
        GoneError, match=r"a part of the lexicon is on no worker of .* any more; run again, or"
    ):
        there.whole_values()
