"""What the browser tests share: small real models, a server of them, a Chromium, and a visitor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.corpus.samples import sample_names
from tests.cli.command import succeed
from tests.web.browser.browsing import CHROMIUM_OPTIONS, Visitor, find_chromium, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium without a window, or a skip that says what is missing."""
    for package in ("fastapi", "uvicorn"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'cepts[web]'")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install 'cepts[test]'"
    )
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium on PATH: install one, or set CEPTS_CHROMIUM to its path")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=chromium, args=list(CHROMIUM_OPTIONS))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
def address(browser: Browser, models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: ARG001
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


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: the folder that CEPTS_SCREENSHOTS names, else a temporary one."""
    named = os.environ.get("CEPTS_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def visitor(browser: Browser, address: str, pictures: Path) -> Iterator[Visitor]:
    """Someone who opens pages of the server; at the end there was no error and no request to another host."""
    visiting = Visitor(browser, address, pictures)
    yield visiting
    visiting.leave()
    assert visiting.troubles() == []
