"""Texts for projection: lines with the place of each word."""

from __future__ import annotations

from typing import NamedTuple

from cepts.checking import checked
from cepts.corpus.encoding import WORD
from cepts.corpus.tokenizer import tokenize as tokens_of


class Line(NamedTuple):
    """A line of text, and where each word begins and ends in it, in characters."""

    text: str
    spans: list[tuple[int, int]]

    @property
    def words(self) -> list[str]:
        """The words themselves."""
        return [self.text[begin:end] for begin, end in self.spans]


@checked
def split_line(text: str, tokenize: bool = False) -> Line:
    """Find the words of a line: what stands between white space, or tokens.

    >>> split_line("Yes, now.").words, split_line("Yes, now.", tokenize=True).words
    (['Yes,', 'now.'], ['Yes', ',', 'now', '.'])
    """
    spans = tokens_of(text) if tokenize else [match.span() for match in WORD.finditer(text)]
    return Line(text, spans)
