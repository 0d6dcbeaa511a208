"""How much memory may be used: as a user says, or a share of what is free."""

from __future__ import annotations

import ctypes
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cepts.errors import OptionError, said

SHARE, USUAL = 0.5, 3 << 29  # of what is free, and bytes at most, where nobody says how much
# What a run takes beside its large arrays: Python, compiled loops, words as strings, the shards that are worked on.
BESIDE = 600 << 20
PROGRAM = 200 << 20  # of that, what Python and compiled loops take before there is any text
SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
MARGIN = 48 << 20  # bytes that may become resident between two looks at how many there are
M_MMAP_THRESHOLD, LARGE = -3, 1 << 20  # of malloc.h, and bytes from which on an array has pages of its own
LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # of a control group: of a container, for instance
USES = ("memory.current", "memory/memory.usage_in_bytes")


def parse_size(text: str) -> int:
    """Read a number of bytes, or one of K, M, G or T.

    >>> parse_size("64K"), parse_size("1.5g"), parse_size("100000")
    (65536, 1610612736, 100000)
    """
    match = re.fullmatch("([0-9]{1,15}(?:[.][0-9]{1,6})?)([KMGT]?)", text.strip(), re.IGNORECASE)
    if match is None:
        raise OptionError(
            f"{said('memory', text)}: expected a number of bytes, such as 256M (K, M, G and T are known)"
        )
    return int(float(match[1]) * SIZES[match[2].upper()])


def shown_size(size: int) -> str:
    """Write a number of bytes for people.

    >>> shown_size(3 << 29), shown_size(0), shown_size(900 << 20)
    ('1.5 GB', '0 MB', '900 MB')
    """
    return f"{size / (1 << 30):.1f} GB" if size >= 1 << 30 else f"{size >> 20} MB"


def free_memory() -> int:
    """Return how many bytes are free: of the machine, or of what a container may have."""
    free = [_of_machine()]
    for limit, use in zip(LIMITS, USES, strict=True):
        most, used = (_number(Path("/sys/fs/cgroup") / name) for name in (limit, use))
        if most is not None and used is not None:
            free.append(most - used)
    return max(0, min(free))


def _of_machine() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return 4 << 30


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # not there, or "max"
        return None


class Memory(NamedTuple):
    """How many bytes a run may use, whether somebody said so, and how many of them are spoken for already."""

    size: int
    given: bool = True
    taken: int = 0

    def check(self, least: int, what: str, enough: int | None = None) -> None:
        """Refuse a size that was given and is not enough for something, which takes at least so many bytes.

        What is `enough` is said instead where that is all that is known.
        """
        least += self.taken
        if self.given and self.size < least:
            cure = f"give at least {_megabytes(least)}" if enough is None else f"{_megabytes(enough)} will do"
            raise OptionError(f"{said('memory', shown_size(self.size))}: too little for {what}; {cure}")

    def said(self, on_disk: int | None = None) -> str:
        """Say what was chosen, and how much had to go to disk for it, if that is known.

        >>> Memory(1 << 30).said(0)
        'memory: 1.0 GB; everything stayed there'
        """
        usual = self.given or self.size >= USUAL
        chosen = f"memory: {shown_size(self.size)}" + ("" if usual else ", half of what was free")
        if on_disk is None:
            return chosen
        disk = f"{shown_size(max(on_disk, 1 << 20))} of arrays went to temporary files"
        return f"{chosen}; {disk if on_disk else 'everything stayed there'}"

    def beside(self, least: int) -> int:
        """How much of it large arrays may take before they go to disk, if everything else needs `least` bytes."""
        return max(0, self.size - self.taken - least)

    @property
    def room(self) -> int:
        """How much of it large arrays may take, if what everything else needs is not known."""
        return self.beside(BESIDE)

    @property
    def resident(self) -> int:
        """From how many bytes on, that are in memory, those of mapped files are given back."""
        return self.size - MARGIN


def _megabytes(size: int) -> str:
    return f"{-(-size >> 20)}M"


def wanted_memory(
    memory: int | str | Memory | None,
    least: int = PROGRAM,
    enough: int = BESIDE,
    what: str = "the program itself",
) -> Memory:
    """Return how many bytes a run may use; refuse less than the `least` that something takes: `enough` will do for it.

    Unless told, `SHARE` of what is free and no more than `USUAL`: what is more goes to temporary files, which the
    system keeps in its memory where there is enough of it.
    """
    if isinstance(memory, Memory):
        return memory
    if memory is None:
        return Memory(min(int(SHARE * free_memory()), USUAL), given=False)
    wanted = Memory(parse_size(memory) if isinstance(memory, str) else memory)
    wanted.check(least, what, enough)
    give_back_at_once()
    return wanted


def give_back_at_once() -> None:
    """Let the C library return the memory of large arrays to the system as soon as they are freed.

    Otherwise it keeps up to 32 MB of each size for the next one: a quarter of what a run takes. Of other C libraries
    than GNU's nothing is asked.
    """
    with suppress(OSError, AttributeError):  # no such library, or one without this function
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
