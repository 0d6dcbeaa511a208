"""From lines of text to word ids: the vocabulary of one side grows while its text flows through.

Text comes as UTF-8 bytes in blocks of whole lines. A kernel numbers the words byte for byte as they stand;
decoding, lower-casing and every check of the bytes touch the distinct words alone. That gives the same words
as lower-casing whole lines would: lower-casing never looks across white space, and makes or takes none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from cepts.checking import checked
from cepts.corpus.bitext import Side
from cepts.corpus.cleaning import Cleaner
from cepts.corpus.files import Block, bad_bytes, newlines
from cepts.corpus.originals import Originals
from cepts.corpus.segmenter import Segmenter
from cepts.corpus.segmenting import segmented
from cepts.corpus.tokenizer import tokenize as spans_of
from cepts.errors import InputError
from cepts.storage.scratch import Scratch, release

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

KeepText = bool | Literal["decoded"]
Errors = Literal["strict", "replace"]
Scalar = TypeVar("Scalar", bound=np.generic)

FIRST_TABLE = 1 << 9  # entries; small, as a streaming process makes a table for each line
LINES_AT_ONCE = 1 << 14
IN_MEMORY = 1 << 27  # bytes of a side's ids; where there are more, they are on disk
AUTO = Segmenter()
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
WORD = re.compile("[^ \t-\r]+")  # what stands between ASCII white space
AS_IT_IS = Cleaner()


class Encoder:
    """Collects one side of a bitext, block after block; `name` is what messages call its origin."""

    def __init__(
        self,
        name: str,
        *,
        tokenize: bool,
        keep_case: bool,
        errors: Errors,
        keep_text: KeepText = False,
        cleaner: Cleaner = AS_IT_IS,
        segmenter: Segmenter = AUTO,
    ) -> None:
        self._name = name
        self._tokenize = tokenize
        self._segmenter = segmenter
        self._keep_case = keep_case
        self._errors = errors
        self._keep_text = bool(keep_text)
        self._decode = keep_text == "decoded" and cleaner.xml  # before anything else is done to a segment
        self._cleaner = cleaner._replace(xml=False) if self._decode else cleaner
        self._originals: list[Originals] = []
        self._table: NDArray[np.uint64] = np.zeros(2 * FIRST_TABLE, np.uint64)
        self._word_bytes: NDArray[np.uint8] = np.empty(0, np.uint8)
        self._word_starts: NDArray[np.int64] = np.zeros(1, np.int64)
        self._raw_count = 0
        self._words: dict[str, int] = {}
        self._id_of_raw: list[int] = []  # word id of each distinct string of bytes
        self._line_count = 0
        self._token_count = 0
        self._raw_ids: list[NDArray[np.int32]] = []
        self._scratch = Scratch(IN_MEMORY)
        self._offsets: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
        self._spans: list[NDArray[np.int32]] = []

    @property
    def line_count(self) -> int:
        """The number of lines taken in so far."""
        return self._line_count

    def add(self, text: bytes, origin: Block) -> None:
        """Take in whole lines, each ended by a newline; `origin` is the text that they were cut from."""
        try:
            if self._whole_lines_needed or self._cleaner.special:
                lines = decoded(text, self._errors).split("\n")
                lines.pop()
                text = self._prepared(lines)
            self._encode(text, origin.lines)
        except UnicodeError:
            raise bad_bytes(self._name, origin) from None

    def add_lines(self, lines: Sequence[str]) -> None:
        """Take in lines as strings; a newline within one counts as white space."""
        if self._errors == "replace":
            lines = [LONE_SURROGATE.sub("\ufffd", line) for line in lines]
        # what passes here is refused as invalid later
        self.add_segments([line.encode("utf-8", "surrogatepass") for line in lines])

    def add_segments(self, segments: list[bytes], origin: Block | None = None) -> None:
        """Take in sentences as UTF-8, as they were read; a newline within one counts as white space."""
        try:
            if self._whole_lines_needed:
                text = self._prepared([decoded(segment, self._errors) for segment in segments])
            else:
                text = self._cleaned(segments)
            self._encode(text, len(segments))
        except UnicodeError:
            lines = [segment.replace(b"\n", b" ") + b"\n" for segment in segments]
            found = origin or Block(b"".join(lines), len(lines), self._line_count)
            raise bad_bytes(self._name, found) from None

    def side(self) -> Side:
        """Return everything taken in; the encoder is empty of sentences afterwards."""
        id_of_raw = np.array(self._id_of_raw, np.int32)
        ids = self._scratch.zeros((self._token_count,), np.int32)
        end = len(ids)
        while self._raw_ids:  # each block is freed as soon as it is translated
            raw = self._raw_ids.pop()
            np.take(id_of_raw, raw, out=ids[end - len(raw) : end], mode="clip")
            end -= len(raw)
            release(ids)
        side = Side(ids, np.concatenate(self._offsets), list(self._words))
        if self._whole_lines_needed:
            side = replace(side, spans=np.concatenate([np.empty((0, 2), np.int32), *self._spans]))
        if self._keep_text:
            side = replace(side, originals=Originals.joined(self._originals))
        return segmented(side, self._segmenter) if self._tokenize else side

    @property
    def _whole_lines_needed(self) -> bool:
        """Whether more is wanted of lines than their words."""
        return self._tokenize or self._keep_text

    def _encode(self, text: bytes, lines: int) -> None:
        """Number the words of a block of so many lines."""
        from cepts.corpus.encoding_kernels import encode_block, enlarged  # late: they bring numba

        self._make_room(len(text))
        ids = np.empty(len(text) // 2 + 1, np.int32)
        line_ends = np.empty(lines, np.int64)
        done = np.array([0, 0, 0, self._raw_count], np.int64)
        view = np.frombuffer(text, np.uint8)
        while True:
            encode_block(view, self._table, self._word_bytes, self._word_starts, ids, line_ends, done)
            if done[0] == len(text):
                break
            self._table = enlarged(self._table)
        self._learn_words(int(done[3]))
        # a copy: most of the room was for tokens of one letter
        self._raw_ids.append(self._scratch.kept(ids[: done[2]].copy()))
        self._offsets.append(line_ends + self._token_count)
        self._token_count += int(done[2])
        self._line_count += lines

    def _make_room(self, size: int) -> None:
        """Let the arrays of words hold all that a block of `size` bytes might bring."""
        used = int(self._word_starts[self._raw_count])
        self._word_bytes = _with_room(self._word_bytes, used, size + 1)
        self._word_starts = _with_room(self._word_starts, self._raw_count + 1, size // 2 + 1)

    def _learn_words(self, count: int) -> None:
        """Decode the words that a block has added, and lower them unless case is kept."""
        if count == self._raw_count:
            return
        start, end = int(self._word_starts[self._raw_count]), int(self._word_starts[count])
        words = decoded(self._word_bytes[start : end - 1].tobytes(), self._errors)
        words = words if self._keep_case else words.lower()
        table = self._words
        self._id_of_raw.extend([table.setdefault(word, len(table)) for word in words.split("\n")])
        self._raw_count = count

    def _prepared(self, lines: Sequence[str]) -> bytes:
        """Return the lines with one space between tokens, runs without spaces whole; keep where the tokens stood."""
        if self._decode:
            lines = [Cleaner(xml=True).text(line) for line in lines]
        spans: list[tuple[int, int]] = []
        spaced = []
        clean = self._cleaner.clean if self._cleaner.special else None
        for line in lines:
            cleaned = clean(line) if clean else None
            text = cleaned.text if cleaned else line
            found = self._tokens(text)
            spans.extend(cleaned.original(found) if cleaned else found)
            spaced.append(" ".join([text[start:end] for start, end in found]))
        if self._whole_lines_needed:
            self._spans.append(np.array(spans, np.int32).reshape(-1, 2))
        if self._keep_text:
            self._originals.append(Originals.of(line.removesuffix("\r") for line in lines))
        return "".join([line + "\n" for line in spaced]).encode()

    def _tokens(self, text: str) -> Sequence[tuple[int, int]]:
        """Find the first and the end character of each token of a line."""
        if self._tokenize:
            return spans_of(text, self._segmenter.runs)
        return [match.span() for match in WORD.finditer(text)]

    def _cleaned(self, segments: list[bytes]) -> bytes:
        """Return segments as lines; only those that hold something special are looked at."""
        lines = segments.copy()
        text = b"\n".join([*lines, b""])
        if newlines(text) > len(lines):
            lines = [segment.replace(b"\n", b" ") for segment in segments]
            text = b"\n".join([*lines, b""])
        special = self._cleaner.special
        if not any(mark in text for mark in special):
            return text
        ends = np.cumsum(np.fromiter(map(len, lines), np.int64, len(lines)) + 1)
        view = np.frombuffer(text, np.uint8)
        places = np.concatenate([np.flatnonzero(view == mark) for mark in special if mark in text])
        for k in np.unique(np.searchsorted(ends, places, side="right")).tolist():
            cleaned = self._cleaner.text(decoded(lines[k], self._errors))
            lines[k] = cleaned.replace("\n", " ").encode()
        return b"\n".join([*lines, b""])


@checked
def encode_lines(
    lines: Iterable[str],
    *,
    tokenize: bool = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: Segmenter = AUTO,
) -> Side:
    """Encode one side of a bitext from strings, in the same way as from a file.

    >>> side = encode_lines(["The house", "the  HOUSE"])
    >>> side.words, side.ids.tolist(), side.offsets.tolist()
    (['the', 'house'], [0, 1, 0, 1], [0, 2, 4])
    """
    encoder = Encoder("text", tokenize=tokenize, keep_case=keep_case, errors=errors, segmenter=segmenter)
    left = iter(lines)
    while batch := list(islice(left, LINES_AT_ONCE)):
        encoder.add_lines(batch)
    return encoder.side()


def spaced_side(side: Side, keep_case: bool) -> Side:
    """Return the sentences that a side has kept with the words between spaces, and where these stand."""
    if side.originals is None:
        raise InputError(
            "the sentences of this bitext were not kept: read it with keep_text or to_whitespace"
        )
    encoder = Encoder("text", tokenize=False, keep_case=keep_case, errors="replace", keep_text=True)
    for first in range(0, len(side), LINES_AT_ONCE):
        encoder.add_lines(list(side.originals[first : first + LINES_AT_ONCE]))
    return encoder.side()


def decoded(text: bytes, errors: Errors) -> str:
    """Decode UTF-8 without NUL, or replace what is not by U+FFFD."""
    decoded = text.decode("utf-8", errors)
    if "\0" not in decoded:
        return decoded
    if errors == "strict":
        raise UnicodeError("NUL byte")
    return decoded.replace("\0", "\ufffd")


def _with_room(array: NDArray[Scalar], used: int, room: int) -> NDArray[Scalar]:
    """Return the array, or a larger copy, with place for `room` more entries."""
    if used + room <= len(array):
        return array
    larger = np.empty(2 * used + room, array.dtype)  # twice what is used, so that copies stay rare
    larger[:used] = array[:used]
    return larger
