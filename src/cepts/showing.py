"""How objects show themselves: in one line by `repr`, as a small table in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LEFT = 'style="text-align:left"'


class Shown:
    """Something that is shown by a few facts, which a class returns from `_facts`."""

    def _facts(self) -> Mapping[str, object]:
        """Return what is worth knowing, by name, in the order in which it is shown."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the facts in one line."""
        return line_of(self, self._facts())

    def _repr_html_(self) -> str:
        """Return the facts as a table, for notebooks."""
        return facts_table(type(self).__name__, self._facts())


def line_of(thing: object, facts: Mapping[str, object]) -> str:
    """Write facts in one line, in the manner of Python.

    >>> line_of([], {"pairs": 3, "mean score": -1.23456})
    'list(pairs=3, mean_score=-1.235)'
    """
    said = ", ".join(f"{name.replace(' ', '_')}={_short(value)}" for name, value in facts.items())
    return f"{type(thing).__name__}({said})"


def facts_table(title: str, facts: Mapping[str, object]) -> str:
    """Return facts as HTML, a row for each.

    >>> facts_table("Links", {"pairs": 1000})
    '<b>Links</b><table><tr><th style="text-align:left">pairs</th><td style="text-align:left">1,000</td></tr></table>'
    """
    rows = (
        f"<tr><th {LEFT}>{_cell(name)}</th><td {LEFT}>{_cell(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<b>{escape(title)}</b><table>{''.join(rows)}</table>"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows below a header as HTML. Text may be of any script and direction."""
    lines = [_row(header, "th"), *(_row(row, "td") for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _row(values: Iterable[object], tag: str) -> str:
    """Return a row of a table of HTML."""
    cells = (f'<{tag} {LEFT} dir="auto">{_cell(value)}</{tag}>' for value in values)
    return f"<tr>{''.join(cells)}</tr>"


def percent(fraction: float) -> str:
    """Write a fraction in percent.

    >>> percent(0.12345)
    '12.35'
    """
    return f"{100 * fraction:.2f}"


def _cell(value: object) -> str:
    """Write a value for HTML: numbers with separators between thousands."""
    return escape(
        f"{value:,}" if type(value) is int else _short(value) if type(value) is float else str(value)
    )


def _short(value: object) -> str:
    """Write a value with no more digits than one looks at."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
