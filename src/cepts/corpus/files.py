"""Files as blocks of whole lines: plain, .gz, .xz, .zst or standard input, and what can be wrong with them."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import sys
import zlib
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from cepts.errors import InputError, PackageError, said
from cepts.running.steps import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BLOCK = 1 << 20  # bytes read at once; memory for text stays near this, unless a line is longer
LONGEST_LINE = (
    1 << 28
)  # bytes; beyond, it is no text, but most likely something small that was compressed to be large
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP_MAGIC = b"\x1f\x8b"
XZ_MAGIC = b"\xfd7zXZ\x00"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ZIP_MAGIC = b"PK\x03\x04"
PACKED = 5  # how much larger text is than when it is compressed, about
NEWLINE = 10
STDIN = "-"

FilePath = str | os.PathLike[str]


class Block(NamedTuple):
    """Whole lines of a file, each ended by a newline; how many they are, and how many came before them."""

    text: bytes
    lines: int
    lines_before: int


def shown(path: FilePath) -> str:
    """Return what messages call a file."""
    return "standard input" if os.fspath(path) == STDIN else os.fspath(path)


def check_file(path: FilePath) -> None:
    """Refuse what does not exist or is a folder, without opening it (which would disturb a pipe)."""
    with errors_explained(path):
        if os.fspath(path) != STDIN and stat.S_ISDIR(Path(path).stat().st_mode):
            raise IsADirectoryError


def size_of_text(path: FilePath) -> int | None:
    """Guess how many bytes of text a file has, without reading it; None for what is no file, such as a pipe."""
    if os.fspath(path) == STDIN or not Path(path).is_file():
        return None
    with errors_explained(path), Path(path).open("rb") as file:
        magic = file.read(len(XZ_MAGIC))
    packed = magic.startswith((GZIP_MAGIC, XZ_MAGIC, ZSTD_MAGIC, ZIP_MAGIC))
    return Path(path).stat().st_size * (PACKED if packed else 1)


def read_blocks(path: FilePath) -> Iterator[Block]:
    """Yield the text of a file as blocks of whole lines, without a byte order mark.

    A line ends at a newline and nowhere else; the last line may lack it.
    """
    return cut_blocks(read_bytes(path), shown(path))


def cut_blocks(stream: Iterable[bytes], name: str) -> Iterator[Block]:
    """Yield pieces of a text as blocks of whole lines, without a byte order mark."""
    lines = size = 0
    pieces: list[bytes] = []  # of a line that goes on in the next block
    for text in _without_mark(stream):
        cut = text.rfind(b"\n") + 1
        if cut:
            block = b"".join([*pieces, text[:cut]])
            count = block.count(b"\n")
            yield Block(block, count, lines)
            lines += count
            size = 0
            pieces = []
        pieces.append(text[cut:])
        size += len(pieces[-1])
        if size > LONGEST_LINE:
            raise InputError(
                f"{name}, line {lines + 1}: longer than {LONGEST_LINE >> 20} MB; expected a sentence on each line"
            )
    rest = b"".join(pieces)
    if rest:
        yield Block(rest + b"\n", 1, lines)


def bad_bytes(name: str, block: Block) -> InputError:
    """Describe the first byte of a block that is no text: NUL, or not valid UTF-8."""
    place = block.text.find(b"\0")
    cause = "a NUL byte"
    reading = f"read it with {said('errors', 'replace')}"
    cure = f"the file may be UTF-16 or binary: convert it to UTF-8, or {reading}"
    if place < 0:
        place = _first_invalid(block.text)
        cause = f"invalid UTF-8, byte 0x{block.text[place]:02x}"
        cure = f"convert the file to UTF-8, or {reading}"
    line_start = block.text.rfind(b"\n", 0, place) + 1
    line = block.lines_before + block.text.count(b"\n", 0, place) + 1
    return InputError(f"{name}, line {line}: {cause} at byte {place - line_start + 1} of the line; {cure}")


def newlines(text: bytes, first: int = 0, end: int | None = None) -> int:
    """Count the newlines of a stretch of text, several times as fast as `bytes.count`."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8)[first:end] == NEWLINE))


def _first_invalid(text: bytes) -> int:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    raise AssertionError("asked for an invalid byte of valid text")


def _without_mark(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Drop the byte order mark at the beginning."""
    for k, piece in enumerate(pieces):
        yield piece.removeprefix(BYTE_ORDER_MARK) if k == 0 else piece


def read_bytes(path: FilePath) -> Iterator[bytes]:
    """Yield the decompressed bytes of a file as they come."""
    with errors_explained(path), _opened(path) as (file, size):
        stream = _decompressed(file)
        while piece := stream.read(BLOCK):
            if size > BLOCK:
                tell("reading", min(1.0, file.tell() / size))
            yield piece


@contextmanager
def _opened(path: FilePath) -> Iterator[tuple[IO[bytes], int]]:
    """Open a file, and say how large it is, 0 if that is not known; standard input is left open."""
    if os.fspath(path) == STDIN:
        yield sys.stdin.buffer, 0
        return
    with Path(path).open("rb") as file:
        status = os.fstat(file.fileno())
        yield file, status.st_size if stat.S_ISREG(status.st_mode) else 0


def _decompressed(file: IO[bytes]) -> IO[bytes]:
    """Wrap a file in the decompressor that its first bytes ask for, whatever its name says."""
    magic: bytes = file.peek(len(XZ_MAGIC)) if hasattr(file, "peek") else b""
    if magic.startswith(GZIP_MAGIC):
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if magic.startswith(XZ_MAGIC):
        return lzma.LZMAFile(file)
    if magic.startswith(ZSTD_MAGIC):
        return cast("IO[bytes]", _zstd().ZstdFile(file))
    return file


def _zstd() -> Any:
    """Return what reads zstd: Python's own module, from 3.14, or its twin for older ones."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise PackageError("a file that is compressed with zstd needs an extra package: pip install 'cepts[zst]'")


@contextmanager
def errors_explained(path: FilePath) -> Iterator[None]:
    """Turn what the system says about a file into an InputError."""
    name = shown(path)
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder: give a file") from None
    except PermissionError:
        raise InputError(f"{name} may not be read: permission denied") from None
    except EOFError:
        raise InputError(f"{name}: the compressed file ends too early; fetch or compress it again") from None
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
        raise _damaged(name, error) from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":  # known only where its module is
            raise
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> InputError:
    return InputError(f"{name}: the compressed file is damaged ({error}); fetch it again")
