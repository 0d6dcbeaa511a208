"""Texts for projection: lines with the place of each word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus.encoding import decoded
from cepts.corpus.files import bad_bytes, read_blocks, shown
from cepts.corpus.tokenizer import tokenize as tokens_of

if TYPE_CHECKING:
    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath

WORD = re.compile(r"[^ \t\n\r\x0b\x0c]+")


class Line(NamedTuple):
    """A line of text, and where each word begins and ends in it, in characters."""

    text: str
    spans: list[tuple[int, int]]

    @property
    def words(self) -> list[str]:
        """The words themselves."""
        return [self.text[begin:end] for begin, end in self.spans]


def read_lines(path: FilePath, errors: Errors = "strict") -> list[str]:
    """Read a text file as lines without their ends."""
    lines: list[str] = []
    for block in read_blocks(path):
        try:
            lines += decoded(block.text, errors).split("\n")[:-1]
        except UnicodeError:
            raise bad_bytes(shown(path), block) from None
    return [line.removesuffix("\r") for line in lines]


def split_line(text: str, tokenize: bool = False) -> Line:
    """Find the words of a line: what stands between white space, or tokens.

    >>> split_line("Yes, now.").words, split_line("Yes, now.", tokenize=True).words
    (['Yes,', 'now.'], ['Yes', ',', 'now', '.'])
    """
    spans = tokens_of(text) if tokenize else [match.span() for match in WORD.finditer(text)]
    return Line(text, spans)
