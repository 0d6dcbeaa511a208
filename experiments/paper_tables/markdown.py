"""Reports in Markdown: sections, tables, pictures, and how the figures were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.storage import atomic_writer
from paper_tables.store import changes, total_minutes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from paper_tables.judging import Claim
    from paper_tables.store import Record

    Plots = dict[str, Path]


def write_markdown(folder: Path, stem: str, plots: Plots, report: Callable[[Plots, str], str]) -> list[Path]:
    """Write a report of plots, and of the remarks of a person where a file has them; returns the files."""
    path, remarks = folder / f"{stem}.md", folder / f"{stem}-remarks.md"
    said = remarks.read_text(encoding="utf-8").strip() if remarks.exists() else ""
    with atomic_writer(path) as file:
        file.write(report(plots, said))
    return [path, *plots.values()]


def joined(sections: Iterable[str]) -> str:
    """Put sections below each other, without those that are empty."""
    return "\n\n".join(part for part in sections if part) + "\n"


def section(title: str, text: str) -> str:
    """Put a title above a text, if there is any."""
    return f"## {title}\n\n{text}" if text else ""


def picture(plots: Plots, name: str, text: str) -> str:
    """Show a plot, if it was drawn."""
    return f"![{text}]({plots[name].name})\n\n*{text}.*" if name in plots else ""


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table.

    >>> print(markdown(["row", "Es|En"], [["HMM", "-"]]))
    | row | Es\\|En |
    |---|---|
    | HMM | - |
    """
    lines = [list(heads), *map(list, rows)]
    texts = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([texts[0], "|---" * len(heads) + "|", *texts[1:]])


def claims_table(judged: list[Claim]) -> str:
    """Write claims as a table, or nothing."""
    rows = [[claim.text, f"**{claim.verdict}**", claim.ours, claim.paper] for claim in judged]
    return markdown(["claim", "holds", "ours", "paper"], rows) if rows else ""


def corpus_lines(records: list[Record], corpora: Iterable[str]) -> list[str]:
    """Write the sizes of each corpus, as far as it was read."""
    facts = {record["corpus"]: record["text"] for record in records}
    return [f"- {corpus}: {corpus_text(facts[corpus]) if corpus in facts else '-'}" for corpus in corpora]


def corpus_text(facts: dict[str, int]) -> str:
    """Write the sizes of a corpus."""
    return (
        f"{facts['scored']} scored sentences and {facts['pairs'] - facts['scored']:,} training pairs behind them "
        f"({facts['source_words']:,} and {facts['target_words']:,} words in all)"
    )


def versions(records: list[Record]) -> list[str]:
    """Name what made records: versions, threads and machines."""
    return sorted({f"cepts {one['cepts']}, {one['threads']} threads, {one['machine']}" for one in records})


def making(records: list[Record], more: Callable[[list[Record]], Iterable[str]] = lambda _: ()) -> str:
    """Say with which versions, threads and recipes records were made, and what `more` finds in them."""
    if not records:
        return "No run is finished."
    lines = [f"- {version}" for version in versions(records)]
    lines.append(f"- all runs together: {total_minutes(records):.1f} minutes")
    lines += [f"- {text}" for text in more(records)]
    recipes = {one["run"]: one["signature"] for one in reversed(records)}  # the first column's, of each run
    base = recipes[records[0]["run"]]
    lines += [f"- recipe of {records[0]['run']}: `{base}`"]
    lines += [
        f"- {name}: the same but `{different}`"
        for name, recipe in reversed(recipes.items())
        if (different := changes(base, recipe))
    ]
    return "\n".join(lines)
