"""What the pages say of the project's files is true."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts import bounds
from cepts.aligning import MODEL_TYPES
from cepts.words.fertility import CANDIDATE, EVEN, NULL_BOUNDS, PRIOR_DISTANCE, PRIOR_FERTILITY
from cepts.words.fertility_kernels import FARTHEST, LIMIT, MOST
from cepts.words.layout import MAX_WORDS
from cepts.words.pairs import MAX_CELLS, MAX_PIECE_CELLS
from cepts.words.regularity import LARGEST_AUTOMATIC, PAPER_STRENGTHS, TYPICAL_LENGTH
from tests.docs.pages import PAGES, README, ROOT, anchors, named, read, relative_links

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "src" / "cepts"
FORMATS = ROOT / "docs" / "formats.md"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    for target in relative_links(read(page)):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{target}: no such file"
        assert there.is_relative_to(ROOT), f"{target}: outside of the project"
        assert not anchor or anchor in anchors(read(there)), f"{target}: no such heading"


def test_the_index_leads_to_every_page_of_the_docs() -> None:
    index = ROOT / "docs" / "index.md"
    reached = {(index.parent / link.partition("#")[0]).resolve() for link in relative_links(read(index))}
    assert {page for page in PAGES if page.parent == index.parent} - {index} <= reached


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_source_files_that_are_named_exist(page: Path) -> None:
    named_files = re.findall(r"`((?:src|tests|benchmarks|docs|experiments)/[\w./-]+\.\w+)`", read(page))
    assert [file for file in named_files if not (ROOT / file).exists()] == []


def test_every_room_has_a_paragraph() -> None:
    rooms = {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()}
    page = read(ROOT / "ARCHITECTURE.md")
    assert [room for room in sorted(rooms) if f"\n**`{room}`**" not in page] == []


def test_the_reading_order_names_files_of_every_room() -> None:
    rooms = {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()}
    listed = {
        re.split("/", file)[2]
        for file in re.findall(r"`(src/cepts/[\w/]+\.py)`", read(ROOT / "docs" / "source.md"))
    }
    assert rooms <= listed


def test_the_limit_on_words_is_the_one_that_is_kept() -> None:
    assert f"{MAX_WORDS} words" in read(ROOT / "docs" / "align-reference.md")


def test_the_limits_of_bi_word_models_are_those_that_are_kept() -> None:
    fits = max(n for n in range(3, MAX_WORDS) if (n - 1) * (n - 2) // 2 * n <= MAX_PIECE_CELLS)
    models = read(ROOT / "docs" / "models.md")
    assert f"{MAX_PIECE_CELLS:,} ({fits} words a side still pass)" in models
    assert f"more than {MAX_CELLS:,} in all is refused" in models
    assert f"from {fits + 1} words a side" in read(ROOT / "docs" / "align-reference.md")


def test_the_limits_of_fertility_models_are_those_that_are_kept() -> None:
    models, align = read(ROOT / "docs" / "models.md"), read(ROOT / "docs" / "align-reference.md")
    assert f"more than {LIMIT} words on a side is aligned by the HMM" in models
    assert f"more than {LIMIT} words on a side is aligned by the HMM" in align
    assert f"up to {LIMIT} words a side" in " ".join(read(ROOT / "docs" / "python-reference.md").split())
    assert f"Fertilities go from 0 to {MOST}." in models
    assert f"Distances beyond {FARTHEST} count as {FARTHEST}." in models
    assert f"next to impossible, below {CANDIDATE:.4f}" in models
    assert f"joined by {PRIOR_FERTILITY:g} words" in models
    assert f"by {PRIOR_DISTANCE:g} of the average kind" in models
    assert EVEN == 0.2, "a fifth of d is shared evenly"
    assert "p1 stays within {:g} and {:g}".format(*NULL_BOUNDS) in models


def test_the_numbers_of_word_classes_are_those_that_are_described() -> None:
    described = f"from 1 to {bounds.CLASSES.most}; the default is {cepts.Recipe().classes}"
    assert described in read(ROOT / "docs" / "align-reference.md")


def test_the_strengths_of_the_paper_are_described_where_they_can_be_set() -> None:
    section = read(ROOT / "docs" / "align-reference.md").partition("### Rare words")[2]
    mono, double = PAPER_STRENGTHS
    assert f"{mono} is the paper's for `ibm1` and `hmm`, {double} for `bi1` and `bihmm`" in section


def test_the_default_of_double_alignments_is_the_one_that_is_described() -> None:
    default = cepts.Recipe().double_probability
    assert f"The default is {default}:" in read(ROOT / "docs" / "align-reference.md")
    assert f"the recipe's default, {default}," in read(ROOT / "docs" / "models.md")


def test_the_rule_for_the_strength_is_the_one_that_is_described() -> None:
    page = read(ROOT / "docs" / "models.md")
    assert f"lambda = 2 (L / {TYPICAL_LENGTH:g})^2 (1 - s),  at most {LARGEST_AUTOMATIC:g}\n" in page


def test_the_model_folder_is_described_file_by_file(tmp_path: Path) -> None:
    files: dict[str, set[str]] = {}
    for model_type in MODEL_TYPES:
        aligner = cepts.Aligner(model_type=model_type, ibm1_iterations=1, hmm_iterations=1)
        aligner.fit(cepts.sample_bitext()).save(tmp_path / model_type)
        files[model_type] = {file.name for file in (tmp_path / model_type).iterdir()}
    section = read(FORMATS).partition("## A model folder")[2].partition("\n## ")[0]
    described = set(re.findall(r"`([\w-]+\.(?:npy|txt|json))`", section))
    assert files["bihmm"] | files["ibm4"] | files["hmm"] == described
    of_classes = {name for name in files["hmm"] if re.search("jump_classes|of_class", name)}
    assert len(of_classes) == 4
    files["hmm"] -= of_classes
    of_past = {name for name in files["hmm"] if re.search("counts|seen|counted", name)}
    assert of_past == files["hmm"] - files["ibm4"]
    of_jumps, of_pairs = (
        {name for name in files["bihmm"] if re.search(pattern, name)}
        for pattern in ("jumps|starts|null", "pair|distances")
    )
    assert files["bi1"] == files["bihmm"] - of_jumps
    assert files["hmm"] - of_past == files["bihmm"] - of_pairs
    of_fertility = {
        f"{way}_{name}.npy"
        for way in ("forward", "reverse")
        for name in ("fertility", "moves", "classes", "brings_null")
    }
    assert files["ibm3"] == files["ibm4"] == files["hmm"] - of_past | of_fertility
    assert files["ibm1"] == files["hmm"] - of_jumps - {name for name in of_past if "counted" in name}


@pytest.mark.parametrize("name", ["accuracy", "speed"])
def test_tables_of_figures_have_their_places(name: str) -> None:
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    assert read(README).count(begin) == read(README).count(end) == 1
    assert read(README).index(begin) < read(README).index(end)


def test_the_readme_is_short() -> None:
    assert len(read(README).split()) <= 1200
