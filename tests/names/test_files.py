"""Files of names: what is read, and what is refused, with file and line."""

from __future__ import annotations

import gzip
import io
import sys
from typing import TYPE_CHECKING

import pytest

from cepts.corpus.samples import sample_names
from cepts.errors import InputError, OptionError
from cepts.names.files import (
    read_answers,
    read_groups,
    read_names,
    read_orders,
    read_pairs,
    read_references,
    reader_of,
    stream_lines,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READERS = (read_pairs, read_orders, read_groups, read_names, read_references, read_answers)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "names"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_pairs(file: Callable[..., Path]) -> None:
    assert read_pairs(file("анна\tanna\r\n\n вера \tvera\nпусто\t")) == [
        ("анна", "anna"),
        ("", ""),
        ("вера", "vera"),
        ("пусто", ""),
    ]


def test_a_byte_order_mark_and_gzip(file: Callable[..., Path]) -> None:
    assert read_pairs(file(gzip.compress(b"\xef\xbb\xbfa\tb\n"))) == [("a", "b")]


def test_orders_may_have_several_worse_strings(file: Callable[..., Path]) -> None:
    assert read_orders(file("a\tb\tc\na\tb\tc\td\n")) == [("a", "b", "c"), ("a", "b", "c", "d")]


def test_groups_of_any_size(file: Callable[..., Path]) -> None:
    assert read_groups(file("new york\tcork\nlone\n\na\tb\tc\n")) == [
        ("new york", "cork"),
        ("lone",),
        ("a", "b", "c"),
    ]


def test_names_keep_empty_lines(file: Callable[..., Path]) -> None:
    assert read_names(file("anna\n\nvan gogh\n")) == ["anna", "", "van gogh"]


def test_references_of_one_name_come_together(file: Callable[..., Path]) -> None:
    assert read_references(file("a\tx\nb\ty|z\n\na\tw\n")) == {"a": ["x", "w"], "b": ["y|z"]}
    assert read_references(file("b\ty|z\n"), joined=True) == {"b": ["y", "z"]}


def test_answers_are_put_in_order_and_the_first_time_counts(file: Callable[..., Path]) -> None:
    path = file("a\t2\ty\t1.5\na\t1\tx\t2\nb\t1\tz\t-inf\na\t1\tw\t2\n")
    assert read_answers(path) == {"a": ["x", "y"], "b": ["z"]}


def test_each_mode_has_its_reader() -> None:
    assert [reader_of(mode) for mode in ("generate", "rank", "classify", "affinity")] == [
        read_pairs,
        read_pairs,
        read_groups,
        read_orders,
    ]


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_pairs, "a\tb\nc d\n", r"names, line 2: no TAB, expected `source TAB target`$"),
        (
            read_pairs,
            "a\tb\tc\n",
            r"names, line 1: 3 columns, expected `source TAB target`; cut -f 1-2 keeps the first 2 columns$",
        ),
        (read_pairs, "", r"names is empty: expected lines of `source TAB target`$"),
        (read_pairs, "\n\n", r"names is empty"),
        (
            read_orders,
            "a\tb\tc\na\tb\n",
            r"names, line 2: 2 columns, expected `source TAB better TAB worse`$",
        ),
        (
            read_groups,
            "\na b\nc d\n",
            r"names, line 2: no TAB, and none in the whole file; put the members of a group on one line, with TABs",
        ),
        (read_groups, "\n", r"names is empty: expected groups"),
        (
            read_names,
            "a\nb\tc\n",
            r"names, line 2: a TAB, expected one name a line; cut -f 1 keeps the first column$",
        ),
        (read_names, "\n", r"names is empty: expected names"),
        (
            read_references,
            "a\t\n",
            r"names, line 1: an empty string, expected `source TAB target`; drop the line",
        ),
        (read_references, "\ta\n", r"names, line 1: an empty string"),
        (
            read_answers,
            "a\tb\n",
            r"names, line 1: 2 columns, expected `name TAB rank TAB candidate TAB score`",
        ),
        (read_answers, "a\tone\tb\t1\n", r"names, line 1: rank 'one', expected a whole number from 1"),
        (read_answers, "a\t0\tb\t1\n", r"names, line 1: rank '0', expected a whole number from 1"),
        (read_answers, "", r"names is empty: expected candidates"),
    ],
)
def test_what_is_no_such_file_is_refused(
    file: Callable[..., Path], read: Callable[..., object], content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read(file(content))


def test_an_empty_reference_between_bars_is_refused(file: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match=r"line 1: an empty string, expected `source TAB target\|target`"):
        read_references(file("a\tb||c\n"), joined=True)


@pytest.mark.parametrize("read", READERS)
def test_bytes_that_are_no_text_are_refused_with_their_line(
    file: Callable[..., Path], read: Callable[..., object]
) -> None:
    with pytest.raises(InputError, match=r"names, line 2: invalid UTF-8, byte 0xff at byte 2 of the line"):
        read(file(b"a\n\tb\n"[:2] + b"\t\xff\tx\n"))
    with pytest.raises(InputError, match="names, line 1: a NUL byte at byte 2 of the line"):
        read(file(b"a\0\tb\tc\td\n"))
    with pytest.raises(InputError, match="no such file"):
        read("nowhere/names")
    with pytest.raises(OptionError, match="errors must be 'strict' or 'replace', got 'ignore'"):
        read(file("a\tb\n"), errors="ignore")


def test_bad_bytes_can_be_replaced(file: Callable[..., Path]) -> None:
    assert read_pairs(file(b"a\xff\tb\0\n"), errors="replace") == [("a\ufffd", "b\ufffd")]


class Pipe(io.RawIOBase):
    """Gives its pieces one at a time, as a pipe does."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        piece = self._pieces.pop(0) if self._pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


def streamed(monkeypatch: pytest.MonkeyPatch, pieces: list[bytes]) -> list[list[tuple[int, tuple[str, ...]]]]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(pieces))))
    return [[tuple(line) for line in block] for block in stream_lines()]


def test_a_stream_is_answered_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [b"\xef\xbb\xbfa\n", b"b", b"c\n\nd\te\n", b"f"]
    assert streamed(monkeypatch, pieces) == [
        [(1, ("a",))],
        [(2, ("bc",)), (3, ("",)), (4, ("d", "e"))],
        [(5, ("f",))],
    ]


def test_a_letter_that_is_cut_between_pieces_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = "я\n".encode()[:1], "я\n".encode()[1:]
    assert streamed(monkeypatch, [first, last]) == [[(1, ("я",))]]


def test_a_bad_byte_of_a_stream_is_told_by_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="standard input, line 3: invalid UTF-8, byte 0xff"):
        streamed(monkeypatch, [b"a\nb\n", b"\xff\n"])


def test_the_sample_of_names_is_as_promised() -> None:
    train, test = (read_pairs(path) for path in sample_names())
    assert (len(train), len(test)) == (299, 30)
    assert len({source for source, _ in train + test}) == 329  # no name twice, and none in both
    for source, target in train + test:
        assert source == source.lower()
        assert target == target.lower()
        assert all("а" <= letter <= "я" or letter == "ё" for letter in source)
        assert target.isascii()
        assert target.isalpha()
