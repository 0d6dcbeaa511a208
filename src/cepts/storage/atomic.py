"""Files that are there whole, or as they were before, and a check that a long run can make at its start."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import glob
import gzip
import io
import lzma
import os
import secrets
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, overload

from cepts.checking import checked
from cepts.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

HERE, RENAME_EXCHANGE = -100, 2  # AT_FDCWD of <fcntl.h>, and the flag of <linux/fs.h>


class _Complete(NamedTuple):
    """A file that is on the disk, whole, under a temporary name."""

    path: str | Path  # as the user named it
    temporary: Path
    final: Path


_held: ContextVar[list[_Complete] | None] = ContextVar("held", default=None)


@overload
def atomic_writer(path: str | Path, binary: Literal[False] = False) -> AbstractContextManager[IO[str]]: ...


@overload
def atomic_writer(path: str | Path, binary: Literal[True]) -> AbstractContextManager[IO[bytes]]: ...


@checked
def atomic_writer(path: str | Path, binary: bool = False) -> AbstractContextManager[IO[Any]]:
    """Open `path` for writing: it appears when the block ends, and on any exception stays as it was.

    Text is UTF-8 with plain newlines; a name that ends with .gz or .xz is compressed. Devices and pipes
    are written directly.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with atomic_writer(f"{folder.name}/links") as file:
    ...     _ = file.write("0-0 1-1")
    >>> Path(folder.name, "links").read_text()
    '0-0 1-1'
    >>> folder.cleanup()
    """
    return _write_directly(path, binary) if _is_special(Path(path)) else _write_and_rename(path, binary)


@checked
@contextmanager
def together() -> Iterator[None]:
    """Hold back the files that `atomic_writer` completes in this block: at its end all of them appear, or none.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with together():
    ...     for name in ("links", "timings"):
    ...         with atomic_writer(f"{folder.name}/{name}") as file:
    ...             _ = file.write(name)
    ...     Path(folder.name, "links").exists()
    False
    >>> Path(folder.name, "links").exists()
    True
    >>> folder.cleanup()
    """
    complete: list[_Complete] = []
    token = _held.set(complete)
    try:
        yield
        _put_in_place(complete)
    finally:
        _held.reset(token)
        for file in complete:
            file.temporary.unlink(missing_ok=True)


@checked
def check_writable(path: str | Path) -> None:
    """Raise `OutputError` now if `path` could not be written at the end of a long run."""
    path = Path(path)
    check_name(path)
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a folder; name a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise OutputError(f"cannot write {path}: it is write-protected")
    if not _is_special(path):
        check_parent(path)


def check_name(path: Path) -> None:
    """Raise `OutputError` if the system refuses the very name, as one that is too long."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # others say what is wrong with the place
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}; name another place") from None


def check_parent(path: Path) -> None:
    """Raise `OutputError` if nothing can be created beside `path`."""
    parent = path.resolve().parent
    if not parent.is_dir():
        raise OutputError(f"cannot write {path}: there is no folder {parent}; create it first")
    trial = beside(path)
    try:
        os.close(os.open(trial, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        trial.unlink()
    except OSError as error:
        raise cannot_write(path, error) from error


def beside(path: Path, ending: str = "tmp") -> Path:
    """Return a fresh hidden name in the folder of `path`, so that a rename stays on one disk."""
    path = path.resolve()
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.{ending}")


def left_beside(path: Path, ending: str = "tmp") -> list[Path]:
    """Return what has such a name and is there: of a process that is at work, or was killed."""
    path = path.resolve()
    return sorted(path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.{ending}"))


def exchange(one: Path, other: Path) -> bool:
    """Swap two names in one step; False where the system or the disk cannot do that."""
    try:
        rename = ctypes.CDLL(None).renameat2  # Linux
    except (AttributeError, OSError, TypeError):
        return False
    return bool(rename(HERE, os.fsencode(one), HERE, os.fsencode(other), RENAME_EXCHANGE) == 0)


def cannot_write(path: str | Path, error: OSError) -> OutputError:
    """Word an error of the operating system for the user."""
    return OutputError(f"cannot write {path}: {error.strerror or error}")


def sync_folder(folder: Path) -> None:
    """Ask the disk to keep the names in `folder`, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


class _Output(io.FileIO):
    """A file whose failed writes are `OutputError`, apart from any other OSError of the block."""

    def __init__(self, descriptor: int, path: str | Path) -> None:
        super().__init__(descriptor, "wb")
        self._path = path

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:  # the reader has gone: not an error of the place
            raise
        except OSError as error:
            raise cannot_write(self._path, error) from error

    def sync(self) -> None:
        try:
            os.fsync(self.fileno())
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # what devices and pipes answer
                raise cannot_write(self._path, error) from error


@contextmanager
def _write_directly(path: str | Path, binary: bool) -> Iterator[IO[Any]]:
    output = _open(path, Path(path), os.O_WRONLY)
    with _layers(output, Path(path).suffix, binary) as stream:
        yield stream


@contextmanager
def _write_and_rename(path: str | Path, binary: bool) -> Iterator[IO[Any]]:
    final = Path(path).resolve()  # through a symbolic link to the file it names
    if final.is_dir():
        raise OutputError(f"cannot write {path}: it is a folder; name a file")
    temporary = beside(final)
    output = _open(path, temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    try:
        with _layers(output, final.suffix, binary) as stream:
            yield stream
        complete, held = _Complete(path, temporary, final), _held.get()
        if held is None:
            _put_in_place([complete])
        else:
            held.append(complete)
    except BaseException:  # Ctrl-C too leaves nothing behind
        temporary.unlink(missing_ok=True)
        raise


def _open(path: str | Path, actual: Path, flags: int) -> _Output:
    try:
        return _Output(os.open(actual, flags | getattr(os, "O_BINARY", 0), 0o666), path)
    except OSError as error:
        raise cannot_write(path, error) from error


@contextmanager
def _layers(output: _Output, suffix: str, binary: bool) -> Iterator[IO[Any]]:
    with ExitStack() as stack:
        stack.callback(output.close)
        buffer: IO[bytes] = io.BufferedWriter(output, 1 << 16)
        stream: Any = buffer
        if suffix == ".gz":  # no name and no time inside: equal text gives equal bytes
            # level 9, the default, takes six times as long for a few percent
            stream = gzip.GzipFile("", "wb", compresslevel=6, fileobj=buffer, mtime=0)
        elif suffix == ".xz":
            stream = lzma.LZMAFile(buffer, "wb")  # noqa: SIM115 (closed by _finish or _abandon)
        if not binary:
            stream = io.TextIOWrapper(stream, "utf-8", newline="\n")
        try:
            yield stream
        except BaseException:
            _abandon(stream, buffer, output)
            raise
        _finish(stream, buffer, output)


def _finish(stream: IO[Any], buffer: IO[bytes], output: _Output) -> None:
    stream.flush()
    if not _is_plain(stream, buffer):
        stream.close()  # a compressor writes its end when it is closed, and leaves the buffer open
    buffer.flush()
    output.sync()
    stream.close()
    buffer.close()


def _is_plain(stream: IO[Any], buffer: IO[bytes]) -> bool:
    return stream is buffer or getattr(stream, "buffer", None) is buffer


def _abandon(stream: IO[Any], buffer: IO[bytes], output: _Output) -> None:
    output.close()  # first, so that nothing that is still buffered reaches the file
    for layer in (stream, buffer):
        with contextlib.suppress(Exception):
            layer.close()


def _put_in_place(files: Sequence[_Complete]) -> None:
    """Rename files into place; if one of several cannot be, the others become again what they were."""
    with ExitStack() as last, ExitStack() as undo:
        for file in files:
            try:
                existed = file.final.exists()
                if existed:
                    file.temporary.chmod(file.final.stat().st_mode)
                if len(files) > 1:
                    before = beside(file.final)
                    last.callback(before.unlink, missing_ok=True)
                    undo.callback(_restore, file, before, existed)
                    with contextlib.suppress(
                        OSError
                    ):  # a disk without hard links: this one cannot be restored
                        os.link(file.final, before)
                file.temporary.replace(file.final)
            except OSError as error:
                raise cannot_write(file.path, error) from error
        undo.pop_all()
    for folder in {file.final.parent for file in files}:
        sync_folder(folder)


def _restore(file: _Complete, before: Path, existed: bool) -> None:
    """Bring back what was there before a file was renamed into place, if it was."""
    if file.temporary.exists():
        return
    with contextlib.suppress(OSError):
        if not existed:
            file.final.unlink()
        elif before.exists():
            before.replace(file.final)
