"""Workers never compile the same kernel twice: the second waits, and finds the machine code of the first on disk."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from cepts.running.kernel import cache_folder

try:
    import fcntl
except ImportError:  # on Windows, where both compile
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def share_compilation() -> None:
    """Let Numba hold a lock of each kernel while it looks for it on disk, and while it compiles it."""
    folder, alone = cache_folder(), Dispatcher.compile
    if fcntl is None or folder is None:
        return

    def compile_once(self: Any, signature: Any) -> Any:
        name = f"{self.py_func.__module__}.{self.py_func.__name__}"
        if not name.startswith("cepts."):
            return alone(self, signature)
        # Numba's own lock comes first: this process's other threads must not wait for it with a kernel's lock in hand.
        with global_compiler_lock, locked(folder / f"{name}.lock"):
            return alone(self, signature)

    Dispatcher.compile = compile_once


HELD: set[Path] = set()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold a lock among processes: each takes those of kernels that call each other in the order of calls."""
    if file in HELD:
        yield
        return
    with file.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        HELD.add(file)
        try:
            yield
        finally:
            HELD.remove(file)
