"""What holds: every claim with its verdict and its numbers, computed from the figures."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from huerta import paper
from huerta.comparing import BASELINES, compare
from huerta.noise import KINDS, SHUFFLED
from huerta.rows import (
    BY_PLACE,
    CLEANED,
    JUDGED,
    JUDGED_OWN,
    NONE,
    OWN,
    RANDOM,
    SHARES,
    SIZES,
    TATOEBA,
    WMT12,
)
from paper_tables.comparing import difference_text, is_better
from paper_tables.judging import Claim, Judge

if TYPE_CHECKING:
    from huerta.results import Results, Sheet
    from paper_tables.store import Record

WITH_TAGS, WITH_ALL = 0.68, 0.73  # share of human translations that should be found
SHUFFLED_AREA = 0.97
EARLY = 20  # iterations
SIMPLER = ("everything", "less-literal")


def claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge what the paper says, and what we ask for, as far as there are figures of ours."""
    judge = Judge(results, sheet, ".4g")
    figure_claims(judge)
    judge_claims(judge)
    retrieval_claims(judge)
    cleaning_claims(judge)
    return judge.said()


def figure_claims(judge: Judge) -> None:
    """Figure 1: one rule is faster, and more dimensions explain more."""
    ours = after(judge.record("figure", "multiplicative", RANDOM), EARLY)
    for name in ("additive", "additive-0.5", "additive-0.1"):
        judge.say(
            f"Figure 1: after {EARLY} iterations, multiplicative is below `{name}`",
            {"multiplicative": ours, name: after(judge.record("figure", name, RANDOM), EARLY)},
            lambda one, other: one < other,
            "yes, for one additive rule",
        )
    for begin, what in (("k", "squared error"), ("kl", "KL")):
        ends = {f"k = {k}": after(judge.record("figure", f"{begin}-{k}", RANDOM), -1) for k in SIZES}
        judge.say(f"Figure 1: a larger k explains more ({what})", ends, falling, "yes")


def after(record: Record | None, iterations: int) -> float | None:
    """Return a loss after so many iterations (-1: after all)."""
    return None if record is None else float(record["curve"][iterations])


def falling(*values: float) -> bool:
    """Tell whether each value is below the one before it."""
    return all(later < earlier for earlier, later in pairwise(values))


def judge_claims(judge: Judge) -> None:
    """The paper's task, and what more evidence adds."""
    for corpus in (*JUDGED, *JUDGED_OWN):
        for kind, printed in paper.ACCURACY.items():
            reached(judge, kind, corpus, printed)
    for text, names, goal in (
        (f"tags alone find {WITH_TAGS:.0%} or more", ("perceptron", "tag-classifier", "shared"), WITH_TAGS),
        (f"everything finds more than {WITH_ALL:.0%}", ("everything", "stacked"), WITH_ALL),
    ):
        for name in names:
            judge.say(
                f"Human or machine, learned from {WMT12}: {text}: `{name}`",
                {name: accuracy(judge, name, WMT12)},
                lambda value, goal=goal: value >= goal if goal == WITH_TAGS else value > goal,
                "0.730" if goal == WITH_ALL else "-",
            )

    for table, where in (("judge", ""), (OWN, ", Tatoeba")):
        judge.say(
            f"Human or machine{where}: human translations are nearer to their sources in the common space"
            " (tags, k = 16)",
            {"nearer": accuracy(judge, "nearer", NONE, table)},
            lambda value: value > 0.5,
            "expected",
        )
    judge.say(
        f"Human or machine, learned from {WMT12}: everything is better than the less probable alignment alone",
        {name: accuracy(judge, name, WMT12 if name == "everything" else NONE) for name in SIMPLER},
        lambda ours, other: ours > other,
    )


def reached(judge: Judge, kind: str, corpus: str, printed: float) -> None:
    """Judge whether a classifier is as often right as the paper's, or less often by no more than chance."""
    record = judge.record(OWN if corpus in JUDGED_OWN else "judge", kind, corpus)
    if record is None:
        return
    value, low, high = record["accuracy"]
    text = f"Human or machine, learned from {corpus}, tags alone: `{kind}` reaches the paper's accuracy, within chance"
    ours = f"{kind} {value:.3f} ({low:.3f} to {high:.3f})"
    judge.claims.append(Claim(text, "yes" if high >= printed else "no", ours, f"{printed:.3f}"))


def accuracy(judge: Judge, name: str, corpus: str, table: str = "judge") -> float | None:
    """Return how often a judge is right, if it was asked."""
    return judge.figure(table, name, "accuracy", corpus)


def retrieval_claims(judge: Judge) -> None:
    """Both kinds of evidence are better than either."""
    for suffix, text in (("", ""), ("-usual", ", above usual")):
        both = judge.record("retrieval", f"both{suffix}", TATOEBA)
        for other in ("lexicon", "factors-128"):
            compared(
                judge,
                f"Retrieval{text}: both kinds of evidence are better than `{other}{suffix}`, by more than chance (MRR)",
                both,
                judge.record("retrieval", f"{other}{suffix}", TATOEBA),
            )
    names = [row.name for row in BY_PLACE.values() if row.table == "retrieval"]
    figures = {name: judge.figure("retrieval", name, "mrr", TATOEBA) for name in names}
    judge.say(
        "Retrieval: the default, `both-usual`, is what measures best (MRR)",
        {"both-usual": figures["both-usual"], "the best other": best(figures, "both-usual")},
        lambda ours, other: ours >= other,
    )


def best(figures: dict[str, float | None], but: str) -> float | None:
    """Return the best figure that is not of one row."""
    known = [value for name, value in figures.items() if name != but and value is not None]
    return max(known, default=None)


def compared(judge: Judge, text: str, one: Record | None, other: Record | None) -> None:
    """Judge that one row finds translations better than another, by more than chance."""
    if one is None or other is None:
        return
    found = compare("retrieval", one, other)["mrr"]
    judge.claims.append(Claim(text, "yes" if is_better(found) else "no", difference_text(found)))


def cleaning_claims(judge: Judge) -> None:
    """The filter finds shuffled pairs, and is above what is simpler."""
    for corpus in CLEANED:
        made = {name: judge.record("cleaning", name, corpus) for name in ("filter", *BASELINES)}
        areas = {f"{share} %": area(made["filter"], share, SHUFFLED) for share in SHARES}
        judge.say(
            f"Cleaning {corpus}: the area of shuffled pairs is {SHUFFLED_AREA} or more",
            areas,
            lambda *values: min(values) >= SHUFFLED_AREA,
        )
        if any(record is None for record in made.values()):
            continue
        for kind in KINDS:
            ahead = [lead(made, share, kind) for share in SHARES]
            text = (
                f"Cleaning {corpus}: the filter is above all baselines for {kind} pairs, whatever their share"
            )
            judge.say(text, {"least lead": min(ahead)}, lambda value: value > 0)


def area(record: Record | None, share: int, kind: str) -> float | None:
    """Return an area under the curve."""
    if record is None or kind not in record["areas"][str(share)]:
        return None
    return float(record["areas"][str(share)][kind][0])


def lead(made: dict[str, Record | None], share: int, kind: str) -> float:
    """Return how much the filter is above the best baseline."""
    ours, *others = (area(made[name], share, kind) or 0.0 for name in ("filter", *BASELINES))
    return ours - max(others)
