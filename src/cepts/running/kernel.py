"""`@kernel`: compile a loop with Numba, and keep the machine code where it can never be stale.

Numba's disk cache looks only at the file of the cached function: when a helper in another file changes, the
old helper lives on inside the cached caller. Here all kernels share one cache folder whose name is a hash of
every kernel file of the package, so that any change to any of them starts an empty one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = Path(__file__).resolve().parent.parent


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
    """Return the folder for the kernels as they are now, or None, with a word on stderr, if none can be written."""
    try:
        folder = cache_root() / f"kernels-{kernel_hash()}"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError) as error:
        print(
            f"cepts: compiled kernels cannot be kept ({error}); each run compiles anew. Set CEPTS_CACHE to a"
            " folder that can be written.",
            file=sys.stderr,
        )
        return None


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
    folder = cache_folder()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder) if folder else before
    try:
        jit = numba.njit(
            nogil=True,
            cache=folder is not None,
            error_model="numpy",
            no_cfunc_wrapper=True,
            **({"fastmath": {"contract"}} | options),
        )
        compiled: Callable[..., Any] = jit(function)
        return compiled
    finally:
        numba.config.CACHE_DIR = before
