"""Rows with named columns, of JSONL and Parquet: which columns are the two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus.languages import normal, related
from cepts.errors import InputError, OptionError, listed, said

if TYPE_CHECKING:
    from collections.abc import Sequence

TRANSLATION = "translation"  # of Hugging Face: a column of objects, a string for each language
SIDES = ("source", "target")


class Columns(NamedTuple):
    """The columns of both sides, and the column that they are inside of, if any."""

    source: str
    target: str
    inside: str | None = None


def side_columns(
    columns: Sequence[str], name: str, place: str, source_language: str | None, target_language: str | None
) -> Columns:
    """Find the sides among columns that have no `translation`: by the languages that were asked for, or by name.

    >>> side_columns(["id", "en", "fr"], "x.jsonl", "line 1", "fr", "en")
    Columns(source='fr', target='en', inside=None)
    """
    wanted = (source_language, target_language)
    there = listed(columns)
    if wanted == (None, None):
        if all(side in columns for side in SIDES):
            return Columns(*SIDES)
        raise InputError(
            f"{name}, {place}: columns {there}; expected translation, or source and target, or name two columns with"
            f" {said('source_language')} and {said('target_language')}"
        )
    if None in wanted:
        raise OptionError(
            f"{name}: give both {said('source_language')} and {said('target_language')}; columns: {there}"
        )
    return Columns(*(_column(columns, str(code), name, place) for code in wanted))


def _column(columns: Sequence[str], code: str, name: str, place: str) -> str:
    """Return the column of a language."""
    exact = [column for column in columns if normal(column) == normal(code)]
    found = exact or [column for column in columns if related(normal(column), normal(code))]
    if len(found) != 1:
        raise InputError(
            f"{name}, {place}: {'no column' if not found else 'several columns'} for the language {code}; columns:"
            f" {listed(columns)}"
        )
    return found[0]
