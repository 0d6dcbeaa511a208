"""Rows of a small experiment: a JSON file, and beside it the Markdown that is made from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cepts.storage import atomic_writer

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Read the rows that are there already."""
    rows: list[Row] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return rows


def write_rows(path: Path, rows: list[Row], *paragraphs: str) -> None:
    """Write the rows, and the paragraphs beside them, each file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as stream:
        stream.write(json.dumps(rows, indent=1) + "\n")
    with atomic_writer(path.with_suffix(".md")) as stream:
        stream.write("\n\n".join(paragraphs) + "\n")


def fenced(table: str) -> str:
    """Put a table between fences, as it stands.

    >>> fenced("a  b")
    '```\\na  b\\n```'
    """
    return f"```\n{table}\n```"
