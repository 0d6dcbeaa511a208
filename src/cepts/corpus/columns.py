"""Lines that hold both sides of a pair: `source ||| target`, or columns separated by TAB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.checking import checked
from cepts.corpus.encoding import Errors, decoded
from cepts.corpus.files import BYTE_ORDER_MARK, Block, bad_bytes
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BARS = b"|||"
TAB = b"\t"


class Columns:
    """Cuts lines in two; the first line with text decides for all whether at `|||` or at TAB."""

    def __init__(self, name: str, separator: bytes = b"") -> None:
        self._name = name
        self._separator = separator

    def split(self, block: Block) -> tuple[bytes, bytes]:
        """Return the sources and the targets of a block, as lines without white space at their ends."""
        sources: list[bytes] = []
        targets: list[bytes] = []
        for number, line in enumerate(block.text[:-1].split(b"\n"), block.lines_before + 1):
            columns = line.split(self._separator) if self._separator else []
            if len(columns) != 2:
                columns = self._unusual(line, number)
            sources.append(columns[0].strip())
            targets.append(columns[1].strip())
        return b"\n".join([*sources, b""]), b"\n".join([*targets, b""])

    def _unusual(self, line: bytes, number: int) -> list[bytes]:
        """Cut the first line, an empty line or one with several columns; refuse what cannot be cut."""
        if not line.strip():
            return [b"", b""]
        self._separator = self._separator or self._decide(line, number)
        columns = line.split(self._separator)
        if len(columns) == 2 or (len(columns) > 2 and self._separator == TAB):
            return columns
        separator = "TAB" if self._separator == TAB else "'|||'"
        got = f"{len(columns) - 1} separators {separator}" if columns[1:] else f"no {separator}"
        expected = "source TAB target" if self._separator == TAB else "source ||| target"
        raise InputError(f"{self._name}, line {number}: {got}, expected one, as in `{expected}`")

    def _decide(self, line: bytes, number: int) -> bytes:
        if BARS in line:
            return BARS
        if TAB in line:
            return TAB
        if b"\0" in line:  # UTF-16, most likely: the cause, not the missing separator, should be named
            raise bad_bytes(self._name, Block(line, 1, number - 1))
        raise InputError(
            f"{self._name}, line {number}: neither '|||' nor TAB; give two files, or one with"
            " `source ||| target` or `source TAB target` on each line"
        )


@checked
def split_pairs(
    lines: Iterable[bytes], name: str = "standard input", *, errors: Errors = "strict"
) -> Iterator[tuple[str, str]]:
    r"""Yield the (source, target) strings of each line as soon as it comes, for processes that stream.

    >>> list(split_pairs([b"la maison ||| the house\n", b"\n"]))
    [('la maison', 'the house'), ('', '')]
    """
    columns = Columns(name)
    for number, line in enumerate(lines):
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        text = text.removeprefix(BYTE_ORDER_MARK) if number == 0 else text
        block = Block(text + b"\n", 1, number)
        try:
            source, target = (decoded(side[:-1], errors) for side in columns.split(block))
        except UnicodeError:
            raise bad_bytes(name, block) from None
        yield source, target
