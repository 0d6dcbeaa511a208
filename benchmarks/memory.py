"""Bounded memory: what a limit costs in time, and that it holds, on real text and on a text larger than memory.

    python benchmarks/memory.py --part bounded      one part: unbounded, bounded, little, synthetic or advised
    python benchmarks/memory.py                     all that are missing

`unbounded` and `bounded` align German-English pairs with all memory and under 1 GB, and must give the same links;
`little` aligns half of them with `best` under 500 MB; `synthetic` aligns made-up pairs (see synthetic.py) under 4 GB.
`advised` asks of several texts, recipes and numbers of threads which size is asked for where the one that is given is
too small, and runs with that. Each part is kept as it finishes, and skipped when it is there with the same sizes;
--again measures it anyway. Wall times mean something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
import subprocess
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

MOST_OVER = 1.05  # of what was given
MOST_TIMES = 1.6
EVERYTHING = "1T"
TOO_LITTLE = str((200 << 20) + (1 << 19))  # bytes, with which a text is read, and then refused
ASKED = re.compile("give at least ([0-9]+M)")
PARTS = ("unbounded", "bounded", "little", "synthetic", "advised")
SIZES = {"M": 1, "G": 1 << 10}  # in MB
# Corpora, pairs, options and threads that are refused and then run.
ADVISED = [
    (corpus, pairs, options, threads)
    for corpus, pairs in (("de-en", 20_000), ("ro-en", 10_000), ("zh-en", 5_000))
    for options, threads in (
        ("--method fast", 1),
        ("--method best", 2),
        ("--model-type ibm4", 1),
        ("--method bidirectional", 2),
    )
]
Part = dict[str, Any]
ABOUT = (
    "`cepts align` with all the memory of the machine, and under `--memory`. The peak is that of the resident memory of"
    " the process, pages of mapped temporary files included; there is one process, whose kernels have been compiled"
    " before. Both limits must give the links of the run without."
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
    parser.add_argument("--little-pairs", type=int, default=200_000, help="default: %(default)s")
    parser.add_argument("--little-memory", default="500M", help="default: %(default)s")
    parser.add_argument("--synthetic-pairs", type=int, default=5_000_000, help="default: %(default)s")
    parser.add_argument("--synthetic-memory", default="4G", help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=2, help="default: %(default)s")
    parser.add_argument("--cepts-options", default="--method fast", help="default: %(default)s")
    parser.add_argument("--again", action="store_true", help="measure what has been measured, too")
    add_output(parser)
    return parser.parse_args(arguments)


def settings(name: str, asked: argparse.Namespace) -> Part:
    """Say what a part is a measurement of."""
    if name == "advised":
        return {"runs": [list(run) for run in ADVISED]}
    options = asked.cepts_options
    corpus, pairs, memory, options = {
        "unbounded": (asked.corpus, asked.pairs, None, options),
        "bounded": (asked.corpus, asked.pairs, asked.memory, options),
        "little": (asked.corpus, asked.little_pairs, asked.little_memory, "--method best"),
        "synthetic": ("synthetic", asked.synthetic_pairs, asked.synthetic_memory, options),
    }[name]
    return {"corpus": corpus, "pairs": pairs, "memory": memory, "threads": asked.threads, "options": options}


def measured(name: str, wanted: Part, asked: argparse.Namespace) -> Part:
    """Align a text as the settings say, and return what that took."""
    print(f"{name}: {wanted}", file=sys.stderr, flush=True)
    if name == "advised":
        return {"peaks": [advised(*run) for run in wanted["runs"]]}
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


def advised(corpus: str, pairs: int, options: str, threads: int) -> Part:
    """Ask which size a text needs, and return it with the peak of a run that gets it."""
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as place:
        folder = Path(place)
        text = build_corpus(corpus, "dev", pairs, folder)
        command = [
            sys.executable,
            "-m",
            "cepts",
            "align",
            text.source,
            text.target,
            "--output",
            folder / "links",
        ]
        command += ["--threads", threads, *shlex.split(options), "--memory"]
        refused = [str(part) for part in [*command, TOO_LITTLE]]
        said = subprocess.run(refused, capture_output=True, text=True, check=False).stderr
        size = ASKED.search(said)
        if size is None:
            raise SystemExit(f"{shlex.join(refused)}: expected a size that is asked for, got {said!r}")
        used = measure([*command, size[1]])
    return {"asked": size[1], "peak_mb": used.peak_mb}


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
        if name == "advised":
            found += [
                peak_as_advised(run, used)
                for run, used in zip(part["settings"]["runs"], part["peaks"], strict=True)
            ]
            continue
        sizes = part["settings"]
        limit = f"--memory {sizes['memory']}" if sizes["memory"] else "no limit"
        what = f"{sizes['corpus']}, {sizes['pairs']:,} pairs, {limit}, {sizes['options']}"
        most = MOST_OVER * megabytes(sizes["memory"]) if sizes["memory"] else None
        found += [
            row(f"peak memory: {what}", part["peak_mb"], "MB", at_most=most),
            row(f"wall time: {what}", part["wall_seconds"], "s"),
            row(f"CPU time: {what}", part["cpu_seconds"], "CPU s"),
        ]
    if {"unbounded", "bounded"} <= parts.keys() and same_text(parts):
        found += compared(parts["unbounded"], parts["bounded"])
    return found


def peak_as_advised(run: list[Any], used: Part) -> Part:
    """Put the peak of a run beside the size that was asked for."""
    corpus, pairs, options, threads = run
    what = f"{corpus}, {pairs:,} pairs, {options}, {threads} threads, --memory {used['asked']} as it asks for"
    most = MOST_OVER * megabytes(used["asked"])
    return row(f"peak memory: {what}", used["peak_mb"], "MB", at_most=most)


def megabytes(size: str) -> float:
    """Return the size of an option in MB.

    >>> megabytes("1G"), megabytes("500M")
    (1024.0, 500.0)
    """
    return float(size[:-1]) * SIZES[size[-1]]


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
