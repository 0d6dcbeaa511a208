"""Two rows on the same things: how much better one is, and whether that may be chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.evaluation import Comparison, paired_bootstrap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

RESAMPLES = 2000
SIGNIFICANT = 0.05


def better(ones: ArrayLike, others: ArrayLike) -> Comparison:
    """Compare values of the same things: how much better the first are on average."""
    return paired_bootstrap(ones, others, resamples=RESAMPLES)


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
