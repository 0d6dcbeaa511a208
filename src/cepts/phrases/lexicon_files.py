"""Lexical tables as files: for Moses, for Marian, and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError
from cepts.phrases.selection import Pruning, alphabetical, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.phrases.dictionary import Dictionary
    from cepts.phrases.lexical import LexicalTable

NULL = "NULL"
BLOCK = 1 << 16  # lines that are written at once: bounds memory


@checked
def write_lexicon(
    table: LexicalTable,
    given_words: Sequence[str],
    generated_words: Sequence[str],
    stream: TextIO,
    *,
    null: bool = True,
    pruning: Pruning | None = None,
) -> None:
    """Write lines `generated given p(generated | given)`: the order of columns of Moses and of Marian.

    Moses' lex.f2e is the table p(target | source), so that its lines are `target source probability`, and lex.e2f
    the other one; Marian's lex.s2t is lex.f2e again, in which it passes over lines with NULL: `null=False` leaves
    them out. Lines are sorted by given word, falling probability, then generated word.
    """
    pruning = pruning or Pruning()
    labels = [np.array([NULL, *words], object) for words in (given_words, generated_words)]
    given, generated = table.given(), table.columns.astype(np.int64)
    for ids, side in ((given, labels[0]), (generated, labels[1])):
        if ids.max(initial=0) >= len(side):
            raise InputError(
                f"a table of {ids.max()} words, but {len(side) - 1} are given: give those that it was made of"
            )
    probabilities = table.probabilities()
    wanted = pruning.enough(table.counts, probabilities)
    if not null:
        wanted &= (given > 0) & (generated > 0)
    places = [alphabetical(side) for side in labels]  # type: ignore[arg-type]
    kept = listed(np.flatnonzero(wanted), places[0][given], places[1][generated], probabilities, pruning.best)
    for rows in _blocks(kept):
        words = (labels[1][generated[rows]], labels[0][given[rows]], probabilities[rows])
        lines = zip(*(column.tolist() for column in words), strict=True)
        stream.write("".join([f"{made} {given} {p:.7f}\n" for made, given, p in lines]))


@checked
def write_dictionary(found: Dictionary, stream: TextIO, bitext: Bitext | None = None) -> None:
    """Write a header and a line for each entry, columns separated by TAB, without a count where none is known.

    Examples follow as the number of the line, from 1, and with the bitext both sentences.
    """
    stream.write(
        "\t".join(_header(found.count is not None, found.examples.shape[1], bitext is not None)) + "\n"
    )
    for entry in found:
        numbers = (entry.target_given_source, entry.source_given_target, entry.score)
        count = [] if entry.count is None else [str(entry.count)]
        columns = [entry.source, entry.target, *count, *(f"{number:.6f}" for number in numbers)]
        for pair in entry.examples:
            columns.append(str(pair + 1))
            if bitext is not None:
                columns += [" ".join(side.sentence(pair)) for side in (bitext.source, bitext.target)]
        stream.write("\t".join(columns) + "\n")


def _header(counted: bool, examples: int, sentences: bool) -> list[str]:
    """Name the columns of a dictionary."""
    names = ["source", "target", *(["count"] if counted else [])]
    names += ["p(target|source)", "p(source|target)", "score"]
    for number in range(1, examples + 1):
        names.append(f"line_{number}")
        names += [f"source_{number}", f"target_{number}"] if sentences else []
    return names


def _blocks(entries: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Cut an array into blocks."""
    return (entries[first : first + BLOCK] for first in range(0, len(entries), BLOCK))
