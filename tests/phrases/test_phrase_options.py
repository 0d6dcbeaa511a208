"""Phrase pairs in memory against slow twins, by hand, and at the edges."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from cepts.corpus import bitext_from_pairs
from cepts.errors import OptionError
from cepts.links import Links
from cepts.phrases.phrase_options import Extraction, PhraseOptions
from tests.phrases.lexicons import corpora, encoded
from tests.reference import phrases as reference


def spelled(options, sources, targets):
    """Return {(source phrase, target phrase): features}."""
    found = {}
    phrase_of = {0: ()}
    parents = options.trie.parents().tolist()
    for node in range(len(options.trie)):
        if node:
            phrase_of[node] = (*phrase_of[parents[node]], sources[options.trie.ids[node]])
        for option in range(options.first_option[node], options.first_option[node + 1]):
            begin, end = options.target_offsets[option : option + 2]
            target = tuple(targets[one] for one in options.target_ids[begin:end])
            found[phrase_of[node], target] = options.features[option].tolist()
    return found


def counted(sources, targets, links, max_length):
    """Count phrase pairs with the largest of their lexical weights, by slow twins."""
    pairs = [
        (source, target, [(i, j, True) for i, j in linked])
        for source, target, linked in zip(sources, targets, links, strict=True)
    ]
    there, back = reference.lexical(pairs)
    counts, weights = Counter(), {}
    for source, target, linked in pairs:
        for a, b, c, d in reference.extract(linked, len(source), len(target), max_length, "edges"):
            key = tuple(source[a:b]), tuple(target[c:d])
            inside = reference.moved(reference.links_inside(linked, (a, b), (c, d)), a, c)
            own = (
                reference.weight(key[1], key[0], [(j, i) for i, j in inside], there),
                reference.weight(key[0], key[1], inside, back),
            )
            counts[key] += 1
            weights[key] = tuple(map(max, own, weights.get(key, own)))
    return counts, weights


@settings(max_examples=60)
@given(corpora())
def test_shares_and_weights_equal_the_slow_twins(corpus):
    sources, targets, links = corpus
    bitext = encoded(sources, targets)
    chosen = Extraction(max_length=3, most_options=1000, smoothing="none")
    found = spelled(
        PhraseOptions.of(bitext, Links.from_pairs(links), chosen), bitext.source.words, bitext.target.words
    )
    counts, weights = counted(sources, targets, links, 3)
    of_source, of_target = Counter(), Counter()
    for (source, target), count in counts.items():
        of_source[source] += count
        of_target[target] += count
    expected = {
        key: pytest.approx(
            np.log([count / of_source[key[0]], count / of_target[key[1]], *weights[key]]), abs=1e-5
        )
        for key, count in counts.items()
    }
    assert found == expected


@settings(max_examples=60)
@given(corpora())
def test_smoothed_probabilities_leave_room_and_never_more_than_one(corpus):
    sources, targets, links = corpus
    bitext = encoded(sources, targets)
    options = PhraseOptions.of(bitext, Links.from_pairs(links), Extraction(3, 1000))
    probabilities = np.exp(options.features[:, 0].astype(np.float64))
    owners = np.repeat(np.arange(len(options.trie)), np.diff(options.first_option))
    assert np.all(np.bincount(owners, probabilities) <= 1 + 1e-5)


def test_smoothing_by_hand():
    # a-x twice, a-y once, b-y once: two counts of one and one of two, so that 1/2 is taken from one; nothing is known
    # of counts of three, so that 1 is taken from two. p(x | a) = (2 - 1) / 3 + (1 + 1/2) / 3 * 1/3, as one of three
    # different pairs has x.
    pairs = [("a", "x"), ("a", "x"), ("a", "y"), ("b", "y")]
    bitext = bitext_from_pairs(pairs)
    options = PhraseOptions.of(bitext, Links.from_pairs([[(0, 0)]] * 4))
    found = spelled(options, bitext.source.words, bitext.target.words)
    one, two = 1 - 2 * (2 / 4) * 1 / 2, 1.0
    left = (two + one) / 3
    assert np.exp(found[("a",), ("x",)][0]) == pytest.approx((2 - two) / 3 + left * 1 / 3)
    assert np.exp(found[("a",), ("y",)][0]) == pytest.approx((1 - one) / 3 + left * 2 / 3)


def test_only_the_most_probable_options_are_kept():
    pairs = [("a", "x")] * 3 + [("a", "y")] * 2 + [("a", "z")] + [("b", "z")]
    bitext = bitext_from_pairs(pairs)
    links = Links.from_pairs([[(0, 0)]] * len(pairs))
    found = spelled(
        PhraseOptions.of(bitext, links, Extraction(most_options=2)), bitext.source.words, bitext.target.words
    )
    assert set(found) == {(("a",), ("x",)), (("a",), ("y",)), (("b",), ("z",))}


def test_possible_links_are_left_out():
    bitext = bitext_from_pairs([("a b", "x y")])
    links = Links.from_pairs([[(0, 0, 1.0, True), (1, 0, 1.0, False)]])
    sure = Links.from_pairs([[(0, 0)]])
    words = bitext.source.words, bitext.target.words
    assert spelled(PhraseOptions.of(bitext, links), *words) == spelled(PhraseOptions.of(bitext, sure), *words)


def test_saved_arrays_give_the_same_options():
    bitext = bitext_from_pairs([("a b", "x y"), ("b", "z")])
    options = PhraseOptions.of(bitext, Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)]]))
    again = PhraseOptions.from_arrays(options.arrays(), 2, 3)
    words = bitext.source.words, bitext.target.words
    assert len(again) == len(options) > 0
    assert spelled(again, *words) == spelled(options, *words)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("first_option", -1, 99),
        ("first_option", 0, 1),
        ("target_offsets", -1, 99),
        ("target_ids", 0, 3),
        ("target_ids", 0, -1),
        ("ids", 1, 2),
        ("first_child", 0, 0),
        ("features", 0, 1.0),
        ("features", 0, np.nan),
    ],
)
def test_arrays_that_cannot_be_options_are_refused(name, place, value):
    bitext = bitext_from_pairs([("a b", "x y"), ("b", "z")])
    options = PhraseOptions.of(bitext, Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)]]))
    arrays = {key: array.copy() for key, array in options.arrays().items()}
    arrays[name][place] = value
    message = rf"its phrases are no trie of its words|^{name}(\[.*, expected a number| does not rise from 0)"
    with pytest.raises(ValueError, match=message):
        PhraseOptions.from_arrays(arrays, 2, 3)


@pytest.mark.parametrize("name", ["target_ids", "ids", "first_option", "features"])
def test_arrays_of_more_dimensions_are_refused(name):
    bitext = bitext_from_pairs([("a b", "x y"), ("b", "z")])
    options = PhraseOptions.of(bitext, Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)]]))
    arrays = options.arrays() | {name: options.arrays()[name][..., None]}
    with pytest.raises(ValueError, match=rf"^{name} has the shape \[.*\], expected "):
        PhraseOptions.from_arrays(arrays, 2, 3)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (Extraction(most_options=0), "most_options=0: expected a number from 1"),
        (Extraction(smoothing="good"), "smoothing 'good': expected one of kneser-ney, none"),
        (Extraction(max_length=0), "max_length=0: expected a number from 1"),
    ],
)
def test_what_cannot_be_is_refused(chosen, message):
    bitext = bitext_from_pairs([("a", "x")])
    with pytest.raises(OptionError, match=message):
        PhraseOptions.of(bitext, Links.from_pairs([[(0, 0)]]), chosen)
