"""How accurate recipes of Cepts are beside their peers, by corpus and by size; the report of `accuracy.py`."""

import sys
from pathlib import Path

sys.path.append(
    str(Path(__file__).resolve().parents[2] / "benchmarks")
)  # peers are run, goals judged as there
