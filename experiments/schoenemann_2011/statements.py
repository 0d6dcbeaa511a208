"""What schoenemann-2011 says, and what its reports and that of translation have to say to it."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from paper_tables.judging import Claim, all_above, all_below
from paper_tables.statements import Paper, Report, Statement, Untestable, compared
from schoenemann_2011.claims import claims, columns_of, differences, rising
from schoenemann_2011.paper import CITATION, paper_figures
from schoenemann_2011.results import Results, Sheet, final_objective, weighted_f
from schoenemann_2011.rows import CORPORA, MODELS, PLACES, TERMS
from translating import statements as translation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from paper_tables.judging import Numbers
    from schoenemann_2011.claims import Pairs

SMALL, LARGE = Sheet("small", "test"), Sheet("large", "test")
MEMORY = 4.0  # GB
TERM: Pairs = {
    "IBM-1, EM": ("ibm1-em-reg", "ibm1-em"),
    "IBM-1, PGD": ("ibm1-pgd-reg", "ibm1-pgd"),
    "HMM, EM": ("hmm-em-reg", "hmm-em"),
    "HMM, PGD": ("hmm-pgd-reg", "hmm-pgd"),
}
PGD: Pairs = {
    f"{title}, {term}": (f"{model}-pgd{suffix}", f"{model}-em{suffix}")
    for model, title in MODELS.items()
    for suffix, term in TERMS.items()
}
EXACT: Pairs = {"": ("hmm-em", "hmm-renormalised")}
BI: Pairs = {"": ("bihmm-em-reg", "hmm-em")}


def paper(folder: Path) -> Paper:
    """Put the statements together, with the results in a folder."""
    both = {sheet: Results(folder / f"{sheet.stem}.json") for sheet in (SMALL, LARGE)}
    small, large = (Rows(both[sheet], sheet) for sheet in (SMALL, LARGE))
    on_large = {"reports": (LARGE.stem,)}
    statements = (
        Statement(
            "table 2",
            "on large tasks the term usually raises F, of IBM-1 and of the HMM",
            large.mostly_f(TERM),
            "`ibm1-em-reg`, `ibm1-pgd-reg`, `hmm-em-reg`, `hmm-pgd-reg`, each without",
            **on_large,
        ),
        Statement(
            "table 2",
            "the exact M step has often a higher F than renormalised counts",
            large.mostly_f(EXACT),
            "`hmm-em`, `hmm-renormalised`",
            "--rows hmm-em,hmm-renormalised",
            (LARGE.stem,),
        ),
        Statement(
            "table 2",
            "IBM-4 is best everywhere, with the term in the HMM or without",
            "IBM-4 has a higher F than the HMM",
            "`ibm4`, `hmm-em`, `hmm-em-reg`",
            "--rows ibm4,hmm-em,hmm-em-reg",
            (LARGE.stem,),
        ),
        Statement(
            "table 3",
            "on small tasks the term raises F of the HMM",
            "HMM, EM: the term",
            "`hmm-em-reg`, `hmm-em`",
            "--rows hmm-em,hmm-em-reg",
        ),
        Statement(
            "table 3",
            "and that of IBM-1",
            "IBM-1, EM: the term",
            "`ibm1-em-reg`, `ibm1-em`",
            "--rows ibm1-em,ibm1-em-reg",
        ),
        Statement(
            "tables 2 and 3",
            "it matters more where text is scarce (mean gain of F: small, large)",
            scarce(small, large),
            "`ibm1-em-reg`, `ibm1-pgd-reg`, `hmm-em-reg`, `hmm-pgd-reg`, each without",
            reports=(SMALL.stem, LARGE.stem),
        ),
        Statement(
            "table 3",
            "it helps bi-word models greatly, EM",
            "Bi-HMM, EM: the term",
            "`bihmm-em-reg`, `bihmm-em`",
            "--rows bihmm-em,bihmm-em-reg",
        ),
        Statement(
            "table 3",
            "the same, PGD",
            "Bi-HMM, PGD: the term",
            "`bihmm-pgd-reg`, `bihmm-pgd`",
            "--rows bihmm-pgd,bihmm-pgd-reg",
        ),
        Statement(
            "table 3",
            "the Bi-HMM with the term beats the HMM without in most columns",
            small.mostly_f(BI),
            "`bihmm-em-reg`, `hmm-em`",
            "--rows bihmm-em-reg,hmm-em",
        ),
        Statement(
            "table 3",
            "the exact M step often beats renormalised counts",
            small.mostly_f(EXACT),
            "`hmm-em`, `hmm-renormalised`",
            "--rows hmm-em,hmm-renormalised",
        ),
        Statement(
            "tables 2 and 3",
            "EM has the higher F: the HMM",
            "HMM: EM has no lower F",
            "`hmm-em`, `hmm-pgd`, both with and without the term",
            "--rows hmm-em,hmm-em-reg,hmm-pgd,hmm-pgd-reg",
        ),
        Statement(
            "tables 2 and 3",
            "the same, IBM-1",
            "IBM-1: EM has no lower F",
            "`ibm1-em`, `ibm1-pgd`, both with and without the term",
            "--rows ibm1-em,ibm1-em-reg,ibm1-pgd,ibm1-pgd-reg",
        ),
        Statement(
            "section 6",
            "PGD ends in general at a slightly higher energy than EM",
            small.mostly_objective(PGD),
            "`ibm1-pgd`, `hmm-pgd`, `bi1-pgd`, `bihmm-pgd`, and EM; with and without the term",
        ),
        Statement(
            "section 5.2",
            "with renormalised counts the energy often increases after the first iterations",
            rising([(both[sheet], sheet) for sheet in (SMALL, LARGE)]),
            "`hmm-renormalised`, both tables",
            "--rows hmm-renormalised",
            (SMALL.stem, LARGE.stem),
        ),
        Statement(
            "section 7",
            "the term would probably make IBM-4 better, too",
            "IBM-4: the term in the HMM and in IBM-4",
            "`ibm4-reg`, `ibm4`",
            "--rows ibm4,ibm4-reg",
        ),
        Statement(
            "section 3",
            "p(b = 1) is 0.9: the rows are those of this setting (Bi-HMM less HMM, without the term)",
            printed_setting(small),
            "`bihmm-printed`, `bihmm-em`, `hmm-em`",
            "--rows bihmm-printed,bihmm-em,hmm-em",
        ),
        Statement(
            "section 6",
            f"small tasks need no more than {MEMORY:g} GB",
            memory(small),
            "all of the small table",
        ),
        Statement(
            "tables 4 and 5",
            "the term raises the BLEU of the HMM",
            translation.differences(
                folder,
                ("hmm-reg", "hmm"),
                all_above(0.0),
                "+0.39 (large), +0.27 (small)",
                ("de-en", "de-en-small"),
            ),
            "`hmm-reg`, `hmm`",
            "--rows hmm,hmm-reg",
            (translation.REPORT,),
        ),
        Statement(
            "table 5",
            "the Bi-HMM is behind IBM-4 in BLEU: not competitive, with the term",
            translation.differences(folder, ("bihmm-reg", "ibm4"), all_below(0.0), "-0.54", ("de-en-small",)),
            "`bihmm-reg`, `ibm4`",
            "--rows bihmm-reg,ibm4",
            (translation.REPORT,),
        ),
        Statement(
            "table 5",
            "the Bi-HMM without the term is above the HMM in BLEU",
            translation.differences(folder, ("bihmm", "hmm"), all_above(0.0), "+0.28", ("de-en-small",)),
            "`bihmm`, `hmm`",
            "--rows bihmm,hmm",
            (translation.REPORT,),
        ),
        Statement(
            "tables 2 and 3",
            "the figures of GIZA++",
            Untestable("our renormalised HMM and our IBM-4 stand for it; its program is not run"),
        ),
        Statement(
            "table 2",
            "levels at 500,000 and 1,000,000 pairs of Europarl and the Hansards",
            Untestable("our texts are smaller and the gold links are others"),
        ),
    )
    reports = {
        sheet.stem: Report(
            sheet.stem,
            f"python experiments/regularised.py --table {sheet.table} --part test",
            claims(both[sheet], sheet),
            (*PLACES, *CORPORA),
        )
        for sheet in (SMALL, LARGE)
    }
    return Paper(
        "schoenemann-2011", CITATION, reports | {translation.REPORT: translation.report_of()}, statements
    )


class Rows:
    """The rows of a table: F, ours and the paper's, and objectives."""

    def __init__(self, results: Results, sheet: Sheet) -> None:
        self.results, self.sheet = results, sheet
        self.ours = results.figures(sheet, weighted_f)
        self.paper = paper_figures(sheet.table)
        self.objectives = results.figures(sheet, final_objective)

    def mostly_f(self, pairs: Pairs) -> Claim:
        """Judge that the first row of a pair has a higher F in most columns."""
        return mostly(differences(self.ours, pairs), differences(self.paper, pairs))

    def mostly_objective(self, pairs: Pairs) -> Claim:
        """Judge that the first row of a pair ends higher in most columns; in percent."""
        return mostly(differences(self.objectives, pairs, relative=True), None)


def mostly(ours: Numbers, printed: Numbers | None) -> Claim:
    """Judge that most differences are above 0."""
    beside = "in general" if printed is None else shown(printed)
    return Claim("most are above 0", ours.verdict(majority), shown(ours), beside)


def majority(values: Sequence[float]) -> bool:
    """Tell whether most values are above 0."""
    return sum(value > 0 for value in values) > len(values) / 2


def shown(numbers: Numbers) -> str:
    """Write how many are above 0, and the mean."""
    values = list(numbers.values.values())
    if not values:
        return "-"
    return f"{sum(value > 0 for value in values)} of {len(values)} above, mean {mean(values):+.2f}"


def scarce(small: Rows, large: Rows) -> Claim:
    """Judge whether the term is worth more in the small table."""
    texts, verdict = [], "-"
    for ours in (True, False):
        gains = [differences(rows.ours if ours else rows.paper, TERM) for rows in (small, large)]
        complete = all(len(one.values) == one.expected for one in gains)
        means = [mean(one.values.values()) for one in gains] if complete else []
        texts.append(", ".join(f"{value:+.2f}" for value in means) or "-")
        if ours and complete:
            verdict = "yes" if means[0] > means[1] else "no"
    return Claim("more on small text", verdict, *texts)


def printed_setting(small: Rows) -> Claim:
    """Judge whether the Bi-HMM is as far from the HMM as in the paper, rather with p(b = 1) = 0.9 than with 0.1."""
    values: dict[str, float | None] = {}
    columns = [column.name for column in columns_of("bihmm-printed")]  # those in which both are run
    for title, row in (("0.9", "bihmm-printed"), ("0.1", "bihmm-em")):
        ours = differences(small.ours, {"": (row, "hmm-em")}).values
        complete = ours.keys() >= {*columns}
        values[f"with {title}"] = mean(ours[name] for name in columns) if complete else None
    paper = differences(small.paper, {"": ("bihmm-em", "hmm-em")}).values
    printed = mean(paper[name] for name in columns)
    return compared(
        "as printed",
        values,
        lambda one, other: abs(one - printed) < abs(other - printed),
        f"{printed:+.1f}",
        "+.1f",
    )


def memory(small: Rows) -> Claim:
    """Judge the most memory that a run of one direction took in the small table."""
    alone = [one for one in small.results.of_sheet(SMALL) if one.get("together", 1) == 1]
    most = [stage["peak_mb"] / 1024 for one in alone for stage in one["stages"] if stage]
    verdict = "-" if not most else "yes" if max(most) <= MEMORY else "no"
    return Claim("memory", verdict, f"{max(most):.1f} GB" if most else "-", f"{MEMORY:g} GB")
