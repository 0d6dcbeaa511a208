"""Evidence: what all other pairs say about the words of a pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import Bitext, Side, bitext_from_pairs
from cepts.links import Links
from cepts.quality import evidence as evidence_module
from cepts.quality.evidence import BUCKETS, Evidence
from cepts.quality.evidence_kernels import expect_letters, judge_neighbours, judge_words, summarise
from cepts.quality.filter_features import offsets_of
from tests.reference import evidence as slow

WORDS = ["a", "b", "c", "longer", "longest", "7", "1999"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[tuple[list[str], list[str]]], list[list[slow.Link]]]:
    pairs = draw(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=12))
    links = []
    for source, target in pairs:
        places = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        chosen = draw(st.sets(places, max_size=5))
        links.append([(*place, draw(st.sampled_from([0.05, 0.3, 1.0]))) for place in sorted(chosen)])
    return pairs, links


def encoded(pairs: list[tuple[list[str], list[str]]]) -> Bitext:
    return bitext_from_pairs([(" ".join(source), " ".join(target)) for source, target in pairs])


def cut(text: Bitext, buckets: tuple[np.ndarray, ...], k: int) -> list[list[int]]:
    """Return the buckets of pair k, part by part."""
    return [
        part[offsets[k] : offsets[k + 1]].tolist()
        for part, offsets in zip(buckets, offsets_of(text), strict=True)
    ]


@settings(max_examples=60, deadline=None)
@given(corpora(), st.data())
def test_twin_that_counts_everything_anew(
    corpus: tuple[list[tuple[list[str], list[str]]], list[list[slow.Link]]], data: st.DataObject
) -> None:
    """Taking a pair out of the counts is the same as never having counted it."""
    pairs, links = corpus
    bitext = encoded(pairs)
    anyone = st.integers(-1, len(pairs) - 1)
    owners = np.array([[data.draw(anyone) for _ in pairs] for _ in range(2)])
    found = Evidence(bitext, Links.from_pairs(links)).buckets(bitext, owners)
    turned = [[(j, i, confidence) for i, j, confidence in row] for row in links]
    stems = [([word[:4] for word in one], [word[:4] for word in other]) for one, other in pairs]
    for k in range(len(pairs)):
        gone = set(owners[:, k].tolist())
        expected = []
        for text in (pairs, stems):
            swapped = [(target, source) for source, target in text]
            expected.append(slow.word_buckets(swapped, turned, swapped[k], gone))
            expected.append(slow.word_buckets(text, links, text[k], gone))
        for side in range(2):
            lines = [pair[side] for pair in pairs]
            expected.append(slow.neighbour_buckets(lines, lines[k], gone))
        assert cut(bitext, found, k) == expected


@settings(max_examples=60, deadline=None)
@given(corpora(), st.data())
def test_letters_have_a_twin_that_counts_everything_anew(
    corpus: tuple[list[tuple[list[str], list[str]]], list[list[slow.Link]]], data: st.DataObject
) -> None:
    pairs, links = corpus
    bitext = encoded(pairs)
    anyone = st.integers(-1, len(pairs) - 1)
    owners = np.array([[data.draw(anyone) for _ in pairs] for _ in range(2)])
    evidence = Evidence(bitext, Links.from_pairs(links))
    found = evidence.expected_letters(bitext, owners)
    turned = [[(j, i, confidence) for i, j, confidence in row] for row in links]
    swapped = [(target, source) for source, target in pairs]
    for k, (source, target) in enumerate(pairs):
        gone = set(owners[:, k].tolist())
        of_source = slow.expected_letters(swapped, turned, target, gone)
        of_target = slow.expected_letters(pairs, links, source, gone)
        assert found[:, k].tolist() == pytest.approx([of_source, of_target])
    assert evidence.expected_letters(bitext, owners).tolist() == found.tolist()  # all was put back
    half = len(pairs) // 2
    part = evidence.expected_letters(bitext.part(0, half), owners[:, :half])
    assert part.tolist() == found[:, :half].tolist()


def test_letters_by_hand() -> None:
    """Three pairs in which "chat" becomes "cat", "maison" becomes "house", and "hapax" has no link.

    Their targets have 12 letters for 15 of the sources: so each word is assumed, in two occurrences beside those that
    were seen, to become 12 / 15 as long. A pair is judged by the two others.
    """
    bitext = bitext_from_pairs([("chat maison hapax", "cat the house n")] * 3)
    links = Links.from_pairs([[(0, 0), (1, 2)]] * 3)
    new = bitext_from_pairs([("chat", "cat")])
    assert new.source.words[0] == bitext.source.words[0] == "chat"
    found = Evidence(bitext, links).expected_letters(new, np.full((2, 1), -1))
    assert found[1, 0] == pytest.approx((3 * 3 + 2 * 4 * 12 / 15) / 5)
    own = Evidence(bitext, links).expected_letters(bitext, np.zeros((2, 3), np.int64))
    words = [(2 * 3 + 2 * 4 * 12 / 15) / 4, (2 * 5 + 2 * 6 * 12 / 15) / 4, 2 * 5 * 12 / 15 / 4]
    assert own[1, 0] == pytest.approx(sum(words))


def test_a_word_with_two_links_shares_its_letters_out() -> None:
    """Both "of" and "the" are linked to "del": 3 letters for both of them, not 6."""
    bitext = bitext_from_pairs([("of the", "del")] * 2)
    links = Links.from_pairs([[(0, 0), (1, 0)]] * 2)
    found = Evidence(bitext, links).expected_letters(bitext, np.full((2, 2), -1))
    assert found[1, 0] == pytest.approx((2 * 3 + 2 * 3 / 5 * 5) / 4)


def test_threads_blocks_and_repetition_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(4)
    pairs = [(draw.choice(WORDS, 5).tolist(), draw.choice(WORDS, 4).tolist()) for _ in range(50)]
    bitext = encoded(pairs)
    evidence = Evidence(bitext, Links.from_pairs([[(0, 0), (1, 1, 0.5)] for _ in pairs]))
    owners = np.tile(np.arange(50), (2, 1))
    whole = evidence.buckets(bitext, owners)
    monkeypatch.setattr(evidence_module, "PAIRS_AT_ONCE", 7)
    for threads in (1, 3, 1):
        for one, other in zip(whole, evidence.buckets(bitext, owners, threads), strict=True):
            assert one.tolist() == other.tolist()
    part = evidence.buckets(bitext.part(20, 30), owners[:, 20:30])
    assert [cut(bitext.part(20, 30), part, k) for k in range(10)] == [
        cut(bitext, whole, k) for k in range(20, 30)
    ]


def test_a_pair_does_not_vouch_for_itself() -> None:
    """Words that met nowhere else are as unknown as words that never met."""
    bitext = bitext_from_pairs([("hapax", "legomenon"), *[("la maison", "the house")] * 9])
    links = Links.from_pairs([[(0, 0)], *[[(0, 0), (1, 1)]] * 9])
    owners = np.tile(np.arange(10), (2, 1))
    found = Evidence(bitext, links).buckets(bitext, owners)
    assert found.target_words[0] == slow.bucket(0, 0)
    assert found.target_words[1] // 9 > 3  # "the" is much more probable beside "la"
    assert Evidence(bitext, links).buckets(bitext, owners * 0 - 1).target_words[0] // 9 > 3


def test_an_empty_sentence_is_survived() -> None:
    bitext = bitext_from_pairs([("a b", "c"), ("", "c"), ("", "")])
    found = Evidence(bitext, Links.from_pairs([[(0, 0)], [], []])).buckets(
        bitext, np.tile(np.arange(3), (2, 1))
    )
    assert [len(part) for part in found] == [2, 2, 2, 2, 5, 5]
    nothing = Evidence(bitext, Links.from_pairs([[], [], []])).buckets(
        bitext.part(0, 0), np.zeros((2, 0), np.int64)
    )
    assert all(len(part) == 0 for part in nothing)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(-4, 4), max_size=7), max_size=6))
def test_summaries_equal_their_twin(sentences: list[list[int]]) -> None:
    evidence = np.arange(-4, 5).astype(np.float32) / 4
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in sentences]))).astype(np.int64)
    buckets = np.array([value + 4 for row in sentences for value in row], np.int16)
    table = np.full((len(sentences), 10), 7.0)
    summarise(buckets, offsets, evidence, table)
    expected = [slow.summary([value / 4 for value in row]) for row in sentences]
    assert np.allclose(table, np.array(expected).reshape(-1, 10), atol=1e-6)


def test_buckets_fit_their_table_and_kernels_compile_once() -> None:
    assert slow.bucket(15, 10**9) == BUCKETS - 1 == 143
    ids = np.zeros(1, np.int32)
    text = Side(ids, np.array([0, 1]), ["x"])
    evidence = Evidence(Bitext(text, text), Links.from_pairs([[(0, 0)]]))
    judged = evidence.judge(Bitext(text, text), np.zeros((2, 1), np.int64))
    assert judged.buckets.source_words.tolist() == [14 * 9]
    assert judged.expected.tolist() == [[1.0], [1.0]]
    summarise(judged.buckets.source_words, text.offsets, np.zeros(BUCKETS, np.float32), np.zeros((1, 10)))
    for kernel in (judge_words, judge_neighbours, expect_letters, summarise):
        assert len(kernel.signatures) == 1
