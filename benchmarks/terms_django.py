"""Terms of Django's catalogues: what `cepts terms` makes of the texts of an interface, in French and Arabic.

    python benchmarks/terms_django.py

Django (extra `bench`) brings PO files for some hundred languages. All catalogues of a language are put behind one
another, and `cepts terms` lists the best terms, as a person would call it. The report is
`benchmarks/results/terms-django.md`; what a person has to say about the lists stands in `terms-django-remarks.md`
beside it, and is copied into the report.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from cepts.storage import atomic_writer
from goals import add_output
from paper_tables.markdown import joined, section
from signature import installed, one_line, signature

LANGUAGES = {"fr": "French", "ar": "Arabic"}
TERMS = 50
CATALOGUES = ("conf/locale/{}/LC_MESSAGES/*.po", "contrib/*/locale/{}/LC_MESSAGES/*.po")
STEM = "terms-django"
ABOUT = (
    "What `cepts terms` lists for the texts of Django's interface, all catalogues of a language in one PO file, without"
    " any other option than the length of the list."
)


class List(NamedTuple):
    """The terms of one language: the number of catalogues, lines of the list, what was said on stderr."""

    language: str
    catalogues: int
    rows: list[list[str]]
    said: str


def main(arguments: list[str] | None = None) -> None:
    """List the terms of each language, and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--django", type=Path, help="Django's folder (default: that of the installed package)"
    )
    parser.add_argument("--terms", type=int, default=TERMS, help=f"how long the lists are (default: {TERMS})")
    add_output(parser)
    options = parser.parse_args(arguments)
    folder = options.django or django_folder()
    lists = [list_terms(folder, language, options.terms) for language in LANGUAGES]
    remarks = options.output / f"{STEM}-remarks.md"
    said = remarks.read_text(encoding="utf-8").strip() if remarks.exists() else ""
    options.output.mkdir(parents=True, exist_ok=True)
    with atomic_writer(options.output / f"{STEM}.md") as file:
        file.write(report(lists, said))
    print(f"{options.output / STEM}.md written", file=sys.stderr)


def django_folder() -> Path:
    """Find the installed package."""
    found = importlib.util.find_spec("django")
    if found is None or found.origin is None:
        raise SystemExit(
            "Django is not installed: pip install 'cepts[bench]', or name its folder with --django"
        )
    return Path(found.origin).parent


def list_terms(folder: Path, language: str, number: int) -> List:
    """Run `cepts terms` on all catalogues of a language."""
    catalogues = sorted(path for pattern in CATALOGUES for path in folder.glob(pattern.format(language)))
    if not catalogues:
        raise SystemExit(f"{folder} has no catalogues of {language}; is it Django's folder?")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "catalogue.po"
        path.write_text(
            "\n\n".join(each.read_text(encoding="utf-8") for each in catalogues), encoding="utf-8"
        )
        done = subprocess.run(
            [sys.executable, "-m", "cepts", "terms", str(path), "--limit", str(number)],
            capture_output=True,
            check=False,
        )
    said = done.stderr.decode("utf-8").strip()
    if done.returncode:
        raise SystemExit(said)
    rows = list(csv.reader(done.stdout.decode("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    return List(language, len(catalogues), rows, said.replace(f"{path}", "catalogue.po"))


def report(lists: list[List], remarks: str) -> str:
    """Write the report: remarks first, then a table for each language."""
    made = signature(f"cepts terms catalogue.po --limit {max(len(each.rows) for each in lists)}", 1)
    return joined(
        [
            "# Terms of Django's catalogues",
            ABOUT,
            section("Remarks of a reader", remarks),
            *(table(each) for each in lists),
            section("How it was made", f"Django {installed('django') or 'of a folder'} | {one_line(made)}"),
        ]
    )


def table(found: List) -> str:
    """Write the list of one language."""
    lines = [
        f"| | English | {LANGUAGES[found.language]} | score | count | example |",
        "|---|---|---|---|---|---|",
    ]
    for number, row in enumerate(found.rows, 1):
        lines.append("| " + " | ".join([str(number), *map(escaped, row)]) + " |")
    about = f"{found.catalogues} catalogues. {found.said.removeprefix('cepts: ')}".strip()
    return section(f"English-{LANGUAGES[found.language]}", about + "\n\n" + "\n".join(lines))


def escaped(text: str) -> str:
    """Write a text into a cell of a Markdown table.

    >>> escaped("a | b <c>")
    'a \\\\| b &lt;c>'
    """
    return text.replace("|", r"\|").replace("<", "&lt;").replace("*", r"\*")


if __name__ == "__main__":
    main()
