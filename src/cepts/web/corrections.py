"""`Corrections`: the pairs that people have put right, in one file that is always whole."""

from __future__ import annotations

import contextlib
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus.encoding import LONE_SURROGATE
from cepts.errors import CeptsError, InputError, OptionError, OutputError
from cepts.links.corrections import (
    Correction,
    check_digests,
    digest_of,
    first_line,
    is_corrections,
    parse_corrections,
)
from cepts.links.links import Links
from cepts.links.reading import decoded_lines
from cepts.storage import atomic_writer, check_writable
from cepts.storage.atomic import left_beside
from cepts.web.locking import FileLock, LockedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext

__all__ = ["ConflictError", "Correction", "Corrections", "NotCorrectedError"]

SUFFIX = ".corrections.jsonl"
Kinds = tuple[tuple[int, int, bool], ...]


class ConflictError(CeptsError):
    """Somebody else has changed the pair meanwhile."""

    def __init__(self, line: int, given: int, version: int, current: Correction | None) -> None:
        now = "its correction was taken back" if current is None and version else "it is not corrected"
        if current is not None:
            now = f"{current.by or 'somebody'} corrected it on {current.saved}"
        super().__init__(f"line {line} has version {version}, not {given}: {now}; load it again, then save")
        self.version = version
        self.current = current


class NotCorrectedError(CeptsError):
    """There is no correction."""


class Corrections:
    """The corrections of a bitext: each change is in the file, and on the disk, before it is answered.

    `path` is the file, or None if there is none; without `write` it is only read. A pair's version rises by 1 with each
    change, also when its correction is taken back; whoever changes it must name the version that they have seen. Safe
    for threads; a lock keeps other processes out until `close`.
    """

    def __init__(
        self, path: str | Path | None, bitext: Bitext, text: str = "the text", *, write: bool = True
    ) -> None:
        self.path = None if path is None else Path(path)
        self._bitext = bitext
        self._changing = threading.Lock()
        self._all: dict[int, Correction] = {}
        self._lines: dict[int, str] = {}  # as they are in the file, by line of the text
        self._corrected = np.zeros(len(bitext), np.bool_)
        self._file_lock: FileLock | None = None
        if self.path is not None and write:
            check_place(self.path)
            self._file_lock = FileLock(self.path.resolve())
        try:
            if self.path is not None:
                self._load(self.path, text)
            if self.path is not None and write:
                remove_leftovers(self.path.resolve())
        except BaseException:
            self.close()
            raise

    @classmethod
    def beside(cls, source: str | Path, bitext: Bitext, text: str = "the text") -> Corrections:
        """Open those that are kept beside a source file; where that place cannot be written, only to be read."""
        path = f"{source}{SUFFIX}"
        try:
            return cls(path, bitext, text)
        except LockedError:
            raise
        except OutputError:
            return cls(path, bitext, text, write=False)

    @property
    def writable(self) -> bool:
        """Whether corrections can be saved."""
        return self._file_lock is not None

    def close(self) -> None:
        """Let other processes write the file."""
        with self._changing:
            if self._file_lock is not None:
                self._file_lock.release()
                self._file_lock = None

    def __len__(self) -> int:
        """Count the pairs that are corrected."""
        return int(self._corrected.sum())

    @property
    def corrected(self) -> NDArray[np.bool_]:
        """Which pairs, from 0, are corrected: an array that does not change afterwards."""
        return self._corrected

    def get(self, line: int) -> Correction | None:
        """Return the correction of a line, from 1, if it has one."""
        found = self._all.get(line)
        return None if found is None or found.links is None else found

    def version(self, line: int) -> int:
        """Return the version of a line, from 1: 0 if it was never corrected."""
        found = self._all.get(line)
        return 0 if found is None else found.version

    def put(
        self, line: int, links: Iterable[tuple[int, int, bool]], version: int, by: str = ""
    ) -> Correction:
        """Correct a line, from 1: links are (source, target, sure). The version is that which was seen before."""
        if LONE_SURROGATE.search(by):
            raise OptionError("by: half of a character, expected text that can be written")
        return self._change(line, self._checked(line, list(links)), version, by)

    def delete(self, line: int, version: int, by: str = "") -> Correction:
        """Take the correction of a line back."""
        return self._change(line, None, version, by)

    def links(self) -> Links:
        """Return the links of the corrected pairs, none for the others."""
        return self.links_and_pairs()[0]

    def links_and_pairs(self) -> tuple[Links, NDArray[np.bool_]]:
        """Return the links of the corrected pairs, none for the others, and which pairs these are."""
        with self._changing:
            corrected = self._corrected
            kept = sorted((line, found.links) for line, found in self._all.items() if found.links is not None)
        rows = [link for _, links in kept for link in links]
        ends = np.zeros(len(self._bitext) + 1, np.int64)
        ends[[line for line, _ in kept]] = [len(links) for _, links in kept]
        places = np.array([row[:2] for row in rows], np.int32).reshape(-1, 2).T.copy()
        sure = np.array([row[2] for row in rows], np.bool_)
        return Links(places[0], places[1], np.ones(len(rows), np.float32), sure, np.cumsum(ends)), corrected

    def _checked(self, line: int, links: Sequence[tuple[int, int, bool]]) -> Kinds:
        """Return links in their order, if they are links of this pair."""
        lengths = [int(side.lengths[line - 1]) for side in (self._bitext.source, self._bitext.target)]
        found: dict[tuple[int, int], bool] = {}
        for i, j, sure in links:
            if not (0 <= i < lengths[0] and 0 <= j < lengths[1]):
                raise OptionError(
                    f"link {i}-{j} is outside of line {line}, which has {lengths[0]} source and {lengths[1]} target"
                    " words, counted from 0"
                )
            if (i, j) in found:
                raise OptionError(f"link {i}-{j} is there twice: send each once, sure or possible")
            found[i, j] = sure
        return tuple((i, j, found[i, j]) for i, j in sorted(found))

    def _change(self, line: int, links: Kinds | None, version: int, by: str) -> Correction:
        """Put a new version of a line into the file, then into memory; if the file cannot be written, into neither."""
        with self._changing:
            if self.path is None or not self.writable:
                raise OptionError("corrections cannot be saved here: start with --corrections FILE")
            before = self.version(line)
            if links is None and not self.get(line) and version == before:
                raise NotCorrectedError(f"line {line} is not corrected: there is nothing to take back")
            if version != before:
                raise ConflictError(line, version, before, self.get(line))
            digest = digest_of(*self._bitext.words_of(line - 1))
            saved = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            change = Correction(line, links, before + 1, by, saved, digest)
            lines = self._lines | {line: change.written()}
            self._save(self.path, lines)
            self._all[line], self._lines = change, lines
            corrected = self._corrected.copy()  # readers keep the old one
            corrected[line - 1] = links is not None
            self._corrected = corrected
            return change

    def _save(self, path: Path, lines: dict[int, str]) -> None:
        """Replace the file by one that holds these lines."""
        with atomic_writer(path) as stream:
            stream.write(
                "\n".join([first_line(len(self._bitext)), *(lines[key] for key in sorted(lines)), ""])
            )

    def _load(self, path: Path, text: str) -> None:
        """Take in what the file holds, if there is one, or refuse it without a change."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from error
        lines = decoded_lines(data, str(path))
        if not is_corrections(lines):
            raise InputError(
                f"{path}, line 1: not a file of corrections, expected {first_line(len(self._bitext))}; it is left as it"
                " is: name another file with --corrections"
            )
        _, found = parse_corrections(lines, str(path))
        for number, correction in found:
            self._check_line(correction, f"{path}, line {number}", text)
        known = ((correction.line - 1, correction.digest) for _, correction in found)
        check_digests(known, self._bitext.words_of, str(path), text)
        for number, correction in found:
            self._take(correction, f"{path}, line {number}")

    def _check_line(self, correction: Correction, place: str, text: str) -> None:
        """Refuse a correction of a line that is not there."""
        if correction.line > len(self._bitext):
            raise InputError(
                f"{place}: line {correction.line} is corrected, but {text} has {len(self._bitext)} pairs, expected one"
                " of these; is this for another text?"
            )

    def _take(self, correction: Correction, place: str) -> None:
        """Take a correction of the file in."""
        try:
            self._checked(correction.line, correction.links or ())
        except OptionError as error:
            raise InputError(f"{place}: {error}") from None
        self._all[correction.line] = correction
        self._lines[correction.line] = correction.written()
        self._corrected[correction.line - 1] = correction.links is not None


def check_place(path: Path) -> None:
    """Refuse what cannot be a file of corrections."""
    if path.suffix in (".gz", ".xz", ".zst"):
        raise OptionError(f"--corrections {path}: the file is not compressed; drop {path.suffix}")
    check_writable(path)
    if path.exists() and not path.is_file():
        raise OptionError(f"--corrections {path}: not a plain file, expected one that can be replaced")


def remove_leftovers(path: Path) -> None:
    """Remove what a process that was killed while it saved has left beside the file."""
    for leftover in left_beside(path):
        with contextlib.suppress(OSError):
            leftover.unlink()
