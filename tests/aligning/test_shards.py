"""Texts of many shards, in memory and on disk: the links are the same."""

import numpy as np
import pytest

from cepts import Aligner
from cepts.words import indexed as indexed_module
from cepts.words import layout
from cepts.words.indexed import index_bitext
from tests.aligning.contract import assert_same_links, fitted, sample

KINDS = [
    {},
    {"method": "fast", "combine": "grow-diag"},
    {"model_type": "ibm1", "regularity": "auto"},
    {"model_type": "ibm4"},
    {"model_type": "bihmm"},
    {"model_type": "hmm", "optimizer": "pgd", "training": "independent", "direction": "forward"},
    {"combine": "dual"},
    {"combine": "cepts"},
    {"combine": "cepts", "association": "cooccurrence"},
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
    elsewhere = Aligner(memory=0, threads=2, **options).fit(sample())
    assert not there.scratch.on_disk
    assert elsewhere.scratch.on_disk
    assert_same_links(there.align(sample()), elsewhere.align(sample()))
