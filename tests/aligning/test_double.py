"""Bi-word models: two links for one word, pairs that are too large for it, texts that are."""

import re

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning.recipes import BI_WORD
from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, OptionError
from cepts.words import pairs as pairs_module
from cepts.words.layout import MAX_WORDS
from cepts.words.pairs import MAX_PIECE_CELLS
from tests.aligning.contract import (
    WAYS,
    assert_proper,
    assert_same_links,
    bitext_of_words,
    every_model,
    fitted,
    lines,
    places,
    sample,
)

bi_word = pytest.mark.parametrize("model_type", BI_WORD)
OFTEN = 0.9  # of words with two counterparts: so that there are many
LONG = 150  # words a side: 149 * 148 / 2 pairs for each of 150 words


def most_links(links, direction):
    """For each pair the most links that a generated word has."""
    sides = [[link.target if direction == "forward" else link.source for link in pair] for pair in links]
    return [max(np.bincount(side), default=0) for side in sides if side]


@pytest.mark.parametrize("direction", WAYS)
@every_model
def test_a_word_has_one_link_in_a_direction_or_two_in_a_bi_word_model(model_type, direction):
    links = fitted({"model_type": model_type, "direction": direction, "double_probability": OFTEN}).align(
        sample()
    )
    assert_proper(links, sample())  # positions of the source first, whatever the direction
    assert max(most_links(links, direction)) == (2 if model_type in BI_WORD else 1)


@pytest.mark.parametrize("direction", WAYS)
@bi_word
def test_the_last_word_is_never_the_second_of_two(model_type, direction):
    links = fitted({"model_type": model_type, "direction": direction, "double_probability": OFTEN}).align(
        sample()
    )
    lengths = (sample().source if direction == "forward" else sample().target).lengths
    doubled = 0
    for k, pair in enumerate(links):
        by_word = {}
        for link in pair:
            word, other = (link.target, link.source) if direction == "forward" else link[:2]
            by_word.setdefault(word, []).append(other)
        doubles = [others for others in by_word.values() if len(others) == 2]
        assert all(max(others) < lengths[k] - 1 for others in doubles)
        doubled += len(doubles)
    assert doubled > 10


def compounds(seed):
    """300 pairs: a target word is one word of the source, or is told by two neighbours together; the links."""
    rng = np.random.default_rng(seed)
    pairs, gold = [], []
    for _ in range(300):
        source, target, links = [], [], set()
        for word in rng.choice(36, rng.integers(3, 7), replace=False).tolist():
            # Of the compounds a0 b0 .. a3 b3, sixteen words, neither part alone says which it is.
            parts = [f"a{word // 4}", f"b{word % 4}"] if word < 16 else [f"s{word}"]
            links |= {(len(source) + k, len(target)) for k in range(len(parts))}
            source += parts
            target.append(f"t{word}")
        links.add((len(source), len(target)))
        pairs.append(([*source, "."], [*target, "!"]))
        gold.append(links)
    return bitext_of_words(pairs), gold


def test_a_word_that_stands_for_two_is_linked_to_both(seed):
    bitext, gold = compounds(seed)
    total = sum(map(len, gold))

    def shares(**options):
        """How many of the planted links are found, and how many others for each of them."""
        found = places(Aligner(direction="forward", **options).fit(bitext).align(bitext))
        both = list(zip(found, gold, strict=True))
        return sum(len(a & b) for a, b in both) / total, sum(len(a - b) for a, b in both) / total

    right, wrong = shares(model_type="bihmm", double_probability=0.5)
    assert right > 0.95
    assert wrong < 0.05
    assert shares(model_type="hmm")[0] < 0.85  # a quarter of the links are second ones


def long_text(words=LONG):
    """One pair with so many words a side, after some ordinary ones."""
    ordinary = [lines(sample(), k) for k in range(20)]
    source, target = (" ".join(side) for side in zip(*(lines(sample(), k) for k in range(80)), strict=True))
    long = tuple(" ".join(side.split()[:words]) for side in (source, target))
    assert all(len(side.split()) == words for side in long)
    return bitext_from_pairs([*ordinary, long])


@pytest.mark.parametrize("optimizer", ["em", "pgd"])
@bi_word
def test_a_pair_that_is_too_large_is_aligned_word_by_word_and_counted(model_type, optimizer, tmp_path):
    assert (LONG - 1) * (LONG - 2) // 2 * LONG > MAX_PIECE_CELLS
    bitext, ordinary = long_text(), bitext_from_pairs([lines(sample(), k) for k in range(20)])
    options = {"model_type": model_type, "optimizer": optimizer, "double_probability": OFTEN}
    aligner = Aligner(direction="forward", **options).fit(bitext)
    assert aligner.oversized.tolist() == [20]
    links = aligner.align(bitext)
    assert_proper(links, bitext)
    assert links.oversized.tolist() == [20]
    assert len(links[20]) > LONG / 2
    assert most_links(links, "forward")[20] == 1
    assert max(most_links(links, "forward")) == 2
    assert len(aligner.align(ordinary).oversized) == 0
    assert aligner.oversized.tolist() == [20], "of the text of training"
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    assert len(loaded.oversized) == 0
    again = loaded.align(bitext)
    assert_same_links(again, links)
    assert again.oversized.tolist() == [20]


@bi_word
def test_a_pair_in_pieces_is_counted_once(model_type):
    aligner = Aligner(model_type=model_type).fit(long_text(MAX_WORDS + 50))
    assert len(aligner.oversized) == 1


@bi_word
def test_a_pair_that_is_too_large_in_one_direction_alone_is_counted(model_type):
    """The side that has 160 words has too many pairs of them for the 100 of the other."""
    source, target = (" ".join(f"w{k}" for k in range(words)) for words in (100, 160))
    bitext = bitext_from_pairs([(source, target), ("un", "one")])
    counts = {
        way: len(
            Aligner(model_type=model_type, direction=way, ibm1_iterations=1, hmm_iterations=1)
            .fit(bitext)
            .oversized
        )
        for way in (*WAYS, "both")
    }
    assert counts == {"forward": 0, "reverse": 1, "both": 1}


def test_mono_word_models_have_no_such_limit():
    for model_type in ("ibm1", "hmm"):
        aligner = Aligner(model_type=model_type).fit(long_text())
        assert len(aligner.align(long_text()).oversized) == len(aligner.oversized) == 0


@bi_word
def test_a_text_that_is_too_large_is_refused(model_type, monkeypatch):
    monkeypatch.setattr(pairs_module, "MAX_CELLS", 1000)
    message = (
        r"^[0-9,]+ double alignments are more than bi-word models can hold \(1,000\): take fewer or shorter pairs, "
        r"or model_type='hmm'$"
    )
    with pytest.raises(InputError, match=message) as error:
        Aligner(model_type=model_type).fit(sample())
    said = int(re.match("[0-9,]+", str(error.value))[0].replace(",", ""))
    states, steps = sample().source.lengths, sample().target.lengths
    assert said == ((states - 1) * (states - 2) // 2 * steps).sum()  # of the forward model


@bi_word
def test_a_model_of_one_direction_has_no_pairs_of_the_other(model_type, tmp_path):
    for trained, other in (WAYS, WAYS[::-1]):
        folder = tmp_path / trained
        aligner = fitted({"model_type": model_type, "direction": trained})
        aligner.save(folder)
        saved = {file.name for file in folder.iterdir()}
        assert {f"{trained}_pair_keys.npy", f"{trained}_distances.npy"} <= saved
        assert not any(name.startswith(f"{other}_pair") for name in saved)
        assert_same_links(Aligner.load(folder).align(sample()), aligner.align(sample()))
        with pytest.raises(
            OptionError, match=f"was trained in direction {trained} alone: align in that direction"
        ):
            Aligner.load(folder, direction=other)


@pytest.mark.parametrize("double", [0.01, 0.99])
@bi_word
def test_how_probable_two_counterparts_are_is_an_option(model_type, double):
    options = {"model_type": model_type, "direction": "forward", "double_probability": double}
    links = Aligner(**options).fit(sample()).align(sample())
    share = len(links.source) / len(sample().target.ids)
    assert share < 1.0 if double < 0.5 else share > 1.2
