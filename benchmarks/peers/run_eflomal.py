"""Align two files with eflomal, as it comes: model 3, three samplers. Usage: SOURCE TARGET FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

import eflomal


def main(source: Path, target: Path, folder: Path) -> None:
    """Write `forward.links` and `reverse.links`, both source-target."""
    with source.open(encoding="utf-8") as source_lines, target.open(encoding="utf-8") as target_lines:
        eflomal.Aligner().align(
            source_lines,
            target_lines,
            links_filename_fwd=str(folder / "forward.links"),
            links_filename_rev=str(folder / "reverse.links"),
        )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
