"""Align two files with a recipe of Cepts, driven as the peers are. Usage: SOURCE TARGET FOLDER SCORED OPTIONS.

OPTIONS are those of `cepts.Aligner`, as JSON. All links are written, as a peer writes them; those of the first SCORED
pairs a second time, with their confidences.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from cepts import Aligner, read_bitext, write_pharaoh


def main(source: Path, target: Path, folder: Path, scored: int, options: str) -> None:
    """Write `own.links` and `scored.links`, and the CPU seconds of the stages."""
    start = time.process_time()
    bitext = read_bitext(source, target)
    aligner = Aligner(**json.loads(options)).fit(bitext)
    trained = time.process_time()
    links = aligner.align(bitext)
    with (folder / "own.links").open("w", encoding="utf-8") as file:
        write_pharaoh(links, file)
    with (folder / "scored.links").open("w", encoding="utf-8") as file:
        write_pharaoh(links.head(scored), file, scores=True)
    stages = {"training": trained - start, "aligning": time.process_time() - trained}
    (folder / "stages.json").write_text(json.dumps(stages))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), int(sys.argv[4]), sys.argv[5])
