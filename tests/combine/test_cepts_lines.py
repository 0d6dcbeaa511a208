"""Cepts as lines: by hand, and read back by a slow reader on random cepts."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.combine import cepts_lines, from_matrices
from cepts.combine.cepts import Cepts, CeptsOptions, factorise
from cepts.combine.cepts_lines import format_cepts, write_cepts
from cepts.links import Link
from cepts.links.pharaoh import STEPS, format_pharaoh

# Pairs of two sides; a word is (cept or -1, confidence).
BY_HAND = [
    ([(0, 0.9), (-1, 0.75), (0, 1.0)], [(-1, 0.5), (0, 0.80004)]),
    ([(1, 0.25), (0, 0.125), (1, 0.5)], [(0, 1.0), (1, 1.0)]),
    ([], [(-1, 0.0)]),
    ([], []),
    ([(0, 1.0)], [(0, 0.00004), (0, 0.99996)]),
]
LINES = ["0,2-1:0.8 1-:0.75 -0:0.5", "0,2-1:0.25 1-0:0.125", "-0:0", "", "0-0,1:0"]


def offsets_of(lengths):
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)


def cepts_of(pairs):
    """Make `Cepts` of words with their cepts and confidences."""
    columns = []
    for side in (0, 1):
        words = [word for pair in pairs for word in pair[side]]
        columns.append(
            (
                np.array([cept for cept, _ in words], np.int32),
                np.array([confidence for _, confidence in words], np.float32),
                offsets_of([len(pair[side]) for pair in pairs]),
            )
        )
    (source, source_confidence, source_offsets), (target, target_confidence, target_offsets) = columns
    counts = [max([cept for side in pair for cept, _ in side], default=-1) + 1 for pair in pairs]
    nothing = np.zeros(len(pairs))
    return Cepts(
        source,
        target,
        source_confidence,
        target_confidence,
        source_offsets,
        target_offsets,
        np.zeros(sum(counts), np.float32),
        offsets_of(counts),
        np.array(counts, np.int32),
        nothing,
        nothing,
    )


def parsed(line):
    """Read a line: (source words, target words, probability) of each group."""
    groups = []
    for token in line.split():
        words, _, probability = token.partition(":")
        source, _, target = words.partition("-")
        sides = ([int(word) for word in side.split(",") if word] for side in (source, target))
        groups.append((*sides, float(probability)))
    return groups


def written(cepts, min_confidence=0.0):
    stream = io.StringIO()
    write_cepts(cepts, stream, min_confidence)
    return stream.getvalue()


@st.composite
def proper_pairs(draw):
    """A pair whose cepts have words on both sides."""
    word = st.tuples(st.integers(-1, 2), st.sampled_from([0.0, 0.3, 0.30001, 0.5, 0.7, 1.0]))
    source, target = draw(st.tuples(*[st.lists(word, max_size=5)] * 2))
    both = {cept for cept, _ in source} & {cept for cept, _ in target}
    return tuple([(cept if cept in both else -1, sure) for cept, sure in side] for side in (source, target))


corpora = st.lists(proper_pairs(), max_size=5)


def test_lines_by_hand():
    cepts = cepts_of(BY_HAND)
    assert [format_cepts(cepts, k) for k in range(5)] == LINES
    assert format_cepts(cepts, -1) == LINES[-1]
    assert written(cepts) == "".join(f"{line}\n" for line in LINES)


def test_the_less_certain_are_left_out_by_hand():
    # Pair 0: word 1 of the target, at 0.80004, and with it the only cept. Pair 1: cept 0 loses source word 1.
    cepts = cepts_of(BY_HAND)
    assert written(cepts, 0.5).split("\n") == ["0,2-1:0.8 1-:0.75 -0:0.5", "2-1:0.5", "", "", "0-1:1", ""]
    assert written(cepts, 0.85).split("\n") == ["", "", "", "", "0-1:1", ""]
    assert written(cepts, 1.0) == "\n" * 5


def test_a_pair_that_is_not_there():
    for k in (5, -6):
        with pytest.raises(IndexError, match=str(k)):
            format_cepts(cepts_of(BY_HAND), k)


def test_probabilities_are_written_as_those_of_links_are():
    for step in [*range(0, STEPS + 1, 7), 1, 9999, STEPS]:
        exact = float(np.float32(step / STEPS))
        link = format_pharaoh([Link(0, 0, exact)], score=0.0).split("\t")[0]
        assert format_cepts(cepts_of([([(0, exact)], [(0, 1.0)])]), 0) == link


@settings(max_examples=200)
@given(corpora)
def test_every_word_is_in_one_group_and_groups_are_in_order(pairs):
    cepts = cepts_of(pairs)
    for k, pair in enumerate(pairs):
        groups = parsed(format_cepts(cepts, k))
        for side in (0, 1):
            assert sorted(word for group in groups for word in group[side]) == list(range(len(pair[side])))
        for source, target, probability in groups:
            words = [pair[0][i] for i in source] + [pair[1][j] for j in target]
            assert len({cept for cept, _ in words}) == 1
            assert probability == pytest.approx(min(sure for _, sure in words), abs=5e-5)
            if words[0][0] < 0:
                assert len(words) == 1
            else:
                assert source
                assert target
        firsts = [source[0] for source, _, _ in groups if source]
        lonely = [target for source, target, _ in groups if not source]
        assert firsts == sorted(firsts)
        assert lonely == sorted(lonely)
        assert all(source for source, _, _ in groups[: len(firsts)])


@settings(max_examples=200)
@given(corpora, st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]))
def test_what_is_left_links_as_the_links_do(pairs, least):
    cepts = cepts_of(pairs)
    links = cepts.links(least)
    for k, (source, target) in enumerate(pairs):
        groups = parsed(format_cepts(cepts, k, least))
        linked = {(i, j) for group in groups for i in group[0] for j in group[1]}
        assert linked == {link[:2] for link in links[k]}
        alone = [
            (side, word)
            for side, words in enumerate((source, target))
            for word, (cept, sure) in enumerate(words)
            if cept < 0 and sure >= least
        ]
        lonely = [group for group in groups if not (group[0] and group[1])]
        assert [(0, *one) if one else (1, *other) for one, other, _ in lonely] == alone


@given(corpora)
def test_blocks_do_not_matter(pairs):
    cepts = cepts_of(pairs)
    whole = written(cepts)
    assert whole == "".join(f"{format_cepts(cepts, k)}\n" for k in range(len(pairs)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cepts_lines, "BLOCK", 2)
        assert written(cepts) == whole


def test_cepts_that_were_found():
    # Rows and columns 0 are NULL's: source word 1 is 95 times NULL's, target word 2 90 times.
    matrix = [[0, 0, 0, 90], [0, 100, 0, 5], [95, 5, 5, 0], [0, 0, 100, 5]]
    found = factorise(from_matrices([matrix], null=True), CeptsOptions())
    assert [group[:2] for group in parsed(format_cepts(found, 0))] == [
        ([0], [0]),
        ([1], []),
        ([2], [1]),
        ([], [2]),
    ]
