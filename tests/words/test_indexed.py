"""The index: each cell knows the lexicon entry of its word pair, and padding knows entry 0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.running.vector_kernels import LANES
from cepts.words import index_bitext
from cepts.words import indexed as indexed_module
from cepts.words.layout import plan_chunks
from tests.reference import layout as slow
from tests.words.corpora import bitext_of, entry_names, id_pairs, random_pairs, sentences

with_empty_sides = st.lists(
    st.tuples(sentences(6, 8) | st.just([]), sentences(6, 8) | st.just([])), min_size=1, max_size=24
)


def cells_of(chunk, b, names):
    """The word pairs of a batch: {(lane, source or None for NULL, target or None): pair}."""
    source, target = chunk.shapes[b].tolist()
    place = chunk.cells[chunk.offsets[b] : chunk.offsets[b + 1]]
    keys = [(lane, i, j) for j in range(target) for i in range(source) for lane in range(LANES)]
    keys += [(lane, None, j) for j in range(target) for lane in range(LANES)]
    keys += [(lane, i, None) for i in range(source) for lane in range(LANES)]
    return {key: names[entry] for key, entry in zip(keys, chunk.entries[place].tolist(), strict=True)}


def expected_pair(sentence_pair, i, j):
    """The word pair of a cell; (0, 0) outside of the sentences."""
    source, target = sentence_pair
    if (i is not None and i >= len(source)) or (j is not None and j >= len(target)):
        return 0, 0
    return 0 if i is None else source[i], 0 if j is None else target[j]


def check_cells(bitext, indexed):
    names, pairs = entry_names(indexed), id_pairs(bitext)
    seen = set()
    for chunk in indexed.chunks:
        for b in range(len(chunk.shapes)):
            for (lane, i, j), pair in cells_of(chunk, b, names).items():
                piece = chunk.pieces[b, lane]
                sentence_pair = pairs[indexed.pieces.pair[piece]] if piece >= 0 else ([], [])
                assert pair == expected_pair(sentence_pair, i, j)
                seen.add(pair)
    return seen


@given(pairs=with_empty_sides)
def test_each_cell_names_its_word_pair(pairs):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    check_cells(bitext, indexed)
    empty = [(s, t) for s, t in id_pairs(bitext) if s and t]
    expected = slow.word_pairs([([w - 1 for w in s], [w - 1 for w in t]) for s, t in empty])
    names = entry_names(indexed)
    assert len(names) == len(set(names))
    assert set(names) == expected
    assert names[0] == (0, 0)


def test_the_same_with_many_chunks_and_threads(monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 600))
    bitext = bitext_of(random_pairs(seed, count=120, words=30))
    indexed, again = index_bitext(bitext), index_bitext(bitext, threads=3)
    assert len(indexed.chunks) > 3
    assert check_cells(bitext, indexed) == set(entry_names(indexed))
    np.testing.assert_array_equal(indexed.columns, again.columns)
    np.testing.assert_array_equal(indexed.row_offsets, again.row_offsets)
    for a, b in zip(indexed.chunks, again.chunks, strict=True):
        np.testing.assert_array_equal(a.cells, b.cells)
        np.testing.assert_array_equal(a.entries, b.entries)


def test_the_entries_of_a_chunk_are_distinct(seed):
    for chunk in index_bitext(bitext_of(random_pairs(seed, count=40))).chunks:
        assert len(set(chunk.entries.tolist())) == len(chunk.entries)
        assert chunk.entries[0] == 0


@pytest.mark.parametrize("pairs", [[([], [])], [([1, 2], []), ([], [3])]])
def test_a_bitext_without_cells_has_the_padding_entry_alone(pairs):
    indexed = index_bitext(bitext_of(pairs))
    assert indexed.chunks == []
    assert indexed.columns.tolist() == [0]
    assert indexed.row_offsets.tolist()[-1] == 1


def test_the_longest_sentence_of_either_side():
    assert index_bitext(bitext_of([([1, 2], [1]), ([1], [1, 2, 3, 4])])).longest == 4
