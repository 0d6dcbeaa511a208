"""The public names: offered, importable, described."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

import cepts
from cepts.aligning import Recipe
from cepts.evaluation import evaluate
from cepts.links import Links
from tests.docs import settings
from tests.docs.pages import ROOT, read

REFERENCE = ROOT / "docs" / "python-reference.md"


def homes_for_type_checkers() -> dict[str, str]:
    """Read the imports below `if TYPE_CHECKING:` of the package: name -> module."""
    tree = ast.parse(Path(cepts.__file__).read_text(encoding="utf-8"))
    imports = [
        statement
        for block in tree.body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
    ]
    return {
        name.name: str(statement.module).removeprefix("cepts.")
        for statement in imports
        for name in statement.names
    }


def test_all_is_what_can_be_had() -> None:
    assert set(cepts.__all__) == {*cepts._HOMES, "__version__"}
    assert cepts.__all__ == sorted(cepts.__all__)
    assert set(dir(cepts)) == {*cepts.__all__, *cepts._PACKAGES}


def test_packages_are_there_when_they_are_first_used() -> None:
    program = (
        "import sys, cepts\n"
        "assert not [name for name in sys.modules if name.startswith('cepts.') and name != 'cepts._version']\n"
        "for name in cepts._PACKAGES:\n"
        "    assert getattr(cepts, name) is sys.modules[f'cepts.{name}'], name\n"
        "assert callable(cepts.align)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_starting_is_cheap() -> None:
    program = "import sys, cepts; from cepts.cli import main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert not {"numpy", "numba", "pandas", "rich"} & set(done.stdout.split())


def test_type_checkers_see_the_same_names() -> None:
    assert homes_for_type_checkers() == cepts._HOMES


@pytest.mark.parametrize("name", cepts._HOMES)
def test_a_name_comes_from_its_home(name: str) -> None:
    home = import_module(f"cepts.{cepts._HOMES[name]}")
    assert name in getattr(home, "__all__", dir(home))
    assert getattr(cepts, name) is getattr(home, name)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'cepts' has no attribute 'Alinger'"):
        _ = cepts.Alinger


@pytest.mark.parametrize("name", cepts.__all__)
def test_a_name_is_described(name: str) -> None:
    assert f"`{name}" in read(REFERENCE) or f"`cepts.{name}" in read(REFERENCE)


def test_the_tables_of_settings_are_those_of_the_recipe() -> None:
    page = read(settings.PAGE)
    assert page == settings.rewritten(page), "run: python -m tests.docs.settings"
    assert all(f"| `{field.name}` |" in page for field in fields(Recipe))


def test_every_key_of_an_evaluation_is_described() -> None:
    nothing = Links.from_pairs([[]])
    keys = evaluate(nothing, nothing, resamples=1).to_dict()
    page = read(ROOT / "docs" / "evaluate.md")
    assert [key for key in keys if f"`{key}`" not in page] == []
