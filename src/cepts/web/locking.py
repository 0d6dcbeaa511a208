"""A lock between processes: whoever holds it is the only one who writes a file. It goes with its process."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from cepts.errors import OutputError
from cepts.storage.atomic import cannot_write

if TYPE_CHECKING:
    from pathlib import Path


class LockedError(OutputError):
    """Another process writes the file."""


class FileLock:
    """The right to write a file: a lock on a file of the same name with `.lock` behind it.

    The file itself cannot be locked, as each save puts a new one in its place.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}.lock")
        while True:
            try:
                self._descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o666)
            except OSError as error:
                raise cannot_write(self._path, error) from error
            if not _lock(self._descriptor):
                os.close(self._descriptor)
                raise LockedError(
                    f"cannot write {path}: another cepts serve is writing it; end that, or name another file with"
                    " --corrections"
                )
            if self._is_in_place():
                return
            os.close(self._descriptor)  # its last owner has removed it meanwhile

    def _is_in_place(self) -> bool:
        """Whether what is locked is still what others will find under the name."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except OSError:
            return False

    def release(self) -> None:
        """Let others write."""
        with contextlib.suppress(OSError):  # some systems keep files that are open
            self._path.unlink()
        os.close(self._descriptor)


def _lock(descriptor: int) -> bool:
    """Lock an open file, or say that somebody else has."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover (Windows)
        return _lock_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # file systems without locks: better one unguarded writer than none
        return True
    return True


def _lock_windows(descriptor: int) -> bool:  # pragma: no cover
    """Lock the first byte, as Windows does."""
    import msvcrt

    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True
