"""The figures of tables 1 to 3 in percent, whoever found them: the paper or we."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from denero_2011.rows import POSTERIOR, ROWS

if TYPE_CHECKING:
    from denero_2011.rows import Row

CITATION = "J. DeNero and K. Macherey: *Model-Based Aligner Combination Using Dual Decomposition*. ACL 2011, section 5"


class Scores(NamedTuple):
    """Precision, recall, and what is made of them: AER or F1; all in percent."""

    precision: float
    recall: float
    whole: float

    def __str__(self) -> str:
        """Write them as a cell of a table.

        >>> str(Scores(57.6, 80.0, 33.4))
        '57.6 / 80.0 / 33.4'
        """
        return f"{self.precision:.1f} / {self.recall:.1f} / {self.whole:.1f}"


class Overlap(NamedTuple):
    """How many links both directions have, and how many one of them has at least."""

    both: int
    any: int

    @property
    def agreement(self) -> float:
        """The share that both have, in percent; of nothing it is all.

        >>> round(Overlap(5554, 10998).agreement, 1)
        50.5
        """
        return 100.0 * self.both / self.any if self.any else 100.0

    def __str__(self) -> str:
        """Write them as a cell of a table.

        >>> str(Overlap(5554, 10998))
        '5,554 / 10,998 (50.5 %)'
        """
        return f"{self.both:,} / {self.any:,} ({self.agreement:.1f} %)"


class Figures(NamedTuple):
    """What a recipe comes to on a corpus: table 1 by model, tables 2 and 3 by row, share of certificates."""

    overlaps: dict[str, Overlap]
    links: dict[Row, Scores]
    phrases: dict[Row, Scores]
    certified: float


# Tables 1, 2 and 3, and section 5.2, as printed.
PAPER = Figures(
    overlaps={"baseline": Overlap(5554, 10998), "dual": Overlap(7620, 10262)},
    links={
        ("baseline", "union"): Scores(57.6, 80.0, 33.4),
        ("baseline", "intersection"): Scores(86.2, 62.7, 27.2),
        ("baseline", "grow-diag-final"): Scores(60.1, 78.8, 32.1),
        ("dual", "union"): Scores(63.3, 81.5, 29.1),
        ("dual", "intersection"): Scores(77.5, 75.1, 23.6),
        ("dual", "grow-diag-final"): Scores(65.6, 80.6, 28.0),
    },
    phrases={
        ("baseline", "union"): Scores(75.1, 33.5, 46.3),
        ("baseline", "intersection"): Scores(64.3, 43.4, 51.8),
        ("baseline", "grow-diag-final"): Scores(68.3, 37.5, 48.4),
        ("dual", "union"): Scores(63.2, 44.9, 52.5),
        ("dual", "intersection"): Scores(57.1, 53.6, 55.3),
        ("dual", "grow-diag-final"): Scores(60.2, 47.4, 53.0),
    },
    certified=6.2,
)


def figures_of(record: dict[str, Any]) -> Figures:
    """Take the figures out of a record."""
    scores = record["scores"]
    made = {
        (model, rule): scores[model][rule]
        for model, rule in (*ROWS, POSTERIOR)
        if rule in scores.get(model, {})
    }
    return Figures(
        {
            model: Overlap(made[model, "intersection"]["links"], made[model, "union"]["links"])
            for model in ("baseline", "dual")
            if model in scores
        },
        {row: percent(one, "precision", "recall", "aer") for row, one in made.items()},
        {row: percent(one["phrases"], "precision", "recall", "f1") for row, one in made.items()},
        share_certified(record["certificates"]["scored"]) if "certificates" in record else 0.0,
    )


def percent(scores: dict[str, float], *names: str) -> Scores:
    """Take three scores by name, in percent."""
    return Scores(*(100.0 * scores[name] for name in names))


def share_certified(found: dict[str, Any], after: int | None = None) -> float:
    """The share of pairs that have a certificate after so many rounds (all that were run), in percent.

    >>> share_certified({"pairs": 8, "in_round": [0, 2, 1, 1]}, 2)
    37.5
    """
    counts: list[int] = found["in_round"]
    last = len(counts) if after is None else after + 1
    return 100.0 * sum(counts[:last]) / max(int(found["pairs"]), 1)
