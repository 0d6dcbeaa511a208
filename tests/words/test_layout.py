"""Pieces, batches and chunks: every word in one place, and nothing but lengths decides which."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import Bitext, side_from_tokens
from cepts.running.vector_kernels import LANES
from cepts.words.layout import Pieces, cut_into_pieces, plan_chunks
from tests.reference import layout as slow

lengths = st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=60)


def bitext_of_lengths(pairs, word="w"):
    sides = ([[word] * pair[side] for pair in pairs] for side in (0, 1))
    return Bitext(*(side_from_tokens(side) for side in sides))


def ranges(bitext, pieces):
    """The pieces as (pair, source from, to, target from, to), counted from the start of their sentences."""
    source = pieces.source_start - bitext.source.offsets[pieces.pair]
    target = pieces.target_start - bitext.target.offsets[pieces.pair]
    columns = (pieces.pair, source, source + pieces.source_length, target, target + pieces.target_length)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def pieces_of(pairs):
    source, target = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    nowhere = np.zeros(len(pairs), np.int64)
    return Pieces(np.arange(len(pairs)), nowhere, source, nowhere, target)


@given(pairs=lengths, max_words=st.integers(1, 9))
def test_pieces_equal_the_slow_twin(pairs, max_words):
    bitext = bitext_of_lengths(pairs)
    expected = [
        (k, *piece)
        for k, (source, target) in enumerate(pairs)
        for piece in slow.cut(source, target, max_words)
    ]
    assert ranges(bitext, cut_into_pieces(bitext, max_words)) == expected


@given(pairs=lengths, max_words=st.integers(1, 9))
def test_no_piece_is_longer_than_allowed_and_no_cell_is_in_two(pairs, max_words):
    bitext = bitext_of_lengths(pairs)
    cells = set()
    for k, source_from, source_to, target_from, target_to in ranges(
        bitext, cut_into_pieces(bitext, max_words)
    ):
        assert 1 <= source_to - source_from <= max_words
        assert 1 <= target_to - target_from <= max_words
        here = {(k, i, j) for i in range(source_from, source_to) for j in range(target_from, target_to)}
        assert not here & cells
        cells |= here


def test_a_pair_of_ten_and_five_words_in_pieces_of_four():
    # By hand: 10 words in pieces of at most 4 make 3 parts, with borders at 10k/3 = 0, 3, 6, 10 and 5k/3 = 0, 1, 3, 5.
    bitext = bitext_of_lengths([(10, 5)])
    assert ranges(bitext, cut_into_pieces(bitext, 4)) == [(0, 0, 3, 0, 1), (0, 3, 6, 1, 3), (0, 6, 10, 3, 5)]


@given(pairs=lengths.filter(bool), chunk_cells=st.sampled_from([1, 500, 20_000]))
def test_every_piece_is_in_exactly_one_lane_with_its_lengths(pairs, chunk_cells):
    pieces = pieces_of([(s + 1, t + 1) for s, t in pairs])
    plans = plan_chunks(pieces, chunk_cells)
    lanes = np.concatenate([plan.pieces.ravel() for plan in plans])
    assert sorted(lanes[lanes >= 0].tolist()) == list(range(len(pairs)))
    assert sum(plan.pieces.shape[0] for plan in plans) == -(-len(pairs) // LANES), "no batch more than needed"
    for plan in plans:
        filled = plan.pieces >= 0
        for there, given_lengths in (
            (plan.source_lengths, pieces.source_length),
            (plan.target_lengths, pieces.target_length),
        ):
            assert (there[filled] == given_lengths[plan.pieces[filled]]).all()
            assert (there[~filled] == 0).all()


@given(pairs=lengths.filter(bool), chunk_cells=st.sampled_from([1, 500, 20_000]))
def test_a_batch_has_room_for_its_cells_and_those_of_both_null_words(pairs, chunk_cells):
    for plan in plan_chunks(pieces_of([(s + 1, t + 1) for s, t in pairs]), chunk_cells):
        source, target = plan.source_lengths.max(axis=1), plan.target_lengths.max(axis=1)
        assert (plan.shapes == np.stack([source, target], axis=1)).all()
        assert (np.diff(plan.offsets) == (source * target + source + target) * LANES).all()
        assert plan.offsets[0] == 0


@given(pairs=lengths.filter(bool))
def test_a_chunk_ends_after_about_so_many_cells(pairs):
    limit = 2_000
    plans = plan_chunks(pieces_of([(s + 1, t + 1) for s, t in pairs]), limit)
    for plan in plans:
        cells = plan.shapes.prod(axis=1) * LANES
        assert cells[:-1].sum() < limit, "only the last batch of a chunk reaches over the limit"


@given(pairs=lengths)
def test_the_plan_depends_on_lengths_alone(pairs):
    first, second = (plan_chunks(cut_into_pieces(bitext_of_lengths(pairs, word))) for word in ("a", "b"))
    assert len(first) == len(second)
    for a, b in zip(first, second, strict=True):
        for left, right in zip(a, b, strict=True):
            np.testing.assert_array_equal(left, right)


def test_neighbours_have_nearly_the_same_shape(seed):
    # 1,024 pairs of 1 to 60 words a side. Padding adds 23 % here; it would add 90 % if pairs were only sorted by
    # source, then target length, and 250 % in the order given.
    rng = np.random.default_rng(seed)
    pairs = rng.integers(1, 61, (1024, 2))
    plans = plan_chunks(pieces_of(pairs.tolist()))
    padded = sum(int(plan.shapes.prod(axis=1).sum()) * LANES for plan in plans)
    assert padded < 1.3 * pairs.prod(axis=1).sum()


def test_nothing_gives_no_chunks():
    assert plan_chunks(cut_into_pieces(bitext_of_lengths([(0, 3), (4, 0), (0, 0)]))) == []
