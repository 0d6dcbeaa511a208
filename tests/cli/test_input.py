"""Commands read a bitext in any of its formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import cepts
from cepts.cli.main import cepts as command
from cepts.errors import CeptsError
from tests.cli.command import refused, without_announcement
from tests.corpus.written import jsonl_of, po_of, put, quoted, sides_of, tmx_of, xliff_2_of, xliff_of

if TYPE_CHECKING:
    from click.testing import Result

WRITERS = {
    "x.tmx": tmx_of,
    "x.xlf": xliff_of,
    "y.xlf": xliff_2_of,
    "x.po": po_of,
    "x.jsonl": jsonl_of,
    "y.jsonl": sides_of,
    "x.bars": lambda pairs: "".join(f"{source} ||| {target}\n" for source, target in pairs),
}


def invoke(*arguments: str | Path) -> Result:
    """Run a command within this process: many are run here."""
    return CliRunner().invoke(command, [str(one) for one in arguments], standalone_mode=False)


def said(result: Result) -> str:
    """Return what was said on stderr, apart from kernels, which in one process each command announces anew."""
    return without_announcement(result.stderr)


def done(*arguments: str | Path) -> str:
    """Run a command that succeeds and says nothing on stderr; return its output."""
    result = invoke(*arguments)
    assert result.exception is None, result.exception
    assert said(result) == ""
    return result.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty pairs in every format, as two files too, and their links."""
    folder = tmp_path_factory.mktemp("input")
    sides = [path.read_text(encoding="utf-8").split("\n")[:40] for path in cepts.sample()[:2]]
    for name, lines in zip(("source", "target"), sides, strict=True):
        put(folder, name, "".join(f"{line}\n" for line in lines))
    pairs = list(zip(*sides, strict=True))
    for name, write in WRITERS.items():
        put(folder, name, write(pairs))
    done("align", folder / "source", folder / "target", "--output", folder / "links")
    return folder


@pytest.mark.parametrize("name", WRITERS)
def test_align(folder: Path, name: str) -> None:
    assert done("align", folder / name) == (folder / "links").read_text()


def test_train(folder: Path, tmp_path: Path) -> None:
    done("train", folder / "x.tmx", "--output", tmp_path / "model", "--source-language", "en")
    assert done("align", "--model", tmp_path / "model", folder / "x.po") == (folder / "links").read_text()


def same_files(one: Path, other: Path, *endings: str) -> None:
    for ending in endings:
        assert Path(f"{one}.{ending}").read_bytes() == Path(f"{other}.{ending}").read_bytes()


@pytest.mark.parametrize("name", ["x.tmx", "x.po", "x.bars"])
def test_filter(folder: Path, tmp_path: Path, name: str) -> None:
    plain = invoke("filter", folder / "source", folder / "target", "--output", tmp_path / "a")
    single = invoke("filter", folder / name, "--output", tmp_path / "b")
    assert plain.exception is None
    assert said(plain) == said(single)
    same_files(tmp_path / "a", tmp_path / "b", "src", "tgt", "dropped.tsv")


def test_the_filter_writes_text_as_it_was(tmp_path: Path) -> None:
    rows = [("a %s", "b"), ("c", "d"), ("x\ny\tz", "u\rv")]
    path = put(tmp_path, "x.jsonl", sides_of(rows * 2))
    assert (
        invoke("filter", path, "--output", tmp_path / "out", "--max-words", "2", "--min-score", "0").exception
        is None
    )
    assert (tmp_path / "out.src").read_text() == "a %s\nc\n"
    assert "\tx y z\tu v\n" in (tmp_path / "out.dropped.tsv").read_text()
    assert invoke("filter", path, "--scores", "--output", tmp_path / "scores").exception is None
    assert len((tmp_path / "scores").read_text().splitlines()) == 6


@pytest.mark.parametrize("name", ["x.xlf", "y.jsonl"])
def test_lexicon_and_phrases(folder: Path, tmp_path: Path, name: str) -> None:
    both, links = (folder / "source", folder / "target"), folder / "links"
    done("lexicon", *both, links, "--format", "moses", "--output", tmp_path / "a")
    done("lexicon", folder / name, links, "--format", "moses", "--output", tmp_path / "b")
    same_files(tmp_path / "a", tmp_path / "b", "f2e", "e2f")
    done("phrases", *both, links, "--output", tmp_path / "table.a")
    done("phrases", folder / name, links, "--output", tmp_path / "table.b")
    assert (tmp_path / "table.a").read_bytes() == (tmp_path / "table.b").read_bytes()


def test_similar(folder: Path, tmp_path: Path) -> None:
    small = ("--k", "2", "--iterations", "2", "--quiet")
    done("similar", "train", folder / "x.tmx", "--output", tmp_path / "model", *small)
    scores = done("similar", "score", "--model", tmp_path / "model", folder / "source", folder / "target")
    assert done("similar", "score", "--model", tmp_path / "model", folder / "x.po") == scores
    curve = done("similar", "curve", folder / "source", folder / "target", "--k", "2", "--iterations", "2")
    assert done("similar", "curve", folder / "x.xlf", "--k", "2", "--iterations", "2") == curve


def test_evaluate(folder: Path) -> None:
    links = folder / "links"
    two = done(
        "evaluate", links, links, "--null", "--source", folder / "source", "--target", folder / "target"
    )
    assert done("evaluate", links, links, "--null", "--source", folder / "x.tmx") == two


CATALOGUE = "".join(
    f"{flag}msgid {quoted(source)}\nmsgstr {quoted(target)}\n\n"
    for flag, source, target in (
        ("", "a house", "une maison"),
        ("#, fuzzy\n", "a", "b"),
        ("", "the %s", "le %s"),
        ("", "c", ""),
    )
)


def test_what_is_left_out_is_said_once(tmp_path: Path) -> None:
    path = put(tmp_path, "x.po", CATALOGUE)
    note = f"cepts: {path}: 2 left out: 1 fuzzy, 1 untranslated\n"
    result = invoke("align", path, "--output", tmp_path / "links")
    assert (result.exception, said(result)) == (None, note)
    assert said(invoke("align", path, "--quiet")) == ""
    links = tmp_path / "links"
    for arguments in (
        ("train", path, "--output", tmp_path / "model"),
        ("phrases", path, links, "--output", tmp_path / "table"),
        ("lexicon", path, links, "--format", "tsv", "--output", tmp_path / "dictionary"),
    ):
        assert said(invoke(*arguments)) == note
    assert note in invoke("filter", path, "--output", tmp_path / "clean").stderr


def test_places_of_tokens_are_those_of_the_original(tmp_path: Path) -> None:
    path = put(tmp_path, "x.po", CATALOGUE)
    invoke("align", path, "--tokenize", "--offsets", tmp_path / "offsets", "--quiet")
    rows = [json.loads(line) for line in (tmp_path / "offsets").read_text().splitlines()]
    assert rows[1] == {"source": [[0, 3]], "target": [[0, 2]]}
    invoke("align", path, "--tokenize", "--markup", "keep", "--offsets", tmp_path / "offsets", "--quiet")
    rows = [json.loads(line) for line in (tmp_path / "offsets").read_text().splitlines()]
    assert rows[1]["source"] == [[0, 3], [4, 5], [5, 6]]


def problem(*arguments: str | Path) -> str:
    result = invoke(*arguments)
    assert isinstance(result.exception, CeptsError)
    assert result.stdout == ""
    return str(result.exception)


def test_what_is_refused(folder: Path, tmp_path: Path) -> None:
    assert problem("align", folder / "source", folder / "target", "--input-format", "po") == (
        "--input-format po is one file with both languages: drop TARGET, or the format"
    )
    assert (
        problem("align", "--sample", "--markup", "keep")
        == "--markup does not go with --sample; drop one of them"
    )
    assert problem("align", "--model", "x", "--input-format", "tmx") == (
        "--input-format needs files: pairs on stdin are answered one by one"
    )
    assert problem(
        "lexicon", "--model", "x", "--format", "tsv", "--output", tmp_path / "x", "--source-language", "en"
    ) == ("--source-language is about text and links; drop it, or --model")
    short = put(tmp_path, "links", "0-0\n")
    assert problem("phrases", folder / "x.tmx", short, "--output", tmp_path / "table") == (
        f"{folder / 'x.tmx'} has 40 pairs, {short} has 1 lines: line k of {short} must have the links of pair k"
    )
    assert problem(
        "phrases",
        folder / "source",
        folder / "target",
        folder / "links",
        "--output",
        tmp_path / "table",
        "--target-language",
        "fr",
    ) == ("--target-language fr: a pair of files does not name its languages; drop that")
    assert not (tmp_path / "table").exists()


def test_a_bad_file_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    bad = put(tmp_path, "bad.tmx", tmx_of([("a", "b")])[:-20])
    assert refused("align", bad, "--output", tmp_path / "links") == (
        f"{bad}, line 3: the XML ends too early (no element found); fetch it again"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["bad.tmx"]
