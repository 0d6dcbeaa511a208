"""Known links in the models: against enumeration, wherever pieces lie, and for every model."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.links import Links
from cepts.words import Lexicon, index_bitext, link
from cepts.words import blocks as blocks_module
from cepts.words import indexed as indexed_module
from cepts.words.best import best_lists
from cepts.words.known import Clamps, KnownLinks
from cepts.words.layout import MAX_WORDS, plan_chunks
from tests.reference import hmm as slow_hmm
from tests.reference import known as slow
from tests.reference.best import ranked
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    bitext_of,
    chain_of,
    corpora,
    entry_names,
    even_model,
    id_pairs,
    indexed_and_model,
    posterior_tables,
    random_ibm1,
    random_pairs,
    totals_of,
)
from tests.words.test_training import PURE, curves, rises

seeds = st.integers(0, 2**32 - 1)
SMALL = {"pairs": 3, "longest": 3, "words": 3}


def drawn_links(pairs, seed, share=0.25):
    """Draw known links of each pair, sure and possible; some pairs have none."""
    rng = np.random.default_rng(seed)
    return [
        [
            (i, j, 1.0, bool(rng.random() < 0.7))
            for i in range(len(source))
            for j in range(len(target))
            if rng.random() < share
        ]
        if rng.random() < 0.8
        else []
        for source, target in pairs
    ]


def chances(model, way, states, steps, table):
    """Every alignment of a pair with its probability; of a path, what is seen of it."""
    if model.name == "hmm":
        chain = chain_of(model.jumps[way], len(states))
        for path, chance in slow_hmm.all_paths(states, steps, table, chain):
            yield slow_hmm.visible(path), chance
        return
    share = (1 - model.null) / len(states)
    for alignment in product(range(-1, len(states)), repeat=len(steps)):
        factors = (
            model.null * table[0, word] if state < 0 else share * table[states[state], word]
            for state, word in zip(alignment, steps, strict=True)
        )
        yield alignment, math.prod(factors)


def choices_of(pair_links, complete, pair, way):
    sure, possible = ({link[:2] for link in pair_links if link[3] is kind} for kind in (True, False))
    states, steps = (len(side) for side in (pair if way == 0 else pair[::-1]))
    return slow.allowed(sure, possible, complete and bool(pair_links), steps, states, way)


def left_alignments(model, bitext, known, complete, way):
    """For each pair, the alignments of one direction that known links leave, with their probabilities."""
    table = as_dictionaries(model.lexicon)[way]
    for pair, links in zip(id_pairs(bitext), known, strict=True):
        states, steps = pair if way == 0 else pair[::-1]
        everything = chances(model, way, states, steps, table)
        yield slow.possible_alignments(everything, choices_of(links, complete, pair, way)), steps, states


def clamped(model, bitext, indexed, known, complete=False):
    clamps = Clamps.of(KnownLinks(Links.from_pairs(known), complete), bitext, indexed)
    return replace(model, clamps=clamps)


@pytest.mark.parametrize("name", ["ibm1", "hmm"])
@settings(max_examples=12)
@given(corpora(**SMALL), seeds, st.booleans())
def test_posteriors_are_those_of_the_alignments_that_known_links_leave(name, pairs, seed, complete):
    bitext, indexed, model = indexed_and_model(pairs, name, seed, band=1)
    known = drawn_links(pairs, seed)
    model = clamped(model, bitext, indexed, known, complete)
    totals = totals_of(model, indexed, INDEPENDENT)
    for way in (0, 1):
        tables, likelihood = posterior_tables(model, indexed, len(pairs), way), 0.0
        left = left_alignments(model, bitext, known, complete, way)
        for fast, (kept, steps, states) in zip(tables, left, strict=True):
            expected, total = slow.posteriors(kept, len(steps), len(states))
            np.testing.assert_allclose(fast, expected, rtol=1e-4, atol=2e-6)
            likelihood += math.log(total)
        assert totals.likelihoods[way] == pytest.approx(likelihood, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("name", ["ibm1", "hmm"])
@settings(max_examples=8)
@given(corpora(**SMALL), seeds, st.booleans(), st.integers(0, 1))
def test_lists_hold_the_alignments_that_known_links_leave_and_no_others(name, pairs, seed, complete, way):
    bitext, indexed, model = indexed_and_model(pairs, name, seed, band=1)
    known = drawn_links(pairs, seed)
    model = clamped(model, bitext, indexed, known, complete)
    lists = best_lists(model, bitext, indexed, way, 100)
    for k, (kept, _, _) in enumerate(left_alignments(model, bitext, known, complete, way)):
        expected = ranked(kept)
        found = lists.of(k)
        assert len(found) == min(len(expected), 100)
        np.testing.assert_allclose([log for _, log in found], [log for log, _ in expected][:100], atol=1e-4)


@pytest.mark.parametrize("name", ["ibm1", "hmm"])
@settings(max_examples=10)
@given(corpora(), seeds, st.booleans())
def test_the_objective_never_rises_with_known_links(name, pairs, seed, complete):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    model = clamped(even_model(name, indexed), bitext, indexed, drawn_links(pairs, seed), complete)
    for values in curves(indexed, model, PURE):
        assert rises(values) == []


def test_two_words_by_hand():
    """Without knowledge all is even; then word 0 generates word 1, and in a complete pair word 0 is NULL's."""
    bitext = bitext_of([([0, 1], [2, 3])])
    indexed = index_bitext(bitext)
    model = replace(random_ibm1(indexed, 1), null=0.5)
    model.lexicon.values[1:] = 0.25
    table = posterior_tables(model, indexed, 1, 0)[0]
    np.testing.assert_allclose(table, [[0.25, 0.25], [0.25, 0.25]], rtol=1e-5)
    partial = clamped(model, bitext, indexed, [[(0, 1)]])
    np.testing.assert_allclose(posterior_tables(partial, indexed, 1, 0)[0], [[0.25, 0.25], [1, 0]], rtol=1e-5)
    np.testing.assert_allclose(posterior_tables(partial, indexed, 1, 1)[0], [[0, 1], [0.25, 0.25]], rtol=1e-5)
    complete = clamped(model, bitext, indexed, [[(0, 1)]], complete=True)
    np.testing.assert_allclose(posterior_tables(complete, indexed, 1, 0)[0], [[0, 0], [1, 0]], rtol=1e-5)
    possible = clamped(model, bitext, indexed, [[(0, 1), (1, 0, 1.0, False)]], complete=True)
    np.testing.assert_allclose(posterior_tables(possible, indexed, 1, 0)[0], [[0, 1 / 3], [1, 0]], rtol=1e-5)


def test_nothing_known_is_nothing():
    bitext = bitext_of([([0, 1], [2, 3]), ([0], [1])])
    indexed = index_bitext(bitext)
    for complete in (False, True):
        assert Clamps.of(KnownLinks(Links.from_pairs([[], []]), complete), bitext, indexed) is None
    only_possible = Links.from_pairs([[(0, 0, 1.0, False)], []])
    assert Clamps.of(KnownLinks(only_possible), bitext, indexed) is None
    assert Clamps.of(KnownLinks(only_possible, complete=True), bitext, indexed) is not None


def by_name(indexed, seed):
    """A lexicon whose values do not depend on the order of its entries."""
    values = np.array(
        [
            [(row * 7 + column * 13 + seed + way) % 17 + 1 for way in (0, 1)]
            for row, column in entry_names(indexed)
        ]
    )
    values[0] = 0
    return Lexicon(indexed.row_offsets, indexed.columns, (values / 20).astype(np.float32))


def test_known_links_do_not_depend_on_blocks_and_chunks(monkeypatch):
    pairs = random_pairs(3, count=60, longest=9)
    known = drawn_links(pairs, 5, share=0.1)
    bitext, indexed, model = indexed_and_model(pairs, "hmm", 7)
    model = replace(model, lexicon=by_name(indexed, 1))
    whole = posterior_tables(clamped(model, bitext, indexed, known, complete=True), indexed, len(pairs), 0)
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    cut = index_bitext(bitext)
    assert len(cut.chunks) > 2
    model = replace(model, lexicon=by_name(cut, 1))
    parts = posterior_tables(clamped(model, bitext, cut, known, complete=True), cut, len(pairs), 0)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_long_pair_is_known_piece_by_piece():
    """Words 0 to 9 translate in order; links within both pieces are learned from, one across the cut is not."""
    words = [k % 10 for k in range(MAX_WORDS + 100)]
    bitext = bitext_of([(words, words), ([1], [2])])
    indexed = index_bitext(bitext)
    assert len(indexed.pieces.pair) == 3
    _, _, model = indexed_and_model([(words, words), ([1], [2])], "ibm1", 3)
    known = KnownLinks(Links.from_pairs([[(3, 5), (3, 300), (400, 444), (499, 0)], []]))
    model = replace(model, clamps=Clamps.of(known, bitext, indexed))
    found = link(model, bitext, indexed, (True, False)).forward
    forward = {item.target: item.source for item in found[0]}
    assert forward[5] == 3
    assert forward[444] == 400
    free = link(replace(model, clamps=None), bitext, indexed, (True, False)).forward
    unclamped = {item.target: item.source for item in free[0]}
    assert {t: forward.get(t) for t in (0, 300)} == {t: unclamped.get(t) for t in (0, 300)}
    assert {item[:2] for item in known.respected(found)[0]} >= {(3, 5), (3, 300), (400, 444), (499, 0)}


def test_respected_links_by_hand():
    known = Links.from_pairs([[(0, 1), (1, 1, 0.3, False)], [], [(2, 2, 0.2)]])
    found = Links.from_pairs([[(0, 0, 0.9), (1, 1, 0.5)], [(0, 0, 0.4)], [(2, 2, 0.1, False), (3, 3, 0.8)]])
    partial = KnownLinks(known).respected(found)
    assert [[link[:2] for link in pair] for pair in partial] == [
        [(0, 0), (0, 1), (1, 1)],
        [(0, 0)],
        [(2, 2), (3, 3)],
    ]
    assert partial[0][1][2:] == partial[2][0][2:] == (1.0, True)
    complete = KnownLinks(known, complete=True).respected(found)
    assert [[link[:2] for link in pair] for pair in complete] == [[(0, 1), (1, 1)], [(0, 0)], [(2, 2)]]
    assert complete[0][1].confidence == pytest.approx(0.5)
    nothing = Links.from_pairs([[], [], []])
    assert KnownLinks(nothing, complete=True).respected(found) is found
