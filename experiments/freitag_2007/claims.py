"""What reproduces: every claim with its verdict and its numbers, computed from the figures."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from freitag_2007 import paper
from freitag_2007.comparing import compare
from freitag_2007.paper import ARABIC, HEAVY, MANDARIN, RUSSIAN
from freitag_2007.rows import WORDS
from paper_tables.comparing import difference_text, is_better
from paper_tables.judging import Claim, Judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from freitag_2007.results import Results, Sheet

NEAR = 0.03  # how far a figure may be from the paper's to be called near
BASELINES = ("levenshtein", "suffix")  # of rhymes
MAIN = (ARABIC, RUSSIAN, MANDARIN)


class NameJudge(Judge):
    """Looks figures up, and judges claims about them and about differences of two rows."""

    def compare(
        self,
        text: str,
        table: str,
        corpus: str,
        pair: tuple[str, str],
        printed: str = "-",
        chance: bool = False,
    ) -> None:
        """Judge that the first of two rows is better, and by more than chance (or, if so claimed, by no more)."""
        one, other = (self.record(table, name, corpus) for name in pair)
        verdict = ours = "-"
        if one is not None and other is not None:
            measure, found = next(iter(compare(table, one, other).items()))
            holds = found.difference > 0 and not is_better(found) if chance else is_better(found)
            verdict, ours = "yes" if holds else "no", f"{measure} {difference_text(found)}"
        self.claims.append(Claim(text, verdict, ours, printed))


def claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge what the paper's figures, and we, ask for, as far as there are figures of ours."""
    judge = NameJudge(results, sheet)
    consonant_claims(judge)
    rhyme_claims(judge)
    transcription_claims(judge)
    ranking_claims(judge)
    return judge.said()


def consonant_claims(judge: NameJudge) -> None:
    """The known affinity is found again."""
    learned = judge.figure("consonants", "edits-0", "agreeing", WORDS)
    given = judge.figure("consonants", "levenshtein", "agreeing", WORDS)
    printed = paper.CONSONANTS
    judge.say(
        "Consonants: order 0 contradicts the true order of 1 % of the pairs at most",
        {"order 0": learned},
        lambda value: value >= 0.99,
        f"{printed['edits-0']:.3f}",
    )
    judge.say(
        f"Consonants: Levenshtein within {NEAR} of the paper's",
        {"Levenshtein": given},
        lambda value: abs(value - printed["levenshtein"]) <= NEAR,
        f"{printed['levenshtein']:.3f}",
    )
    record = judge.record("consonants", "edits-0", WORDS)
    weights = [] if record is None else record["weights"]
    kept = {one[0] for one in weights[: len(HEAVY)] if one[0] == one[1]}
    shown = ", ".join(f"{one[0]}-{one[1]} {one[3]:.1f}" for one in weights) or "-"
    verdict = "-" if record is None else "yes" if kept == set(HEAVY) else "no"
    text = "Table 3: the largest weights are those of keeping the five consonants that count most"
    judge.claims.append(Claim(text, verdict, shown, "d c g b f, then t"))


def rhyme_claims(judge: NameJudge) -> None:
    """Context is what rhymes need."""
    orders = {f"order {k}": judge.figure("rhymes", f"edits-{k}", "precision", WORDS) for k in (0, 1, 2, 3)}
    suffix = judge.figure("rhymes", "suffix", "precision", WORDS)
    printed = paper.RHYMES
    for order, least in ((3, 0.75), (0, 0.45)):
        name = f"order {order}"
        judge.say(
            f"Rhymes: break-even precision of order {order} at least {least}",
            {name: orders[name]},
            lambda value, least=least: value >= least,
            f"{printed[f'edits-{order}']:.3f}",
        )
    judge.say("Rhymes: each order is better than the one before it", orders, rising)
    judge.say(
        "Rhymes: the longest common suffix fares poorly, below order 0",
        {"suffix": suffix, "order 0": orders["order 0"]},
        lambda common, learned: common < learned,
        f"{printed['suffix']:.3f}",
    )
    for name in BASELINES:
        judge.say(
            f"Rhymes, equal scores found together: `{name}` fares poorly, below order 0",
            {name: reading(judge, name), "order 0": reading(judge, "edits-0")},
            lambda simple, learned: simple < learned,
            f"{printed[name]:.3f} and {printed['edits-0']:.3f}",
        )
    judge.compare("Rhymes: order 3 is better than the common suffix", "rhymes", WORDS, ("edits-3", "suffix"))


def reading(judge: NameJudge, name: str) -> float | None:
    """Return the precision of a row of rhymes if equal scores are found together, as far as it was measured."""
    record = judge.record("rhymes", name, WORDS)
    return None if record is None or "readings" not in record else float(record["readings"]["together"])


def rising(*values: float) -> bool:
    """Tell whether each value is above the one before it."""
    return all(later > earlier for earlier, later in itertools.pairwise(values))


def transcription_claims(judge: NameJudge) -> None:
    """The edit model, its rival, and both together."""
    errors = judge.figure("transcription", "plain", "character_errors", ARABIC)
    judge.say(
        "Plain transliteration of Arabic gets about a quarter of the letters wrong (0.20 to 0.30)",
        {"character errors": errors},
        lambda value: 0.2 <= value <= 0.3,
        f"{paper.CHARACTER_ERRORS:.2f}",
    )
    printed = {name: f"{one:.3f}" for name, (one, _) in paper.TRANSCRIPTION.items()}
    as_printed = (
        ("ptem", "smt-4gram"),
        ("ptem-zero", "smt-4gram"),
        ("combination-printed", "ptem"),
        ("combination-printed", "smt-4gram"),
    )
    for one, other in as_printed:
        text = f"As printed, Arabic 1-best: `{one}` is better than `{other}`, by more than chance"
        beside = f"{printed[one]} and {printed[other]}"
        judge.compare(text, "transcription", ARABIC, (one, other), beside)
    for corpus in MAIN:
        for one, others in (
            ("edits", ("phonetisaurus",)),
            ("combination", ("edits", "smt", "phonetisaurus")),
        ):
            for other in others:
                text = f"{corpus}, 1-best: `{one}` is better than `{other}`, by more than chance"
                judge.compare(text, "transcription", corpus, (one, other))


GOALS = {ARABIC: (0.97, 0.98), MANDARIN: (0.93, None)}
LEARNED = ("g-1", "g-2", "g-3", "g-3-zero", "e-1", "e-2", "e-3", "r-1", "r-2", "r-3")
SMT = ("smt", "smt-no-lm", "ibm4", "smt+ibm4")


def ranking_claims(judge: NameJudge) -> None:
    """Ranking needs less than writing."""
    for corpus, goals in GOALS.items():
        for measure, goal in zip(("accuracy", "mrr"), goals, strict=True):
            if goal is not None:
                best = best_row(judge, LEARNED, measure, corpus)
                beside = max(
                    one[measure == "mrr"] for name, one in paper.RANKING[corpus].items() if name in LEARNED
                )
                text = f"Ranking {corpus}: the best edit model has {measure} {goal} or more"
                judge.say(text, best, lambda value, goal=goal: value >= goal, f"{beside:.3f}")
        best, rival = (best_row(judge, names, "accuracy", corpus) for names in (LEARNED, SMT))
        judge.say(
            f"Ranking {corpus}: the best edit model is better than the best of SMT and IBM 4",
            best | rival,
            lambda ours, theirs: ours > theirs,
            "yes, by chance",
        )
        judge.compare(
            f"Ranking {corpus}: `smt+ibm4` is better than `ibm4`, by more than chance",
            "ranking",
            corpus,
            ("smt+ibm4", "ibm4"),
        )
    regimes = (
        (ARABIC, "r-1", "g-3-zero"),
        (ARABIC, "r-1", "g-3"),
        (MANDARIN, "g-3-zero", "r-1"),
        (MANDARIN, "g-3", "r-1"),
    )
    for corpus, one, other in regimes:
        figures = [paper.RANKING[corpus][name][0] for name in (one, other)]
        judge.compare(
            f"Ranking {corpus}: `{one}` is better than `{other}`, by more than chance",
            "ranking",
            corpus,
            (one, other),
            f"{figures[0]:.3f} and {figures[1]:.3f}",
        )


def best_row(judge: NameJudge, names: Iterable[str], measure: str, corpus: str) -> dict[str, float | None]:
    """Return the best of some rows that are there, by its name."""
    known = {name: judge.figure("ranking", name, measure, corpus) for name in names}
    there = {name: value for name, value in known.items() if value is not None}
    if not there:
        return {"none": None}
    best = max(there, key=there.__getitem__)
    return {best: there[best]}
