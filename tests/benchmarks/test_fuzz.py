"""The fuzzer: some hundred of its cases, and that it sees what it looks for."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import subprocess
import sys
import zipfile
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import Result

if TYPE_CHECKING:
    from collections.abc import Callable

if sys.platform == "win32":
    pytest.skip("it asks the system to end cases, which Windows does in other ways", allow_module_level=True)

import fuzz
from cepts.bounds import BEAM, PROBABILITY
from cepts.cli.main import COMMANDS as ALL_COMMANDS
from cepts.errors import InputError
from fuzzing.cases import believed, judged, state_of, tampered
from fuzzing.commands import COMMANDS, options_of, path_of, random_number
from fuzzing.mutating import PACKED, PLAIN, mutated
from fuzzing.watching import Ended, Seen

ROOT = Path(__file__).parents[2]
CASES = 300
COMPILING = """
import numba
from fuzzing import watching
from fuzzing.watching import Ended, watched

def action(_):
    inner = numba.njit(lambda x: x * x + 1)
    outer = numba.njit(lambda x: inner(x) + inner(x - 1))
    begin = watching.time.process_time()
    assert outer(3) == 15
    return Ended(str(watching.time.process_time() - begin), refused=False)

for seen in watched(action, range(2)):
    print(0 <= seen.seconds < float(seen.ended.what) / 2)
"""
PLANTED = """
import os, re, signal
from fuzzing import watching
from fuzzing.watching import Ended, watched

def action(number):
    if number == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 2:
        re.match("(a+)+b", 40 * "a")
    if number == 3:
        os._exit(7)
    if number == 4:
        while watching.time.process_time() < begin[0] + 1.5:
            pass
    begin[0] = watching.time.process_time()
    return Ended(f"case {number}", refused=False)

begin = [0.0]
watching.LONGEST = 1.0
for seen in watched(action, range(6)):
    print(seen.number, seen.ended.what or seen.ended.wrong, bool(seen.ended.wrong), sep="|")
"""


def process(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with what benchmarks import."""
    places = os.pathsep.join(str(ROOT / name) for name in ("src", ".", "benchmarks", "experiments"))
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": places},
    )


def test_some_hundred_cases() -> None:
    done = process(str(ROOT / "benchmarks" / "fuzz.py"), "--cases", str(CASES), "--seed", "20040613")
    assert done.returncode == 0, done.stdout + done.stderr
    told = [line.split(": ") for line in done.stdout.splitlines()]
    assert [kind for kind, _ in told] == ["commands", *fuzz.SHARES]
    assert sum(int(figures.split()[0]) for _, figures in told) == len(COMMANDS) + CASES


def test_what_hangs_crashes_or_leaves_ends_alone() -> None:
    done = process("-c", PLANTED)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "0|case 0|False",
        "1|its process ended: SIGSEGV|True",
        "2|it took more than 1 s of CPU|True",
        "3|its process ended: status 7|True",
        "4|case 4|True",
        "5|case 5|False",
    ]


def test_the_compilation_of_kernels_and_their_helpers_is_free() -> None:
    done = process("-c", COMPILING)
    assert (done.stdout, done.stderr) == ("True\nTrue\n", "")


@pytest.mark.parametrize(
    ("result", "changed", "wrong"),
    [
        (Result(0, "", "", compiled=False), {"out"}, None),
        (Result(0, "", "cepts: a note\n", compiled=False), {"out"}, None),
        (Result(2, "", "cepts: no such file\n", compiled=False), set(), None),
        (Result(1, "", "cepts: a failure of ours\n", compiled=False), set(), "status 1"),
        (Result(130, "", "cepts: stopped\n", compiled=False), set(), "status 130"),
        (Result(0, "", "RuntimeWarning: overflow\n", compiled=False), set(), "on stderr: RuntimeWarning"),
        (
            Result(2, "", "Traceback (most recent call last):\n", compiled=False),
            set(),
            "on stderr: Traceback",
        ),
        (Result(2, "", f"cepts: {300 * 'a'}\n", compiled=False), set(), "on stderr: cepts: aaa"),
        (Result(2, "", "", compiled=False), set(), "refused without a word"),
        (Result(2, "", "cepts: bad\n", compiled=False), {"out"}, "refused, and yet it wrote out"),
    ],
)
def test_how_a_command_may_end(result: Result, changed: set[str], wrong: str | None) -> None:
    found = judged(result, ["align"], changed)
    assert found is None if wrong is None else str(found).startswith(wrong)


def test_validate_reports_on_stdout_and_a_checkpoint_may_stay() -> None:
    assert judged(Result(2, "line 1: ...\n", "", compiled=False), ["validate", "links"], set()) is None
    kept = ["align", "--checkpoint", "/case/folder"]
    bad = Result(2, "", "cepts: bad\n", compiled=False)
    assert judged(bad, kept, {"folder", "folder/step-000001"}) is None
    assert str(judged(bad, kept, {"folder", "out"})).startswith("refused, and yet it wrote out")


def test_what_is_written_is_seen(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    (tmp_path / "old").write_text("before")
    before = state_of(tmp_path)
    (tmp_path / "temporary" / "x").write_text("looked at elsewhere")
    assert state_of(tmp_path) == before
    (tmp_path / "old").write_text("after")
    (tmp_path / ".new.0123abcd.tmp").write_text("")
    assert {name for name, content in state_of(tmp_path).items() if before.get(name) != content} == {
        "old",
        ".new.0123abcd.tmp",
    }


def raising(error: Exception) -> Callable[[], None]:
    def action() -> None:
        raise error

    return action


def test_errors_of_ours_are_refusals_and_others_are_not() -> None:
    assert believed("it", raising(InputError("line 3"))) == Ended("it", refused=True)
    assert believed("it", raising(KeyError("a"))) == Ended("it", refused=False, wrong="KeyError: 'a'")
    assert believed("it", lambda: None) == Ended("it", refused=False)


@pytest.mark.parametrize(
    "content", [b"", b"0-0 1-1\n", b"<seg>a 1</seg>\n" * 50], ids=["empty", "links", "xml"]
)
def test_a_seed_always_changes_a_file_alike(content: bytes) -> None:
    found = [mutated(content, random.Random(seed), [b"other"]) for seed in range(60)]
    assert found == [mutated(content, random.Random(seed), [b"other"]) for seed in range(60)]
    assert len({changed for changed, _ in found}) > 20
    names = {name for _, names in found for name in names.split()}
    assert names <= {mutation.__name__ for mutation in (*PLAIN, *PACKED)}


def test_the_inside_of_compressed_files_is_changed() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("text.en", b"a house\n" * 9)
    (inside,) = {mutation for mutation in PACKED if mutation.__name__ == "inside"}
    gzipped = gzip.compress(b"a house\n" * 9)
    changed = [inside(gzipped, random.Random(seed), [b"x"]) for seed in range(30)]
    assert len({gzip.decompress(one) for one in changed}) > 10
    members = set()
    for seed in range(30):
        with zipfile.ZipFile(io.BytesIO(inside(archive.getvalue(), random.Random(seed), [b"x"]))) as packed:
            members |= set(packed.namelist())
    assert "text.en" in members
    assert len(members) > 3


def test_every_command_is_tried() -> None:
    assert {command.split()[0] for command in COMMANDS} == set(ALL_COMMANDS) - {"warm"}  # which compiles all
    for command in COMMANDS:
        words = command.split()
        known = {
            name for option in options_of(path_of(words)) for name in (*option.opts, *option.secondary_opts)
        }
        assert {word for word in words if word.startswith("--")} <= known, command


def test_numbers_are_small_at_the_ends_or_beyond() -> None:
    rng = random.Random(1)
    beams = [random_number(BEAM, rng, "--beam") for _ in range(300)]
    assert {"1", "0", "100001", "nan"} <= set(beams)
    assert {number for number in beams if number.isdigit()} <= {"0", "100001", *map(str, range(1, 22))}
    shares = [float(random_number(PROBABILITY, rng, "--min-confidence")) for _ in range(300)]
    assert sum(0 <= share <= 1 for share in shares) > 200


def test_a_folder_is_changed_or_gone(tmp_path: Path) -> None:
    seen = set()
    for seed in range(80):
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "model.json").write_text(json.dumps({"meta": {"a": 1}, "arrays": {}, "texts": {}}))
        what = tampered(folder, random.Random(seed))
        seen.add("gone" if not folder.exists() else "file" if folder.is_file() else what.split()[-1])
    assert {"gone", "file", "signed"} <= seen


def test_the_report_tells_what_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = [
        Seen(0, Ended("this", refused=True), 0.5),
        Seen(1, Ended("that", refused=False, wrong="oh\n"), 2.0),
    ]
    failing = fuzz.tally("files", seen)
    assert failing == fuzz.Tally("files", 2, 1, ["files 1: oh [that]"], 2.5, 2.0)
    assert (
        "files 1: oh [that]\nfiles: 2 cases, 1 refused, 1 failed, 2.5 s of CPU\n" in capsys.readouterr().out
    )
    others = [fuzz.Tally(kind, 9_998, 3, [], 1.0, 0.1) for kind in fuzz.WHAT if kind != "files"]
    fuzz.write_report(Namespace(seed=3, output=tmp_path), [failing, *others])
    written = (tmp_path / "fuzz.md").read_text()
    assert "| that failed: 0 cases | **no** | 1 cases |" in written
    assert "| commands on changed files | 2 | 1 | 1 | 2 |" in written
    assert json.loads((tmp_path / "fuzz.json").read_text())["tallies"][0]["failed"] == ["files 1: oh [that]"]
