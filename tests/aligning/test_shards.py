"""Texts of many shards, in memory and on disk: the links are the same."""

import re
import weakref

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning import stages
from cepts.corpus import bitext_from_pairs
from cepts.errors import OptionError
from cepts.storage.memory import PROGRAM, Memory
from cepts.words import indexed as indexed_module
from cepts.words import layout
from cepts.words.indexed import index_bitext
from cepts.words.memory import SHARD, WORD, least_memory, memory_for_bytes
from cepts.words.pairs import memory_of_pairs
from tests.aligning.contract import assert_same_links, fitted, sample

KINDS = [
    {},
    {"method": "fast", "combine": "grow-diag"},
    {"model_type": "ibm1", "regularity": "auto"},
    {"model_type": "ibm4"},
    {"model_type": "bihmm"},
    {"model_type": "hmm", "optimizer": "pgd", "training": "independent", "hmm_iterations": 8},
    {"combine": "dual"},
    {"combine": "cepts"},
    {"combine": "cepts", "association": "cooccurrence"},
    {"prune": 1e-3},
    {"jump_classes": 5},
    {"jump_classes": 5, "combine": "dual"},
]


def name_of(options):
    return "-".join(map(str, options.values())) or "best"


def cut_into_small_shards(monkeypatch):
    plan_chunks = layout.plan_chunks
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1000))
    for name in ("WHOLE", "SMALLEST_SHARD", "LARGEST_SHARD"):
        monkeypatch.setattr(layout, name, 4_000)
    assert 3 < len(index_bitext(sample()).shards) < len(index_bitext(sample()).chunks)


@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_shards_change_the_order_of_sums_alone(options, monkeypatch):
    # Not the calibrated confidences: those of links that are nearly certain hang on the last bit.
    options = {"confidence": "product", **options}
    whole = fitted(options).align(sample())
    cut_into_small_shards(monkeypatch)
    links = Aligner(**options).fit(sample()).align(sample())
    np.testing.assert_array_equal(links.offsets, whole.offsets)
    np.testing.assert_array_equal(links.source, whole.source)
    np.testing.assert_array_equal(links.target, whole.target)
    if options.get("combine") != "cepts":  # whose search may end elsewhere, with the same groups
        np.testing.assert_allclose(links.confidence, whole.confidence, atol=2e-3)
    np.testing.assert_allclose(links.scores, whole.scores, rtol=1e-4)


@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_what_waits_on_disk_has_the_same_bits(options, monkeypatch):
    cut_into_small_shards(monkeypatch)
    there = Aligner(memory=1 << 40, **options).fit(sample())
    least = least_memory(sample(), index_bitext(sample()), 2)
    if there.recipe.bi_word:
        least += memory_of_pairs(index_bitext(sample()).pieces, there.recipe.directions)
    elsewhere = Aligner(memory=least, threads=2, **options).fit(sample())
    assert not there.scratch.on_disk
    assert elsewhere.scratch.on_disk
    assert_same_links(there.align(sample()), elsewhere.align(sample()))


def test_too_little_memory_is_said_before_training():
    steps = []
    with pytest.raises(OptionError, match=r"memory=.200 MB.: too little for the largest part of this text; "):
        Aligner(memory=PROGRAM + 1, monitor=steps.append).fit(sample())
    assert not steps


def made_up(pairs, words, different):
    """Pairs of so many words, of which so many are different."""
    draw = np.random.default_rng(5).integers
    texts = ([[f"w{word}" for word in draw(different, size=words)] for _ in range(pairs)] for _ in range(2))
    return bitext_from_pairs([(" ".join(one), " ".join(other)) for one, other in zip(*texts, strict=True)])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("shape", [(40, 60, 5000), (2000, 2, 4000), (5, 390, 10)], ids=str)
@pytest.mark.parametrize("options", [{"method": "fast"}, {}, {"model_type": "ibm4"}], ids=name_of)
def test_the_size_that_is_asked_for_is_enough(options, shape, threads):
    text = made_up(*shape)
    with pytest.raises(OptionError, match=r"give at least [0-9]+M") as refusal:
        Aligner(memory=PROGRAM, threads=threads, **options).fit(text)
    (size,) = re.findall("give at least ([0-9]+M)", str(refusal.value))
    assert len(Aligner(memory=size, threads=threads, **options).fit(text).align(text)) == len(text)


def test_tables_of_pairs_of_words_need_memory():
    text = made_up(300, 12, 100)
    with pytest.raises(
        OptionError, match="too little for bihmm and the pairs of words of this text; give"
    ) as refusal:
        Aligner(model_type="bihmm", memory="205M").fit(text)
    (size,) = re.findall("give at least ([0-9]+M)", str(refusal.value))
    assert Aligner(model_type="bihmm", memory=size).fit(text)
    assert Aligner("fast", memory="205M").fit(text)
    both, forward = (
        memory_of_pairs(index_bitext(text).pieces, ways) for ways in ((True, True), (True, False))
    )
    assert both == 2 * forward == 2 * 16 * 300 * (11 * 10 // 2) * 12


def test_what_somebody_else_needs_is_not_for_arrays():
    aligner = Aligner("fast", memory="300M")
    aligner.memory = aligner.memory._replace(taken=50 << 20)
    aligner.fit(sample())
    least = least_memory(sample(), index_bitext(sample()), 1)
    assert aligner.scratch.limit == (250 << 20) - least
    with pytest.raises(OptionError, match="give at least 251M"):
        Memory(250 << 20, taken=50 << 20).check((200 << 20) + 1, "a text")


def test_what_large_arrays_may_take_follows_from_the_text():
    bitext = sample()
    least = least_memory(bitext, index_bitext(bitext), 1)
    aligner = Aligner(memory=least + 1000).fit(bitext)
    assert aligner.scratch.limit == 1000
    assert Aligner("fast", memory=1 << 40).fit(bitext).scratch.limit == (1 << 40) - least


@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("shape", [(16, 1, 1), (304, 3, 50), (48, 60, 5000), (2000, 9, 4000)], ids=str)
def test_what_will_do_before_a_text_is_read_does(shape, threads):
    text = made_up(*shape)
    size = sum(len(side.words[word]) + 1 for side in (text.source, text.target) for word in side.ids)
    least, enough = memory_for_bytes(size, threads)
    assert least <= least_memory(text, index_bitext(text), threads) <= enough
    assert least_memory(text, index_bitext(text), threads) <= least_memory(text, None, threads)


def test_the_least_memory_grows_with_words_shards_and_threads(monkeypatch):
    bitext = sample()
    whole = index_bitext(bitext)
    words = len(bitext.source.words) + len(bitext.target.words)
    assert least_memory(bitext, whole, 1) > PROGRAM + WORD * words + SHARD * len(whole.columns)
    assert least_memory(bitext, whole, 2) > least_memory(bitext, whole, 1)
    cut_into_small_shards(monkeypatch)
    assert least_memory(bitext, index_bitext(bitext), 1) < least_memory(bitext, whole, 1)


def test_a_table_goes_with_the_next_one(monkeypatch):
    """A large lexicon must not be kept twice: the first one had a second holder once."""
    born, alive, make = [], [], stages._first

    def noted(*arguments):
        model = make(*arguments)
        born.append(weakref.ref(model.lexicon.values))
        return model

    def watch(step):
        if step.objective is not None and step.stage != "classes":
            alive.append(born[0]() is not None)

    monkeypatch.setattr(stages, "_first", noted)
    Aligner(monitor=watch).fit(sample())
    assert alive == [False] * 9
