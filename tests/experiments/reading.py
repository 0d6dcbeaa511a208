"""Reports read back: the cells of their tables."""

from __future__ import annotations

import re
from itertools import dropwhile, takewhile


def table_under(text: str, title: str) -> list[list[str]]:
    """The cells of the first table below a title."""
    lines = text.partition(f"# {title}")[2].splitlines()
    rows = takewhile(is_row, dropwhile(lambda line: not is_row(line), lines))
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def is_row(line: str) -> bool:
    return line.startswith("|")
