"""`--set FIELD=VALUE`: any setting of a recipe by its name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cepts.aligning import recipe
from cepts.aligning.recipes import SETTINGS
from cepts.cli.options import parse_setting
from tests.cli.command import refused, succeed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text


@pytest.fixture
def saved(text: Text, tmp_path: Path) -> Path:
    """Return a model whose recipe was changed by `--set`."""
    settings = ("jump_band=5", "null_as_word=true", "regularity=off", "hmm_prior=0.2", "hmm-iterations=2")
    given = [word for each in settings for word in ("--set", each)]
    succeed("train", text.source, text.target, *given, "--output", tmp_path / "model")
    return tmp_path / "model"


def test_settings_reach_the_recipe(saved: Path) -> None:
    kept = json.loads(succeed("info", saved, "--json"))["meta"]["recipe"]
    changed = {"jump_band": 5, "null_as_word": True, "hmm_prior": 0.2, "hmm_iterations": 2}
    assert kept == recipe(**changed).to_dict()


def test_a_setting_is_the_same_as_its_option(text: Text) -> None:
    by_option = succeed("align", text.source, text.target, "--families", "off", "--prior", "0", "--scores")
    by_set = ("--set", "families=off", "--set", "ibm1_prior=0", "--set", "hmm_prior = 0")
    assert succeed("align", text.source, text.target, *by_set, "--scores") == by_option
    assert by_option != succeed("align", text.source, text.target, "--scores")


def test_a_setting_of_one_stage_counts_more_than_an_option_for_both(text: Text, tmp_path: Path) -> None:
    given = ("--prior", "0.3", "--set", "ibm1_prior=0", "--iterations", "ibm1=2", "--set", "hmm_iterations=1")
    succeed("train", text.source, text.target, *given, "--output", tmp_path / "model")
    kept = json.loads(succeed("info", tmp_path / "model", "--json"))["meta"]["recipe"]
    names = ("ibm1_prior", "hmm_prior", "ibm1_iterations", "hmm_iterations")
    assert [kept[name] for name in names] == [0.0, 0.3, 2, 1]


def test_how_links_are_made_can_be_set_for_a_model(saved: Path, text: Text) -> None:
    place = ("align", "--model", saved, text.source, text.target)
    assert succeed(*place, "--set", "combine=gdfa") == succeed(*place, "--combine", "grow-diag-final-and")
    few = succeed(*place, "--set", "calibrated_threshold=0.9")
    assert few == succeed(*place, "--min-confidence", "0.9") != succeed(*place)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("jump_bnd=5", "--set: unknown option 'jump_bnd'; did you mean 'jump_band'?"),
        ("jump_band", "--set jump_band: expected FIELD=VALUE, such as jump_band=5"),
        ("jump_band=five", "--set jump_band=five: expected a number from 1 to 100"),
        ("jump_band=", "--set jump_band=: expected a number from 1 to 100"),
        ("jump_band=2.5", "--set jump_band=2.5: expected a number from 1 to 100"),
        ("jump_band=0", "--jump-band 0: expected a number from 1 to 100"),
        ("doubt=nan", "--doubt nan: expected a number from 0.001 to 1000"),
        ("regularity=much", "--set regularity=much: expected auto, off or a number from 0 to 1e+06"),
        ("families=middles", "--families middles: expected one of off, beginnings, endings"),
        ("null_as_word=maybe", "--set null_as_word=maybe: expected true or false"),
        ("posterior_threshold=2", "--set posterior_threshold=2.0: expected a number from 0 to 1"),
        ("method=fast", "--set method=fast: the recipe itself is named by --method"),
        ("jump_band=5 --jump-band 6", "--jump-band is given twice; drop one of them"),
        ("jump_band=5 --set jump_band=5", "--jump-band is given twice; drop one of them"),
        ("rounds=5", "--rounds needs --combine dual; add that, or drop it"),
        ("lexicon_weight=2", "--lexicon-weight needs --lexicon; add that, or drop it"),
    ],
)
def test_what_cannot_be_set_is_refused_in_one_line(arguments: str, message: str, text: Text) -> None:
    assert refused("align", text.source, text.target, "--set", *arguments.split()) == message


@pytest.mark.parametrize("setting", ["jump_band=5", "null_as_word=true", "ibm1_prior=0"])
def test_settings_of_training_cannot_be_changed(setting: str, saved: Path, text: Text) -> None:
    said = refused("align", "--model", saved, text.source, text.target, "--set", setting)
    name = {"jump_band": "--jump-band", "ibm1_prior": "--prior"}.get(
        setting.partition("=")[0], "--set null_as_word"
    )
    assert said == f"{name} cannot change a model that is trained; drop it, or --model"


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "method"])
def test_the_default_of_every_setting_can_be_read(name: str) -> None:
    usual = getattr(recipe(), name)
    if usual is not None:
        assert parse_setting(name, str(usual)) == usual
        assert getattr(recipe(**{name: parse_setting(name, str(usual))}), name) == usual
