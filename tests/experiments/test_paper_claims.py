"""The page of the papers' claims: how statements are judged, and that it is what the script writes from the results."""

from __future__ import annotations

import doctest
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import both_directions
import paper_claims
import regularised
import translation
from cepts.errors import InputError
from freitag_2007 import command as names
from goutte_2004 import command as cepts_script
from huerta import command as sentences
from paper_tables import statements
from paper_tables.command import RESULTS
from paper_tables.judging import Claim
from paper_tables.statements import Paper, Report, Statement, Untestable, judge, page

if TYPE_CHECKING:
    from collections.abc import Callable

PARSERS: dict[str, Callable[[list[str]], object]] = {
    "both_directions": both_directions.parse,
    "cepts": cepts_script.parse,
    "names": names.parse,
    "regularised": regularised.parse,
    "sentences": sentences.parse,
    "translation": translation.parse,
}
CLAIMS = (
    Claim("It rises: here", "yes", "+1.0", "+2.0"),
    Claim("It rises: there", "no", "-1.0", "+2.0"),
    Claim("It falls", "yes", "-3.0"),
    Claim("It stays", "incomplete", "0.0 (1 of 2)", "0.0"),
)
REPORTS = {
    "first": Report("first", "python experiments/first.py", CLAIMS, ("row",)),
    "second": Report("second", "python experiments/second.py", (), ()),
}


def paper_of(*stated: Statement) -> Paper:
    return Paper("name-2000", "A. Name: *Title*", REPORTS, stated)


def stated(evidence: str | Claim | Untestable, **more: object) -> Statement:
    return Statement("table 1", "so it is", evidence, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    return [import_module(f"{folder}.statements").paper(RESULTS) for folder in paper_claims.FOLDERS]


def test_examples_in_docstrings() -> None:
    result = doctest.testmod(statements)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ("It rises", ("does not (1 of 2 do)", "+1.0; -1.0", "+2.0")),
        ("It rises: here", ("holds", "+1.0", "+2.0")),
        ("It rises: there", ("does not", "-1.0", "+2.0")),
        ("It falls", ("holds", "-3.0", "-")),
        ("It stays", ("not measured", "0.0 (1 of 2)", "0.0")),
        (Claim("of its own", "no", "5", "6"), ("does not", "5", "6")),
        (Untestable("it is not here", "7"), ("not testable here", "it is not here", "7")),
    ],
)
def test_a_statement_is_judged_by_its_evidence(
    evidence: str | Claim | Untestable, expected: tuple[str, str, str]
) -> None:
    one = stated(evidence)
    assert judge(paper_of(one), one) == expected


def test_a_statement_about_a_claim_that_is_gone_is_refused() -> None:
    one = stated("It fell")
    with pytest.raises(
        InputError,
        match="name-2000, table 1: no claim of the report first begins with 'It fell'; put the claim's new text",
    ):
        judge(paper_of(one), one)


def test_the_page_of_a_paper() -> None:
    text = page(
        [
            paper_of(
                stated("It falls", rows="`row`", options="--rows row"),
                stated(Claim("", "no", "a|b"), reports=("first", "second")),
                stated(Untestable("gone")),
            )
        ]
    )
    lines = text.splitlines()
    assert lines[0] == "# The papers, claim by claim"
    assert "| [name-2000](#name-2000) | 1 | 1 | 0 | 1 |" in lines
    assert (
        "| table 1 | so it is | **holds** | -3.0 | - | `row` | `python experiments/first.py --rows row` |"
        in lines
    )
    both = "`python experiments/first.py && python experiments/second.py`"
    assert f"| table 1 | so it is | **does not** | a\\|b | - | - | {both} |" in lines
    assert "| table 1 | so it is | **not testable here** | gone | - | - | - |" in lines
    assert all(len(line) <= 100 for line in lines if not line.startswith("|"))


def test_the_page_is_what_the_script_writes_from_the_results() -> None:
    assert paper_claims.PAGE.read_text("utf-8") == paper_claims.written(RESULTS), (
        "docs/papers.md is older than the results: python experiments/paper_claims.py"
    )


def test_every_paper_has_statements_with_results(papers: list[Paper]) -> None:
    assert [paper.name for paper in papers] == [
        "goutte-2004",
        "freitag-2007",
        "denero-2011",
        "schoenemann-2011",
        "huerta",
    ]
    for paper in papers:
        verdicts = {judge(paper, one).verdict for one in paper.statements}
        assert {"holds", "not testable here"} <= verdicts
        assert "not measured" not in verdicts


def test_rows_that_are_named_are_rows_of_the_report(papers: list[Paper]) -> None:
    for paper in papers:
        for one in paper.statements:
            known = {row for report in paper.reports_of(one) for row in report.rows}
            named = set(re.findall(r"`([^`]+)`", one.rows))
            assert named <= known, f"{paper.name}, {one.where}: {sorted(named - known)}"
            assert bool(one.rows) != isinstance(one.evidence, Untestable), one


def test_commands_are_those_of_the_scripts(papers: list[Paper]) -> None:
    found = {statements.command_of(paper, one).strip("`") for paper in papers for one in paper.statements}
    for command in {part for line in found for part in line.split(" && ")}:
        python, script, *arguments = shlex.split(command)
        path = Path(script)
        assert (python, path.parent.name) == ("python", "experiments")
        assert (paper_claims.HERE / path.name).exists()
        assert "--part" in arguments
        PARSERS[path.stem](arguments)  # ends the test where a name is unknown


def test_without_results_nothing_is_measured(tmp_path: Path) -> None:
    text = paper_claims.written(tmp_path)
    assert "**holds**" not in text
    assert "**does not" not in text
    assert "**not measured**" in text


def test_the_script(tmp_path: Path) -> None:
    output = tmp_path / "out" / "page.md"
    output.parent.mkdir()
    paper_claims.main(["--output", str(output)])
    assert output.read_text("utf-8") == paper_claims.written(RESULTS)
