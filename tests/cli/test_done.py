"""The last line of a command; texts without pairs; the bar on a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import CEPTS, LONGEST, done, names, refused, succeed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text


def test_the_last_line_counts_and_names_the_output(text: Text, tmp_path: Path) -> None:
    said = done("align", text.source, text.target, "--output", tmp_path / "links")
    pairs = len(text.pairs)
    links = sum(len(line.split()) for line in (tmp_path / "links").read_text().splitlines())
    pattern = rf"{pairs} pairs, {links:,} links in \d+\.\d s, written to {re.escape(str(tmp_path / 'links'))}"
    assert re.fullmatch(pattern, said)


def test_stdout_is_not_named_and_quiet_says_nothing(text: Text) -> None:
    assert re.fullmatch(r"[\d,]+ pairs, [\d,]+ links in \d+\.\d s", done("align", text.source, text.target))
    assert done("align", text.source, text.target, "--quiet") == ""


def test_other_commands_end_with_such_a_line_too(text: Text, tmp_path: Path) -> None:
    links, model, table = tmp_path / "links", tmp_path / "model", tmp_path / "table"
    pairs = f"{len(text.pairs)} pairs"
    succeed("align", text.source, text.target, "--output", links)
    said = done("phrases", text.source, text.target, links, "--output", table)
    assert said.startswith(f"{pairs}, {len(table.read_text().splitlines()):,} phrase pairs in ")
    assert done("convert", links, "--format", "naacl").startswith(f"{pairs}, ")
    assert done("train", text.source, text.target, "--output", model).endswith(f"written to {model}")
    assert done("align", "--model", model, stdin=b"a ||| b\n").startswith("1 pair in ")
    clean = tmp_path / "clean"
    said = done("filter", text.source, text.target, "--output", clean)
    assert re.search(r"written to \S+/clean.src, \S+/clean.tgt and \S+/clean.dropped.tsv$", said)


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "nothing").write_bytes(b"")
    return tmp_path / "nothing"


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--scores",
        "--tokenize",
        "--format jsonl",
        "--format cepts --combine cepts",
        "--direction forward --n-best 3",
        "--method bidirectional",
    ],
)
def test_of_no_pairs_come_no_lines(options: str, empty: Path) -> None:
    for files in ([empty, empty], [empty]):
        assert succeed("align", *files, *options.split()) == ""
    assert done("align", empty, empty, *options.split()).startswith("0 pairs in ")


def test_further_outputs_of_no_pairs_are_empty_too(empty: Path, tmp_path: Path) -> None:
    outputs = {name: tmp_path / name for name in ("output", "offsets", "certificates")}
    given = [word for name, path in outputs.items() for word in (f"--{name}", path)]
    succeed("align", empty, empty, "--tokenize", "--combine", "dual", *given)
    assert [path.read_bytes() for path in outputs.values()] == [b"", b"", b""]


def test_a_model_answers_a_text_without_pairs(empty: Path, text: Text, tmp_path: Path) -> None:
    succeed("train", text.source, text.target, "--output", tmp_path / "model")
    assert succeed("align", "--model", tmp_path / "model", empty, empty) == ""
    assert succeed("align", "--model", tmp_path / "model") == ""
    assert succeed("filter", "--model", tmp_path / "model", empty, empty, "--scores") == ""


def test_one_file_without_pairs(tmp_path: Path) -> None:
    (tmp_path / "memory.tmx").write_text(
        '<tmx version="1.4"><header srclang="en"/><body></body></tmx>', encoding="utf-8"
    )
    assert succeed("align", tmp_path / "memory.tmx") == ""
    assert "<body>\n</body>" in succeed(
        "align",
        tmp_path / "memory.tmx",
        "--format",
        "tmx",
        "--source-language",
        "en",
        "--target-language",
        "fr",
    )


def test_the_filter_of_no_pairs_keeps_none(empty: Path, tmp_path: Path) -> None:
    assert succeed("filter", empty, empty, "--scores") == ""
    for files in ([empty, empty], [empty]):
        succeed("filter", *files, "--output", tmp_path / "clean")
        assert names(tmp_path) == {"nothing", "clean.src", "clean.tgt", "clean.dropped.tsv"}
        assert (tmp_path / "clean.src").read_bytes() == (tmp_path / "clean.tgt").read_bytes() == b""


def test_links_of_no_pairs_are_converted(empty: Path) -> None:
    assert succeed("convert", empty, "--format", "naacl") == ""
    assert succeed("convert", empty, "--format", "jsonl") == ""
    texts = ("--source", empty, "--target", empty)
    assert succeed("convert", empty, *texts, "--format", "jsonl") == ""
    subwords = ("--source-subwords", empty, "--target-subwords", empty)
    assert succeed("convert", empty, "--to-subwords", *subwords, "--format", "pharaoh") == ""


def test_nothing_can_be_learned_from_no_pairs(empty: Path, tmp_path: Path) -> None:
    said = refused("train", empty, empty, "--output", tmp_path / "model")
    assert said == f"no sentence pairs: {empty} and {empty} are empty"
    assert names(tmp_path) == {"nothing"}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_is_told_in_words_how_far_it_is(text: Text, tmp_path: Path) -> None:
    import pty

    terminal, stderr = pty.openpty()
    command = [*CEPTS, "align", str(text.source), str(text.target), "--output", str(tmp_path / "links")]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    process = subprocess.Popen(command, stderr=stderr, env=environment)
    os.close(stderr)
    said = b""
    with suppress(OSError):  # that is how a terminal ends
        while piece := os.read(terminal, 4096):
            said += piece
    os.close(terminal)
    assert process.wait(LONGEST) == 0
    drawn = said.decode()
    assert [number for number in range(1, 10) if f"training {number} of 9" in drawn] == [*range(1, 10)]
    assert "linking" in drawn
    last = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", drawn).strip().splitlines()[-1]
    assert last.startswith(f"cepts: done: {len(text.pairs)} pairs, ")
