"""What is asked of `best` and of `fast`, and what was reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accuracy_report.cells import comparable, mean_reduction
from accuracy_report.reliability import calibration_error, pooled
from accuracy_report.rows import ALL, BEST, EFLOMAL, FAST, FAST_ALIGN, OURS
from goals import row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accuracy_report.cells import Cell
    from goals import Row

BELOW = 10.0  # percent, against the best peer
COSTS = ((BEST, FAST_ALIGN, 1.0), (BEST, EFLOMAL, 0.6), (FAST, FAST_ALIGN, 0.35))  # CPU of one by another's
MEMORY_CORPUS, MEMORY = "de-en", 2000.0  # MB, with all pairs
CALIBRATED = ("20k", ALL)  # the sizes at which confidences are looked at
CALIBRATION = 0.05
TIMES = "times"


def judged(cells: Sequence[Cell]) -> list[Row]:
    """Put what was asked for beside what was reached, as far as there are records."""
    return [*accuracy_goals(cells), *cost_goals(cells), *memory_goals(cells), *calibration_goals(cells)]


def accuracy_goals(cells: Sequence[Cell]) -> list[Row]:
    """Judge how far `best` is ahead, and whether it is behind anywhere."""
    reduction = mean_reduction(cells)
    if reduction is None:
        return []
    known = comparable(cells)
    of = f"in {sum(cell.is_complete for cell in cells)} complete cells of {len(cells)}"
    behind = sum(len(cell.better_peers()) for cell in known)
    return [
        row(f"AER of best below the best peer's, mean, {of}, at least", reduction, "%", at_least=BELOW),
        row(f"peers that are significantly better than best, {of}, at most", behind, "peers", at_most=0),
    ]


def cost_goals(cells: Iterable[Cell]) -> list[Row]:
    """Judge CPU seconds, by the largest ratio there is; beside fast_align's training alone there is no goal."""
    large = [cell for cell in cells if cell.is_large]
    rows = []
    for ours, peer, most in COSTS:
        whole = [value for cell in large if (value := cell.ratio(ours, peer)) is not None]
        what = f"CPU of {ours} by {peer}'s, from 50,000 pairs on"
        rows += [row(f"{what}, the largest, at most", max(whole), TIMES, at_most=most)] if whole else []
        if peer == FAST_ALIGN and whole:
            trained = [value for cell in large if (value := cell.ratio_to_training(ours, peer)) is not None]
            rows.append(row(f"{what}, training alone of the latter, the largest", max(trained), TIMES))
    return rows


def memory_goals(cells: Iterable[Cell]) -> list[Row]:
    """Judge the memory of `fast`; that of `best` has no goal."""
    rows = []
    for cell in cells:
        for system in OURS:
            if (cell.corpus, cell.size) == (MEMORY_CORPUS, ALL) and system in cell.records:
                peak, most = cell.records[system]["peak_mb"], MEMORY if system == FAST else None
                words = ", at most" if most else ""
                rows.append(row(f"memory of {system}, {cell.title}{words}", peak, "MB", at_most=most))
    return rows


def calibration_goals(cells: Sequence[Cell]) -> list[Row]:
    """Judge the confidences, by the corpus and size where they are worst."""
    rows = []
    for system, most in ((BEST, CALIBRATION), (FAST, None)):
        errors = {
            cell.title: calibration_error(cell.records[system])
            for cell in cells
            if cell.size in CALIBRATED and system in cell.records
        }
        if errors:
            where = max(errors, key=errors.__getitem__)
            words = ", at most" if most else ""
            what = f"expected calibration error of {system}, the largest ({where}){words}"
            rows.append(row(what, errors[where], "", at_most=most))
            good = sum(error <= CALIBRATION for error in errors.values())
            what = f"expected calibration error of {system} at most {CALIBRATION}, of {len(errors)} cells"
            rows.append(row(what, good, "cells"))
            together = [
                cell.records[system]
                for cell in cells
                if cell.size == CALIBRATED[0] and system in cell.records
            ]
            if together:
                what = f"expected calibration error of {system}, all links of {len(together)} corpora ({CALIBRATED[0]})"
                rows.append(row(what, calibration_error(pooled(together)), ""))
    return rows
