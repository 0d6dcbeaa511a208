"""Tell raw text, whose punctuation stands at its words, from tokens that are separated by spaces.

A tokeniser puts spaces between words and punctuation. So a text is raw where more than a few per cent of its lines have
a mark that follows a word without a space, and where such lines are at least as many as lines with a comma or a full
stop that stands alone. Marks that tokenisers leave at words do not count: apostrophes, quotation marks, brackets, and
full stops but for one behind a word of at least five letters at the end of a line, since a shorter word may be an
abbreviation.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked

if TYPE_CHECKING:
    from collections.abc import Iterable

RAW_FORMATS = ("tmx", "xliff", "po", "jsonl", "parquet")  # hold sentences as people write them
LOOKED_AT = 1000  # lines of each side
FEW = 0.05  # share of lines that a tokeniser may have left as they were

CLOSING = r"""[)\]»”’"']*"""
GLUED = re.compile(
    rf"""
      [^\W_]{CLOSING}[,;:!?…،؛؟।]{CLOSING}(?![^\s,;:!?…،؛؟।.])   # house,   but not 12:30 nor tagged word_NN
    | [^\W\d_]{{5}}{CLOSING}\.{CLOSING}\s*$                       # garden.   but not etc.
    | [^\W_][。、，；：！？] | [。、，；：！？][^\W_]                # 房子。
    | (?<!\S)[¿¡][^\W_]                                           # ¿Dónde
    """,
    re.VERBOSE,
)
ALONE = re.compile(r"(?<!\S)[,.，。،।](?!\S)")


class Punctuation(NamedTuple):
    """Counts of lines: with text, with a mark at a word, with a comma or a full stop that stands alone."""

    lines: int
    glued: int
    alone: int

    @property
    def raw(self) -> bool:
        """Whether punctuation stands at its words."""
        return self.glued > FEW * self.lines and self.glued >= self.alone

    @property
    def separated(self) -> bool:
        """Whether a tokeniser has been at work."""
        return self.alone > FEW * self.lines and self.alone > self.glued


@checked
def looks_raw(lines: Iterable[str]) -> bool:
    """Tell from the first lines of a text whether punctuation stands at its words.

    >>> looks_raw(["La maison, bleue."]), looks_raw(["La maison , bleue ."])
    (True, False)
    """
    return punctuation_of(lines).raw


def punctuation_of(lines: Iterable[str]) -> Punctuation:
    """Look at the punctuation of the first lines of a text."""
    seen = glued = alone = 0
    for line in islice(lines, LOOKED_AT):
        seen += bool(line.strip())
        glued += GLUED.search(line) is not None
        alone += ALONE.search(line) is not None
    return Punctuation(seen, glued, alone)


def first_lines(text: bytes) -> list[str]:
    """Return the first lines of a block of text, whatever bytes it holds."""
    return [line.decode("utf-8", "replace") for line in text.split(b"\n", LOOKED_AT)[:LOOKED_AT]]
