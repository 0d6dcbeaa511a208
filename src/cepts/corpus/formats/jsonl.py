"""JSONL: an object on each line, with a `translation` as Hugging Face has it, or with `source` and `target`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cepts.corpus.files import Block, bad_bytes, cut_blocks
from cepts.corpus.formats.batches import ONE_SIDE, Batch, Gathered, Reader
from cepts.corpus.formats.rows import TRANSLATION, Columns, side_columns
from cepts.corpus.languages import Languages
from cepts.errors import EmptyTextError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cepts.corpus.encoding import Errors


class JsonlReader(Reader):
    """Reads rows; its units are lines."""

    def __init__(
        self,
        pieces: Iterable[bytes],
        name: str,
        errors: Errors,
        source_language: str | None,
        target_language: str | None,
    ) -> None:
        super().__init__(name, errors)
        self._blocks = cut_blocks(pieces, name)
        self._wanted = (source_language, target_language)
        self._chooser = Languages(name, *self._wanted)
        self._columns: Columns | None = None
        self._pairs = 0

    def batches(self) -> Iterator[Batch]:
        """Yield the pairs of a block of lines at a time."""
        for block in self._blocks:
            gathered = Gathered()
            for raw in block.text[:-1].split(b"\n"):
                self.unit += 1
                if raw.strip():
                    self._take(self._parsed(raw), gathered)
            self._pairs += len(gathered)
            self.languages = self._chooser.found
            yield gathered.take()
        if not self._pairs:
            if self._chooser.known:
                raise self._chooser.nothing()
            raise EmptyTextError(f"no sentence pairs: {self.name} is empty")

    def _parsed(self, raw: bytes) -> dict[str, Any]:
        """Read one line."""
        try:
            row = json.loads(raw.decode("utf-8", self.errors))
        except UnicodeDecodeError:
            raise bad_bytes(self.name, Block(raw + b"\n", 1, self.unit - 1)) from None
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", error)
            raise InputError(
                f"{self.name}, line {self.unit}: no JSON ({reason}); expected an object on each line"
            ) from None
        if not isinstance(row, dict):
            raise InputError(
                f"{self.name}, line {self.unit}: {type(row).__name__}, expected an object such as"
                ' {"source": ..., "target": ...}'
            )
        return row

    def _take(self, row: dict[str, Any], gathered: Gathered) -> None:
        """Take the pair of a row, or count that it has only one side."""
        place = f"line {self.unit}"
        inside = row.get(TRANSLATION)
        if isinstance(inside, dict):
            texts = {code: text for code, text in inside.items() if text is not None}
            sides = self._chooser.choose(tuple(texts), f", {place}").sides
            codes = tuple(texts)
            pair = None if sides is None else (texts[codes[sides[0]]], texts[codes[sides[1]]])
        else:
            if self._columns is None or not {self._columns.source, self._columns.target} <= row.keys():
                self._columns = side_columns(list(row), self.name, place, *self._wanted)
            pair = row[self._columns.source], row[self._columns.target]
        if pair is None or None in pair:
            self.left_out[ONE_SIDE] += 1
            return
        for text in pair:
            if not isinstance(text, str):
                raise InputError(
                    f"{self.name}, {place}: a sentence is {type(text).__name__}, expected a string"
                )
        gathered.add(self.encoded(pair[0], place), self.encoded(pair[1], place), self.unit)
