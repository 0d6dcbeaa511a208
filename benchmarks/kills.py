"""A run that is killed again and again, at random moments, and resumed: it must end with the same links.

`cepts align --checkpoint FOLDER --resume` is started, killed with SIGKILL, started again, and so on until so many kills
have hit; then it may end, its links are compared with those of a run that nobody disturbed, and the next begins.
"""

from __future__ import annotations

import argparse
import filecmp
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from corpora import build_corpus
from goals import add_output, row, speed_report, write_results
from signature import signature

SEED = 11
ABOUT = (
    "Processes of `cepts align --checkpoint` killed by SIGKILL at moments drawn evenly from the time that the whole run"
    " takes, then resumed. A round ends when a run comes to its end; its links are compared byte by byte with those of"
    " a run without kills."
)


class Round(NamedTuple):
    """What one round saw: how many kills hit, and whether its links are the same."""

    kills: int
    same: bool


def main(arguments: list[str] | None = None) -> None:
    """Kill, resume, compare; exit with 1 if any links differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--corpus", default="en-fr-hansards", help="default: %(default)s")
    parser.add_argument("--pairs", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--options", default="", help="more options of cepts align")
    add_output(parser)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        rounds = soak(Path(folder), asked)
    kills, same = sum(one.kills for one in rounds), all(one.same for one in rounds)
    rows = [
        row("kills that hit a run", kills, "kills", at_least=asked.kills),
        row(
            "rounds whose links are the same",
            sum(one.same for one in rounds),
            f"of {len(rounds)}",
            len(rounds),
        ),
    ]
    made = signature(f"{asked.corpus}, {asked.pairs} pairs, seed {SEED} {asked.options}".strip(), 2)
    result = {"rows": rows, "signature": made}
    write_results(asked.output, "kills", result, speed_report("Killed and resumed", ABOUT, result))
    sys.exit(0 if same else 1)


def soak(folder: Path, asked: argparse.Namespace) -> list[Round]:
    """Go on until so many kills have hit."""
    corpus = build_corpus(asked.corpus, "dev", asked.pairs, folder)
    command = [sys.executable, "-m", "cepts", "align", str(corpus.source), str(corpus.target), "--quiet"]
    command += ["--threads", "2", *asked.options.split()]
    undisturbed = folder / "undisturbed"
    subprocess.run([*command, "--output", str(undisturbed)], check=True)  # kernels are compiled now
    begin = time.monotonic()
    subprocess.run([*command, "--output", str(undisturbed)], check=True)
    whole = time.monotonic() - begin
    chance, rounds = random.Random(SEED), []
    while sum(one.kills for one in rounds) < asked.kills:
        wanted = asked.kills - sum(one.kills for one in rounds)
        rounds.append(one_round(command, folder, whole, chance, wanted, undisturbed))
        print(f"{rounds[-1].kills} kills, {'the same' if rounds[-1].same else 'OTHER'} links", flush=True)
    return rounds


def one_round(
    command: list[str], folder: Path, whole: float, chance: random.Random, wanted: int, undisturbed: Path
) -> Round:
    """Kill a run until it comes to its end before its killer, or has been killed often enough."""
    checkpoint, output = folder / "checkpoint", folder / "links"
    shutil.rmtree(checkpoint, ignore_errors=True)
    resumed = [*command, "--checkpoint", str(checkpoint), "--resume", "--output", str(output)]
    kills = 0
    while True:
        process = subprocess.Popen(resumed)
        try:
            process.wait(chance.uniform(0, whole) if kills < wanted else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
            continue
        if process.returncode:
            raise SystemExit(f"a resumed run failed with {process.returncode}")
        return Round(kills, filecmp.cmp(output, undisturbed, shallow=False))


if __name__ == "__main__":
    main()
