"""Decoding out of order: against exhaustive search, against decoding in order, and at the edges."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.phrases.decoding import FIRST_WEIGHTS, REORDERING_FEATURES, SKIP, Decoder, Ragged, Search
from cepts.phrases.decoding_kernels import decode
from cepts.phrases.language_model import LanguageModel
from cepts.phrases.reordering_kernels import decode_reordered
from tests.phrases.phrase_tables import TARGETS, options_of, sources, tables, texts, weight_lists
from tests.reference import language_model as naive
from tests.reference import phrase_reordering as reference

EVERYTHING = 100_000
WEIGHTS = np.array([*FIRST_WEIGHTS, 0.25])
short_sources = sources.map(lambda source: source[:4])
weight_lists_with_distortion = st.tuples(weight_lists, st.integers(0, 8)).map(lambda w: [*w[0], w[1] / 8])


def unlimited(reach):
    return Search(20_000, float("inf"), reach)


def decoder_of(table, text, weights, search, order=3):
    model = LanguageModel.fit(text, size=TARGETS, order=order)
    return Decoder(options_of(table), model, np.array(weights), search)


def listed(found):
    ids, offsets = found.targets
    return [tuple(ids[a:b].tolist()) for a, b in pairwise(offsets)]


def log_probability(text, order=3):
    twin = naive.LanguageModel(text, TARGETS, order)

    @cache
    def of(target):
        known = [one if one < TARGETS else naive.UNKNOWN for one in target]
        return float(np.log([twin.next(one, target[:k]) for k, one in enumerate([*known, naive.END])]).sum())

    return of


@settings(max_examples=40, deadline=None)
@given(tables, texts, short_sources, weight_lists_with_distortion, st.integers(1, 5), st.data())
def test_an_unlimited_beam_is_exhaustive_search(table, text, source, weights, reach, data):
    copies = data.draw(st.lists(st.sampled_from([SKIP, 0, TARGETS]), min_size=4, max_size=4))[: len(source)]
    decoder = decoder_of(table, text, weights, unlimited(reach))
    found = decoder.decode(np.array(source, np.int32), EVERYTHING, np.array(copies, np.int32))
    expected = reference.decode(source, table, weights, log_probability(text), copies, reach)
    assert len(set(listed(found))) == len(listed(found))
    assert dict(zip(listed(found), found.scores, strict=True)) == pytest.approx(expected, abs=1e-3)
    assert np.all(np.diff(found.scores) <= 1e-9)
    assert found.features @ decoder.weights == pytest.approx(found.scores, abs=1e-6)


def kernel_arguments(decoder, source):
    copies = np.full(len(source), SKIP, np.int32)
    model = decoder._kernel_options, decoder._grams, decoder._limits
    return (np.array(source, np.int32), copies, *model, decoder.weights)


@settings(max_examples=40, deadline=None)
@given(tables, texts, sources, weight_lists_with_distortion)
def test_a_limit_of_nought_is_the_decoder_that_reads_in_order(table, text, source, weights):
    decoder = decoder_of(table, text, weights, unlimited(0))
    in_order = decoder.decode(np.array(source, np.int32), EVERYTHING)
    arguments = kernel_arguments(decoder, source)
    ids, offsets, features, scores = decode_reordered(*arguments, 20_000, np.inf, 10**9, 0, EVERYTHING)
    targets = [tuple(ids[a:b].tolist()) for a, b in pairwise(offsets)]
    expected = dict(zip(listed(in_order), in_order.scores, strict=True))
    assert dict(zip(targets, scores, strict=True)) == pytest.approx(expected, abs=1e-9)
    assert np.all(features[:, -1] == 0)
    assert in_order.features.shape[1] == len(REORDERING_FEATURES)


@settings(max_examples=40, deadline=None)
@given(
    tables,
    texts,
    sources,
    weight_lists_with_distortion,
    st.integers(1, 3),
    st.floats(0, 4),
    st.integers(1, 5),
)
def test_a_narrow_beam_finds_less_but_nothing_false(table, text, source, weights, beam, margin, reach):
    narrow = decoder_of(table, text, weights, Search(beam, margin, reach, 1))
    found = narrow.decode(np.array(source, np.int32), 5)
    complete = decoder_of(table, text, weights, unlimited(reach)).decode(
        np.array(source, np.int32), EVERYTHING
    )
    best = dict(zip(listed(complete), complete.scores, strict=True))
    assert 1 <= len(found.scores) <= 5
    assert all(score <= best[one] + 1e-9 for one, score in zip(listed(found), found.scores, strict=True))


def test_by_hand():
    # The language model knows only Y X, the source is a b with a -> X, b -> Y: read b first, at a price of 1 + 2.
    table = {(0,): {(0,): (-1, 0, 0, 0)}, (1,): {(1,): (-1, 0, 0, 0)}}
    weights = [1, 0, 0, 0, 8, 0, 0, 1, 0.5]
    decoder = decoder_of(table, [[1, 0]] * 4, weights, Search(margin=50.0, distortion_limit=2))
    found = decoder.decode(np.array([0, 1], np.int32), 5)
    assert listed(found) == [(1, 0), (0, 1)]
    assert found.features[:, REORDERING_FEATURES.index("distortion")].tolist() == [-3, 0]
    in_order = decoder_of(table, [[1, 0]] * 4, weights, Search()).decode(np.array([0, 1], np.int32), 5)
    assert listed(in_order) == [(0, 1)]


def test_two_hundred_words_and_unknown_ones():
    table = {(0,): {(0,): (-1, -1, -1, -1), (1,): (-1, -1, -1, -1)}, (1,): {(2,): (0, 0, 0, 0)}}
    decoder = decoder_of(table, [[0, 1, 2]], WEIGHTS, Search(distortion_limit=6))
    found = decoder.decode(np.array([0, 1] * 100, np.int32), 3)
    assert np.diff(found.targets.offsets).tolist() == [200] * 3
    empty = decoder_of({}, [], WEIGHTS, Search(distortion_limit=6))
    assert listed(empty.decode(np.array([0, 1], np.int32), 3)) == [()]
    assert listed(empty.decode(np.empty(0, np.int32), 3)) == [()]


def test_the_widest_reach_and_a_full_set_of_bits():
    table = {(0,): {(0,): (-1, 0, 0, 0)}, tuple([1] * 60): {(1,): (-1, 0, 0, 0)}}
    decoder = decoder_of(table, [[1, 0]] * 4, [1, 0, 0, 0, 8, 0, 0, 1, 0.001], Search(200, 50.0, 60))
    found = decoder.decode(np.array([0] * 3 + [1] * 60 + [0] * 70, np.int32), 1)
    assert int(np.sum(found.targets.ids == 1)) == 1


@pytest.mark.parametrize(
    ("search", "weights", "message"),
    [
        (
            Search(distortion_limit=-1),
            WEIGHTS,
            "distortion_limit=-1: expected a number from 0 to 60",
        ),
        (
            Search(distortion_limit=61),
            WEIGHTS,
            "distortion_limit=61: expected a number from 0 to 60",
        ),
        (Search(looks=0), WEIGHTS, "looks=0: expected a number from 1 to 1000"),
        (Search(distortion_limit=1), FIRST_WEIGHTS, "8 weights, expected 9: phrase, .*, distortion"),
    ],
)
def test_what_cannot_be_is_refused(search, weights, message):
    with pytest.raises(OptionError, match=message):
        decoder_of({}, [], weights, search)


def test_forced_ways_are_in_order():
    decoder = decoder_of({(0,): {(0,): (-1, -1, -1, -1)}}, [[0]], WEIGHTS, Search(distortion_limit=3))
    features = decoder.force(Ragged.of([[0]]), Ragged.of([[0]]))
    assert features.shape == (1, len(REORDERING_FEATURES))
    assert features[0, -1] == 0


def test_each_kernel_compiles_once():
    assert len(decode_reordered.signatures) == 1
    assert len(decode.signatures) == 1
