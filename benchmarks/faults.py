"""A run on a cluster whose workers are killed, hang, and lose their bits, and whose scheduler goes: the same links.

`cepts align --dask` runs as a process of its own, on a cluster that this script starts and disturbs: workers are killed
at random moments, again and again; one is stopped by SIGSTOP; a byte of a kept chunk is changed; the scheduler is
ended, and the run resumed with another. Every other run has so little memory that workers keep the lexicon, too.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from distributed import Client, LocalCluster

from cepts.running.connecting import be_quiet
from corpora import build_corpus
from goals import add_output, row, speed_report, write_results
from signature import signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEED, WORKERS = 11, 2
HANGING = 10  # seconds at one task after which a worker hangs
LITTLE = ("--memory", "250M")  # with which the client keeps no lexicon
SOON = 30.0  # seconds within which a run ends whose scheduler has gone
ABOUT = (
    "`cepts align --dask` on two local workers, disturbed at moments drawn evenly from the time that a run takes."
    " Links are compared byte by byte with those of two threads. In every other run the workers keep the lexicon, as"
    " they do where it is too large for the client."
)


class Round(NamedTuple):
    """What happened to a run: how many times, whether its links are the same, and how long it took to end."""

    what: str
    events: int
    same: bool
    seconds: float = 0.0


class Soak:
    """Runs of one command, their cluster, and what they should write."""

    def __init__(self, folder: Path, asked: argparse.Namespace) -> None:
        corpus = build_corpus(asked.corpus, "dev", asked.pairs, folder)
        self.folder, self.chance = folder, random.Random(SEED)
        self.runs = 0
        self.command = [sys.executable, "-m", "cepts", "align", str(corpus.source), str(corpus.target)]
        self.command += ["--quiet", *asked.options.split()]
        self.expected, self.output = folder / "expected", folder / "links"
        subprocess.run([*self.command, "--threads", str(WORKERS), "--output", str(self.expected)], check=True)
        self.whole = 1e9
        for _ in range(2):  # kernels are compiled the first time
            self.disturbed("nothing", kill, 0)

    def start(self, client: Client, *more: str) -> subprocess.Popen[bytes]:
        """Start a run on a cluster."""
        self.output.unlink(missing_ok=True)
        self.runs += 1
        place = ["--dask", client.scheduler.address, "--task-timeout", str(HANGING)]
        place += LITTLE if self.runs % 2 else ()
        return subprocess.Popen([*self.command, *place, "--output", str(self.output), *more])

    def moment(self) -> float:
        """Draw a moment of a run."""
        return self.chance.uniform(0.3, 0.9) * self.whole

    def is_same(self) -> bool:
        """Tell whether the run wrote what it should."""
        return self.output.exists() and filecmp.cmp(self.output, self.expected, shallow=False)

    def disturbed(self, what: str, event: Callable[[Client, random.Random], None], most: int) -> Round:
        """Let something happen at most so many times while a run goes on."""
        events = 0
        with workers() as client:
            begin = time.monotonic()
            process = self.start(client)
            while events < most:
                try:
                    process.wait(self.moment())
                    break
                except subprocess.TimeoutExpired:
                    event(client, self.chance)
                    events += 1
            process.wait()
            if not events:
                self.whole = min(self.whole, time.monotonic() - begin)
        return Round(what, events, process.returncode == 0 and self.is_same())

    def once(self, what: str, event: Callable[[Client, random.Random], None]) -> Round:
        """Let something happen once, in another run where it came too late."""
        while not (one := self.disturbed(what, event, 1)).events:
            pass
        return one

    def without_scheduler(self) -> Round:
        """End the scheduler in the middle of a run, and resume it with another."""
        folder = self.folder / "checkpoint"
        shutil.rmtree(folder, ignore_errors=True)
        saving = ("--checkpoint", str(folder), "--resume")
        with workers() as client:
            process = self.start(client, *saving)
            while not list(folder.glob("step-*")) and process.poll() is None:
                time.sleep(0.1)
            client.cluster.close()
        begin = time.monotonic()
        status = process.wait()
        seconds = time.monotonic() - begin
        with workers() as client:
            resumed = self.start(client, *saving).wait()
        same = status == 2 and resumed == 0 and self.is_same()
        return Round("scheduler ended", 1, same, seconds)


@contextmanager
def workers() -> Iterator[Client]:
    """Start a cluster that looks after its workers."""
    be_quiet()
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def kill(client: Client, chance: random.Random) -> None:
    """Kill a worker, if one is there."""
    _signal(client, chance, signal.SIGKILL)


def hang(client: Client, chance: random.Random) -> None:
    """Stop a worker, as if it hung."""
    _signal(client, chance, signal.SIGSTOP)


def _signal(client: Client, chance: random.Random, number: signal.Signals) -> None:
    found = sorted(client.run(os.getpid, on_error="ignore").values())
    if found:
        os.kill(chance.choice(found), number)


def corrupt(client: Client, chance: random.Random) -> None:  # noqa: ARG001
    """Change a byte of everything that workers keep, and have it checked anew."""
    client.run(_corrupt)


def _corrupt(dask_worker: object) -> None:
    from cepts.running.sealing import Sealed

    for thing in list(dask_worker.data.values()):  # type: ignore[attr-defined]
        if isinstance(thing, Sealed) and thing.arrays:
            array = thing.arrays[0].copy()
            array[len(array) // 2 : len(array) // 2 + 1] ^= 1
            thing.arrays[0], thing._is_checked = array, False


def main(arguments: list[str] | None = None) -> None:
    """Disturb, compare; exit with 1 if any links differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--corpus", default="en-fr-hansards", help="default: %(default)s")
    parser.add_argument("--pairs", type=int, default=50_000, help="default: %(default)s")
    parser.add_argument("--options", default="", help="more options of cepts align")
    add_output(parser)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        rounds = list(soaked(Soak(Path(folder), asked), asked.kills))
    made = signature(f"{asked.corpus}, {asked.pairs} pairs, seed {SEED} {asked.options}".strip(), WORKERS)
    result = {"rows": rows_of(rounds, asked.kills), "signature": made}
    write_results(asked.output, "faults", result, speed_report("A cluster in trouble", ABOUT, result))
    sys.exit(0 if all(one.same for one in rounds) else 1)


def soaked(soak: Soak, kills: int) -> Iterator[Round]:
    """Go on until so many kills have hit; then the others."""
    hit = 0
    while hit < kills:
        one = told(soak.disturbed("workers killed", kill, min(3, kills - hit)))
        hit += one.events
        yield one
    for what, event in (("a worker that hangs", hang), ("what workers keep corrupted", corrupt)):
        yield told(soak.once(what, event))
        yield told(soak.once(what, event))
    yield told(soak.without_scheduler())


def told(one: Round) -> Round:
    """Tell whoever waits."""
    print(f"{one.what}: {one.events}, {'the same' if one.same else 'OTHER'} links", flush=True)
    return one


def rows_of(rounds: list[Round], kills: int) -> list[dict[str, object]]:
    """Make rows of what happened."""
    killed = sum(one.events for one in rounds if one.what == "workers killed")
    same = sum(one.same for one in rounds)
    rows = [
        row("workers killed in the middle of a run", killed, "kills", at_least=kills),
        row("rounds whose links are the same", same, f"of {len(rounds)}", at_least=len(rounds)),
    ]
    others = Counter(one.what for one in rounds if one.what != "workers killed")
    rows += [row(what, times, "times") for what, times in others.items()]
    rows.append(row("until a run ends whose scheduler has gone", rounds[-1].seconds, "s", at_most=SOON))
    return rows


if __name__ == "__main__":
    main()
