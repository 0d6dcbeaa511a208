"""How much memory may be used: as a user says, or a share of what is free."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from cepts.errors import OptionError, said

SHARE, USUAL = 0.5, 3 << 29  # of what is free, and bytes at most, where nobody says how much
# What a run takes beside its large arrays: Python, compiled loops, words as strings, the shards that are worked on.
BESIDE = 600 << 20
PROGRAM = 200 << 20  # of that, what Python and compiled loops take before there is any text
SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
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
    """How many bytes a run may use, and whether somebody said so."""

    size: int
    given: bool = True

    def check(self, least: int, what: str) -> None:
        """Refuse a size that was given and is not enough for something, which takes at least so many bytes."""
        if self.given and self.size < least:
            raise OptionError(
                f"{said('memory', shown_size(self.size))}: too little for {what}; give at least {-(-least >> 20)}M"
            )

    def said(self, on_disk: int | None = None) -> str:
        """Say what was chosen, and how much had to go to disk for it, if that is known.

        >>> Memory(1 << 30).said(0)
        'memory: 1.0 GB; everything stayed there'
        """
        usual = self.given or self.size >= USUAL
        chosen = f"memory: {shown_size(self.size)}" + ("" if usual else ", half of what was free")
        if on_disk is None:
            return chosen
        disk = f"{shown_size(on_disk)} of arrays went to temporary files"
        return f"{chosen}; {disk if on_disk else 'everything stayed there'}"

    @property
    def room(self) -> int:
        """How much of it large arrays may take before they go to disk."""
        return max(0, self.size - BESIDE)


def wanted_memory(memory: int | str | Memory | None) -> Memory:
    """Return how many bytes a run may use; refuse what nothing can run in.

    Unless told, `SHARE` of what is free and no more than `USUAL`: what is more goes to temporary files, which the
    system keeps in its memory where there is enough of it.
    """
    if isinstance(memory, Memory):
        return memory
    if memory is None:
        return Memory(min(int(SHARE * free_memory()), USUAL), given=False)
    wanted = Memory(parse_size(memory) if isinstance(memory, str) else memory)
    wanted.check(PROGRAM, "the program itself")
    return wanted
