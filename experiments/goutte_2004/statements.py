"""What goutte-2004 says, and what its report has to say to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.combine.association import WORD_MEASURES
from cepts.combine.cepts import CRITERIA
from goutte_2004.choosing import choices
from goutte_2004.claims import claims, criterion_claims
from goutte_2004.figures import (
    BIC,
    CITATION,
    INTERSECTION,
    PAPER_CEPTS,
    PAPER_NOISE,
    TABLE_1,
    TABLE_2,
    TABLE_4,
    paper_aer,
)
from goutte_2004.results import Results, Sheet, sentence_criteria
from goutte_2004.rows import ANNEALING, CORPORA, FRENCH, PAPERS, RESTARTS, ROMANIAN, RUNS, SMALL, Row
from paper_tables.statements import Paper, Report, Statement, Untestable, compared

if TYPE_CHECKING:
    from pathlib import Path

    from goutte_2004.figures import Figures
    from paper_tables.judging import Claim

DEV, TEST = Sheet("dev"), Sheet("test")
HLT_03 = 28.86  # AER of the best system of 2003 for Romanian-English, table 4
LINKS_PER_WORD = 1.2
NOISE = 0.01  # what is less is hardly any
TITLES = {FRENCH: "English-French", ROMANIAN: "Romanian-English"}


def paper(folder: Path) -> Paper:
    """Put the statements together, with the results in a folder."""
    results = Results(folder / f"{TEST.stem}.json")
    counts, chosen = {"rows": "`goutte-2004`: counts, restarts"}, choices(results, TEST)
    statements = (
        *(
            Statement(
                "tables 2 and 4",
                f"the AER of {criterion.upper()}, by the paper's own setting",
                as_low(results, criterion),
                **counts,
            )
            for criterion in ("aic", "bic")
        ),
        *(
            Statement(
                "tables 2 and 4",
                f"the AER of {criterion.upper()}, by the best setting on dev (difference to the paper's)",
                criterion_claims(results, TEST, criterion, chosen.get(criterion))[0],
                "`cepts`",
            )
            for criterion in ("aic", "bic")
        ),
        Statement("tables 1, 2 and 4", "AIC has a lower AER than BIC", aic_below_bic(results), **counts),
        Statement(
            "section 6",
            f"less than {LINKS_PER_WORD} links per word on the trial sentences",
            links_per_word(results),
            **counts,
        ),
        Statement(
            "table 2",
            "a higher recall and F of possible links than the intersection of IBM-4",
            above_intersection(results),
            "`goutte-2004`: counts, restarts; intersection",
        ),
        Statement(
            "table 2",
            "the intersection of IBM-4 has the lower AER, though it leaves many words out",
            below_cepts(results),
            "`goutte-2004`: counts, restarts; intersection",
        ),
        Statement(
            "table 4",
            "no improvement over the best system of 2003 in Romanian-English",
            compared(
                "Romanian-English",
                {"AIC": aer(results, TEST, ROMANIAN, "aic")},
                lambda value: value > HLT_03,
                f"AIC {TABLE_4['ONMF + AIC'].aer:.2f}, HLT-03 {HLT_03:.2f}",
                ".2f",
            ),
            **counts,
        ),
        Statement(
            "section 7.2",
            "co-occurrence and mutual information do not work: function words dominate",
            word_measures(results),
            "`fast`: cooccurrence, information",
        ),
        Statement(
            "section 5",
            "AIC and BIC of sentence 1023 are largest for six cepts",
            best_numbers(results),
            "`goutte-2004`",
        ),
        Statement(
            "section 5",
            "hardly anything of sentence 1023 is noise: P(c = 0)",
            noise(results),
            "`goutte-2004`",
        ),
        Statement(
            "section 7.1",
            "deterministic annealing saves the restarts (AER of AIC: annealing less restarts)",
            annealing(results),
            "`goutte-2004`: counts; counts, restarts",
        ),
        Statement(
            "tables 2 and 3",
            "the systems of the shared task of 2003",
            Untestable("their links are not here", "AER 18.50 and 8.53"),
        ),
    )
    command = "python experiments/cepts.py --part dev && python experiments/cepts.py --part test"
    report = Report(TEST.stem, command, claims(results, TEST), (*(run.name for run in RUNS), *CORPORA))
    return Paper("goutte-2004", CITATION, {TEST.stem: report}, statements)


def row(criterion: str) -> Row:
    """The paper's own setting and search, by its criterion."""
    return Row("counts", criterion, PAPERS.scales[0], search=RESTARTS)


def figures(results: Results, sheet: Sheet, corpus: str, key: str) -> Figures | None:
    """Look up what the paper's model comes to by a row or another rule."""
    return results.figures(sheet, PAPERS, corpus, key)


def aer(results: Results, sheet: Sheet, corpus: str, criterion: str) -> float | None:
    """Return the AER of the paper's own setting without NULL."""
    made = figures(results, sheet, corpus, row(criterion).key)
    return None if made is None else made.plain.aer


def as_low(results: Results, criterion: str) -> Claim:
    """Judge whether the paper's setting is as low as in the paper."""
    printed = {corpus: paper_aer(corpus, "test", criterion) or 0.0 for corpus in CORPORA}
    values = {TITLES[corpus]: aer(results, TEST, corpus, criterion) for corpus in CORPORA}
    beside = ", ".join(f"{TITLES[corpus]} {value:.2f}" for corpus, value in printed.items())
    limits = list(printed.values())
    return compared(
        criterion,
        values,
        lambda *made: all(one <= most for one, most in zip(made, limits, strict=True)),
        beside,
        ".2f",
    )


def aic_below_bic(results: Results) -> Claim:
    """Judge the criteria on the trial sentences and both test sets."""
    gains = {}
    for title, sheet, corpus in (
        ("trial", DEV, FRENCH),
        *((TITLES[corpus], TEST, corpus) for corpus in CORPORA),
    ):
        one, other = (aer(results, sheet, corpus, criterion) for criterion in ("aic", "bic"))
        gains[title] = None if one is None or other is None else one - other
    printed = ", ".join(
        f"{table['ONMF + AIC'].aer - table[BIC].aer:+.2f}" for table in (TABLE_1, TABLE_2, TABLE_4)
    )
    return compared("AIC", gains, lambda *values: max(values) < 0, printed, "+.2f")


def links_per_word(results: Results) -> Claim:
    """Judge how many links a word has."""
    made = {name: figures(results, DEV, FRENCH, row(name.lower()).key) for name in ("AIC", "BIC")}
    values = {name: None if one is None else one.links_per_word for name, one in made.items()}
    return compared("links", values, lambda *all_of: max(all_of) < LINKS_PER_WORD, "1.02, 1.11", ".2f")


def pair(results: Results) -> tuple[Figures | None, Figures | None]:
    """Return cepts by AIC, and the intersection, in English-French."""
    return figures(results, TEST, FRENCH, row("aic").key), figures(results, TEST, FRENCH, "intersection")


def above_intersection(results: Results) -> Claim:
    """Judge recall and F of possible links."""
    cepts, plain = pair(results)
    values = {
        "R_P": cepts and cepts.plain.recall_possible - plain.plain.recall_possible if plain else None,
        "F_P": cepts and cepts.plain.f_possible - plain.plain.f_possible if plain else None,
    }
    one, other = TABLE_2["ONMF + AIC"], TABLE_2[INTERSECTION]
    printed = f"R_P {one.recall_possible - other.recall_possible:+.2f}, F_P {one.f_possible - other.f_possible:+.2f}"
    return compared("intersection", values, lambda *gains: min(gains) > 0, printed, "+.2f")


def below_cepts(results: Results) -> Claim:
    """Judge AER."""
    cepts, plain = pair(results)
    values = {
        "intersection": plain and plain.plain.aer,
        "AIC": cepts and cepts.plain.aer,
        "aligned by the intersection (%)": plain and plain.aligned,
    }
    printed = f"intersection {TABLE_2[INTERSECTION].aer:.2f}, AIC {TABLE_2['ONMF + AIC'].aer:.2f}"
    return compared("AER", values, lambda one, other, _: one < other, printed, ".2f")


def best_numbers(results: Results) -> Claim:
    """Judge the numbers of cepts that the criteria choose for the sentence of the figures."""
    found = sentence_criteria(results, DEV)
    values: dict[str, float | None] = {
        name.upper(): 1 + max(range(len(found)), key=lambda at: found[at][name]) if found else None
        for name in CRITERIA
    }
    return compared(
        "cepts", values, lambda *numbers: set(numbers) == {PAPER_CEPTS}, f"{PAPER_CEPTS} by both", ".0f"
    )


def noise(results: Results) -> Claim:
    """Judge the noise of the sentence of the figures, at the number of cepts that AIC chooses."""
    found = sentence_criteria(results, DEV)
    value = max(found, key=lambda one: one["aic"])["noise"] if found else None
    return compared("noise", {"P(c = 0)": value}, lambda one: one < NOISE, f"{PAPER_NOISE}", ".6f")


def annealing(results: Results) -> Claim:
    """Judge whether annealing has no higher AER than the paper's search."""
    values: dict[str, float | None] = {}
    for corpus in CORPORA:
        paper, ours = (figures(results, TEST, corpus, one.key) for one in (row("aic"), annealed("aic")))
        values[TITLES[corpus]] = ours.plain.aer - paper.plain.aer if paper and ours else None
    return compared("annealing", values, lambda *gains: max(gains) <= 0, "easier", "+.2f")


def annealed(criterion: str) -> Row:
    """The paper's own setting, by annealing."""
    return row(criterion)._replace(search=ANNEALING)


def word_measures(results: Results) -> Claim:
    """Judge the measures that know words alone by that of counts, all in the same model."""
    made = {
        name: results.figures(TEST, SMALL, FRENCH, Row(name, "aic", SMALL.scales[0]).key)
        for name in (*WORD_MEASURES, "counts")
    }
    values = {f"AER by {name}": None if one is None else one.plain.aer for name, one in made.items()}
    return compared(
        "measures", values, lambda *every: min(every[:-1]) > 2 * every[-1], "not proved successful", ".2f"
    )
