"""How long `cepts serve` lets a crowd wait: 200 clients at once, who ask for different things as fast as they can.

    python benchmarks/crowd.py --seconds 20
    python benchmarks/crowd.py --url http://127.0.0.1:8765/ --url http://127.0.0.1:8766/

Without `--url`, a model is trained on the first pairs of a corpus and served. With several, the servers are asked in
turn, round by round, so that two versions meet the same machine. Each client keeps a connection and asks again when it
is answered: for one pair, for a hundred, for lines, for an explanation, or for what is served; whoever is told 429
asks again after `--patience` seconds. Times are those of whole answers, as clients see them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import ROOT
from service import CORPUS, body, chosen, first_pairs, prepare, served

sys.path.append(str(ROOT / "experiments"))

from paper_tables.command import positive, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpora import Pair

CLIENTS, BATCH, GOAL = 200, 100, 1000.0  # milliseconds
MIX = ("one pair",) * 10 + ("batch",) * 4 + ("lines",) * 3 + ("explanation",) * 2 + ("info",)


@dataclass
class Times:
    """Milliseconds of answers, by what was asked for and by status."""

    of: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    failed: int = 0

    def add(self, what: str, status: int, seconds: float) -> None:
        """Note an answer."""
        self.of.setdefault((what, status), []).append(1000 * seconds)

    def answered(self, good: bool, what: str | None = None) -> list[float]:
        """Return the times of those that were answered, or of those that were sent away, in rising order."""
        found = (
            times
            for (asked, status), times in self.of.items()
            if (status == 200) == good and what in (None, asked)
        )
        return sorted(time for times in found for time in times)


def main(arguments: list[str] | None = None) -> None:
    """Ask, and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url", action="append", help="a server that is there already; again for more")
    parser.add_argument("--corpus", default=CORPUS, help="(default: %(default)s)")
    parser.add_argument("--pairs", type=positive, default=5000, help="to train on (default: %(default)s)")
    parser.add_argument("--clients", type=positive, default=CLIENTS, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=positive, default=10, help="of a round (default: %(default)s)")
    parser.add_argument("--rounds", type=positive, default=1, help="(default: %(default)s)")
    parser.add_argument("--patience", type=float, default=1.0, help="after 429 (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        if options.url:
            urls, pairs = options.url, chosen(first_pairs(options.corpus, options.pairs))
        else:
            pairs = prepare(Path(name), options.corpus, options.pairs)
            urls = [stack.enter_context(served(Path(name) / "model")).address]
        asked = list(requests(pairs))
        for _ in range(options.rounds):
            for url in urls:
                times = asyncio.run(crowd(url, asked, options.clients, options.seconds, options.patience))
                say(f"{url} {told(times, options.seconds)}")


def requests(pairs: list[Pair]) -> Iterator[tuple[str, bytes]]:
    """Write requests, a thousand in the mix that is wanted."""
    for number in range(1000):
        what, pair = MIX[number % len(MIX)], pairs[number % len(pairs)]
        batch = [pairs[(BATCH * number + k) % len(pairs)] for k in range(BATCH)]
        yield (
            what,
            {
                "one pair": lambda pair=pair: written("POST /api/align", body([pair])),
                "batch": lambda batch=batch: written("POST /api/align", body(batch)),
                "lines": lambda batch=batch: written(
                    "POST /api/align/text", "".join(f"{source}\t{target}\n" for source, target in batch[:10])
                ),
                "explanation": lambda pair=pair: written(
                    "POST /api/explain", json.dumps({"source": pair[0], "target": pair[1]})
                ),
                "info": lambda: written("GET /api/info", ""),
            }[what](),
        )


def written(what: str, content: str) -> bytes:
    """Write a request over HTTP; the host is put in by whoever asks."""
    data = content.encode()
    kind = "text/plain" if "text" in what else "application/json"
    return (
        f"{what} HTTP/1.1\r\nHost: HOST\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        + data
    )


async def crowd(
    url: str, asked: list[tuple[str, bytes]], clients: int, seconds: float, patience: float
) -> Times:
    """Let all clients ask, each from another place in the list."""
    times, end = Times(), time.monotonic() + seconds
    address = url.removeprefix("http://").rstrip("/")
    ready = [(what, text.replace(b"HOST", address.encode(), 1)) for what, text in asked]
    turned = (ready[k * 37 % len(ready) :] + ready[: k * 37 % len(ready)] for k in range(clients))
    await asyncio.gather(*(client(address, mine, end, patience, times) for mine in turned))
    return times


async def client(
    address: str, asked: list[tuple[str, bytes]], end: float, patience: float, times: Times
) -> None:
    """Ask for one thing after the other."""
    host, _, port = address.rpartition(":")
    number = 0
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection(host, int(port))
            while time.monotonic() < end:
                what, text = asked[number % len(asked)]
                number += 1
                begun = time.perf_counter()
                writer.write(text)
                status = await answer(reader)
                times.add(what, status, time.perf_counter() - begun)
                if status == 429:
                    await asyncio.sleep(patience)
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            times.failed += 1


async def answer(reader: asyncio.StreamReader) -> int:
    """Read a whole answer; return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = head.partition("content-length:")[2].partition("\r\n")[0]
    await reader.readexactly(int(length))
    return int(head.split(" ", 2)[1])


def told(times: Times, seconds: float) -> str:
    """Say what was found in one line."""
    good, away = times.answered(good=True), times.answered(good=False)
    statuses = Counter({status: 0 for _, status in times.of})
    for (_, status), found in times.of.items():
        statuses[status] += len(found)
    p50, p99 = share(good, 0.5), share(good, 0.99)
    holds = "at most" if p99 <= GOAL else "more than"
    parts = [
        f"answered {len(good) / seconds:,.0f} a second, p50 {p50:,.0f} ms, p99 {p99:,.0f} ms ({holds} {GOAL:,.0f})",
        f"sent away {len(away) / seconds:,.0f} a second, p99 {share(away, 0.99):,.0f} ms",
        f"statuses {dict(sorted(statuses.items()))}, failed {times.failed}",
        *(f"{what} p99 {share(times.answered(True, what), 0.99):,.0f}" for what in dict.fromkeys(MIX)),
    ]
    return "; ".join(parts)


def share(times: list[float], part: float) -> float:
    """Return the time that this part of them is within.

    >>> share([1.0, 2.0, 3.0, 4.0], 0.5), share([], 0.5)
    (3.0, nan)
    """
    return times[min(len(times) - 1, int(part * len(times)))] if times else float("nan")


if __name__ == "__main__":
    main()
