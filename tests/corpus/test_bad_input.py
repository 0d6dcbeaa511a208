import gzip
import io
import lzma
import os
import re
import sys
from pathlib import Path

import pytest

from cepts.corpus import Bitext, bitext_from_pairs, encode_lines, read_bitext, split_pairs
from cepts.errors import InputError, OptionError
from tests.corpus.old_bitexts import save_old


def written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def refused(message: str, error: type[Exception] = InputError):  # type: ignore[no-untyped-def]
    """Expect exactly this message."""
    return pytest.raises(error, match=f"^{re.escape(message)}$")


@pytest.fixture
def good(tmp_path: Path) -> str:
    return written(tmp_path / "good", b"a\nb\nc\n")


def test_different_numbers_of_lines(tmp_path: Path, good: str) -> None:
    longer = written(tmp_path / "longer", b"a\nb\nc\nd\ne")
    rule = "good ends first; line k of one file must translate line k of the other"
    with pytest.raises(InputError, match=rf"^\S+good has 3 lines, \S+longer has 5: \S+{rule}$"):
        read_bitext(good, longer)
    with pytest.raises(InputError, match=rf"^\S+longer has 5 lines, \S+good has 3: \S+{rule}$"):
        read_bitext(longer, good)


def test_empty_files(tmp_path: Path, good: str) -> None:
    empty = written(tmp_path / "empty", b"")
    with refused(f"no sentence pairs: {empty} and {empty} are empty"):
        read_bitext(empty, empty)
    with refused(f"no sentence pairs: {empty} is empty"):
        read_bitext(empty)
    with pytest.raises(InputError, match="has 0 lines"):
        read_bitext(empty, good)


def test_a_file_that_is_not_there_is_noticed_first(tmp_path: Path) -> None:
    bad = written(tmp_path / "bad", b"\xff\n")
    with refused(f"{tmp_path / 'none'}: no such file"):
        read_bitext(bad, tmp_path / "none")
    with refused(f"{tmp_path / 'none'}: no such file"):
        read_bitext(tmp_path / "none")


def test_a_folder(tmp_path: Path, good: str) -> None:
    with refused(f"{tmp_path} is a folder: give a file"):
        read_bitext(good, tmp_path)
    with refused(f"{tmp_path} is a folder: give a file"):
        read_bitext(tmp_path)


def failing_open(error: OSError):  # type: ignore[no-untyped-def]
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def test_no_permission(good: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", failing_open(PermissionError(13, "Permission denied")))
    with refused(f"{good} may not be read: permission denied"):
        read_bitext(good, good)


def test_a_failing_disk(good: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", failing_open(OSError(5, os.strerror(5))))
    with refused(f"{good} cannot be read: {os.strerror(5)}"):
        read_bitext(good, good)


INVALID = "convert the file to UTF-8, or read it with errors='replace'"


@pytest.mark.parametrize("tokenize", [False, True])
def test_invalid_utf8(tmp_path: Path, good: str, tokenize: bool) -> None:
    bad = written(tmp_path / "bad", b"a\nb\xc3\xa9 caf\xe9 x\nc\n")
    with refused(f"{bad}, line 2: invalid UTF-8, byte 0xe9 at byte 8 of the line; {INVALID}"):
        read_bitext(good, bad, tokenize=tokenize)
    bitext = read_bitext(good, bad, tokenize=tokenize, errors="replace")
    assert "".join(bitext.target.sentence(1)) == "bécaf\ufffdx"


def test_invalid_utf8_in_a_later_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cepts.corpus.files.BLOCK", 64)
    bad = written(tmp_path / "bad", b"a b c\n" * 100 + b"a \x80\n")
    with refused(f"{bad}, line 101: invalid UTF-8, byte 0x80 at byte 3 of the line; {INVALID}"):
        read_bitext(bad, bad)


def test_invalid_utf8_in_the_target_column(tmp_path: Path) -> None:
    bad = written(tmp_path / "bad", b"a ||| b\na ||| \xffb\n")
    with refused(f"{bad}, line 2: invalid UTF-8, byte 0xff at byte 7 of the line; {INVALID}"):
        read_bitext(bad)


@pytest.mark.parametrize(
    "cut", [b"\xe2\x82 x", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf", b"\0\xff"]
)
def test_replacing_is_the_same_for_words_and_lines(tmp_path: Path, cut: bytes) -> None:
    bad = written(tmp_path / "bad", b"a" + cut + b"\n")
    line = (b"a" + cut).decode("utf-8", "replace").replace("\0", "\ufffd")
    assert read_bitext(bad, bad, errors="replace").source.sentence(0) == line.split()


@pytest.mark.parametrize("tokenize", [False, True])
def test_nul(tmp_path: Path, good: str, tokenize: bool) -> None:
    bad = written(tmp_path / "bad", b"a\nb x\0y\nc\n")
    cure = "the file may be UTF-16 or binary: convert it to UTF-8, or read it with errors='replace'"
    with refused(f"{bad}, line 2: a NUL byte at byte 4 of the line; {cure}"):
        read_bitext(good, bad, tokenize=tokenize)
    bitext = read_bitext(good, bad, tokenize=tokenize, errors="replace")
    assert "".join(bitext.target.sentence(1)) == "bx\ufffdy"


def test_nul_beside_a_short_word(tmp_path: Path) -> None:
    """Leading NULs must not make two words one."""
    bad = written(tmp_path / "bad", b"a \0a \0\0a\n")
    side = read_bitext(bad, bad, errors="replace").source
    assert side.sentence(0) == ["a", "\ufffda", "\ufffd\ufffda"]


@pytest.mark.parametrize("single", [False, True])
def test_utf16(tmp_path: Path, single: bool) -> None:
    bad = written(tmp_path / "bad", "la maison\n".encode("utf-16"))
    with pytest.raises(InputError, match="line 1: a NUL byte at byte 4 of the line; the file may be UTF-16"):
        read_bitext(bad, None if single else bad)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_truncated_compressed_file(tmp_path: Path, compress) -> None:  # type: ignore[no-untyped-def]
    packed = compress(b"a b c\n" * 1000)
    bad = written(tmp_path / "bad", packed[: len(packed) // 2])
    with refused(f"{bad}: the compressed file ends too early; fetch or compress it again"):
        read_bitext(bad, bad)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_damaged_compressed_file(tmp_path: Path, compress) -> None:  # type: ignore[no-untyped-def]
    packed = bytearray(compress(b"".join(b"%d\n" % (k * k) for k in range(1000))))
    packed[len(packed) // 2] ^= 0xFF
    bad = written(tmp_path / "bad", bytes(packed))
    with pytest.raises(
        InputError, match=f"^{re.escape(bad)}: the compressed file is damaged \\(.+\\); fetch it again$"
    ):
        read_bitext(bad, bad)


def test_standard_input_twice() -> None:
    with refused("source and target cannot both be standard input: give a file for one of them", OptionError):
        read_bitext("-", "-")


def test_standard_input_has_a_name(good: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"a\n\xff\n")))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(InputError, match=r"^standard input, line 2: invalid UTF-8, byte 0xff at byte 1"):
        read_bitext("-", good)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a ||| b\n\nc d\n", "line 3: no '|||', expected one, as in `source ||| target`"),
        (b"a ||| b ||| c\n", "line 1: 2 separators '|||', expected one, as in `source ||| target`"),
        (b"a ||| b\nc ||| d |||\n", "line 2: 2 separators '|||', expected one, as in `source ||| target`"),
        (b"a\tb\nc d\n", "line 2: no TAB, expected one, as in `source TAB target`"),
        (
            b"\n\na b\n",
            (
                "line 3: neither '|||' nor TAB; give two files, or one with `source ||| target` or"
                " `source TAB target` on each line"
            ),
        ),
    ],
)
def test_separators(tmp_path: Path, content: bytes, problem: str) -> None:
    bad = written(tmp_path / "bad", content)
    with refused(f"{bad}, {problem}"):
        read_bitext(bad)
    with refused(f"stream, {problem}"):
        list(split_pairs(io.BytesIO(content), "stream"))


def test_bad_bytes_in_a_stream() -> None:
    lines = [b"a ||| b\n", b"c ||| \xff\n", b"\0 ||| d\n"]
    with pytest.raises(InputError, match=r"^standard input, line 2: invalid UTF-8, byte 0xff at byte 7"):
        list(split_pairs(lines))
    assert list(split_pairs(lines, errors="replace"))[1:] == [("c", "\ufffd"), ("\ufffd", "d")]


@pytest.mark.parametrize("tokenize", [False, True])
def test_lone_surrogates_and_nul_in_strings(tokenize: bool) -> None:
    pairs = [("a", "b"), ("c", "d e\ud800 f")]
    with pytest.raises(InputError, match=r"^target, line 2: invalid UTF-8, byte 0xed at byte 4"):
        bitext_from_pairs(pairs, tokenize=tokenize)
    with pytest.raises(InputError, match=r"^text, line 1: a NUL byte at byte 2"):
        encode_lines(["a\0"], tokenize=tokenize)
    bitext = bitext_from_pairs(pairs, tokenize=tokenize, errors="replace")
    assert "".join(bitext.target.sentence(1)) == "de\ufffdf"
    spans = bitext.target.token_spans(1)
    assert spans is None or spans[-1].tolist() == [5, 6]


def test_errors_is_strict_or_replace(good: str) -> None:
    with refused("read_bitext: errors must be 'strict' or 'replace', got 'ignore'", OptionError):
        read_bitext(good, good, errors="ignore")  # type: ignore[arg-type]


def test_load_of_no_bitext(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=f"^{re.escape(str(tmp_path))} holds no saved bitext, or a damaged one: "
    ):
        Bitext.load(tmp_path)


def test_load_of_a_damaged_bitext(tmp_path: Path) -> None:
    bitext_from_pairs([("a b c", "d")] * 9).save(tmp_path)
    ids = tmp_path / "source-ids.npy"
    ids.write_bytes(ids.read_bytes()[:-8])
    with pytest.raises(InputError, match="holds no saved bitext, or a damaged one: "):
        Bitext.load(tmp_path)


def test_load_of_sides_that_do_not_match(tmp_path: Path) -> None:
    save_old(bitext_from_pairs([("a", "b")]), tmp_path)
    save_old(bitext_from_pairs([("a", "b")] * 2), tmp_path / "other")
    for name in ("target-ids.npy", "target-offsets.npy"):
        (tmp_path / "other" / name).replace(tmp_path / name)
    with refused(f"{tmp_path}: 1 source but 2 target sentences; save it again"):
        Bitext.load(tmp_path)
