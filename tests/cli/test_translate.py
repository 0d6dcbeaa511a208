"""`cepts translate` and `cepts translate train`."""

import gzip

import pytest

from tests.cli.command import run, succeed
from tests.cli.inside import inside, refused_inside
from tests.cli.names_model import train_writer

QUICK = ("--beam", "20", "--rounds", "1", "--order", "3")


@pytest.fixture(scope="session")
def linked(links, tmp_path_factory):
    """A file of the text's links."""
    file = tmp_path_factory.mktemp("links") / "links"
    file.write_text(links, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def translating(text, linked, tmp_path_factory):
    """A translator, tuned on its own text, with what was said."""
    folder = tmp_path_factory.mktemp("translators") / "model"
    arguments = (text.source, text.target, "--links", linked, "--dev", text.source, text.target)
    out, said = inside("translate", "train", *arguments, "--output", folder, *QUICK)
    assert out == ""
    return folder, said


def test_training_says_what_came_of_it(translating):
    _, said = translating
    assert "60 of 60 pairs of dev are in the training text, too: they make dev look too good" in said
    assert "cepts: BLEU on dev " in said
    assert ", before tuning " in said


def test_a_line_for_a_line(translating, text, tmp_path):
    folder, _ = translating
    lines = [source for source, _ in text.pairs[:3]]
    given = f"{lines[0]}\n\n{lines[1]}\tzzyzx\n{lines[2]}"  # no newline behind the last one
    out, said = inside("translate", "--model", folder, stdin=given)
    assert said == ""
    found = out.split("\n")
    assert len(found) == 5
    assert found[1] == found[4] == ""
    assert "zzyzx" in found[2].split()
    into = tmp_path / "out.gz"
    assert inside("translate", "--model", folder, "--output", into, "--threads", "2", stdin=given)[0] == ""
    assert gzip.decompress(into.read_bytes()).decode() == out


def test_lists(translating, text):
    folder, _ = translating
    given = text.pairs[0][0] + "\n\n"
    out, _ = inside("translate", "--model", folder, "--n-best", "3", "--distortion-limit", "2", stdin=given)
    rows = [line.split(" ||| ") for line in out.splitlines()]
    assert [row[0] for row in rows] == ["0", "0", "0", "1"]
    assert rows[0][2].startswith("phrase= ")
    assert "distortion= " in rows[0][2]
    assert float(rows[0][3]) >= float(rows[1][3]) >= float(rows[2][3])
    assert rows[3][1] == ""


def test_unknown_words_are_written_by_a_model_of_names(translating, tmp_path):
    folder, _ = translating
    names = train_writer(tmp_path / "names")
    out, _ = inside("translate", "--model", folder, "--names", names, stdin="москва 1999\n")
    assert out.split()[1] == "1999"
    assert out.split()[0].isascii()


def test_training_from_text_alone(text, tmp_path):
    more = tmp_path / "more"
    more.write_text("one more sentence\n", encoding="utf-8")
    folder = tmp_path / "model"
    arguments = (
        text.source,
        text.target,
        "--method",
        "fast",
        "--lm-text",
        more,
        "--output",
        folder,
        "--keep-case",
    )
    out, said = inside("translate", "train", *arguments, "--beam", "10")
    assert (out, said) == ("", "cepts: no --dev: the weights are the usual ones, not tuned\n")
    assert inside("translate", "--model", folder, "--quiet", stdin="sentence\n")[0] == "sentence\n"
    told = succeed("info", folder)
    assert "kind                 translator, format" in told
    assert "BLEU on dev          -" in told
    assert "weight: distortion   0.2500" in told


def test_without_anything_it_explains_itself():
    out, _ = inside("translate")
    assert out.startswith("Usage: cepts translate [OPTIONS]")


def test_what_does_not_go_together_is_refused(text, linked, translating, model, tmp_path):
    folder, _ = translating
    train = ("translate", "train", text.source, text.target, "--output", tmp_path / "m")
    assert "--n-best needs --model FOLDER; add that" in refused_inside("translate", "--n-best", "2")
    before = refused_inside("translate", "--model", folder, *train[1:])
    assert "--model stands before `train`, where it has no effect; drop it" in before
    assert "--beam 0: expected a number from 1" in refused_inside(
        "translate", "--model", folder, "--beam", "0"
    )
    limit = refused_inside("translate", "--model", folder, "--distortion-limit", "77")
    assert "--distortion-limit 77: expected a number from 0 to 60" in limit
    assert "expected a translator, made by: cepts translate train" in refused_inside(
        "translate", "--model", model
    )
    assert "--tuner needs --dev SOURCE TARGET to tune on" in refused_inside(*train, "--tuner", "pro")
    both = refused_inside(*train, "--links", linked, "--method", "fast")
    assert "--method is about aligning, and --links has the links; drop one of both" in both
    assert "of these files none can be standard input" in refused_inside(*train, "--links", "-")
    assert not (tmp_path / "m").exists()


def test_dev_files_of_different_lengths_are_refused(text, linked, tmp_path):
    short = tmp_path / "short"
    short.write_text("one line\n", encoding="utf-8")
    arguments = ("--links", linked, "--dev", text.source, short, "--output", tmp_path / "m")
    assert "lines" in refused_inside("translate", "train", text.source, text.target, *arguments)


def test_links_of_another_text_are_refused(text, tmp_path):
    other = tmp_path / "links"
    other.write_text("0-0\n", encoding="utf-8")
    arguments = ("--links", other, "--output", tmp_path / "m")
    assert "links" in refused_inside("translate", "train", text.source, text.target, *arguments)


def test_bytes_that_are_no_text(translating):
    folder, _ = translating
    result = run("translate", "--model", folder, stdin=b"\xff\n")
    assert result.status == 2
    assert "standard input, line 1" in result.err
    replaced = run("translate", "--model", folder, "--errors", "replace", stdin=b"\xff\n")
    assert replaced.status == 0
