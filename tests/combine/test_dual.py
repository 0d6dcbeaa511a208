"""Dual decomposition by hand, in corners, and whatever must not change it: threads, blocks, neighbours, pieces."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.combine import dual_kernels as kernels
from cepts.combine.dual import DualLinks, DualOptions, dual_links
from cepts.corpus import Bitext, side_from_tokens
from cepts.errors import OptionError
from cepts.words import Hmm, Ibm1, Jumps, index_bitext, link
from cepts.words import blocks as blocks_module
from cepts.words import indexed as indexed_module
from cepts.words.forgetful import ForgetfulHmm
from cepts.words.layout import cut_into_pieces, plan_chunks
from tests.combine.test_dual_laws import BOTH, KINDS, answers, indexed_and_model, positions
from tests.words.corpora import EVERYTHING, bitext_of, id_pairs, random_pairs, sentences
from tests.words.test_forgetful import spelled_model
from tests.words.test_linking import assert_same_links, corpus_of_many_shapes, one_pair_model, reordered

seeds = st.integers(0, 2**32 - 1)
FEW = DualOptions(12, 0.6, "adaptive", 1.0)


def by_hand(pair, forward, reverse, kind, options):
    """Links, certificate, rounds and bound of one pair of strings; p0 = 0.1, all starts and jumps are as probable.

    The entries are those of `spelled_model`, for each direction: source + target, "-" for NULL.
    """
    jumps = Jumps(np.full(3, 1 / 3), 0.0, np.full(max(map(len, pair)), 1.0), 0.1)
    indexed, one = spelled_model(pair, forward, jumps, kind)
    _, other = spelled_model(pair, reverse, jumps, kind)
    values = np.stack([one.lexicon.values[:, 0], other.lexicon.values[:, 1]], axis=1)
    model = replace(one, lexicon=replace(one.lexicon, values=np.ascontiguousarray(values)))
    return answers(dual_links(model, bitext_of([tuple(map(list, pair))]), indexed, options))[0]


@pytest.mark.parametrize("kind", [Hmm, ForgetfulHmm])
@pytest.mark.parametrize(("alpha", "rounds"), [(0.5, 2), (1.0, 3)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_neighbour_is_bought_at_its_cost(kind, alpha, rounds, turned):
    # Source a, target x y. Forward, a generates x and y (0.9 each, NULL only 1e-6): links a-x and a-y. Reverse, a
    # comes from x (0.8) rather than from y (0.1): link a-x. The best table has both links; a-y lies beside the
    # reverse path and costs alpha. The dual value without prices is log(0.9^4) + log(0.9 / 2 * 0.8).
    # Each round takes 1 from the price of a-y: forward loses that, and reverse gains what exceeds alpha. At alpha = 0.5
    # the first step does, at alpha = 1 the second; then both answers are the same, at alpha less.
    forward, reverse = {"ax": 0.9, "ay": 0.9, "-x": 1e-6, "-y": 1e-6}, {"ax": 0.8, "ay": 0.1, "a-": 1e-6}
    pair, links = ("a", "xy"), {(0, 0), (0, 1)}
    if turned:
        forward, reverse = (
            {name[::-1]: chance for name, chance in each.items()} for each in (reverse, forward)
        )
        pair, links = pair[::-1], {(j, i) for i, j in links}
    got = by_hand(pair, forward, reverse, kind, DualOptions(10, alpha, "adaptive", 1.0))
    assert got[:4] == (links, links, True, rounds)
    assert got[4] == pytest.approx(4 * math.log(0.9) + math.log(0.36) - alpha, abs=1e-5)


@pytest.mark.parametrize("kind", [Hmm, ForgetfulHmm])
@pytest.mark.parametrize(
    ("step", "step_size", "rounds"),
    [("adaptive", 1.0, 4), ("harmonic", 1.0, 7), ("adaptive", 2.0, 5), ("harmonic", 2.0, 3)],
)
def test_steps_by_hand(kind, step, step_size, rounds):
    # Source a, target x. Forward: link 0.9 * 0.5, NULL 0.1 * 0.1. Reverse: link 0.9 * 0.01, NULL 0.1 * 0.9. Together
    # the link is better, 0.00405 against 0.0009. With a price of -v, NULL being free of it, forward keeps the link up
    # to v = log 45 = 3.8, and reverse takes it from v = log 10 = 2.3 on.
    # adaptive, 1: v = 0, 1, 2, 3. harmonic, 1: 0, 1, 1.5, 1.83, 2.08, 2.28, 2.45. harmonic, 2: 0, 2, 3.
    # adaptive, 2: 0, 2, 4 (too much: forward gives it up), 2 (the dual value rose: half a step), 3.
    forward, reverse = {"ax": 0.5, "-x": 0.1}, {"ax": 0.01, "a-": 0.9}
    got = by_hand(("a", "x"), forward, reverse, kind, DualOptions(10, 1.0, step, step_size))
    assert got[:4] == ({(0, 0)}, {(0, 0)}, True, rounds)
    assert got[4] == pytest.approx(math.log(0.00405), abs=1e-5)


@pytest.mark.parametrize("kind", [Hmm, ForgetfulHmm])
def test_one_round_too_few(kind):
    # As above, adaptive with 1: after three rounds reverse still has no link; the last dual value is that of v = 2.
    forward, reverse = {"ax": 0.5, "-x": 0.1}, {"ax": 0.01, "a-": 0.9}
    got = by_hand(("a", "x"), forward, reverse, kind, DualOptions(3, 1.0, "adaptive", 1.0))
    assert got[:4] == ({(0, 0)}, set(), False, 3)
    assert got[4] == pytest.approx(math.log(0.45 * 0.09) - 2, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_confidences_and_scores_are_those_of_other_links(kind, seed):
    bitext, indexed, model = indexed_and_model(random_pairs(seed), kind, seed)
    found = dual_links(model, bitext, indexed, FEW)
    everything = link(model, bitext, indexed, BOTH, EVERYTHING).forward
    for links in found[:2]:
        np.testing.assert_array_equal(links.scores, everything.scores)
        assert links.sure.all()
        for some, every in zip(links, everything, strict=True):
            confidence = {each[:2]: each.confidence for each in every}
            assert [each.confidence for each in some] == [confidence[each[:2]] for each in some]
            assert [each[:2] for each in some] == sorted({each[:2] for each in some})


def assert_same(first, second):
    for one, two in zip(first[:2], second[:2], strict=True):
        assert_same_links(one, two)
    for one, two in zip(first[2:], second[2:], strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("kind", KINDS)
def test_chunks_blocks_and_threads_change_nothing(kind, monkeypatch, seed):
    bitext, indexed, model = indexed_and_model(corpus_of_many_shapes(seed), kind, seed)
    expected = dual_links(model, bitext, indexed, FEW)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1_000))
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1_000)
    finer = index_bitext(bitext)
    assert len(finer.chunks) > 2
    model = replace(model, lexicon=reordered(model.lexicon, finer))
    for threads in (1, 2, 3):
        assert_same(expected, dual_links(model, bitext, finer, FEW, threads))


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_change_nothing(kind, seed):
    pairs = corpus_of_many_shapes(seed)
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band=3)
    together = dual_links(model, bitext, indexed, FEW)
    assert 10 < together.certified.sum() < len(pairs) - 10
    for k, pair in enumerate(pairs):
        own_bitext, own_index, own_model = one_pair_model(model, bitext, pair)
        alone = dual_links(own_model, own_bitext, own_index, FEW)
        for all_links, own in zip(together[:2], alone[:2], strict=True):
            assert all_links[k] == own[0], "to the last bit"
        assert [column[k] for column in together[2:]] == [column[0] for column in alone[2:]]


with_empty_sides = st.lists(
    st.tuples(sentences(5) | st.just([]), sentences(5) | st.just([])), min_size=1, max_size=8
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(pairs=with_empty_sides, seed=seeds)
def test_a_pair_without_words_has_a_certificate_for_no_links(kind, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed)
    found = dual_links(model, bitext, indexed, FEW)
    assert all(len(column) == len(pairs) for column in found)
    for answer, (source, target) in zip(answers(found), pairs, strict=True):
        assert np.isfinite(answer[4])
        if not source or not target:
            assert answer == (set(), set(), True, 0, 0.0)
        else:
            assert 1 <= answer[3] <= FEW.rounds


@pytest.mark.parametrize("kind", KINDS)
def test_no_pairs_at_all(kind):
    _, _, model = indexed_and_model([([0], [0])], kind, 0)
    bitext = Bitext(side_from_tokens([]), side_from_tokens([]))
    found = dual_links(model, bitext, index_bitext(bitext), FEW)
    assert isinstance(found, DualLinks)
    assert [len(column) for column in found] == [0] * 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1)])
def test_one_word_sentences(kind, shape, seed):
    # In the direction that generates one word from nine, that word has at most three links.
    pairs = [(list(range(shape[0])), list(range(shape[1])))] * 3
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, null=0.3)
    found = answers(dual_links(model, bitext, indexed, DualOptions(300, 0.6, "adaptive", 1.0)))
    assert found[0] == found[1] == found[2]
    forward, reverse, certified, rounds, _ = found[0]
    assert len(forward if shape[0] > shape[1] else reverse) <= 3
    assert certified == (forward == reverse)
    assert rounds == 300 or certified


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_are_answered_one_by_one(kind, monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "cut_into_pieces", lambda bitext: cut_into_pieces(bitext, 5))
    bitext, indexed, model = indexed_and_model(random_pairs(seed, count=12, longest=15), kind, seed)
    pieces = indexed.pieces
    assert len(pieces.pair) > 20
    expected = [[set(), set(), True, 0, 0.0] for _ in range(12)]
    for k, pair in enumerate(pieces.pair.tolist()):
        source, target = (
            int(start[k] - side.offsets[pair])
            for start, side in ((pieces.source_start, bitext.source), (pieces.target_start, bitext.target))
        )
        part = one_piece(
            model, bitext, pair, (source, target, pieces.source_length[k], pieces.target_length[k])
        )
        whole = expected[pair]
        for way in (0, 1):
            whole[way] |= {(i + source, j + target) for i, j in part[way]}
        whole[2] &= part[2]
        whole[3:] = [max(whole[3], part[3]), whole[4] + part[4]]
    got = answers(dual_links(model, bitext, indexed, FEW))
    assert [each[:4] for each in got] == [tuple(each[:4]) for each in expected]
    assert [each[4] for each in got] == pytest.approx([each[4] for each in expected], rel=1e-9)


def one_piece(model, bitext, pair, place):
    """The answer for some words of a pair alone."""
    source, target, source_length, target_length = place
    ids = id_pairs(bitext)[pair]
    names = (
        [side.words[k - 1][1:] for k in each]
        for each, side in zip(ids, (bitext.source, bitext.target), strict=True)
    )
    words = [list(each) for each in names]
    part = (words[0][source : source + source_length], words[1][target : target + target_length])
    own_bitext, own_index, own_model = one_pair_model(model, bitext, part)
    return answers(dual_links(own_model, own_bitext, own_index, FEW))[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [200, 450])
def test_long_sentences(kind, words, seed):
    # The source repeated: every word knows its place, whatever the length, and pieces meet in the middle.
    rng = np.random.default_rng(seed)
    source = rng.permutation(words).tolist()
    bitext, indexed, model = indexed_and_model([(source, source), ([1, 2], [2, 1])], kind, seed)
    values = model.lexicon.values.copy()
    rows = np.repeat(np.arange(len(indexed.row_offsets) - 1), np.diff(indexed.row_offsets))
    names = [np.array(["-", *side.words]) for side in (bitext.source, bitext.target)]
    values[1:] = 1e-3
    values[names[0][rows] == names[1][indexed.columns]] = 0.5
    values[0] = 0
    model = replace(model, lexicon=replace(model.lexicon, values=values))
    assert len(indexed.pieces.pair) == (2 if words == 200 else 3)
    found = answers(dual_links(model, bitext, indexed, DualOptions(20, 1.0, "adaptive", 1.0)))
    diagonal = {(k, k) for k in range(words)}
    assert found[0][:3] == (diagonal, diagonal, True)
    assert found[1][0] == {(0, 1), (1, 0)}


def test_whoever_watches_hears_of_it(seed):
    bitext, indexed, model = indexed_and_model(random_pairs(seed), "remembering", seed)
    steps = []
    dual_links(model, bitext, indexed, FEW, monitor=steps.append)
    assert [step.done for step in steps] == [1.0]
    assert steps[0].stage == "links"


def test_the_defaults_are_said_in_words(seed):
    bitext, indexed, model = indexed_and_model(random_pairs(seed), "remembering", seed)
    options = DualOptions()
    assert options.step == "adaptive"
    assert_same(dual_links(model, bitext, indexed), dual_links(model, bitext, indexed, options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (DualOptions(rounds=0), "rounds=0: expected a number from 1 to 100000"),
        (DualOptions(rounds=100_001), "rounds=100001: expected a number from 1 to 100000"),
        (DualOptions(step="wild"), "step='wild': expected one of adaptive, harmonic"),
        (DualOptions(alpha=-0.5), "alpha=-0.5: expected a number from 0 to 1e+06"),
        (DualOptions(alpha=math.nan), "alpha=nan: expected a number from 0 to 1e+06"),
        (DualOptions(step_size=0.0), "step_size=0.0: expected a number from 1e-06 to 1e+06"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    bitext, indexed, model = indexed_and_model([([0], [0])], "remembering", 0)
    with pytest.raises(OptionError, match=re.escape(message)):
        dual_links(model, bitext, indexed, options)


def test_a_model_that_is_no_hmm_is_refused():
    bitext, indexed, model = indexed_and_model([([0], [0])], "remembering", 0)
    message = "combine='dual' needs two HMMs, of model_type='hmm'; use it, or another combine"
    with pytest.raises(OptionError, match=re.escape(message)):
        dual_links(Ibm1(model.lexicon, 0.2), bitext, indexed)


def test_the_kernel_compiles_once(seed):
    for kind in KINDS:
        bitext, indexed, model = indexed_and_model(random_pairs(seed), kind, seed)
        for step in ("adaptive", "harmonic"):
            found = dual_links(model, bitext, indexed, DualOptions(3, 1.0, step))
            assert positions(found.forward)
    assert len(kernels.dual_block.signatures) == 1
