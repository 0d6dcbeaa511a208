"""What the papers say, claim by claim: writes `docs/papers.md` from the results that are there.

    python experiments/paper_claims.py

Nothing is run. Each paper has its statements in `statements.py` of its folder: where it says what, the claims or rows
that test it, and which rows these are.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "papers.md"
FOLDERS = ("goutte_2004", "freitag_2007", "denero_2011", "schoenemann_2011", "huerta")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    from cepts.errors import CeptsError
    from cepts.storage import atomic_writer
    from paper_tables.command import RESULTS, parser_of, say

    parser = parser_of(__doc__)
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="a folder (default: experiments/results)"
    )
    parser.add_argument("--output", type=Path, default=PAGE, help="a file (default: docs/papers.md)")
    options = parser.parse_args(arguments)
    try:
        text = written(options.results)
        with atomic_writer(options.output) as file:
            file.write(text)
    except CeptsError as error:
        raise SystemExit(str(error)) from None
    say(f"wrote {options.output}")


def written(results: Path) -> str:
    """Write the page from the results in a folder."""
    from paper_tables.statements import page

    return page(import_module(f"{folder}.statements").paper(results) for folder in FOLDERS)


if __name__ == "__main__":
    main()
