"""One model of both directions by dual decomposition: tables 1 to 3 of denero-2011 on our data.

    python experiments/both_directions.py --part test --threads 2

Every recipe is trained on every corpus; the best paths of both directions, and what they come to in one model after at
most 250 rounds, are combined by each rule and scored by links and by phrases. Finished runs are kept in
`experiments/results/both-directions.json`, and a restarted script goes on behind them; at the end the report
(Markdown) and its plot (SVG, needs the extra `experiments`) are written beside it. `--report` does only that.
The test sentences of the paper are the corpus `zh-en-nist`, which has no dev part; `best`, the default recipe, and
`released`, the links of the paper's authors, stand beside the recipes.

Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from denero_2011.figures import figures_of
from denero_2011.report import write_report
from denero_2011.results import Results, Sheet
from denero_2011.rows import BY_NAME, CORPORA, PAPER_CORPUS, POSTERIOR, RELEASED
from paper_tables.command import (
    add_choice,
    add_resuming,
    add_setting,
    choose,
    parser_of,
    run_and_report,
    say,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from denero_2011.rows import Run
    from paper_tables.store import Record


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, then write the report."""
    options = parse(arguments)
    sheet = Sheet(options.part, options.pairs)
    run_and_report(Results, "both-directions", sheet, options, run_missing, write_report)


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Read the command line."""
    parser = parser_of(__doc__)
    sizes = ", ".join(f"{name} {pairs or 'all'}" for name, pairs in CORPORA.items())
    add_setting(parser, f"training pairs of every corpus, for a quick look (default: {sizes})")
    add_choice(parser, "--corpora", CORPORA)
    add_choice(parser, "--recipes", BY_NAME)
    add_resuming(parser)
    options = parser.parse_args(arguments)
    choose(parser, options, "corpus", "corpora", Sheet(options.part).corpora)
    choose(parser, options, "recipe", "recipes", BY_NAME)
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run corpus after corpus what is not there yet, and keep each run as it finishes."""
    for corpus in options.corpora:
        runs = [BY_NAME[name] for name in options.recipes if name != RELEASED.name or corpus == PAPER_CORPUS]
        todo = [run for run in runs if options.again or not results.has(sheet, run, corpus)]
        if todo:
            run_corpus(results, sheet, corpus, todo, options.threads)


def run_corpus(results: Results, sheet: Sheet, name: str, todo: list[Run], threads: int) -> None:
    """Run some recipes on one corpus."""
    from denero_2011.measuring import measure_run  # compiled kernels: not for --help and --report
    from paper_tables.setting import read_corpus

    say(f"{name}: {len(todo)} runs to do")
    corpus = read_corpus(name, sheet.part, sheet.training_pairs(name))
    for run in todo:
        record = measure_run(sheet, run, name, corpus, threads)
        results.add(record)
        say(one_line(record))


def one_line(record: Record) -> str:
    """Say what came out of a run."""
    made = figures_of(record)
    seconds = f"in {record['wall_seconds']:.1f} s"
    if not made.overlaps:
        links, phrases = made.links[POSTERIOR].whole, made.phrases[POSTERIOR].whole
        return f"{record['corpus']} {record['run']}: AER {links:.1f} phrase F1 {phrases:.1f}, {seconds}"
    before, after = (
        f"agreement {made.overlaps[model].agreement:.1f} AER {made.links[model, 'intersection'].whole:.1f} "
        f"phrase F1 {made.phrases[model, 'intersection'].whole:.1f}"
        for model in ("baseline", "dual")
    )
    return (
        f"{record['corpus']} {record['run']}: intersection {before}, dual {after}, {made.certified:.1f} % certified, "
        f"{seconds}"
    )


if __name__ == "__main__":
    main()
