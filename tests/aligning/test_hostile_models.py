"""Word models by strangers, tampered with in every way: a message, or a model that does no harm."""

import shutil

import numpy as np
import pytest

from cepts import Aligner
from cepts.storage import schema
from tests.aligning.contract import sample
from tests.aligning.forging import changed, forge
from tests.storage.tampering import believed, sign, tamper

TEXT, MORE = sample().part(0, 12), sample().part(10, 16)
CASES = 60  # of each kind
KINDS = {
    "best": {},
    "ibm1": {"model_type": "ibm1"},
    "ibm4": {"model_type": "ibm4", "classes": 3},
    "bihmm": {"model_type": "bihmm", "ibm1_iterations": 2, "hmm_iterations": 2},
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name, options in KINDS.items():
        Aligner(**options).fit(TEXT).save(folder / name)
    return folder


def use(folder):
    """Let kernels walk over everything."""
    aligner = Aligner.load(folder)
    for text in (TEXT, MORE):
        links = aligner.align(text)
        assert len(links) == len(text)
        assert np.isfinite(links.confidence).all()
    if aligner._past is not None:
        aligner.updated(MORE)


@pytest.mark.parametrize("name", KINDS)
def test_tampered_models_are_refused_or_harmless(name, honest, tmp_path):
    done = []
    for seed in range(CASES):
        folder = shutil.copytree(honest / name, tmp_path / str(seed))
        rng = np.random.default_rng(seed)
        what = tamper(folder, rng)
        if seed % 2:
            sign(folder)
        if believed(lambda folder=folder: use(folder), seed, what):
            done.append(what)
    assert len(done) < CASES // 2, done


@pytest.mark.parametrize("check", ["_check_range", "_check_values"])
def test_without_its_checks_of_values_a_schema_would_believe_it(check, honest, tmp_path, monkeypatch):
    """What the tests of tampered folders rest on: the ranges, not the checksums, keep a forged column out."""
    folder = shutil.copytree(honest / "best", tmp_path / "model")
    forge(folder, "columns", changed(np.load(folder / "columns.npy"), -1, 1 << 30))
    assert not believed(lambda: Aligner.load(folder))
    monkeypatch.setattr(schema, check, lambda *_: None)
    assert believed(lambda: Aligner.load(folder))
