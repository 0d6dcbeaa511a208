"""How many pairs are factorised in a second of one core."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from cepts import Aligner, Bitext, sample_bitext
from cepts.combine import factorise
from cepts.combine.matrices import MatrixMaker
from goutte_2004.results import SPEED_PAIRS, speed_place
from goutte_2004.rows import FRENCH, SMALL
from paper_tables.meter import Moment
from paper_tables.setting import made_with, read_corpus

if TYPE_CHECKING:
    from paper_tables.store import Record

ROUNDS = 3  # of which the median counts: the machine may have other work


def measure_speed(pairs: int | None) -> Record:
    """Factorise the first training pairs with all defaults, on one thread; returns a record."""
    begin = Moment.now()
    corpus = read_corpus(FRENCH, "dev", pairs or SPEED_PAIRS)
    bitext = corpus.bitext.part(len(corpus.gold), len(corpus.bitext))
    cpu_seconds(sample_bitext(), 1)  # what kernels need to be compiled or loaded is not to be timed
    rounds = cpu_seconds(bitext, ROUNDS)
    matrices, factorising = (median(column) for column in zip(*rounds, strict=True))
    return {
        **speed_place(pairs),
        "signature": SMALL.recipe.signature,
        **made_with(1),
        "factorised": len(bitext),
        "rounds": rounds,
        "matrices_seconds": matrices,
        "factorising_seconds": factorising,
        "wall_seconds": round(Moment.now().since(begin).wall, 3),
    }


def cpu_seconds(bitext: Bitext, rounds: int) -> list[tuple[float, float]]:
    """Train the HMM, and return, round by round, the CPU seconds of making all matrices and of factorising them."""
    aligner = Aligner(SMALL.name, combine="cepts").fit(bitext)
    assert aligner._fitted is not None
    _, indexed, model = aligner._fitted  # as `align` would take them
    recipe = aligner.recipe
    found = []
    for _ in range(rounds):
        maker = MatrixMaker.of(model, bitext, indexed, recipe.associations)
        matrices = factorising = 0.0
        for chunk in indexed.chunks:
            begin = Moment.now()
            made = maker(chunk)
            filled = Moment.now()
            factorise(made, recipe.cepts)
            factorising += Moment.now().since(filled).cpu
            matrices += filled.since(begin).cpu
        found.append((round(matrices, 3), round(factorising, 3)))
    return found
