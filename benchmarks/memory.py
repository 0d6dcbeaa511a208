"""Bounded memory: what a limit costs in time, and that it holds, on real text and on a text larger than memory.

    python benchmarks/memory.py --part bounded      one part: unbounded, bounded or synthetic
    python benchmarks/memory.py                     all that are missing

`unbounded` and `bounded` align German-English pairs with all memory and under 1 GB, and must give the same links;
`synthetic` aligns made-up pairs (see synthetic.py) under 4 GB. Each part is kept as it finishes, and skipped when it is
there with the same sizes; --again measures it anyway. Wall times mean something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import synthetic
from corpora import build_corpus
from goals import add_output, row, speed_report, write_results
from measure import measure
from signature import signature

MOST_MB = 1300.0
MOST_TIMES = 1.6
EVERYTHING = "1T"
PARTS = ("unbounded", "bounded", "synthetic")
Part = dict[str, Any]
ABOUT = (
    "`cepts align` with all the memory of the machine, and under `--memory`. The peak is that of the resident memory of"
    " the process, pages of mapped temporary files included; there is one process. Both limits must give the links of"
    " the run without."
)


def main(arguments: list[str] | None = None) -> None:
    """Measure the parts that are asked for and missing; write what is there."""
    asked = parse(arguments)
    path = asked.output / "memory.json"
    parts: dict[str, Part] = json.loads(path.read_text())["parts"] if path.exists() else {}
    for name in PARTS if asked.part == "all" else (asked.part,):
        wanted = settings(name, asked)
        if asked.again or parts.get(name, {}).get("settings") != wanted:
            parts[name] = {"settings": wanted} | measured(name, wanted, asked)
            write(asked, parts)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=[*PARTS, "all"], default="all", help="default: %(default)s")
    parser.add_argument("--corpus", default="de-en", help="default: %(default)s")
    parser.add_argument("--pairs", type=int, default=400_000, help="of it (default: %(default)s)")
    parser.add_argument("--memory", default="1G", help="for it (default: %(default)s)")
    parser.add_argument("--synthetic-pairs", type=int, default=5_000_000, help="default: %(default)s")
    parser.add_argument("--synthetic-memory", default="4G", help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=2, help="default: %(default)s")
    parser.add_argument("--cepts-options", default="--method fast", help="default: %(default)s")
    parser.add_argument("--again", action="store_true", help="measure what has been measured, too")
    add_output(parser)
    return parser.parse_args(arguments)


def settings(name: str, asked: argparse.Namespace) -> Part:
    """Say what a part is a measurement of."""
    corpus, pairs, memory = {
        "unbounded": (asked.corpus, asked.pairs, None),
        "bounded": (asked.corpus, asked.pairs, asked.memory),
        "synthetic": ("synthetic", asked.synthetic_pairs, asked.synthetic_memory),
    }[name]
    common = {"threads": asked.threads, "options": asked.cepts_options}
    return {"corpus": corpus, "pairs": pairs, "memory": memory, **common}


def measured(name: str, wanted: Part, asked: argparse.Namespace) -> Part:
    """Align a text as the settings say, and return what that took."""
    print(f"{name}: {wanted}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as place:
        folder = Path(place)
        texts = text_of(wanted, folder)
        command = [sys.executable, "-m", "cepts", "align", *texts, "--threads", wanted["threads"]]
        command += ["--output", folder / "links", "--timings", folder / "timings"]
        command += ["--memory", wanted["memory"] or EVERYTHING]
        log = asked.output / f"memory-{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        used = measure([*command, *shlex.split(wanted["options"])], output=log)
        said = [line for line in log.read_text().splitlines() if "memory:" in line]
        log.unlink()
        timings = json.loads((folder / "timings").read_text())
        links = hashlib.sha256((folder / "links").read_bytes()).hexdigest()
    about = {name: timings[name] for name in ("pairs", "words", "cells", "seconds")}
    return asdict(used) | about | {"links": links, "said": said}


def text_of(wanted: Part, folder: Path) -> tuple[Path, Path]:
    """Write the text of a part into a folder."""
    if wanted["corpus"] == "synthetic":
        return synthetic.write(folder, wanted["pairs"])
    corpus = build_corpus(wanted["corpus"], "dev", wanted["pairs"], folder)
    return corpus.source, corpus.target


def write(asked: argparse.Namespace, parts: dict[str, Part]) -> None:
    """Write what has been measured."""
    result = {"rows": rows(parts), "parts": parts, "signature": signature(asked.cepts_options, asked.threads)}
    write_results(asked.output, "memory", result, speed_report("Bounded memory", ABOUT, result))


def rows(parts: dict[str, Part]) -> list[Part]:
    """Put what was measured beside its goals."""
    found = []
    for name, part in parts.items():
        sizes = part["settings"]
        limit = f"--memory {sizes['memory']}" if sizes["memory"] else "no limit"
        what = f"{sizes['corpus']}, {sizes['pairs']:,} pairs, {limit}"
        most = MOST_MB if name == "bounded" else None
        found += [
            row(f"peak memory: {what}", part["peak_mb"], "MB", at_most=most),
            row(f"wall time: {what}", part["wall_seconds"], "s"),
            row(f"CPU time: {what}", part["cpu_seconds"], "CPU s"),
        ]
    if {"unbounded", "bounded"} <= parts.keys() and same_text(parts):
        found += compared(parts["unbounded"], parts["bounded"])
    return found


def same_text(parts: dict[str, Part]) -> bool:
    """Tell whether both runs had the same text and options."""
    one, other = (parts[name]["settings"] | {"memory": None} for name in ("unbounded", "bounded"))
    return bool(one == other)


def compared(free: Part, bounded: Part) -> list[Part]:
    """Compare a run under a limit with the one without."""
    return [
        row(
            "wall time under the limit, without it = 1",
            bounded["wall_seconds"] / free["wall_seconds"],
            "times",
            at_most=MOST_TIMES,
        ),
        row(
            "CPU time under the limit, without it = 1", bounded["cpu_seconds"] / free["cpu_seconds"], "times"
        ),
        row("the same links, to the last byte", float(free["links"] == bounded["links"]), "", at_least=1.0),
    ]


if __name__ == "__main__":
    main()
