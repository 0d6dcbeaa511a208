"""The matrices that a model fills, chunk by chunk, against slow twins."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.combine import matrix_kernels as kernels
from cepts.combine.association import FLOOR, LIST_MEASURES, MEASURES, WORD_MEASURES
from cepts.combine.attaching import STANDING
from cepts.combine.matrices import AssociationOptions, MatrixMaker, place_weights, word_weights
from cepts.errors import OptionError
from cepts.words import blocks as blocks_module
from cepts.words import index_bitext
from cepts.words import indexed as indexed_module
from cepts.words.best import best_lists
from cepts.words.layout import plan_chunks
from tests.reference import association as twin
from tests.reference import places
from tests.words.corpora import (
    as_dictionaries,
    corpora,
    entry_names,
    id_pairs,
    indexed_and_model,
    random_pairs,
    slow_posteriors,
)
from tests.words.test_linking import reordered

MODELS = ("ibm1", "hmm")
N_BEST = 7
LITTLE = 1e-3
SCALE = 40.0
seeds = st.integers(0, 2**16)


def matrices_of(model, bitext, indexed, options):
    """The matrix of each pair, [source][target] with the NULLs in front; no pair may be cut into pieces."""
    maker = MatrixMaker.of(model, bitext, indexed, options)
    found = {}
    for chunk in indexed.chunks:
        pieces = chunk.pieces[chunk.pieces >= 0].tolist()
        filled = maker(chunk)
        found |= {int(indexed.pieces.pair[piece]): filled[k] for k, piece in enumerate(pieces)}
    return found


def ways_of(pair):
    """(states, steps) of the forward and of the reverse direction."""
    return (pair, pair[::-1])


def turned(table):
    return [list(column) for column in zip(*table, strict=True)]


def slow_tables(model, pairs):
    """For each pair the (links [step][state], NULL [step]) of both directions, by the slow twins of the models."""
    values = as_dictionaries(model.lexicon)
    return [
        [slow_posteriors(model, *each, way, values[way])[:2] for way, each in enumerate(ways_of(pair))]
        for pair in pairs
    ]


def slow_weights(model, pairs):
    """The weights of places of both directions, and NULL's, by the slow twin."""
    by_way = zip(*slow_tables(model, pairs), strict=True)
    return [places.place_weights(tables, kernels.PLACES, LITTLE) for tables in by_way]


def slow_matrices(measure, model, bitext, indexed, null_weight=1.0):
    """The same matrices by the slow twins: values, source NULLs, target NULLs."""
    pairs = id_pairs(bitext)
    if measure in WORD_MEASURES:
        count = twin.together if measure == "cooccurrence" else twin.information
        made = [
            ([[count(pairs, s, t) for t in target] for s in source], [0.0] * len(source), [0.0] * len(target))
            for source, target in pairs
        ]
    elif measure in LIST_MEASURES:
        both = [best_lists(model, bitext, indexed, way, N_BEST) for way in (0, 1)]
        made = []
        for k, (source, target) in enumerate(pairs):
            lists = ([([link[:2] for link in links], log) for links, log in one.of(k)] for one in both)
            made.append(twin.from_lists(len(source), len(target), *lists, twin.WEIGHTS[measure]))
    else:
        made = [from_tables(measure, *both) for both in tables_of(measure, model, pairs)]
    weighted = [
        (values, *([null_weight * each for each in null] for null in nulls)) for values, *nulls in made
    ]
    return [twin.scaled(*each, SCALE, FLOOR * SCALE / 100) for each in weighted]


def tables_of(measure, model, pairs):
    """What both directions say of each pair's cells: posteriors, or Model 2's tables."""
    if measure != "tables":
        return slow_tables(model, pairs)
    values, weights = as_dictionaries(model.lexicon), slow_weights(model, pairs)
    return [
        [
            places.normed(*places.table(*each, values[way], *weights[way]))
            for way, each in enumerate(ways_of(pair))
        ]
        for pair in pairs
    ]


def from_tables(measure, forward, reverse):
    values, _, _ = made = twin.from_posteriors(turned(forward[0]), reverse[0], measure == "product")
    if measure == "attached":
        return twin.attached(*made, STANDING)
    return (values, reverse[1], forward[1]) if measure == "tables" else made


def assert_same(got, expected):
    assert len(got) == len(expected)
    for k, (values, source_null, target_null) in enumerate(expected):
        assert got[k][1:, 1:] == pytest.approx(np.array(values), rel=2e-3, abs=2e-3)
        assert got[k][1:, 0] == pytest.approx(np.array(source_null), rel=2e-3, abs=2e-3)
        assert got[k][0, 1:] == pytest.approx(np.array(target_null), rel=2e-3, abs=2e-3)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=15)
@given(pairs=corpora(), seed=seeds, null_weight=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_matrices_are_those_of_the_slow_twins(measure, name, pairs, seed, null_weight):
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    got = matrices_of(model, bitext, indexed, AssociationOptions(measure, N_BEST, null_weight, SCALE))
    assert_same(got, slow_matrices(measure, model, bitext, indexed, null_weight))


@pytest.mark.parametrize("measure", MEASURES)
def test_chunks_and_blocks_change_nothing(measure, monkeypatch, seed):
    pairs = random_pairs(seed, count=70, longest=12, words=15)
    bitext, indexed, model = indexed_and_model(pairs, "hmm", seed)
    options = AssociationOptions(measure, N_BEST)
    whole = matrices_of(model, bitext, indexed, options)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1_000))
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1_000)
    finer = index_bitext(bitext)
    assert len(finer.chunks) > 2
    got = matrices_of(replace(model, lexicon=reordered(model.lexicon, finer)), bitext, finer, options)
    assert got.keys() == whole.keys() == set(range(70))
    for k, matrix in got.items():
        # The weights of places are sums over all chunks: there the order of the sum matters a little.
        np.testing.assert_allclose(matrix, whole[k], rtol=1e-5 if measure == "tables" else 0)


@pytest.mark.parametrize("measure", WORD_MEASURES)
@settings(max_examples=50)
@given(pairs=corpora(pairs=9))
def test_word_weights(measure, pairs):
    bitext, indexed, _ = indexed_and_model(pairs, "ibm1", 0)
    weights = word_weights(measure, bitext, indexed)
    count = twin.together if measure == "cooccurrence" else twin.information
    seen = id_pairs(bitext)
    for (source, target), weight in zip(entry_names(indexed), weights.tolist(), strict=True):
        expected = count(seen, source, target) if min(source, target) > 0 else 0.0
        assert weight == pytest.approx(expected, abs=1e-9), (source, target)


def test_word_weights_by_hand():
    # a is in pairs 0, 1 (twice) and 3, x in 0, 1 and 2: together in two pairs of four, as by chance (3/4 of 3/4 of 4 =
    # 2.25): they avoid each other. b and y are together in pair 2, and nowhere else: the information is that of a coin
    # that falls on its head once in four, 1/4 log 4 + 3/4 log 4/3.
    bitext, indexed, _ = indexed_and_model(
        [([0], [5]), ([0, 0], [5, 5]), ([1], [6, 5]), ([0], [7])], "ibm1", 0
    )
    names = entry_names(indexed)
    together, information = (
        dict(zip(names, word_weights(measure, bitext, indexed).tolist(), strict=True))
        for measure in WORD_MEASURES
    )
    assert (together[1, 1], together[2, 2], together[2, 1], together[1, 3]) == (2, 1, 1, 1)
    assert information[1, 1] == 0
    assert information[2, 2] == pytest.approx(np.log(4) / 4 + 3 * np.log(4 / 3) / 4)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=30)
@given(pairs=corpora(), seed=seeds)
def test_place_weights(name, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    got = place_weights(model, indexed)
    for way, (weights, null) in enumerate(slow_weights(model, id_pairs(bitext))):
        assert got[way, :-1] == pytest.approx(np.array(weights), rel=1e-4, abs=1e-6)
        assert got[way, -1] == pytest.approx(null, rel=1e-3, abs=1e-6)
    assert got[:, :-1].sum(axis=1) == pytest.approx(1)


def test_parts_of_the_way_by_hand():
    # 41 parts: the middle one is 20, from -1/41 to 1/41 off the diagonal. Of ten states and ten steps the next cell is
    # 0.1 off: part floor(1.1 / 2 * 41) = 22. The corner is 0.9 off: floor(1.9 / 2 * 41) = 38.
    assert kernels.PLACES == 41
    assert [places.part_of(k, 10, 0, 10, 41) for k in (0, 1, 9)] == [20, 22, 38]
    assert places.part_of(0, 10, 9, 10, 41) == 2
    assert places.part_of(0, 1, 0, 5, 41) == 28, "0.5 against 0.1: floor(1.4 / 2 * 41)"


def test_a_table_by_hand():
    # One source word against two target words, NULL's share n: p(x) is (1 - n) t(x|a), NULL n t(x|NULL), normed.
    bitext, indexed, model = indexed_and_model([([0], [1, 2])], "ibm1", 3)
    n = place_weights(model, indexed)[0, -1]
    forward, reverse = as_dictionaries(model.lexicon)
    got = matrices_of(model, bitext, indexed, AssociationOptions("tables", scale=100.0))[0]
    ahead = [(1 - n) * forward[1, j] / ((1 - n) * forward[1, j] + n * forward[0, j]) for j in (1, 2)]
    m = place_weights(model, indexed)[1, -1]
    places_of = place_weights(model, indexed)[
        1, [15, 25]
    ]  # off by -1/4 and by 1/4: floor(0.75 / 2 * 41), floor(1.25 / 2 * 41)
    back = (1 - m) * places_of / places_of.sum() * [reverse[1, 1], reverse[2, 1]]
    null = m * reverse[0, 1]
    back, null = back / (back.sum() + null), null / (back.sum() + null)
    total = sum(ahead) + back.sum() + null + 2 - sum(ahead)
    assert got[1, 1:] == pytest.approx((np.array(ahead) + back) * 300 / total, rel=1e-4)
    assert got[1, 0] == pytest.approx(null * 300 / total, rel=1e-4)
    assert got[0, 1:] == pytest.approx((1 - np.array(ahead)) * 300 / total, rel=1e-4)


def test_kernels_compile_once(seed):
    for name in MODELS:
        bitext, indexed, model = indexed_and_model(random_pairs(seed), name, seed)
        for measure in MEASURES:
            matrices_of(model, bitext, indexed, AssociationOptions(measure, 3))
    for kernel in (kernels.unload_block, kernels.count_places, kernels.fill_tables, kernels.count_together):
        assert len(kernel.signatures) == 1, kernel


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (AssociationOptions("nearness"), f"association='nearness': expected one of {', '.join(MEASURES)}"),
        (AssociationOptions(n_best=0), "n_best=0: expected a number from 1 to 10000"),
        (AssociationOptions(n_best=10_001), "n_best=10001: expected a number from 1 to 10000"),
        (AssociationOptions(null_weight=-1.0), "null_weight=-1.0: expected a number from 0 to 1000"),
        (AssociationOptions(null_weight=float("nan")), "null_weight=nan: expected a number from 0 to 1000"),
        (AssociationOptions(null_weight=1e4), "null_weight=10000.0: expected a number from 0 to 1000"),
        (AssociationOptions(scale=0.5), "scale=0.5: expected a number from 1 to 1e+06"),
        (AssociationOptions(scale=float("nan")), "scale=nan: expected a number from 1 to 1e+06"),
    ],
)
def test_bad_options_are_refused(options, message):
    bitext, indexed, model = indexed_and_model([([0], [0])], "ibm1", 0)
    with pytest.raises(OptionError) as refusal:
        MatrixMaker.of(model, bitext, indexed, options)
    assert str(refusal.value) == message
