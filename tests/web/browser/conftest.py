"""What the browser tests share: small real models, a server of them, a Chromium, and a visitor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.corpus.samples import sample_names
from tests.chromium import chromium_or_skip, open_chromium
from tests.cli.command import succeed
from tests.web.browser.browsing import Visitor, served
from tests.web.browser.corpus_server import CorpusProcess, write_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def servable() -> None:
    """A skip, where there is nothing to serve with, or nobody to look."""
    for package in ("fastapi", "uvicorn"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'cepts[web]'")
    chromium_or_skip()


@pytest.fixture(scope="module")
def browser(servable: None) -> Iterator[Browser]:  # noqa: ARG001
    """A Chromium."""
    with open_chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def models(servable: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """A folder of small models of the samples: `words`, `names` and `sentences`."""
    folder = tmp_path_factory.mktemp("models")
    source, target, _ = cepts.sample()
    succeed("train", source, target, "--output", folder / "words", "--method", "best")
    succeed(
        "names", "train", sample_names()[0], "--output", folder / "names", "--order", "1", "--epochs", "5"
    )
    small = ("--k", "8", "--iterations", "20")
    succeed("similar", "train", source, target, "--output", folder / "sentences", *small)
    return folder


@pytest.fixture(scope="session")
def address(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of all models and of the sample as a corpus."""
    from cepts.web.opening import Places, open_service

    source, target, _ = map(str, cepts.sample())
    places = Places(
        names=str(models / "names"),
        similar=str(models / "sentences"),
        source=source,
        target=target,
        corrections=str(tmp_path_factory.mktemp("corrections") / "corrections.jsonl"),
    )
    with served(open_service(str(models / "words"), places)) as found:
        yield found


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    """Someone who opens pages of the server; at the end there was no error and no request to another host."""
    visiting = Visitor(browser, address)
    yield visiting
    visiting.leave()
    assert visiting.troubles() == []


@pytest.fixture(scope="module")
def corpus(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of a small corpus with two alignments and gold."""
    from cepts.web.opening import Places, open_service

    places = Places(**write_corpus(tmp_path_factory.mktemp("corpus")))
    with served(open_service(str(models / "words"), places)) as found:
        yield found


@pytest.fixture
def reader(browser: Browser, corpus: str) -> Iterator[Visitor]:
    """A visitor of that corpus."""
    visiting = Visitor(browser, corpus)
    yield visiting
    visiting.leave()
    assert visiting.troubles() == []


@pytest.fixture(scope="session")
def process(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CorpusProcess]:
    """The same corpus in a process that may be killed; who writes must know the token "secret"."""
    made = CorpusProcess(models / "words", tmp_path_factory.mktemp("process"), "--token", "secret")
    made.start()
    yield made
    made.kill()
