"""The tables in Markdown, ours beside the paper's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freitag_2007 import paper
from freitag_2007.comparing import compared
from freitag_2007.readings import READINGS
from freitag_2007.rows import CORPORA, RANKED, WORDS, rows_of
from paper_tables.comparing import difference_cells, is_better
from paper_tables.markdown import markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from freitag_2007.results import Results, Sheet
    from paper_tables.store import Record


def consonants_table(results: Results, sheet: Sheet) -> str:
    """Write the share of pairs in the right order."""
    lines = []
    for row in rows_of("consonants"):
        record = results.record(sheet, row, WORDS)
        cells = [*figures(record, ["agreeing"], True), *figures(record, ["accuracy"])]
        lines.append([row.title, f"`{row.name}`", *cells, fixed(paper.CONSONANTS.get(row.name))])
    return markdown(["", "row", "not contradicted", "95 % interval", "right order", "paper"], lines)


def weights_table(results: Results, sheet: Sheet) -> str:
    """Write table 3: the largest weights, ours beside the paper's."""
    record = results.record(sheet, rows_of("consonants")[0], WORDS)
    ours = [] if record is None else record["weights"]
    lines = [
        [f"⟨{one[0]}, {one[1]}⟩", f"{one[3]:.1f}", f"⟨{letter}, {letter}⟩", f"{weight:.1f}"]
        for one, (letter, weight) in zip(ours, paper.WEIGHTS, strict=False)
    ]
    return markdown(["ours", "weight", "paper", "weight"], lines) if lines else ""


def rhymes_table(results: Results, sheet: Sheet) -> str:
    """Write table 4."""
    lines = []
    for row in rows_of("rhymes"):
        record = results.record(sheet, row, WORDS)
        cells = [*figures(record, ["precision"], True), *figures(record, ["mean"])]
        lines.append([row.title, f"`{row.name}`", *cells, fixed(paper.RHYMES.get(row.name))])
    return markdown(["", "row", "precision", "95 % interval", "mean of words", "paper"], lines)


def readings_table(results: Results, sheet: Sheet) -> str:
    """Write what precisions of table 4 would be by other readings."""
    lines = []
    for row in rows_of("rhymes"):
        record = results.record(sheet, row, WORDS)
        if record is not None and "readings" in record:
            cells = (record["precision"][0], *(record["readings"][name] for name in READINGS))
            lines.append([f"`{row.name}`", *map(fixed, cells), fixed(paper.RHYMES.get(row.name))])
    return markdown(["row", "as above", *READINGS.values(), "paper"], lines) if lines else ""


def data_table(results: Results, sheet: Sheet) -> str:
    """Write table 5."""
    (row,) = rows_of("data")
    parts = ("train", "dev", "test") if sheet.part == "test" else ("train", "dev")
    lines = []
    for corpus in CORPORA:
        record = results.record(sheet, row, corpus)
        if record is not None:
            sizes = [f"{record[name]:,}" for name in (*parts[:-1], "scored")]
            lengths = [f"{length:.1f}" for length in record["lengths"]]
            lines.append([corpus, *sizes, *lengths, f"{record['references']:.2f}"])
        if corpus in paper.SIZES:
            one = paper.SIZES[corpus]
            printed = [f"{getattr(one, part):,}" for part in parts]
            lines.append(["the paper", *printed, f"{one.english:.1f}", f"{one.foreign:.1f}", "-"])
    heads = ["", *parts, "English length", "foreign length", "targets a name"]
    return markdown(heads, lines)


def letter_table(results: Results, sheet: Sheet) -> str:
    """Write the weights of the tah marbuta, as table 6 has them."""
    rows = rows_of("weights")
    records = [results.record(sheet, row, row.corpora[0]) for row in rows]
    shown = [
        [(f"⟨{one[0]}, {one[1]}⟩ : {one[2]}", one[3]) for one in record["weights"]] if record else []
        for record in records
    ]
    if not any(shown):
        return ""
    columns = [*shown, list(paper.TAH_MARBUTA)]
    lines = []
    for place in range(max(map(len, columns))):
        cells = (column[place] if place < len(column) else None for column in columns)
        lines.append([text for cell in cells for text in (("", "") if cell is None else shown_weight(*cell))])
    heads = [head for row in rows for head in (row.title, "weight")]
    return markdown([*heads, "paper", "weight"], lines)


def shown_weight(feature: str, weight: float) -> tuple[str, str]:
    """Write an edit beside a gram; in code, so that letters of both directions keep their places."""
    return f"`{feature}`", f"{weight:+.2f}"


NAMED = ("1-best", "5-best", "1-best of all", "5-best of all", "character_errors")


def transcription_table(results: Results, sheet: Sheet, corpus: str) -> str:
    """Write table 7 for a corpus."""
    lines = []
    for row in (row for row in rows_of("transcription") if corpus in row.corpora):
        record = results.record(sheet, row, corpus)
        printed = paper.TRANSCRIPTION.get(row.name) if corpus == paper.ARABIC else None
        lines.append([row.title, f"`{row.name}`", *figures(record, NAMED), *seconds(record), *pair(printed)])
    heads = ["1-best", "5-best", "1-best of all", "5-best of all", "character errors"]
    best = bold_best(lines, [2, 3, 4, 5])
    return markdown(["", "row", *heads, "training (CPU s)", "names / CPU s", "paper: 1-best", "5-best"], best)


def ranking_table(results: Results, sheet: Sheet, corpus: str) -> str:
    """Write table 8 for a corpus."""
    lines = []
    for row in rows_of("ranking"):
        record = results.record(sheet, row, corpus)
        cells = figures(record, ["accuracy", "mrr", "accuracy of all", "mrr of all"])
        lines.append(
            [
                row.title,
                f"`{row.name}`",
                *cells,
                seconds(record)[0],
                *pair(paper.RANKING[corpus].get(row.name)),
            ]
        )
    best = bold_best(lines, [2, 3, 4, 5])
    heads = ["ACC", "MRR", "ACC of all", "MRR of all", "training (CPU s)", "paper: ACC", "MRR"]
    return markdown(["", "row", *heads], best)


def comparison_table(results: Results, sheet: Sheet, table: str, corpus: str) -> str:
    """Write by how much rows differ, and where that is no chance."""
    found = compared(results, sheet, table, corpus)
    if not found:
        return ""
    lines = []
    for one in found:
        cells = []
        for made in one.measures.values():
            sure = is_better(made) or is_better(made._replace(difference=-made.difference))
            cells += difference_cells(made, sure=sure)
        lines.append([f"`{one.better}`", f"`{one.worse}`", *cells])
    heads = [head for name in found[0].measures for head in (name, "95 % interval", "p")]
    return markdown(["row", "minus", *heads], lines)


def corpora_of(table: str) -> tuple[str, ...]:
    """Return the corpora of a table of names."""
    return RANKED if table == "ranking" else CORPORA


def figures(record: Record | None, names: Iterable[str], interval: bool = False) -> list[str]:
    """Write figures of a record, with their intervals if wanted."""
    cells = []
    for name in names:
        known = record is not None and name in record
        value, low, high = record[name] if record is not None and known else (None, None, None)
        cells.append(fixed(value))
        if interval:
            cells.append(f"{low:.3f} to {high:.3f}" if known else "-")
    return cells


def seconds(record: Record | None) -> tuple[str, str]:
    """Write the CPU seconds of training, and how many names were answered in one."""
    if record is None:
        return "-", "-"
    answering = max(float(record["answering_seconds"]), 1e-3)
    return f"{record['training_seconds']:.0f}", f"{len(record['ranks']) / answering:,.0f}"


def pair(printed: tuple[float, float] | None) -> list[str]:
    """Write two figures of the paper."""
    return [fixed(None), fixed(None)] if printed is None else [fixed(one) for one in printed]


def fixed(value: float | None) -> str:
    """Write a share with three digits, as the paper does.

    >>> fixed(0.5), fixed(None)
    ('0.500', '-')
    """
    return "-" if value is None else f"{value:.3f}"


def bold_best(lines: Sequence[list[str]], columns: Iterable[int]) -> list[list[str]]:
    """Put the highest figure of each column in bold."""
    made = [list(line) for line in lines]
    for column in columns:
        known = [float(line[column]) for line in made if line[column] != "-"]
        for line in made:
            if known and line[column] != "-" and float(line[column]) == max(known):
                line[column] = f"**{line[column]}**"
    return made
