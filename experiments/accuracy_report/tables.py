"""Tables: AER by size, the lead of `best`, costs, calibration, and every row with all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from accuracy_report.cells import comparable, mean_reduction
from accuracy_report.judging import CALIBRATED, COSTS
from accuracy_report.reliability import calibration_error
from accuracy_report.rows import BEST, CORPORA, FAST_ALIGN, OURS, PEERS, SIZES, SYSTEMS
from accuracy_report.scoring import aer_of, sampled_aer
from paper_tables.markdown import markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accuracy_report.cells import Cell
    from paper_tables.store import Record

NOTHING = "-"
BEHIND = "†"  # a peer that is better than best by more than chance
ROW_HEADS = (
    "pairs",
    "system",
    "combined by",
    "AER",
    "95 %",
    "P",
    "R",
    "CPU s",
    "wall s",
    "MB",
    "load",
    "best is lower by",
)


def of_corpus(cells: Iterable[Cell], corpus: str) -> list[Cell]:
    """Return the cells of a corpus."""
    return [cell for cell in cells if cell.corpus == corpus]


def aer_table(cells: Iterable[Cell], corpus: str) -> str:
    """Write the AER of all systems on a corpus by size, the lowest in bold."""
    here = [cell for cell in of_corpus(cells, corpus) if cell.records]
    known = [system for system in SYSTEMS if any(system in cell.records for cell in here)]
    marked = {cell.size: set(cell.better_peers()) for cell in comparable(here)}
    rows = [[system, *(aer_cell(cell, system, marked) for cell in here)] for system in known]
    return markdown(["AER, %", *(cell.size for cell in here)], rows) if rows else ""


def aer_cell(cell: Cell, system: str, marked: dict[str, set[str]]) -> str:
    """Write an AER."""
    if system not in cell.records:
        return NOTHING
    lowest = min(map(aer_of, cell.records.values()))
    value = aer_of(cell.records[system])
    text = f"**{value:.1f}**" if value == lowest else f"{value:.1f}"
    return text + BEHIND if system in marked.get(cell.size, ()) else text


def lead_table(cells: Sequence[Cell]) -> str:
    """Write by how many percent `best` is below the best peer, with means by corpus and by size."""
    known = comparable(cells)
    if not known:
        return ""
    sizes = [size for size in SIZES if any(cell.size == size for cell in known)]
    rows = [
        [corpus, *(lead_cell(known, corpus, size) for size in sizes), percent(of_corpus(known, corpus))]
        for corpus in CORPORA
        if of_corpus(known, corpus)
    ]
    means = [percent([cell for cell in known if cell.size == size]) for size in sizes]
    return markdown(["below the best peer, %", *sizes, "mean"], [*rows, ["mean", *means, percent(known)]])


def beside_table(cells: Sequence[Cell]) -> str:
    """Write the AER of `best` and that of the best peer, by corpus and number of training pairs."""
    known = comparable(cells)
    sizes = [size for size in SIZES if any(cell.size == size for cell in known)]
    there = {(cell.corpus, cell.size): cell for cell in known}
    rows = [
        [corpus, *(beside_cell(there.get((corpus, size))) for size in sizes)]
        for corpus in CORPORA
        if of_corpus(known, corpus)
    ]
    return markdown(["AER in percent", *sizes], rows)


def beside_cell(cell: Cell | None) -> str:
    """Write the AER of `best` and of the best peer."""
    if cell is None:
        return NOTHING
    return f"{aer_of(cell.records[BEST]):.1f} / {aer_of(cell.peers[cell.best_peer]):.1f}"


def lead_cell(cells: Iterable[Cell], corpus: str, size: str) -> str:
    """Write one cell's lead, and whose AER was the lowest."""
    found = [cell for cell in cells if (cell.corpus, cell.size) == (corpus, size)]
    if not found:
        return NOTHING
    mark = "" if found[0].is_complete else ", incomplete"
    return f"{found[0].reduction:+.1f} ({found[0].best_peer}{mark})"


def percent(cells: Iterable[Cell]) -> str:
    """Write a mean lead."""
    value = mean_reduction(cells)
    return NOTHING if value is None else f"{value:+.1f}"


def behind_lines(cells: Iterable[Cell]) -> str:
    """Name each place where a peer is better than `best` by more than chance."""
    lines = [
        f"- {cell.title}: {peer} is {found.difference:.2f} lower ({found.low:.2f} to {found.high:.2f}, p {found.p:.3f})"
        for cell in comparable(cells)
        for peer, found in cell.better_peers().items()
    ]
    return "\n".join(lines) or "No peer is better than `best` by more than chance anywhere."


def cost_table(cells: Iterable[Cell]) -> str:
    """Write the ratios of CPU seconds where there is much text; in brackets beside training alone."""
    heads = ["CPU seconds, as multiples", *(f"{ours} by {peer}" for ours, peer, _ in COSTS)]
    rows = [[cell.title, *(ratio_cell(cell, *pair[:2]) for pair in COSTS)] for cell in cells if cell.is_large]
    rows = [row for row in rows if any(text != NOTHING for text in row[1:])]
    return markdown(heads, rows) if rows else ""


def ratio_cell(cell: Cell, ours: str, peer: str) -> str:
    """Write one ratio."""
    whole = cell.ratio(ours, peer)
    if whole is None:
        return NOTHING
    return f"{whole:.2f}" + (f" ({cell.ratio_to_training(ours, peer):.2f})" if peer == FAST_ALIGN else "")


def memory_table(cells: Iterable[Cell]) -> str:
    """Write the peak memory of all systems where there is much text."""
    large = [cell for cell in cells if cell.is_large and cell.records]
    rows = [
        [
            cell.title,
            *(f"{one['peak_mb']:,.0f}" if (one := cell.records.get(name)) else NOTHING for name in SYSTEMS),
        ]
        for cell in large
    ]
    return markdown(["peak memory, MB", *SYSTEMS], rows) if rows else ""


def calibration_table(cells: Sequence[Cell]) -> str:
    """Write the expected calibration error of our systems."""
    columns = [(system, size) for system in OURS for size in CALIBRATED]
    by_place = {(cell.corpus, cell.size): cell.records for cell in cells}
    rows = [
        [corpus, *(error_cell(by_place.get((corpus, size), {}).get(system)) for system, size in columns)]
        for corpus in CORPORA
    ]
    rows = [row for row in rows if any(text != NOTHING for text in row[1:])]
    return markdown(["expected calibration error", *(" ".join(one) for one in columns)], rows) if rows else ""


def error_cell(record: Record | None) -> str:
    """Write one error."""
    return NOTHING if record is None else f"{calibration_error(record):.3f}"


def rows_table(cells: Iterable[Cell], corpus: str) -> str:
    """Write all that is known of each row of a corpus."""
    rows = [
        row_cells(cell, system)
        for cell in of_corpus(cells, corpus)
        for system in SYSTEMS
        if system in cell.records
    ]
    return markdown(ROW_HEADS, rows) if rows else ""


def row_cells(cell: Cell, system: str) -> list[str]:
    """Write one row."""
    record = cell.records[system]
    low, high = np.percentile(sampled_aer(record), [2.5, 97.5])
    aer, precision, recall = record["scores"][record["combined"]]
    return [
        cell.size,
        system,
        record["combined"],
        f"{aer:.2f}",
        f"{low:.1f} to {high:.1f}",
        f"{precision:.1f}",
        f"{recall:.1f}",
        f"{record['cpu_seconds']:.1f}",
        f"{record['wall_seconds']:.1f}",
        f"{record['peak_mb']:.0f}",
        f"{max(record['load']):.1f}",
        ahead_text(cell, system),
    ]


def ahead_text(cell: Cell, peer: str) -> str:
    """Write by how much `best` is lower than a peer."""
    if peer not in PEERS or BEST not in cell.records:
        return NOTHING
    found = cell.ahead(peer)
    return f"{found.difference:+.2f} ({found.low:+.2f} to {found.high:+.2f}, p {found.p:.3f})"


def corpora_with_rows(cells: Iterable[Cell]) -> list[str]:
    """Name the corpora that have records."""
    found = {cell.corpus for cell in cells if cell.records}
    return [corpus for corpus in CORPORA if corpus in found]
