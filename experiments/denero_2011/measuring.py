"""One run: a recipe is trained, both ways of linking are done, combined, scored and timed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import Aligner, Links, read_links, sample_bitext
from cepts.combine import HEURISTICS, combine, dual_links
from cepts.evaluation import evaluate, phrase_scores
from cepts.evaluation.counting import Counts, count
from cepts.words import link
from denero_2011.rows import MODELS, PAPER_CORPUS, PHRASE_LENGTH, ROUNDS
from paper_tables.comparing import draws, of_samples
from paper_tables.meter import Moment
from paper_tables.setting import Corpus, data_folder, made_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cepts import Bitext
    from cepts.aligning import Recipe
    from cepts.combine import DualLinks
    from cepts.words import DirectedLinks, IndexedBitext, WordModel
    from denero_2011.results import Sheet
    from denero_2011.rows import Run
    from paper_tables.store import Record


# Phrase pairs by the rule of the paper, and by the looser one: how many links a gold word needs inside.
PHRASES = {"phrases": "all", "phrases_any": "any"}
# The rules by which released links were combined, and how their files call them.
RELEASED_RULES = {"union": "union", "intersection": "intersect", "grow-diag-final": "grow-diag-final"}


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
    if run.links != "released":
        warm_up(run, threads)
    measured = measure(run, corpus, threads)
    used = Moment.now().since(begin)
    return {
        **sheet.place(run, name),
        "signature": run.signature,
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
    """Return scores of both models' rows and of the posterior threshold, certificates, and seconds.

    Of a recipe that is not of both models return the scores of its links, and so of links that were released.
    """
    clock, gold = Clock(), corpus.gold
    if run.links == "released":
        return {"scores": scores_of_released(gold), "seconds": clock.seconds}
    if run.links == "own":
        return measure_own(run, corpus, threads, clock)
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
        "gains": gains(dual, plain, gold),
        "certificates": {"scored": certificates(dual, len(gold)), "all": certificates(dual)},
        "seconds": clock.seconds,
    }


def measure_own(run: Run, corpus: Corpus, threads: int, clock: Clock) -> Record:
    """Return the scores of a recipe's own links, the 95 % interval of their AER, and seconds."""
    gold = corpus.gold
    with clock("training"):
        aligner = Aligner(run.method, threads=threads, **run.options).fit(corpus.bitext)
    with clock("plain"):
        links = aligner.align(corpus.bitext).head(len(gold))
    return {
        "scores": {"posterior": {"posterior": scores_of(links, gold)}},
        "interval_aer": list(evaluate(links, gold).interval_aer),
        "seconds": clock.seconds,
    }


def scores_of_released(gold: Links) -> dict[str, dict[str, Any]]:
    """Score the links that the paper's authors released, by model and rule."""
    folder = data_folder(f"words/{PAPER_CORPUS}") / "paper"
    return {
        model: {
            rule: scores_of(read_links(folder / f"{file_model}-{file_rule}.links", pairs=len(gold)), gold)
            for rule, file_rule in RELEASED_RULES.items()
        }
        for model, file_model in MODELS.items()
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
    >>> scores["phrases"] == scores["phrases_any"]
    True
    """
    links = links.head(len(gold))
    made = evaluate(links, gold, resamples=1)
    phrases = {
        name: phrase_scores(links, gold, PHRASE_LENGTH, possible) for name, possible in PHRASES.items()
    }
    return {
        "precision": made.precision,
        "recall": made.recall,
        "aer": made.aer,
        "links": made.links,
        **{
            name: {"precision": one.precision, "recall": one.recall, "f1": one.f1}
            for name, one in phrases.items()
        },
    }


def gains(dual: DualLinks, plain: DirectedLinks, gold: Links) -> dict[str, list[float]]:
    """Return by how much the intersection of dual links is above that of plain ones: difference, interval and p.

    Of AER and phrase F1, in percent, by paired bootstrap over sentences.
    """
    ones, others = (
        combine(both.forward.head(len(gold)), both.reverse.head(len(gold)), "intersection")
        for both in (dual, plain)
    )
    made = {"aer": gain(*(np.stack(count(links, gold), axis=1) for links in (ones, others)), aer_of)}
    for name, possible in PHRASES.items():
        made[name] = gain(*(phrase_counts(links, gold, possible) for links in (ones, others)), f1_of)
    return made


def gain(
    ones: NDArray[np.int64], others: NDArray[np.int64], rate: Callable[[NDArray[Any]], NDArray[np.float64]]
) -> list[float]:
    """Compare two rates of sums of counts, one row for each sentence: difference, interval and p.

    >>> gain(np.array([[4, 4, 4], [2, 2, 0]]), np.array([[4, 4, 2], [2, 2, 0]]), f1_of)[0]
    33.333
    """
    sampled = draws("", len(ones))
    found = rate(ones.sum(axis=0, keepdims=True)) - rate(others.sum(axis=0, keepdims=True))
    compared = of_samples(float(found[0]), rate(sampled @ ones) - rate(sampled @ others))
    return [round(100 * value, 3) for value in compared[:3]] + [compared.p]


def aer_of(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return the AER of each row of counts."""
    return Counts(*counts.T).aer()


def f1_of(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return the F1 of each row: 2 common / (found + gold).

    >>> f1_of(np.array([[2, 4, 2]])).tolist()
    [0.6666666666666666]
    """
    return 2 * counts[:, 2] / np.maximum(counts[:, 0] + counts[:, 1], 1)


def phrase_counts(links: Links, gold: Links, possible: str) -> NDArray[np.int64]:
    """Return for each sentence how many phrase pairs links and gold make, and how many both."""
    made = [
        phrase_scores(links.part(k, k + 1), gold.part(k, k + 1), PHRASE_LENGTH, possible)
        for k in range(len(gold))
    ]
    return np.array([[one.found, one.gold, one.common] for one in made], np.int64).reshape(-1, 3)


def certificates(dual: DualLinks, first: int | None = None) -> dict[str, Any]:
    """Count the (first) pairs, and those that got their certificate in round 0, 1, .. of `ROUNDS`."""
    certified, rounds = dual.certified[:first], dual.rounds[:first]
    return {
        "pairs": len(rounds),
        "mean_rounds": round(float(rounds.mean()), 2) if len(rounds) else 0.0,
        "in_round": np.bincount(rounds[certified], minlength=ROUNDS + 1).tolist(),
    }
