"""OPUS' zips in Moses format: two of the files inside are the two sides, line by line.

They are read where they are; nothing is ever unpacked to disk.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, NamedTuple

from cepts.corpus.files import BLOCK, cut_blocks, errors_explained, shown
from cepts.corpus.formats.batches import Batch, Reader
from cepts.corpus.languages import Languages
from cepts.errors import EmptyTextError, InputError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath

CODE = re.compile(r"[\w-]++")
PATH_MARK = re.compile(r"[/\\]")
MOST_COMPRESSED = 200  # times; text gets some ten times smaller, and what was made to burst a thousand times
ENCRYPTED = 1


class Sides(NamedTuple):
    """Two files of a zip, and their languages."""

    members: tuple[zipfile.ZipInfo, zipfile.ZipInfo]
    languages: tuple[str, str]


class MosesZipReader(Reader):
    """Reads the lines of both files side by side; its units are lines."""

    def __init__(
        self, path: FilePath, errors: Errors, source_language: str | None, target_language: str | None
    ) -> None:
        super().__init__(shown(path), errors)
        self._path = path
        self._wanted = (source_language, target_language)

    def batches(self) -> Iterator[Batch]:
        """Yield the pairs of some lines at a time."""
        with (
            errors_explained(self._path),
            _damage_explained(self.name),
            zipfile.ZipFile(self._path) as archive,
        ):
            sides = self._sides(archive)
            self.languages = sides.languages
            for member in sides.members:
                self._check(member)
            source, target = (self._lines(archive, member) for member in sides.members)
            yield from self._paired(source, target, sides)

    def _paired(
        self, source: Iterator[list[bytes]], target: Iterator[list[bytes]], sides: Sides
    ) -> Iterator[Batch]:
        """Put lines side by side, as many as there are of both."""
        waiting: tuple[list[bytes], list[bytes]] = ([], [])
        while True:
            for lines, more in zip(waiting, (source, target), strict=True):
                if not lines:
                    lines.extend(next(more, []))
            count = min(map(len, waiting))
            if not count:
                break
            units = list(range(self.unit + 1, self.unit + count + 1))
            yield Batch(waiting[0][:count], waiting[1][:count], units)
            self.unit += count
            for lines in waiting:
                del lines[:count]
        self._check_counts(
            [
                self.unit + sum(map(len, chain([w], m)))
                for w, m in zip(waiting, (source, target), strict=True)
            ],
            sides,
        )

    def _check_counts(self, counts: list[int], sides: Sides) -> None:
        names = [member.filename for member in sides.members]
        if counts[0] != counts[1]:
            raise InputError(
                f"{self.name}: {names[0]} has {counts[0]} lines, {names[1]} has {counts[1]}; line k of one must"
                " translate line k of the other"
            )
        if not self.unit:
            raise EmptyTextError(f"no sentence pairs: {names[0]} and {names[1]} in {self.name} are empty")

    def _lines(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[list[bytes]]:
        """Yield the lines of a file, some at a time."""
        with archive.open(member) as stream:
            for block in cut_blocks(_pieces(stream), f"{self.name}, {member.filename}"):
                yield block.text[:-1].split(b"\n")

    def _sides(self, archive: zipfile.ZipFile) -> Sides:
        """Find the two files of the languages that are wanted."""
        members: dict[str, zipfile.ZipInfo] = {}
        for member in archive.infolist():
            name = member.filename
            if member.is_dir():
                continue
            if name in members:
                raise InputError(f"{self.name}: holds two files named {name!r}; fetch it from its maker")
            members[name] = member
            if name.startswith(("/", "\\")) or ".." in PATH_MARK.split(name) or ":" in name:
                raise InputError(
                    f"{self.name}: holds a file named {name!r}, which leads elsewhere; fetch it from its maker"
                )
        found = [
            pair for pair in map(_partner, members) if pair and pair[0] in members and pair[1] in members
        ]
        chooser = Languages(self.name, *self._wanted)
        chosen = [(pair, sides) for pair in found if (sides := chooser.choose(pair[2]).sides)]
        if len(chosen) != 1:
            if found and not chosen:
                raise chooser.nothing()
            problem = (
                "no two files such as X.en-fr.en and X.en-fr.fr" if not found else "several pairs of files"
            )
            raise InputError(f"{self.name}: {problem}; it holds {listed(members) if members else 'nothing'}")
        (first, second, languages), order = chosen[0]
        names = (first, second)
        return Sides(
            (members[names[order[0]]], members[names[order[1]]]), (languages[order[0]], languages[order[1]])
        )

    def _check(self, member: zipfile.ZipInfo) -> None:
        """Refuse what is locked, and what was made to burst."""
        if member.flag_bits & ENCRYPTED:
            raise InputError(f"{self.name}: {member.filename} is encrypted; unpack it first")
        if member.file_size > MOST_COMPRESSED * member.compress_size:
            times = member.file_size / max(member.compress_size, 1)
            raise InputError(
                f"{self.name}: {member.filename} becomes {times:,.0f} times as large when it is unpacked, as no text"
                " does; it may be a trap"
            )


def _partner(name: str) -> tuple[str, str, tuple[str, str]] | None:
    """Return both names of a pair of files, and their languages, for the first name.

    >>> _partner("books/Books.en-fr.en")
    ('books/Books.en-fr.en', 'books/Books.en-fr.fr', ('en', 'fr'))
    """
    before, _, language = name.rpartition(".")
    _, dot, pair = before.rpartition(".")
    first, _, second = pair.partition("-")
    if not dot or not first or first != language or not CODE.fullmatch(first) or not CODE.fullmatch(second):
        return None
    return name, name[: -len(first)] + second, (first, second)


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    while piece := stream.read(BLOCK):
        yield piece


@contextmanager
def _damage_explained(name: str) -> Iterator[None]:
    """Turn what is wrong with a zip into an InputError."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
        raise InputError(
            f"{name}: the zip is damaged, or of an unknown kind ({error}); fetch it again"
        ) from None
