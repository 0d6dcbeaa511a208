"""Settings of all tests: hypothesis draws the same examples each time, and takes the time it needs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.data import find_data_folder, missing_data

if TYPE_CHECKING:
    from pathlib import Path

# Examples of a law that does not say how many it needs; few where every access to an array is checked, and slow.
EXAMPLES = 15 if os.environ.get("NUMBA_BOUNDSCHECK") else 50
settings.register_profile(
    "cepts", derandomize=True, deadline=None, database=None, print_blob=True, max_examples=EXAMPLES
)
settings.load_profile("cepts")

SEED = 20_040_613  # for tests that draw their own numbers


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
