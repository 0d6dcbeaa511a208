"""The decoder against exhaustive search, the lists' laws, forced scores, and the edges."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.phrases.decoding import FEATURES, FIRST_WEIGHTS, SKIP, Decoder, Ragged, Search
from cepts.phrases.decoding_kernels import decode
from cepts.phrases.forcing_kernels import force
from cepts.phrases.language_model import LanguageModel
from tests.phrases.phrase_tables import TARGETS, options_of, sources, tables, texts, weight_lists
from tests.reference import language_model as naive
from tests.reference import phrase_decoding as reference

UNLIMITED = Search(beam=100_000, margin=float("inf"))
EVERYTHING = 100_000
NO_WAY = {(0,): {(0,): (-1.0, -1.0, -1.0, -1.0)}}


def decoder_of(table, text, weights, search=UNLIMITED, order=3):
    model = LanguageModel.fit(text, size=TARGETS, order=order)
    return Decoder(options_of(table), model, np.array(weights), search)


def listed(found):
    ids, offsets = found.targets
    return [tuple(ids[a:b].tolist()) for a, b in pairwise(offsets)]


def log_probability(text, order=3):
    """The language model's twin, of whole targets."""
    twin = naive.LanguageModel(text, TARGETS, order)

    def of(target):
        known = [one if one < TARGETS else naive.UNKNOWN for one in target]
        steps = [twin.next(one, target[:k]) for k, one in enumerate([*known, naive.END])]
        return float(np.log(steps).sum())

    return of


def forced(decoder, source, targets, copies):
    many = Ragged.of([source] * len(targets))
    features = decoder.force(many, Ragged.of(targets), np.tile(copies, len(targets)).astype(np.int32))
    return features @ decoder.weights


@settings(max_examples=60)
@given(tables, texts, sources, weight_lists, st.data())
def test_an_unlimited_beam_is_exhaustive_search(table, text, source, weights, data):
    copies = data.draw(st.lists(st.sampled_from([SKIP, 0, TARGETS]), min_size=5, max_size=5))[: len(source)]
    decoder = decoder_of(table, text, weights)
    found = decoder.decode(np.array(source, np.int32), EVERYTHING, np.array(copies, np.int32))
    expected = reference.decode(source, table, weights, log_probability(text), copies)
    assert len(set(listed(found))) == len(listed(found))
    assert dict(zip(listed(found), found.scores, strict=True)) == pytest.approx(expected, abs=1e-3)
    assert np.all(np.diff(found.scores) <= 1e-9)
    assert found.features @ decoder.weights == pytest.approx(found.scores, abs=1e-6)
    assert forced(decoder, source, listed(found), copies) == pytest.approx(found.scores, abs=1e-6)


@settings(max_examples=40)
@given(tables, texts, sources, weight_lists, st.integers(1, 4), st.floats(0, 4))
def test_a_narrow_beam_finds_less_but_nothing_false(table, text, source, weights, beam, margin):
    decoder = decoder_of(table, text, weights, Search(beam, margin))
    found = decoder.decode(np.array(source, np.int32), 5)
    complete = decoder_of(table, text, weights).decode(np.array(source, np.int32), EVERYTHING)
    best = dict(zip(listed(complete), complete.scores, strict=True))
    assert 1 <= len(found.scores) <= 5
    assert np.all(np.diff(found.scores) <= 1e-9)
    assert all(
        score <= best[target] + 1e-9 for target, score in zip(listed(found), found.scores, strict=True)
    )


@settings(max_examples=40)
@given(tables, texts, sources, weight_lists)
def test_a_longer_list_begins_with_the_shorter(table, text, source, weights):
    decoder = decoder_of(table, text, weights, Search())
    longer = decoder.decode(np.array(source, np.int32), 20)
    shorter = decoder.decode(np.array(source, np.int32), 3)
    assert listed(shorter) == listed(longer)[:3]
    again = decoder.decode(np.array(source, np.int32), 20)
    assert listed(again) == listed(longer)
    assert np.array_equal(again.scores, longer.scores)


def test_by_hand():
    # a b -> X Y with one phrase (-1) is better than a -> X, b -> Y (-2 and one more phrase).
    table = {(0,): {(0,): (-1, 0, 0, 0)}, (1,): {(1,): (-1, 0, 0, 0)}, (0, 1): {(0, 1): (-1, 0, 0, 0)}}
    decoder = decoder_of(table, [], [1, 0, 0, 0, 0, 0, 0.5, 1])
    found = decoder.decode(np.array([0, 1], np.int32), 5)
    assert listed(found) == [(0, 1)]
    assert found.scores.tolist() == [-1.5]
    assert found.features[0].tolist() == [-1, 0, 0, 0, pytest.approx(-3 * np.log(TARGETS + 2)), 2, -1, 0]


def test_an_unknown_id_is_copied_or_skipped_at_ten():
    decoder = decoder_of(NO_WAY, [[0]], [1.0] * 8)
    source = np.array([2, 0], np.int32)
    skipped = decoder.decode(source, 1)
    copied = decoder.decode(source, 1, np.array([7, SKIP], np.int32))
    assert listed(skipped) == [(0,)]
    assert listed(copied) == [(7, 0)]
    unknown = FEATURES.index("unknown")
    assert skipped.features[0, unknown] == copied.features[0, unknown] == -10
    assert decoder.decode(np.array([2, 2], np.int32), 1).features[0, unknown] == -20


def test_where_no_phrases_lead_ids_are_passed_by():
    decoder = decoder_of(NO_WAY, [[0]], [1.0] * 8)
    features = decoder.force(Ragged.of([[0, 0], [0], [], []]), Ragged.of([[0], [0, 1], [1], []]))
    unknown = FEATURES.index("unknown")
    assert features[:, unknown].tolist() == [-10, -10, -10, 0]
    assert features[:, FEATURES.index("phrases")].tolist() == [-1, -1, 0, 0]
    assert features[:, FEATURES.index("length")].tolist() == [1, 2, 1, 0]


@settings(max_examples=40)
@given(tables, texts, sources, st.lists(st.integers(0, TARGETS), max_size=5))
def test_every_pair_has_a_finite_score(table, text, source, target):
    decoder = decoder_of(table, text, FIRST_WEIGHTS)
    features = decoder.force(Ragged.of([source]), Ragged.of([target]))
    assert np.all(np.isfinite(features))


def test_very_long_pairs_are_not_searched():
    decoder = decoder_of(NO_WAY, [[0]], FIRST_WEIGHTS)
    features = decoder.force(Ragged.of([[0] * 3000]), Ragged.of([[0] * 2000]))
    assert features[0, FEATURES.index("unknown")] == -10 * 5000


def test_a_source_of_ten_thousand_ids():
    table = {(0,): {(0,): (-1, -1, -1, -1), (1,): (-1, -1, -1, -1)}, (1,): {(2,): (0, 0, 0, 0)}}
    decoder = decoder_of(table, [[0, 1, 2]], FIRST_WEIGHTS, Search())
    found = decoder.decode(np.array([0, 1] * 5000, np.int32), 5)
    assert np.diff(found.targets.offsets).tolist() == [10_000] * 5


def test_without_any_phrases_all_is_unknown():
    decoder = decoder_of({}, [], FIRST_WEIGHTS)
    assert listed(decoder.decode(np.array([0, 1], np.int32), 3)) == [()]
    assert listed(decoder.decode(np.empty(0, np.int32), 3)) == [()]


@pytest.mark.parametrize(
    ("search", "weights", "message"),
    [
        (Search(0), FIRST_WEIGHTS, "beam=0: expected a number from 1"),
        (Search(1, -1.0), FIRST_WEIGHTS, "margin -1.0: expected a number from 0"),
        (Search(), np.ones(3), "3 weights, expected 8: phrase, phrase_reverse, lexical, lexical_reverse"),
    ],
)
def test_what_cannot_be_is_refused(search, weights, message):
    with pytest.raises(OptionError, match=message):
        decoder_of(NO_WAY, [], weights, search)


def test_lists_of_no_targets_and_uneven_pairs_are_refused():
    decoder = decoder_of(NO_WAY, [], FIRST_WEIGHTS)
    with pytest.raises(OptionError, match="n_best=0: expected a number from 1"):
        decoder.decode(np.array([0], np.int32), 0)
    with pytest.raises(OptionError, match="2 sources but 1 targets, expected as many"):
        decoder.force(Ragged.of([[0], [0]]), Ragged.of([[0]]))


def test_each_kernel_compiles_once():
    assert len(decode.signatures) == 1
    assert len(force.signatures) == 1
