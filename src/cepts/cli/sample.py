"""What `cepts align --sample` shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.corpus.samples import sample, sample_bitext
from cepts.evaluation import evaluate
from cepts.links import format_pharaoh, read_links
from cepts.views import draw_matrix, draw_pairs

if TYPE_CHECKING:
    from cepts.aligning import Aligner

SHOWN = 5


def show_sample(aligner: Aligner) -> str:
    """Align the sample; draw its first pairs, and say how well the hand-aligned ones were found."""
    bitext, paths = sample_bitext(), sample()
    links = aligner.fit(bitext).align(bitext)
    gold = read_links(paths.gold)
    lines = [path.read_text(encoding="utf-8").split("\n") for path in paths[:2]]
    source, target = ([line.split() for line in side] for side in lines)
    drawings = [draw_pairs(source[k], target[k], links[k]) for k in range(1, SHOWN)]
    parts = [
        f"{len(bitext)} French-English pairs, aligned from their text alone. The first of them:",
        draw_matrix(source[0], target[0], links[0]),
        *drawings,
        "As `cepts align SOURCE TARGET` writes them:",
        "\n".join(format_pharaoh(links[k]) for k in range(SHOWN)),
        f"The {len(gold)} pairs that were also aligned by hand:",
        str(evaluate(links.head(len(gold)), gold)),
    ]
    return "\n\n".join(parts) + "\n"
