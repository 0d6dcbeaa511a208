import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cepts.corpus import tokenize
from cepts.corpus.tokenizer import SHAPES
from tests.reference import tokenizer as reference

LETTER_OF_KIND = {
    "space": " ", "letter": "a", "digit": "d", "mark": "m", "joiner": "j", "stacker": "q", "symbol": "e",
    "flag half": "r", "han": "h", "hiragana": "i", "katakana": "k", "lengthening": "o", "syllabic": "t",
    "vowel before": "v", "vowel behind": "w",
}  # fmt: skip

# Characters that rules meet: the chance that random text holds them side by side is small.
TELLING = st.sampled_from(
    "aBéİΣσ1٣.,:/'’·-_@% \t\u00a0\u3000\u200b\u200d\u200c\ufe0f\u0301漢々ひカーｶﾞ가ไทยะា្ក😀👍🏽❤🇫🇷\0\ud800|"
)
LINES = st.text(TELLING, max_size=30) | st.text(max_size=30) | st.text(st.characters(), max_size=30)


def tokens(line: str) -> list[str]:
    return [line[start:end] for start, end in tokenize(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        (" \t\u3000\u200b ", []),
        ("The house is blue.", ["The", "house", "is", "blue", "."]),
        ("l'homme qu'elle L’ÉTÉ", ["l'", "homme", "qu'", "elle", "L’", "ÉTÉ"]),
        ("jusqu'ici dell'arte l'aujourd'hui", ["jusqu'", "ici", "dell'", "arte", "l'", "aujourd'hui"]),
        ("don't John's we'll I'd've the '90s", ["don't", "John's", "we'll", "I'd've", "the", "'", "90s"]),
        ("o'clock O'Brien rock'n'roll", ["o'clock", "O'Brien", "rock'n'roll"]),
        ("п'ять dogs' 'a'", ["п'ять", "dogs", "'", "'", "a", "'"]),
        ("3.14 1,000.50 12:30 3/4 1990's", ["3.14", "1,000.50", "12:30", "3/4", "1990's"]),
        ("-5% $3. v2.0, 10km", ["-", "5", "%", "$", "3", ".", "v2.0", ",", "10km"]),
        ("vice-président and/or a_b", ["vice", "-", "président", "and", "/", "or", "a", "_", "b"]),
        ("U.S. e.g. J.R.R.Tolkien end.", ["U.S.", "e.g.", "J.R.R.", "Tolkien", "end", "."]),
        ("wait... -- ?!! «oui»", ["wait", "...", "--", "?", "!!", "«", "oui", "»"]),
        ("See https://a.org/x?y='1'&z=2, ok", ["See", "https://a.org/x?y='1'&z=2", ",", "ok"]),
        ("(www.example.org/a_b).", ["(", "www.example.org/a_b", ")", ".",]),
        ("à jean.d@a-b.co.uk. @home", ["à", "jean.d@a-b.co.uk", ".", "@", "home"]),
        ("http://a.org/e\u0301 b", ["http://a.org/e\u0301", "b"]),
        ("col·lega naïve nai\u0308ve m²", ["col·lega", "naïve", "nai\u0308ve", "m²"]),
        ("👨\u200d👩\u200d👧❤\ufe0f", ["👨\u200d👩\u200d👧", "❤\ufe0f"]),
        ("🇫🇷🇩🇪👍🏽😀😀", ["🇫🇷", "🇩🇪", "👍🏽", "😀", "😀"]),
        ("1\ufe0f\u20e3 ©", ["1\ufe0f\u20e3", "©"]),
        ("東京タワーはらーめん。", ["東", "京", "タワー", "はらーめん", "。"]),
        ("한국어 텍스트", ["한국어", "텍스트"]),
        ("ภาษาไทย", ["ภา", "ษา", "ไท", "ย"]),
        ("ខ្មែរ", ["ខ្មែ", "រ"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
    ],
)  # fmt: skip
def test_examples(line: str, expected: list[str]) -> None:
    assert tokens(line) == expected


def is_white(char: str) -> bool:
    return reference.kind(char) == "space"


@given(LINES)
@example("\ud800\udc00 \udfff")
def test_tokens_cover_everything_but_white_space_in_order(line: str) -> None:
    position = 0
    for start, end in tokenize(line):
        assert position <= start < end
        assert all(is_white(char) for char in line[position:start])
        assert not any(is_white(char) for char in line[start:end])
        position = end
    assert all(is_white(char) for char in line[position:])


@given(LINES)
def test_a_mark_stays_with_its_base(line: str) -> None:
    for start, _ in tokenize(line):
        if unicodedata.category(line[start]).startswith("M"):
            assert start == 0 or is_white(line[start - 1])


@given(LINES)
def test_like_the_slow_twin(line: str) -> None:
    if not re.search(r"@|www\.|://", line, re.IGNORECASE):
        assert tokenize(line) == reference.tokenize(line)


def test_classes_by_ranges_are_the_classes_by_names() -> None:
    codes = [*range(0x32000), *range(0xE0000, 0xE0200)]
    wrong = []
    for char in map(chr, codes):
        kind = reference.kind(char)
        expected = char if kind == "punctuation" else LETTER_OF_KIND[kind]
        if SHAPES[ord(char)] != expected:
            wrong.append((hex(ord(char)), SHAPES[ord(char)], expected))
    assert wrong == []


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a@", "a'", "1,", "\u0301", "www.", "http://", "\u200d😀", "l'", "(", "្", "เ"]
)
def test_long_lines_of_one_piece_are_covered(piece: str) -> None:
    line = piece * 20_000
    spans = tokenize(line)
    assert sum(end - start for start, end in spans) == len(line)


def test_vowels_without_their_letter() -> None:
    assert [text for start, end in tokenize("เเเ เเเก") for text in ["เเเ เเเก"[start:end]]] == [
        "เ",
        "เ",
        "เ",
        "เเเก",
    ]
