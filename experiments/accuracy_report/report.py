"""The report: what was asked for, every table, the ablation, how it was made."""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from accuracy_report.ablation import ablation_table
from accuracy_report.cells import cells_of
from accuracy_report.judging import judged
from accuracy_report.plots import write_plots
from accuracy_report.results import is_stale
from accuracy_report.rows import SYSTEMS, variant_systems
from accuracy_report.tables import (
    aer_table,
    behind_lines,
    calibration_table,
    corpora_with_rows,
    cost_table,
    lead_table,
    memory_table,
    rows_table,
)
from goals import costs, goals
from paper_tables.markdown import corpus_text, joined, picture, section, versions, write_markdown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from accuracy_report.cells import Cell
    from accuracy_report.results import Results, Sheet
    from paper_tables.markdown import Plots
    from paper_tables.store import Record

DIGITS = 3
ABOUT = (
    "Recipes of Cepts beside eflomal, fast_align and thot's HMM and IBM-4, none of which has seen other text. Every "
    "system gets the same lower-cased text, the scored part and the first training pairs behind it, and runs alone in "
    "a fresh process; thot's HMM is read off on the way to its IBM-4. `best` and `fast` are as they come."
)
HINDSIGHT = (
    "A peer's two directions are combined by union, intersection, grow-diag, grow-diag-final and grow-diag-final-and "
    "(and by fast_align's own aligner), at no charge, and the way with the lowest AER *on the scored part itself* "
    "counts: a choice with hindsight, anew for each corpus and size, in favour of the peers. eflomal draws at "
    "random: its AER differs by some tenths from run to run."
)
PARTS = {
    "dev": "Scored on **dev**, on which choices were made.",
    "test": "Scored on **test**, on which nothing was chosen.",
}
LEAD_NOTE = (
    "By how many percent the AER of `best` is below that of the peer with the lowest, which is named. Incomplete: not "
    "all peers have been run there. Means are those of cells."
)
BEHIND_NOTE = (
    "In the tables †: a peer that is better than `best` by more than chance (paired bootstrap over sentences, 2,000 "
    "samples, two-sided p < 0.05, without correction for the many comparisons)."
)
COST_NOTE = (
    "From 50,000 pairs on. A system is charged with reading, training both directions, aligning all pairs (thot, which "
    "is slow: the scored pairs alone) and writing; in brackets beside fast_align's training alone, because the "
    "original program prints its links in its last iteration. CPU seconds are those of all processes and threads of a "
    "system, memory is that of its largest process. The load beside a row is that of the machine, the larger of before "
    "and after: where it is above the number of cores, CPU seconds are somewhat too high."
)
CALIBRATION_NOTE = (
    "Links in ten bins by confidence; a link is right if it is sure or possible. The error is the distance between the "
    "mean confidence of a bin and the share of it that is right, on average over links."
)


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report of a sheet and its plots; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    plots = write_plots(results, sheet, folder)
    return write_markdown(folder, sheet.stem, plots, partial(report, results, sheet))


def report(results: Results, sheet: Sheet, plots: Plots | None = None, remarks: str = "") -> str:
    """Put the report together; `remarks` is what a person has to say about it."""
    cells, drawn = cells_of(results, sheet), plots or {}
    rows = judged(cells)
    lead = lead_table(cells)
    return joined(
        [
            "# Accuracy",
            ABOUT,
            HINDSIGHT,
            PARTS[sheet.part],
            section("Does it hold?", goals(rows, DIGITS)),
            section("Besides", costs(rows, DIGITS)),
            section("Remarks", remarks),
            section("The lead of `best`", f"{lead}\n\n{LEAD_NOTE}" if lead else ""),
            section("Where a peer is better", f"{behind_lines(cells)}\n\n{BEHIND_NOTE}" if lead else ""),
            section("AER by size", joined_tables(cells, drawn)),
            section("What it costs", cost_text(cells, drawn)),
            section("Confidences", calibration_text(cells, drawn)),
            section("Ablation", ablation_table(results, sheet)),
            section("Every row", every_row(cells)),
            section("How it was made", making(results, sheet)),
        ]
    )


def summary(results: Results, sheet: Sheet) -> str:
    """Put the tables of AER and of the lead below each other, to be printed."""
    cells = cells_of(results, sheet)
    return joined([joined_tables(cells, {}), lead_table(cells)])


def joined_tables(cells: Sequence[Cell], plots: Plots) -> str:
    """Write the AER of every corpus, and the plot."""
    tables = [f"### {corpus}\n\n{aer_table(cells, corpus)}" for corpus in corpora_with_rows(cells)]
    return "\n\n".join(part for part in (*tables, picture(plots, "aer", "AER by training pairs")) if part)


def cost_text(cells: Sequence[Cell], plots: Plots) -> str:
    """Write what systems use, and the plot."""
    parts = (cost_table(cells), memory_table(cells), picture(plots, "cpu", "CPU seconds by training pairs"))
    known = [part for part in parts if part]
    return "\n\n".join([*known, COST_NOTE]) if known else ""


def calibration_text(cells: Sequence[Cell], plots: Plots) -> str:
    """Write what confidences are worth, and the plot."""
    table = calibration_table(cells)
    drawn = picture(plots, "reliability", "Share of right links by confidence")
    return "\n\n".join(part for part in (table, drawn, CALIBRATION_NOTE) if part) if table else ""


def every_row(cells: Sequence[Cell]) -> str:
    """Write every row, corpus after corpus."""
    return "\n\n".join(
        f"### {corpus}: rows\n\n{rows_table(cells, corpus)}" for corpus in corpora_with_rows(cells)
    )


def making(results: Results, sheet: Sheet) -> str:
    """Say with which versions and recipes records were made, and which of them are old."""
    records = results.of_sheet(sheet, (*SYSTEMS, *variant_systems()))
    if not records:
        return "No row is finished."
    hours = sum(record["cpu_seconds"] for record in records) / 3600
    loads = [max(record["load"]) for record in records]
    lines = [
        *corpus_lines(records),
        *versions(records),
        f"all rows together: {hours:.1f} CPU hours",
        f"load of the machine beside a row: {median(loads):.1f} in the middle, {max(loads):.1f} at most",
    ]
    made = {(record["system"], record["signature"]) for record in records}
    lines += [f"{system}: `{signature}`" for system, signature in sorted(made)]
    lines += [
        f"{record['corpus']} {record['size']}, {record['system']}: made with an older recipe; run again"
        for record in records
        if is_stale(record)
    ]
    return "\n".join(f"- {line}" for line in lines)


def corpus_lines(records: list[Record]) -> list[str]:
    """Write the sizes of each corpus: those of its largest row."""
    largest: dict[str, Record] = {}
    for record in sorted(records, key=lambda record: record["text"]["pairs"]):
        largest[record["corpus"]] = record
    return [f"{corpus}, at most: {corpus_text(record['text'])}" for corpus, record in sorted(largest.items())]
