"""Workers of a local Dask cluster beside as many threads: wall time, processor time, what travels, and the same links.

Both are done within one process, text read and kernels loaded before; the cluster is started before, too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import cepts
from cepts.running.cluster import Cluster
from corpora import build_corpus
from goals import add_output, row, speed_report, write_results
from signature import signature

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.links import Links

MOST = 1.25  # times the wall time of threads
FEW = 2000  # pairs that load the kernels
ABOUT = (
    "Training and linking on local processes of one thread each (`--dask local:N`) and on N threads,"
    " without reading and writing text; the fastest of several runs of each, which take turns. Starting the processes"
    " and loading the kernels there is counted apart."
)


class Run(NamedTuple):
    """What a run took: wall and processor seconds, of all processes, and bytes to and from workers."""

    wall: float
    processor: float
    sent: int
    received: int
    links: Links


def main(arguments: list[str] | None = None) -> None:
    """Measure; exit with 1 if links differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="default: %(default)s")
    parser.add_argument("--corpus", default="en-fr-hansards", help="default: %(default)s")
    parser.add_argument("--pairs", type=int, help="default: all")
    parser.add_argument("--method", default="best", help="default: %(default)s")
    parser.add_argument("--runs", type=int, default=3, help="of each (default: %(default)s)")
    add_output(parser)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        corpus = build_corpus(asked.corpus, "dev", asked.pairs, Path(folder))
        bitext = cepts.read_bitext(corpus.source, corpus.target)
    begin = time.perf_counter()
    with Cluster.open(f"local:{asked.workers}") as cluster:
        run(bitext.part(0, FEW), asked, None)
        run(bitext.part(0, FEW), asked, cluster)
        started = time.perf_counter() - begin
        both = [(run(bitext, asked, None), run(bitext, asked, cluster)) for _ in range(asked.runs)]
    rows = compared(both, started, asked)
    size = asked.pairs or "all"
    made = signature(f"{asked.corpus}, {size} pairs, {asked.method}, {asked.runs} runs", asked.workers)
    result = {"rows": rows, "signature": made}
    write_results(asked.output, "cluster", result, speed_report("Workers beside threads", ABOUT, result))
    sys.exit(0 if all(same(one.links, other.links) for one, other in both) else 1)


def run(bitext: Bitext, asked: argparse.Namespace, cluster: Cluster | None) -> Run:
    """Train and link, on threads or on a cluster."""
    before = totals(cluster)
    begin = time.perf_counter()
    aligner = cepts.Aligner(asked.method, threads=asked.workers, client=cluster)
    links = aligner.fit(bitext).align(bitext)
    wall = time.perf_counter() - begin
    used = [after - earlier for after, earlier in zip(totals(cluster), before, strict=True)]
    return Run(wall, used[0], int(used[1]), int(used[2]), links)


def totals(cluster: Cluster | None) -> tuple[float, int, int]:
    """Return the processor seconds of this process and of all workers so far, and the bytes that travelled."""
    if cluster is None:
        return time.process_time(), 0, 0
    workers = cluster.client.run(time.process_time).values()
    return time.process_time() + sum(workers), cluster.sent, cluster.received


def same(one: Links, other: Links) -> bool:
    """Tell whether links, confidences and scores are the same to the last bit."""
    return all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name == "scores")
        for name in ("source", "target", "confidence", "offsets", "scores")
    )


def compared(
    both: list[tuple[Run, Run]], started: float, asked: argparse.Namespace
) -> list[dict[str, object]]:
    """Make rows of the fastest runs."""
    threads, workers = (min(runs, key=lambda run: run.wall) for runs in zip(*both, strict=True))
    alike = sum(same(one.links, other.links) for one, other in both)
    iterations = sum(cepts.Aligner(asked.method).recipe.iterations[stage] for stage in ("ibm1", "hmm"))
    return [
        row("wall time of workers over that of threads", workers.wall / threads.wall, "times", at_most=MOST),
        row(
            "runs with the same links",
            alike,
            f"of {len(both)}",
            at_least=len(both),
        ),
        row("wall time of threads", threads.wall, "s"),
        row("wall time of workers", workers.wall, "s"),
        row("processor time of threads", threads.processor, "s"),
        row("processor time of workers and client", workers.processor, "s"),
        row("sent to workers for an iteration", workers.sent / iterations / 1e6, "MB"),
        row("received from workers for an iteration", workers.received / iterations / 1e6, "MB"),
        row("start of the processes, and kernels", started, "s"),
    ]


if __name__ == "__main__":
    main()
