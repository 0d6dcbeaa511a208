import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cepts.corpus import Side, bitext_from_pairs, encode_lines, files, read_bitext, side_from_tokens
from cepts.corpus.encoding_kernels import encode_block, enlarged

ASCII_WHITE = " \t\x0b\x0c\r"
# Upper-case letters whose lower case is longer, depends on the neighbours or changes its number of bytes.
TELLING = st.sampled_from("abcAΣσςİẞÉ.'  \t\r\x0b\x0c\x1c\x85\u2028\u00a0\u3000😀")
LINE = st.text(TELLING, max_size=25) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\0")
)


def plain_words(line: str, *, keep_case: bool) -> list[str]:
    """Split at ASCII white space, character by character; lower-case the whole line at once."""
    words = [""]
    for char in line if keep_case else line.lower():
        words = [*words, ""] if char in ASCII_WHITE else [*words[:-1], words[-1] + char]
    return [word for word in words if word]


def plain_side(lines: list[str], *, keep_case: bool = False) -> Side:
    return side_from_tokens([plain_words(line, keep_case=keep_case) for line in lines])


def assert_same(left: Side, right: Side) -> None:
    assert list(left.words) == list(right.words)
    assert (left.ids.dtype, left.offsets.dtype) == (np.int32, np.int64)
    np.testing.assert_array_equal(left.ids, right.ids)
    np.testing.assert_array_equal(left.offsets, right.offsets)


@given(st.lists(LINE, max_size=8), st.booleans())
@example(["ΟΔΟΣ", "Α ΟΔΟΣ.", "ΟΔΟΣ Α", "ΟΔΟΣΑ Σ"], False)
@example(["İ", "i̇", "I"], False)
def test_like_the_plain_way(lines: list[str], keep_case: bool) -> None:
    assert_same(encode_lines(lines, keep_case=keep_case), plain_side(lines, keep_case=keep_case))


@given(st.lists(LINE, min_size=1, max_size=8))
def test_a_line_has_the_same_words_alone_and_among_others(lines: list[str]) -> None:
    together = encode_lines(lines)
    for k, line in enumerate(lines):
        assert encode_lines([line]).sentence(0) == together.sentence(k)


@pytest.mark.parametrize("tokenize", [False, True])
@pytest.mark.parametrize("keep_case", [False, True])
def test_files_give_the_same_as_strings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tokenize: bool, keep_case: bool
) -> None:
    lines = ["L'été, à Σαν ΟΔΟΣ", "", "un\u2028deux\x0btrois\x85quatre", " L'ÉTÉ  à\u00a0la mer\r", "fin"] * 3
    file = tmp_path / "text"
    file.write_bytes("\n".join(lines).encode())
    monkeypatch.setattr(files, "BLOCK", 7)  # shorter than a line, and cutting characters
    read = read_bitext(file, file, tokenize=tokenize, keep_case=keep_case)
    made = bitext_from_pairs([(line, line) for line in lines], tokenize=tokenize, keep_case=keep_case)
    assert len(read) == len(made) == 15
    for left, right in ((read.source, made.source), (read.target, made.target)):
        assert_same(left, right)
        if tokenize:
            np.testing.assert_array_equal(left.spans, right.spans)


def test_lowering_neither_makes_nor_takes_white_space() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        lowered = char.lower()
        assert lowered == char or not (set(lowered) | {char}) & set(ASCII_WHITE + "\n")


def test_lowering_never_looks_across_white_space() -> None:
    for white in ASCII_WHITE + "\n":
        assert f"ΑΣ{white}Α".lower() == f"ας{white}α"
        assert f"Α{white}Σ".lower() == f"α{white}σ"


def test_words_that_share_beginnings_and_lengths_stay_apart() -> None:
    """Around seven bytes, where the key of a word changes from its bytes to a hash."""
    words = [letter * length + end for length in range(20) for letter in "ab" for end in ("", "x", "y", "é")]
    words = [word for word in dict.fromkeys(words) if word]
    side = encode_lines([" ".join(words), " ".join(reversed(words))])
    assert list(side.words) == words
    assert side.ids.tolist() == [*range(len(words)), *reversed(range(len(words)))]


def test_long_words_with_one_hash_are_told_apart_by_their_bytes() -> None:
    text = np.frombuffer(b"mountains fountains mountains\n", np.uint8)
    table = np.zeros(64, np.uint64)
    arrays = np.empty(99, np.uint8), np.zeros(9, np.int64), np.empty(9, np.int32), np.empty(1, np.int64)
    word_bytes, word_starts, ids, line_ends = arrays
    done = np.zeros(4, np.int64)
    encode_block(text[:10], table, word_bytes, word_starts, ids, line_ends, done)
    key = table[table >= 1 << 63][0]
    word_bytes[:9] = np.frombuffer(b"courtains", np.uint8)  # as if another word had got this key
    done[:3] = 0
    encode_block(text[:10], table, word_bytes, word_starts, ids, line_ends, done)
    assert ids[0] == 1
    assert (table == key).sum() == 2


def test_the_vocabulary_grows_past_its_table() -> None:
    lines = [" ".join(f"word{k}" for k in range(start, start + 50)) for start in range(0, 20_000, 25)]
    assert_same(encode_lines(lines), plain_side(lines))


def test_kernels_compile_once(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("a b\n" * 3000)
    read_bitext(file, file)
    encode_lines([" ".join(map(str, range(2000)))], tokenize=True)
    assert len(encode_block.signatures) == 1  # type: ignore[attr-defined]
    assert len(enlarged.signatures) == 1  # type: ignore[attr-defined]


def test_spans_point_into_the_original_line() -> None:
    lines = ["İstanbul'da  L'ÉTÉ 😀 3,5", "", "Fin."]
    side = encode_lines(lines, tokenize=True)
    for k, line in enumerate(lines):
        spans = side.token_spans(k)
        assert spans is not None
        assert spans.dtype == np.int32
        assert spans.shape == (len(side.sentence(k)), 2)
        assert [line[start:end].lower() for start, end in spans] == side.sentence(k)


def test_a_newline_in_a_string_is_white_space() -> None:
    assert encode_lines(["a\nb", "c"]).offsets.tolist() == [0, 2, 3]


def test_no_lines_at_all() -> None:
    side = encode_lines([], tokenize=True)
    assert (len(side), len(side.ids), list(side.words)) == (0, 0, [])
    assert side.spans is not None
    assert side.spans.shape == (0, 2)


def test_the_text_is_never_held_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "long"
    file.write_bytes((b"x" * 160 + b"\n") * 150_000)
    tracemalloc.start()
    bitext = read_bitext(file, file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(bitext) == 150_000
    assert peak < file.stat().st_size
