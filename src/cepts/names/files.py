"""Files of names: pairs, groups, orders, lists, references and answers; every error names file and line.

A file is UTF-8, plain, gzip or xz, `-` is standard input. White space at the ends of a field is dropped. Strings are
kept as they are written: whoever compares them brings them to normal form C.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.corpus.encoding import decoded
from cepts.corpus.files import BYTE_ORDER_MARK, Block, bad_bytes, read_blocks, shown
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath

AT_ONCE = 1 << 16  # bytes of a stream that are taken at once, if there are so many
BETWEEN_REFERENCES = "|"

Row = tuple[str, ...]


class Line(NamedTuple):
    """The fields of a line, and its number from 1."""

    number: int
    fields: Row


def read_pairs(path: FilePath, *, errors: Errors = "strict") -> list[Row]:
    """Read `source TAB target` lines; an empty line is a pair of empty strings."""
    return _read_rows(path, errors, 2, 2, "source TAB target")


def read_orders(path: FilePath, *, errors: Errors = "strict") -> list[Row]:
    """Read `source TAB better TAB worse` lines, which may have further worse strings."""
    return _read_rows(path, errors, 3, None, "source TAB better TAB worse")


def read_groups(path: FilePath, *, errors: Errors = "strict") -> list[Row]:
    """Read groups, one a line, members separated by TAB; an empty line is no group.

    A line without a TAB is a group of one, which only ever serves as a decoy; a file of nothing else is refused.
    """
    lines = [line for line in read_lines(path, errors=errors) if line.fields != ("",)]
    name = shown(path)
    _check_any(lines, name, "groups")
    if all(len(line.fields) < 2 for line in lines):
        raise InputError(
            f"{name}, line {lines[0].number}: no TAB, and none in the whole file;"
            " put the members of a group on one line, with TABs between them"
        )
    return [line.fields for line in lines]


def read_names(path: FilePath, *, errors: Errors = "strict") -> list[str]:
    """Read a list, one name a line; an empty line is an empty name."""
    names = [single_name(line, shown(path)) for line in read_lines(path, errors=errors)]
    _check_any(list(filter(None, names)), shown(path), "names")
    return names


def read_references(
    path: FilePath, *, joined: bool = False, errors: Errors = "strict"
) -> dict[str, list[str]]:
    """Read `source TAB target` lines as what is right for each source: all the targets that it has.

    With `joined`, the targets of a line are separated by `|`. Lines that are empty on both sides are passed over.
    """
    expected = "source TAB target|target" if joined else "source TAB target"
    right: dict[str, list[str]] = {}
    for number, (source, target) in _rows(path, errors, 2, 2, expected):
        if not source and not target:
            continue
        targets = target.split(BETWEEN_REFERENCES) if joined else [target]
        if not source or not all(targets):
            raise InputError(
                f"{shown(path)}, line {number}: an empty string, expected `{expected}`; drop the line"
            )
        right.setdefault(source, []).extend(targets)
    _check_any(list(right), shown(path), "names")
    return right


def read_answers(path: FilePath, *, errors: Errors = "strict") -> dict[str, list[str]]:
    """Read `name TAB rank TAB candidate TAB score` lines as the candidates of each name, by rank.

    A name that was asked for twice has its candidates twice; those of the first time are taken.
    """
    expected = "name TAB rank TAB candidate TAB score"
    ranked: dict[str, dict[int, str]] = {}
    for number, (name, rank, candidate, _) in _rows(path, errors, 4, 4, expected):
        if not rank.isascii() or not rank.isdigit() or int(rank) < 1:
            raise InputError(f"{shown(path)}, line {number}: rank {rank!r}, expected a whole number from 1")
        ranked.setdefault(name, {}).setdefault(int(rank), candidate)
    _check_any(list(ranked), shown(path), "candidates")
    return {name: [found[rank] for rank in sorted(found)] for name, found in ranked.items()}


def read_lines(path: FilePath, *, errors: Errors = "strict") -> Iterator[Line]:
    """Yield the lines of a file, cut at TABs."""
    for block in read_blocks(path):
        yield from _lines_of(block, shown(path), errors)


def stream_lines(name: str = "standard input", *, errors: Errors = "strict") -> Iterator[list[Line]]:
    """Yield the lines of standard input in blocks, each as soon as no more can be had at once."""
    before, rest = 0, b""
    while piece := sys.stdin.buffer.read1(AT_ONCE):  # type: ignore[union-attr]
        piece = rest + piece
        cut = piece.rfind(b"\n") + 1
        rest = piece[cut:]
        if cut:
            block = Block(_unmarked(piece[:cut], before), piece.count(b"\n", 0, cut), before)
            yield list(_lines_of(block, name, errors))
            before += block.lines
    if rest:
        yield list(_lines_of(Block(_unmarked(rest, before) + b"\n", 1, before), name, errors))


def single_name(line: Line, file: str) -> str:
    """Return the name of a line that must have just one."""
    if len(line.fields) > 1:
        raise InputError(
            f"{file}, line {line.number}: a TAB, expected one name a line; cut -f 1 keeps the first column"
        )
    return line.fields[0]


def reader_of(mode: str) -> Callable[..., list[Row]]:
    """Return the function that reads what a mode learns from."""
    readers: dict[str, Any] = {"classify": read_groups, "affinity": read_orders}
    return readers.get(mode, read_pairs)  # type: ignore[no-any-return]


def _unmarked(text: bytes, lines_before: int) -> bytes:
    return text if lines_before else text.removeprefix(BYTE_ORDER_MARK)


def _lines_of(block: Block, name: str, errors: Errors) -> Iterator[Line]:
    if errors not in ("strict", "replace"):
        raise OptionError(f"errors must be 'strict' or 'replace', got {errors!r}")
    try:
        text = decoded(block.text[:-1], errors)
    except UnicodeError:
        raise bad_bytes(name, block) from None
    for number, line in enumerate(text.split("\n"), block.lines_before + 1):
        yield Line(number, tuple(field.strip() for field in line.split("\t")))


def _rows(path: FilePath, errors: Errors, least: int, most: int | None, expected: str) -> Iterator[Line]:
    """Yield lines with the right number of columns; an empty line has empty ones."""
    for line in read_lines(path, errors=errors):
        count = len(line.fields)
        if line.fields == ("",):
            yield Line(line.number, ("",) * least)
        elif count < least or (most is not None and count > most):
            raise InputError(
                f"{shown(path)}, line {line.number}: {_columns(count)}, expected `{expected}`"
                + ("" if count < least else f"; cut -f 1-{most} keeps the first {most} columns")
            )
        else:
            yield line


def _columns(count: int) -> str:
    return "no TAB" if count == 1 else f"{count} columns"


def _read_rows(path: FilePath, errors: Errors, least: int, most: int | None, expected: str) -> list[Row]:
    rows = [line.fields for line in _rows(path, errors, least, most, expected)]
    _check_any([row for row in rows if any(row)], shown(path), f"lines of `{expected}`")
    return rows


def _check_any(found: list[Any], name: str, what: str) -> None:
    if not found:
        raise InputError(f"{name} is empty: expected {what}")
