"""Files of links beside a text, some pairs at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.errors import InputError
from cepts.links import Links
from cepts.links.fitting import check_fit
from cepts.links.formats import OPEN_ENDED, detect, parse
from cepts.links.pharaoh import parse_pharaoh
from cepts.links.reading import decoded_lines
from cepts.phrases.lines import Lines

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.corpus.files import FilePath


class PharaohLines:
    """Links of a Pharaoh file: line k holds those of pair k."""

    def __init__(self, lines: Lines) -> None:
        self.name = lines.name
        self._lines = lines

    def take(self, pairs: int) -> Links | None:
        """Return the links of the next pairs, None if there are not so many."""
        block = self._lines.take(pairs)
        if block.lines < pairs:
            return None
        lines = block.text.decode("utf-8", "replace").split("\n")[:-1]  # a replaced byte is no part of a link
        try:
            return parse_pharaoh(lines, self.name)
        except InputError:
            return parse_pharaoh([""] * block.lines_before + lines, self.name)  # which names the right line

    def check(self, links: Links, bitext: Bitext, text: str) -> None:
        """Refuse links, just taken, that are outside of their pairs of a text of this name."""
        _check(links, bitext, self._lines.taken - len(links), self.name, text, "line")

    def count(self, expected: int) -> int:  # noqa: ARG002
        """Return how many pairs there are in all; none is left to be taken."""
        return self._lines.count()


class WholeLinks:
    """Links in a format whose lines are not those of the pairs, or may come in any order: all are read at once."""

    def __init__(self, lines: Lines, format: str) -> None:  # noqa: A002
        self.name = lines.name
        self._format = format
        text = b""
        while block := lines.take().text:
            text += block
        self._links = parse(decoded_lines(text, self.name), self.name, format).rows.links()
        self._taken = 0

    def take(self, pairs: int) -> Links:
        """Return the links of the next pairs; behind the last link there may be pairs without any."""
        self._taken += pairs
        return cut_links(self._links, self._taken - pairs, self._taken)

    def check(self, links: Links, bitext: Bitext, text: str) -> None:
        """Refuse links, just taken, that are outside of their pairs of a text of this name."""
        _check(
            links,
            bitext,
            self._taken - len(links),
            self.name,
            text,
            "sentence" if self._format == "naacl" else "pair",
        )

    def count(self, expected: int) -> int:
        """Return how many pairs there are in all, or as many as are expected where the last ones may have no link."""
        return max(expected, len(self._links)) if self._format in OPEN_ENDED else len(self._links)


def open_links(path: FilePath) -> PharaohLines | WholeLinks:
    """Open a file of links; which format it has is seen from its first line with text."""
    lines = Lines(path)
    name = detect(lines.peek().decode("utf-8", "replace").split("\n"))
    return PharaohLines(lines) if name == "pharaoh" else WholeLinks(lines, name)


def cut_links(links: Links, first: int, last: int) -> Links:
    """Return the links of pairs `first` to `last`; pairs behind the end have none.

    >>> [len(pair) for pair in cut_links(Links.from_pairs([[(0, 0)], [(1, 1), (2, 2)]]), 1, 3)]
    [2, 0]
    """
    offsets = links.offsets[np.minimum(np.arange(first, last + 1), len(links))]
    rows = slice(int(offsets[0]), int(offsets[-1]))
    columns = links.source[rows], links.target[rows], links.confidence[rows], links.sure[rows]
    return Links(*columns, offsets - offsets[0])


def _check(links: Links, bitext: Bitext, before: int, name: str, text: str, place: str) -> None:
    """Refuse links outside of their pairs, of which so many came before."""
    source, target = bitext.source.lengths, bitext.target.lengths
    try:
        check_fit(links, source, target, name, text, place)
    except InputError:  # with empty pairs before, the number of the pair is that in the file
        nothing = np.zeros(before, np.int64)
        offsets, source, target = (
            np.concatenate((nothing, part)) for part in (links.offsets, source, target)
        )
        shifted = Links(links.source, links.target, links.confidence, links.sure, offsets)
        check_fit(shifted, source, target, name, text, place)
