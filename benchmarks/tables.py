"""Write the results of `aligners.py` as tables into `benchmarks/results/aligners.md`.

    python benchmarks/tables.py

`aligners.py --output benchmarks/results/align-NAME.json` makes the files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
RESULTS = ROOT / "benchmarks" / "results"
TITLE = """# Cepts beside its peers

`cepts` is `--method fast`. Each table is one run on one machine, one thread each. Of a peer's ways to combine its two
directions the best one is shown, chosen afterwards. Written by `benchmarks/tables.py`.
"""
HEADS = "| system | combined by | AER % | precision | recall | CPU s | CPU, Cepts = 1 | peak MB |"
RULE = "|---" * 8 + "|"


def main() -> None:
    """Rewrite the page of tables."""
    results = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("align-*.json"))]
    page = "\n".join([TITLE, *(section(result) for result in results)])
    (RESULTS / "aligners.md").write_text(page, encoding="utf-8")


def fill_readme(name: str, figures: str, readme: Path = README) -> None:
    """Put figures into the README, between the markers of that name."""
    readme.write_text(filled(readme.read_text(encoding="utf-8"), name, figures), encoding="utf-8")


def filled(text: str, name: str, figures: str) -> str:
    """Put figures between the markers of that name.

    >>> filled("a <!-- speed: begin --> old <!-- speed: end --> b", "speed", "new")
    'a <!-- speed: begin -->\\nnew\\n<!-- speed: end --> b'
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{figures.strip()}\n{end}{after}"


def section(result: dict[str, Any]) -> str:
    """Write one corpus as a paragraph and a table."""
    corpus = result["corpus"]
    size = f"{corpus['pairs']:,} pairs, scored on {corpus['part']} ({corpus['scored']} pairs)"
    rows = [line(row) for row in best_of_each(result["rows"])]
    return "\n".join([f"**{corpus['name']}**, {size}:", "", HEADS, RULE, *rows, ""])


def best_of_each(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep each system's row with the lowest AER: the combination that is best for it, seen with hindsight.

    >>> [row["aer"] for row in best_of_each([{"system": "a", "aer": 0.3}, {"system": "a", "aer": 0.2}])]
    [0.2]
    """
    best: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["aer"], reverse=True):
        best[row["system"]] = row
    return [best[name] for name in dict.fromkeys(row["system"] for row in rows)]


def line(row: dict[str, Any]) -> str:
    """Write one row."""
    ratio = row["ratio_to_cepts"]["cpu_seconds"]
    return (
        f"| {row['system']} | {row['symmetrisation']} | {100 * row['aer']:.1f} | {100 * row['precision']:.1f}"
        f" | {100 * row['recall']:.1f} | {row['cpu_seconds']:.1f} | {'' if ratio is None else f'{ratio:.1f}'}"
        f" | {row['peak_mb']:.0f} |"
    )


if __name__ == "__main__":
    main()
