"""One run: a recipe is trained, both ways of linking are done, combined, scored and timed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import Aligner, Links, sample_bitext
from cepts.combine import HEURISTICS, combine, dual_links
from cepts.evaluation import evaluate
from cepts.words import link
from denero_2011.rows import PHRASE_LENGTH, ROUNDS
from paper_tables.meter import Moment
from paper_tables.setting import Corpus, made_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts import Bitext
    from cepts.aligning import Recipe
    from cepts.combine import DualLinks
    from cepts.words import DirectedLinks, IndexedBitext, WordModel
    from denero_2011.results import Sheet
    from denero_2011.rows import Run
    from paper_tables.store import Record


class Fitted(NamedTuple):
    """A recipe, its model of both directions, and the text that it was trained on."""

    recipe: Recipe
    model: WordModel
    bitext: Bitext
    indexed: IndexedBitext

    def plain(self, threads: int, threshold: float = 0.0) -> DirectedLinks:
        """Link by the best path of each direction, or by a threshold on posteriors."""
        return link(self.model, self.bitext, self.indexed, (True, True), threshold, threads)

    def dual(self, threads: int, rounds: int = ROUNDS) -> DualLinks:
        """Link by dual decomposition with so many rounds."""
        options = self.recipe.dual._replace(rounds=rounds)
        return dual_links(self.model, self.bitext, self.indexed, options, threads)


class Clock:
    """Writes down the CPU seconds of the parts of a run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        """Time a part."""
        begin = Moment.now()
        yield
        self.seconds[part] = round(Moment.now().since(begin).cpu, 3)


def measure_run(sheet: Sheet, run: Run, name: str, corpus: Corpus, threads: int) -> Record:
    """Run a recipe on a corpus and put all that is to be kept into a record."""
    begin = Moment.now()
    warm_up(run, threads)
    measured = measure(run, corpus, threads)
    used = Moment.now().since(begin)
    return {
        **sheet.place(run, name),
        "signature": run.recipe.signature,
        **made_with(threads),
        "text": corpus.facts,
        "wall_seconds": round(used.wall, 3),
        "cpu_seconds": round(used.cpu, 3),
        **measured,
    }


def warm_up(run: Run, threads: int) -> None:
    """Run all of it on a few pairs: what kernels need to be compiled or loaded is not to be timed."""
    measure(run, Corpus(sample_bitext(), Links.from_pairs([[(0, 0)]]), {}), threads)


def fit(run: Run, bitext: Bitext, threads: int) -> Fitted:
    """Train a recipe; its model and index are kept, for two ways of linking are to share them."""
    aligner = Aligner(run.method, threads=threads, **run.options).fit(bitext)
    assert aligner._fitted is not None
    text, indexed, model = aligner._fitted
    return Fitted(aligner.recipe, model, text, indexed)


def measure(run: Run, corpus: Corpus, threads: int) -> Record:
    """Return scores of both models' rows and of the posterior threshold, certificates, and seconds."""
    clock, gold = Clock(), corpus.gold
    with clock("training"):
        fitted = fit(run, corpus.bitext, threads)
    with clock("plain"):
        plain = fitted.plain(threads)
    with clock("dual"):
        dual = fitted.dual(threads)
    with clock("posterior"):
        confident, _ = fitted.plain(threads, fitted.recipe.posterior_threshold)
    return {
        "scores": {
            "baseline": scores_of_all(plain.forward, plain.reverse, gold),
            "dual": scores_of_all(dual.forward, dual.reverse, gold),
            "posterior": {"posterior": scores_of(confident, gold)},
        },
        "certificates": {"scored": certificates(dual, len(gold)), "all": certificates(dual)},
        "seconds": clock.seconds,
    }


def scores_of_all(forward: Links, reverse: Links, gold: Links) -> dict[str, dict[str, Any]]:
    """Combine the answers of two directions by every rule, and score each."""
    return {
        rule: scores_of(combine(forward.head(len(gold)), reverse.head(len(gold)), rule), gold)
        for rule in HEURISTICS
    }


def scores_of(links: Links, gold: Links) -> dict[str, Any]:
    """Score the links of the first pairs, and the phrase pairs that they make, as fractions.

    >>> gold = Links.from_pairs([[(0, 0), (1, 1)]])
    >>> scores = scores_of(Links.from_pairs([[(0, 0)], [(0, 1)]]), gold)
    >>> scores["recall"], scores["links"], scores["phrases"]
    (0.5, 1, {'precision': 1.0, 'recall': 0.3333333333333333, 'f1': 0.5})
    """
    made = evaluate(links.head(len(gold)), gold, resamples=1, phrases=PHRASE_LENGTH)
    assert made.phrases is not None
    return {
        "precision": made.precision,
        "recall": made.recall,
        "aer": made.aer,
        "links": made.links,
        "phrases": {name: getattr(made.phrases, name) for name in ("precision", "recall", "f1")},
    }


def certificates(dual: DualLinks, first: int | None = None) -> dict[str, Any]:
    """Count the (first) pairs, and those that got their certificate in round 0, 1, .. of `ROUNDS`."""
    certified, rounds = dual.certified[:first], dual.rounds[:first]
    return {
        "pairs": len(rounds),
        "mean_rounds": round(float(rounds.mean()), 2) if len(rounds) else 0.0,
        "in_round": np.bincount(rounds[certified], minlength=ROUNDS + 1).tolist(),
    }
