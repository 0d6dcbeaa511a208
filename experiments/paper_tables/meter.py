"""What a part of this process uses: wall seconds, CPU seconds of all its threads, peak memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

STATUS = Path("/proc/self/status")
FORGET = Path("/proc/self/clear_refs")


class Moment(NamedTuple):
    """The clocks: wall and CPU seconds, each since some moment in the past."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Moment:
        """Read the clocks; processor time is that of this process and of those that it started and that have ended."""
        times = os.times()
        return cls(perf_counter(), process_time() + times.children_user + times.children_system)

    def since(self, earlier: Moment) -> Moment:
        """Return what has passed since an earlier moment.

        >>> Moment(5.0, 9.0).since(Moment(4.0, 7.0))
        Moment(wall=1.0, cpu=2.0)
        """
        return Moment(self.wall - earlier.wall, self.cpu - earlier.cpu)


def forget_peak() -> None:
    """Let the peak start again from now, where the system can (Linux); elsewhere it is that of the whole process."""
    if FORGET.exists():
        FORGET.write_text("5")


def peak_mb() -> float:
    """Return the peak of resident memory in megabytes."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource  # not on Windows

    unit = 1024**2 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
