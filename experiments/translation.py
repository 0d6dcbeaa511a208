"""What an alignment is worth: tables 4 and 5 of schoenemann-2011 and section 5.4 of denero-2011 on our data.

    python experiments/translation.py --part test --threads 2

Every alignment of the training pairs makes a phrase table; a translator is tuned on dev, with three seeds, and what it
makes of the scored sentences is judged by sacrebleu (extra `experiments`; the row `eflomal` needs the extra `bench`).
Finished rows are kept in `experiments/results/translation.json`, and a restarted script goes on behind them; at the end
the report (Markdown) is written beside it. `--report` does only that. Links and translations are kept in a folder of
their own (`--kept`): rows share trainings, and differences between rows need translations.

Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paper_tables.command import (
    add_choice,
    add_resuming,
    add_setting,
    choose,
    parser_of,
    positive,
    run_and_report,
    say,
)
from paper_tables.records import rounded
from translating.report import write_report
from translating.results import Results, Sheet
from translating.rows import BY_NAME, DEV, REFERENCE, SEEDS, TASKS, TEST, is_run

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from paper_tables.store import Record
    from translating.alignments import Kept
    from translating.material import Material
    from translating.rows import Row


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, then write the report."""
    options = parse(arguments)
    sheet = Sheet(options.part, options.pairs)
    run_and_report(Results, "translation", sheet, options, run_missing, write_report)


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Read the command line."""
    parser = parser_of(__doc__)
    sizes = ", ".join(f"{name} {task.pairs:,}" for name, task in TASKS.items())
    add_setting(parser, f"training pairs of every task, for a quick look (default: {sizes})")
    add_choice(parser, "--tasks", TASKS)
    add_choice(parser, "--rows", BY_NAME)
    parser.add_argument("--seeds", type=positive, default=SEEDS, help="runs of tuning (default: %(default)s)")
    parser.add_argument("--dev-sentences", type=positive, default=DEV, help="default: %(default)s")
    parser.add_argument("--test-sentences", type=positive, default=TEST, help="default: %(default)s")
    parser.add_argument(
        "--kept", type=Path, help="a folder for links and translations (default: OUTPUT/translations)"
    )
    add_resuming(parser)
    options = parser.parse_args(arguments)
    choose(parser, options, "task", "tasks", TASKS)
    choose(parser, options, "row", "rows", BY_NAME)
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run task after task what is not there yet, and keep each row as it finishes."""
    for task in options.tasks:
        rows = [BY_NAME[name] for name in options.rows if is_run(BY_NAME[name], task)]
        todo = [row for row in rows if options.again or not results.has(sheet, row, task)]
        if todo:
            run_task(results, sheet, task, todo, options)


def run_task(results: Results, sheet: Sheet, task: str, todo: list[Row], options: Namespace) -> None:
    """Run some rows of one task."""
    from cepts.translation import TranslationSettings  # compiled kernels: not for --help and --report
    from translating.alignments import Kept
    from translating.material import read_material
    from translating.measuring import measure_row

    say(f"{task}: {len(todo)} rows to do")
    pairs = sheet.training_pairs(task)
    material = read_material(task, pairs, options.dev_sentences, options.test_sentences)
    kept = Kept(options.kept or options.output / "translations")
    running = options.threads, TranslationSettings(), options.seeds
    for row in todo:
        record = measure_row(sheet, row, task, material, kept, *running)
        results.add(record)
        say(one_line(record))
        add_differences(results, sheet, task, material, kept, again=row.name == REFERENCE)


def add_differences(
    results: Results, sheet: Sheet, task: str, material: Material, kept: Kept, *, again: bool
) -> None:
    """Compare rows with the row of reference, as soon as both are there; all of them `again` if that is new."""
    from translating.material import lines_of
    from translating.measuring import difference

    other = kept.translations(sheet.place(BY_NAME[REFERENCE], task))
    references = lines_of(material.dev if sheet.part == "dev" else material.test)[1]
    for name, record in results.of_task(sheet, task).items():
        own = kept.translations(sheet.place(BY_NAME[name], task))
        fits = own is not None and other is not None and len(own) == len(other) == len(references)
        if fits and (again or "difference" not in record):
            results.add(record | {"difference": rounded(difference(own, other, references))})


def one_line(record: Record) -> str:
    """Say what came out of a row."""
    first = record["runs"][0]
    made = ", ".join(f"{name} {first[name.lower()][0]:.2f}" for name in ("BLEU", "chrF", "TER"))
    return f"{record['task']} {record['run']}: {made}, {record['phrases']:,} phrases, in {record['wall_seconds']:.0f} s"


if __name__ == "__main__":
    main()
