"""`validate_links`: everything that is wrong with a file of links, with the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.links.fitting import cure, inside
from cepts.links.formats import OPEN_ENDED
from cepts.links.mixups import FEWEST, suspected
from cepts.links.reading import read_parsed
from cepts.links.text import other_words, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.errors import InputError
    from cepts.links.formats import Parsed
    from cepts.links.reading import Input
    from cepts.links.rows import Rows

KINDS = ("format", "count", "words", "range", "duplicate", "base", "direction")


@checked
class Problem(NamedTuple):
    """One thing that is wrong: its kind, the line (None: the file as a whole), and a sentence."""

    kind: str
    line: int | None
    message: str


@checked
class Validation(NamedTuple):
    """What was found: the name and format of the file, how much it holds, and its problems.

    At most `limit` problems of a kind are listed; `counts` says how many there are of each.
    """

    name: str
    format: str
    pairs: int
    links: int
    problems: list[Problem]
    counts: dict[str, int]

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.counts


class _Found:
    """Collects problems, and lists some of each kind."""

    def __init__(self, limit: int) -> None:
        self.limit = max(limit, 0)
        self.problems: list[Problem] = []
        self.counts: dict[str, int] = {}

    def add(self, kind: str, line: int | None, message: str) -> None:
        """Take in a problem."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] <= self.limit:
            self.problems.append(Problem(kind, line, message))

    def add_rows(self, kind: str, rows: Rows, chosen: NDArray[np.int64], say: Callable[[int], str]) -> None:
        """Take in a problem for each chosen row, and word those that are listed."""
        for row in chosen[: self.limit].tolist():
            self.add(kind, int(rows.line[row]), say(row))
        if len(chosen) > self.limit:
            self.counts[kind] += len(chosen) - self.limit


@checked
def validate_links(
    path_or_stream: Input,
    bitext: Bitext | None = None,
    *,
    format: str | None = None,  # noqa: A002
    limit: int = 20,
) -> Validation:
    """Find what is wrong with a file of links, by itself or beside the text that it is for.

    >>> import io
    >>> validate_links(io.StringIO("0-0 1-1 0-0\\n2\\n")).problems
    [Problem(kind='format', line=2, message="'2' is not a link, expected i-j (sure), i?j (possible) or i-j:confidence"),
     Problem(kind='duplicate', line=1, message='link 0-0 stands there more than once')]
    """
    bounds.PROBLEMS.check("limit", limit)
    found = _Found(limit)

    def complain(line: int, error: InputError) -> None:
        found.add("format", line, str(error).partition(f", line {line}: ")[2] or str(error))

    name, parsed = read_parsed(path_or_stream, format, None if bitext is None else len(bitext), complain)
    first = parsed.first
    rows = parsed.rows
    _find_duplicates(rows, first, found)
    if bitext is not None:
        _compare_counts(parsed, bitext, found)
        _compare_words(parsed, bitext, found)
        rows = _selected(rows, rows.pair < len(bitext))
        _find_outside(rows, bitext, first, found)
    _find_mixups(rows, bitext, first, found)
    found.problems.sort(key=lambda problem: (KINDS.index(problem.kind), problem.line or 0))
    return Validation(
        name, parsed.format, parsed.rows.pairs, len(parsed.rows.pair), found.problems, found.counts
    )


def _compare_counts(parsed: Parsed, bitext: Bitext, found: _Found) -> None:
    """Compare the number of pairs with that of the text, in formats that say it."""
    if parsed.format in OPEN_ENDED or parsed.rows.pairs == len(bitext):
        return
    which = "ends too early" if parsed.rows.pairs < len(bitext) else "goes on behind it"
    message = f"links of {parsed.rows.pairs} pairs, but the text has {len(bitext)}: the file {which}"
    found.add("count", None, message)


def _compare_words(parsed: Parsed, bitext: Bitext, found: _Found) -> None:
    """Compare the words of a file that has them with those of the text."""
    text = text_of(bitext)
    if parsed.text is not None and text is not None:
        for pair, message in other_words(parsed.text, text):
            found.add("words", None, f"pair {pair + 1}: {message}")


def _find_outside(rows: Rows, bitext: Bitext, first: int, found: _Found) -> None:
    """List links of words that are not there, and say which reading would make all of them fit."""
    rows = _selected(rows, (rows.source >= 0) & (rows.target >= 0))
    lengths = (bitext.source.lengths, bitext.target.lengths)
    outside = np.flatnonzero(~inside(rows.pair, rows.source, rows.target, *lengths))
    if not len(outside):
        return

    def say(row: int) -> str:
        source, target = (side[rows.pair[row]] for side in lengths)
        return (
            f"link {_shown(rows, row, first)} (from {first}) is outside of its pair, which has {source} source and"
            f" {target} target words"
        )

    found.add_rows("range", rows, outside, say)
    told = cure(rows.pair, rows.source, rows.target, *lengths, first)
    if not told.endswith("?"):
        kind = "direction" if "swapped" in told else "base"
        found.add(kind, int(rows.line[outside[0]]), told)


def _selected(rows: Rows, mask: NDArray[np.bool_]) -> Rows:
    """Return the rows that are True in a mask."""
    columns = ("line", "pair", "source", "target", "confidence", "sure")
    return rows._replace(**{name: getattr(rows, name)[mask] for name in columns})


def _shown(rows: Rows, row: int, first: int) -> str:
    """Write a link as its file counts."""
    return f"{rows.source[row] + first}-{rows.target[row] + first}"


def _find_duplicates(rows: Rows, first: int, found: _Found) -> None:
    """List links that stand in their pair more than once."""
    order = np.lexsort((rows.target, rows.source, rows.pair))
    columns = [column[order] for column in (rows.pair, rows.source, rows.target)]
    same = np.logical_and.reduce([column[1:] == column[:-1] for column in columns])
    again = np.flatnonzero(same & ~np.append(False, same[:-1])[: len(same)]) + 1  # the second of each

    def say(row: int) -> str:
        return f"link {_shown(rows, row, first)} stands there more than once"

    found.add_rows("duplicate", rows, np.sort(order[again]), say)


def _find_mixups(rows: Rows, bitext: Bitext | None, first: int, found: _Found) -> None:
    """Say what looks mixed up, unless the range of links has shown it."""
    if "base" in found.counts or "direction" in found.counts or not len(rows.line):
        return
    line = int(rows.line[0])
    for sentence in suspected(rows, bitext, first):
        found.add("direction" if "swapped" in sentence else "base", line, sentence)
        return
    if bitext is not None and first == 1 and _counts_from_0(rows, bitext):
        message = "0 stands for NULL here, and no last word is linked: links look 0-based, expected from 1"
        found.add("base", line, message)


def _counts_from_0(rows: Rows, bitext: Bitext) -> bool:
    """Tell whether links of a format that counts from 1 use 0 and never the last word."""
    one, null = np.int32(1), (rows.source < 0) | (rows.target < 0)
    higher = inside(
        rows.pair, rows.source + one, rows.target + one, bitext.source.lengths, bitext.target.lengths
    )
    return bool(null.any()) and bool(higher.all()) and len(np.unique(rows.pair)) >= FEWEST
