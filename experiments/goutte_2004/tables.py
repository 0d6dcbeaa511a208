"""Tables 1 to 4: the paper's rows, then ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.combine import HEURISTICS
from cepts.combine.cepts import CRITERIA
from goutte_2004.choosing import choices
from goutte_2004.figures import COLUMNS, PAPER
from goutte_2004.rows import OURS, PAPER_ROWS, PAPERS, RUNS, Row
from paper_tables.markdown import markdown

if TYPE_CHECKING:
    from goutte_2004.figures import Figures, Scores
    from goutte_2004.results import Results, Sheet

# Links of the paper, for 721 French and 661 English words (section 6).
TRIAL_WORDS = 721 + 661
TRIAL_LINKS = {"ONMF + AIC": 707, "ONMF + BIC": 766}
SURE = (0, 1, 2, 6)  # the columns of table 4: all links are sure


class Line(NamedTuple):
    """A row of a table: whose it is, what it is, its scores without and with NULL, and what the paper does not have."""

    owner: str
    title: str
    plain: Scores | None
    null: Scores | None
    links_per_word: float | None = None
    aligned: float | None = None

    @property
    def extras(self) -> list[str]:
        """Links per word and percent of words aligned, as cells."""
        return [
            "-" if self.links_per_word is None else f"{self.links_per_word:.2f}",
            "-" if self.aligned is None else f"{self.aligned:.1f}",
        ]


def lines_of(results: Results, sheet: Sheet, corpus: str) -> list[Line]:
    """List the rows of a corpus that everybody should see."""
    found: list[tuple[str, str, Figures | None]] = []
    for run in RUNS:
        measure = "counts" if run is PAPERS else "attached"
        rows = [Row(measure, criterion, run.scales[0]) for criterion in CRITERIA]
        rows += PAPER_ROWS if run is PAPERS else ()
        rules = HEURISTICS if run is OURS else ("intersection", "grow-diag")
        keys = [(row.label, row.key) for row in rows] + [(rule, rule) for rule in rules]
        found += [(f"`{run.name}`", title, results.figures(sheet, run, corpus, key)) for title, key in keys]
    found += [
        ("**chosen on dev**", choice.label, results.chosen(sheet, choice, corpus))
        for choice in choices(results, sheet).values()
    ]
    ours = [Line(owner, title, *figures) for owner, title, figures in found if figures is not None]
    return [*paper_lines(sheet, corpus), *ours]


def paper_lines(sheet: Sheet, corpus: str) -> list[Line]:
    """List the paper's rows."""
    plain, null = PAPER.get((corpus, sheet.part), ({}, {}))
    lines = []
    for title in dict.fromkeys([*plain, *null]):
        links = TRIAL_LINKS.get(title) if sheet.part == "dev" else None
        per_word = None if links is None else 2 * links / TRIAL_WORDS
        lines.append(Line("the paper", title, plain.get(title), null.get(title), per_word))
    return lines


def one_table(results: Results, sheet: Sheet, corpus: str, null: bool) -> str:
    """Write a table with all columns, without or with NULL."""
    chosen = [(line, line.null if null else line.plain) for line in lines_of(results, sheet, corpus)]
    there = [(line, scores) for line, scores in chosen if scores is not None]
    lowest = min((scores.aer for _, scores in there), default=0.0)
    rows = [[line.owner, line.title, *cells(scores, lowest), *line.extras] for line, scores in there]
    return markdown(["", "links by", *COLUMNS, "links per word", "aligned"], rows)


def both_table(results: Results, sheet: Sheet, corpus: str) -> str:
    """Write a table of sure links alone, without and with NULL side by side."""
    there = lines_of(results, sheet, corpus)
    rows = []
    for line in there:
        row = [line.owner, line.title]
        for index, scores in ((2, line.plain), (3, line.null)):
            lowest = min(one[index].aer for one in there if one[index] is not None)
            made = ["-"] * len(COLUMNS) if scores is None else cells(scores, lowest)
            row += [made[column] for column in SURE]
        rows.append([*row, *line.extras])
    names = [COLUMNS[column] for column in SURE]
    heads = ["", "links by", *names, *(f"{name}, NULL" for name in names), "links per word", "aligned"]
    return markdown(heads, rows)


def cells(scores: Scores, lowest: float) -> list[str]:
    """Write scores, the lowest AER of a table in bold."""
    texts = [f"{score:.2f}" for score in scores]
    return [*texts[:-1], f"**{texts[-1]}**" if scores.aer == lowest else texts[-1]]
