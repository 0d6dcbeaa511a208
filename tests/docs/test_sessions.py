"""What the pages print below a command, or below `>>>`, is what one gets."""

from __future__ import annotations

import doctest
import os
import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import PAGES, README, ROOT, fences, named, read
from tests.docs.sessions import alike, refreshed, replay, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WITH_SESSIONS = [page for page in PAGES if fences(read(page), "console")]
WITH_PYTHON = [page for page in PAGES if ">>> " in read(page)]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | None]:
    """A `cepts` that starts faster, where processes can fork and hand over their streams."""
    if not hasattr(os, "fork") or not hasattr(socket, "send_fds"):
        yield None
        return
    from tests.docs.warm import warm_command

    with warm_command(tmp_path_factory.mktemp("warm")) as folder:
        yield folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="the pages speak to bash")
@pytest.mark.parametrize("page", WITH_SESSIONS, ids=named)
def test_the_sessions_of_a_page_are_true(page: Path, tmp_path: Path, programs: Path | None) -> None:
    for entry, output in replay(read(page), tmp_path, programs):
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
    assert {README, ROOT / "docs" / "python.md", ROOT / "docs" / "python-reference.md"} <= set(WITH_PYTHON)


def test_a_wrong_output_is_noticed_and_rewritten(tmp_path: Path) -> None:
    page = "```console\n$ printf 'a 1.00\\nb 2\\nc\\n'\na 1.01\nb 3\n...\n```\n"
    ((entry, output),) = replay(page, tmp_path)
    assert output == ["a 1.00", "b 2", "..."]
    assert not alike(output, entry.output)
    assert refreshed(page, tmp_path) == page.replace("a 1.01\nb 3", "a 1.00\nb 2")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process must fork")
def test_the_command_that_is_loaded_already_is_like_any_other(programs: Path | None, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    for command in (
        "cepts --version; echo $?",
        "cepts align nowhere nothing; echo $?",
        "cd here; printf 'a ||| b\n' | cepts align --input-format pipes - --quiet | cat; echo ${PIPESTATUS[@]}",
        "cepts align --sample | head -n 1",
        "cepts align <(echo a b) <(echo c d; echo e) | wc -l",
    ):
        assert run(command, tmp_path, programs) == run(command, tmp_path), command
