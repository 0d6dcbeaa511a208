"""IBM-4 beside the HMM that it climbs from and beside thot's IBM-4: AER of directions and heuristics, CPU seconds.

    python benchmarks/fertility.py --part test

The first 50,000 Hansard pairs, and all of Romanian-English, each behind the scored part. Every system runs alone in a
fresh process, on one thread, and is charged with reading, word classes, training both directions, aligning all pairs
and writing; heuristics are applied afterwards. A run of ours that has compiled kernels is repeated, and the second one
counts. The report is `benchmarks/results/fertility.md`, with the same figures as JSON beside it.

Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from aligners import as_json
from cepts.combine import combine
from cepts.links import read_links
from corpora import build_corpus
from fertility_report import DIRECTIONS, HANSARDS, HEURISTICS, HMM, IBM4, ROMANIAN, THOT, TOGETHER, report
from goals import add_output, write_results
from paper_tables.command import add_choice, choose, positive, say, stem_of
from report import rows_of
from signature import signature
from systems import SYSTEMS, Run, Settings, first_links, read_stages, run_peer, run_thot, warm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fertility_report import Result
    from measure import Measurement

PAIRS = {HANSARDS: 50_000, ROMANIAN: None}  # None: all
OURS: dict[str, dict[str, str]] = {
    HMM: {"model_type": "hmm", "training": "independent"},
    IBM4: {"model_type": "ibm4", "training": "independent"},
    TOGETHER: {"model_type": "ibm4", "training": "agreement"},
}


def main(arguments: list[str] | None = None) -> None:
    """Run the systems on each corpus, and write the report."""
    options = parse(arguments)
    made = signature(json.dumps(OURS), 1)
    results = [
        run_corpus(name, options.part, options.pairs, name in options.thot, made) for name in options.corpora
    ]
    some = None if options.corpora == tuple(PAIRS) else "-".join(options.corpora)
    stem = stem_of("fertility", options.part, options.pairs, some)
    full = options.part == "test" and options.pairs is None
    write_results(options.output, stem, results, report(results, full))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--part", choices=("dev", "test"), default="dev", help="what is scored (default: dev)"
    )
    parser.add_argument("--pairs", type=positive, help="training pairs of each corpus, for a quick look")
    add_choice(parser, "--corpora", PAIRS)
    parser.add_argument(
        "--thot",
        default=HANSARDS,
        help=f"corpora on which thot is run too, joined by commas, or none (default: {HANSARDS}; slow)",
    )
    add_output(parser)
    options = parser.parse_args(arguments)
    choose(parser, options, "corpus", "corpora", PAIRS)
    if options.thot == "none":
        options.thot = ()
    else:
        choose(parser, options, "corpus", "thot", PAIRS)
    return options


def run_corpus(name: str, part: str, pairs: int | None, with_thot: bool, made: dict[str, object]) -> Result:
    """Run the systems on one corpus, one after the other."""
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        corpus = build_corpus(name, part, pairs or PAIRS[name], Path(folder))
        gold = read_links(StringIO(corpus.gold), corpus.scored)
        rows = []
        for system, run in runs(Settings(corpus, Path(folder), 1, ""), with_thot):
            rows += rows_of(system, run, gold)
            say(f"{name}, {corpus.pairs} pairs: {system}: {run.used.cpu_seconds:.1f} CPU s")
        return as_json(corpus, rows, made)


def runs(settings: Settings, with_thot: bool) -> Iterator[tuple[str, Run]]:
    """Run each system in a folder of its own."""
    for system, options in OURS.items():
        own = own_folder(settings, system)
        yield system, directed(own, run_ours(own, json.dumps(options)))
    if with_thot and not SYSTEMS["thot-ibm4"].is_installed:
        say(f"{THOT}: not installed ({SYSTEMS['thot-ibm4'].package})")
    elif with_thot:
        own = own_folder(settings, THOT)
        used = run_thot(own, "ibm4").used
        yield THOT, directed(replace(own, folder=own.folder / "ibm4"), used)


def own_folder(settings: Settings, system: str) -> Settings:
    """Make a folder for a system, so that none finds another's files."""
    own = replace(settings, folder=settings.folder / system)
    own.folder.mkdir()
    return own


def run_ours(settings: Settings, options: str) -> Measurement:
    """Run Cepts in both directions."""
    return warm(lambda: run_peer("run_cepts.py", settings, options))


def directed(settings: Settings, used: Measurement) -> Run:
    """Gather what a run has written: each direction's links, and what the heuristics make of them."""
    scored = settings.corpus.scored
    links = {name: first_links(settings.folder / f"{name}.links", scored) for name in DIRECTIONS}
    made = {name: combine(links["forward"], links["reverse"], name) for name in HEURISTICS}
    return Run(used, links | made, read_stages(settings.folder))


if __name__ == "__main__":
    main()
