"""What reproduces: every claim with its verdict and its numbers, computed from the figures."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from cepts.combine import HEURISTICS
from denero_2011.figures import PAPER
from denero_2011.rows import CORPORA, PAPER_CORPUS, RUNS, TUNED
from paper_tables.judging import Claim, Numbers, all_above, all_below, on_average

if TYPE_CHECKING:
    from collections.abc import Callable

    from denero_2011.figures import Figures, Scores
    from denero_2011.results import Results, Sheet
    from denero_2011.rows import Row, Run
    from paper_tables.judging import Condition

    Value = Callable[[Figures], float]

FALL = 30.0  # percent by which disagreement must fall
CERTIFIED = 50.0  # percent of sentences that must have a certificate, on average over the corpora
OURS: Row = ("dual", "intersection")


def claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge, recipe after recipe, what the paper and we say of the model of both directions."""
    return [claim for run in RUNS for claim in claims_of(run, results.figures(sheet, run))]


def claims_of(run: Run, figures: dict[str, Figures]) -> list[Claim]:
    """Judge a recipe; only of the tuned one certificates are asked for."""
    every = "union, intersection and every grow-diag of the directions"
    asked: list[tuple[str, Value, Condition, str]] = [
        (f"disagreement falls by {FALL:g} % or more (%)", fall, lambda values: min(values) >= FALL, ".1f"),
        ("AER of the intersection falls", link_gain(("intersection",)), all_below(0.0), "+.1f"),
        (f"the intersection has a lower AER than {every}", link_gain(HEURISTICS), all_below(0.0), "+.1f"),
        ("phrase F1 of the intersection rises", phrase_gain(("intersection",)), all_above(0.0), "+.1f"),
        (
            f"the intersection has a higher phrase F1 than {every}",
            phrase_gain(HEURISTICS),
            all_above(0.0),
            "+.1f",
        ),
    ]
    if run is TUNED:
        text = f"{CERTIFIED:g} % of the sentences or more have a certificate, on average (%)"
        asked.append((text, lambda one: one.certified, on_average(CERTIFIED), ".1f"))
    return [judge(run, figures, *one) for one in asked]


def judge(
    run: Run, figures: dict[str, Figures], text: str, value: Value, holds: Condition, form: str
) -> Claim:
    """Judge a claim about one number for each corpus."""
    numbers = Numbers({corpus: value(one) for corpus, one in figures.items()}, len(CORPORA))
    paper = f"{value(PAPER):{form}} ({PAPER_CORPUS})" if run.in_paper else "-"
    return Claim(f"{run.label}: {text}", numbers.verdict(holds), each(numbers, form), paper)


def each(numbers: Numbers, form: str) -> str:
    """Write all numbers with their corpora, and the mean.

    >>> each(Numbers({"zh-en": -1.0, "ro-en": -2.0}, 4), "+.1f")
    '-1.0 (zh-en), -2.0 (ro-en), mean -1.5 (2 of 4)'
    """
    if not numbers.values:
        return "-"
    texts = [f"{value:{form}} ({corpus})" for corpus, value in numbers.values.items()]
    known = "" if len(texts) == numbers.expected else f" ({len(texts)} of {numbers.expected})"
    return f"{', '.join(texts)}, mean {mean(numbers.values.values()):{form}}{known}"


def fall(figures: Figures) -> float:
    """By how many percent the share of links falls that only one direction has."""
    before, after = (100.0 - figures.overlaps[model].agreement for model in ("baseline", "dual"))
    return 100.0 * (before - after) / before if before else 0.0


def link_gain(rules: tuple[str, ...]) -> Value:
    """AER of our intersection minus the lowest that some rules make of the directions."""
    return lambda figures: figures.links[OURS].whole - min(baseline(figures.links, rules))


def phrase_gain(rules: tuple[str, ...]) -> Value:
    """Phrase F1 of our intersection minus the highest that some rules make of the directions."""
    return lambda figures: figures.phrases[OURS].whole - max(baseline(figures.phrases, rules))


def baseline(scores: dict[Row, Scores], rules: tuple[str, ...]) -> list[float]:
    """What some rules make of the directions, as far as it is known: the paper has three of our five."""
    return [scores["baseline", rule].whole for rule in rules if ("baseline", rule) in scores]
