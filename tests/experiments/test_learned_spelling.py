"""The experiment on a likeness that is learned, on the built-in sample."""

import json

import numpy as np
import pytest

import learned_spelling
from cepts import Aligner, read_links, sample, sample_bitext
from cepts.corpus import bitext_from_pairs
from cepts.words import families, index_bitext
from cepts.words.likeness import likeness_of_entries


@pytest.fixture(scope="module")
def bitext():
    return sample_bitext()


@pytest.fixture(scope="module")
def pairs(bitext):
    return learned_spelling.confident_words(bitext, Aligner().fit(bitext).align(bitext))


def test_rows_are_kept(bitext, monkeypatch, tmp_path):
    monkeypatch.setattr(learned_spelling, "read_corpus", lambda *_: (bitext, read_links(sample()[2]), {}))
    arguments = ["--corpora", "made", "--output", str(tmp_path)]
    learned_spelling.main(arguments)
    (row,) = json.loads((tmp_path / "learned-spelling.json").read_text())
    assert set(learned_spelling.WAYS) < set(row)
    before = (tmp_path / "learned-spelling.md").read_text()
    assert f"{row['either']:.2f}" in before
    learned_spelling.main(arguments)
    assert (tmp_path / "learned-spelling.md").read_text() == before
    assert families.likeness_of_entries is likeness_of_entries


def test_words_of_confident_links_are_learned_from_once(bitext, pairs):
    assert len(np.unique(pairs, axis=0)) == len(pairs) > 100
    words = {(bitext.source.words[i], bitext.target.words[j]) for i, j in pairs}
    assert ("chat", "cat") in words
    assert not any("." in pair for pair in words)


def test_a_cipher_is_learned_from_the_other_half_of_the_words():
    random = np.random.default_rng(1)
    words = list(dict.fromkeys("".join(random.choice(list("abcdefgh"), 6)) for _ in range(200)))
    sentences = [words[first : first + 28] for first in range(0, 196, 28)]
    cipher = str.maketrans("abcdefgh", "qrstuvwx")
    bitext = bitext_from_pairs([(" ".join(some), " ".join(some).translate(cipher)) for some in sentences])
    numbers = np.arange(len(bitext.source.words))
    indexed = index_bitext(bitext)
    likeness = learned_spelling.likeness_learned(bitext, np.stack([numbers, numbers], axis=1))(indexed)
    rows = np.repeat(np.arange(len(indexed.row_offsets) - 1), np.diff(indexed.row_offsets))
    null = (rows == 0) | (indexed.columns == 0)
    same = (rows == indexed.columns) & ~null
    assert (likeness[same] > 0).mean() > 0.5
    assert (likeness[~same] > 0).mean() < 0.1
    assert not likeness[null].any()
