"""Where the real data is: `$CEPTS_DATA`, else `../shared/data` from the project's root."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def data_path() -> Path:
    """Return where the data should be, whether it is there or not."""
    return Path(os.environ.get("CEPTS_DATA") or ROOT.parent / "shared" / "data")


def find_data_folder() -> Path | None:
    """Return the data folder, or None where there is none."""
    folder = data_path()
    return folder if (folder / "words").is_dir() else None


def missing_data() -> str:
    """Say why a test on real data is skipped."""
    return f"no data in {data_path()}; set CEPTS_DATA to the folder that holds words/"
