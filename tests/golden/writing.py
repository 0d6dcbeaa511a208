"""Write the pinned results anew, after a change that is meant to change them.

    python -m tests.golden.writing                        all of them
    python -m tests.golden.writing --compare FOLDER       nothing is written; compare to the bit with those of a folder
    python -m tests.golden.writing --output FOLDER        write into another folder

To compare two versions of the code to the bit on one machine: `--output` with the one, `--compare` with the other.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

from llvmlite import binding

from tests.golden.cases import cases, is_there, run, written

EXPECTED = Path(__file__).parent / "expected"
PROCESSOR = EXPECTED / "processor"  # the kind of processor that the results are of


def processor() -> str:
    """Name the kind of processor: kernels are compiled for it, and round as it does."""
    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_host_cpu_name()} {hashlib.sha256(features.encode()).hexdigest()[:12]}"


def main() -> None:
    """Write, or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=EXPECTED)
    parser.add_argument("--compare", type=Path)
    given = parser.parse_args()
    different = 0
    for case in filter(is_there, cases()):
        with tempfile.TemporaryDirectory() as folder:
            text = written(run(case, Path(folder)))
        file = (given.compare or given.output) / f"{case.name}.txt"
        if given.compare is None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != text:
            different += 1
            print(f"{case.name}: different")
    if given.compare is None:
        (given.output / PROCESSOR.name).write_text(f"{processor()}\n", encoding="utf-8")
    else:
        print("all the same" if not different else f"{different} are different")
        raise SystemExit(min(different, 1))


if __name__ == "__main__":
    main()
