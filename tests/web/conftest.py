"""One small model of words, one of names and one of sentences, for all tests of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.characters import EditModel
from cepts.corpus.samples import sample_names
from cepts.web.service import Service
from tests.web.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of the sample; tests only read it."""
    folder = tmp_path_factory.mktemp("served") / "sample-model"
    cepts.Aligner().fit(cepts.sample_bitext()).save(folder)
    return folder


@pytest.fixture(scope="session")
def names_model() -> EditModel:
    """A model that writes names."""
    lines = sample_names()[0].read_text(encoding="utf-8").splitlines()
    return EditModel.fit([tuple(line.split("\t")[:2]) for line in lines[:300]], order=1, epochs=3)


@pytest.fixture(scope="session")
def similar_model() -> cepts.Similarity:
    """A model of sentences."""
    return cepts.Similarity.fit(cepts.sample_bitext(), k=8, iterations=10)


@pytest.fixture(scope="session")
def plain(model: Path) -> Service:
    """A service that aligns, and nothing else."""
    return Service(cepts.Aligner.load(model), name=model.name)


@pytest.fixture(scope="session")
def full(model: Path, names_model: EditModel, similar_model: cepts.Similarity) -> Service:
    """A service with all models."""
    return Service(cepts.Aligner.load(model), names_model, similar_model, name=model.name)


@pytest.fixture
def ask(plain: Service) -> Iterator[Asking]:
    """Ask a service that aligns."""
    with Asking.of(plain) as asking:
        yield asking


@pytest.fixture
def ask_all(full: Service) -> Iterator[Asking]:
    """Ask a service with all models."""
    with Asking.of(full) as asking:
        yield asking
