"""Laws of Models 3 and 4: rows are distributions, training leads somewhere, and nothing depends on company."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import Bitext
from cepts.words import Agreement, Smoothing, index_bitext, link, train
from cepts.words import blocks as blocks_module
from cepts.words import indexed as indexed_module
from cepts.words.fertility import EVEN, FIRST_FERTILITIES, NULL_BOUNDS, Ibm3, Ibm4, smoothed_rows
from cepts.words.fertility_kernels import FERTILITIES, ROW, FertilityCounts, climb_block
from cepts.words.layout import cut_into_pieces, plan_chunks
from tests.words.corpora import (
    EVERYTHING,
    INDEPENDENT,
    bitext_of,
    corpora,
    random_pairs,
    totals_of,
    uniform_model,
)
from tests.words.test_fertility import KINDS, WAYS, random_classes, random_model, sharp_lexicon
from tests.words.test_linking import reordered

seeds = st.integers(0, 2**32 - 1)
BOTH = (True, True)


def first_model(kind, bitext, indexed, seed, iterations=3):
    """A fertility model without parameters of its own, on an HMM of some iterations."""
    heads = train(uniform_model("hmm", indexed), indexed, iterations, INDEPENDENT)
    return kind.of(heads, bitext, indexed, random_classes(bitext, seed))


def check_rows(model):
    for one in model.parameters:
        for table in (one.fertility, one.moves):
            assert (table >= 0).all()
            np.testing.assert_allclose(table.sum(axis=1), 1, rtol=1e-9)
        assert NULL_BOUNDS[0] <= one.null <= NULL_BOUNDS[1]


# Rows.


@KINDS
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds)
def test_rows_are_distributions_from_the_first_guess_on(kind, pairs, seed):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    model = first_model(kind, bitext, indexed, seed)
    check_rows(model)
    shapes = [(one.fertility.shape, one.moves.shape) for one in model.parameters]
    assert shapes == expected_shapes(model, bitext)
    for _ in range(2):
        model = train(model, indexed, 1, INDEPENDENT)
        check_rows(model)
        assert [(one.fertility.shape, one.moves.shape) for one in model.parameters] == shapes


def expected_shapes(model, bitext):
    """A row of fertilities for each word; of distances one, or for each pair of classes (or none) and each class."""
    shapes = []
    for way, side in enumerate((bitext.source, bitext.target)):
        states, steps = (int(part.max()) + 1 for part in (model.classes[way], model.classes[1 - way]))
        rows = (states + 1) * steps + steps if isinstance(model, Ibm4) else 1
        shapes.append(((len(side.words), FERTILITIES), (rows, ROW)))
    return shapes


def test_the_first_guess_is_a_distribution_up_to_rounding():
    assert FIRST_FERTILITIES.sum() == pytest.approx(1, rel=1e-12)


tables = st.lists(st.lists(st.floats(0, 100), min_size=3, max_size=3), min_size=1, max_size=4)


@settings(max_examples=50)
@given(rows=tables, prior=st.floats(0.1, 50))
def test_smoothed_rows_are_distributions_between_their_own_and_the_average(rows, prior):
    counts = np.array(rows)
    smooth, total = smoothed_rows(counts, prior), counts.sum()
    np.testing.assert_allclose(smooth.sum(axis=1), 1)
    if total > 0:
        average = counts.sum(axis=0) / total
        for row, found in zip(counts, smooth, strict=True):
            share = row.sum() / (row.sum() + prior)
            own = row / max(row.sum(), 1e-300)
            np.testing.assert_allclose(found, share * own + (1 - share) * average, atol=1e-9)
    else:
        np.testing.assert_allclose(smooth, 1 / 3)


@KINDS
def test_the_m_step_by_hand(kind, seed):
    # One word has 3 counts of fertility 1, another 1 of fertility 2: on average 3/4 and 1/4, which join each as 5
    # words. Of distances, one row has 60 counts of +1, and the 20 that join it are the same; then a fifth of all is
    # shared evenly.
    bitext = bitext_of([([0, 1], [0, 1, 2])])
    model = first_model(kind, bitext, index_bitext(bitext), seed, 1)
    fertility, moves = np.zeros((2, FERTILITIES)), np.zeros(model.parameters[0].moves.shape)
    fertility[0, 1], fertility[1, 2] = 3, 1
    moves[0, ROW // 2 + 1] = 60
    counts = FertilityCounts(fertility, moves.ravel(), np.array([2.0, 10.0]))
    found = model._maximised(0, counts)
    assert found.fertility[:, 1:3].tolist() == [
        pytest.approx([(3 + 3.75) / 8, 1.25 / 8]),
        pytest.approx([3.75 / 6, (1 + 1.25) / 6]),
    ]
    assert found.moves[0, ROW // 2 + 1] == pytest.approx(1 - EVEN + EVEN / ROW)
    assert found.moves[0, 0] == pytest.approx(EVEN / ROW)
    assert found.null == pytest.approx(2 / 8), "8 real words brought 2 with them"
    if kind is Ibm4:
        np.testing.assert_allclose(
            found.moves[-1], 1 / ROW, err_msg="rows of other words have no share in it"
        )


def test_nothing_counted_leaves_null_as_it_was(seed):
    bitext = bitext_of([([0, 1], [0, 1, 2])])
    model = first_model(Ibm3, bitext, index_bitext(bitext), seed, 1)
    assert model._maximised(0, model.jump_counts(3)[0]).null == model.parameters[0].null == 0.02


@WAYS
@KINDS
def test_a_direction_that_is_left_out_stays_as_it_is(kind, way, seed):
    bitext = bitext_of(random_pairs(seed))
    indexed = index_bitext(bitext)
    model = first_model(kind, bitext, indexed, seed)
    trained = train(model, indexed, 1, INDEPENDENT._replace(directions=(way == 0, way == 1)))
    assert trained.parameters[1 - way] is model.parameters[1 - way]
    assert not np.array_equal(trained.parameters[way].fertility, model.parameters[way].fertility)


# Training.


def objectives(kind, pairs, seed, iterations, training=INDEPENDENT):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    model, steps = first_model(kind, bitext, indexed, seed), []
    model = train(model, indexed, iterations, training, monitor=steps.append)
    return bitext, indexed, model, [step.objective for step in steps if step.objective is not None]


@KINDS
def test_training_makes_the_text_more_probable(kind, seed):
    # Not at every step: counts come from a neighbourhood that is not the same when the next step sums over its own,
    # small shares count as the summit, and parameters are smoothed.
    pairs = random_pairs(seed, count=150, longest=9, words=30)
    _, _, model, values = objectives(kind, pairs, seed, 5)
    assert len(values) == 5
    assert values[-1] < 0.95 * values[0]
    check_rows(model)


@KINDS
def test_fertilities_are_learned(kind, seed):
    # Words below 4 become two words each, all others one. Were it but one word, NULL could have its second.
    rng = np.random.default_rng(seed)
    sources = [rng.permutation(12)[: rng.integers(2, 7)].tolist() for _ in range(200)]
    pairs = [
        (words, [part for word in words for part in ([word, 100 + word] if word < 4 else [word])])
        for words in sources
    ]
    bitext, _, model, _ = objectives(kind, pairs, seed, 5)
    fertility = model.parameters[0].fertility
    for word, row in zip(bitext.source.words, fertility, strict=True):
        assert row.argmax() == (2 if word in ("w0", "w1", "w2", "w3") else 1), word
        assert row.max() > 0.7, word


DEGENERATE = {
    "every word once": [(range(7 * k, 7 * k + 5), range(7 * k, 7 * k + 7)) for k in range(4)],
    "one word over and over": [([0] * n, [0] * (10 - n)) for n in range(1, 10)],
    "one word and sixty": [([0], list(range(60))), (list(range(60)), [0])],
    "one word each": [([k % 3], [k % 2]) for k in range(6)],
    "empty sides": [([], [1, 2]), ([1, 2, 3, 4], [1, 2, 3]), ([1], []), ([], []), ([3, 2, 1], [1])],
    "nothing but empty sides": [([], [1]), ([2], []), ([], [])],
}


@pytest.mark.parametrize("agreement", [Agreement.NONE, Agreement.PRODUCT])
@KINDS
@pytest.mark.parametrize("case", DEGENERATE)
def test_odd_corpora_give_numbers(case, kind, agreement, seed):
    training = INDEPENDENT._replace(agreement=agreement, smoothing=Smoothing(0.0, 1e-10))
    bitext, indexed, model, values = objectives(kind, DEGENERATE[case], seed, 5, training)
    words = len(bitext.source.ids) + len(bitext.target.ids)
    assert np.isfinite(values).all()
    assert max(values) < 60 * words, "no more than a few impossible things for each word"
    assert np.isfinite(model.lexicon.values).all()
    check_rows(model)
    for threshold in (0.0, 0.1):
        for found in link(model, bitext, indexed, BOTH, threshold):
            assert np.isfinite(found.confidence).all()
            assert (found.confidence <= 1).all()
            assert np.isfinite(found.scores[(bitext.source.lengths > 0) & (bitext.target.lengths > 0)]).all()
            assert len(found) == len(bitext)


# Company.


def many_shapes(seed):
    return [pair for longest in (2, 6, 12) for pair in random_pairs(seed + longest, 30, longest, 15)]


def link_arrays(links):
    return [
        array
        for each in links
        for array in (each.source, each.target, each.confidence, each.scores, each.offsets)
    ]


def assert_same_bits(ones, others):
    for one, other in zip(ones, others, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("threshold", [0.0, EVERYTHING])
@KINDS
def test_neighbours_change_nothing(kind, threshold, monkeypatch, seed):
    bitext, indexed, model = random_model(kind, many_shapes(seed), seed)
    together = link(model, bitext, indexed, BOTH, threshold)
    for k in range(0, len(bitext), 5):
        monkeypatch.setattr(indexed_module, "cut_into_pieces", lambda text, k=k: one_piece(text, k))
        alone = index_bitext(bitext)
        assert alone.pieces.pair.tolist() == [k]
        heads = replace(model.heads, lexicon=reordered(model.lexicon, alone))
        own = kind.of(heads, bitext, alone, model.classes, model.parameters)
        for ours, theirs in zip(together, link(own, bitext, alone, BOTH, threshold), strict=True):
            assert ours[k] == theirs[k], "to the last bit"
            assert ours.scores[k] == theirs.scores[k]


def one_piece(bitext, k):
    return type(pieces := cut_into_pieces(bitext))(*(array[k : k + 1] for array in pieces))


@pytest.mark.parametrize("threshold", [0.0, EVERYTHING])
@KINDS
def test_chunks_blocks_and_threads_change_nothing(kind, threshold, monkeypatch, seed):
    bitext, indexed, model = random_model(kind, many_shapes(seed), seed)
    expected = link_arrays(link(model, bitext, indexed, BOTH, threshold))
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1_000))
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1_000)
    finer = index_bitext(bitext)
    assert len(finer.chunks) > 2
    heads = replace(model.heads, lexicon=reordered(model.lexicon, finer))
    own = kind.of(heads, bitext, finer, model.classes, model.parameters)
    for threads in (1, 2, 3):
        assert_same_bits(link_arrays(link(own, bitext, finer, BOTH, threshold, threads)), expected)


def model_arrays(model):
    return [model.lexicon.values, *(np.asarray(part) for one in model.parameters for part in one)]


@pytest.mark.parametrize("agreement", [Agreement.NONE, Agreement.PRODUCT])
@KINDS
def test_any_number_of_threads_trains_the_same_bits(kind, agreement, monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext = bitext_of(random_pairs(seed, count=100, words=30))
    indexed = index_bitext(bitext)
    assert len(indexed.chunks) > 2
    model, training = first_model(kind, bitext, indexed, seed), INDEPENDENT._replace(agreement=agreement)
    expected = model_arrays(train(model, indexed, 3, training, 1))
    for threads in (2, 3):
        assert_same_bits(model_arrays(train(model, indexed, 3, training, threads)), expected)


@KINDS
def test_counting_changes_no_posterior_and_an_e_step_no_model(kind, seed):
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=30), seed)
    before = [array.copy() for array in model_arrays(model)]
    one, two = (totals_of(model, indexed, INDEPENDENT) for _ in range(2))
    assert_same_bits([one.lexicon, one.likelihoods], [two.lexicon, two.likelihoods])
    for way in (0, 1):
        assert_same_bits(one.jumps[way], two.jumps[way])
    assert_same_bits(model_arrays(model), before)
    links = link(model, bitext, indexed, (True, False)).forward
    steps = bitext.target.lengths
    assert (links.scores * steps).sum() == pytest.approx(one.likelihoods[0], rel=1e-9)


def test_the_kernel_is_compiled_once(tmp_path, seed):
    bitext = bitext_of(random_pairs(seed))
    bitext.save(tmp_path / "text")
    for text in (bitext, Bitext.load(tmp_path / "text")):  # arrays in memory, and mapped ones
        indexed = index_bitext(text)
        for kind in (Ibm3, Ibm4):
            model = train(first_model(kind, text, indexed, seed), indexed, 1, INDEPENDENT)
            link(model.settled(), text, indexed, BOTH)
    assert len(climb_block.signatures) == 1


@KINDS
def test_a_settled_model_reads_small_values_as_the_floor(kind, seed):
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=20), seed)
    small = replace(model.lexicon, values=sharp_lexicon(indexed, seed).values * np.float32(1e-4))
    model = replace(model, lexicon=small, heads=replace(model.heads, lexicon=small))
    raw, settled = (
        link(each, bitext, indexed, BOTH, EVERYTHING).forward for each in (model, model.settled())
    )
    assert not np.array_equal(raw.confidence, settled.confidence)
    assert np.isfinite(settled.scores).all()
