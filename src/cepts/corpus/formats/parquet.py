"""Parquet, by pyarrow, an optional package: rows as in JSONL, one group of rows after the other."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cepts.corpus.files import errors_explained, shown
from cepts.corpus.formats.batches import ONE_SIDE, PAIRS_AT_ONCE, Batch, Gathered, Reader
from cepts.corpus.formats.rows import TRANSLATION, Columns, side_columns
from cepts.corpus.languages import Languages
from cepts.errors import EmptyTextError, InputError, PackageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath


class ParquetReader(Reader):
    """Reads rows; its units are rows."""

    def __init__(
        self, path: FilePath, errors: Errors, source_language: str | None, target_language: str | None
    ) -> None:
        super().__init__(shown(path), errors)
        self._path = path
        self._wanted = (source_language, target_language)

    def batches(self) -> Iterator[Batch]:
        """Yield the pairs of some rows at a time."""
        module = _pyarrow()
        with (
            errors_explained(self._path),
            _damage_explained(self.name),
            module.ParquetFile(self._path) as file,
        ):
            columns = self._find_columns(file.schema_arrow)
            wanted = [columns.inside] if columns.inside else [columns.source, columns.target]
            pairs = 0
            for rows in file.iter_batches(batch_size=PAIRS_AT_ONCE, columns=wanted):
                batch = self._pairs(rows, columns)
                pairs += len(batch.units)
                yield batch
        if not pairs:
            raise EmptyTextError(f"no sentence pairs: {self.name} has no row with both sides")

    def _find_columns(self, schema: Any) -> Columns:
        """Find the columns of both sides in the schema."""
        names = list(schema.names)
        if TRANSLATION not in names:
            found = side_columns(names, self.name, "schema", *self._wanted)
            self._check_types({name: schema.field(name).type for name in found[:2]})
            return found
        kind = schema.field(TRANSLATION).type
        types = {kind.field(k).name: kind.field(k).type for k in range(kind.num_fields)}
        chooser = Languages(self.name, *self._wanted)
        sides = chooser.choose(tuple(types), ", schema").sides
        if sides is None:
            raise chooser.nothing()
        self.languages = chooser.found
        codes = list(types)
        columns = Columns(codes[sides[0]], codes[sides[1]], TRANSLATION)
        self._check_types({name: types[name] for name in columns[:2]})
        return columns

    def _check_types(self, types: dict[str, Any]) -> None:
        for name, kind in types.items():
            if str(kind) not in ("string", "large_string", "string_view"):
                raise InputError(f"{self.name}: the column {name} holds {kind}, expected string")

    def _pairs(self, rows: Any, columns: Columns) -> Batch:
        """Take the pairs of some rows."""
        holder = rows.column(0) if columns.inside else rows
        sources, targets = (
            (holder.field(name) if columns.inside else holder.column(name)).to_pylist()
            for name in columns[:2]
        )
        gathered = Gathered()
        for source, target in zip(sources, targets, strict=True):
            self.unit += 1
            if source is None or target is None:
                self.left_out[ONE_SIDE] += 1
            else:
                gathered.add(source.encode(), target.encode(), self.unit)
        return gathered.take()


def _pyarrow() -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise PackageError("Parquet needs an extra package: pip install 'cepts[parquet]'") from None
    return parquet


@contextmanager
def _damage_explained(name: str) -> Iterator[None]:
    """Turn what pyarrow says of a file into an InputError."""
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{name}: no Parquet file, or a damaged one ({reason}); fetch it again") from None
