"""`@kernel`: compile a loop with Numba, and keep the machine code where it can never be stale.

Numba's disk cache looks only at the file of the cached function: when a helper in another file changes, the
old helper lives on inside the cached caller. Here all kernels share one cache folder whose name is a hash of
every kernel file of the package, so that any change to any of them starts an empty one.

What is in there is pickled: whoever may write to it runs code as whoever reads it, and a damaged file would bring a
process down. So the folder and its files belong to the user or to root and nobody else may write to them, and a file
is read only if its checksum is right. What is damaged is compiled anew, and replaced.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import pickle
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from numba.core.types.misc import unliteral

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows, where processes may compile the same kernel twice)
    fcntl = None  # type: ignore[assignment]

from cepts.errors import PREFIX, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGE = Path(__file__).resolve().parent.parent
DIGEST = 32  # bytes of a file's checksum, with which it begins


def kernel_files() -> list[Path]:
    """List the files that hold kernels: `*_kernels.py`, anywhere in the package."""
    return sorted(PACKAGE.rglob("*_kernels.py"))


def kernel_hash() -> str:
    """Digest everything that the compiled kernels depend on."""
    digest = hashlib.sha256()
    settings = (numba.__version__, sys.version, numba.config.BOUNDSCHECK, numba.config.OPT)
    digest.update(repr(settings).encode())
    for file in (Path(__file__), *kernel_files()):
        digest.update(str(file.relative_to(PACKAGE)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder under which compiled kernels are kept: `$CEPTS_CACHE`, else the user's cache."""
    if "CEPTS_CACHE" in os.environ:
        return Path(os.environ["CEPTS_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "cepts"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "cepts"


@functools.cache
def cache_folder() -> Path | None:
    """Return the folder for the kernels as they are now, or None, with a word on stderr, if none can be used."""
    try:
        root = cache_root()
        folder = root / f"kernels-{kernel_hash()}"
        for place in (root, folder):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if (doubt := foreign(place.stat())) is not None:
                say_uncached(f"not kept in {place}, {doubt}", "Set CEPTS_CACHE to a folder of your own.")
                return None
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError) as error:
        say_uncached(f"cannot be kept ({error})", "Set CEPTS_CACHE to a folder that can be written.")
        return None


def foreign(status: os.stat_result) -> str | None:
    """Say why somebody else may have written to a file or folder, or None if nobody could; on Windows, always None."""
    if os.name == "nt":
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return "which belongs to another user"
    written = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return "which others may write to (chmod go-w would end that)" if written else None


@functools.cache
def say_uncached(why: str, advice: str) -> None:
    """Say once on stderr that machine code is not kept, and what to do."""
    print(PREFIX + one_line(f"compiled kernels {why}; each run compiles anew. {advice}"), file=sys.stderr)


class KernelCache(_Cache):  # type: ignore[misc]
    """Keeps the machine code of one kernel, in a file for each signature: a checksum, and what it is of.

    Whatever is wrong with a file, the kernel is compiled as if there were none, and the file is replaced.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """Keep the code of a function in a folder."""
        self._folder, self.name = folder, f"{function.__module__}.{function.__qualname__}"
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the code for a signature if it is there, whole, and nobody else's."""
        target_context.refresh()  # as numba's own: whatever this kernel needs is known there
        if not self._enabled:
            return None
        key = self._key(sig, target_context.codegen())
        try:
            with self._file(key).open("rb") as file:
                if foreign(os.fstat(file.fileno())) is not None:
                    return None
                digest, data = file.read(DIGEST), file.read()
            if digest != _digest(key, data):
                return None
            reduced = pickle.loads(data)
        except Exception:  # it cannot be read, or names what is no longer there
            return None
        return CompileResult._rebuild(target_context, *reduced)

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep the code for a signature; where that fails, it is compiled anew the next time."""
        if not self._enabled or data.lifted or data.library.has_dynamic_globals:
            return
        key, pickled = self._key(sig, data.codegen), dumps(data._reduce())
        try:
            number, name = tempfile.mkstemp(dir=self._folder)  # for the user alone, whatever the umask
            try:
                with os.fdopen(number, "wb") as file:
                    file.write(_digest(key, pickled) + pickled)
                Path(name).replace(self._file(key))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            say_uncached(f"cannot be kept ({error.strerror})", "Make room there, or set CEPTS_CACHE.")

    def enable(self) -> None:
        """Load and save."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save."""
        self._enabled = False

    def flush(self) -> None:
        """Forget what is there, so that all is compiled anew."""
        for file in self._folder.glob(f"{self.name}-*.nbc"):
            file.unlink(missing_ok=True)

    def _key(self, signature: Any, codegen: Any) -> bytes:
        """Say what code is of: the kernel, the types of its arguments, and the machine."""
        return repr((self.name, signature, codegen.magic_tuple())).encode()

    def _file(self, key: bytes) -> Path:
        return self._folder / f"{self.name}-{hashlib.sha256(key).hexdigest()[:16]}.nbc"


class KernelLocks:
    """A lock for each kernel among processes: a byte of one file. The system frees the locks of a process that ends.

    A process holds a kernel's lock while it compiles, or waits for, the kernels that this one calls. As nothing calls
    itself, processes never wait for each other in a circle.
    """

    def __init__(self, folder: Path) -> None:
        """Open the file in a folder; where that cannot be done, nobody waits."""
        self._descriptor: int | None = None
        with suppress(OSError):
            self._descriptor = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)

    @contextmanager
    def held(self, name: str, *, wait: bool = True) -> Iterator[bool]:
        """Hold the lock of a kernel; yields False if another process has it and we do not wait."""
        byte = int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])
        locked = self._lock(byte, wait)
        try:
            yield locked is not False
        finally:
            if locked and self._descriptor is not None:
                fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, byte)

    def _lock(self, byte: int, wait: bool) -> bool | None:
        """Lock a byte: False if another process has it, None where there are no locks."""
        if fcntl is None or self._descriptor is None:
            return None
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, byte)
        except (BlockingIOError, PermissionError):  # either may say that it is taken
            return False
        except OSError:  # file systems without locks: both compile
            return None
        return True


@functools.cache
def kernel_locks(folder: Path) -> KernelLocks:
    """Return the locks of the kernels in a cache folder."""
    return KernelLocks(folder)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause Python's garbage collection: it takes a tenth of the time that compiling takes, and saves some 40 MB."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _digest(key: bytes, data: bytes) -> bytes:
    """Return the checksum of a file: of the code and of what it is the code of."""
    return hashlib.sha256(hashlib.sha256(key).digest() + data).digest()


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function without the GIL, cached, with fused multiply-add but no other freedom in arithmetic."""
    return _compiled(function)


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that only kernels call: leaving out its door to Python saves a good part of compile time."""
    return _compiled(function, no_cpython_wrapper=True)


def summing_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel whose sums may be added in any order, so that dot products use the whole width of the machine.

    One machine always gives the same numbers, whatever the number of threads; another one may differ in the last bits.
    """
    return _compiled(function, fastmath={"contract", "reassoc"})


def _compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    jit = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cfunc_wrapper=True,
        **({"fastmath": {"contract"}} | options),
    )
    compiled: Callable[..., Any] = jit(function)
    folder, module = cache_folder(), function.__module__
    hashed = module.startswith(__name__.partition(".")[0] + ".") and module.endswith("_kernels")
    if hashed and folder is not None and not numba.config.DISABLE_JIT:
        _keep(compiled, KernelCache(function, folder))
    return compiled


def _keep(compiled: Any, cache: KernelCache) -> None:
    """Let a dispatcher of Numba's load from our cache and save there, while no other process compiles the same."""
    locks, compile_signature = kernel_locks(Path(cache.cache_path)), compiled.compile

    def compile_once(signature: Any) -> Any:
        # Numba's own lock comes first: this process's other threads must not wait for it with a kernel's lock in hand.
        with global_compiler_lock, locks.held(cache.name), collection_paused():
            return compile_signature(tuple(map(unliteral, signature)))

    compiled._cache, compiled.compile = cache, compile_once
