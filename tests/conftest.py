"""Settings of all tests: hypothesis draws the same examples each time, and takes the time it needs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.data import find_data_folder, missing_data

if TYPE_CHECKING:
    from pathlib import Path

CHECKS_BOUNDS = bool(os.environ.get("NUMBA_BOUNDSCHECK"))
FEW = 10  # examples of a law where every access to an array is checked, and slow
settings.register_profile(
    "cepts", derandomize=True, deadline=None, database=None, print_blob=True, max_examples=50
)
settings.load_profile("cepts")

SEED = 20_040_613  # for tests that draw their own numbers


# Two workers take file after file. The first ones compile most kernels, each its own; then come the longest.
FIRST = (
    "aligning/test_contract.py",
    "names/test_phrase_system.py",
    "aligning/test_degenerate.py",
    "characters/test_tasks.py",
    "sentences/test_joint.py",
    "quality/test_filtering.py",
    "docs/test_sessions.py",
    "experiments/test_sentences.py",
    "cli/test_filter.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the files that come first to the front; take few examples of laws where bounds are checked."""
    places = {f"tests/{name}": place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.nodeid.split("::")[0], len(FIRST)))
    take_few_examples(items)


def take_few_examples(items: list[pytest.Item]) -> None:
    """Take few examples of each law, whatever it asks for, where bounds are checked: they show a bad index, too."""
    for item in items if CHECKS_BOUNDS else ():
        function = getattr(item, "function", None)
        asked = getattr(function, "_hypothesis_internal_use_settings", None)
        if asked is not None:
            function._hypothesis_internal_use_settings = settings(
                asked, max_examples=min(FEW, asked.max_examples)
            )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how chance was fixed, and whether the tests on real data could run."""
    terminalreporter.write_line(
        f"hypothesis derandomized, seed {SEED}; data: {find_data_folder() or missing_data()}"
    )


@pytest.fixture
def seed() -> int:
    """The seed for a test that draws its own numbers."""
    return SEED


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data, or a skip that says where it was looked for."""
    folder = find_data_folder()
    if folder is None:
        pytest.skip(missing_data())
    return folder
