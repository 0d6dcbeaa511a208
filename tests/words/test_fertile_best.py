"""The n best alignments that the search of Models 3 and 4 finds: against all alignments, and by their law."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Hmm, Jumps, Lexicon, index_bitext
from cepts.words import blocks as blocks_module
from cepts.words import fertility as fertility_module
from cepts.words import indexed as indexed_module
from cepts.words.fertility import Fertilities, Ibm3, Ibm4, no_classes
from cepts.words.fertility_kernels import FERTILITIES, LIMIT, MOST, ROW
from cepts.words.layout import plan_chunks
from tests.reference import best as slow_best
from tests.reference import fertility as slow
from tests.words.corpora import bitext_of, corpora, random_pairs
from tests.words.test_best import fast_lists
from tests.words.test_fertility import (
    EMITTED,
    FERTILITY,
    GIVEN,
    KINDS,
    KINDS_OF_WORDS,
    SELDOM,
    SINGLE,
    WAYS,
    hand_made,
    random_model,
    scaled,
    short_and_long,
    slow_pairs,
    summits,
)

seeds = st.integers(0, 2**32 - 1)
NEAR = 1e-3  # how far float32 may be from the twin, in log probabilities
tiny = corpora(pairs=2, longest=3, words=4)


def pairs_and_lists(parts, way, n, candidate=fertility_module.CANDIDATE):
    """For each pair the twin, the fast summit and the fast list; with a candidate of 0 each state may be moved to."""
    bitext, indexed, model = parts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fertility_module, "CANDIDATE", candidate)
        twins = [pair for pair, _ in slow_pairs(model, bitext, indexed, way)]
        found = fast_lists(model, bitext, indexed, way, n)
        return list(zip(twins, summits(model, indexed, way), found, strict=True))


def check_entries(pair, found, n):
    """Each alignment is there once, with its probability, the best first."""
    logs, alignments = [log for log, _ in found], [alignment for _, alignment in found]
    assert 1 <= len(found) <= n
    assert len(set(alignments)) == len(alignments)
    assert logs == sorted(logs, reverse=True)
    assert logs == pytest.approx([slow.log_probability(pair, each) for each in alignments], abs=NEAR)


def check_list(pair, summit, found, n):
    """The law of a list: it begins at the summit or higher, and no neighbour is better than its last but missing.

    A list that is not full misses no neighbour at all. Nothing is moved to where the HMM finds it improbable.
    """
    check_entries(pair, found, n)
    for _, alignment in found:
        for state, allowed, begun in zip(alignment, pair.allowed, summit, strict=True):
            assert state in allowed or state == begun
    assert found[0][0] >= slow.log_probability(pair, summit) - NEAR
    last = found[-1][0] if len(found) == n else -math.inf
    assert slow_best.unlisted(pair, [alignment for _, alignment in found]) <= last + NEAR


# All alignments.


@KINDS
@WAYS
@settings(max_examples=30)
@given(pairs=tiny, seed=seeds, null=st.sampled_from([0.02, 0.2, 0.45]))
def test_a_list_with_room_has_all_alignments(kind, way, pairs, seed, null):
    for pair, summit, found in pairs_and_lists(
        random_model(kind, pairs, seed, null), way, 100, candidate=0.0
    ):
        check_list(pair, summit, found, 100)
        expected = slow_best.of_fertility(pair)
        assert {alignment for _, alignment in found} == {alignment for _, alignment in expected}
        assert [log for log, _ in found] == pytest.approx([log for log, _ in expected], abs=NEAR)


@KINDS
@WAYS
def test_a_list_has_nearly_all_of_the_best(kind, way, seed):
    """From the summit's neighbourhood the search sees far, not everything: sums of probabilities tell how far."""
    shares = []
    parts = random_model(kind, random_pairs(seed, count=40, longest=4), seed)
    for pair, summit, found in pairs_and_lists(parts, way, 10, candidate=0.0):
        check_list(pair, summit, found, 10)
        best = slow_best.of_fertility(pair)[:10]
        assert len(found) == len(best)
        share = math.fsum(math.exp(log) for log, _ in found) / math.fsum(math.exp(log) for log, _ in best)
        assert share <= 1 + NEAR
        shares.append(share)
    assert sum(share > 1 - NEAR for share in shares) > 35
    assert np.mean(shares) > 0.98
    assert len(shares) == 40


# Ties.


def even_model(kind, pairs, seed):
    """A model for which places, and the words of a sentence, are all alike: many alignments have one probability."""
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    values = np.random.default_rng(seed).uniform(0.05, 1, (len(indexed.columns), 2)).astype(np.float32)
    values[0] = 0
    jumps = Jumps(np.full(3, 0.3), 0.1, np.full(indexed.longest, 1 / indexed.longest), 0.1)
    heads = Hmm(Lexicon(indexed.row_offsets, indexed.columns, values), (jumps, jumps), indexed.longest)
    once = np.full(FERTILITIES, 0.001) + 0.99 * (np.arange(FERTILITIES) == 1)
    moves = np.full((1 if kind is Ibm3 else 3, ROW), 1 / ROW)
    parameters = tuple(
        Fertilities(np.tile(once, (len(side.words), 1)), moves, 0.1)
        for side in (bitext.source, bitext.target)
    )
    return bitext, indexed, kind.of(heads, bitext, indexed, no_classes(bitext), parameters)


@KINDS
def test_ties_come_to_an_end(kind):
    # Exchanging the states of two steps of one word changes nothing, but float32 may find it a little better, and the
    # way back as well: alignments that replace each other in a list would do so for ever.
    pairs_and_lists(even_model(kind, [([0], [0])], 0), 0, 1)  # compiled before the clock starts

    def list_them():
        for seed in range(20):
            for pairs in ([([0, 1], [0, 0])], [([0, 1, 2], [0, 0, 0])]):
                for n in (1, 2, 5):
                    for pair, summit, found in pairs_and_lists(even_model(kind, pairs, seed), 0, n):
                        check_list(pair, summit, found, n)
        done.append(True)

    done = []
    thread = threading.Thread(target=list_them, daemon=True)
    thread.start()
    thread.join(120)
    assert done, "an endless search, or a wrong list"


# The law.


@KINDS
@WAYS
@settings(max_examples=60)
@given(
    pairs=corpora(pairs=3, longest=6),
    seed=seeds,
    n=st.sampled_from([1, 2, 3, 10, 60]),
    null=st.sampled_from([0.02, 0.2, 0.45]),
)
def test_no_better_neighbour_is_missing(kind, way, pairs, seed, n, null):
    for pair, summit, found in pairs_and_lists(random_model(kind, pairs, seed, null), way, n):
        check_list(pair, summit, found, n)


@KINDS
@WAYS
@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_higher_hill_is_climbed_to_its_top(kind, way, n, seed):
    """The way from one hill to a higher one may be long: all that is left behind drops out of a short list."""
    higher = 0
    parts = random_model(kind, random_pairs(seed, count=200), seed)
    for pair, summit, found in pairs_and_lists(parts, way, n):
        check_list(pair, summit, found, n)
        higher += found[-1][0] > slow.log_probability(pair, summit) + NEAR
    assert higher > 0


@KINDS
@WAYS
@pytest.mark.parametrize("n", [5, 400])
def test_what_the_hmm_finds_improbable_is_not_tried(kind, way, n, monkeypatch, seed):
    parts = random_model(kind, random_pairs(seed, count=40, longest=5, words=60), seed)
    for places in (blocks_module.BLOCK_PLACES, 1):
        monkeypatch.setattr(blocks_module, "BLOCK_PLACES", places)
        not_tried = complete = 0
        for pair, summit, found in pairs_and_lists(parts, way, n, candidate=0.1):
            check_list(pair, summit, found, n)
            not_tried += sum(pair.states + 1 - len(allowed) for allowed in pair.allowed)
            complete += len(found) < n
        assert not_tried > 100
        assert complete > 3


@KINDS
def test_a_list_of_one_is_the_summit(kind, seed):
    same = []
    for pair, summit, [(log, alignment)] in pairs_and_lists(
        random_model(kind, random_pairs(seed, count=40), seed), 0, 1
    ):
        same.append(alignment == summit)
        # The climb leaves steps alone that are not worth it, the list takes them.
        assert same[-1] or 0 <= log - slow.log_probability(pair, summit) <= NEAR
    assert sum(same) > 30


@KINDS
@WAYS
def test_null_and_cepts_keep_their_bounds(kind, way, seed):
    pairs = [([0], list(range(12))), ([0, 1], list(range(19))), ([0, 1, 2], [0, 3]), ([4], [3])]
    for factor in (1e-3, 1e4):
        bitext, indexed, model = random_model(kind, pairs, seed, null=0.3)
        parts = bitext, indexed, scaled(model, indexed, factor)
        for pair, summit, found in pairs_and_lists(parts, way, 30):
            check_list(pair, summit, found, 30)
            for _, alignment in found:
                assert 2 * alignment.count(-1) <= pair.steps
                assert max(slow.fertilities(pair, alignment)) <= MOST


# By hand: see the models' own tests for the numbers.


def test_model_3_by_hand():
    moves = {-1: 0.3, 0: 0.4, 1: 0.2}
    check_by_hand(Ibm3, moves, GIVEN * EMITTED * 2 * 0.3 * 0.2 * 0.4)


def test_model_4_by_hand():
    moves = {("first", None, 0, 1): 0.3, ("other", 1, 2): 0.2, ("first", 1, 1, 2): 0.4}
    check_by_hand(Ibm4, moves, GIVEN * EMITTED * 0.3 * 0.2 * 0.4)


def check_by_hand(kind, moves, best):
    bitext, indexed, model = hand_made(
        kind, [("ab", "xyzw")], {**SELDOM, **SINGLE}, FERTILITY, moves, 0.1, KINDS_OF_WORDS
    )
    [[(log, alignment), (following, _)]] = fast_lists(model, bitext, indexed, 0, 2)
    assert alignment == (0, -1, 0, 1)
    assert log == pytest.approx(math.log(best), abs=1e-5)
    assert following < log - 5, "every other alignment has words where they hardly ever are"


# Company, and what is too large.


@KINDS
@WAYS
def test_threads_and_chunks_do_not_matter(kind, way, monkeypatch, seed):
    pairs = random_pairs(seed, count=100)
    bitext, indexed, model = random_model(kind, pairs, seed)
    expected = fast_lists(model, bitext, indexed, way, 10)
    assert len(indexed.chunks) == 1
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext, indexed, model = random_model(kind, pairs, seed)
    assert len(indexed.chunks) > 3
    for threads in (1, 2, 3):
        assert fast_lists(model, bitext, indexed, way, 10, threads) == expected, "to the last bit"


@KINDS
@WAYS
def test_long_sentences_have_the_list_of_the_hmm(kind, way, seed):
    bitext, indexed, model = random_model(kind, short_and_long(seed), seed)
    own, hmm = (fast_lists(each, bitext, indexed, way, 4) for each in (model, model.heads))
    same = [one == other for one, other in zip(own, hmm, strict=True)]
    assert same[-2:] == [True, True], f"more than {LIMIT} words: to the last bit"
    assert not any(same[:-2])
    twins = [pair for pair, _ in slow_pairs(model, bitext, indexed, way)]
    for pair, found in list(zip(twins, own, strict=True))[:-2]:
        check_entries(pair, found, 4)


@KINDS
def test_too_few_words_for_so_many_have_the_list_of_the_hmm(kind, seed):
    pairs = [([0], list(range(size))) for size in (2 * MOST, 2 * MOST + 1)]
    bitext, indexed, model = random_model(kind, pairs, seed)
    own, hmm = (fast_lists(each, bitext, indexed, 0, 4) for each in (model, model.heads))
    assert [one == other for one, other in zip(own, hmm, strict=True)] == [False, True]
