"""`Goodness`: how much more a pair looks like the text than like spoiled pairs, learned without any labels.

The text is a mixture: a share of bad pairs among good ones. A logistic regression for each kind of spoiled pairs
estimates the ratio of both densities; the mean of the ratios over the kinds is that of bad pairs as such.

Bad pairs that pass for good ones turn these classifiers away from what they should find. So the worst pairs are left
out of the next pass: twice as many as seem to be bad, for not all are seen. That makes the ratios too steep. One last
regression, on the log of the ratio alone, puts them to scale with the whole text; one column cannot be turned away.
The share of bad pairs follows from it by EM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.quality.filter_features import Worth, features, learn_worth
from cepts.quality.spoiling import spoil
from cepts.sentences.logistic import Logistic, fit_logistic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.quality.evidence import Evidence, Judged

    Floats = NDArray[np.float64]
    More = Callable[[Bitext], Floats]

# How much each kind counts among bad pairs: more where a pair is partly good, as the others are found anyway.
KINDS = {"shuffled": 0.125, "truncated": 0.375, "replaced": 0.375, "spliced": 0.125}
FIRST_LEFT_OUT = (0.1, 0.2)  # of the text, after the first passes, before the share of bad pairs is asked
LEFT_OUT = 2.0  # times that share, afterwards
MOST_LEFT_OUT = 0.5
PASSES = 6
SCALINGS = 15
SETTLED = 0.02  # a share that changes by less, of itself, is left as it is
RIDGE = 0.004  # as in `fit_logistic`: strong enough that the text's own bad pairs turn no column around
LEARNED_FROM = 20_000  # pairs, at most; more of them teach nothing new
FIRST_SHARE = 0.1  # of bad pairs, where EM begins
EM_STEPS = 200
AS_IT_IS = Logistic(np.array([-1.0]), 0.0, np.zeros(1), np.ones(1))  # the scale that changes no ratio


class Goodness(NamedTuple):
    """A classifier for each kind of spoiled pairs, what it looks at, a scale for all, and the share of bad pairs."""

    worth: Worth
    kinds: dict[str, Logistic]
    scale: Logistic
    bad_share: float

    def scores(self, judged: Judged, more: Floats) -> NDArray[np.float32]:
        """Score each pair from 0 to 1: 1 / (1 + density of bad pairs / density of good ones)."""
        rows = np.column_stack([features(judged, self.worth), more])
        return (1 / (1 + scaled(self.scale, bad_ratios(self.kinds, rows)))).astype(np.float32)


class Material(NamedTuple):
    """Pairs of the text and the spoiled ones of each kind, with further columns [pair, column] of their own."""

    good: tuple[Judged, Floats]
    bad: dict[str, tuple[Judged, Floats]]

    def worth(self, share: Floats) -> Worth:
        """Learn what buckets and lengths are worth, if each pair of the text counts by its share."""
        wrong = (self.bad["shuffled"][0].buckets, self.bad["replaced"][0].buckets)
        return learn_worth(self.good[0], share, wrong)

    def rows(self, worth: Worth) -> tuple[Floats, dict[str, Floats]]:
        """Return the rows of the text's pairs, and those of each kind."""
        good, *bad = (
            np.column_stack([features(judged, worth), more])
            for judged, more in (self.good, *self.bad.values())
        )
        return good, dict(zip(self.bad, bad, strict=True))


def learn_goodness(
    bitext: Bitext, evidence: Evidence, more: Floats, score_more: More, seed: int, threads: int = 1
) -> Goodness:
    """Learn from a bitext and its spoiled copies.

    `more` are further columns [pair, column] of the bitext, which `score_more` gives for any other.
    """
    material = gather(bitext, evidence, more, score_more, seed, threads)
    share, kinds, bad_share = np.ones(len(material.good[1])), dict[str, Logistic](), 0.0
    for turn in range(PASSES):
        worth = material.worth(share)
        good, bad = material.rows(worth)
        kinds = {name: tell_apart(good, share, bad[name], kinds.get(name)) for name in bad}
        ratios, before = bad_ratios(kinds, good), bad_share
        scale, bad_share = learn_scale(ratios, {name: bad_ratios(kinds, rows) for name, rows in bad.items()})
        if turn < len(FIRST_LEFT_OUT):
            share = without_worst(ratios, FIRST_LEFT_OUT[turn])
        elif abs(bad_share - before) <= SETTLED * bad_share:
            break
        else:
            share = without_worst(ratios, min(LEFT_OUT * bad_share, MOST_LEFT_OUT))
    return Goodness(worth, kinds, scale, bad_share)


def gather(
    bitext: Bitext, evidence: Evidence, more: Floats, score_more: More, seed: int, threads: int
) -> Material:
    """Choose pairs to learn from, spoil them, and judge all of them."""
    chosen = sample(len(bitext), seed)
    text = bitext.picked(chosen)
    good = evidence.judge(text, np.stack([chosen, chosen]), threads)
    bad = {
        name: (evidence.judge(one.bitext, chosen[one.owners], threads), score_more(one.bitext))
        for name, one in spoil(text, seed).items()
    }
    return Material((good, more[chosen]), bad)


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
    return fit_logistic(rows, labels, importance, RIDGE, start)


def bad_ratios(kinds: dict[str, Logistic], rows: Floats) -> Floats:
    """Return the density of bad pairs by that of good ones, the mean over the kinds, for each row."""
    total = np.zeros(len(rows))
    for name, kind in kinds.items():
        total += KINDS[name] * np.exp(-kind.log_odds(rows))
    return total


def without_worst(ratios: Floats, left_out: float) -> Floats:
    """Return 0 for the share of pairs with the highest ratios, rounded down, 1 for all others.

    >>> without_worst(np.array([3.0, 9.0, 1.0, 2.0, 2.0]), 0.4).tolist()
    [0.0, 0.0, 1.0, 1.0, 1.0]
    """
    highest = np.sort(ratios)[len(ratios) - 1 - int(left_out * len(ratios))]
    kept: Floats = (ratios <= highest).astype(np.float64)
    return kept


def learn_scale(good: Floats, bad: dict[str, Floats]) -> tuple[Logistic, float]:
    """Put ratios to scale, from those of the text and of each kind, and estimate the share of bad pairs.

    Each pair of the text counts by the probability that it is good, in passes until nothing changes.
    """
    rows = np.log(np.concatenate([good, *bad.values()]))[:, None]
    labels = np.arange(len(rows)) < len(good)
    weights = [np.full(len(ratios), KINDS[name] / len(ratios)) for name, ratios in bad.items()]
    share, bad_share, scale = np.ones(len(good)), 0.0, AS_IT_IS
    for _ in range(SCALINGS):
        importance = np.concatenate([share / share.sum(), *weights])
        scale, before = fit_logistic(rows, labels, importance, start=scale), bad_share
        ratios = scaled(scale, good)
        bad_share = estimate_share(ratios)
        share = 1 - bad_probability(ratios, bad_share)
        if abs(bad_share - before) <= SETTLED * bad_share:
            break
    return scale, bad_share


def scaled(scale: Logistic, ratios: Floats) -> Floats:
    """Put ratios to scale.

    >>> scaled(AS_IT_IS, np.array([0.5, 2.0])).round(6).tolist()
    [0.5, 2.0]
    """
    to_scale: Floats = np.exp(-scale.log_odds(np.log(ratios)[:, None]))
    return to_scale


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
