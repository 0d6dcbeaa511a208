"""Pairs that flow by: as strings, or encoded some at a time, for files that are larger than memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.corpus.bitext import Bitext
from cepts.corpus.cleaning import Cleaner
from cepts.corpus.columns import Columns
from cepts.corpus.encoding import decoded
from cepts.corpus.files import Block, bad_bytes, cut_blocks, shown
from cepts.corpus.formats.opening import open_input
from cepts.corpus.readers import Text, cleaner_of, decided_units, read_units
from cepts.corpus.segmenter import Segmenters, segmenters
from cepts.errors import EmptyTextError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.corpus.formats.batches import Batch
    from cepts.corpus.formats.opening import Opened
    from cepts.corpus.readers import Markup


@checked
def read_pairs(
    path: FilePath,
    *,
    errors: Errors = "strict",
    input_format: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the (source, target) texts of a file with both languages, as people read them.

    Inline elements of XML are left out, HTML and placeholders are there. The pairs are those of `read_bitext`.
    """
    opened = open_input(
        path,
        input_format=input_format,
        errors=errors,
        source_language=source_language,
        target_language=target_language,
    )
    if opened.reader is None:
        for block, sides in _split_blocks(path, opened):
            yield from zip(*(_lines(side, block, path, errors) for side in sides), strict=True)
        return
    text = Cleaner(xml=opened.reader.xml).text
    for batch in opened.reader.batches():
        sources, targets = (
            [text(one) for one in _decoded(side, batch, opened.reader.name, errors)]
            for side in (batch.sources, batch.targets)
        )
        yield from zip(sources, targets, strict=True)


@checked
def read_bitext_in_pieces(
    path: FilePath,
    *,
    tokenize: bool | None = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    input_format: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    markup: Markup | None = None,
    segmenter: str | Segmenters = "auto",
) -> Iterator[Bitext]:
    """Yield what `read_bitext` reads from one file, some pairs at a time; each piece has words of its own.

    With `tokenize=None` a format that holds raw text is tokenised, as `read_bitext` does, and comes in one piece.
    """
    opened = open_input(
        path,
        input_format=input_format,
        errors=errors,
        source_language=source_language,
        target_language=target_language,
    )
    text = Text(tokenize, keep_case, errors, segmenters(segmenter))
    if opened.reader is None:
        cleaner = Cleaner(markup=markup == "strip")
        for block, sides in _split_blocks(path, opened):
            encoders = text.encoders((shown(path), shown(path)), cleaner)
            for encoder, side in zip(encoders, sides, strict=True):
                encoder.add(side, block)
            yield Bitext(encoders[0].side(), encoders[1].side())
        return
    cleaner = cleaner_of(opened.reader, markup)
    text, found, batches = decided_units(opened, text)
    if found is not None:
        yield read_units(opened.reader, cleaner, text, found, batches)
        return
    before: Counter[str] = Counter()
    for batch in batches:
        encoders = text.encoders((opened.reader.name, opened.reader.name), cleaner)
        for encoder, segments in zip(encoders, (batch.sources, batch.targets), strict=True):
            encoder.add_segments(segments, batch.origin)
        left_out = dict(opened.reader.left_out - before)
        before = opened.reader.left_out.copy()
        units = np.array(batch.units, np.int64)
        yield Bitext(encoders[0].side(), encoders[1].side(), units=units, left_out=left_out)


def _split_blocks(path: FilePath, opened: Opened) -> Iterator[tuple[Block, tuple[bytes, bytes]]]:
    """Yield the lines of both sides of a file with a pair on each line."""
    columns = Columns(shown(path), opened.separator)
    empty = True
    for block in cut_blocks(opened.pieces, shown(path)):
        empty = False
        yield block, columns.split(block)
    if empty:
        raise EmptyTextError(f"no sentence pairs: {shown(path)} is empty")


def _decoded(segments: list[bytes], batch: Batch, name: str, errors: Errors) -> list[str]:
    """Decode segments; say where one cannot be decoded."""
    try:
        return [decoded(segment, errors) for segment in segments]
    except UnicodeError:
        lines = b"".join(segment.replace(b"\n", b" ") + b"\n" for segment in segments)
        before = batch.units[0] - 1
        raise bad_bytes(name, batch.origin or Block(lines, len(segments), before)) from None


def _lines(side: bytes, block: Block, path: FilePath, errors: Errors) -> list[str]:
    try:
        return [line.strip(" \r") for line in decoded(side, errors).split("\n")[:-1]]
    except UnicodeError:
        raise bad_bytes(shown(path), block) from None
