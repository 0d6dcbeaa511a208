"""Benchmarks of memory and of costs by size: what they make of what they measure."""

import doctest
import json

import pytest

import cost_model
import cost_report
import memory
from corpora import ROOT
from tables import filled

SECONDS = dict.fromkeys(cost_model.PROPORTIONS, 1e-08)


def row_of(pairs: int) -> dict[str, object]:
    """Made-up sizes and costs: 100 cells and 20 words a pair, word pairs grow as the square root of cells."""
    cells, words = 100 * pairs, 20 * pairs
    entries = 10 * cells**0.5
    sizes = {"cells": cells, "words": words, "entries": entries, "types": words**0.5, "places": 120 * pairs}
    seconds = {name: 1e-8 * sizes[of] for name, of in cost_model.PROPORTIONS.items()}
    return {"corpus": "made", "pairs": pairs, **sizes, "chunk_entries": entries, "seconds": seconds}


def test_examples_in_docstrings() -> None:
    result = doctest.testmod(cost_model)
    assert result.attempted > 0
    assert result.failed == 0


def test_a_planted_law_is_found_and_predicts() -> None:
    fit = cost_model.fitted([row_of(100), row_of(400), row_of(1600)])
    assert fit["seconds"] == pytest.approx(SECONDS)
    assert fit["entries"] == pytest.approx((10, 0.5))
    assert fit["per_pair"] == {"words": 20, "cells": 100, "places": 120}
    pairs = 10_000
    entries = 10 * (100 * pairs) ** 0.5
    by_hand = 1e-8 * (20 * pairs + 2 * 100 * pairs + 9 * (100 * pairs + entries))
    assert cost_report.one_run(fit, pairs) == pytest.approx(by_hand)
    limit = cost_report.pairs_with(fit, 1000)
    assert cost_report.entries_of(fit, 100 * limit) == pytest.approx(1000)


def test_figures_on_paper_follow_from_the_assumptions() -> None:
    fit = cost_model.fitted([row_of(100), row_of(400)])
    paper = cost_report.extended(fit, 10**6)
    machines = cost_report.MACHINES
    at_work = machines["machines"] * machines["cores"] * machines["share_of_time_at_work"]
    assert paper["work_hours"] == pytest.approx(cost_report.one_run(fit, 10**6) / at_work / 3600)
    assert paper["dollars"] == pytest.approx(paper["hours"] * 100 * 0.8)
    assert paper["network_bytes"]["merged"] == pytest.approx(16 * 10 * (10**8 / 100) ** 0.5)
    assert f"| money | {paper['dollars']:,.0f} dollars |" in cost_report.paper_table(paper)


def test_the_page_has_the_figures_that_were_measured() -> None:
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    assert page.count("<!-- costs: begin -->") == page.count("<!-- costs: end -->") == 1
    result = json.loads((ROOT / "benchmarks/results/cost-model.json").read_text())
    assert filled(page, "costs", cost_report.figures(result)) == page


def part_of(memory_limit: str | None, wall: float, links: str = "a") -> dict[str, object]:
    settings = {
        "corpus": "de-en",
        "pairs": 400_000,
        "memory": memory_limit,
        "threads": 2,
        "options": "--method fast",
    }
    costs = {"cpu_seconds": 2 * wall, "wall_seconds": wall, "peak_mb": 1000.0}
    return {"settings": settings, **costs, "links": links}


def test_a_limit_is_compared_with_none() -> None:
    rows = memory.rows({"unbounded": part_of(None, 10.0), "bounded": part_of("1G", 15.0)})
    goals = {row["what"]: row["met"] for row in rows if row["goal"] is not None}
    assert goals == {
        "peak memory: de-en, 400,000 pairs, --memory 1G, --method fast": True,
        "wall time under the limit, without it = 1": True,
        "the same links, to the last byte": True,
    }
    other = memory.rows({"unbounded": part_of(None, 10.0), "bounded": part_of("1G", 17.0, "b")})
    assert [row["met"] for row in other if row["goal"] is not None] == [True, False, False]


def test_parts_are_kept_and_not_measured_again(tmp_path, monkeypatch) -> None:
    asked = []

    def measured(name, wanted, _):
        asked.append(name)
        if name == "advised":
            return {"settings": wanted, "peaks": [{"asked": "300M", "peak_mb": 280.0}] * len(wanted["runs"])}
        return part_of(wanted["memory"], 1.0) | {"settings": wanted}

    monkeypatch.setattr(memory, "measured", measured)
    arguments = ["--pairs", "10", "--output", str(tmp_path)]
    memory.main([*arguments, "--part", "bounded"])
    memory.main(arguments)
    assert asked == ["bounded", "unbounded", "little", "synthetic", "advised"]
    memory.main([*arguments, "--part", "bounded"])
    assert len(asked) == 5
    memory.main([*arguments, "--part", "bounded", "--again"])
    memory.main(["--pairs", "11", "--output", str(tmp_path), "--part", "bounded"])
    assert asked[5:] == ["bounded", "bounded"]
    assert "## Does it hold?" in (tmp_path / "memory.md").read_text()
