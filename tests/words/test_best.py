"""The n best alignments of IBM-1 and of both kinds of HMM against the enumeration of all, by hand, by their laws."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts import bounds
from cepts.corpus import Bitext, Side
from cepts.errors import OptionError
from cepts.words import ForgetfulHmm, Hmm, Ibm1, Jumps, Lexicon, index_bitext
from cepts.words import blocks as blocks_module
from cepts.words import indexed as indexed_module
from cepts.words.best import best_lists, check_n_best
from cepts.words.best_kernels import share_lists
from cepts.words.layout import MAX_WORDS, plan_chunks
from tests.reference import best as slow
from tests.reference import forgetful as slow_forgetful
from tests.reference import hmm as slow_hmm
from tests.words import test_biword
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    best_paths,
    bitext_of,
    chain_of_pair,
    corpora,
    entry_names,
    id_pairs,
    in_classes,
    random_jumps,
    random_lexicon,
    random_pairs,
    totals_of,
)
from tests.words.test_fertility import sharp_lexicon

seeds = st.integers(0, 2**32 - 1)
MODELS = pytest.mark.parametrize("name", ["ibm1", "ibm1, null a word", "hmm", "classes", "forgetful"])
CHAINS = ("hmm", "classes")
WAYS = pytest.mark.parametrize("way", [0, 1])
CUT = (MAX_WORDS + 1, 2 * MAX_WORDS + 1)  # words that make two pieces, and three
NEAR = 1e-4  # how far float32 may be from the twin, in log probabilities
tiny = corpora(pairs=2, longest=4, words=4)


def model_of(name, indexed, lexicon, seed, null=0.2, band=1):
    """A model of any of the kinds; of the HMMs' jumps, those of two words are far."""
    if name.startswith("ibm1"):
        return Ibm1(lexicon, None if "," in name else null)
    jumps = tuple(
        random_jumps(band, indexed.longest, part, seed + k) for k, part in enumerate((null, null / 2))
    )
    return (ForgetfulHmm if name == "forgetful" else Hmm)(lexicon, jumps, indexed.longest)


def random_model(name, pairs, seed, null=0.2, sharp=True):
    """A bitext, its index, and a model whose probabilities mean nothing: of many sizes, or of nearly one."""
    bitext = bitext_of(pairs)
    return bitext, *random_model_of(name, bitext, seed, null, sharp)


def random_model_of(name, bitext, seed, null=0.2, sharp=True):
    indexed = index_bitext(bitext)
    lexicon = (sharp_lexicon if sharp else random_lexicon)(indexed, seed)
    model = model_of(name, indexed, lexicon, seed, null)
    return indexed, in_classes(model, bitext, indexed, seed) if name == "classes" else model


def slow_lists(model, bitext, way):
    """All alignments of each pair, by the twin."""
    probability = as_dictionaries(model.lexicon)[way]
    for pair in id_pairs(bitext):
        states, steps = pair if way == 0 else pair[::-1]
        if isinstance(model, Ibm1):
            yield slow.of_ibm1(states, steps, probability, model.null)
        elif model.remembers:
            chain = chain_of_pair(model, way, states)
            yield slow.of_paths(slow_hmm.all_paths(states, steps, probability, chain))
        else:
            one = model.jumps[way]
            chain = slow_forgetful.Chain(one.weights, one.far, one.starts, one.null, len(states), len(steps))
            yield slow.of_paths(slow_forgetful.all_paths(states, steps, probability, chain))


def as_alignment(links, steps, way):
    """Turn links into an alignment: for each step its state, or -1."""
    alignment = [-1] * steps
    for link in links:
        step, state = (link.target, link.source) if way == 0 else (link.source, link.target)
        assert alignment[step] == -1, "a step has one state"
        alignment[step] = state
    return tuple(alignment)


def fast_lists(model, bitext, indexed, way, n, threads=1):
    """The lists of each pair as the twin has them."""
    lists = best_lists(model, bitext, indexed, way, n, threads)
    sizes = (bitext.target, bitext.source)[way].lengths.tolist()
    return [
        [(log, as_alignment(links, size, way)) for links, log in lists.of(pair)]
        for pair, size in enumerate(sizes)
    ]


def check_list(found, expected, n):
    """A list has the n best of all alignments, each once and with its probability; ties may go either way."""
    known = {alignment: log for log, alignment in expected}
    logs, alignments = [log for log, _ in found], [alignment for _, alignment in found]
    assert len(found) == min(n, len(expected))
    assert len(set(alignments)) == len(alignments)
    assert logs == sorted(logs, reverse=True)
    assert logs == pytest.approx([known[alignment] for alignment in alignments], abs=NEAR)
    assert logs == pytest.approx([log for log, _ in expected[:n]], abs=NEAR)


def check_lists(bitext, indexed, model, way, n):
    found = fast_lists(model, bitext, indexed, way, n)
    for one, expected in zip(found, slow_lists(model, bitext, way), strict=True):
        check_list(one, expected, n)


# All alignments.


@MODELS
@WAYS
@settings(max_examples=40)
@given(pairs=tiny, seed=seeds, n=st.sampled_from([1, 2, 5, 40, 700]), null=st.sampled_from([1e-3, 0.2, 0.6]))
def test_the_list_has_the_best_of_all_alignments(name, way, pairs, seed, n, null):
    check_lists(*random_model(name, pairs, seed, null), way, n)


@MODELS
@WAYS
@settings(max_examples=10)
@given(pairs=tiny, seed=seeds, n=st.integers(1, 30))
def test_alignments_of_nearly_one_probability(name, way, pairs, seed, n):
    check_lists(*random_model(name, pairs, seed, sharp=False), way, n)


@MODELS
@WAYS
def test_pairs_of_all_shapes_side_by_side(name, way, monkeypatch, seed):
    pairs = random_pairs(seed, count=40, longest=4)
    for places in (blocks_module.BLOCK_PLACES, 1):
        monkeypatch.setattr(blocks_module, "BLOCK_PLACES", places)
        check_lists(*random_model(name, pairs, seed), way, 6)


@MODELS
@WAYS
@settings(max_examples=10)
@given(pair=tiny.map(lambda pairs: pairs[:1]), seed=seeds, n=st.integers(1, 20))
def test_a_list_is_no_more_probable_than_the_words_and_all_alignments_are_as_probable(
    name, way, pair, seed, n
):
    bitext, indexed, model = random_model(name, pair, seed)
    likelihood = totals_of(model, indexed, INDEPENDENT).likelihoods[way]
    [some], [everything] = (fast_lists(model, bitext, indexed, way, size) for size in (n, 1000))
    steps, states = (len(side) for side in (pair[0][::-1] if way == 0 else pair[0]))
    assert len(everything) == (states + 1) ** steps
    assert log_sum(everything) == pytest.approx(likelihood, abs=NEAR)
    assert log_sum(some) <= likelihood + NEAR
    assert some == everything[:n], "a shorter list is the beginning of a longer one"


def log_sum(entries):
    return math.log(math.fsum(math.exp(log) for log, _ in entries))


@MODELS
@WAYS
def test_the_first_is_the_best_path(name, way, seed):
    bitext, indexed, model = random_model(name, random_pairs(seed, count=60), seed)
    found = fast_lists(model, bitext, indexed, way, 2)
    paths = best_paths(model, indexed, len(bitext), way)
    compared = 0
    for (first, *others), path in zip(found, paths, strict=True):
        # Where NULL remembers, the best path to a NULL at the beginning is one of several that show it.
        if (not others or first[0] - others[0][0] > NEAR) and (name not in CHAINS or first[1][0] >= 0):
            assert first[1] == tuple(path)
            compared += 1
    assert compared > 30
    assert [entries[:1] for entries in found] == fast_lists(model, bitext, indexed, way, 1)


# By hand.


def hand_made(kind, source, target, single, *parameters):
    """A forward model: single {(source or None, target): p}, other pairs 0."""
    bitext = bitext_of([(source, target)])
    indexed = index_bitext(bitext)
    names = [[None, *(word[1:] for word in side.words)] for side in (bitext.source, bitext.target)]
    values = np.zeros((len(indexed.columns), 2), np.float32)
    for k, (row, column) in enumerate(entry_names(indexed)):
        values[k, 0] = single.get((names[0][row], names[1][column]), 0.0)
    lexicon = Lexicon(indexed.row_offsets, indexed.columns, values)
    return bitext, indexed, kind(lexicon, *parameters)


def check_by_hand(parts, expected, n=100):
    bitext, indexed, model = parts
    [found] = fast_lists(model, bitext, indexed, 0, n)
    assert [alignment for _, alignment in found] == list(expected)
    assert [log for log, _ in found] == pytest.approx([math.log(p) for p in expected.values()], abs=1e-5)


SINGLE = {("a", "x"): 0.8, ("b", "x"): 0.4, (None, "x"): 0.1, ("b", "y"): 0.5, (None, "y"): 0.3}


def test_ibm1_by_hand():
    # Each word of two has half of what NULL leaves, 0.4. x: a 0.32, b 0.16, NULL 0.02. y: b 0.2, NULL 0.06; a never.
    x, y = {0: 0.32, 1: 0.16, -1: 0.02}, {1: 0.2, -1: 0.06}
    products = {(i, k): x[i] * y[k] for i, k in [(0, 1), (1, 1), (0, -1), (1, -1), (-1, 1), (-1, -1)]}
    check_by_hand(hand_made(Ibm1, "ab", "xy", SINGLE, 0.2), products)
    # NULL as one more word: all weigh a third. x: 0.8, 0.4, 0.1. y: b 0.5, NULL 0.3.
    x, y = {0: 0.8, 1: 0.4, -1: 0.1}, {1: 0.5, -1: 0.3}
    products = {(i, k): x[i] * y[k] / 9 for i, k in [(0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]}
    check_by_hand(hand_made(Ibm1, "ab", "xy", SINGLE, None), products)


def hand_jumps():
    """Starts 3/4 and 1/4; weights of -1, 0, +1: 0.2, 0.3, 0.4. p0 = 0.2."""
    jumps = Jumps(np.array([0.2, 0.3, 0.4]), 0.1, np.array([0.75, 0.25]), 0.2)
    return (jumps, jumps), 2


def test_the_hmm_by_hand():
    # A step that is real: 0.8. From a to b 0.4 of 0.3 + 0.4, from b to b 0.3 of 0.2 + 0.3. NULL behind a word takes
    # 0.2; at the beginning it has no place, so that b comes from a and from b alike: half of 4/7 + 3/5.
    a, b, null = 0.8 * 0.75 * 0.8, 0.8 * 0.25 * 0.4, 0.2 * 0.1
    to_b, to_null = 0.8 * 0.5, 0.2 * 0.3
    expected = {
        (0, 1): a * to_b * 4 / 7,
        (0, -1): a * to_null,
        (1, 1): b * to_b * 3 / 5,
        (1, -1): b * to_null,
        (-1, 1): null * to_b * (4 / 7 + 3 / 5) / 2,
        (-1, -1): null * to_null,
    }
    check_by_hand(hand_made(Hmm, "ab", "xy", SINGLE, *hand_jumps()), expected)
    check_by_hand(hand_made(Hmm, "ab", "xy", SINGLE, *hand_jumps()), dict(list(expected.items())[:3]), n=3)


def test_the_forgetful_hmm_by_hand():
    # The same but for NULL: it stays with 1e-4, and at the second step of two words goes to the second of two, that
    # lies on the diagonal, with 1 / (1 + 0.8) of the rest.
    a, b, null = 0.8 * 0.75 * 0.8, 0.8 * 0.25 * 0.4, 0.2 * 0.1
    to_b, to_null = 0.8 * 0.5, 0.2 * 0.3
    expected = {
        (0, 1): a * to_b * 4 / 7,
        (0, -1): a * to_null,
        (1, 1): b * to_b * 3 / 5,
        (-1, 1): null * 0.5 * (1 - 1e-4) / 1.8,
        (1, -1): b * to_null,
        (-1, -1): null * 1e-4 * 0.3,
    }
    check_by_hand(hand_made(ForgetfulHmm, "ab", "xy", SINGLE, *hand_jumps()), expected)


# What cannot be.


def without(model, share, seed):
    """The same model with some links of two real words impossible."""
    values, names = model.lexicon.values.copy(), np.array(entry_names(model.lexicon))
    gone = np.random.default_rng(seed).random(len(names)) < share
    values[gone & (names.min(axis=1) > 0)] = 0
    return replace(model, lexicon=replace(model.lexicon, values=values))


@MODELS
@WAYS
@settings(max_examples=10)
@given(pairs=tiny, seed=seeds, n=st.sampled_from([1, 5, 700]), share=st.sampled_from([0.3, 0.6, 1.0]))
def test_impossible_links_are_in_no_list(name, way, pairs, seed, n, share):
    bitext, indexed, model = random_model(name, pairs, seed)
    model = without(model, share, seed)
    check_lists(bitext, indexed, model, way, n)
    if share == 1.0:
        found = fast_lists(model, bitext, indexed, way, n)
        assert all(set(alignment) == {-1} for [(_, alignment)] in found), "nothing but NULL is possible"


@MODELS
def test_where_nothing_is_possible_all_is_null(name, seed):
    bitext, indexed, model = random_model(name, [([0, 1], [0, 1, 2]), ([0], [2])], seed)
    nothing = replace(model, lexicon=replace(model.lexicon, values=np.zeros_like(model.lexicon.values)))
    for way, steps in ((0, (3, 1)), (1, (2, 1))):
        found = fast_lists(nothing, bitext, indexed, way, 9)
        assert [[alignment for _, alignment in entries] for entries in found] == [
            [(-1,) * size] for size in steps
        ]
        assert all(-1e4 < log < -60 for [(log, _)] in found), "a number still, and next to nothing"


def test_alignments_of_one_probability_are_each_listed_once():
    # Two words of one kind, so that alignments are equally probable in groups; and sums of logarithms of which some
    # are next to zero and others large, so that a sum depends on the order in which it is made.
    for case in (20, 66, 85):
        rng, bitext = np.random.default_rng(case), bitext_of([("aa", "uvwxyz")])
        indexed = index_bitext(bitext)
        shape = (len(indexed.columns), 2)
        values = np.where(
            rng.random(shape) < 0.5,
            1 - rng.integers(3, 16, shape) * 2.0**-24,
            10 ** rng.uniform(-29, -25, shape),
        )
        model = Ibm1(Lexicon(indexed.row_offsets, indexed.columns, values.astype(np.float32)), None)
        check_lists(bitext, indexed, model, 0, 3**6)


def test_pairs_with_an_empty_side_have_no_list(seed):
    pairs = [([], [0, 1]), ([0, 1], [1]), ([0], []), ([], []), ([1], [0])]
    bitext, indexed, model = random_model("hmm", pairs, seed)
    for way in (0, 1):
        lists = best_lists(model, bitext, indexed, way, 3)
        assert [len(lists.of(pair)) for pair in range(5)] == [0, (3, 3)[way], 0, 0, 2]
        assert lists.owner.tolist() == [1, 1, 1, 4, 4]
    bitext, indexed, model = random_model("hmm", pairs[2:4], seed)
    lists = best_lists(model, bitext, indexed, 0, 3)
    assert (len(lists.links), len(lists.owner), len(lists.log_probability)) == (0, 0, 0)


# Long sentences are cut, lists of their pieces joined.


def uncut(bitext, pieces):
    """The bitext whose pairs are the pieces of another one."""
    starts = (pieces.source_start, pieces.target_start)
    sides = zip((bitext.source, bitext.target), starts, strict=True)
    return Bitext(*(Side(side.ids, np.append(start, len(side.ids)), side.words) for side, start in sides))


def whole(alignments, begins):
    """Join the alignments of pieces whose states begin so far into the sentence."""
    parts = zip(alignments, begins, strict=True)
    return tuple(-1 if state < 0 else state + begin for part, begin in parts for state in part)


@WAYS
@MODELS
def test_a_cut_sentence_has_the_best_sums(name, way, seed):
    rng = np.random.default_rng(seed)
    two, three = (tuple(rng.permutation(size)[:length].tolist() for length in (size, 15)) for size in CUT)
    pairs = [([0, 1], [1, 0]), two, ([2], [1]), three[::-1], ([3], [0, 2])]
    bitext, indexed, model = random_model(name, pairs, seed)
    pieces = indexed.pieces
    assert pieces.pair.tolist() == [0, 1, 1, 2, 3, 3, 3, 4]
    parts = uncut(bitext, pieces)
    own_index, own_model = random_model_of(name, parts, seed)
    lists = fast_lists(own_model, parts, own_index, way, 5)
    side, start = ((bitext.source, pieces.source_start), (bitext.target, pieces.target_start))[way]
    for pair, found in enumerate(fast_lists(model, bitext, indexed, way, 5)):
        own = np.flatnonzero(pieces.pair == pair)
        expected = slow.sums([lists[piece] for piece in own], 5)
        begins = (start[own] - side.offsets[pair]).tolist()
        assert [alignment for _, alignment in found] == [whole(each, begins) for _, each in expected]
        assert [log for log, _ in found] == pytest.approx([log for log, _ in expected], rel=1e-12)


# What it does not depend on, and what it refuses.


@MODELS
@WAYS
def test_threads_and_chunks_do_not_matter(name, way, monkeypatch, seed):
    pairs = random_pairs(seed, count=100)
    bitext, indexed, model = random_model(name, pairs, seed)
    expected = fast_lists(model, bitext, indexed, way, 10)
    assert len(indexed.chunks) == 1
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext, indexed, model = random_model(name, pairs, seed)
    assert len(indexed.chunks) > 3
    for threads in (1, 2, 3):
        assert fast_lists(model, bitext, indexed, way, 10, threads) == expected, "to the last bit"


def test_progress_is_told(monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext, indexed, model = random_model("ibm1", random_pairs(seed, count=100), seed)
    steps = []
    best_lists(model, bitext, indexed, 0, 1, monitor=steps.append)
    count = len(indexed.chunks)
    assert [step.done for step in steps] == [done / count for done in range(1, count + 1)]


@pytest.mark.parametrize("name", ["bi1", "bihmm"])
def test_bi_word_models_have_no_lists(name, seed):
    bitext, indexed, model = test_biword.random_model(random_pairs(seed), name, seed)
    message = f"^no n-best lists of {name}: use model_type='ibm1', hmm, ibm3 or ibm4$"
    with pytest.raises(OptionError, match=message):
        best_lists(model, bitext, indexed, 0, 3)


@pytest.mark.parametrize("n", [-1, 0, bounds.N_BEST_ALIGNMENTS.most + 1])
def test_what_is_no_number_of_alignments_is_refused(n, seed):
    bitext, indexed, model = random_model("ibm1", [([0], [0])], seed)
    with pytest.raises(OptionError, match=f"^n_best={n}: expected a number from 1 to 10000$"):
        best_lists(model, bitext, indexed, 0, n)


def test_the_longest_list():
    check_n_best(bounds.N_BEST_ALIGNMENTS.most)
    bitext = bitext_of([("abc", "uvwxyz")])
    indexed = index_bitext(bitext)
    model = Ibm1(sharp_lexicon(indexed, 1), 0.2)
    [found] = fast_lists(model, bitext, indexed, 0, bounds.N_BEST_ALIGNMENTS.most)
    check_list(found, next(slow_lists(model, bitext, 0)), bounds.N_BEST_ALIGNMENTS.most)


# The share of a list that a link is in.


@WAYS
@pytest.mark.parametrize("kind", [0, 1, 2])
def test_shares_of_lists(way, kind, monkeypatch, seed):
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1)
    check_shares(random_pairs(seed, count=40, longest=4), way, kind, seed)


def test_shares_of_what_is_improbable(seed):
    words = np.random.default_rng(seed).permutation(350).tolist()
    lowest = check_shares([(words, words[::-1])], 0, 1, seed)
    assert lowest < -750, "no float has so small an exponential"


def check_shares(pairs, way, kind, seed):
    """Compare the shares of all pairs with the twin's; returns the smallest log probability."""
    bitext, indexed, model = random_model("hmm", pairs, seed)
    found = fast_lists(model, bitext, indexed, way, 7)
    for piece, table in share_tables(model, indexed, way, kind):
        logs, alignments = zip(*found[piece], strict=True)
        weights = [(1.0, math.exp(log - logs[0]), 1 / rank)[kind] for rank, log in enumerate(logs, 1)]
        expected = slow.shares(alignments, weights, table.shape[1] - 1)
        np.testing.assert_allclose(table, expected, atol=1e-5)
    return min(log for entries in found for log, _ in entries)


def share_tables(model, indexed, way, kind, n=7):
    """For each piece the fast shares, [step][state], with NULL as the last state."""
    for chunk in indexed.chunks:
        for block in model.loaded_blocks(chunk):
            block.posterior[:] = 9  # whatever was there does not matter
            lists = model.best_lists(block, way, n)
            share_lists(chunk, block.first, block.end, way, lists, kind, block.posterior)
            for batch in range(block.first, block.end):
                begin = chunk.offsets[batch] - chunk.offsets[block.first]
                yield from tables_of(chunk, batch, block.posterior[way, begin:], way)


def tables_of(chunk, batch, places, way):
    """Cut what a kernel wrote for a batch into tables of its pieces."""
    shape, lanes = chunk.shapes[batch].tolist(), chunk.pieces.shape[1]
    states, steps = shape if way == 0 else shape[::-1]
    cells = states * steps * lanes
    null = cells + (0 if way == 0 else states * lanes)
    links = places[:cells].reshape(steps, states, lanes)
    nulls = places[null : null + steps * lanes].reshape(steps, 1, lanes)
    sizes = (chunk.source_lengths[batch], chunk.target_lengths[batch])
    for lane, piece in enumerate(chunk.pieces[batch].tolist()):
        if piece >= 0:
            rows, columns = sizes[1 - way][lane], sizes[way][lane]
            yield piece, np.hstack([links[:rows, :columns, lane], nulls[:rows, :, lane]])
