"""What must be survived: strange text, readers that leave, signals, caches that cannot be written."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cepts.words.layout import MAX_WORDS
from tests.cli.command import CEPTS, LONGEST, names, run, run_process, start, succeed, without_announcement

if TYPE_CHECKING:
    from tests.cli.conftest import Text

MANY = 4_000


def test_empty_lines_and_sides_are_empty_lines_and_counted(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes("le chat\n\n \t\nle chien\n\u00a0\nle chat".encode())
    target.write_bytes(b"the cat\n\nwhite space\n  \r\n\x0b\nthe cat\r\n")
    result = run("align", source, target, "--scores", "--threads", "2")
    lines = result.out.split("\n")
    assert (result.status, len(lines), lines.pop()) == (0, 7, "")
    assert [bool(line) for line in lines] == [True, False, False, False, False, True]
    assert result.err == "cepts: 4 of 6 pairs have an empty side: their lines of links are empty\n"
    assert succeed("align", source, target, "--scores", "--quiet") == result.out


def test_a_model_answers_blank_text_with_empty_lines(model: Path) -> None:
    result = run("align", "--model", model, "-", stdin=b"\n|||\n \n")
    assert (result.status, result.out) == (0, "\n\n\n")
    assert result.err.startswith("cepts: 3 of 3 pairs have an empty side")


def test_a_single_pair() -> None:
    assert succeed("align", "-", stdin=b"le ||| the") == "0-0\n"


def test_a_line_of_20000_words_in_bounded_memory(tmp_path: Path) -> None:
    text = tmp_path / "text"
    long = " ".join(f"w{k % 1999}" for k in range(20_000))
    text.write_text(f"le chat ||| the cat\n{long} ||| {long}\nle ||| the\n")
    few = ("--iterations", "ibm1=2,hmm=1")
    command = [sys.executable, "-c", WATCHER, str(tmp_path / "peak"), *CEPTS, "align", str(text), *few]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST, check=True)
    lines = done.stdout.decode().split("\n")
    assert len(lines) == 4
    positions = [tuple(map(int, link.split("-"))) for link in lines[1].split()]
    assert len(positions) > 10_000
    assert max(max(position) for position in positions) == 19_999
    expected = f"cepts: 1 of 3 pairs have more than {MAX_WORDS} words on a side: aligned in pieces\n"
    assert without_announcement(done.stderr.decode()) == expected
    kilobyte = 1e6 if os.uname().sysname == "Darwin" else 1e3  # macOS counts in bytes
    peak = float((tmp_path / "peak").read_text()) / kilobyte
    assert peak < 800  # a table of 20,000 x 20,000 float32 alone would be 1,600


# A process is born with the peak of the one that starts it: a small one stands in between.
WATCHER = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[2:]).returncode
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status)
"""


@pytest.fixture(scope="module")
def many(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of some thousand pairs, whose links do not fit into a pipe's buffer."""
    file = tmp_path_factory.mktemp("many") / "text"
    file.write_bytes(text.joined("\t") * (MANY // len(text.pairs)))
    return file


def test_a_reader_that_leaves_ends_it_quietly(model: Path, many: Path) -> None:
    with start("align", "--model", model, many) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"0-0")
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, without_announcement(err.decode())) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_stdout(model: Path, many: Path) -> None:
    with Path("/dev/full").open("wb") as full, start("align", "--model", model, many, stdout=full) as process:
        _, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 2
    assert err.endswith(b"cepts: cannot write to standard output: No space left on device\n")


def test_without_a_stderr_nothing_is_mixed_into_the_links(model: Path) -> None:
    command = shlex.join([*CEPTS, "align", "--model", str(model)])
    done = subprocess.run(
        ["sh", "-c", f"{command} 2>&-"], input=b"\nle ||| the\n", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"\n0-0\n")


def test_without_a_stdout_it_is_said(model: Path) -> None:
    command = shlex.join([*CEPTS, "align", "--model", str(model)])
    done = subprocess.run(["sh", "-c", f"{command} >&-"], input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == "cepts: cannot write to standard output: it is closed; use --output FILE\n"


pty = pytest.importorskip("pty", reason="no pseudo-terminals")


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (signal.SIGINT, ("align", "--threads", "2", "--offsets", "offsets", "--tokenize")),
        (signal.SIGTERM, ("train",)),
    ],
)
def test_a_signal_stops_it_soon_and_leaves_nothing(
    number: signal.Signals, arguments: tuple[str, ...], many: Path, tmp_path: Path
) -> None:
    ours, theirs = pty.openpty()
    long = ("--iterations", "ibm1=2,hmm=1000", "--output", "output")
    with start(*arguments, many, *long, stderr=theirs, cwd=tmp_path, preexec_fn=heed_interrupts) as process:
        os.close(theirs)
        seen = read_until(ours, rb"training 3 of 1002")
        process.send_signal(number)
        rest = read_until(ours, rb"cepts: stopped")
        out, _ = process.communicate(timeout=20)  # all iterations would take longer
    os.close(ours)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in seen + rest
    assert names(tmp_path) == set()
    assert all(word in seen for word in (b"reading", b"training 2 of 1002"))


WHILE_PUTTING_AWAY = """
import signal, time
from cepts.cli import main

class Thing:
    def __del__(self):
        signal.raise_signal(signal.{number})

def work(*arguments, **options):
    Thing()
    for _ in range(400):
        time.sleep(0.05)

main.cepts.main = work
main.main(["align"])
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_that_comes_while_an_object_is_put_away_is_heard(number: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHILE_PUTTING_AWAY.format(number=number)],
        capture_output=True,
        check=False,
        preexec_fn=heed_interrupts,
    )
    assert (done.returncode, done.stderr) == (130, b"cepts: stopped\n")


def test_a_person_at_a_terminal_is_told_what_to_type(model: Path) -> None:
    ours, theirs = pty.openpty()
    with start("align", "--model", model, stdin=theirs) as process:
        os.close(theirs)
        os.write(ours, b"le ||| the\n\x04")  # Ctrl-D
        out, err = process.communicate(timeout=LONGEST)
    os.close(ours)
    assert (process.returncode, out) == (0, b"0-0\n")
    assert without_announcement(err.decode()) == "cepts: type lines of `source ||| target`; Ctrl-D ends\n"


def heed_interrupts() -> None:
    """Undo what a shell does to its background jobs, and our process would inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read_until(terminal: int, pattern: bytes) -> bytes:
    """Read from a terminal until something appears, or the other side has gone."""
    seen = b""
    while not re.search(pattern, seen):
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # what Linux answers when nobody has the other side open
            break
        if not piece:
            break
        seen += piece
    assert re.search(pattern, seen), seen[-500:]
    return seen


def test_compilation_is_announced_once_and_needs_no_cache(tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.write_text("0-0 1-1\n")
    command = ("combine", links, links, "--combine", "union")
    cold, warm = (run_process(*command, env={"CEPTS_CACHE": str(tmp_path / "cache")}) for _ in range(2))
    unwritable = run_process(*command, env={"CEPTS_CACHE": str(links / "no-folder")})
    assert [result.compiled for result in (cold, warm, unwritable)] == [True, False, True]
    assert cold.err == warm.err == ""
    assert re.fullmatch(
        "cepts: compiled kernels cannot be kept .* Set CEPTS_CACHE to a folder .*\n", unwritable.err
    )
    for result in (cold, warm, unwritable):
        assert (result.status, result.out) == (0, "0-0 1-1\n")
