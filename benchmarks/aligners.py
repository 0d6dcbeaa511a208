"""Compare Cepts with its peers on a corpus with gold links: AER, CPU seconds, wall seconds, peak memory.

    python benchmarks/aligners.py --corpus en-fr-hansards --part test --pairs 50000

Every system sees the same lower-cased text, the scored part followed by the first training pairs, and runs
alone in a fresh process. A system is charged with reading, training both directions, aligning all pairs and
writing. Cepts' links are combined within that; a peer's are combined afterwards, at no charge. fast_align's
training is also shown alone, because the original program prints its links in its last iteration.

Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from io import StringIO
from pathlib import Path

from cepts.links import read_links
from corpora import PARTS, Corpus, build_corpus
from measure import CommandFailedError
from report import Row, rows_of, stage_lines, table, with_ratios
from signature import one_line, signature
from systems import SYSTEMS, Run, Settings


def main(arguments: list[str] | None = None) -> None:
    """Run the systems, print the table, write JSON."""
    options = parse(arguments)
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        corpus = build_corpus(options.corpus, options.part, options.pairs, Path(folder))
        settings = Settings(corpus, Path(folder), options.threads, options.cepts_options)
        rows = with_ratios(run_all(options.systems.split(","), settings, options.repeats))
    made = signature(options.cepts_options, options.threads)
    print(title(corpus), table(rows), *stage_lines(rows), one_line(made), sep="\n")
    if options.output:
        Path(options.output).write_text(json.dumps(as_json(corpus, rows, made), indent=1) + "\n")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", default="en-fr-hansards", help="a folder of $CEPTS_DATA/words")
    parser.add_argument("--part", choices=PARTS, default="dev", help="what is scored (default: dev)")
    parser.add_argument("--pairs", type=int, help="how many training pairs (default: all)")
    parser.add_argument(
        "--systems",
        default="cepts,fast_align,eflomal",
        help=f"names joined by commas: {', '.join(SYSTEMS)} (the last two are slow)",
    )
    parser.add_argument(
        "--cepts-options", default="--method fast", help='options for cepts align, e.g. "--combine posterior"'
    )
    parser.add_argument("--threads", type=int, default=1, help="threads for every system (default: 1)")
    parser.add_argument(
        "--repeats", type=int, default=1, help="runs of each; the least CPU counts (default: 1)"
    )
    parser.add_argument("--output", help="write the figures as JSON to this file")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.systems.split(",") if name not in SYSTEMS]
    if unknown:
        parser.error(f"no system {unknown[0]}; there are {', '.join(SYSTEMS)}")
    return options


def run_all(names: list[str], settings: Settings, repeats: int) -> list[Row]:
    """Run the systems one after the other; a failure or an absence is said and skipped."""
    gold = read_links(StringIO(settings.corpus.gold), settings.corpus.scored)
    rows: list[Row] = []
    for name in names:
        if not SYSTEMS[name].is_installed:
            say(f"{name}: not installed ({SYSTEMS[name].package})")
            continue
        say(f"{name}: running on {settings.corpus.pairs} pairs")
        try:
            rows += rows_of(name, best_run(name, settings, repeats), gold)
        except CommandFailedError as error:
            say(f"{name}: failed: {error}")
    return rows


def best_run(name: str, settings: Settings, repeats: int) -> Run:
    """Run a system some times and keep the run with the fewest CPU seconds."""
    own = replace(settings, folder=settings.folder / name)  # so that no system finds another's files
    own.folder.mkdir()
    runs = [SYSTEMS[name].run(own) for _ in range(max(1, repeats))]
    return min(runs, key=lambda run: run.used.cpu_seconds)


def title(corpus: Corpus) -> str:
    """Say what was aligned."""
    size = f"{corpus.pairs} pairs, {corpus.source_words} + {corpus.target_words} words"
    return f"{corpus.name}: {size}; scored: {corpus.part}, {corpus.scored} pairs; (x): ratio to Cepts"


def as_json(corpus: Corpus, rows: list[Row], made: dict[str, object]) -> dict[str, object]:
    """Gather all that is known about the run."""
    facts = ("name", "part", "scored", "pairs", "source_words", "target_words")
    return {"corpus": {fact: getattr(corpus, fact) for fact in facts}, "signature": made, "rows": rows}


def say(text: str) -> None:
    """Report progress on stderr."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
