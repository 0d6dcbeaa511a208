"""What a filter writes: the lines that are kept, as they were, and those that are not, with a reason."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from cepts.corpus import read_pairs
from cepts.corpus.files import STDIN, FilePath, check_file, read_blocks, shown
from cepts.errors import InputError, worded
from cepts.quality.rules import Reason
from cepts.storage import atomic_writer, together

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.quality.filtering import Filtered

Line = TypeVar("Line")
BREAKS = str.maketrans("\t\n\v\f\r", "     ")
ENDINGS = ("src", "tgt", "dropped.tsv")


def output_paths(prefix: str) -> tuple[str, ...]:
    """Name the files of a prefix.

    >>> output_paths("clean")
    ('clean.src', 'clean.tgt', 'clean.dropped.tsv')
    """
    return tuple(f"{prefix}.{ending}" for ending in ENDINGS)


def check_readable_twice(*paths: FilePath) -> None:
    """Refuse what can be read once only, as a pipe: the lines are copied after they are judged."""
    for path in paths:
        check_file(path)
        if str(path) == STDIN or not Path(path).is_file():
            raise InputError(
                f"{shown(path)} can be read once only, and a filter reads its text twice: give a file"
                f"{worded(', or use --scores', '')}"
            )


def write_filtered(filtered: Filtered, source: FilePath, target: FilePath, prefix: str) -> None:
    """Write PREFIX.src and PREFIX.tgt, byte for byte the lines that are kept, and PREFIX.dropped.tsv.

    A dropped line is `line TAB reason TAB score TAB source TAB target`, lines counted from 1; TABs inside of a sentence
    become spaces there.
    """
    sources, targets = lines_of(source), lines_of(target)
    _write(filtered, ((_next(sources, source), _next(targets, target)) for _ in filtered.reasons), prefix)


def write_filtered_pairs(filtered: Filtered, path: FilePath, prefix: str, **reading: Any) -> None:
    """Write the same of one file with both languages; `reading` is for `read_pairs`.

    Within a text, line breaks and TABs become spaces.
    """
    pairs = ((_one_line(source), _one_line(target)) for source, target in read_pairs(path, **reading))
    _write(filtered, (_next(pairs, path) for _ in filtered.reasons), prefix)


def _one_line(text: str) -> bytes:
    return text.translate(BREAKS).strip(" ").encode("utf-8", "replace")


def _write(filtered: Filtered, pairs: Iterator[tuple[bytes, bytes]], prefix: str) -> None:
    """Write each pair where it belongs."""
    with together(), ExitStack() as stack:
        kept_source, kept_target, dropped = (
            stack.enter_context(atomic_writer(path, binary=True)) for path in output_paths(prefix)
        )
        rows = zip(filtered.reasons.tolist(), filtered.scores.tolist(), pairs, strict=True)
        for number, (reason, score, pair) in enumerate(rows):
            if reason == Reason.KEPT:
                kept_source.write(pair[0] + b"\n")
                kept_target.write(pair[1] + b"\n")
            else:
                _write_dropped(dropped, number + 1, Reason(reason), score, pair)


def lines_of(path: FilePath) -> Iterator[bytes]:
    """Yield the lines of a file without their newlines."""
    for block in read_blocks(path):
        yield from block.text[:-1].split(b"\n")


def _next(lines: Iterator[Line], path: FilePath) -> Line:
    """Return the next line, or pair, of a file that had it when it was judged."""
    line = next(lines, None)
    if line is None:
        raise InputError(f"{shown(path)} has become shorter while it was filtered: filter it again")
    return line


def _write_dropped(
    stream: IO[bytes], number: int, reason: Reason, score: float, pair: tuple[bytes, bytes]
) -> None:
    sentences = [line.rstrip(b"\r").replace(b"\t", b" ") for line in pair]
    stream.write(b"\t".join([f"{number}\t{reason.text}\t{score:.6f}".encode(), *sentences]) + b"\n")
