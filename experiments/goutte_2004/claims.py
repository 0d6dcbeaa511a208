"""What reproduces: every claim with its verdict and its numbers, computed from the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.combine import HEURISTICS
from cepts.combine.cepts import CRITERIA
from goutte_2004.choosing import CONFIDENT, choices
from goutte_2004.figures import pairs_per_second, paper_aer
from goutte_2004.results import speed_place
from goutte_2004.rows import BY_NAME, CORPORA, COVERED, FRENCH
from paper_tables.judging import Claim, Numbers, all_below

if TYPE_CHECKING:
    from goutte_2004.choosing import Choice
    from goutte_2004.results import Results, Sheet

FAST = 2000.0  # pairs that one core must factorise in a second
NOTHING_FIT = "nothing was chosen on dev"


def claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge what the paper's figures, and we, ask for."""
    chosen = choices(results, sheet)
    found = [
        claim
        for criterion in CRITERIA
        for claim in criterion_claims(results, sheet, criterion, chosen.get(criterion))
    ]
    return [*found, confidence_claim(results, sheet, chosen.get(CONFIDENT)), *speed_claims(results, sheet)]


def criterion_claims(results: Results, sheet: Sheet, criterion: str, choice: Choice | None) -> list[Claim]:
    """A criterion's AER is below the paper's, and hardly a word is left out."""
    paper = {corpus: paper_aer(corpus, sheet.part, criterion) for corpus in CORPORA}
    known = {corpus: aer for corpus, aer in paper.items() if aer is not None}
    made = {} if choice is None else {corpus: results.chosen(sheet, choice, corpus) for corpus in CORPORA}
    there = {corpus: figures for corpus, figures in made.items() if figures is not None}
    gains = Numbers(
        {corpus: there[corpus].plain.aer - aer for corpus, aer in known.items() if corpus in there},
        len(known),
    )
    coverage = Numbers({corpus: figures.aligned for corpus, figures in there.items()}, len(CORPORA))
    title = f"{criterion.upper()}, {NOTHING_FIT if choice is None else choice.label}"
    printed = ", ".join(f"{aer:.2f} ({corpus})" for corpus, aer in known.items())
    return [
        Claim(
            f"{title}: a lower AER than the paper's {criterion.upper()}",
            gains.verdict(all_below(0.0)),
            gains.text("+.2f"),
            printed or "-",
        ),
        Claim(
            f"{title}: {COVERED:g} % of the words or more are in ordinary cepts (%)",
            coverage.verdict(lambda values: min(values) >= COVERED),
            coverage.text(".1f"),
        ),
    ]


def confidence_claim(results: Results, sheet: Sheet, choice: Choice | None) -> Claim:
    """What is certain enough has a lower AER than any heuristic makes of the same two directions."""
    gains = {}
    for corpus in CORPORA:
        made = None if choice is None else results.chosen(sheet, choice, corpus)
        if choice is not None and made is not None:
            rivals = (results.figures(sheet, BY_NAME[choice.run], corpus, rule) for rule in HEURISTICS)
            gains[corpus] = made.plain.aer - min(one.plain.aer for one in rivals if one is not None)
    numbers = Numbers(gains, len(CORPORA))
    title = NOTHING_FIT if choice is None else choice.label
    return Claim(
        f"{title}: a lower AER than the best heuristic on the same directions",
        numbers.verdict(all_below(0.0)),
        numbers.text("+.2f"),
    )


def speed_claims(results: Results, sheet: Sheet) -> list[Claim]:
    """One core factorises enough pairs in a second."""
    record = results.at(speed_place(sheet.pairs))
    found = []
    for what, with_matrices in (("factorisation", False), ("matrices and factorisation", True)):
        rate = {} if record is None else {FRENCH: pairs_per_second(record, with_matrices)}
        numbers = Numbers(rate, 1)
        shown = f"{rate[FRENCH]:,.0f}" if rate else "-"
        text = f"{what}: {FAST:,.0f} pairs or more in a CPU second of one core"
        found.append(Claim(text, numbers.verdict(lambda values: min(values) >= FAST), shown))
    return found
