"""`evaluate`: links against a gold standard."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts import bounds
from cepts._version import __version__
from cepts.checking import checked
from cepts.evaluation.counting import Counts, count
from cepts.evaluation.null import with_null_on_both
from cepts.showing import Shown, percent, table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cepts.checking import AnyFloat, Seed
    from cepts.evaluation.phrases import PhraseScores
    from cepts.links.links import Links

BLOCK = 50  # resamples that are drawn at once: bounds memory


@checked
@dataclass(frozen=True)
class SetScores:
    """Precision, recall and F1 against one set of gold links."""

    precision: float
    recall: float
    f1: float


@checked
@dataclass(frozen=True, repr=False)
class Evaluation(Shown):
    """How well links agree with a gold standard, as fractions from 0 to 1.

    A are the links, S the gold's sure links, P its possible ones, which include S. `precision` is the share
    of A that is in P, `recall` the share of S that is in A; of these two are `f1` and `weighted_f`, which is
    1 / (alpha / precision + (1 - alpha) / recall); `aer` is 1 - (|A and S| + |A and P|) / (|A| + |S|), with
    its 95 % bootstrap interval over sentences; `sure` and `possible` are against S and against P alone; `phrases`,
    where asked for, is about the phrase pairs that the links make. Where NULL links were asked for, they are among
    A, P and, if they are sure, S, but make no phrases.

    A share of nothing counts as 1 if what is looked for is empty too, otherwise as 0: without any link
    precision is 0, without a sure gold link recall is 0, and both are 1 if neither links nor gold have any.
    """

    precision: float
    recall: float
    f1: float
    weighted_f: float
    aer: float
    interval_aer: tuple[float, float]
    sure: SetScores
    possible: SetScores
    links: int
    sentences: int
    alpha: float
    signature: str
    phrases: PhraseScores | None = None

    def _facts(self) -> dict[str, object]:
        """Return the main scores."""
        names = ("precision", "recall", "f1", "aer", "links", "sentences")
        return {name: getattr(self, name) for name in names}

    def _repr_html_(self) -> str:
        """Return the table of `str` for a notebook."""
        shares = [[name, *map(percent, fractions)] for name, *fractions in self._rows()]
        low, high = map(percent, self.interval_aer)
        rates = [
            ("AER", percent(self.aer), f"{low} to {high}"),
            (f"weighted F, {self.alpha:g}", percent(self.weighted_f), ""),
        ]
        return (
            table(("", "precision", "recall", "F1"), shares)
            + table(("", "", "95 % interval"), rates)
            + f"<small>in percent; {self.links:,} links in {self.sentences:,} sentences</small>"
        )

    def _rows(self) -> list[tuple[str, float, float, float]]:
        """Return names, precisions, recalls and F1."""
        found: list[tuple[str, float, float, float]] = [
            ("P possible, R sure", self.precision, self.recall, self.f1)
        ]
        for name, scores in (("sure links", self.sure), ("possible links", self.possible)):
            found.append((name, scores.precision, scores.recall, scores.f1))
        if (phrases := self.phrases) is not None:
            name = f"phrases up to {phrases.max_length}"
            found.append((name, phrases.precision, phrases.recall, phrases.f1))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by name, ready for JSON; without phrases where they were not asked for."""
        numbers = asdict(self) | {"interval_aer": list(self.interval_aer)}
        if self.phrases is None:
            del numbers["phrases"]
        return numbers

    def __str__(self) -> str:
        """Return a table for people, in percent."""
        low, high = self.interval_aer
        return "\n".join(
            [
                f"{'':<21}{'precision':>10}{'recall':>10}{'F1':>10}",
                *(_table_row(*row) for row in self._rows()),
                f"{'AER':<21}{100 * self.aer:>10.2f}   95 % interval {100 * low:.2f} to {100 * high:.2f}",
                f"{f'weighted F, {self.alpha:g}':<21}{100 * self.weighted_f:>10.2f}",
                f"in percent; {self.links} links in {self.sentences} sentences; {self.signature}",
            ]
        )


def _table_row(name: str, *fractions: float) -> str:
    """Write a name and fractions in percent, in columns."""
    return f"{name:<21}" + "".join(f"{100 * fraction:>10.2f}" for fraction in fractions)


@checked
def evaluate(
    links: Links,
    gold: Links,
    alpha: AnyFloat = 0.1,
    resamples: int = 1000,
    seed: Seed = 1,
    phrases: int | None = None,
    null: str | None = None,
    lengths: tuple[ArrayLike, ArrayLike] | None = None,
    possible: str = "all",
) -> Evaluation:
    """Score links against gold links; every link counts, whether it is marked as sure or as possible.

    With `phrases`, phrase pairs of up to so many words a side are scored too; of a gold word that has only possible
    links "all" or "any" must be inside (`possible`), see `phrase_scores`. With `null`, each word without a link counts
    as linked to NULL, in links and gold (not in phrases); those links of the gold are "sure", "possible", or with
    "auto" possible if it has any possible link, else sure. This needs `lengths`: the number of words of each source
    and of each target sentence.

    >>> from cepts.links import Links
    >>> gold = Links.from_pairs([[(0, 0), (1, 1), (2, 1, 1.0, False)]])
    >>> evaluate(Links.from_pairs([[(0, 0), (2, 1)]]), gold).aer
    0.25
    """
    bounds.PROBABILITY.check("alpha", alpha)
    bounds.RESAMPLES.check("resamples", resamples)
    bounds.SEED.check("seed", seed)
    sentences, rule = _count(links, gold, null, lengths)
    made, sure, allowed, in_sure, in_possible = (int(column.sum()) for column in sentences)
    precision, recall = share(in_possible, made, allowed), share(in_sure, sure, made)
    extras = rule if phrases is None else f"|phrases:{phrases}|possible:{possible}{rule}"
    return Evaluation(
        precision=precision,
        recall=recall,
        f1=weighted_mean(precision, recall, 0.5),
        weighted_f=weighted_mean(precision, recall, alpha),
        aer=float(sentences.total().aer()[0]),
        interval_aer=_interval(sentences, resamples, seed),
        sure=_set_scores(in_sure, made, sure),
        possible=_set_scores(in_possible, made, allowed),
        links=made,
        sentences=len(gold),
        alpha=alpha,
        signature=f"aer|alpha:{alpha:g}|resamples:{resamples}|seed:{seed}{extras}|cepts:{__version__}",
        phrases=None if phrases is None else _score_phrases(links, gold, phrases, possible),
    )


def _count(
    links: Links, gold: Links, null: str | None, lengths: tuple[ArrayLike, ArrayLike] | None
) -> tuple[Counts, str]:
    """Count links, with those to NULL where asked for; say in the signature's way how these were taken."""
    if null is None:
        return count(links, gold), ""
    found, right, rule = with_null_on_both(links, gold, null, lengths)
    return count(found, right), f"|null:{rule}"


def _score_phrases(links: Links, gold: Links, max_length: int, possible: str) -> PhraseScores:
    """Score phrase pairs."""
    from cepts.evaluation.phrases import phrase_scores  # late: it needs the scores of this module

    return phrase_scores(links, gold, max_length, possible)


def _set_scores(right: int, made: int, gold: int) -> SetScores:
    """Score links against one set of gold links."""
    precision, recall = share(right, made, gold), share(right, gold, made)
    return SetScores(precision, recall, weighted_mean(precision, recall, 0.5))


def share(part: int, whole: int, other: int) -> float:
    """Return part / whole; of an empty whole 1 if the other set is empty too, else 0."""
    return part / whole if whole else float(other == 0)


def weighted_mean(precision: float, recall: float, alpha: float) -> float:
    """Return the harmonic mean 1 / (alpha / precision + (1 - alpha) / recall), 0 if one that counts is 0.

    >>> weighted_mean(0.5, 1.0, 0.5)
    0.6666666666666666
    """
    weighted = [(weight, value) for weight, value in ((alpha, precision), (1 - alpha, recall)) if weight > 0]
    if any(value == 0 for _, value in weighted):
        return 0.0
    return 1 / sum(weight / value for weight, value in weighted)


def _interval(sentences: Counts, resamples: int, seed: int) -> tuple[float, float]:
    """Return the middle 95 % of the error rates of samples of the sentences, drawn with replacement.

    Sentences with equal counts are one kind, and the draws of kinds are multinomial: the same distribution as
    drawing sentences, but as cheap for a corpus as for a test set.
    """
    size = len(sentences.links)
    if size == 0:
        return 0.0, 0.0
    kinds, frequency = np.unique(np.stack(sentences, axis=1), axis=0, return_counts=True)
    random = np.random.default_rng(seed)
    rates: list[NDArray[np.float64]] = []
    for first in range(0, resamples, BLOCK):
        draws = random.multinomial(size, frequency / size, min(BLOCK, resamples - first))
        rates.append(Counts(*(draws @ kinds).T).aer())
    low, high = np.percentile(np.concatenate(rates), [2.5, 97.5])
    return float(low), float(high)
