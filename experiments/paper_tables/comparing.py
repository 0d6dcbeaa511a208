"""Two rows on the same things: how much better one is, and whether that may be chance."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from cepts.evaluation import Comparison, paired_bootstrap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RESAMPLES = 2000
SIGNIFICANT = 0.05


def better(ones: ArrayLike, others: ArrayLike) -> Comparison:
    """Compare values of the same things: how much better the first are on average."""
    return paired_bootstrap(ones, others, resamples=RESAMPLES)


@cache
def draws(corpus: str, sentences: int) -> NDArray[np.float64]:
    """Draw, for each sample of a corpus' sentences, how often each is in it: the same for all that is compared."""
    random = np.random.default_rng(crc32(corpus.encode()))
    return random.multinomial(sentences, np.full(sentences, 1 / sentences), RESAMPLES).astype(np.float64)


def of_samples(found: float, samples: NDArray[np.float64]) -> Comparison:
    """Say how sure a difference is, of which there are samples."""
    low, high = np.percentile(samples, [2.5, 97.5])
    contrary = int(np.sum(samples <= 0) if found > 0 else np.sum(samples >= 0))
    p = 1.0 if found == 0 else min(1.0, 2 * (contrary + 1) / (RESAMPLES + 1))
    return Comparison(found, float(low), float(high), p)


def is_better(found: Comparison) -> bool:
    """Tell whether the first is better, and not by chance."""
    return found.difference > 0 and found.p < SIGNIFICANT


def difference_text(found: Comparison) -> str:
    """Write a difference with its interval and its p."""
    return f"{found.difference:+.3f} ({found.low:+.3f} to {found.high:+.3f}, p {found.p:.3f})"


def difference_cells(found: Comparison, *, sure: bool) -> list[str]:
    """Write a difference, bold where it is sure, its interval and its p, for a table."""
    mark = "**" if sure else ""
    return [
        f"{mark}{found.difference:+.3f}{mark}",
        f"{found.low:+.3f} to {found.high:+.3f}",
        f"{found.p:.3f}",
    ]
