"""From a model to links: scores, pieces of long pairs, neighbours that change nothing, threads that neither do."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Hmm, Lexicon, Vocabularies, index_bitext, link
from cepts.words import blocks as blocks_module
from cepts.words import indexed as indexed_module
from cepts.words.classes import classes_of, usual_class
from cepts.words.layout import cut_into_pieces, plan_chunks
from tests.words.corpora import (
    as_dictionaries,
    best_paths,
    bitext_of,
    corpora,
    entry_names,
    id_pairs,
    indexed_and_model,
    random_pairs,
    sentences,
    slow_posteriors,
)

seeds = st.integers(0, 2**32 - 1)
MODELS = ("ibm1", "hmm", "classes")
BOTH = (True, True)
COLUMNS = ("source", "target", "confidence", "sure", "offsets", "scores")


def positions(links):
    return [[(each.source, each.target) for each in pair] for pair in links]


def assert_same_links(first, second):
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds)
def test_links_are_the_steps_of_best_paths(name, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    directed = link(model, bitext, indexed, BOTH)
    for way, links in enumerate(directed):
        expected = [
            sorted(
                (state, step) if way == 0 else (step, state) for step, state in enumerate(path) if state >= 0
            )
            for path in best_paths(model, indexed, len(pairs), way)
        ]
        assert positions(links) == expected


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("directions", [BOTH, (True, False), (False, True)])
@settings(max_examples=15)
@given(pairs=corpora(pairs=4, longest=5), seed=seeds, threshold=st.sampled_from([1e-6, 0.05, 0.3]))
def test_confidences_and_scores_equal_the_slow_twin(name, directions, pairs, seed, threshold):
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    links = link(model, bitext, indexed, directions, threshold).forward
    tables = as_dictionaries(model.lexicon)
    for k, pair in enumerate(id_pairs(bitext)):
        confidence, score = np.ones((len(pair[0]), len(pair[1]))), 0.0
        for way in (0, 1):
            if directions[way]:
                states, steps = pair if way == 0 else pair[::-1]
                real, _, log_probability, *_ = slow_posteriors(model, states, steps, way, tables[way])
                confidence *= np.array(real).T if way == 0 else np.array(real)
                score += log_probability / len(steps) / sum(directions)
        assert links.scores[k] == pytest.approx(score, rel=1e-5, abs=1e-6)
        check_cells(links[k], confidence, threshold)


def check_cells(found, confidence, threshold):
    """All cells above the threshold are links, but for those that rounding may put on either side."""
    places = {(each.source, each.target): each.confidence for each in found}
    assert [each[:2] for each in found] == sorted(places)
    for place, value in np.ndenumerate(confidence):
        if abs(value - threshold) > 1e-4 * threshold:
            assert (place in places) == (value > threshold)
        if place in places:
            assert places[place] == pytest.approx(value, rel=1e-4, abs=1e-7)


def corpus_of_many_shapes(seed):
    return random_pairs(seed, count=70, longest=12, words=15)


def one_pair_model(model, bitext, pair):
    """The same model for a bitext of one pair of the corpus, by way of the words."""
    alone = bitext_of([pair])
    indexed = index_bitext(alone)
    words = Vocabularies(alone.source.words, alone.target.words)
    known = Vocabularies(bitext.source.words, bitext.target.words)
    lexicon = model.lexicon.pruned(0.0).for_text(indexed, words, known)
    model = replace(model, lexicon=lexicon)
    if isinstance(model, Hmm) and model.classes is not None:
        source, target = (
            classes_of(part[1:], classes, usual_class(classes))
            for part, classes in zip(known.maps_of(words), model.classes, strict=True)
        )
        model = model.of_classes((source, target), alone, indexed)
    return alone, indexed, model


@pytest.mark.parametrize("threshold", [0.0, 0.1])
@pytest.mark.parametrize("name", MODELS)
def test_neighbours_change_nothing(name, threshold, seed):
    pairs = corpus_of_many_shapes(seed)
    bitext, indexed, model = indexed_and_model(pairs, name, seed, band=3)
    together = link(model, bitext, indexed, BOTH, threshold)
    for k, pair in enumerate(pairs):
        own_bitext, own_index, own_model = one_pair_model(model, bitext, pair)
        alone = link(own_model, own_bitext, own_index, BOTH, threshold)
        for all_links, own in zip(together, alone, strict=True):
            assert all_links[k] == own[0], "to the last bit"
            assert all_links.scores[k] == own.scores[0]


@pytest.mark.parametrize("threshold", [0.0, 0.1])
@pytest.mark.parametrize("name", MODELS)
def test_chunks_blocks_and_threads_change_nothing(name, threshold, monkeypatch, seed):
    pairs = corpus_of_many_shapes(seed)
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    expected = link(model, bitext, indexed, BOTH, threshold)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1_000))
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1_000)
    finer = index_bitext(bitext)
    assert len(finer.chunks) > 2
    model = replace(model, lexicon=reordered(model.lexicon, finer))
    for threads in (1, 2, 3):
        for a, b in zip(expected, link(model, bitext, finer, BOTH, threshold, threads), strict=True):
            assert_same_links(a, b)


def reordered(lexicon, indexed):
    """The same values for an index that may number the word pairs in another order."""
    forward, reverse = as_dictionaries(lexicon)
    values = [
        (forward.get((row, column), 0.0), reverse.get((column, row), 0.0))
        for row, column in entry_names(indexed)
    ]
    return Lexicon(indexed.row_offsets, indexed.columns, np.array(values, np.float32))


with_empty_sides = st.lists(
    st.tuples(sentences(5) | st.just([]), sentences(5) | st.just([])), min_size=1, max_size=8
)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=20)
@given(pairs=with_empty_sides, seed=seeds)
def test_pairs_without_words_have_no_links_and_no_score(name, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    for links in link(model, bitext, indexed, BOTH):
        assert len(links) == len(pairs)
        for k, (source, target) in enumerate(pairs):
            if source and target:
                assert np.isfinite(links.scores[k])
            else:
                assert links[k] == []
                assert np.isnan(links.scores[k])


@pytest.mark.parametrize("name", MODELS)
def test_links_of_pieces_lie_where_the_pieces_are(name, monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "cut_into_pieces", lambda bitext: cut_into_pieces(bitext, 4))
    pairs = random_pairs(seed, count=20, longest=15)
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    assert len(indexed.pieces.pair) > 30
    own_piece = [set() for _ in pairs]
    pieces = indexed.pieces
    for k, pair in enumerate(pieces.pair):
        source = int(pieces.source_start[k] - bitext.source.offsets[pair])
        target = int(pieces.target_start[k] - bitext.target.offsets[pair])
        own_piece[pair] |= {
            (source + i, target + j)
            for i in range(pieces.source_length[k])
            for j in range(pieces.target_length[k])
        }
    for links in link(model, bitext, indexed, BOTH):
        for found, allowed in zip(positions(links), own_piece, strict=True):
            assert set(found) <= allowed
            assert found == sorted(set(found))
    everything = link(model, bitext, indexed, BOTH, 1e-30).forward
    assert [set(found) for found in positions(everything)] == own_piece
