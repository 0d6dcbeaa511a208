"""Damaged files of the cache of kernels: each must be compiled anew, and be whole again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from cepts.running.kernel import cache_folder
from fuzzing.watching import Ended
from tests.running.test_kernel import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fuzzing.material import Material

KERNELS = (
    "encoding_kernels.encode_block",
    "decode_kernels.count_rows",
)  # that every run needs; soon compiled


def damaged_caches(material: Material, place: Path) -> Iterator[Ended]:
    """Damage a file in each way, run a command twice, and say how that ended."""
    root, folder = place / "cache", cache_folder()
    assert folder is not None
    root.mkdir(mode=0o700)
    shutil.copytree(folder, root / folder.name)
    expected = _run(material, root)
    for kernel in KERNELS:
        (file,) = (root / folder.name).glob(f"*{kernel}-*.nbc")
        for name, damage in DAMAGE.items():
            damage(file)
            damaged = file.stat().st_ino
            first = _run(material, root)
            healed = file.stat().st_ino
            second = _run(material, root)
            wrong = None
            if not first == second == expected:
                wrong = f"{first}, then {second}"
            elif healed == damaged:
                wrong = "the damaged file has not been replaced"
            elif file.stat().st_ino != healed:
                wrong = "the new file was not read"
            yield Ended(f"{kernel}: {name}", refused=False, wrong=wrong)


def _run(material: Material, root: Path) -> tuple[int, str, str]:
    """Align a small text; return status, links, and what was said."""
    text = (material.word("FR"), material.word("EN"))
    done = subprocess.run(
        [sys.executable, "-m", "cepts", "align", *text, "--method", "fast", "--quiet"],
        env=os.environ | {"CEPTS_CACHE": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr
