"""Text and links in pieces: as if read whole, and what is refused with the right line."""

import gzip
import io
import re
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs, read_bitext
from cepts.errors import InputError, OptionError
from cepts.links import Links, read_links, write_links
from cepts.phrases.counting import LexicalCounts
from cepts.phrases.lexical import lexical_tables
from cepts.phrases.lines import Lines
from cepts.phrases.pieces import cut_pieces, read_pieces

PAIRS = 40
SOURCE = [" ".join(f"s{(k * n) % 17}" for n in range(k % 6)) for k in range(PAIRS)]
TARGET = [" ".join(f"T{(k * n) % 13}" for n in range(k % 5)) for k in range(PAIRS)]
LINKS = [" ".join(f"{n}-{n}" for n in range(min(k % 6, k % 5))) for k in range(PAIRS)]


@pytest.fixture
def small_blocks():
    """Read some two dozen bytes at a time: a file comes in many blocks, and the files' blocks end at other lines."""
    with mock.patch("cepts.corpus.files.BLOCK", 23):
        yield


def write(folder, source=SOURCE, target=TARGET, links=LINKS, end="\n"):
    """Write the three files, of strings or bytes."""
    for name, lines in (("source", source), ("target", target), ("links", links)):
        content = lines if isinstance(lines, bytes) else "".join(line + end for line in lines).encode()
        (folder / name).write_bytes(content)
    return folder / "source", folder / "target", folder / "links"


def refused(paths, message, errors="strict"):
    with pytest.raises(InputError, match=message) as caught:
        list(read_pieces(*paths, errors))
    assert "\n" not in str(caught.value)


def changed(lines, number, line):
    """Return lines with another one at a place, from 1."""
    return [*lines[: number - 1], line, *lines[number:]]


@pytest.mark.usefixtures("small_blocks")
def test_pieces_are_the_whole(tmp_path):
    paths = write(tmp_path)
    pieces = list(read_pieces(*paths))
    assert len(pieces) > 10
    whole = read_bitext(*paths[:2], keep_case=True)
    for side in ("source", "target"):
        words = getattr(pieces[-1].bitext, side).words
        assert len(set(words)) == len(words)
        found = [
            getattr(piece.bitext, side).sentence(k) for piece in pieces for k in range(len(piece.bitext))
        ]
        assert found == [getattr(whole, side).sentence(k) for k in range(PAIRS)]
    assert [pair for piece in pieces for pair in piece.links] == list(read_links(paths[2]))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", ["crlf", "no last newline", "mark", "gzip"])
def test_other_files_of_the_same_text(tmp_path, kind):
    pieces = read_pieces(*write(tmp_path))
    expected = [number for piece in pieces for number in piece.bitext.source.ids.tolist()]
    paths = write(tmp_path, end="\r\n" if kind == "crlf" else "\n")
    for path in paths:
        content = path.read_bytes()
        if kind == "gzip":
            path.write_bytes(gzip.compress(content))
        elif kind == "mark":
            path.write_bytes(b"\xef\xbb\xbf" + content)
        elif kind == "no last newline":
            path.write_bytes(content.removesuffix(b"\n"))
    found = list(read_pieces(*paths))
    assert [number for piece in found for number in piece.bitext.source.ids.tolist()] == expected
    assert sum(len(piece.bitext) for piece in found) == PAIRS


def test_a_bitext_is_cut_where_it_was_read():
    bitext = bitext_from_pairs(zip(SOURCE, TARGET, strict=True))
    links = Links.from_pairs([[tuple(map(int, link.split("-"))) for link in line.split()] for line in LINKS])
    with mock.patch("cepts.phrases.pieces.WORDS_AT_ONCE", 10):
        pieces = list(cut_pieces(bitext, links))
    assert len(pieces) > 10
    for side in ("source", "target"):
        ids = np.concatenate([getattr(piece.bitext, side).ids for piece in pieces])
        assert ids.tolist() == getattr(bitext, side).ids.tolist()
    assert [pair for piece in pieces for pair in piece.links] == list(links)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        (
            "target",
            TARGET[:-3],
            "source has 40 lines, .*target has 37: line k of .*target must translate line k of .*source$",
        ),
        ("target", [*TARGET, "", ""], "source has 40 lines, .*target has 42: "),
        ("source", SOURCE[:1], "source has 1 lines, .*target has 40: "),
        (
            "links",
            LINKS[:20],
            "source has 40 lines, .*links has 20: line k of .*links must have the links of line k of .*source$",
        ),
        ("links", [*LINKS, "0-0"], "source has 40 lines, .*links has 41: "),
        ("links", [], "source has 40 lines, .*links has 0: "),
    ],
)
def test_files_of_different_lengths(tmp_path, file, lines, message):
    refused(write(tmp_path, **{file: lines}), message)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("file", ["source", "target", "links"])
def test_a_line_that_is_missing_is_told_before_the_links_that_do_not_fit_for_it(tmp_path, file):
    lines = {"source": SOURCE, "target": TARGET, "links": LINKS}[file]
    numbers = {"source": "has 39 lines, .*target has 40", "target": "has 40 lines, .*target has 39"}
    message = numbers.get(file, "has 40 lines, .*links has 39")
    refused(write(tmp_path, **{file: [*lines[:5], *lines[6:]]}), f"source {message}: ")


def test_empty_files(tmp_path):
    refused(write(tmp_path, [], [], []), "no sentence pairs: .*source and .*target are empty")


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (33, "0-0 1_1", "links, line 33: '1_1' is not a link, expected i-j"),
        (1, "x", "links, line 1: 'x' is not a link, expected i-j"),
        (29, "0-0 9-1", "links, line 29: link 9-1 .* 4 source and 3 target words; "),
        (30, "0-0\0", r"links, line 30: position '0\\x00' is not a number"),
    ],
)
def test_bad_links_in_some_line(tmp_path, number, line, message):
    refused(write(tmp_path, links=changed(LINKS, number, line)), message)


@pytest.mark.usefixtures("small_blocks")
def test_bytes_in_links_that_are_no_text(tmp_path):
    lines = "".join(line + "\n" for line in LINKS).encode().split(b"\n")
    lines[34] = b"0-0 \xff-0"
    refused(write(tmp_path, links=b"\n".join(lines)), "links, line 35: position '\ufffd' is not a number")


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("byte", "cause"), [(b"\xe9", "invalid UTF-8, byte 0xe9"), (b"\0", "a NUL byte")])
def test_bytes_in_text_that_are_no_text(tmp_path, byte, cause):
    lines = "".join(line + "\n" for line in TARGET).encode().split(b"\n")
    lines[36] = lines[36].replace(b"T", byte, 1)
    paths = write(tmp_path, target=b"\n".join(lines))
    refused(paths, f"target, line 37: {re.escape(cause)} at byte 1 of the line; .*errors='replace'")
    pieces = list(read_pieces(*paths, "replace"))
    words = [piece.bitext.target.sentence(k) for piece in pieces for k in range(len(piece.bitext))]
    assert words[36][0].startswith("\ufffd")


def naacl(last):
    """Write the links as a NAACL file, in no order, up to a sentence."""
    rows = [f"{k + 1} {n + 1} {n + 1}" for k in range(last) for n in range(min(k % 6, k % 5))]
    return [*rows[::2], *rows[1::2]]


@pytest.mark.usefixtures("small_blocks")
def test_naacl_files(tmp_path):
    expected = [pair for piece in read_pieces(*write(tmp_path)) for pair in piece.links]
    found = [pair for piece in read_pieces(*write(tmp_path, links=naacl(PAIRS))) for pair in piece.links]
    assert found == expected
    paths = write(tmp_path, links=naacl(12))  # the last ones may have no links
    found = [pair for piece in read_pieces(*paths) for pair in piece.links]
    assert found == [*expected[:12], *([] for _ in range(PAIRS - 12))]


@pytest.mark.usefixtures("small_blocks")
def test_naacl_files_that_do_not_fit(tmp_path):
    refused(
        write(tmp_path, links=[*naacl(12), "29 1 9"]), "links, sentence 29: link 0-8 .* 4 source and 3 target"
    )
    refused(write(tmp_path, links=["41 1 1"]), "source has 40 lines, .*links has 41: ")
    refused(write(tmp_path, links=["1 1 1", "1 x 1"]), "links, line 2: position 'x' is not a number")


def test_standard_input_once_only():
    with pytest.raises(OptionError, match="source, target and links: only one of them can be standard input"):
        list(read_pieces("-", "-", "links"))


def test_files_that_are_not_there(tmp_path):
    paths = write(tmp_path)
    refused((*paths[:2], tmp_path / "nowhere"), "nowhere: no such file")
    refused((tmp_path, *paths[1:]), "is a folder: give a file")


texts = st.lists(st.text("ab \r", max_size=5), max_size=12)


@given(texts, st.lists(st.integers(0, 5), max_size=8), st.integers(1, 9), st.booleans())
def test_lines_in_any_steps(tmp_path_factory, lines, steps, size, is_ended):
    path = tmp_path_factory.mktemp("lines") / "file"
    content = "\n".join(lines) + ("\n" if is_ended and lines else "")
    path.write_bytes(content.encode())
    every = content.removesuffix("\n").split("\n") if content else []
    with mock.patch("cepts.corpus.files.BLOCK", size):
        file = Lines(path)
        taken: list[str] = []
        for step in steps:
            before = len(taken)
            block = file.take(step)
            assert (block.lines, block.lines_before) == (min(step, len(every) - before), before)
            taken += block.text.decode().split("\n")[:-1]
        assert taken == every[: len(taken)]
        assert file.taken == len(taken)
        assert file.count() == len(every)


@pytest.mark.usefixtures("small_blocks")
def test_words_that_are_linked_are_counted_as_in_one(tmp_path):
    paths = write(tmp_path)
    counts = LexicalCounts()
    for piece in read_pieces(*paths):
        counts.add(piece)
    bitext = read_bitext(*paths[:2], keep_case=True)
    forward, reverse = lexical_tables(bitext, read_links(paths[2]))
    found = counts.lexical(len(bitext.source.words))
    assert found.rows.tolist() == forward.rows.tolist()
    assert found.columns.tolist() == forward.columns.tolist()
    assert found.values[:-1, 0].tolist() == forward.values.tolist()
    order = np.lexsort((forward.given(), forward.columns))
    assert found.values[:-1, 1][order].tolist() == reverse.values.tolist()
    assert found.values[-1].tolist() == [0, 0]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("name", ["jsonl", "giza", "tsv", "tmx"])
def test_links_in_other_formats(tmp_path, name):
    paths = write(tmp_path)
    links, stream = read_links(paths[2]), io.StringIO()
    write_links(links, stream, name, read_bitext(*paths[:2]))
    (tmp_path / "other").write_text(stream.getvalue(), encoding="utf-8")
    found = [
        [link[:2] for link in pair]
        for piece in read_pieces(*paths[:2], tmp_path / "other")
        for pair in piece.links
    ]
    assert found == [[link[:2] for link in pair] for pair in links]


def test_an_object_for_each_pair_is_missed(tmp_path):
    refused(
        write(tmp_path, links=['{"links": []}'] * 3),
        f"source has {PAIRS} lines, .*links has 3: ",
    )
