"""A real Chromium for the tests, or a skip that says what is missing."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WIDE, PHONE = 1200, 360
HEIGHT = 900
SCHEMES = ("light", "dark")


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


def looks(page: Page) -> Iterator[tuple[str, int]]:
    """Make a page light and dark, as narrow as a phone and wide; at the end it is light and wide."""
    for scheme in reversed(SCHEMES):
        page.emulate_media(color_scheme=scheme)
        for width in (PHONE, WIDE):
            page.set_viewport_size({"width": width, "height": HEIGHT})
            yield scheme, width


def take_pictures(page: Page, name: str) -> None:
    """Keep pictures of all looks of a page in the folder that CEPTS_SCREENSHOTS names; without it there are none."""
    folder = os.environ.get("CEPTS_SCREENSHOTS")
    for scheme, width in looks(page) if folder else ():
        Path(str(folder)).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(str(folder), f"{name}-{scheme}-{width}.png"), full_page=True)
