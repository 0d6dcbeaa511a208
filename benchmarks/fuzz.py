"""Cases drawn at random, of all that a user or a stranger may give: none may crash, hang, or leave anything behind.

benchmarks/fuzz.py --cases 300            files, options, folders and calls from Python, a share of each
benchmarks/fuzz.py --only files --case 17 one case again, with what it says
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fuzzing.cases import Cases
from fuzzing.material import Material
from fuzzing.watching import watched

IN_MEMORY = Path("/dev/shm")  # outputs are synced to the disk: thousands of times, on a real one
SHARES = {"files": 0.45, "options": 0.25, "folders": 0.15, "api": 0.15}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--case", type=int)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        place = Path(folder)
        material = Material(place / "material").build()
        cases = Cases(material, asked.seed, place)
        if asked.case is not None:
            print(cases.run(asked.only, asked.case))
            return
        for kind, share in SHARES.items():
            if asked.only and asked.only != kind:
                continue
            n = round(asked.cases * (1 if asked.only else share))
            tot = 0
            ref = 0
            slow = 0
            longest = []
            for seen in watched(lambda number: tuple(cases.run(kind, number)), range(n)):
                tot += seen.seconds
                ref += seen.refused
                longest.append((seen.seconds, seen.number, seen.what))
                if seen.wrong:
                    print(f"{kind} {seen.number}: {seen.wrong}\n    {seen.what}", flush=True)
            print(kind, n, "refused", ref, "cpu", round(tot, 1), *sorted(longest)[-3:], sep="\n   ")


if __name__ == "__main__":
    main()
