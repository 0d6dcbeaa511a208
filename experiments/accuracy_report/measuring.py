"""One system on so much of a corpus: run in a process of its own, and scored."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import systems as runners
from accuracy_report.reliability import kept_bins
from accuracy_report.rows import PEERS, recipe_options
from accuracy_report.rows import signature as recipe_signature
from accuracy_report.scoring import columns, scores
from cepts.evaluation.counting import count
from cepts.links import read_links
from paper_tables.setting import made_with
from signature import installed

if TYPE_CHECKING:
    from accuracy_report.results import Sheet
    from cepts.links import Links
    from corpora import Corpus
    from paper_tables.store import Record
    from systems import Run, System

FACTS = ("scored", "pairs", "source_words", "target_words")


def system_of(name: str) -> System:
    """Return how a system is run: a peer, or a recipe of ours."""
    if name in PEERS:
        return runners.SYSTEMS[name]
    return runners.System(name, "cepts", partial(runners.run_recipe, options=recipe_options(name)))


def measure_system(sheet: Sheet, corpus: Corpus, size: str, name: str, threads: int) -> list[Record]:
    """Run a system on a corpus and put all that is to be kept into a record; those that it passes come first."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="cepts-experiment-") as folder:
        settings = runners.Settings(corpus, Path(folder), threads, "", thot_aligns=corpus.scored)
        run = system_of(name).run(settings)
    conditions = {
        **made_with(threads),
        "text": {fact: getattr(corpus, fact) for fact in FACTS},
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
    }
    gold = read_links(StringIO(corpus.gold), corpus.scored)
    return [
        {
            **sheet.place(corpus.name, size, system),
            "signature": signature(system),
            **conditions,
            **costs(made),
            **accuracy(made.links, gold),
            **({} if system in PEERS else {"reliability": kept_bins(made.links["own"], gold)}),
        }
        for system, made in {**run.passed, name: run}.items()
    ]


def signature(name: str) -> str:
    """Spell out what a system is: the version of a peer, or a recipe of ours."""
    package = system_of(name).package
    return f"{package}:{installed(package)}" if name in PEERS else recipe_signature(name)


def costs(run: Run) -> dict[str, Any]:
    """Return what a run has used."""
    used = run.used
    return {
        "cpu_seconds": round(used.cpu_seconds, 2),
        "wall_seconds": round(used.wall_seconds, 2),
        "peak_mb": round(used.peak_mb, 1),
        "stages": {name: round(seconds, 2) for name, seconds in run.stages.items()},
    }


def accuracy(links: dict[str, Links], gold: Links) -> dict[str, Any]:
    """Score each way of combining; of the one with the lowest AER keep the counts of each sentence."""
    counted = {name: count(made, gold) for name, made in links.items()}
    scored = {name: scores(counts) for name, counts in counted.items()}
    best = min(scored, key=lambda name: scored[name].aer)
    return {
        "combined": best,
        "scores": {name: [round(100 * value, 3) for value in one] for name, one in scored.items()},
        "counts": columns(counted[best]),
    }
