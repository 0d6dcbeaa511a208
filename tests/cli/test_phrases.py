"""`cepts phrases`."""

from __future__ import annotations

import gzip
import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import LONGEST, names, run, start, succeed, without_announcement

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

# By hand: la was linked to the and to it, each of which was linked to la alone.
SOURCE = "La maison\nLa\n"
TARGET = "the house\nit\n"
LINKS = "0-0 1-1\n0-0\n"
TABLE = """\
La maison ||| the house ||| 1 1 1 0.5 ||| 0-0 1-1 ||| 1 1 1
La ||| it ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1
La ||| the ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1
maison ||| house ||| 1 1 1 1 ||| 0-0 ||| 1 1 1
"""
FILES = {
    "source": SOURCE.encode(),
    "target": TARGET.encode(),
    "links": LINKS.encode(),
    "three": b"a\nb\nc\n",
    "far": b"0-0\n0-0 3-1\n",
    "no-links": b"0-0\nle chat\n",
    "latin1": "La maison\nun été\n".encode("latin-1"),
    "bars": b"La maison\nun ||| deux\n",
    "gap": b"La maison\n\n",
    "empty-line": b"0-0 1-1\n\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small files; no test may change it."""
    folder = tmp_path_factory.mktemp("phrases")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    return folder


def test_a_table_on_stdout(folder: Path) -> None:
    files = (folder / name for name in ("source", "target", "links"))
    assert succeed("phrases", *files, "--output", "-") == TABLE


def test_a_table_in_a_compressed_file(folder: Path, tmp_path: Path) -> None:
    files = (folder / name for name in ("source", "target", "links"))
    assert succeed("phrases", *files, "--output", tmp_path / "table.gz") == ""
    assert gzip.decompress((tmp_path / "table.gz").read_bytes()).decode() == TABLE
    assert names(tmp_path) == {"table.gz"}


def test_every_option_does_something(folder: Path) -> None:
    def lines(*options: str) -> list[str]:
        files = (folder / name for name in ("source", "target", "links"))
        return succeed("phrases", *files, "--output", "-", *options).splitlines()

    assert lines("--max-length", "1") == TABLE.splitlines()[1:]
    assert lines("--min-count", "2") == []
    assert lines("--unaligned", "never", "--memory", "64K") == TABLE.splitlines()
    assert lines("--memory", "1g", "--errors", "replace", "--quiet") == TABLE.splitlines()


def test_from_links_that_were_just_made(text: Text, links: str, tmp_path: Path) -> None:
    """A pipe from `cepts align`: every phrase pair of up to three words, whichever way memory is bounded."""
    files = (text.source, text.target, "-", "--output", "-", "--max-length", "3")
    whole = succeed("phrases", *files, stdin=links.encode())
    assert succeed("phrases", *files, "--memory", "64K", stdin=links.encode()) == whole
    lines = whole.encode().splitlines()
    assert lines == sorted(lines)
    assert len(lines) > 500
    assert succeed("phrases", *files[:3], "--output", tmp_path / "table", stdin=links.encode()) == ""


def test_pairs_that_give_no_phrases_are_counted_and_said(folder: Path) -> None:
    bars = run("phrases", folder / "bars", folder / "target", folder / "links", "--output", "-")
    said = "cepts: 1 of 2 pairs have a word with '|||', which would break the table: no phrases of them\n"
    assert (bars.status, bars.err) == (0, said)
    assert bars.out.splitlines()[0].startswith("La maison ||| the house |||")
    assert len(bars.out.splitlines()) == 3
    gap = run("phrases", folder / "gap", folder / "target", folder / "empty-line", "--output", "-")
    assert (gap.status, gap.err) == (0, "cepts: 1 of 2 pairs have an empty side: no phrases of them\n")
    files = (folder / "gap", folder / "target", folder / "empty-line")
    assert succeed("phrases", *files, "--output", "-", "--quiet") == gap.out


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        (
            "source target far",
            r"far, line 2: link 3-1 \(from 0\) is outside of its pair, which has 1 source and 1 target words; .*",
        ),
        (
            "source target three",
            "three, line 1: 'a' is not a link, expected i-j .*",
        ),
        (
            "three three links",
            "three has 3 lines, links has 2: line k of links must have the links of line k of three",
        ),
        (
            "source three links",
            "source has 2 lines, three has 3: line k of three must translate line k of source",
        ),
        ("source target no-links", "no-links, line 2: 'le' is not a link, expected i-j .*"),
        (
            "latin1 target links",
            "latin1, line 2: invalid UTF-8, byte 0xe9 at byte 4 of the line; .*--errors replace",
        ),
        ("source target nowhere", "nowhere: no such file"),
        ("- - links", "source, target and links: only one of them can be standard input"),
        ("source", "LINKS is missing; give SOURCE TARGET LINKS, or a file with both languages and LINKS"),
        ("source target", "LINKS is missing: target holds text, not links; give SOURCE TARGET LINKS, .*"),
        ("source target links --output folder", "cannot write folder: it is a folder; name a file"),
        (
            "source target links --output nowhere/table",
            "cannot write nowhere/table: there is no folder .*/nowhere; create it first",
        ),
        ("nowhere nowhere nowhere --max-length 0", "--max-length 0: expected a number from 1 to 32767"),
        ("nowhere nowhere nowhere --unaligned x", "unaligned 'x': expected one of edges, inside, never"),
        ("nowhere nowhere nowhere --min-count 0", "--min-count 0: expected a number from 1 to 1000000000"),
        (
            "nowhere nowhere nowhere --memory much",
            r"--memory much: expected a number of bytes, such as 256M \(K, M, G and T are known\)",
        ),
        (
            "nowhere nowhere nowhere --memory 1K",
            r"memory of 1024 bytes: expected at least 65536 \(64K\)",
        ),
    ],
)
def test_what_is_refused(folder: Path, arguments: str, pattern: str) -> None:
    before = names(folder)
    given = arguments.split()
    output = [] if "--output" in given else ["--output", "table"]
    result = run("phrases", *given, *output, cwd=folder)
    assert re.fullmatch(f"cepts: {pattern}\n", result.err), result.err
    assert (result.status, result.out) == (2, "")
    assert names(folder) == before


def test_the_output_must_be_named(folder: Path) -> None:
    result = run("phrases", "source", "target", "links", cwd=folder)
    assert (result.status, result.err) == (2, "cepts: --output FILE is missing; see cepts phrases --help\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_behind(
    number: signal.Signals, text: Text, links: str, tmp_path: Path
) -> None:
    times = 200
    for name, content in (
        ("source", text.source.read_text("utf-8")),
        ("target", text.target.read_text("utf-8")),
    ):
        (tmp_path / name).write_text(content * times, "utf-8")
    (tmp_path / "links").write_text(links * times)
    before = names(tmp_path)
    files = ("source", "target", "links", "--output", "table", "--memory", "64K")
    with start("phrases", *files, cwd=tmp_path, preexec_fn=heed_interrupts) as process:
        until = time.monotonic() + LONGEST
        while not any("by-target/" in name for name in names(tmp_path)):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, without_announcement(err.decode()).strip()) == (
        130,
        b"",
        "cepts: stopped",
    )
    assert names(tmp_path) == before


def heed_interrupts() -> None:
    """Undo what a shell does to its background jobs, and our process would inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
