"""Reading links: both formats, every kind of file, and what is said of a bad one."""

import gzip
import io
import lzma
import re
import subprocess
import sys

import numpy as np
import pytest

from cepts.errors import InputError
from cepts.links import Link, read_links

PHARAOH = "0-0 1?2 3p1\n\n2-1\n"
EXPECTED = [[Link(0, 0), Link(1, 2, 1.0, False), Link(3, 1, 1.0, False)], [], [Link(2, 1)]]


def read(text, **options):
    return read_links(io.StringIO(text), **options)


def test_pharaoh_has_sure_and_possible_links():
    assert list(read(PHARAOH)) == EXPECTED
    assert read(PHARAOH).scores is None


@pytest.mark.parametrize("text", [PHARAOH[:-1], PHARAOH.replace("\n", "\r\n"), "\ufeff" + PHARAOH])
def test_line_ends_and_byte_order_marks_do_not_matter(text):
    assert list(read(text)) == EXPECTED


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n"])
def test_empty_lines_are_pairs_without_links(text):
    assert list(read(text)) == [[]] * text.count("\n")


def test_pharaoh_is_sorted_and_sure_wins():
    assert list(read("2-0 0-1 0?1 0-0 0-0\n")) == [[Link(0, 0), Link(0, 1), Link(2, 0)]]


def test_confidences_may_be_mixed_with_none():
    links = read("0-0:0.5 1?1:0.25\n2-2\n0-0 1-1:0.75\n3-3:1e-1\n")
    assert links.confidence.tolist() == [0.5, 0.25, 1, 1, 0.75, pytest.approx(0.1)]
    assert links.sure.tolist() == [True, False, True, True, True, True]


@pytest.mark.parametrize("mark", ["\t", " ||| ", " |||", " \t "])
def test_a_score_follows_the_links(mark):
    links = read(f"0-0:0.5{mark}-2.5\n{mark}-1\n1-1{mark}-inf\n")
    assert [len(pair) for pair in links] == [1, 0, 1]
    assert links.scores.tolist() == [-2.5, -1, -np.inf]


def test_a_line_without_a_score_among_others_has_none():
    scores = read("0-0\t-2.5\n0-0\n").scores
    assert scores[0] == -2.5
    assert np.isnan(scores[1])


def test_naacl_counts_from_one_and_drops_null():
    text = "0001 1 1 S\n0001 2 3 P\n1 4 2\n3 3 2 S 0.5\n0003 0 1 S\n3 1 0 P\n"
    expected = [[Link(0, 0), Link(1, 2, 1.0, False), Link(3, 1)], [], [Link(2, 1, 0.5)]]
    assert list(read(text)) == expected


def test_naacl_takes_a_confidence_without_a_kind_and_lines_in_any_order():
    assert list(read("2 1 1 0.25\n\n1 2 1 P\n1 1 2\n1 2 1 S\n")) == [
        [Link(0, 1), Link(1, 0)],
        [Link(0, 0, 0.25)],
    ]


def test_naacl_does_not_say_where_it_ends():
    assert len(read("38 1 1 S\n")) == 38
    assert len(read("38 1 1 S\n", pairs=40)) == 40
    assert len(read("38 1 0 S\n")) == 38
    assert list(read("38 1 1 S\n"))[37] == [Link(0, 0)]


@pytest.mark.parametrize(
    ("name", "encode"), [("a.txt", bytes), ("a.gz", gzip.compress), ("a.xz", lzma.compress)]
)
def test_files_may_be_compressed(tmp_path, name, encode):
    path = tmp_path / name
    path.write_bytes(encode(PHARAOH.encode()))
    assert list(read_links(path)) == EXPECTED
    assert list(read_links(str(path))) == EXPECTED
    with path.open("rb") as stream:
        assert name != "a.txt" or list(read_links(stream)) == EXPECTED


@pytest.mark.parametrize(
    ("text", "said"), [(PHARAOH, "3"), ("0-x\n", "standard input, line 1: position 'x'")]
)
def test_dash_is_standard_input(text, said):
    code = "from cepts.links import read_links; print(len(read_links('-')))"
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=False
    )
    assert said in done.stdout + done.stderr


BAD_PHARAOH = {
    "hello": "'hello' is not a link, expected i-j (sure), i?j (possible) or i-j:confidence",
    "3": "'3' is not a link, expected i-j",
    "1-2-3": "'1-2-3' is not a link",
    "0-": "'0-' is not a link",
    "-1-0": "negative position -1, expected a number from 0",
    "1--2": "negative position -2, expected a number from 0",
    "a-1": "position 'a' is not a number, expected a number from 0",
    "1-²": "position '²' is not a number",
    "1000000-0": "position 1000000 is too large, expected at most 999999; check the file",
    "0-" + "9" * 5000: "position 999999999999999999999999999999... is too large",
    "0-0:": "confidence '', expected a number from 0 to 1",
    "0-0:1.5": "confidence '1.5', expected a number from 0 to 1",
    "0-0:nan": "confidence 'nan', expected a number from 0 to 1",
    "0-0\t1-1": "score '1-1' is not a number, expected the pair's score after a TAB or |||; separate",
    "0-0 ||| x": "score 'x' is not a number",
}


@pytest.mark.parametrize("bad", BAD_PHARAOH)
def test_bad_pharaoh_is_named_with_its_line(tmp_path, bad):
    path = tmp_path / "bad.links"
    path.write_text(f"0-0 1-1\n\n{bad}\n0-0\n", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}, line 3: {BAD_PHARAOH[bad]}")):
        read_links(path)


BAD_NAACL = {
    "1 2": "'1 2' is not a link, expected: sentence source target [S|P]",
    "1 2 3 S 1 x": "'1 2 3 S 1 x' is not a link",
    "1 2 x": "position 'x' is not a number, expected a number from 1",
    "1 -2 3": "negative position -2, expected a number from 1",
    "x 2 3": "sentence 'x' is not a number, expected a number from 1",
    "0 2 3": "sentence 0, expected a number from 1",
    "9999999999 1 1": "sentence 9999999999, expected at most 100000000",
    "1 2 3 Q": "'Q', expected S (sure) or P (possible)",
    "1 2 3 Q 0.5": "'Q', expected S (sure) or P (possible)",
    "1 2 3 S 2": "confidence '2', expected a number from 0 to 1",
}


@pytest.mark.parametrize("bad", BAD_NAACL)
def test_bad_naacl_is_named_with_its_line(tmp_path, bad):
    path = tmp_path / "bad.naacl"
    path.write_text(f"1 1 1 S\n\n{bad}\n", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}, line 3: {BAD_NAACL[bad]}")):
        read_links(path)


def test_naacl_for_another_text_is_refused():
    message = (
        "links, line 2: sentence 5, expected at most 4, the number of sentence pairs; are these links for"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        read("1 1 1\n5 1 1\n", pairs=4)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b"0-0\n1-1 \xff\n",
            "line 2: invalid UTF-8 (byte 0xff), expected plain text; is this a file of links?",
        ),
        (b"\xef\xbb\xbf0-0 \xe9\n", "line 1: invalid UTF-8 (byte 0xe9)"),
        (b"0-0\n\n1\0-1\n", "line 3: a NUL byte, expected text; is this a file of links?"),
    ],
)
def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path, data, said):
    path = tmp_path / "bytes"
    path.write_bytes(data)
    with pytest.raises(InputError, match=re.escape(f"{path}, {said}")):
        read_links(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere: no such file"):
        read_links(tmp_path / "nowhere")


@pytest.mark.parametrize("suffix", ["gz", "xz"])
def test_damaged_compression_is_named(tmp_path, suffix):
    whole = {"gz": gzip.compress, "xz": lzma.compress}[suffix](PHARAOH.encode())
    path = tmp_path / f"bad.{suffix}"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=rf"bad\.{suffix}: the compressed file ends too early"):
        read_links(path)
