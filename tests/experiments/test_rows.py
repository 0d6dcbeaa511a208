import doctest

import pytest

from paper_tables import command, judging, markdown, meter, store
from schoenemann_2011 import claims, paper, plots, report, results, rows, scoring
from schoenemann_2011.claims import differences
from schoenemann_2011.paper import PRINTED, TO_THE_LETTER, paper_figures
from schoenemann_2011.rows import BESIDE, COLUMNS, PLACES, RUNS, TABLES, TITLES, Run, recipe_of, runs_of

MODULES = [command, judging, markdown, meter, store, claims, paper, plots, report, results, rows, scoring]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_in_docstrings(module) -> None:
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0


def test_every_row_is_filled_by_one_run() -> None:
    filled = [row for run in RUNS for row in run.rows if row is not None]
    assert sorted(filled) == sorted(TITLES)
    assert len(runs_of(TABLES["small"].rows)) == len(RUNS) == 17
    assert len(runs_of(TABLES["large"].rows)) == 7
    assert {run.options["model_type"] for run in runs_of(TABLES["large"].rows)} == {"hmm", "ibm4"}


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_every_stage_of_a_run_has_a_place(run: Run) -> None:
    assert len(recipe_of(run, "forward").iterations) == len(run.rows)


def test_the_rows_of_the_paper_have_its_settings() -> None:
    # section 6: 30 iterations of IBM-1 and 50 of the HMM; section 4: lambda 2.5 for mono-word, 0.5 for bi-word models
    strengths = {
        "hmm-em": "off",
        "hmm-pgd-reg": 2.5,
        "bihmm-em": "off",
        "bihmm-em-reg": 0.5,
        "hmm-em-auto": "auto",
        "ibm4": "off",
    }
    for row, strength in strengths.items():
        made = recipe_of(PLACES[row][0], "reverse")
        assert (made.regularity, made.ibm1_iterations, made.hmm_iterations) == (strength, 30, 50)
        assert (made.direction, made.training, made.jump_band) == ("reverse", "independent", 5)
        assert made.optimizer == ("pgd" if "pgd" in row else "em")
    assert recipe_of(PLACES["hmm-renormalised"][0], "forward").jump_update == "renormalised"
    assert recipe_of(PLACES["ibm4"][0], "forward").ibm4_iterations == 5
    chain = recipe_of(PLACES["ibm4-chain"][0], "forward")  # section 6.1
    assert chain.stages == {"ibm1": 30, "hmm": 50, "ibm3": 5, "ibm4": 5}
    for row in ("bihmm-printed", "bi1-printed-reg"):
        assert recipe_of(PLACES[row][0], "forward").double_probability == 0.9  # section 3
    terms = {
        row: (recipe_of(PLACES[row][0], "forward").regularity, PLACES[row][0].last_term)
        for row in ("ibm4-reg", "ibm4-hmm-reg", "ibm4-own-reg")
    }
    assert terms == {"ibm4-reg": (2.5, None), "ibm4-hmm-reg": (2.5, "off"), "ibm4-own-reg": ("off", 2.5)}
    assert recipe_of(PLACES["hmm-em"][0], "forward", 2).signature.count("_iterations:2|") == 2
    assert recipe_of(PLACES["ibm4"][0], "forward", 2).signature.count("_iterations:2|") == 3


def test_columns_are_named_after_what_is_generated_given_what() -> None:
    languages = {"en": "En", "es": "Es", "de": "De", "fr": "Fr"}
    for column in COLUMNS:
        source, target = (languages[part] for part in column.corpus.split("-")[:2])
        forward = f"{target}|{source}"  # source words generate target words
        assert column.name == (forward if column.direction == "forward" else f"{source}|{target}")


def test_the_figures_of_the_paper() -> None:
    assert set(PRINTED["large"]) | {"hmm-em-auto"} == set(TABLES["large"].rows)
    printed = {"bi1-printed", "bi1-printed-reg", "bihmm-printed", "bihmm-printed-reg"}
    assert set(PRINTED["small"]) | {"hmm-em-auto", *BESIDE, *printed} == set(TABLES["small"].rows)
    assert set(TO_THE_LETTER) == printed | {"ibm4-chain"}
    small = paper_figures("small")
    # The ranges that a reader of table 3 finds: IBM-1 +0.3 to +1.6, HMM +0.8 to +3.1.
    ibm1 = differences(small, {"": ("ibm1-em-reg", "ibm1-em")}).values.values()
    hmm = differences(small, {"": ("hmm-em-reg", "hmm-em")}).values.values()
    assert (min(ibm1), max(ibm1)) == (pytest.approx(0.3), pytest.approx(1.6))
    assert (min(hmm), max(hmm)) == (pytest.approx(0.8), pytest.approx(3.1))
