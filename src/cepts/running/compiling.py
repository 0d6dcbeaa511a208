"""Compile kernels in processes of their own, before they are needed.

`kernels.json` has the kernels that Python calls, with the types of their arguments, and for each command those that it
needs, in the order of their first use. `python -m tests.running.recording` writes it, and tests compare it with what
commands do. Where it is wrong, a command compiles by itself what it needs: it never decides what is computed.

A command compiles from the front of its list, in the order in which it needs them; other processes compile from the
end, and take what nobody else is compiling. So all meet in the middle, whatever a kernel takes.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba import types

from cepts.running.kernel import cache_folder, kernel_locks

if TYPE_CHECKING:
    from collections.abc import Iterable

LIST = Path(__file__).with_name("kernels.json")
WORKERS = 3  # processes beside a command; each takes some 250 MB
WORTH = 4  # kernels that take longer to compile than a process takes to start


@cache
def _lists() -> dict[str, Any]:
    lists: dict[str, Any] = json.loads(LIST.read_text(encoding="utf-8"))
    return lists


def all_kernels() -> list[str]:
    """Name all kernels of the list."""
    return list(_lists()["kernels"])


def kernels_of(command: str) -> list[str]:
    """Name the kernels that a command needs, in the order of their first use; none if the list does not have it."""
    kernels: list[str] = _lists()["commands"].get(command, [])
    return kernels


def missing(kernels: Iterable[str]) -> list[str]:
    """Leave those that have still to be compiled into the cache; none where there is no cache."""
    folder = cache_folder()
    if folder is None:
        return []
    there = {file.name.rpartition("-")[0] for file in folder.glob("*.nbc")}
    return [name for name in kernels if name not in there]


def cores() -> int:
    """How many processors this process may use."""
    with suppress(AttributeError):  # not everywhere
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compile_beside(kernels: list[str], processes: int) -> list[subprocess.Popen[bytes]]:
    """Start processes that compile kernels into the cache, the last ones first; they end with this one at the latest.

    There are none where that cannot be done.
    """
    command, nothing = [sys.executable, "-m", __name__, *reversed(kernels)], subprocess.DEVNULL
    workers: list[subprocess.Popen[bytes]] = []
    atexit.register(_stop, workers)
    with suppress(OSError):  # no more processes are allowed
        for _ in range(processes):
            workers.append(subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing))
    return workers


def _stop(workers: list[subprocess.Popen[bytes]]) -> None:
    """End processes that are still compiling what turned out not to be needed."""
    for worker in workers:
        worker.kill()
        worker.wait()


def compile_all(kernels: Iterable[str]) -> None:
    """Compile kernels that no other process is compiling."""
    folder = cache_folder()
    if folder is None:
        return
    locks, signatures = kernel_locks(folder), _lists()["kernels"]
    for name in kernels:
        module, _, function = name.rpartition(".")
        with locks.held(name, wait=False) as ours, suppress(Exception):  # who needs it says what is wrong
            if ours:
                kernel = getattr(import_module(module), function)
                kernel.compile(tuple(map(type_of, signatures[name])))


def type_of(spelling: Any) -> types.Type:
    """Return a type of Numba's: "int64"; "int32 2 C" for an array; a list for a tuple; an object for a named one.

    >>> str(type_of(["float64", "int32 2 C"]))
    'Tuple(float64, array(int32, 2d, C))'
    """
    if isinstance(spelling, dict):
        ((name, parts),) = spelling.items()
        module, _, made = name.rpartition(".")
        return types.BaseTuple.from_types([*map(type_of, parts)], getattr(import_module(module), made))
    if isinstance(spelling, list):
        return types.BaseTuple.from_types([*map(type_of, spelling)])
    element, *array = spelling.split()
    kind = getattr(types, element)
    return types.Array(kind, int(array[0]), array[1], readonly="readonly" in array) if array else kind


if __name__ == "__main__":
    compile_all(sys.argv[1:])
