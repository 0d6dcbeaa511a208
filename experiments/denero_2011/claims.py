"""What reproduces: every claim with its verdict and its numbers, computed from the figures."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from cepts.combine import HEURISTICS
from denero_2011.figures import PAPER, Scores
from denero_2011.rows import BEST, PAPER_CORPUS, POSTERIOR, RELEASED, RUNS, TUNED
from paper_tables.judging import Claim, Numbers, all_above, all_below, on_average

if TYPE_CHECKING:
    from collections.abc import Callable

    from denero_2011.figures import Figures
    from denero_2011.results import Results, Sheet
    from denero_2011.rows import Row, Run
    from paper_tables.judging import Condition
    from paper_tables.store import Record

    Value = Callable[[Figures], float]

FALL = 30.0  # percent by which disagreement must fall
CERTIFIED = 50.0  # percent of sentences that must have a certificate, on average over the corpora
OURS: Row = ("dual", "intersection")
OWN_LINKS = "The paper's own links"
OWN = "the paper's test sentences"


def claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge, recipe after recipe, what the paper and we say of the model of both directions."""
    found = [
        claim for run in RUNS for claim in claims_of(run, results.figures(sheet, run), len(sheet.corpora))
    ]
    return [*found, *own_claims(results, sheet)] if PAPER_CORPUS in sheet.corpora else found


def own_claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge what comes out on the test sentences of the paper: by its own links, by each recipe, and by the default."""
    found = released_claims(results.figures(sheet, RELEASED).get(PAPER_CORPUS))
    for run in RUNS:
        found += gain_claims(run, results.record(sheet, run, PAPER_CORPUS))
    return [*found, best_claim(results.record(sheet, BEST, PAPER_CORPUS))]


def released_claims(ours: Figures | None) -> list[Claim]:
    """Judge whether the paper's own links have the paper's figures."""
    texts = (
        f"{OWN_LINKS}: both, and either, of table 1 are twice what is in the files",
        f"{OWN_LINKS}: every precision, recall and AER of table 2",
        f"{OWN_LINKS}: every precision and recall of table 3, and F1 within 0.1",
    )
    overlaps = ", ".join(str(one) for one in PAPER.overlaps.values())
    printed = (overlaps, *(f"{3 * len(PAPER.links)} figures",) * 2)
    if ours is None:
        return [Claim(text, "-", "-", one) for text, one in zip(texts, printed, strict=True)]
    doubled = all(
        (2 * one.both, 2 * one.any) == PAPER.overlaps[model][:2] for model, one in ours.overlaps.items()
    )
    right = (
        sum(as_printed(ours.links[row], scores) for row, scores in PAPER.links.items()),
        sum(as_printed(ours.phrases[row], scores, 0.1) for row, scores in PAPER.phrases.items()),
    )
    rows = len(PAPER.links)
    return [
        Claim(texts[0], "yes" if doubled else "no", ", ".join(map(str, ours.overlaps.values())), printed[0]),
        *(
            Claim(text, "yes" if count == rows else "no", f"{count} of {rows} rows as printed", one)
            for text, count, one in zip(texts[1:], right, printed[1:], strict=True)
        ),
    ]


def as_printed(ours: Scores, printed: Scores, slack: float = 0.0) -> bool:
    """Tell whether scores are those that were printed with one digit; the last may differ by `slack`.

    >>> as_printed(Scores(57.568, 80.04, 33.44), Scores(57.6, 80.0, 33.4))
    True
    """
    rounded = [float(f"{value:.1f}") for value in ours]
    return rounded[:2] == list(printed[:2]) and abs(rounded[2] - printed.whole) <= slack + 1e-6


def gain_claims(run: Run, record: Record | None) -> list[Claim]:
    """Judge, on the paper's own sentences, the signs of what dual decomposition does to the intersection."""
    found = []
    for name, text, table, sign in (
        ("aer", "AER of the intersection falls", PAPER.links, -1),
        ("phrases", "phrase F1 of the intersection rises", PAPER.phrases, 1),
    ):
        before, after = (table[model, "intersection"].whole for model in ("baseline", "dual"))
        printed = f"{after - before:+.1f} ({before:.1f} to {after:.1f})" if run.in_paper else "-"
        verdict = ours = "-"
        if record is not None:
            gain = record["gains"][name]
            verdict, ours = "yes" if sign * gain[0] > 0 else "no", gain_text(record, name, gain)
        found.append(Claim(f"{run.label}, {OWN}: {text}", verdict, ours, printed))
    return found


def gain_text(record: Record, name: str, gain: list[float]) -> str:
    """Write a gain with its interval, what it leads from and to, and its size by the looser rule for phrases."""
    scores = [record["scores"][model]["intersection"] for model in ("baseline", "dual")]
    values = [100 * (one["aer"] if name == "aer" else one[name]["f1"]) for one in scores]
    loose = ""
    if name == "phrases":
        before, after = (100 * one["phrases_any"]["f1"] for one in scores)
        low, high = record["gains"]["phrases_any"][1:3]
        loose = f"; `--possible any`: {after - before:+.1f} ({low:+.1f} to {high:+.1f}; {before:.1f} to {after:.1f})"
    return (
        f"{gain[0]:+.1f} ({gain[1]:+.1f} to {gain[2]:+.1f}, p {gain[3]:.3f}; "
        f"{values[0]:.1f} to {values[1]:.1f}){loose}"
    )


def best_claim(record: Record | None) -> Claim:
    """Judge whether the default recipe is below the paper's best row."""
    most = min(scores.whole for scores in PAPER.links.values())
    text = f"`{BEST.name}`, {OWN}, without the paper's training text: AER below the paper's lowest"
    if record is None:
        return Claim(text, "-", "-", f"{most:.1f}")
    aer = 100 * record["scores"][POSTERIOR[0]][POSTERIOR[1]]["aer"]
    low, high = (100 * value for value in record["interval_aer"])
    return Claim(
        text, "yes" if aer < most else "no", f"{aer:.1f} (95 % {low:.1f} to {high:.1f})", f"{most:.1f}"
    )


def claims_of(run: Run, figures: dict[str, Figures], corpora: int) -> list[Claim]:
    """Judge a recipe on so many corpora; only of the tuned one certificates are asked for."""
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
    return [judge(run, figures, corpora, *one) for one in asked]


def judge(
    run: Run,
    figures: dict[str, Figures],
    corpora: int,
    text: str,
    value: Value,
    holds: Condition,
    form: str,
) -> Claim:
    """Judge a claim about one number for each corpus."""
    numbers = Numbers({corpus: value(one) for corpus, one in figures.items()}, corpora)
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
