"""Commands see that a text is raw, tokenise it, and say so in one line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from cepts.corpus.encoding import WORD
from tests.cli.command import refused, run, succeed
from tests.cli.conftest import Text
from tests.corpus.written import put, sides_of, tmx_of

if TYPE_CHECKING:
    from pathlib import Path

FAST = ("--method", "fast")


def glued(line: str) -> str:
    """Put punctuation at the word before it."""
    return re.sub(r" ([,.;:!?])", r"\1", line)


@pytest.fixture(scope="module")
def raw(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Text:
    """The text as it stands before a tokeniser has seen it."""
    folder = tmp_path_factory.mktemp("raw")
    pairs = [(glued(source), glued(target)) for source, target in text.pairs]
    files = [put(folder, f"side{side}", "".join(f"{pair[side]}\n" for pair in pairs)) for side in (0, 1)]
    return Text(files[0], files[1], pairs)


def said(raw: Text) -> str:
    return (
        f"cepts: {raw.source}: raw text, as punctuation stands at its words: it is tokenised, and links are those of"
        " the words between spaces; --tokenize writes links of tokens, --no-tokenize takes words as they stand\n"
    )


def test_links_are_those_of_words_between_spaces(raw: Text) -> None:
    files = (raw.source, raw.target, *FAST)
    guessed = run("align", *files)
    assert (guessed.status, guessed.err) == (0, said(raw))
    assert guessed.out == succeed("align", *files, "--tokenize", "--to-whitespace")
    assert guessed.out == succeed("align", *files, "--quiet")
    assert guessed.out != succeed("align", *files, "--no-tokenize")
    assert guessed.out != succeed("align", *files, "--tokenize")
    for (source, target), line in zip(raw.pairs, guessed.out.split("\n"), strict=False):
        for link in line.split():
            i, j = map(int, link.split("-"))
            assert i < len(source.split())
            assert j < len(target.split())


def test_formats_that_hold_words_have_those_between_spaces(raw: Text) -> None:
    out = run("align", raw.source, raw.target, *FAST, "--format", "jsonl").out
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["source_tokens"] for row in rows] == [WORD.findall(source) for source, _ in raw.pairs]
    assert rows[0]["source"] == raw.pairs[0][0]


def test_tokens_are_not_touched(text: Text, links: str) -> None:
    assert succeed("align", text.source, text.target) == links
    assert succeed("align", text.source, text.target, "--no-tokenize") == links
    assert succeed("align", text.source, text.target, "--to-whitespace") == links


def test_one_file_and_stdin(raw: Text, tmp_path: Path) -> None:
    expected = succeed("align", raw.source, raw.target, *FAST, "--quiet")
    file = put(tmp_path, "both", raw.joined(" ||| "))
    result = run("align", file, *FAST)
    assert (result.status, result.out, result.err) == (0, expected, said(Text(file, file, [])))
    result = run("align", "-", *FAST, stdin=raw.joined("\t"))
    assert (result.out, result.err[:33]) == (expected, "cepts: standard input: raw text, ")


def test_a_model_keeps_what_was_decided(raw: Text, tmp_path: Path) -> None:
    model, files = tmp_path / "model", (raw.source, raw.target)
    expected = succeed("align", *files, *FAST, "--quiet")
    assert run("train", *files, *FAST, "--output", model).err == said(raw)
    kept = json.loads((model / "model.json").read_text())["meta"]["text"]
    assert (kept["tokenize"], kept["to_whitespace"]) == (True, True)
    assert succeed("align", *files, "--model", model) == expected
    assert succeed("align", "--model", model, stdin=raw.joined(" ||| ")) == expected
    assert "links between the words as they stand" in succeed("info", model)
    row = json.loads(
        succeed("align", "--model", model, "--format", "jsonl", stdin=b"Oui, monsieur. ||| Yes, sir.\n")
    )
    assert row["source_tokens"] == ["Oui,", "monsieur."]
    assert "maison" not in succeed("view", *files, "--model", model, "--lines", "1", "--format", "svg")
    assert refused("align", *files, "--model", model, "--no-tokenize") == (
        "--no-tokenize: the model was trained on tokens; drop it, or train one with it"
    )


def test_a_model_of_tokens_may_write_links_of_words(raw: Text, tmp_path: Path) -> None:
    model, files = tmp_path / "model", (raw.source, raw.target)
    succeed("train", *files, *FAST, "--tokenize", "--output", model)
    assert succeed("align", *files, "--model", model) == succeed("align", *files, *FAST, "--tokenize")
    expected = succeed("align", *files, *FAST, "--quiet")
    assert succeed("align", *files, "--model", model, "--to-whitespace") == expected


def test_a_model_of_tokens_says_that_a_text_is_raw(
    raw: Text, text: Text, model: Path, tmp_path: Path
) -> None:
    result = run("align", raw.source, raw.target, "--model", model)
    note = (
        f"cepts: {model} is of tokens, and this text is raw, as punctuation stands at its words; tokenise it as the"
        " text of the model was, or train a model with --tokenize\n"
    )
    assert (result.status, result.err) == (0, note)
    assert succeed("align", raw.source, raw.target, "--model", model, "--no-check") == result.out
    assert run("align", "--model", model, stdin=raw.joined(" ||| ")).err == note
    succeed("align", text.source, text.target, "--model", model)
    own = tmp_path / "model"
    succeed("train", raw.source, raw.target, *FAST, "--no-tokenize", "--output", own)
    succeed("align", raw.source, raw.target, "--model", own)


@pytest.mark.parametrize("name", ["x.tmx", "x.jsonl"])
def test_formats_that_hold_raw_text(raw: Text, tmp_path: Path, name: str) -> None:
    write = tmx_of if name == "x.tmx" else sides_of
    file = put(tmp_path, name, write(raw.pairs))
    result = run("align", file, *FAST)
    note = f"cepts: {file}: tokenised, as {name[2:]} holds raw text; --no-tokenize takes the words between spaces\n"
    assert (result.status, result.err) == (0, note)
    assert result.out == succeed("align", file, *FAST, "--tokenize")
    assert result.out == succeed("align", raw.source, raw.target, *FAST, "--tokenize")
    assert succeed("align", file, *FAST, "--no-tokenize") == succeed(
        "align", raw.source, raw.target, *FAST, "--no-tokenize"
    )
    words = succeed("align", raw.source, raw.target, *FAST, "--quiet")
    assert succeed("align", file, *FAST, "--to-whitespace", "--quiet") == words


def test_who_takes_links_of_such_a_format_takes_its_tokens(raw: Text, tmp_path: Path) -> None:
    file, links = put(tmp_path, "x.tmx", tmx_of(raw.pairs)), tmp_path / "links"
    succeed("align", file, *FAST, "--output", links, "--quiet")
    both = (raw.source, raw.target, links, "--tokenize")
    for name, one in (("two", both), ("one", (file, links, "--quiet"))):
        succeed("phrases", *one, "--output", tmp_path / f"{name}.table", "--quiet")
        succeed("lexicon", *one, "--format", "moses", "--output", tmp_path / name, "--quiet")
        drawn = succeed("view", *one, "--lines", "1-60", "--format", "html", "--quiet")
        (tmp_path / f"{name}.html").write_text(drawn)
    for ending in ("table", "f2e", "html"):
        assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()
    assert succeed("evaluate", links, links, "--null", "--source", file) == succeed(
        "evaluate", links, links, "--null", "--source", raw.source, "--target", raw.target, "--tokenize"
    )


def test_offsets_of_tokens(raw: Text, tmp_path: Path) -> None:
    file, offsets = put(tmp_path, "x.tmx", tmx_of([("Oui, oui.", "Yes, yes.")])), tmp_path / "offsets"
    succeed("align", file, "--offsets", offsets, "--quiet")
    assert json.loads(offsets.read_text())["source"] == [[0, 3], [3, 4], [5, 8], [8, 9]]
    both = put(tmp_path, "both", raw.joined(" ||| "))
    about_tokens = "is about tokens, and links are those of words between spaces here; drop one of them"
    assert refused("align", both, "--offsets", offsets, "--quiet") == f"--offsets {about_tokens}"
    assert refused("align", both, "--no-tokenize", "--offsets", offsets) == (
        "--offsets needs --tokenize: without it tokens are what stands between spaces"
    )


def test_what_counts_words_is_not_split_unasked(raw: Text, tmp_path: Path) -> None:
    files = (raw.source, raw.target, *FAST)
    known = put(tmp_path, "known", "0-0\n" + "\n" * (len(raw.pairs) - 1))
    for options in (
        ("--known-links", known),
        ("--combine", "cepts", "--format", "cepts"),
        ("--direction", "forward", "--n-best", "2"),
    ):
        assert succeed("align", *files, *options) == succeed("align", *files, *options, "--no-tokenize")
    about = "is about tokens, and links are those of words between spaces here; drop one of them"
    split = (*files, "--tokenize", "--to-whitespace")
    assert refused("align", *split, "--known-links", known) == f"--known-links {about}"
    assert refused("align", *split, "--direction", "forward", "--n-best", "2") == f"--n-best {about}"
    assert refused("align", *split, "--combine", "cepts", "--format", "cepts") == f"--format cepts {about}"


def test_what_is_refused(raw: Text) -> None:
    assert refused("align", raw.source, raw.target, "--no-tokenize", "--to-whitespace") == (
        "--to-whitespace is about text that is split into tokens; drop it, or --no-tokenize"
    )
    assert refused("align", "--sample", "--to-whitespace") == (
        "--to-whitespace does not go with --sample; drop one of them"
    )
