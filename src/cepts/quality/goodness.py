"""`Goodness`: how much more a pair looks like the text than like spoiled pairs, learned without any labels.

The text is a mixture: a share of bad pairs among good ones. A logistic regression for each kind of spoiled pairs
estimates the ratio of both densities; the mean of the ratios over all kinds is that of bad pairs as such. The share
follows by EM, and each pair of the text counts in the next pass by the probability that it is good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus import Bitext
from cepts.quality.filter_features import Worth, features, learn_worth
from cepts.quality.spoiling import rows_of, spoil
from cepts.sentences.logistic import Logistic, fit_logistic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cepts.quality.evidence import Buckets, Evidence

    Floats = NDArray[np.float64]
    More = Callable[[Bitext], Floats]

PASSES = 12
SETTLED = 0.02  # a share that changes by less, of itself, is left as it is
LEARNED_FROM = 20_000  # pairs, at most; more of them teach nothing new
FIRST_SHARE = 0.1  # of bad pairs, where EM begins
EM_STEPS = 200


@dataclass(frozen=True, eq=False)
class Goodness:
    """A classifier for each kind of spoiled pairs, what it looks at, and the estimated share of bad pairs."""

    worth: Worth
    kinds: dict[str, Logistic]
    bad_share: float

    def scores(self, text: Bitext, buckets: Buckets, more: Floats) -> NDArray[np.float32]:
        """Score each pair from 0 to 1: 1 / (1 + density of bad pairs / density of good ones)."""
        rows = np.column_stack([features(text, buckets, self.worth), more])
        return (1 / (1 + bad_ratios(self.kinds, rows))).astype(np.float32)


def learn_goodness(
    bitext: Bitext, evidence: Evidence, more: Floats, score_more: More, seed: int, threads: int = 1
) -> Goodness:
    """Learn from a bitext and its spoiled copies.

    `more` are further columns [pair, column] of the bitext, which `score_more` gives for any other.
    """
    chosen = sample(len(bitext), seed)
    text = Bitext(rows_of(bitext.source, chosen), rows_of(bitext.target, chosen))
    good = evidence.buckets(text, np.stack([chosen, chosen]), threads)
    bad = spoil(text, seed)
    judged = {name: evidence.buckets(one.bitext, chosen[one.owners], threads) for name, one in bad.items()}
    extra = {name: score_more(one.bitext) for name, one in bad.items()}
    share = np.ones(len(text))
    bad_share, kinds = 0.0, dict[str, Logistic]()
    for _ in range(PASSES):
        before = bad_share
        worth = learn_worth(text, good, share, (judged["shuffled"], judged["replaced"]))
        rows = np.column_stack([features(text, good, worth), more[chosen]])
        for name, one in bad.items():
            wrong = np.column_stack([features(one.bitext, judged[name], worth), extra[name]])
            kinds[name] = tell_apart(rows, share, wrong, kinds.get(name))
        ratios = bad_ratios(kinds, rows)
        bad_share = estimate_share(ratios)
        share = 1 - bad_probability(ratios, bad_share)
        if abs(bad_share - before) <= SETTLED * bad_share:
            break
    return Goodness(worth, kinds, bad_share)


def sample(pairs: int, seed: int) -> NDArray[np.int64]:
    """Choose the pairs to learn from, in their order."""
    if pairs <= LEARNED_FROM:
        return np.arange(pairs)
    return np.sort(np.random.default_rng(seed).choice(pairs, LEARNED_FROM, replace=False))


def tell_apart(good: Floats, share: Floats, bad: Floats, start: Logistic | None = None) -> Logistic:
    """Fit log odds of good against bad rows, as if there were as many of both."""
    rows = np.concatenate([good, bad])
    labels = np.arange(len(rows)) < len(good)
    importance = np.concatenate([share / share.sum(), np.full(len(bad), 1 / len(bad))])
    return fit_logistic(rows, labels, importance, start=start)


def bad_ratios(kinds: dict[str, Logistic], rows: Floats) -> Floats:
    """Return the density of bad pairs by that of good ones, the mean over the kinds, for each row."""
    total = np.zeros(len(rows))
    for kind in kinds.values():
        total += np.exp(-kind.log_odds(rows))
    return total / len(kinds)


def estimate_share(ratios: Floats) -> float:
    """Estimate the share of bad pairs, by EM, from each pair's ratio of densities.

    >>> round(estimate_share(np.repeat([1000.0, 0.001], [3, 7])), 3)
    0.3
    """
    share = FIRST_SHARE
    for _ in range(EM_STEPS):
        share = float(bad_probability(ratios, share).mean())
    return share


def bad_probability(ratios: Floats, share: float) -> Floats:
    """Return the probability that a pair is bad where a share of them is."""
    bad: Floats = share * ratios
    return bad / (1 - share + bad)
