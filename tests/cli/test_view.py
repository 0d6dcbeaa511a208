"""`cepts view`: what is drawn of which files, and what is refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock
from xml.etree import ElementTree

import pytest

from cepts.links.corrections import Correction, digest_of
from tests.cli.command import names, refused, run, succeed
from tests.cli.inside import inside

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

SOURCE = ["Le chat noir", "Il dort", "", *(f"mot {k}" for k in range(9))]
TARGET = ["The black cat", "He sleeps", "x", *(f"word {k}" for k in range(9))]
LINKS = ["0-0:0.9 1-2:0.4 2-1\t-1.5", "0-0 1-1\t-0.5", "", *["0-0 1-1"] * 9]


class Files(NamedTuple):
    folder: Path
    source: Path
    target: Path
    links: Path
    gold: Path
    lists: Path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("view")
    paths = Files(folder, *(folder / name for name in ("source", "target", "links", "gold", "lists")))
    gold = ["0-0 1-2 2?1", "0-0 0?1"]
    lists = ["0 ||| 0-0 ||| -1", "0 ||| 0-0 1-2 ||| -1", "1 ||| 1-1 ||| -2"]
    for path, lines in zip(paths[1:], (SOURCE, TARGET, LINKS, gold, lists), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return paths


def drawn(svg: str) -> list[str]:
    """Return the words and headings of a picture."""
    return [str(e.text) for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_terminal(files: Files) -> None:
    out = succeed("view", files.source, files.target, files.links, "--lines", "1")
    assert out == (
        "line 1, score -1.50\n\n"
        "  Le ██· ·\nchat · · ▒▒\nnoir · ██·\n     │ │ └ cat\n     │ └ black\n     └ The\n\n"
        "Le   chat    noir\n⢸     ⠈⠢     ⡠⠊\n⢸        ⠐⢄⢀⠔⠁\n ⡇       ⢀⠔⠁⢀⡀\n ⡇      ⡠⠊   ⠈ ⡀\nThe   black   cat\n"
    )


def test_sentences_that_are_too_long_for_two_lines_are_groups_of_words(tmp_path: Path) -> None:
    source, target, links = tmp_path / "long.fr", tmp_path / "long.en", tmp_path / "long"
    source.write_text("mot " * 40 + "\n")
    target.write_text("word\n")
    links.write_text("39-0\n")
    out = succeed("view", source, target, links, "--drawing", "bipartite")
    assert out.startswith("line 1\n\nmot    (mot)   (mot)")
    assert "\nword\n" in out


def test_gold_of_the_first_pairs(files: Files) -> None:
    out, err = inside("view", files.source, files.target, files.links, "--gold", files.gold, "--lines", "1-3")
    assert err == f"cepts: {files.gold} ends after 2 of 12 pairs: those behind have no gold\n"
    assert "line 1, score -1.50, AER 0 %" in out
    assert "line 2, score -0.50, AER 33 %" in out
    assert "██ right   ×× wrong   () possible, not taken" in out
    assert "\nline 3\n" in out


def test_corrections_are_gold_of_the_corrected_pairs(files: Files, tmp_path: Path) -> None:
    digest = digest_of(SOURCE[1].split(), TARGET[1].split())
    correction = Correction(2, ((0, 1, True),), 1, "", "2026-01-31T12:00:00Z", digest)
    path = tmp_path / "corrections.jsonl"
    path.write_text(f'{{"corrections": 1, "pairs": 12}}\n{correction.written()}\n')
    out = succeed("view", files.source, files.target, files.links, "--gold", path, "--lines", "1,2")
    assert "line 1, score -1.50\n" in out
    assert "line 2, score -0.50, AER 100 %" in out


def test_the_first_ten_and_a_word_on_the_others(files: Files) -> None:
    out, err = inside("view", files.source, files.target, files.links, "--drawing", "bipartite")
    assert re.findall(r"^line (\d+)", out, re.MULTILINE) == [str(k) for k in range(1, 11)]
    assert err == "cepts: the first 10 of 12 pairs; --lines 1-12 would be all\n"


def test_lines_come_as_they_are_named(files: Files) -> None:
    out = succeed("view", files.source, files.target, files.links, "--lines", "12,2-3,11-")
    assert re.findall(r"^line (\d+)", out, re.MULTILINE) == ["12", "2", "3", "11"]


def test_one_file_with_both_languages(files: Files, tmp_path: Path) -> None:
    both = tmp_path / "both"
    both.write_text("".join(f"{s} ||| {t}\n" for s, t in zip(SOURCE, TARGET, strict=True)))
    arguments = ("--lines", "1,5")
    assert succeed("view", both, files.links, *arguments) == succeed(
        "view", files.source, files.target, files.links, *arguments
    )


def test_links_that_hold_their_words(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "links.jsonl"
    text = ("--source", files.source, "--target", files.target)
    succeed("convert", files.links, "--format", "jsonl", *text, "--output", path)
    out = succeed("view", path, "--lines", "1")
    assert out.startswith("line 1, score -1.50\n\n  Le ██· ·\n")
    assert refused("view", path, "--tokenize") == (
        f"--tokenize is about text: {path} has its words already; drop it"
    )
    other = tmp_path / "other"
    other.write_text("".join(f"{line} !\n" for line in SOURCE))
    assert refused("view", other, files.target, path).startswith(f"{path}, pair 1: its source words are")


def test_text_is_tokenized_as_links_count(files: Files, tmp_path: Path) -> None:  # noqa: ARG001
    for name, text in (("a", "Oui, l'eau.\n"), ("b", "Yes, water.\n"), ("links", "0-0 1-1 3-2\n")):
        (tmp_path / name).write_text(text)
    out = succeed(
        "view", tmp_path / "a", tmp_path / "b", tmp_path / "links", "--tokenize", "--drawing", "matrix"
    )
    assert out.startswith("line 1\n\n")
    assert out.count("██") == 3


def test_a_model_makes_the_links(text: Text, model: Path, links: str) -> None:
    out = succeed("view", text.source, text.target, "--model", model, "--lines", "7", "--format", "svg")
    root = ElementTree.fromstring(out)
    titles = [str(e.text) for e in root.iter("{http://www.w3.org/2000/svg}title")][1:]
    words = [side.split() for side in text.pairs[6]]
    expected = [link.split("-") for link in links.split("\n")[6].split()]
    found = [title.split(":")[0] for title in titles]
    assert sorted(found) == sorted(2 * [f"{words[0][int(i)]} – {words[1][int(j)]}" for i, j in expected])
    assert re.match(r"line 7, score -\d", drawn(out)[0])


def test_a_model_and_its_options(text: Text, model: Path) -> None:
    view = ("view", text.source, text.target, "--model", model, "--lines", "1-3", "--drawing", "matrix")
    blocks = [
        len(re.findall("██|▒▒", succeed(*view, *options)))
        for options in (("--combine", "union"), ("--combine", "intersection"), ("--min-confidence", "1"))
    ]
    assert blocks[0] >= blocks[1] > blocks[2]
    assert succeed(*view, "--precision", "0.9").count("line ") == 3


def test_n_best_lists(files: Files) -> None:
    view = ("view", files.source, files.target, files.lists, "--drawing", "matrix", "--lines", "1-2")
    assert "  Le ██· ·\nchat · · ██\n" in succeed(*view)  # 1, and a half
    assert "chat · · ·\n" in succeed(*view, "--min-confidence", "0.6")
    out = succeed(*view, "--lists", "apart")
    assert re.findall(r"^line.*", out, re.MULTILINE) == [
        "line 1, alignment 1 of 2, log probability -1.00",
        "line 1, alignment 2 of 2, log probability -1.00",
        "line 2, alignment 1 of 1, log probability -2.00",
    ]


@pytest.mark.parametrize("name", ["pair.svg", "pair.svg.gz", "pair.png", "pair.html", "pair"])
def test_the_name_of_the_output_says_what_it_is(files: Files, tmp_path: Path, name: str) -> None:
    assert (
        succeed("view", files.source, files.target, files.links, "--lines", "1", "--output", tmp_path / name)
        == ""
    )
    content = (tmp_path / name).read_bytes()
    beginnings = {
        ".svg": b"<svg ",
        ".gz": b"\x1f\x8b",
        ".png": b"\x89PNG",
        ".html": b"<!DOCTYPE html>",
        "": b"line 1",
    }
    assert content.startswith(beginnings[(tmp_path / name).suffix])


def test_svg_and_png_have_one_size(files: Files, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    view = ("view", files.source, files.target, files.links, "--lines", "1-2", "--gold", files.gold)
    root = ElementTree.fromstring(succeed(*view, "--format", "svg"))
    succeed(*view, "--output", tmp_path / "pairs.png")
    width, height = struct.unpack(">II", (tmp_path / "pairs.png").read_bytes()[16:24])
    assert [width, height] == [2 * int(root.attrib[name]) for name in ("width", "height")]


def test_a_page_has_all_pairs(files: Files) -> None:
    out = succeed("view", files.source, files.target, files.links, "--format", "html")
    index = json.loads(re.findall('<script type="application/json" id="index">(.*)</script>', out)[0])
    assert index["lines"] == list(range(1, 13))
    assert "<title>links</title>" in out


def test_colour_for_a_terminal_and_its_width() -> None:
    from cepts.cli.view import _write
    from cepts.links import Link
    from cepts.views import AlignedPair

    pair = AlignedPair(1, ["a"] * 3, ["b"] * 30, [Link(0, 0)])
    written = []
    stream = mock.MagicMock(isatty=lambda: True, write=written.append)
    opened = mock.MagicMock(__enter__=lambda _: stream)
    size = os.terminal_size((40, 20))
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        written.clear()
        with (
            mock.patch("cepts.cli.view.destination", return_value=opened),
            mock.patch.object(shutil, "get_terminal_size", return_value=size),
            mock.patch.dict(os.environ, environment),
        ):
            _write("terminal", iter([pair]), "links", {"drawing": None, "output": None})
        text = "".join(written)
        assert ("\x1b[" in text) is coloured
        assert max(map(len, re.sub("\x1b\\[\\d+m", "", text).split("\n"))) <= 40


def test_nothing_is_left_behind(files: Files, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("0-0\n")
    before = names(tmp_path)
    refused("view", files.source, files.target, broken, "--output", tmp_path / "out.html")
    refused(
        "view", files.source, files.target, files.links, "--lines", "99", "--output", tmp_path / "out.png"
    )
    assert names(tmp_path) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--lines", "99"), "--lines 99: line 99 is not there, the text has 12 pairs"),
        (("--lines", "13-"), "--lines 13-: line 13 is not there, the text has 12 pairs"),
        *(
            (
                ("--lines", text),
                f"--lines {text}: expected lines and ranges of them from 1, such as 1-10 or 3,7-9",
            )
            for text in ("0", "x", "5-3", "", "1,,2", "1-2-3", "-1")
        ),
        (("--combine", "union"), "--combine is about the links of a model: add --model FOLDER, or drop it"),
        (("--lists", "apart"), "--lists is about n-best lists, which {links} has none of; drop it"),
        (
            ("--format", "html", "--drawing", "matrix"),
            "--drawing is chosen in the page itself; drop it, or --format html",
        ),
        (("--model", "m"), "LINKS and --model are two ways to get links: drop one of them"),
        (("--gold", "{source}"), "{source}, line 1: 'Le' is not a link, expected i-j"),
        (("--segmenter", "auto"), "--segmenter needs --tokenize; add that, or drop it"),
        (("--links-format", "naacl"), "{links}, line 1: "),
    ],
)
def test_refused(files: Files, options: tuple[str, ...], message: str) -> None:
    known = files._asdict()
    given = [option.format(**known) for option in options]
    said = refused("view", files.source, files.target, files.links, *given)
    assert said.startswith(message.format(**known))


def test_links_that_do_not_fit(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0 7-1\n" + "\n" * 11)
    assert refused("view", files.source, files.target, path) == (
        f"{path}, line 1: link 7-1 (from 0) is outside of its pair, which has 3 source and 3 target words;"
        " are these links for this text, source first, counted from 0?"
    )
    path.write_text("0-0\n")
    assert refused("view", files.source, files.target, path) == (
        f"{path}: links of 1 pairs, but {files.source} has 12 pairs, expected as many; line k must hold the links of"
        " pair k"
    )
    path.write_text("0 ||| 0-0 5-5 ||| -1\n")
    assert refused("view", files.source, files.target, path).startswith(
        f"{path}, alignment 1: link 5-5 (from 0)"
    )
    path.write_text("12 ||| 0-0 ||| -1\n")
    assert refused("view", files.source, files.target, path) == (
        f"{path}: a list of pair 12 (from 0), but the text has 12 pairs; do lists and text belong together?"
    )
    assert refused(
        "view", files.source, files.target, files.lists, "--lists", "apart", "--min-confidence", "0.5"
    ) == ("--min-confidence is about shares; drop it, or --lists apart")


def test_forgotten_links_are_asked_for(files: Files) -> None:
    assert refused("view", files.links) == (
        f"{files.links} holds no words beside links: give SOURCE TARGET LINKS, or SOURCE TARGET --model FOLDER"
    )
    assert refused("view", files.source, files.target) == (
        f"LINKS is missing: {files.target} holds text, not links; give SOURCE TARGET LINKS, or a file with both"
        " languages and LINKS"
    )
    assert refused("view", files.source, files.links).endswith(
        "(of two files without --model the second is LINKS)"
    )


def test_too_many_pairs_for_a_picture(text: Text, links: str, tmp_path: Path) -> None:
    for name, content in (
        ("links", links),
        ("source", text.source.read_text()),
        ("target", text.target.read_text()),
    ):
        (tmp_path / name).write_text(2 * content)
    paths = [tmp_path / name for name in ("source", "target", "links")]
    assert refused("view", *paths, "--format", "svg", "--lines", "1-120") == (
        "120 pairs in one picture, expected 1 to 100; choose --lines, or --format html"
    )


@pytest.mark.parametrize("name", ["html", "png"])
def test_what_is_not_for_a_terminal(files: Files, name: str) -> None:
    with mock.patch("cepts.cli.view._is_terminal", return_value=True):
        said = refused("view", files.source, files.target, files.links, "--format", name)
    assert said == f"--format {name} is not for a terminal: add --output FILE"


def test_options_of_text_that_a_model_does_not_have(text: Text, model: Path) -> None:
    view = ("view", text.source, text.target, "--model", model)
    assert "--tokenize was not used when the model was trained" in refused(*view, "--tokenize")
    assert refused(*view, "--lists", "apart") == "--lists is about LINKS; drop it, or --model"


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    entry = "<tu>{}</tu>"
    unit = '<tuv xml:lang="{}"><seg>{}</seg></tuv>'
    pair = entry.format(unit.format("fr", "Le <b/>chat &amp; moi") + unit.format("en", "The cat"))
    alone = entry.format(unit.format("fr", "seul"))
    (tmp_path / "memory.tmx").write_text(
        f'<tmx version="1.4"><header srclang="fr"/><body>{pair}{alone}</body></tmx>'
    )
    (tmp_path / "links").write_text("0-0 1-1\n")
    result = run("view", tmp_path / "memory.tmx", tmp_path / "links", "--drawing", "matrix")
    assert result.status == 0, result.err
    assert "left out" in result.err
    assert "  Le ██·\n" in result.out
