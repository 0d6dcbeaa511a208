"""How far links are trusted: the evidence and the weighing against slow twins, and what weighing never does."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import Bitext, bitext_from_pairs, side_from_tokens
from cepts.links import Links
from cepts.words import index_bitext, link
from cepts.words import trust as fast
from cepts.words.confidence import Calibration
from cepts.words.past import seen_so_far
from cepts.words.trust import LEAST_TRUST, Trust, evidence, sides_of, weighed, weigher
from cepts.words.trust_kernels import gather_evidence
from tests.reference import trust as slow
from tests.words.corpora import EVERYTHING, corpora, random_hmm
from tests.words.corpora import bitext_of as bitext_of_numbers

TRUST = Trust(0.6, -0.9, 0.5, -0.3, 1.2, -0.2)
SOME = Trust(1.2, -0.1, 0.1, -0.1, 0.1, 0.0)  # never at its least
words = st.text("abé1", min_size=1, max_size=6)
sentences = st.lists(words, min_size=1, max_size=5)
texts = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5)


def bitext_of(pairs):
    return Bitext(*(side_from_tokens(list(side)) for side in zip(*pairs, strict=True)))


def every_cell(pairs, seed):
    """Links for all cells, with confidences that mean nothing."""
    rng = np.random.default_rng(seed)
    return Links.from_pairs(
        [(i, j, rng.uniform(0.01, 0.99)) for i in range(len(source)) for j in range(len(target))]
        for source, target in pairs
    )


def seen_by_word(bitext):
    return [Counter(np.array(side.words)[side.ids].tolist()) for side in (bitext.source, bitext.target)]


@settings(max_examples=40)
@given(pairs=texts, seed=st.integers(0, 1000))
def test_evidence_and_weighing_equal_the_slow_twin(pairs, seed):
    bitext, links = bitext_of(pairs), every_cell(pairs, seed)
    sides, seen = sides_of(bitext, seen_so_far(bitext, None)), seen_by_word(bitext)
    table, made = evidence(links, sides, (0, len(pairs))), weighed(links, TRUST, sides, 1_000)
    for k, (source, target) in enumerate(pairs):
        given_links = {one[:2]: one.confidence for one in links[k]}
        expected = slow.evidence(source, target, given_links, seen)
        rows = table[links.offsets[k] : links.offsets[k + 1]]
        for row, one, after in zip(rows, links[k], made[k], strict=True):
            told = expected[one[:2]]
            np.testing.assert_allclose(row, told or (0, 0, 0, 0), rtol=1e-9)
            wanted = slow.weighed(one.confidence, told, TRUST, -1.0, LEAST_TRUST)
            assert after.confidence == pytest.approx(wanted, rel=1e-5)


def test_evidence_by_hand():
    pairs = [("la nation", "the nation"), ("la", "the"), ("la", "the"), ("la", "the")]
    bitext = bitext_from_pairs(pairs)
    links = Links.from_pairs([[(0, 0, 0.9), (0, 1, 0.2), (1, 1, 0.6)], [(0, 0, 0.4)], [], []])
    found = evidence(links, sides_of(bitext, seen_so_far(bitext, None)), (0, 4))
    rare_pair = 2 * (0.5 + 1.0) / 2  # "la" and "the" were there four times, "nation" once
    np.testing.assert_allclose(
        found, [[0.5, 0, rare_pair, 1], [0, 0, 0, 0], [0, 1, rare_pair, 1], [0, 0, 0, 0]]
    )


def test_a_block_has_the_rows_of_its_pairs():
    pairs = [(["ab"], ["ab", "b"]), (["b"], ["a"]), (["ab", "b"], ["b"])]
    bitext, links = bitext_of(pairs), every_cell(pairs, 3)
    sides = sides_of(bitext, seen_so_far(bitext, None))
    parts = [evidence(links, sides, block) for block in pairwise(range(4))]
    np.testing.assert_array_equal(np.concatenate(parts), evidence(links, sides, (0, 3)))


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_and_threads_change_nothing(threads, monkeypatch):
    pairs = [(["abba", "b"], ["ab", "b", "ab"])] * 7
    bitext, links = bitext_of(pairs), every_cell(pairs, 5)
    sides = sides_of(bitext, seen_so_far(bitext, None))
    whole = weighed(links, TRUST, sides, 10_000)
    monkeypatch.setattr(fast, "BLOCK", 5)
    np.testing.assert_array_equal(weighed(links, TRUST, sides, 10_000, threads).confidence, whole.confidence)


@given(pairs=texts, seed=st.integers(0, 1000), numbers=st.lists(st.floats(-3, 3), min_size=6, max_size=6))
def test_no_link_changes_sides(pairs, seed, numbers):
    bitext, links = bitext_of(pairs), every_cell(pairs, seed)
    made = weigher(Trust(*numbers), bitext, seen_so_far(bitext, None), 10_000)(links)
    probable = links.confidence > 0.5
    np.testing.assert_array_equal(made.confidence[~probable], links.confidence[~probable])
    assert (made.confidence[probable] >= 0.5).all()
    assert (made.confidence <= 1).all()
    for name in ("source", "target", "offsets"):
        np.testing.assert_array_equal(getattr(made, name), getattr(links, name))


def test_rare_words_that_are_not_alike_are_trusted_less():
    bitext = bitext_from_pairs([("paris chien le", "paris hound the")] + [("le", "the")] * 99)
    links = Links.from_pairs([[(0, 0, 0.9), (1, 1, 0.9), (2, 2, 0.9)]] + [[]] * 99)
    trust = Trust(1.0, -0.5, 0.0, 0.0, 0.0, 0.0)
    alike, unlike, often = weigher(trust, bitext, seen_so_far(bitext, None), 10_000)(links).confidence
    assert alike == pytest.approx(0.9)
    assert unlike < often < alike


def test_nothing_is_weighed_in_an_empty_text():
    bitext = bitext_from_pairs([("", ""), ("un", "")])
    links = Links.from_pairs([[], []])
    assert len(weigher(TRUST, bitext, seen_so_far(bitext, None), 1)(links).confidence) == 0


@pytest.mark.parametrize("threshold", [EVERYTHING, 0.3, 0.5, 0.7])
@settings(max_examples=10)
@given(pairs=corpora(), seed=st.integers(0, 1000))
def test_links_of_a_threshold_are_those_that_reach_it_after_weighing(threshold, pairs, seed):
    bitext = bitext_of_numbers(pairs)
    indexed = index_bitext(bitext)
    model, calibration = random_hmm(indexed, seed), Calibration(0.5, 0.3, 0.4, 0.0, 0.1)
    weigh = weigher(SOME, bitext, seen_so_far(bitext, None), len(bitext))
    every, some = (
        link(model, bitext, indexed, (True, True), least, calibration=calibration, weigh=weigh)[0]
        for least in (EVERYTHING, threshold)
    )
    expected = every.select(every.confidence >= np.float32(threshold))
    np.testing.assert_array_equal(some.confidence, expected.confidence)
    np.testing.assert_array_equal(some.source, expected.source)


def test_the_kernel_is_compiled_once():
    pairs = [(["ab"], ["ab"])]
    bitext, links = bitext_of(pairs), every_cell(pairs, 0)
    locked = replace(links, confidence=links.confidence.copy())
    locked.confidence.flags.writeable = False
    for one in (links, locked):
        weighed(one, TRUST, sides_of(bitext, seen_so_far(bitext, None)), 1)
    assert len(gather_evidence.signatures) == 1
