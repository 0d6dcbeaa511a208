"""The report: our table beside the paper's, what reproduces, what it cost, how it was made."""

from __future__ import annotations

from functools import partial
from statistics import mean
from typing import TYPE_CHECKING

from paper_tables.markdown import (
    claims_table,
    corpus_lines,
    joined,
    making,
    markdown,
    picture,
    section,
    write_markdown,
)
from schoenemann_2011.claims import claims, seconds_per_iteration, speed_claims
from schoenemann_2011.paper import CITATION, paper_figures
from schoenemann_2011.results import final_objective, weighted_f
from schoenemann_2011.rows import COLUMNS, CORPORA, MODELS, PLACES, TERMS, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from paper_tables.store import Record
    from schoenemann_2011.results import Figures, Results, Sheet, Stage

NAMES = [column.name for column in COLUMNS]
# What becomes of pairs that are too large for a model, by how its runs' names begin.
TOO_LARGE = {
    "bi": "too large for double alignments, aligned by single ones",
    "mono": "too large for IBM-4, aligned by the HMM",
}


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report of a sheet, and its plots where matplotlib is installed; returns the files."""
    from schoenemann_2011.plots import write_plots  # which may do without matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    plots = write_plots(results, sheet, folder)
    return write_markdown(folder, sheet.stem, plots, partial(report, results, sheet))


def report(results: Results, sheet: Sheet, plots: dict[str, Path], remarks: str = "") -> str:
    """Put the report together; `remarks` is what a person has to say about it."""
    sections = [
        heading(results, sheet),
        section("What reproduces", claims_table(claims(results, sheet))),
        section("Remarks", remarks),
        section("Weighted F (alpha 0.1), percent: ours / the paper's", f_table(results, sheet)),
        picture(plots, "gains", "F without the term (hollow) and with it (filled); the paper's in grey"),
        section("AER, percent", scores_table(results, sheet, "aer")),
        section("Mean over sentences: weighted F, percent", mean_note(results, sheet)),
        scores_table(results, sheet, "mean_weighted_f"),
        section("Mean over sentences: AER, percent", scores_table(results, sheet, "mean_aer")),
        section("Final objectives, in thousands of nats", objectives_table(results, sheet)),
        picture(plots, "iterations", "Objective by iteration, in percent above the lowest of its panel"),
        picture(plots, "seconds", "Objective by seconds"),
        section("Seconds of training (wall / CPU) and memory", costs_table(results, sheet)),
        section("What it may cost", claims_table(speed_claims(results, sheet))),
        section("How it was made", making(results.of_sheet(sheet), particulars)),
    ]
    return joined(sections)


def heading(results: Results, sheet: Sheet) -> str:
    """Say what this is, and what was scored on how much text."""
    about = (
        f"Table {sheet.shape.number} of {CITATION}, on our data. Es|En is Spanish given English: English words "
        "generate Spanish ones. The paper's texts and gold links are not ours (and Europarl is not lower-cased "
        "there): compare the differences between rows, not their levels."
    )
    scored = f"Scored on **{sheet.part}**, the links of each direction's best path:"
    title = f"# Regularised mono-word and bi-word models, {sheet.table} task"
    return "\n".join([title, "", about, "", scored, "", *corpus_lines(results.of_sheet(sheet), CORPORA)])


def by_row(sheet: Sheet, cell: Callable[[str, str], str]) -> str:
    """Write a table of the paper's shape."""
    rows = [[TITLES[row], *(cell(row, column) for column in NAMES)] for row in sheet.shape.rows]
    return markdown(["", *NAMES], rows)


def shown(figures: Figures, row: str, column: str, form: str = ".1f") -> str:
    """Write a figure, or that it is missing."""
    return f"{figures[row, column]:{form}}" if (row, column) in figures else "-"


def f_table(results: Results, sheet: Sheet) -> str:
    """Write our F beside the paper's."""
    ours, paper = results.figures(sheet, weighted_f), paper_figures(sheet.table)
    return by_row(sheet, lambda row, column: f"{shown(ours, row, column)} / {shown(paper, row, column)}")


def scores_table(results: Results, sheet: Sheet, score: str) -> str:
    """Write one of the scores, in percent."""
    figures = results.figures(sheet, lambda stage: 100.0 * float(stage["scores"][score]))
    return by_row(sheet, lambda row, column: shown(figures, row, column))


def mean_note(results: Results, sheet: Sheet) -> str:
    """Say what the mean over sentences is about."""
    counts = {record["corpus"]: record["stages"][-1]["scores"] for record in results.of_sheet(sheet)}
    sizes = [f"{name} {one['mean_sentences']} of {one['sentences']}" for name, one in counts.items()]
    return (
        "Each sentence is scored alone, then the scores are averaged. A sentence without a sure gold link has "
        f"nothing to be recalled and is left out; sentences that count: {', '.join(sizes) or '-'}."
    )


def objectives_table(results: Results, sheet: Sheet) -> str:
    """Write final objectives that may be compared, and how far the second lies above the first."""
    figures = results.figures(sheet, final_objective)
    compared = {
        f"{title}, {term_title}: EM / PGD": (f"{model}-em{term}", f"{model}-pgd{term}")
        for model, title in MODELS.items()
        for term, term_title in TERMS.items()
        if f"{model}-em" in sheet.shape.rows
    }
    compared["HMM, no reg., EM: exact / renormalised"] = ("hmm-em", "hmm-renormalised")
    rows = [
        [title, *(compared_text(figures, pair, column) for column in NAMES)]
        for title, pair in compared.items()
    ]
    return markdown(["", *NAMES], rows)


def compared_text(figures: Figures, pair: tuple[str, str], column: str) -> str:
    """Write two objectives in thousands and the difference in percent.

    >>> compared_text({("a", "Es|En"): 1000.0, ("b", "Es|En"): 1020.0}, ("a", "b"), "Es|En")
    '1.0 / 1.0 (+2.00 %)'
    """
    values = [figures.get((row, column)) for row in pair]
    text = " / ".join("-" if value is None else f"{value / 1000:.1f}" for value in values)
    if values[0] is None or values[1] is None:
        return text
    return f"{text} ({100 * (values[1] / values[0] - 1):+.2f} %)"


def costs_table(results: Results, sheet: Sheet) -> str:
    """Write what each stage has cost."""
    rows = []
    for row in sheet.shape.rows:
        if row in PLACES:
            stages = [results.stage(sheet, row, column) for column in COLUMNS]
            rows.append([TITLES[row], *map(seconds_text, stages), *means_text(stages)])
    return markdown(["", *NAMES, "s per iteration", "peak MB"], rows)


def seconds_text(stage: Stage | None) -> str:
    """Write the seconds of a stage."""
    return "-" if stage is None else f"{stage['wall_seconds']:.1f} / {stage['cpu_seconds']:.1f}"


def means_text(stages: Sequence[Stage | None]) -> tuple[str, str]:
    """Write the mean wall seconds of an iteration and the greatest peak of memory."""
    there = [stage for stage in stages if stage is not None]
    if not there:
        return "-", "-"
    return f"{mean(map(seconds_per_iteration, there)):.3f}", f"{max(one['peak_mb'] for one in there):.0f}"


def particulars(records: list[Record]) -> list[str]:
    """Say what else there is to know about how records were made."""
    return [*automatic(records), *fertile(records), *oversized(records), *together(records)]


def together(records: list[Record]) -> list[str]:
    """Say which runs trained both directions at once."""
    found = sorted({f"{one['run']} of {one['corpus']}" for one in records if one.get("together", 1) > 1})
    text = (
        "both directions were trained in one walk over the text, and each is charged with half of the seconds"
    )
    return [f"{text}: {', '.join(found)}"] if found else []


def automatic(records: list[Record]) -> list[str]:
    """Say which strengths `auto` has chosen."""
    chosen = {}
    for one in records:
        if "|regularity:auto|" in one["signature"]:
            kind = one["run"].partition("-")[0]
            chosen[f"{kind}-word {one['corpus']}"] = f"{one['strength']:g}"
    texts = ", ".join(f"{strength} for {name}" for name, strength in chosen.items())
    return [f"auto chose lambda {texts}"] if texts else []


def fertile(records: list[Record]) -> list[str]:
    """Say how IBM-4 was trained."""
    text = (
        "IBM-4 follows the HMM at once, but for the row behind IBM-3, whose lexicon, fertilities and NULL it takes "
        "over, while distances begin anew; word classes are within its seconds"
    )
    return [text] if any("|model_type:ibm4|" in one["signature"] for one in records) else []


def oversized(records: list[Record]) -> list[str]:
    """Say how many pairs were too large for a model."""
    found: dict[str, dict[str, str]] = {kind: {} for kind in TOO_LARGE}
    for one in records:
        count = one["stages"][-1]["oversized"]
        if count:
            found[one["run"].partition("-")[0]][one["corpus"]] = f"{count} of {one['corpus']}"
    return [f"{text}: {', '.join(found[kind].values())}" for kind, text in TOO_LARGE.items() if found[kind]]
