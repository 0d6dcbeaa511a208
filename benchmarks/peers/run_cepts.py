"""Align two files with Cepts, driven as the peers are. Usage: SOURCE TARGET FOLDER OPTIONS.

OPTIONS are those of `cepts.Aligner`, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from cepts import Aligner, read_bitext, write_pharaoh


def main(source: Path, target: Path, folder: Path, options: str) -> None:
    """Write `forward.links` and `reverse.links`, both source-target, and the CPU seconds of the stages."""
    start = time.process_time()
    bitext = read_bitext(source, target)
    aligner = Aligner(**json.loads(options)).fit(bitext)
    trained = time.process_time()
    for direction in ("forward", "reverse"):
        aligner.recipe = replace(aligner.recipe, direction=direction)
        with (folder / f"{direction}.links").open("w", encoding="utf-8") as file:
            write_pharaoh(aligner.align(bitext), file)
    stages = {"training": trained - start, "aligning": time.process_time() - trained}
    (folder / "stages.json").write_text(json.dumps(stages))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), sys.argv[4])
