"""Cases drawn at random, of all that users and strangers may give: none may fail, hang, or leave anything behind.

    benchmarks/fuzz.py                           all of it, with a report
    benchmarks/fuzz.py --cases 300 --seed 7      so many files, options, folders and calls, and nothing else
    benchmarks/fuzz.py --only files --case 17 --seed 7     one case again, with what came of it

A case is told by its kind, its number and the seed. Files of all formats are changed at random, and read by commands;
commands get options, right and wrong ones; folders of models, texts and checkpoints are tampered with; public functions
are called with wrong arguments. A case fails if a command leaves with a status other than 0 and 2, raises anything but
a `CeptsError`, says more than it should, takes more than 10 s of CPU, changes its input, or leaves something behind.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import chdir, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import ROOT
from goals import add_output, row, speed_report, write_results
from signature import signature

sys.path.append(str(ROOT))  # wrong values, damaged folders and commands are those of the tests

from fuzzing.caches import damaged_caches
from fuzzing.cases import Cases
from fuzzing.commands import COMMANDS
from fuzzing.material import Material
from fuzzing.watching import LONGEST, Seen, watched
from paper_tables.markdown import markdown, section
from tests.api.calls import public, wrong_calls
from tests.api.valid import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CASES = 10_000  # drawn for a report
SHARES = {"files": 0.4, "options": 0.25, "folders": 0.2, "api": 0.15}  # of the cases
CHECKED = {"bitexts": 200, "checkpoints": 1000}  # cases in which the bounds of all arrays are checked
BOUNDS = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"}  # of kernels, in a cache of their own
DRAWN = (*SHARES, *CHECKED)
IN_MEMORY = Path("/dev/shm")  # outputs are synced to the disk, thousands of times
WHAT = {
    "commands": "commands as they stand",
    "files": "commands on changed files",
    "options": "commands with random options",
    "folders": "commands on tampered folders",
    "api": "calls with wrong arguments",
    "bitexts": "tampered bitexts, bounds checked, refused or harmless",
    "checkpoints": "tampered checkpoints, bounds checked, refused or harmless",
    "caches": "damaged files of the cache of kernels, healed",
    "table": "calls of the whole interface with one wrong value",
}
ABOUT = (
    "Cases drawn at random: files of all formats with changed bits, lines, numbers and encodings, commands with right"
    " and wrong options, folders that were tampered with, calls with wrong arguments. A case fails if its status is"
    " neither 0 nor 2, if anything but a `CeptsError` is raised, if it takes more than 10 s of CPU, if it changes its"
    " input, or if it leaves a temporary file or, where it is refused, any file behind."
)


class Tally(NamedTuple):
    """What came of the cases of a kind: how many, how many were refused, what failed, and the CPU they took."""

    kind: str
    cases: int
    refused: int
    failed: list[str]
    seconds: float
    longest: float


def main(arguments: list[str] | None = None) -> None:
    """Run cases; leave with 1 if any failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, help="run so many cases and write no report")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--only", choices=DRAWN, metavar="KIND", help=f"one of {', '.join(DRAWN)}")
    parser.add_argument("--case", type=int, help="run this case alone")
    parser.add_argument("--tally", type=Path, metavar="FILE", help="keep what came of --only there")
    add_output(parser)
    asked = parser.parse_args(arguments)
    memory = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory, prefix="fuzz-") as folder:
        place = Path(folder)
        material = Material(place / "material")
        if asked.only not in CHECKED:
            material.build()
        cases = Cases(material, asked.seed, place)
        if asked.case is not None:
            sys.exit(show(cases, asked.only, asked.case))
        shares = SHARES if asked.only is None else {asked.only: 1.0}
        most = asked.cases or CASES
        counts = {kind: round(share * most) for kind, share in shares.items()}
        if asked.only is None:
            counts = {"commands": len(COMMANDS), **counts}
        tallies = [
            tally(kind, watched(partial(cases.run, kind), range(count))) for kind, count in counts.items()
        ]
        if asked.tally is not None:
            asked.tally.write_text(json.dumps(tallies[0]._asdict()))
        if asked.cases is None:
            tallies += [with_bounds(kind, count, asked.seed, place) for kind, count in CHECKED.items()]
            tallies += [damaged(material, place), api_table(place)]
            write_report(asked, tallies)
    sys.exit(any(one.failed for one in tallies))


def tally(kind: str, seen: Iterable[Seen]) -> Tally:
    """Count cases, and tell of each that failed."""
    cases, refused, failed, seconds = 0, 0, list[str](), [0.0]
    for one in seen:
        cases += 1
        refused += one.ended.refused
        seconds.append(one.seconds)
        if one.ended.wrong is not None:
            failed.append(f"{kind} {one.number}: {one.ended.wrong.strip()} [{one.ended.what}]")
            print(failed[-1], flush=True)
    print(
        f"{kind}: {cases} cases, {refused} refused, {len(failed)} failed, {sum(seconds):.1f} s of CPU",
        flush=True,
    )
    return Tally(kind, cases, refused, failed, sum(seconds), max(seconds))


def show(cases: Cases, kind: str, number: int) -> int:
    """Run one case within this process, and say what came of it."""
    ended = cases.run(kind, number)
    print(f"{ended.what}\n{'refused' if ended.refused else 'done'}; wrong: {ended.wrong}")
    return int(ended.wrong is not None)


def with_bounds(kind: str, cases: int, seed: int, place: Path) -> Tally:
    """Run cases in a process whose kernels check the bounds of every array."""
    result = place / f"{kind}.json"
    command = [sys.executable, __file__, "--only", kind, "--cases", str(cases), "--seed", str(seed)]
    cache = {"CEPTS_CACHE": str(place / "checked")}
    subprocess.run([*command, "--tally", str(result)], env=os.environ | BOUNDS | cache, check=False)
    return Tally(**json.loads(result.read_text()))


def damaged(material: Material, place: Path) -> Tally:
    """Damage files of the cache of kernels."""
    seen = [Seen(number, ended, 0.0) for number, ended in enumerate(damaged_caches(material, place))]
    return tally("caches", seen)


def api_table(place: Path) -> Tally:
    """Call every public function with every wrong value."""
    world, calls, failed = World(place / "table"), 0, list[str]()
    world.folder.mkdir()
    with closing(world), chdir(world.folder):
        for one in public():
            for said, error in wrong_calls(one, world):
                calls += 1
                if error is not None:
                    failed.append(f"{one.name}, {said}: {error!r}")
    return Tally("table", calls, calls, failed, 0.0, 0.0)


def write_report(asked: argparse.Namespace, tallies: Sequence[Tally]) -> None:
    """Write figures."""
    by_kind = {one.kind: one for one in tallies}
    drawn = [by_kind[kind] for kind in SHARES]
    cases, failed = sum(one.cases for one in drawn), sum(len(one.failed) for one in drawn)
    table = by_kind["table"]
    rows = [
        row("cases drawn at random", cases, "cases", at_least=CASES),
        row("that failed", failed, "cases", at_most=0),
        row("the longest", max(one.longest for one in drawn), "s of CPU", at_most=LONGEST),
        *(held(by_kind[kind]) for kind in (*CHECKED, "caches")),
        row(
            "foreign exceptions in the table of wrong values",
            len(table.failed),
            f"in {table.cases:,} calls",
            0,
        ),
    ]
    kinds = [
        [WHAT[one.kind], f"{one.cases:,}", f"{one.refused:,}", str(len(one.failed)), f"{one.seconds:.0f}"]
        for one in tallies
    ]
    tried = section("What was tried", markdown(["kind", "cases", "refused", "failed", "CPU s"], kinds))
    made = signature(f"seed {asked.seed}", 1)
    result = {"rows": rows, "tallies": [one._asdict() for one in tallies], "signature": made}
    write_results(asked.output, "fuzz", result, speed_report("Fuzzed", ABOUT, result, [tried]))


def held(one: Tally) -> dict[str, Any]:
    """Make a row of cases of which none may fail."""
    return row(WHAT[one.kind], one.cases - len(one.failed), f"of {one.cases:,}", at_least=one.cases)


if __name__ == "__main__":
    main()
