import gzip
import io
import lzma
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import Bitext, bitext_from_pairs, read_bitext, split_pairs
from cepts.corpus.files import read_blocks

FRENCH = "la maison\nune Maison bleue\n"
ENGLISH = "the house\na blue House\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    source, target = tmp_path / "a.fr", tmp_path / "a.en"
    source.write_text(FRENCH)
    target.write_text(ENGLISH)
    return source, target


def sentences(bitext: Bitext) -> list[tuple[str, str]]:
    return [
        (" ".join(bitext.source.sentence(k)), " ".join(bitext.target.sentence(k))) for k in range(len(bitext))
    ]


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))  # type: ignore[arg-type]


HOUSES = [("la maison", "the house"), ("une maison bleue", "a blue house")]


def test_two_files(pair: tuple[Path, Path]) -> None:
    bitext = read_bitext(*pair)
    assert sentences(bitext) == HOUSES
    assert bitext.source.ids.tolist() == [0, 1, 2, 1, 3]
    assert bitext.source.offsets.tolist() == [0, 2, 5]
    assert list(bitext.source.words) == ["la", "maison", "une", "bleue"]
    assert bitext.source.spans is None
    assert bitext.seconds_to_read > 0


def test_case_is_kept_on_demand(pair: tuple[Path, Path]) -> None:
    assert list(read_bitext(*pair, keep_case=True).source.words) == ["la", "maison", "une", "Maison", "bleue"]


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
@pytest.mark.parametrize("name", ["a.gz", "a.xz", "a.txt"])
def test_compressed_files_are_known_by_their_bytes(pair, tmp_path: Path, compress, name: str) -> None:  # type: ignore[no-untyped-def]
    packed = tmp_path / name
    packed.write_bytes(compress(FRENCH.encode()))
    assert sentences(read_bitext(packed, pair[1])) == HOUSES


def test_a_plain_file_may_be_called_gz(pair: tuple[Path, Path], tmp_path: Path) -> None:
    plain = tmp_path / "plain.gz"
    plain.write_text(FRENCH)
    assert sentences(read_bitext(plain, pair[1])) == HOUSES


def test_gzip_files_glued_together(pair: tuple[Path, Path], tmp_path: Path) -> None:
    glued = tmp_path / "glued"
    glued.write_bytes(b"".join(gzip.compress(line.encode()) for line in FRENCH.splitlines(keepends=True)))
    assert sentences(read_bitext(glued, pair[1])) == HOUSES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("la maison ||| the house\n\nune Maison bleue|||a blue House", [HOUSES[0], ("", ""), HOUSES[1]]),
        ("\n\n ||| \na ||| b", [("", ""), ("", ""), ("", ""), ("a", "b")]),
        ("a\tx ||| b\n", [("a x", "b")]),
        ("\n \n", [("", ""), ("", "")]),
    ],
)
def test_bars(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    file = tmp_path / "both"
    file.write_text(text)
    assert sentences(read_bitext(file)) == expected


def test_an_empty_side_is_an_empty_sentence(tmp_path: Path) -> None:
    file = tmp_path / "both"
    file.write_text("||| a\nb |||\n")
    assert sentences(read_bitext(file)) == [("", "a"), ("b", "")]


def test_tab_columns_beyond_the_second_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "both.tsv"
    file.write_text("la maison\tthe house\nune Maison bleue\ta blue House\t0.93\tx\r\n\ty\n")
    assert sentences(read_bitext(file)) == [*HOUSES, ("", "y")]


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    content = FRENCH.encode()
    give_stdin(monkeypatch, gzip.compress(content) if packed else content)
    assert sentences(read_bitext("-", pair[1])) == HOUSES
    give_stdin(monkeypatch, b"la maison ||| the house")
    assert sentences(read_bitext("-")) == HOUSES[:1]


def test_only_newline_ends_a_line(tmp_path: Path) -> None:
    file = tmp_path / "odd"
    file.write_bytes("\ufeffa\u2028b\x85c \x0bd\x0c\re\r\nf".encode())
    bitext = read_bitext(file, file)
    assert sentences(bitext) == [("a\u2028b\x85c d e", "a\u2028b\x85c d e"), ("f", "f")]


def test_only_ascii_white_space_separates(tmp_path: Path) -> None:
    file = tmp_path / "odd"
    file.write_text("a\u00a0b c\u3000d\te\x1cf\n")
    assert read_bitext(file, file).source.sentence(0) == ["a\u00a0b", "c\u3000d", "e\x1cf"]


def test_white_lines_are_empty_sentences(tmp_path: Path) -> None:
    file = tmp_path / "white"
    file.write_text("  \n\t\n\r\n")
    bitext = read_bitext(file, file)
    assert len(bitext) == 3
    assert bitext.source.lengths.tolist() == [0, 0, 0]


def test_a_single_pair_and_a_very_long_line(tmp_path: Path) -> None:
    file = tmp_path / "long"
    file.write_text(" ".join(f"w{k % 1000}" for k in range(25_000)))
    bitext = read_bitext(file, file)
    assert len(bitext) == 1
    assert len(bitext.target.ids) == 25_000
    assert len(bitext.target.words) == 1000


@given(st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"")), max_size=9), st.booleans())
def test_blocks_are_the_file(tmp_path_factory, lines: list[bytes], ended: bool) -> None:  # type: ignore[no-untyped-def]
    content = b"x" + b"\n".join(lines) + (b"\n" if ended else b"")
    file = tmp_path_factory.mktemp("blocks") / "file"
    file.write_bytes(content)
    blocks = list(read_blocks(file))
    assert b"".join(block.text for block in blocks) == content + (b"" if content.endswith(b"\n") else b"\n")
    assert sum(block.lines for block in blocks) == b"".join(block.text for block in blocks).count(b"\n")


def test_split_pairs_streams_what_the_file_reader_reads(tmp_path: Path) -> None:
    content = "\ufeff\nΟΔΟΣ|||b\r\n||| c\n\nd d ||| e"
    file = tmp_path / "both"
    file.write_bytes(content.encode())
    with file.open("rb") as lines:
        pairs = list(split_pairs(lines))
    assert pairs == [("", ""), ("ΟΔΟΣ", "b"), ("", "c"), ("", ""), ("d d", "e")]
    assert sentences(bitext_from_pairs(pairs)) == sentences(read_bitext(file))


def test_split_pairs_answers_each_line_at_once() -> None:
    taken = []

    def lines():  # type: ignore[no-untyped-def]
        for line in (b"a\tb\n", b"c\td\n"):
            taken.append(line)
            yield line

    pairs = split_pairs(lines())
    assert next(pairs) == ("a", "b")
    assert len(taken) == 1
