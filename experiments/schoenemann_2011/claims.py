"""What reproduces: every claim with its verdict and its numbers, computed from the rows."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from paper_tables.judging import Claim, Numbers, all_above, all_below, none_above, on_average
from paper_tables.store import total_minutes
from schoenemann_2011.paper import paper_figures
from schoenemann_2011.results import final_objective, weighted_f
from schoenemann_2011.rows import COLUMNS, MODELS, PLACES, TERMS, Column, runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paper_tables.judging import Condition
    from schoenemann_2011.results import Figures, Results, Sheet, Stage

    Pairs = dict[str, tuple[str, str]]  # two rows to compare, by what tells them from the next two

FAR = 3.0  # points of F that make the HMM far better than IBM-1; the least that the paper has is 3.8
BI_GAIN = 1.5  # points of F that the term must bring to the Bi-HMM
ABOVE_PGD = 0.5  # percent that EM's objective may lie above PGD's
ITERATION = 1.3  # times the seconds of an iteration with renormalised counts
TABLE_MINUTES, BI_MINUTES, BI_GB = 60.0, 10.0, 6.0


def differences(figures: Figures, pairs: Pairs, relative: bool = False) -> Numbers:
    """Subtract the second row from the first in every column; relative: in percent of the second.

    >>> differences({("a", "Es|En"): 3.0, ("b", "Es|En"): 2.0}, {"": ("a", "b")})
    Numbers(values={'Es|En': 1.0}, expected=6)
    """
    found = {}
    for label, (first, second) in pairs.items():
        for column in COLUMNS:
            ours, other = figures.get((first, column.name)), figures.get((second, column.name))
            if ours is not None and other is not None:
                name = f"{column.name}, {label}" if label else column.name
                found[name] = 100 * (ours - other) / other if relative else ours - other
    return Numbers(found, sum(len(columns_of(*pair)) for pair in pairs.values()))


def columns_of(*rows: str) -> list[Column]:
    """List the columns in which all of these rows are run.

    >>> [column.name for column in columns_of("bihmm-printed", "hmm-em")]
    ['Es|En', 'En|Es', 'Fr|En', 'En|Fr']
    """
    runs = [PLACES[row][0] for row in rows if row in PLACES]
    return [column for column in COLUMNS if all(column.corpus in run.corpora for run in runs)]


class Judge:
    """Judges claims about F and about objectives."""

    def __init__(self, results: Results, sheet: Sheet) -> None:
        self.ours = results.figures(sheet, weighted_f)
        self.paper = paper_figures(sheet.table)
        self.objectives = results.figures(sheet, final_objective)
        rows = sheet.shape.rows
        self.rows = rows
        self.models = [model for model in MODELS if f"{model}-em" in rows]

    def on_f(self, text: str, pairs: Pairs, holds: Condition) -> Claim:
        """Judge a claim about differences of F, in points."""
        numbers = differences(self.ours, pairs)
        return Claim(text, numbers.verdict(holds), numbers.text(), differences(self.paper, pairs).text())

    def on_objective(self, text: str, pairs: Pairs, holds: Condition) -> Claim:
        """Judge a claim about differences of final objectives, in percent."""
        numbers = differences(self.objectives, pairs, relative=True)
        return Claim(text, numbers.verdict(holds), numbers.text("+.3f"))


def claims(results: Results, sheet: Sheet) -> list[Claim]:
    """Judge all that the paper, and what we expect of it, says about the rows of a table."""
    judge = Judge(results, sheet)
    return [
        *term_claims(judge),
        *update_claims(judge),
        rising([(results, sheet)]),
        *optimizer_claims(judge),
        *model_claims(judge),
        *beside_claims(judge),
    ]


def term_claims(judge: Judge) -> list[Claim]:
    """What the regularity term brings."""
    found = [
        judge.on_f(
            f"{MODELS[model]}, {optimizer.upper()}: the term raises F in every column",
            {"": (f"{model}-{optimizer}-reg", f"{model}-{optimizer}")},
            all_above(0.0),
        )
        for optimizer in ("em", "pgd")
        for model in ("ibm1", "hmm")
    ]
    if "bihmm" in judge.models:
        found += [
            judge.on_f(
                f"Bi-HMM, {optimizer.upper()}: the term raises F by {BI_GAIN:g} or more on average",
                {"": (f"bihmm-{optimizer}-reg", f"bihmm-{optimizer}")},
                on_average(BI_GAIN),
            )
            for optimizer in ("em", "pgd")
        ]
    return found


def update_claims(judge: Judge) -> list[Claim]:
    """What the exact M step of the jumps brings."""
    pair = {"": ("hmm-em", "hmm-renormalised")}
    return [
        judge.on_objective(
            "HMM, EM: the exact M step ends at a lower objective than renormalised counts in every column (%)",
            pair,
            lambda values: max(values) < 0.0,
        ),
        judge.on_f("HMM, EM: the exact M step has no lower F on average", pair, on_average(0.0)),
    ]


def rising(tables: Sequence[tuple[Results, Sheet]]) -> Claim:
    """Judge in how many runs of the HMM with renormalised counts the objective rises in some iteration."""
    found: dict[str, float] = {}
    for results, sheet in tables:
        for column in COLUMNS:
            stage = results.stage(sheet, "hmm-renormalised", column)
            if stage is not None:
                steps = pairwise(stage["objectives"])
                found[f"{sheet.table} {column.name}"] = sum(later > earlier for earlier, later in steps)
    numbers = Numbers(found, len(tables) * len(COLUMNS))
    runs, risen = list(found.values()), sum(number > 0 for number in found.values())
    text = f"rises in {risen} of {len(runs)} runs, in {sum(runs):g} iterations" if runs else "-"
    return Claim(
        "HMM, EM, renormalised counts: the objective often increases after the first iterations",
        numbers.verdict(lambda values: sum(value > 0 for value in values) > len(values) / 2),
        text,
        "often",
    )


def optimizer_claims(judge: Judge) -> list[Claim]:
    """EM against projected gradient descent."""
    pairs = {
        model: {title: (f"{model}-em{term}", f"{model}-pgd{term}") for term, title in TERMS.items()}
        for model in judge.models
    }
    return [
        judge.on_objective(
            f"{MODELS[model]}: EM's objective ends no more than {ABOVE_PGD:g} % above PGD's (%)",
            pairs[model],
            none_above(ABOVE_PGD),
        )
        for model in judge.models
    ] + [
        judge.on_f(f"{MODELS[model]}: EM has no lower F than PGD on average", pairs[model], on_average(0.0))
        for model in judge.models
    ]


def model_claims(judge: Judge) -> list[Claim]:
    """The HMM against IBM-1, IBM-4 against the HMM."""
    pairs = {title: (f"hmm-em{term}", f"ibm1-em{term}") for term, title in TERMS.items()}
    return [
        judge.on_f(f"The HMM has more than {FAR:g} F above IBM-1 in every column", pairs, all_above(FAR)),
        *(
            judge.on_f(
                f"IBM-4 has a higher F than the HMM, EM, {title}, in every column",
                {"": ("ibm4", f"hmm-em{term}")},
                all_above(0.0),
            )
            for term, title in TERMS.items()
        ),
    ]


def beside_claims(judge: Judge) -> list[Claim]:
    """What the rows show that are not in the paper's tables."""
    if "ibm4-reg" not in judge.rows:
        return []
    found = [
        judge.on_f(f"IBM-4: the term {where} raises F in every column", {"": (row, "ibm4")}, all_above(0.0))
        for row, where in (
            ("ibm4-reg", "in the HMM and in IBM-4"),
            ("ibm4-hmm-reg", "in the HMM that it starts from"),
            ("ibm4-own-reg", "in IBM-4 alone"),
        )
    ] + [
        judge.on_f(
            "IBM-4 behind 5 iterations of IBM-3 has no lower F than behind the HMM on average",
            {"": ("ibm4-chain", "ibm4")},
            on_average(0.0),
        ),
        *(
            judge.on_f(
                f"Bi-HMM, EM, {title}: F is lower with p(b = 1) = 0.9 than with 0.1 in every column",
                {"": (f"bihmm-printed{term}", f"bihmm-em{term}")},
                all_below(0.0),
            )
            for term, title in TERMS.items()
        ),
    ]
    return [claim._replace(paper="-") for claim in found]  # the paper has one figure for both rows, or none


def speed_claims(results: Results, sheet: Sheet) -> list[Claim]:
    """What the small table may cost, at its own sizes."""
    if sheet.table != "small" or sheet.is_quick_look:
        return []
    ratios = differences(
        results.figures(sheet, seconds_per_iteration), {"": ("hmm-em", "hmm-renormalised")}, relative=True
    )
    records = results.of_sheet(sheet)
    expected = sum(column.corpus in run.corpora for run in runs_of(sheet.shape.rows) for column in COLUMNS)
    minutes = total_minutes(records)
    complete = Numbers({str(at): 1.0 for at in range(len(records))}, expected)
    return [
        Claim(
            f"One iteration of the HMM with the exact M step costs at most {ITERATION:g} times one with renormalised "
            "counts (% more)",
            ratios.verdict(none_above(100 * (ITERATION - 1))),
            ratios.text(),
        ),
        Claim(
            f"The whole table takes at most {TABLE_MINUTES:g} minutes",
            complete.verdict(lambda _: minutes <= TABLE_MINUTES),
            f"{minutes:.1f} minutes ({len(records)} of {expected} runs)",
        ),
        *bi_word_claims(results, sheet),
    ]


def bi_word_claims(results: Results, sheet: Sheet) -> list[Claim]:
    """What the largest run of EM may cost: Bi-1 and Bi-HMM on German-English, in one direction."""
    columns = [column for column in COLUMNS if column.corpus == "de-en"]
    runs = runs_of(("bihmm-em", "bihmm-em-reg"))
    records = {
        f"{column.name}, {run.name}": results.record(sheet, run, column) for run in runs for column in columns
    }
    there = {name: record["stages"] for name, record in records.items() if record is not None}
    minutes = {name: sum(stage["wall_seconds"] for stage in stages) / 60 for name, stages in there.items()}
    memory = {name: max(stage["peak_mb"] for stage in stages) / 1024 for name, stages in there.items()}
    return [
        Claim(text, numbers.verdict(none_above(most)), numbers.text(".1f"))
        for text, numbers, most in (
            (
                f"Bi-HMM, German-English, one direction: at most {BI_MINUTES:g} minutes",
                Numbers(minutes, len(records)),
                BI_MINUTES,
            ),
            (
                f"Bi-HMM, German-English, one direction: at most {BI_GB:g} GB",
                Numbers(memory, len(records)),
                BI_GB,
            ),
        )
    ]


def seconds_per_iteration(stage: Stage) -> float:
    """Wall seconds of an iteration."""
    return float(stage["wall_seconds"]) / max(int(stage["iterations"]), 1)
