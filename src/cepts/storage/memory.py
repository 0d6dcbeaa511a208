"""How much memory may be used: as a user says, or a share of what is free."""

from __future__ import annotations

import os
import re
from pathlib import Path

from cepts.errors import OptionError

SHARE = 0.5  # of what is free, where nobody says how much
# What a run takes beside its large arrays: Python, compiled loops, words as strings, the shards that are worked on.
BESIDE = 600 << 20
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
            f"--memory {text}: expected a number of bytes, such as 256M (K, M, G and T are known)"
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


def wanted_memory(memory: int | str | None) -> int:
    """Return how many bytes a run may use: so many, or `SHARE` of what is free."""
    if memory is None:
        return int(SHARE * free_memory())
    return parse_size(memory) if isinstance(memory, str) else memory


def room_for_arrays(memory: int) -> int:
    """Return how much of a run's memory its large arrays may take before they go to disk."""
    return max(0, memory - BESIDE)
