"""The cepts of a text are those of its pairs' matrices, whatever the chunks, pieces and threads."""

from dataclasses import replace

import numpy as np
import pytest

from cepts import Aligner, bitext_from_pairs, sample_bitext
from cepts.combine import AssociationOptions, CeptsOptions, cepts_of_text, factorise
from cepts.combine.association import (
    LIST_MEASURES,
    MEASURES,
    WORD_MEASURES,
    Posteriors,
    WordIds,
    association,
)
from cepts.combine.shapes import Shapes
from cepts.words import blocks as blocks_module
from cepts.words import index_bitext
from cepts.words import indexed as indexed_module
from cepts.words.best import best_lists
from cepts.words.layout import MAX_WORDS, plan_chunks
from tests.combine.test_matrices import slow_weights
from tests.reference import places
from tests.words.corpora import as_dictionaries, id_pairs, indexed_and_model, posterior_tables, random_pairs
from tests.words.test_linking import one_pair_model, reordered

N_BEST = 10
PAIRS = random_pairs(11, count=70, longest=10, words=15)
SEARCHES = {"annealing": CeptsOptions(), "restarts": CeptsOptions(search="restarts", restarts=2, seed=5)}
# Measures that look at a pair alone; the others count in the whole text.
OWN = [measure for measure in MEASURES if measure not in (*WORD_MEASURES, "tables")]


@pytest.fixture(scope="module")
def corpus():
    """Some pairs and a model that means little."""
    return indexed_and_model(PAIRS, "hmm", 11)


@pytest.fixture(scope="module")
def aligner():
    """An aligner of French and English."""
    return Aligner(combine="cepts").fit(sample_bitext())


def assert_same(got, expected, close=0.0):
    """The same words in the same cepts; confidences and probabilities as close as they must be."""
    for name in ("source", "target", "source_offsets", "target_offsets", "offsets", "chosen"):
        np.testing.assert_array_equal(getattr(got, name), getattr(expected, name), name)
    for name in ("source_confidence", "target_confidence", "probabilities", "log_likelihoods", "noise"):
        np.testing.assert_allclose(
            getattr(got, name), getattr(expected, name), rtol=close, atol=close, err_msg=name
        )


def evidence(measure, model, bitext, indexed):
    """What `association` takes for a measure."""
    if measure in WORD_MEASURES:
        return {"words": WordIds(bitext.source.ids, bitext.target.ids)}
    if measure in LIST_MEASURES:
        forward, reverse = (best_lists(model, bitext, indexed, way, N_BEST) for way in (0, 1))
    elif measure == "tables":
        forward, reverse = (model_2(model, bitext, way) for way in (0, 1))
    else:
        forward, reverse = (
            flat(
                [
                    table.T if way == 0 else table
                    for table in posterior_tables(model, indexed, len(bitext), way)
                ]
            )
            for way in (0, 1)
        )
    return {"forward": forward, "reverse": reverse}


def flat(tables, nulls=None):
    """Tables [source][target] of all pairs, one after the other."""
    links = np.concatenate([np.asarray(table).ravel() for table in tables]).astype(np.float32)
    return Posteriors(links, None if nulls is None else np.concatenate(nulls).astype(np.float32))


def model_2(model, bitext, way):
    """The tables of a direction by their slow twin."""
    pairs = id_pairs(bitext)
    weights, probability = slow_weights(model, pairs)[way], as_dictionaries(model.lexicon)[way]
    both = [places.table(*(pair if way == 0 else pair[::-1]), probability, *weights) for pair in pairs]
    links = [np.array(links) for links, _ in both]
    return flat([table.T if way == 0 else table for table in links], [null for _, null in both])


@pytest.mark.parametrize("measure", MEASURES)
def test_cepts_are_those_of_the_public_association(measure, corpus):
    bitext, indexed, model = corpus
    shapes = Shapes(bitext.source.offsets, bitext.target.offsets)
    given = evidence(measure, model, bitext, indexed)
    matrices = association(measure, shapes, **given, n_best=50, null_weight=0.7)
    got = cepts_of_text(model, bitext, indexed, AssociationOptions(measure, N_BEST, 0.7, 50.0))
    assert_same(got, factorise(matrices), close=2e-3)
    assert got.aligned_share() > 0.3


@pytest.mark.parametrize("options", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("measure", OWN)
def test_neighbours_change_nothing(measure, options, corpus):
    bitext, indexed, model = corpus
    associations = AssociationOptions(measure, N_BEST)
    together = cepts_of_text(model, bitext, indexed, associations, options)
    for k in range(0, len(PAIRS), 5):
        own_bitext, own_index, own_model = one_pair_model(model, bitext, PAIRS[k])
        alone = cepts_of_text(own_model, own_bitext, own_index, associations, options)
        assert alone[0] == together[k], "to the last bit"


@pytest.mark.parametrize("options", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("measure", ["sum", "weighted", "cooccurrence"])
def test_chunks_and_threads_change_nothing(measure, options, corpus, monkeypatch):
    bitext, indexed, model = corpus
    associations = AssociationOptions(measure, N_BEST)
    expected = cepts_of_text(model, bitext, indexed, associations, options)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1_000))
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1_000)
    finer = index_bitext(bitext)
    assert len(finer.chunks) > 2
    model = replace(model, lexicon=reordered(model.lexicon, finer))
    for threads in (1, 2, 3):
        assert_same(cepts_of_text(model, bitext, finer, associations, options, threads), expected)


def text_of(*pairs):
    return bitext_from_pairs([(" ".join(source), " ".join(target)) for source, target in pairs])


@pytest.mark.parametrize("measure", ["sum", "counts"])
def test_a_long_pair_has_the_cepts_of_its_pieces(measure, aligner):
    # 401 words are two pieces of 200 and 201; one word against 401 is one piece, and the other words are left alone.
    french, english = ["le", "chat", "noir", "dort", "."], ["the", "black", "cat", "sleeps", "."]
    long = (french * 80 + ["chat"], english * 80 + ["cat"])
    assert len(long[0]) == MAX_WORDS + 1
    pieces = [tuple(side[:200] for side in long), tuple(side[200:] for side in long)]
    aligner.recipe = replace(aligner.recipe, association=measure, n_best=3)
    whole = aligner.align(text_of((french, english), long, (long[0], ["cat"]), (["chat"], []))).cepts
    parts = aligner.align(text_of(*pieces, (long[0][200:], ["cat"]))).cepts
    first, second, third = parts
    assert [cept[:2] for cept in whole[1]] == [cept[:2] for cept in first] + [
        ([i + 200 for i in cept.source], [j + 200 for j in cept.target]) for cept in second
    ]
    assert [cept[:2] for cept in whole[2]] == [
        ([i + 200 for i in cept.source], cept.target) for cept in third
    ]
    shares = [200 / 401] * len(first) + [201 / 401] * len(second)
    probabilities = [cept.probability for cept in (*first, *second)]
    assert [cept.probability for cept in whole[1]] == pytest.approx(np.multiply(shares, probabilities))
    assert whole.chosen[1] == parts.chosen[:2].sum()
    sure = whole.source_confidence[whole.source_offsets[1] : whole.source_offsets[2]]
    np.testing.assert_array_equal(sure, parts.source_confidence[:401])
    left = slice(whole.source_offsets[2], whole.source_offsets[2] + 200)
    assert (whole.source[left] == -1).all()
    assert (whole.source_confidence[left] == 0).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_pairs_with_an_empty_side(measure, aligner):
    aligner.recipe = replace(aligner.recipe, association=measure, n_best=N_BEST)
    found = aligner.align(text_of(([], ["the", "dog"]), (["chat"], ["cat"]), (["chien"], []), ([], []))).cepts
    assert [len(cepts) for cepts in found] == [0, 1, 0, 0]
    assert found.source.tolist() == [0, -1]
    assert found.target.tolist() == [-1, -1, 0]
    assert found.source_confidence[1] == found.target_confidence[0] == 0
    assert found.chosen.tolist() == [0, 1, 0, 0]
    alone = aligner.align(text_of((["chat"], []))).cepts
    assert alone.source.tolist() == [-1]
    assert len(alone.links()[0]) == 0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_saved_model_gives_the_same_cepts(measure, aligner, tmp_path):
    aligner.recipe = replace(aligner.recipe, association=measure, n_best=N_BEST)
    text = sample_bitext()
    links = aligner.align(text)
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model", threads=2)
    again = loaded.align(text)
    assert_same(again.cepts, links.cepts)
    np.testing.assert_array_equal(again.offsets, links.offsets)
    np.testing.assert_array_equal(again.scores, links.scores)
