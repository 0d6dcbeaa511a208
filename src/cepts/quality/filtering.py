"""Cleaning a bitext: rules, scores that are learned from the text itself, and a threshold for them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.quality.evidence import Evidence
from cepts.quality.goodness import learn_goodness
from cepts.quality.rules import Reason, Rules
from cepts.running.steps import tell

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.aligning import Aligner
    from cepts.checking import Seed
    from cepts.corpus import Bitext
    from cepts.links import Links

LOWEST = 0.0  # the score of what a rule drops
SMALLEST = 1e-6  # the score of any other pair, at least
LEAST_CONFIDENCE = 0.05  # of links that count
PAIRS_AT_ONCE = 1 << 16


class Scorer(Protocol):
    """Whatever scores pairs as a `Similarity` does."""

    def score(self, bitext: Bitext, use: str = "both", threads: int = 1) -> NDArray[np.float32]:
        """Return a score for each pair, higher for better ones."""


@dataclass(frozen=True, eq=False)
class Filtered:
    """What became of each pair: its score and why it was dropped (a `Reason`, 0 if it was not).

    `suggested` is the score below which a pair is more probably bad than good, `threshold` what was used, and
    `bad_share` the estimated share of bad pairs among those that were scored.
    """

    scores: NDArray[np.float32]
    reasons: NDArray[np.int8]
    suggested: float
    threshold: float
    bad_share: float

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which pairs are kept."""
        kept: NDArray[np.bool_] = self.reasons == Reason.KEPT
        return kept

    def dropped(self) -> dict[Reason, int]:
        """Count the dropped pairs by reason, in the order of the reasons."""
        counts = Counter(self.reasons.tolist())
        return {reason: counts[reason] for reason in Reason if reason and counts[reason]}


@checked
def filter_bitext(
    bitext: Bitext,
    *,
    rules: Rules | None = None,
    min_score: float | None = None,
    aligner: Aligner | None = None,
    similar: Scorer | None = None,
    seed: Seed = 1,
    threads: int = 1,
) -> Filtered:
    """Judge each pair of a bitext, and drop what breaks a rule or scores below `min_score`.

    Without `min_score` the threshold is the suggested one. Without a trained `aligner` one is trained on the text.
    `similar`, a `Similarity`, is further evidence: its factors alone, for a lexicon that has seen the text would
    find its bad pairs as good as the others.

    >>> import cepts
    >>> filtered = filter_bitext(cepts.sample_bitext())
    >>> filtered.scores.shape == filtered.reasons.shape == (len(cepts.sample_bitext()),)
    True
    """
    if min_score is not None:
        bounds.PROBABILITY.check("min_score", min_score)
    bounds.SEED.check("seed", seed)
    reasons = (rules or Rules()).reasons(bitext)
    scores = np.full(len(bitext), LOWEST, np.float32)
    rest = np.flatnonzero(reasons == Reason.KEPT)
    if not len(rest):
        return Filtered(scores, reasons, LOWEST, min_score or LOWEST, 0.0)
    text = bitext.picked(rest)
    scores[rest], bad_share = score_pairs(text, aligner, similar, seed, threads)
    if bad_share < SMALLEST:  # nothing looks bad
        bad_share = 0.0
    threshold = bad_share if min_score is None else min_score
    reasons[(reasons == Reason.KEPT) & (scores < threshold)] = Reason.SCORE
    return Filtered(scores, reasons, bad_share, threshold, bad_share)


def score_pairs(
    bitext: Bitext, aligner: Aligner | None, similar: Scorer | None, seed: Seed = 1, threads: int = 1
) -> tuple[NDArray[np.float32], float]:
    """Score pairs with words on both sides, and estimate the share of bad ones.

    A score is 1 / (1 + r), r being how much more often one meets such pairs among bad than among good ones. So a pair
    is more probably bad than good where its score is below the share of bad pairs.
    """
    evidence = Evidence(bitext, linked(bitext, aligner, threads))

    def further(text: Bitext) -> NDArray[np.float64]:
        if similar is None:
            return np.empty((len(text), 0))
        return similar.score(text, "factors", threads).astype(np.float64)[:, None]

    tell("learning what bad pairs look like")
    more = further(bitext)
    goodness = learn_goodness(bitext, evidence, more, further, seed, threads)
    scores = np.empty(len(bitext), np.float32)
    for first in range(0, len(bitext), PAIRS_AT_ONCE):
        tell("scoring pairs", first / len(bitext))
        end = min(first + PAIRS_AT_ONCE, len(bitext))
        rows = np.arange(first, end)
        judged = evidence.judge(bitext.part(first, end), np.stack([rows, rows]), threads)
        scores[first:end] = goodness.scores(judged, more[first:end])
    return np.maximum(scores, SMALLEST), goodness.bad_share


def linked(bitext: Bitext, aligner: Aligner | None, threads: int) -> Links:
    """Link the words of a bitext, with a new aligner unless one is given."""
    from cepts.aligning import Aligner  # late: it brings numba

    if aligner is None:
        aligner = Aligner("fast", min_confidence=LEAST_CONFIDENCE, threads=threads).fit(bitext)
    return aligner.align(bitext)
