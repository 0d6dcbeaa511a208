"""What the report of translation has to say to the papers: differences of BLEU between two alignments, task by task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paper_tables.judging import Claim
from paper_tables.statements import Report
from translating.results import Results, Sheet
from translating.rows import BY_NAME, TASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from paper_tables.judging import Condition

SHEET = Sheet("test")
REPORT = "translation"


def report_of() -> Report:
    """Return the report, which judges no claims of its own."""
    command = "python experiments/translation.py --part test"
    return Report(SHEET.stem, command, (), (*BY_NAME, *TASKS))


def bleu(folder: Path) -> Callable[[str, str], float | None]:
    """Return what looks the BLEU of an alignment up, by task and row."""
    results = Results(folder / f"{SHEET.stem}.json")

    def look_up(task: str, row: str) -> float | None:
        record = results.of_task(SHEET, task).get(row)
        return None if record is None else float(record["runs"][0]["bleu"][0])

    return look_up


def differences(
    folder: Path, pair: tuple[str, str], holds: Condition, printed: str, tasks: Sequence[str] = tuple(TASKS)
) -> Claim:
    """Judge how much BLEU the first of two alignments is above the second, in each task."""
    found = bleu(folder)
    values = {task: (found(task, pair[0]), found(task, pair[1])) for task in tasks}
    gains = {
        task: one - other for task, (one, other) in values.items() if one is not None and other is not None
    }
    ours = ", ".join(f"{gain:+.2f} ({task})" for task, gain in gains.items()) or "-"
    verdict = "-" if len(gains) < len(tasks) else "yes" if holds(list(gains.values())) else "no"
    return Claim(f"BLEU of {pair[0]} above {pair[1]}", verdict, ours, printed)
