"""Which of many measured rows are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.errors import OptionError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.views.records import Measured

TEST = "test"
VARIANT = ": "  # in the name of a system: a recipe with something changed


def chosen_rows(
    rows: Sequence[Measured],
    part: str | None = None,
    systems: Sequence[str] | None = None,
    corpora: Sequence[str] | None = None,
) -> list[Measured]:
    """Choose rows of one part (else of `main_part`), and of systems and corpora, in the order that is given.

    Without `systems`, variants, whose names have a colon, stay out if there are others.
    """
    part = part or main_part(rows)
    _check([part], dict.fromkeys(row.part for row in rows), "part")
    own = [row for row in rows if row.part == part]
    known = dict.fromkeys(row.system for row in own)
    plain = [name for name in known if VARIANT not in name] or [*known]
    systems, corpora = systems or plain, corpora or [*dict.fromkeys(row.corpus for row in own)]
    _check(systems, known, "system")
    _check(corpora, dict.fromkeys(row.corpus for row in own), "corpus")
    chosen = [row for row in own if row.system in systems and row.corpus in corpora]
    if not chosen:
        raise OptionError("no row is of the systems and of the corpora that are chosen; choose others")
    return sorted(chosen, key=lambda row: (corpora.index(row.corpus), systems.index(row.system)))


def main_part(rows: Sequence[Measured]) -> str:
    """Return the part that is drawn if none is named: test, if it is there, else the first one."""
    return TEST if any(row.part == TEST for row in rows) else rows[0].part


def _check(names: Iterable[str], known: Iterable[str], kind: str) -> None:
    """Refuse names that no row has."""
    there = [*known]
    for name in names:
        if name not in there:
            raise OptionError(f"no row is of the {kind} {name!r}; expected one of {listed(there)}")
