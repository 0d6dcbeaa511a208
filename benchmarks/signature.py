"""The recipe signature: all that a figure depends on besides the corpus."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "numba", "llvmlite", "eflomal", "systran-align", "sil-thot")


def signature(options: str, threads: int) -> dict[str, object]:
    """Describe the Cepts under test, its options, the packages and the machine."""
    return {
        "cepts": cepts_version(),
        "options": options,
        "threads": threads,
        "python": platform.python_version(),
        "packages": {name: installed(name) for name in PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
    }


def one_line(made: dict[str, object]) -> str:
    """Write a signature as one line, for people."""
    packages = made["packages"]
    assert isinstance(packages, dict)
    parts = [str(made["cepts"]), f"options: {made['options'] or 'none'}", f"threads: {made['threads']}"]
    parts += [f"{name} {number}" for name, number in packages.items() if number]
    return " | ".join([*parts, f"python {made['python']}", f"{made['processor']}, {made['cores']} cores"])


def cepts_version() -> str:
    """Return what `cepts --version` says, or that it cannot be run."""
    done = subprocess.run(
        [sys.executable, "-m", "cepts", "--version"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else "cepts cannot be run"


def installed(package: str) -> str | None:
    """Return the version of a package, or None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def processor() -> str:
    """Name the processor's model."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
