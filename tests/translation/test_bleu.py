"""BLEU against sacrebleu, and by hand."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.translation.bleu import bleu, bleu_of, smoothed_bleu, statistics
from cepts.translation.bleu_kernels import fill_statistics

words = st.lists(st.sampled_from("abcde"), max_size=12)


@given(st.lists(st.tuples(words, words.filter(bool)), min_size=1, max_size=6))
def test_equals_sacrebleu(pairs):
    translations, references = ([" ".join(side) for side in sides] for sides in zip(*pairs, strict=True))
    theirs = sacrebleu.corpus_bleu(
        translations, [references], tokenize="none", smooth_method="none", force=True
    )
    assert bleu_of(translations, references) == pytest.approx(theirs.score, abs=1e-9)


@given(st.lists(words, min_size=1, max_size=6), words)
def test_many_translations_are_judged_as_one_by_one(translations, reference):
    together = statistics(translations, reference)
    alone = np.concatenate([statistics([translation], reference) for translation in translations])
    assert np.array_equal(together, alone)


def test_by_hand():
    # "the the cat" for "the cat sat": "the" counts once, "cat" once, one pair of two; no triple is right.
    rows = statistics([["the", "the", "cat"]], ["the", "cat", "sat"])
    assert rows.tolist() == [[2, 1, 0, 0, 3, 2, 1, 0, 3, 3]]
    assert bleu(rows).tolist() == [0.0]
    expected = 100 * (2 / 3 * 2 / 3 * 1 / 2 * 1 / 1) ** 0.25
    assert smoothed_bleu(rows) == pytest.approx([expected])


def test_short_translations_lose():
    rows = statistics([list("abcde")], list("abcdefghij"))
    assert bleu(rows) == pytest.approx([100 * np.exp(1 - 10 / 5)])


def test_nothing_is_nought():
    assert bleu_of([""], ["a b c d"]) == 0.0
    assert bleu_of([], []) == 0.0


def test_uneven_lists_are_refused():
    with pytest.raises(InputError, match="2 translations but 1 references, expected as many"):
        bleu_of(["a", "b"], ["a"])


def test_the_kernel_compiles_once():
    bleu_of(["a b"], ["a b"])
    assert len(fill_statistics.signatures) == 1
