"""The report of the experiment: a table for each task, the papers' figures beside ours."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from paper_tables.markdown import joined, markdown, section, versions, write_markdown
from translating.rows import BY_NAME, DEV, PAPER, PAPER_UNION, REFERENCE, TASKS, TEST

if TYPE_CHECKING:
    from pathlib import Path

    from paper_tables.store import Record
    from translating.results import Results, Sheet

HEADS = (
    "alignment",
    "BLEU",
    "of three tunings",
    f"above {REFERENCE}",
    "chrF",
    "TER",
    "dev",
    "phrases",
    "align, CPU min",
    "all, CPU min",
    "all, min",
)


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report."""
    return write_markdown(folder, sheet.stem, {}, lambda _, remarks: report(results, sheet, remarks))


def report(results: Results, sheet: Sheet, remarks: str) -> str:
    """Put the report together."""
    made = results.of_sheet(sheet)
    dev, test = (made[0]["dev_sentences"], made[0]["sentences"]) if made else (DEV, TEST)
    scored = (
        f"the {dev} sentences that it was tuned on" if sheet.part == "dev" else f"{test:,} unseen sentences"
    )
    head = (
        "# What an alignment is worth: translation\n\n"
        "Each alignment makes a phrase table; the rest is the same: a language model of the target side (5-gram),"
        f" weights tuned on {dev} sentences, {scored} translated. BLEU, chrF and TER are sacrebleu's, of lower-case"
        " tokens, with 95 % intervals by bootstrap. The difference to the plain HMM has the interval of a paired"
        " bootstrap. Minutes are of all that a row needs, with three runs of tuning and translations by each; rows"
        " that share a training have each the time of the whole."
    )
    tasks = [section(TASKS[task].title, task_text(results.of_task(sheet, task), task)) for task in TASKS]
    return joined(
        [
            head,
            remarks,
            *tasks,
            section("The search", search_text(made)),
            section("How it was made", making(made)),
        ]
    )


def task_text(records: dict[str, Record], task: str) -> str:
    """Write the table of a task."""
    if not records:
        return ""
    papers = PAPER.get(task, {})
    heads = [*HEADS, "paper: BLEU", "TER"]
    rows = [[*cells(name, record), *paper_cells(name, papers)] for name, record in records.items()]
    return joined([overlap_text(list(records.values())), markdown(heads, rows)]).rstrip("\n")


def overlap_text(records: list[Record]) -> str:
    """Say how many of the scored pairs a system has seen before."""
    known = [record for record in records if "overlap" in record]
    if not known:
        return ""
    one = known[0]
    return f"Of the {one['sentences']:,} scored pairs {one['overlap']:,} are in the training text, too."


def search_text(records: list[Record]) -> str:
    """Write what narrower searches miss."""
    rows = [
        [
            record["task"],
            str(one["beam"]),
            f"{one['sentences'] / max(one['cpu_seconds'], 0.01):.1f}",
            f"{100 * one['lower']:.1f} %",
            f"{100 * one['higher']:.1f} %",
            f"{one['mean_loss']:.4f}",
        ]
        for record in records
        for one in record.get("search", ())
    ]
    if not rows:
        return ""
    heads = [
        "task",
        "beam",
        "sentences a CPU second",
        "worse than wide",
        "better than wide",
        "mean loss of score",
    ]
    text = (
        "The same system with smaller beams, on sentences of dev of about 20 words, beside a beam of 1,500."
    )
    return f"{text}\n\n{markdown(heads, rows)}"


def cells(name: str, record: Record) -> list[str]:
    """Write the figures of a row."""
    runs = record["runs"]
    first, values = runs[0], [run["bleu"][0] for run in runs]
    apart = record.get("difference")
    seconds = record["seconds"]
    return [
        BY_NAME[name].title,
        with_interval(first["bleu"]),
        f"{mean(values):.2f} ({min(values):.2f} to {max(values):.2f})",
        "" if name == REFERENCE or not apart else f"{apart[0]:+.2f} [{apart[1]:+.2f}, {apart[2]:+.2f}]",
        with_interval(first["chrf"]),
        with_interval(first["ter"]),
        f"{max(first['dev_bleu']):.2f}",
        f"{record['phrases'] / 1e6:.2f} M",
        f"{seconds['align']['cpu'] / 60:.1f}",
        f"{sum(one['cpu'] for one in seconds.values()) / 60:.1f}",
        f"{sum(one['wall'] for one in seconds.values()) / 60:.1f}",
    ]


def with_interval(pair: list[float]) -> str:
    """Write a score and half of its interval.

    >>> with_interval([20.123, 0.51])
    '20.12 ± 0.51'
    """
    return f"{pair[0]:.2f} ± {pair[1]:.2f}" if len(pair) > 1 else f"{pair[0]:.2f}"


def paper_cells(name: str, papers: dict[str, tuple[float, float | None]]) -> list[str]:
    """Write the paper's BLEU and TER, if it has them."""
    if name in PAPER_UNION:
        return [f"{PAPER_UNION[name]:.2f} (Chinese to English)", ""]
    made, edits = papers.get(name, (None, None))
    return ["" if made is None else f"{made:.2f}", "" if edits is None else f"{edits:.2f}"]


def making(records: list[Record]) -> str:
    """Say what made the figures."""
    if not records:
        return "No row is finished."
    lines = [f"- {version}" for version in versions(records)]
    first = records[0]["runs"][0]
    lines += [f"- {first[f'{name}_signature']}" for name in ("bleu", "chrf", "ter")]
    lines += [f"- {record['task']}, {record['run']}: `{record['signature']}`" for record in records]
    return "\n".join(lines)
