from pathlib import Path

import pytest

from schoenemann_2011.claims import Claim, claims, speed_claims
from schoenemann_2011.results import Results, Sheet
from schoenemann_2011.rows import COLUMNS, PLACES
from schoenemann_2011.statements import Rows, memory, printed_setting
from tests.experiments.records import make_record, make_results, make_stage

SHEET = Sheet("small", "test")
BASES = {"ibm1": 50.0, "hmm": 60.0, "bi1": 48.0, "bihmm": 58.0, "ibm3": 55.0, "ibm4": 65.0}
RISING = "HMM, EM, renormalised counts"  # which no planted objective does


def planted_f(row: str, column: str) -> float:
    """All that is claimed is true: the term is worth 2, EM 1, the exact M step 0.5, the HMM 10, IBM-4 5 more."""
    model, _, rest = row.partition("-")
    gains = (
        2.0 * rest.endswith(("reg", "auto")) + 1.0 * rest.startswith("em") + 0.5 * (rest == "renormalised")
    )
    return BASES[model] + gains + 0.1 * [one.name for one in COLUMNS].index(column)


def planted_objective(row: str, _: str) -> float:
    return {"pgd": 1000.0, "renormalised": 1010.0}.get(row.partition("-")[2].removesuffix("-reg"), 1004.0)


def judged(results: Results, beginning: str, sheet: Sheet = SHEET) -> list[Claim]:
    return [claim for claim in claims(results, sheet) if claim.text.startswith(beginning)]


def test_planted_truth_is_found(tmp_path: Path) -> None:
    results = make_results(tmp_path / "x.json", SHEET, planted_f, planted_objective)
    found = claims(results, SHEET)
    assert len(found) == 26
    assert [claim.text.partition(":")[0] for claim in found if claim.verdict != "yes"] == [RISING]
    # 100 (1004 - 1010) / 1010
    assert judged(results, "HMM, EM: the exact M step ends")[0].ours.startswith("-0.594 (Es|En) to -0.594 (")
    assert judged(results, "HMM: EM's objective")[0].ours.endswith("mean +0.400")
    assert judged(results, "IBM-1, EM: the term")[0].ours.endswith("mean +2.0")
    # table 3 of the paper: 56.0 - 54.5, 57.2 - 56.0, 60.4 - 59.0, 64.5 - 63.6, 78.7 - 77.1, 79.5 - 79.2
    assert judged(results, "IBM-1, EM: the term")[0].paper == "+0.3 (En|Fr) to +1.6 (Fr|En), mean +1.2"


@pytest.mark.parametrize(
    ("row", "column", "worth", "beginning", "verdict"),
    [
        ("hmm-em-reg", "De|En", -2.0, "HMM, EM: the term", "no"),  # as good as without: not better
        ("hmm-em-reg", "De|En", -1.9, "HMM, EM: the term", "yes"),
        ("ibm1-pgd-reg", "En|Fr", -2.1, "IBM-1, PGD: the term", "no"),
        ("bihmm-em-reg", "Es|En", -2.9, "Bi-HMM, EM: the term", "yes"),  # mean (5 * 2 - 0.9) / 6 = 1.52
        ("bihmm-em-reg", "Es|En", -3.1, "Bi-HMM, EM: the term", "no"),  # mean (5 * 2 - 1.1) / 6 = 1.48
        ("hmm-em", "Es|En", -2.9, "HMM, EM: the exact M step has", "yes"),  # mean (6 * 0.5 - 2.9) / 6 > 0
        ("hmm-em", "Es|En", -3.1, "HMM, EM: the exact M step has", "no"),
        ("bi1-em", "Es|En", -12.5, "Bi-1: EM has no lower F", "no"),  # 12 columns of 1: mean (12 - 12.5) / 12
        ("hmm-em", "Fr|En", -7.5, "The HMM has", "no"),  # 2.5 above IBM-1
        ("hmm-em", "Fr|En", -6.5, "The HMM has", "yes"),
        (
            "ibm4",
            "De|En",
            -2.1,
            "IBM-4 has a higher F than the HMM, EM, with",
            "no",
        ),  # 65 - 2.1 against 60 + 3
        ("ibm4", "De|En", -1.9, "IBM-4 has a higher F than the HMM, EM, with", "yes"),
        ("ibm4", "De|En", -3.9, "IBM-4 has a higher F than the HMM, EM, no", "yes"),
        ("ibm4", "De|En", -4.1, "IBM-4 has a higher F than the HMM, EM, no", "no"),
        ("ibm4-hmm-reg", "De|En", -2.1, "IBM-4: the term in the HMM that", "no"),
        ("ibm4-own-reg", "De|En", -2.1, "IBM-4: the term in the HMM that", "yes"),
        ("ibm4-own-reg", "De|En", -2.1, "IBM-4: the term in IBM-4 alone", "no"),
        ("ibm4-reg", "De|En", -2.1, "IBM-4: the term in the HMM and", "no"),
        ("ibm4-chain", "De|En", -0.1, "IBM-4 behind 5 iterations", "no"),
        ("bihmm-printed", "Es|En", 0.9, "Bi-HMM, EM, no reg.: F is lower", "yes"),
        ("bihmm-printed", "Es|En", 1.1, "Bi-HMM, EM, no reg.: F is lower", "no"),
        ("bihmm-printed-reg", "Es|En", 1.1, "Bi-HMM, EM, with reg.: F is lower", "no"),
    ],
)
def test_one_figure_decides(
    tmp_path: Path, row: str, column: str, worth: float, beginning: str, verdict: str
) -> None:
    def changed(one: str, other: str) -> float:
        return planted_f(one, other) + worth * ((one, other) == (row, column))

    results = make_results(tmp_path / "x.json", SHEET, changed, planted_objective)
    assert [claim.verdict for claim in judged(results, beginning)] == [verdict]


@pytest.mark.parametrize(
    ("row", "objective", "beginning", "verdict"),
    [
        ("hmm-em", 1009.9, "HMM, EM: the exact M step ends", "yes"),
        ("hmm-em", 1010.0, "HMM, EM: the exact M step ends", "no"),
        ("ibm1-em-reg", 1004.9, "IBM-1: EM's objective", "yes"),
        ("ibm1-em-reg", 1005.1, "IBM-1: EM's objective", "no"),
        ("bihmm-em", 900.0, "Bi-HMM: EM's objective", "yes"),
    ],
)
def test_one_objective_decides(
    tmp_path: Path, row: str, objective: float, beginning: str, verdict: str
) -> None:
    def changed(one: str, other: str) -> float:
        return objective if (one, other) == (row, "En|De") else planted_objective(one, other)

    results = make_results(tmp_path / "x.json", SHEET, planted_f, changed)
    assert [claim.verdict for claim in judged(results, beginning)] == [verdict]


@pytest.mark.parametrize(("runs", "verdict"), [(3, "no"), (4, "yes")])
def test_objectives_that_rise(tmp_path: Path, runs: int, verdict: str) -> None:
    results = make_results(tmp_path / "x.json", SHEET, planted_f, planted_objective)
    for column in COLUMNS[:runs]:
        stage = results.stage(SHEET, "hmm-renormalised", column)
        assert stage is not None
        stage["objectives"] = [9.0, 7.0, 8.0, 6.0, 6.5]
    (claim,) = judged(results, RISING)
    assert (claim.verdict, claim.ours) == (verdict, f"rises in {runs} of 6 runs, in {2 * runs} iterations")


def test_missing_rows_are_said(tmp_path: Path) -> None:
    def some(row: str, column: str) -> float | None:
        there = not row.startswith("bi") and (row, column) != ("hmm-em-reg", "Es|En")
        return planted_f(row, column) if there else None

    results = make_results(tmp_path / "x.json", SHEET, some, planted_objective)
    (incomplete,) = judged(results, "HMM, EM: the term")
    assert incomplete.verdict == "incomplete"
    assert incomplete.ours.endswith("mean +2.0 (5 of 6)")
    assert judged(results, "HMM, PGD: the term")[0].verdict == "yes"
    assert judged(results, "Bi-HMM, EM: the term")[0][1:3] == ("-", "-")


def test_the_large_table_says_nothing_of_bi_word_models(tmp_path: Path) -> None:
    sheet = Sheet("large", "test")
    results = make_results(tmp_path / "x.json", sheet, planted_f, planted_objective)
    found = claims(results, sheet)
    assert len(found) == 14
    assert not any(claim.text.startswith("Bi") for claim in found)
    assert [claim.text.partition(":")[0] for claim in found if claim.verdict != "yes"] == [RISING]
    assert speed_claims(results, sheet) == []


def test_what_it_may_cost(tmp_path: Path) -> None:
    results = make_results(tmp_path / "x.json", SHEET, planted_f)
    slower, total, minutes, memory = speed_claims(results, SHEET)
    # both take 1.5 s an iteration; 98 runs of 12 s and three corpora that were read in 6 s; a stage is 3 s and 100 MB
    assert (slower.verdict, slower.ours) == ("yes", "+0.0 (Es|En) to +0.0 (En|Fr), mean +0.0")
    assert (total.verdict, total.ours) == ("yes", "19.9 minutes (98 of 98 runs)")
    assert (minutes.verdict, minutes.ours[:4]) == ("yes", "0.1 ")
    assert (memory.verdict, memory.ours[:4]) == ("yes", "0.1 ")
    assert speed_claims(results, Sheet("small", "test", pairs=300)) == []


@pytest.mark.parametrize(
    ("at", "row", "changes"),
    [
        (0, "hmm-em", {"wall_seconds": 3.91}),  # more than 1.3 times 3 s
        (2, "bihmm-em-reg", {"wall_seconds": 600.0}),  # with the 3 s of Bi-1 more than 10 minutes
        (3, "bihmm-em", {"peak_mb": 6200.0}),
    ],
)
def test_what_costs_too_much(tmp_path: Path, at: int, row: str, changes: dict[str, float]) -> None:
    results = make_results(tmp_path / "x.json", SHEET, planted_f)
    column = next(one for one in COLUMNS if one.name == "En|De")
    stage = results.stage(SHEET, row, column)
    assert stage is not None
    stage.update(changes)
    assert [claim.verdict for claim in speed_claims(results, SHEET)] == [
        "no" if n == at else "yes" for n in range(4)
    ]


def rows_of(path: Path) -> Rows:
    return Rows(make_results(path, SHEET, planted_f, planted_objective), SHEET)


def test_the_printed_setting_is_judged_by_the_distance_from_the_hmm(tmp_path: Path) -> None:
    # The paper's rows: the Bi-HMM is 2.4 below the HMM where 0.9 is run. Ours: 2 below with 0.1 (59, 61), 3 with 0.9.
    rows = rows_of(tmp_path / "x.json")
    found = printed_setting(rows)
    assert (found.verdict, found.ours, found.paper) == ("no", "with 0.9 -3.0, with 0.1 -2.0", "-2.4")
    for name in [place for place in rows.ours if place[0] == "bihmm-em"]:
        rows.ours[name] += 2.0
    assert printed_setting(rows).verdict == "yes"
    del rows.ours["bihmm-printed", "Es|En"]
    assert printed_setting(rows).verdict == "-"


def test_memory_is_that_of_one_direction(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "x.json")
    record = rows.results.record(SHEET, PLACES["bihmm-em"][0], COLUMNS[0])
    assert record is not None
    record["stages"][0]["peak_mb"] = 5 * 1024.0
    assert (memory(rows).verdict, memory(rows).ours) == ("no", "5.0 GB")
    record["together"] = 2
    assert (memory(rows).verdict, memory(rows).ours) == ("yes", "0.1 GB")


def test_a_table_that_takes_too_long(tmp_path: Path) -> None:
    results = make_results(tmp_path / "x.json", SHEET, planted_f)
    run, _ = PLACES["hmm-em"]
    stages = [make_stage(50.0, 1.0), make_stage(60.0, 1.0)]
    slow = make_record(SHEET, run, COLUMNS[0], stages, wall_seconds=3000.0)
    results.records[tuple(SHEET.place(run, COLUMNS[0]).values())] = slow
    assert speed_claims(results, SHEET)[1].verdict == "no"
