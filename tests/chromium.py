"""A real Chromium for the tests, or a skip that says what is missing."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium_or_skip() -> str:
    """Return the path of a Chromium."""
    pytest.importorskip("playwright", reason="playwright is not installed: pip install 'cepts[test]'")
    found = (shutil.which(name) for name in NAMES)
    path = os.environ.get("CEPTS_CHROMIUM") or next((path for path in found if path), None)
    if path is None:
        pytest.skip("no Chromium on PATH: install one, or set CEPTS_CHROMIUM to its path")
    return path


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """Start a Chromium without a window. While it runs, its thread has an event loop: tests of a file, not of all."""
    path = chromium_or_skip()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield opened
        opened.close()
