"""What the pages print below a command, or below `>>>`, is what one gets."""

from __future__ import annotations

import doctest
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import PAGES, README, ROOT, fences, named, read
from tests.docs.sessions import alike, refreshed, replay

if TYPE_CHECKING:
    from pathlib import Path

WITH_SESSIONS = [page for page in PAGES if fences(read(page), "console")]
WITH_PYTHON = [page for page in PAGES if ">>> " in read(page)]


@pytest.mark.skipif(shutil.which("bash") is None, reason="the pages speak to bash")
@pytest.mark.parametrize("page", WITH_SESSIONS, ids=named)
def test_the_sessions_of_a_page_are_true(page: Path, tmp_path: Path) -> None:
    for entry, output in replay(read(page), tmp_path):
        assert alike(output, entry.output), (
            f"{named(page)}: `{entry.command}` now prints\n"
            + "\n".join(output)
            + "\nand not\n"
            + "\n".join(entry.output)
            + "\nIf that is meant, run: python -m tests.docs.sessions"
        )


@pytest.mark.parametrize("page", WITH_PYTHON, ids=named)
def test_the_python_examples_of_a_page_are_true(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block for block in fences(read(page), "python") if ">>> " in block.text]
    assert sum(block.text.count(">>> ") for block in blocks) == read(page).count(">>> ")
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for block in blocks:  # one after the other, with the names of those before
        test = doctest.DocTestParser().get_doctest(
            block.text, names, named(page), str(page), block.lines_before
        )
        runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def test_the_pages_with_examples_are_found() -> None:
    assert README in WITH_SESSIONS
    assert {README, ROOT / "docs" / "python.md"} <= set(WITH_PYTHON)


def test_a_wrong_output_is_noticed_and_rewritten(tmp_path: Path) -> None:
    page = "```console\n$ printf 'a 1.00\\nb 2\\nc\\n'\na 1.01\nb 3\n...\n```\n"
    ((entry, output),) = replay(page, tmp_path)
    assert output == ["a 1.00", "b 2", "..."]
    assert not alike(output, entry.output)
    assert refreshed(page, tmp_path) == page.replace("a 1.01\nb 3", "a 1.00\nb 2")
