"""How fast `cepts serve` answers: batches of pairs, and single pairs at a steady rate, asked by wrk and hey.

    python benchmarks/service.py --seconds 600

A model is trained on the first pairs of a corpus, and served on a free port of loopback. wrk sends batches of pairs
of about 20 words as fast as they are answered; hey sends single ones, a hundred a second. Server and clients share the
machine. Both tools are Debian packages. The report is `benchmarks/results/service.md`, with the same figures as JSON
beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import both_sides, read_pairs, words_folder, write_pairs
from goals import Row, add_output, row, speed_report, write_results
from paper_tables.command import positive, say
from signature import installed, signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpora import Pair

CORPUS, PAIRS = "en-fr-hansards", 50_000
WORDS = (18, 22)  # of both sides of the pairs that are sent
BATCH, BATCHES = 100, 20
CLIENTS, WORKERS, RATE = (
    5,
    2,
    10,
)  # processes of hey with a pair each, workers of each, requests a second of each
PAIRS_GOAL, P99_GOAL = 2000, 50  # pairs a second, milliseconds
SCRIPT = Path(__file__).with_suffix(".lua")
ADDRESS = re.compile(r"^serving on (http://\S+/)$")
PERCENTILE = re.compile(r"^\s*(50|99)% in ([0-9.]+) secs$", re.MULTILINE)
STATUS = re.compile(r"^\s*\[(\d+)\]\s+(\d+) responses$", re.MULTILINE)
FAILED = re.compile(r"^\s*\[(\d+)\]\s+(?!\d+ responses$)\S", re.MULTILINE)
ABOUT = (
    "`cepts serve --threads 2` with a model of {pairs:,} pairs of {corpus}, asked on loopback for {seconds} seconds"
    " each: by wrk with batches of {batch} pairs of {least} to {most} words a side, 4 connections; and by {clients}"
    " processes of hey with a pair each, {rate} requests a second together. Server and clients share the machine. Of"
    " hey's processes the slowest is shown; a status other than 200, a failed connection or a time-out is an error."
    " CPU time is that of the server."
)


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write figures and report."""
    options = parse(arguments)
    check_tools()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        some = prepare(folder, options.corpus, options.pairs)
        with served(folder / "model") as server:
            rows = batch_rows(folder, server, some, options.seconds)
            rows += single_rows(folder, server, some, options.seconds)
    about = ABOUT.format(
        pairs=options.pairs,
        corpus=options.corpus,
        seconds=options.seconds,
        batch=BATCH,
        least=WORDS[0],
        most=WORDS[1],
        clients=CLIENTS,
        rate=CLIENTS * WORKERS * RATE,
    )
    versions = f"uvicorn {installed('uvicorn')}, FastAPI {installed('fastapi')}"
    result = {"rows": rows, "signature": signature(f"{options.seconds} seconds each; {versions}", 2)}
    write_results(options.output, "service", result, speed_report("The service: how fast", about, result))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", default=CORPUS, help="(default: %(default)s)")
    parser.add_argument("--pairs", type=positive, default=PAIRS, help="to train on (default: %(default)s)")
    parser.add_argument("--seconds", type=positive, default=600, help="of each load (default: %(default)s)")
    add_output(parser)
    return parser.parse_args(arguments)


def check_tools() -> None:
    """End where a load tool is missing."""
    for tool in ("wrk", "hey"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is not installed: apt-get install {tool}")


def prepare(folder: Path, corpus: str, count: int) -> list[Pair]:
    """Train a model, and choose the pairs that are sent."""
    pairs = first_pairs(corpus, count)
    write_pairs(pairs, folder / "source", folder / "target")
    say(f"training on {len(pairs):,} pairs")
    command = ["train", folder / "source", folder / "target", "--output", folder / "model", "--threads", "2"]
    subprocess.run([sys.executable, "-m", "cepts", *map(str, command), "--quiet"], check=True)
    return chosen(pairs)


def first_pairs(corpus: str, count: int) -> list[Pair]:
    """Read the first pairs of a corpus that have words on both sides."""
    return list(islice(filter(both_sides, read_pairs(words_folder() / corpus, "train", ".xz")), count))


def chosen(pairs: list[Pair]) -> list[Pair]:
    """Pick pairs of the wanted lengths, as many as all batches hold; few are sent more than once."""
    least, most = WORDS
    fitting = [pair for pair in pairs if all(least <= side.count(" ") + 1 <= most for side in pair)]
    if not fitting:
        raise SystemExit(f"no pair has {least} to {most} words on both sides: give more --pairs")
    wanted = BATCH * BATCHES
    return (fitting * (wanted // len(fitting) + 1))[:wanted]


class Server(NamedTuple):
    """A process that serves, and its address."""

    process: int
    address: str

    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used, or nothing where no file tells."""
        try:
            fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(model: Path, *options: str) -> Iterator[Server]:
    """Serve a model on a free port."""
    command = [sys.executable, "-m", "cepts", "serve", str(model), "--port", "0", "--threads", "2", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            for line in server.stderr:
                if found := ADDRESS.match(line):
                    say(line.strip())
                    yield Server(server.pid, found[1])
                    break
        finally:
            server.terminate()
    if server.returncode:
        raise SystemExit(f"the server ended with status {server.returncode}")


def body(pairs: list[Pair]) -> str:
    """Write a request."""
    return json.dumps({"pairs": [{"source": source, "target": target} for source, target in pairs]})


def batch_rows(folder: Path, server: Server, pairs: list[Pair], seconds: int) -> list[Row]:
    """Send batches as fast as they are answered."""
    starts = range(0, len(pairs), BATCH)
    bodies = folder / "bodies"
    bodies.write_text("".join(body(pairs[at : at + BATCH]) + "\n" for at in starts), encoding="utf-8")
    command = ["wrk", "-t", "1", "-c", "4", "-d", f"{seconds}s", "--timeout", "30s", "-s", str(SCRIPT)]
    used = server.cpu_seconds()
    done = subprocess.run(
        [*command, f"{server.address}api/align", "--", str(bodies)],
        capture_output=True,
        text=True,
        check=True,
    )
    used = server.cpu_seconds() - used
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return [
        row(
            "batches",
            BATCH * found["answers"] / found["seconds"],
            "pairs a second",
            at_least=PAIRS_GOAL,
        ),
        row("errors in batches", found["errors"], "errors", at_most=0),
        row("batches sent", found["answers"], "requests"),
        row("p50 of a batch", found["p50"], "ms"),
        row("p99 of a batch", found["p99"], "ms"),
        row("batches, pairs by CPU time", BATCH * found["answers"] / used, "pairs in a CPU second"),
    ]


def single_rows(folder: Path, server: Server, pairs: list[Pair], seconds: int) -> list[Row]:
    """Send single pairs at a steady rate."""
    clients, used = [], server.cpu_seconds()
    for number, pair in enumerate(pairs[:CLIENTS]):
        sent = folder / f"pair{number}"
        sent.write_text(body([pair]), encoding="utf-8")
        asked = ["-z", f"{seconds}s", "-c", str(WORKERS), "-q", str(RATE), "-t", "30", "-m", "POST"]
        command = ["hey", *asked, "-T", "application/json", "-D", str(sent), f"{server.address}api/align"]
        clients.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    said = [client.communicate()[0] for client in clients]
    used = server.cpu_seconds() - used
    found = [summary(one) for one in said]
    answers = sum(one["answers"] for one in found)
    return [
        row("p99 of a single pair", max(one["p99"] for one in found), "ms", at_most=P99_GOAL),
        row("errors in single pairs", sum(one["errors"] for one in found), "errors", at_most=0),
        row("p50 of a single pair", max(one["p50"] for one in found), "ms"),
        row("single pairs answered", answers, "requests"),
        row("rate of single pairs", answers / seconds, "a second"),
        row("CPU time of a single pair", 1000 * used / max(answers, 1), "ms"),
    ]


def summary(said: str) -> dict[str, float]:
    r"""Read what hey writes at its end.

    >>> summary("  50% in 0.0040 secs\n  99% in 0.0200 secs\n  [200]\t99 responses\n  [3]\tPost x: timeout\n")
    {'p50': 4.0, 'p99': 20.0, 'answers': 99, 'errors': 3}
    """
    times = {f"p{name}": 1000 * float(value) for name, value in PERCENTILE.findall(said)}
    statuses = {int(code): int(count) for code, count in STATUS.findall(said)}
    failed = sum(int(count) for count in FAILED.findall(said))
    wrong = sum(count for code, count in statuses.items() if code != 200)
    return {**times, "answers": statuses.get(200, 0), "errors": wrong + failed}


if __name__ == "__main__":
    main()
