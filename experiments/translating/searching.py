"""What a narrower search misses: model scores of the same system with smaller and larger beams."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from paper_tables.meter import Moment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.phrases.decoding import Search
    from cepts.translation import Translator

SENTENCES, SHORTEST, LONGEST = 200, 15, 25  # of about 20 words
WIDE = {"beam": 1500, "margin": 25.0}
NARROWER = (2, 5)  # parts of the system's own beam
SAME = 1e-6


def search_figures(system: Translator, lines: list[str]) -> list[dict[str, Any]]:
    """Return, for the system's own search and narrower ones, how often a wide one finds a better score or a worse."""
    chosen = [line for line in lines if SHORTEST <= len(line.split()) <= LONGEST][:SENTENCES]
    own = system.decoder.search
    system.translate(chosen[:1])  # compiled now
    wide, _ = _scores(system, own._replace(**WIDE), chosen)
    rows = []
    for search in (own, *(own._replace(beam=max(own.beam // part, 1)) for part in NARROWER)):
        found, seconds = _scores(system, search, chosen)
        rows.append(
            {
                "beam": search.beam,
                "sentences": len(chosen),
                "words": sum(len(line.split()) for line in chosen),
                "lower": float((found < wide - SAME).mean()) if chosen else 0.0,
                "higher": float((found > wide + SAME).mean()) if chosen else 0.0,
                "mean_loss": float((wide - found).mean()) if chosen else 0.0,
                "cpu_seconds": round(seconds, 2),
            }
        )
    return rows


def _scores(system: Translator, search: Search, lines: list[str]) -> tuple[NDArray[np.float64], float]:
    """Return the model scores of the best translations, and the CPU seconds on one thread."""
    begin = Moment.now()
    narrowed = replace(system, decoder=replace(system.decoder, search=search))
    found = np.array([best[0].score for best in narrowed.translate_n_best(lines, 1)])
    return found, Moment.now().since(begin).cpu
