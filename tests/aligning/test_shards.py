"""Texts of many shards, in memory and on disk: the links are the same."""

import weakref

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning import stages
from cepts.errors import OptionError
from cepts.storage.memory import PROGRAM
from cepts.words import indexed as indexed_module
from cepts.words import layout
from cepts.words.indexed import PAIR, WORD, index_bitext, least_memory
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
    elsewhere = Aligner(memory="250M", threads=2, **options).fit(sample())
    assert not there.scratch.on_disk
    assert elsewhere.scratch.on_disk
    assert_same_links(there.align(sample()), elsewhere.align(sample()))


def test_too_little_memory_is_said_before_training():
    steps = []
    with pytest.raises(OptionError, match=r"memory=.200 MB.: too little for the largest part of this text; "):
        Aligner(memory=PROGRAM + 1, monitor=steps.append).fit(sample())
    assert not steps


def test_the_least_memory_grows_with_words_shards_and_threads(monkeypatch):
    bitext = sample()
    whole = index_bitext(bitext)
    words = len(bitext.source.words) + len(bitext.target.words)
    assert least_memory(bitext, whole, 1) > PROGRAM + WORD * words + 2 * PAIR * len(whole.columns)
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
