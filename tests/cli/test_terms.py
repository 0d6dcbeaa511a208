"""`cepts terms`: what is written from which input, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import names, refused, succeed
from tests.cli.inside import inside, refused_inside

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

FILES = {
    "en": "File name\nNew file name\nThe file is open.\nNew file\nOpen file\nFile name:\n",
    "fr": "Nom de fichier\nNouveau nom de fichier\nLe fichier est ouvert.\nNouveau fichier\nFichier ouvert\n"
    "Nom de fichier :\n",
    "tagged": "File_NN name_NN\nThe_DT file_NN name_NN is_VBZ long_JJ\nclose_VB it_PRP now_RB\n",
    "translated": "Nom de fichier\nLe nom de fichier est long\nfermez -le maintenant\n",
    "links": "0-2 1-0\n0-0 1-3 2-1 3-4 4-5\n0-0 1-1 2-2\n",
    "far": "0-2 1-0\n0-0 9-3\n\n",
    "short": "0-0\n",
    "untagged": "File_NN name_NN\nThe file\nclose_VB\n",
    "gaps": "File name\n\nA file name\n",
    "lacks": "Nom de fichier\nVide\nUn nom de fichier\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small files; no test may change it."""
    folder = tmp_path_factory.mktemp("terms")
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "both").write_text(
        "".join(
            f"{en}\t{fr}\n" for en, fr in zip(FILES["en"].splitlines(), FILES["fr"].splitlines(), strict=True)
        ),
        encoding="utf-8",
    )
    return folder


def rows(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()]


def test_a_real_process_writes_five_columns(folder: Path) -> None:
    found = rows(succeed("terms", folder / "en", folder / "fr"))
    assert {len(row) for row in found} == {5}
    best = {row[0].lower(): row for row in found}["file name"]
    assert best[1].lower() == "nom de fichier"
    assert (best[3], best[4]) == ("3", "New file name ||| Nouveau nom de fichier")
    scores = [float(row[2]) for row in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1


def test_one_file_gives_the_same_as_two(folder: Path) -> None:
    assert inside("terms", folder / "both") == inside("terms", folder / "en", folder / "fr")


def test_formats_and_limits(folder: Path, tmp_path: Path) -> None:
    files = (folder / "en", folder / "fr", "--limit", "2")
    (first, second), said = (lambda made: (rows(made[0]), made[1]))(inside("terms", *files))
    assert said == ""
    as_csv, _ = inside("terms", *files, "--format", "csv")
    assert as_csv.splitlines()[0] == "source,target,score,count,example"
    assert as_csv.splitlines()[1] == ",".join(first)
    found = json.loads(inside("terms", *files, "--format", "json")[0])
    assert [(row["source"], str(row["count"])) for row in found] == [
        (row[0], row[3]) for row in (first, second)
    ]
    tbx = ("--format", "tbx", "--languages", "en,fr")
    assert inside("terms", *files, *tbx, "--output", tmp_path / "list.tbx") == ("", "")
    text = (tmp_path / "list.tbx").read_text(encoding="utf-8")
    assert text.count('<langSec xml:lang="fr">') == 2
    assert names(tmp_path) == {"list.tbx"}


def test_links_are_used_as_they_are(folder: Path) -> None:
    files = (folder / "translated", folder / "translated", "--links", folder / "short")
    assert "links of 1 pairs, but" in refused_inside("terms", *files)
    text = (folder / "tagged", folder / "translated", "--tags", "source", "--links", folder / "links")
    assert [row[:2] for row in rows(inside("terms", *text)[0])] == [["file name", "nom de fichier"]]


def test_tags_without_links_are_aligned_without_tags(folder: Path) -> None:
    text = (folder / "tagged", folder / "translated", "--tags", "source")
    found = rows(inside("terms", *text)[0])
    assert ["file name", "nom de fichier"] in [row[:2] for row in found]
    assert all("_" not in row[0] and not row[0].startswith("close") for row in found)


def test_a_model_gives_what_the_text_itself_gives(text: Text, model: Path) -> None:
    links = succeed("align", text.source, text.target)
    (model.parent / "links").write_text(links, encoding="utf-8")
    of_model = inside("terms", text.source, text.target, "--model", model)
    assert of_model == inside("terms", text.source, text.target, "--links", model.parent / "links")
    assert len(rows(of_model[0])) > 10


def test_threads_change_nothing(text: Text) -> None:
    files = (text.source, text.target)
    assert inside("terms", *files, "--threads", "2") == inside("terms", *files)


def test_empty_sides_are_survived_and_counted(folder: Path) -> None:
    out, said = inside("terms", folder / "gaps", folder / "lacks")
    assert said == "cepts: 1 of 3 pairs have an empty side: no terms of them\n"
    assert "file name" in {row[0].lower() for row in rows(out)}
    assert inside("terms", folder / "gaps", folder / "lacks", "--quiet") == (out, "")


def test_where_there_are_none_that_is_said(folder: Path) -> None:
    out, said = inside("terms", folder / "en", folder / "fr", "--min-count", "50")
    assert out == ""
    assert said.startswith("cepts: no terms found: is the text long enough")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("en fr en", "3 files: expected one with both sides, or a source and a target"),
        ("en fr --links links --model x", "--links and --model both say how to align: drop one of them"),
        ("tagged fr --tags source --tokenize", "--tokenize would cut tagged words: drop it, or --tags"),
        ("nowhere fr --limit 0", "--limit 0: expected a number from 1 to 1000000000"),
        ("nowhere fr --min-count 0", "--min-count 0: expected a number from 1 to 1000000000"),
        ("nowhere fr --max-words 0", "--max-words 0: expected a number from 1 to 100"),
        ("nowhere fr --variants 0", "--variants 0: expected a number from 1 to 1000"),
        ("nowhere fr --min-score 1.5", "--min-score 1.5: expected a number from 0 to 1"),
        ("nowhere fr --languages en,fr", "--languages is about --format tbx; drop it"),
        ("nowhere fr --format tbx --languages en", "--languages en: expected two codes, such as en,fr"),
        ("untagged translated --tags source", "untagged, line 2: 'The' has no tag, expected word_TAG"),
        ("tagged translated --links far", "far, line 2: link 9-3 (from 0) is outside of its pair"),
        ("en translated", "en has 6 lines, "),
        ("en fr --model nowhere", "there is no model nowhere"),
    ],
)
def test_what_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str) -> None:
    monkeypatch.chdir(folder)
    assert refused_inside("terms", *arguments.split()).startswith(message)


def test_nothing_to_read_is_refused() -> None:
    assert refused("terms") == "INPUT is missing; see cepts terms --help"


def test_models_and_words_must_agree(folder: Path, model: Path) -> None:
    files = (folder / "tagged", folder / "translated", "--model", model)
    assert refused_inside("terms", *files, "--tokenize").startswith(
        "--tokenize was not used when the model was"
    )
