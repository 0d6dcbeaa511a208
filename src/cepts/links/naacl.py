"""The NAACL (WPT) format: a line for each link, everything counted from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import numpy as np

from cepts.errors import InputError
from cepts.links.fields import Confidences, Positions, shorten
from cepts.links.links import Link
from cepts.links.pharaoh import BLOCK, STEPS, confidence_steps, confidence_texts, number_texts
from cepts.links.rows import Collected, Rows, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.links.links import Links
    from cepts.links.rows import Complain

SURE = {"S": True, "P": False}
MOST_SENTENCES = 100_000_000  # a larger number is damage, and would ask for an absurd table


def parse_naacl(lines: Sequence[str], name: str, pairs: int | None = None) -> Links:
    """Parse `sentence source target [S|P] [confidence]` lines; links to word 0 (NULL) are dropped."""
    return naacl_rows(lines, name, pairs).links()


def naacl_rows(
    lines: Sequence[str], name: str, pairs: int | None = None, complain: Complain = refuse
) -> Rows:
    """Parse `sentence source target [S|P] [confidence]` lines; word 0 is NULL."""
    collected, positions, confidences = Collected(), Positions(1), Confidences()
    for number, line in enumerate(lines, 1):
        if fields := line.split():
            try:
                link = _parse_link(fields, positions, confidences)
                collected.add(number, parse_pair(fields[0], 1, pairs, "sentence"), link)
            except InputError as error:
                complain(number, InputError(f"{name}, line {number}: {error}"))
    return collected.rows(collected.pairs if pairs is None else pairs)


def _parse_link(fields: list[str], positions: Positions, confidences: Confidences) -> Link:
    """Parse what follows the number of the sentence."""
    if not 3 <= len(fields) <= 5:
        raise InputError(
            f"{shorten(' '.join(fields))!r} is not a link, expected: sentence source target [S|P] [number]"
        )
    rest = fields[3:]
    sure = SURE[rest.pop(0)] if rest and rest[0] in SURE else True
    if len(rest) > 1 or (rest and rest[0].isalpha()):
        raise InputError(f"{shorten(rest[0])!r}, expected S (sure) or P (possible)")
    return Link(positions[fields[1]], positions[fields[2]], confidences[rest[0]] if rest else 1.0, sure)


def parse_pair(text: str, base: int, pairs: int | None, word: str) -> int:
    """Return the pair, from 0, of a number that counts from `base`; `word` is what the format calls it."""
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"{word} {shorten(text)!r} is not a number, expected a number from {base}")
    number = int(text.lstrip("0")[:20] or "0")
    if number < base:
        raise InputError(f"{word} {number}, expected a number from {base}")
    most = (MOST_SENTENCES if pairs is None else pairs) - 1 + base
    if number > most:
        raise InputError(
            f"{word} {number}, expected at most {most}, the number of sentence pairs;"
            " are these links for another text?"
        )
    return number - base


def write_naacl(links: Links, stream: TextIO, first: int = 0) -> None:
    """Write a line for each link, with a confidence where it is below 1; pairs count from `first`."""
    kinds = np.array([" P", " S"], object)
    confidences = np.append(confidence_texts(" ")[:STEPS], "") + "\n"  # none behind a link that is certain
    for begin in range(0, len(links), BLOCK):
        end = min(begin + BLOCK, len(links))
        rows = slice(int(links.offsets[begin]), int(links.offsets[end]))
        numbers = np.array([f"{first + pair + 1} " for pair in range(begin, end)], object)
        text = np.empty((rows.stop - rows.start, 6), object)
        text[:, 0] = np.repeat(numbers, np.diff(links.offsets[begin : end + 1]))
        text[:, 1], text[:, 2] = number_texts(links.source[rows], 1), " "
        text[:, 3] = number_texts(links.target[rows], 1)
        text[:, 4] = kinds[links.sure[rows].astype(np.int64)]
        text[:, 5] = confidences[confidence_steps(links.confidence[rows])]
        stream.write("".join(text.ravel().tolist()))
