"""Bad pairs that are made of good ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import Bitext, bitext_from_pairs
from cepts.quality.spoiling import replaced, shuffled, spliced, spoil, truncated

SENTENCES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=7).map(" ".join)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=15)
SEEDS = st.integers(0, 99)


def sentences(text: Bitext, k: int) -> tuple[list[str], list[str]]:
    return text.source.sentence(k), text.target.sentence(k)


@settings(max_examples=40, deadline=None)
@given(PAIRS, SEEDS)
def test_shuffled_pairs_keep_their_sources_and_all_targets(pairs: list[tuple[str, str]], seed: int) -> None:
    text = bitext_from_pairs(pairs)
    bad = shuffled(text, np.random.default_rng(seed))
    assert sorted(bad.owners[1].tolist()) == list(range(len(pairs)))
    for k, partner in enumerate(bad.owners[1].tolist()):
        assert sentences(bad.bitext, k) == (text.source.sentence(k), text.target.sentence(partner))
        assert partner != k or len(pairs) == 1
    lengths = text.target.lengths
    alike = [lengths[k] == lengths[p] for k, p in enumerate(bad.owners[1])]
    assert sum(not same for same in alike) <= len(set(lengths.tolist()))


@settings(max_examples=40, deadline=None)
@given(PAIRS, SEEDS)
def test_truncated_pairs_lose_one_end_of_one_side(pairs: list[tuple[str, str]], seed: int) -> None:
    text = bitext_from_pairs(pairs)
    bad = truncated(text, np.random.default_rng(seed))
    for k in range(len(pairs)):
        losses = []
        for before, after in zip(sentences(text, k), sentences(bad.bitext, k), strict=True):
            assert after
            assert after in (before[: len(after)], before[len(before) - len(after) :])
            losses.append((len(before) - len(after), len(before)))
        lost = max(losses)
        assert min(losses)[0] == 0
        assert lost[0] <= max(1, round(0.6 * lost[1]))
        assert lost[0] or min(size for _, size in losses) == 1  # a single word cannot be cut


@settings(max_examples=40, deadline=None)
@given(PAIRS, SEEDS)
def test_replaced_and_spliced_pairs_keep_their_lengths_and_one_side(
    pairs: list[tuple[str, str]], seed: int
) -> None:
    text = bitext_from_pairs(pairs)
    for way in (replaced, spliced):
        bad = way(text, np.random.default_rng(seed))
        for k in range(len(pairs)):
            old, new = sentences(text, k), sentences(bad.bitext, k)
            assert [len(side) for side in old] == [len(side) for side in new]
            assert old[0] == new[0] or old[1] == new[1]
            other = sentences(text, int(bad.owners[1, k]))
            if way is spliced:
                for side in range(2):
                    assert all(
                        word in (old[side][n], other[side][n : n + 1][0] if n < len(other[side]) else None)
                        for n, word in enumerate(new[side])
                    )
        assert bad.owners[0].tolist() == list(range(len(pairs)))


def test_most_pairs_are_spoiled_and_the_seed_decides() -> None:
    draw = np.random.default_rng(3)
    pairs = [
        (" ".join(draw.choice(list("abcdefghijklmn"), 8)), " ".join(draw.choice(list("opqrstuvw"), 8)))
        for _ in range(100)
    ]
    text = bitext_from_pairs(pairs)
    once, again, other = (spoil(text, seed) for seed in (1, 1, 2))
    assert list(once) == ["shuffled", "truncated", "replaced", "spliced"]
    for name, bad in once.items():
        changed = sum(sentences(bad.bitext, k) != sentences(text, k) for k in range(100))
        assert changed >= 90, name
        same = [sentences(bad.bitext, k) == sentences(again[name].bitext, k) for k in range(100)]
        assert all(same)
        assert any(sentences(bad.bitext, k) != sentences(other[name].bitext, k) for k in range(100))


@pytest.mark.parametrize("rows", [[], [2, 0, 2], [1]])
def test_rows_of_a_side(rows: list[int]) -> None:
    side = bitext_from_pairs([("a b", ""), ("", ""), ("c", "")]).source
    chosen = side.picked(np.array(rows, np.int64))
    assert [chosen.sentence(k) for k in range(len(chosen))] == [side.sentence(k) for k in rows]
