"""What the papers say, sentence by sentence, each with its evidence: the page `docs/papers.md`.

A statement is a record. Its evidence is the beginning of claims that a report judges, a claim of its own, judged from
the rows of the report, or a reason why nobody can test it here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import InputError
from paper_tables.judging import Claim
from paper_tables.markdown import joined, markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

HOLDS, DOES_NOT, UNMEASURED, UNTESTABLE = "holds", "does not", "not measured", "not testable here"
VERDICTS = {"yes": HOLDS, "no": DOES_NOT}
WIDTH = 100


class Report(NamedTuple):
    """A report: its file in experiments/results, what runs it, the claims that it judges, and the names of its rows."""

    stem: str
    command: str
    claims: Sequence[Claim]
    rows: Collection[str]


class Untestable(NamedTuple):
    """Why a statement cannot be tested here, and what the paper has."""

    reason: str
    paper: str = "-"


@dataclass(frozen=True)
class Statement:
    """What a paper says, and where; its evidence, the rows that this comes from, and the report that has them.

    `evidence` as text is how claims of the report begin. In `rows`, names between backticks are those of rows.
    `options` are added to the command of the report: for these rows no more needs to be run. Without `reports` it is
    the paper's first; claims are those of the first one that is named.
    """

    where: str
    text: str
    evidence: str | Claim | Untestable
    rows: str = ""
    options: str = ""
    reports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """A paper: its name, its citation, the reports about it, and what it says."""

    name: str
    citation: str
    reports: Mapping[str, Report]
    statements: Sequence[Statement]

    def reports_of(self, statement: Statement) -> list[Report]:
        """Return the reports that a statement is about."""
        return [self.reports[name] for name in statement.reports or tuple(self.reports)[:1]]


class Judged(NamedTuple):
    """A statement with its verdict and the figures, ours and the paper's."""

    verdict: str
    ours: str
    paper: str


def judge(paper: Paper, statement: Statement) -> Judged:
    """Judge a statement by its evidence: it holds if all claims do."""
    if isinstance(statement.evidence, Untestable):
        return Judged(UNTESTABLE, statement.evidence.reason, statement.evidence.paper)
    claims = claims_of(paper, statement)
    verdicts = [VERDICTS.get(claim.verdict, UNMEASURED) for claim in claims]
    printed = "; ".join(dict.fromkeys(claim.paper for claim in claims))
    return Judged(together(verdicts), "; ".join(claim.ours for claim in claims), printed)


def claims_of(paper: Paper, statement: Statement) -> list[Claim]:
    """Return the claims that are a statement's evidence; there must be some, if anything was measured."""
    if isinstance(statement.evidence, Claim):
        return [statement.evidence]
    report, beginning = paper.reports_of(statement)[0], str(statement.evidence)
    found = [claim for claim in report.claims if claim.text.startswith(beginning)]
    if not found and any(claim.ours != "-" for claim in report.claims):
        raise InputError(
            f"{paper.name}, {statement.where}: no claim of the report {report.stem} begins with {beginning!r}; "
            "put the claim's new text into the statement"
        )
    return found or [Claim(beginning, "-", "-")]


def together(verdicts: list[str]) -> str:
    """Make one verdict of several.

    >>> together(["holds", "holds"]), together(["holds", "does not", "holds"])
    ('holds', 'does not (2 of 3 do)')
    """
    counts = Counter(verdicts)
    if counts[UNMEASURED]:
        return UNMEASURED
    if counts[DOES_NOT]:
        return DOES_NOT if len(verdicts) == 1 else f"{DOES_NOT} ({counts[HOLDS]} of {len(verdicts)} do)"
    return HOLDS


def page(papers: Iterable[Paper]) -> str:
    """Write the page of all papers."""
    known = list(papers)
    judged = {paper.name: [judge(paper, one) for one in paper.statements] for paper in known}
    return joined([heading(judged), *(section_of(paper, judged[paper.name]) for paper in known)])


def heading(judged: Mapping[str, list[Judged]]) -> str:
    """Say what the page is, and count the verdicts of each paper."""
    text = (
        "What the five papers behind Cepts say that can be tested, sentence by sentence: whether it holds here, our "
        "figure beside the paper's, the rows that it comes from, and the command that runs these rows again. The data "
        "are other ones than the papers' unless something else is said: compare signs and differences, not levels. "
        "Where a figure has a 95 % interval, this stands beside it."
    )
    making = (
        "`python experiments/paper_claims.py` writes this page from the results in `experiments/results/`, where the "
        "reports are, too. The commands need the data ([CONTRIBUTING.md](../CONTRIBUTING.md)); they run what "
        "has no row yet, and with the option `again` what has one, too."
    )
    counts = {
        name: Counter(one.verdict.partition(" (")[0] for one in found) for name, found in judged.items()
    }
    heads = [HOLDS, DOES_NOT, UNMEASURED, UNTESTABLE]
    rows = [[f"[{name}](#{name})", *(str(found[head]) for head in heads)] for name, found in counts.items()]
    return "\n\n".join(
        [
            "# The papers, claim by claim",
            *map(wrapped, (text, making)),
            markdown(["", *heads], rows),
        ]
    )


def section_of(paper: Paper, judged: list[Judged]) -> str:
    """Write the table of a paper."""
    rows = [
        [
            one.where,
            one.text,
            f"**{found.verdict}**",
            found.ours,
            found.paper,
            one.rows or "-",
            "-" if isinstance(one.evidence, Untestable) else command_of(paper, one),
        ]
        for one, found in zip(paper.statements, judged, strict=True)
    ]
    heads = ["where", "what the paper says", "here", "ours", "the paper", "rows", "command"]
    reports = [
        f"[{report.stem}](../experiments/results/{report.stem}.md)" for report in paper.reports.values()
    ]
    text = wrapped(f"{paper.citation}. Reports: {', '.join(reports)}.")
    return f"## {paper.name}\n\n{text}\n\n{markdown(heads, rows)}"


def wrapped(text: str) -> str:
    """Break the lines of a paragraph."""
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def command_of(paper: Paper, statement: Statement) -> str:
    """Write the command that runs a statement's rows."""
    commands = (report.command for report in paper.reports_of(statement))
    return f"`{' && '.join(' '.join(filter(None, (one, statement.options))) for one in commands)}`"


def compared(
    text: str,
    values: Mapping[str, float | None],
    holds: Callable[..., bool],
    printed: str = "-",
    form: str = ".1f",
) -> Claim:
    """Judge a claim about figures by name, once all are there.

    >>> compared("it falls", {"before": 3.0, "after": 2.0}, lambda one, other: other < one, "4 to 3")
    Claim(text='it falls', verdict='yes', ours='before 3.0, after 2.0', paper='4 to 3')
    """
    known = {name: value for name, value in values.items() if value is not None}
    ours = ", ".join(f"{name} {value:{form}}" for name, value in known.items()) or "-"
    verdict = "-" if len(known) < len(values) or not values else "yes" if holds(*known.values()) else "no"
    return Claim(text, verdict, ours, printed)
