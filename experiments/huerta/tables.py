"""The tables of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huerta import paper
from huerta.comparing import PAIRS, compare
from huerta.rows import BY_PLACE, CLEANED, NONE, OWN, RANDOM, SHARES, TATOEBA, rows_of
from paper_tables.comparing import difference_cells, is_better
from paper_tables.markdown import markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from huerta.results import Results, Sheet
    from huerta.rows import Row
    from paper_tables.store import Record

SHOWN = (1, 2, 5, 10, 20, 50, 100, 200)  # iterations


def known(results: Results, sheet: Sheet, table: str, corpus: str) -> dict[str, Record]:
    """Return the records of a table on a corpus by the names of their rows."""
    found = {row.name: results.record(sheet, row, corpus) for row in rows_of(table)}
    return {name: record for name, record in found.items() if record is not None}


def interval(figures: list[float]) -> str:
    """Write an estimate and its interval.

    >>> interval([0.5, 0.41234, 0.6])
    '0.500 (0.412 to 0.600)'
    """
    return f"{figures[0]:.3f} ({figures[1]:.3f} to {figures[2]:.3f})"


def figure_table(results: Results, sheet: Sheet) -> str:
    """Write the curves of figure 1 at some iterations."""
    heads = ["rule", "loss", "start", *(str(step) for step in SHOWN)]
    lines = []
    for name, record in known(results, sheet, "figure", RANDOM).items():
        curve = record["curve"]
        at = [f"{curve[step]:.4g}" if step < len(curve) else "-" for step in (0, *SHOWN)]
        lines.append([title_of("figure", name), record["unit"], *at])
    return markdown(heads, lines) if lines else ""


def title_of(table: str, name: str) -> str:
    """Write how a row is called, and its name."""
    return f"{BY_PLACE[table, name].title} `{name}`"


def judge_table(results: Results, sheet: Sheet, table: str, corpora: Sequence[str]) -> str:
    """Write how often judges are right: a column for what they learned from."""
    lines = []
    for row in rows_of(table):
        found = {corpus: results.record(sheet, row, corpus) for corpus in row.corpora}
        if any(record is not None for record in found.values()):
            lines.append([title_of(table, row.name), *judge_cells(row, found, corpora)])
    heads = ["judge", *(f"from {corpus}" for corpus in corpora), "paper"]
    return markdown(heads, lines) if lines else ""


def judge_cells(row: Row, found: dict[str, Record | None], corpora: Sequence[str]) -> list[str]:
    """Write accuracies; what learns from no translations stands in all columns."""
    columns = [found.get(corpus, found.get(NONE)) for corpus in corpora]
    printed = paper.ACCURACY.get(row.name)
    cells = ["-" if record is None else interval(record["accuracy"]) for record in columns]
    return [*cells, "-" if printed is None else f"{printed:.3f}"]


def plain_table(results: Results, sheet: Sheet, corpora: Sequence[str]) -> str:
    """Write how often judges are right where inverted marks do not tell."""
    lines, count = [], 0
    for row in rows_of(OWN):
        found = {corpus: results.record(sheet, row, corpus) for corpus in row.corpora}
        columns = [found.get(corpus, found.get(NONE)) for corpus in corpora]
        known = [record for record in columns if record is not None]
        if known:
            count = known[0]["plain"]
            cells = ["-" if record is None else interval(record["plain accuracy"]) for record in columns]
            lines.append([title_of(OWN, row.name), *cells])
    return (
        markdown([f"judge, {count:,} sentences", *(f"from {one}" for one in corpora)], lines) if lines else ""
    )


def retrieval_table(results: Results, sheet: Sheet) -> str:
    """Write how well translations are found, and how scores go along with people's."""
    made = known(results, sheet, "retrieval", TATOEBA)
    people = sorted({name for record in made.values() for name in record if name.startswith("sts ")})
    heads = ["evidence", "accuracy", "MRR", *(f"{name.upper()}, correlation" for name in people), "CPU s"]
    lines = []
    for name, record in made.items():
        scores = [interval(record[one]) if one in record else "-" for one in people]
        cells = [interval(record["accuracy"]), interval(record["mrr"]), *scores]
        lines.append([title_of("retrieval", name), *cells, f"{record['cpu_seconds']:.0f}"])
    return markdown(heads, lines) if lines else ""


def cleaning_table(results: Results, sheet: Sheet, corpus: str) -> str:
    """Write areas under the curve: a column for each kind of noise and share of bad pairs."""
    made = known(results, sheet, "cleaning", corpus)
    if not made:
        return ""
    kinds = list(next(iter(made.values()))["areas"][str(SHARES[0])])
    heads = ["scores", *(f"{kind}, {share} %" for kind in kinds for share in SHARES), "CPU s"]
    lines = []
    for name, record in made.items():
        cells = [f"{record['areas'][str(share)][kind][0]:.3f}" for kind in kinds for share in SHARES]
        lines.append([title_of("cleaning", name), *cells, f"{record['cpu_seconds']:.0f}"])
    return markdown(heads, lines)


def found_table(results: Results, sheet: Sheet) -> str:
    """Write what the filter drops at the threshold that it suggests itself."""
    heads, lines = ["corpus", "bad pairs", "row", "dropped of each kind"], []
    for corpus in CLEANED:
        for name, record in known(results, sheet, "cleaning", corpus).items():
            for share, found in record["found"].items():
                cells = ", ".join(f"{kind} {value:.1%}" for kind, value in found.items())
                if cells:
                    lines.append([corpus, f"{share} %", f"`{name}`", cells])
    return markdown(heads, lines) if lines else ""


def comparison_table(results: Results, sheet: Sheet, table: str, corpora: Iterable[str]) -> str:
    """Write how much better one row is than another; areas are those of the middle share of bad pairs."""
    lines = []
    for corpus in corpora:
        # what learns from no translations is the same beside all that do
        made = known(results, sheet, table, NONE) | known(results, sheet, table, corpus)
        for one, other in PAIRS[table]:
            if one in made and other in made:
                for measure, found in compare(table, made[one], made[other], SHARES[1]).items():
                    cells = difference_cells(found, sure=is_better(found))
                    lines.append([corpus, f"`{one}`", f"`{other}`", measure, *cells])
    return markdown(["corpus", "row", "minus", "of", "by", "95 % interval", "p"], lines) if lines else ""
