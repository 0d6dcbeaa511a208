import pytest

from cepts.corpus.placeholders import without_placeholders


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Delete %s and %1$d of %(count)s, %-5.2f%%", "Delete and of , %"),
        ("100 % sure, 50%d, 5% de", "100 % sure, 50%d, 5% de"),
        ("%@ is %lu, %.*f, %1 and %L2", "is , , and"),
        ("{0} {} {name} {name!r:>10} {a.b[0]} {{ x }} ${y} %{z} #{w}", ""),
        ("{count, plural, one {a file}}", "{count, plural, one {a file}}"),
        ('<a href="x">Home</a><br/>now<!-- c --> a < b > c', "Home now a < b > c"),
        ("caf&eacute;&nbsp;&#8364;&#x20AC; &unknown; AT&T", "café\u00a0€€ AT&T"),
        ("x<b>y</b>z<p>q", "xyz q"),
    ],
)
def test_what_is_taken_out(text: str, words: str) -> None:
    assert " ".join(part for part in without_placeholders(text).text.split(" ") if part) == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&File", "File"),
        ("Save &As...", "Save As..."),
        ("E&xit", "Exit"),
        ("_File", "File"),
        ("Save _As", "Save As"),
        ("ファイル(&F)", "ファイル"),
        ("ファイル (_F)...", "ファイル..."),
        ("R&D", "R&D"),
        ("AT&T", "AT&T"),
        ("salt & pepper", "salt & pepper"),
        ("Save && &Quit", "Save && &Quit"),
        ("file_name", "file_name"),
        ("__init__", "__init__"),
        ("_a _b", "_a _b"),
        ("&amp; &File", "& File"),
        ("%(_x)s _File", "  File"),
    ],
)
def test_keys_of_menus(text: str, expected: str) -> None:
    assert without_placeholders(text, keys=True).text == expected
    assert without_placeholders("&File").text == "&File"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<!-- b <!-- c -->d", "a d"),
        ("a <!-- b", "a <!-- b"),
        (12 * "<!--" + " -->b", 3 * "<!--" + " b"),
        ("<!-- - -- < > -->b", " b"),
        ("a <!-->b<!-- -->", "a  "),
    ],
)
def test_comments(text: str, expected: str) -> None:
    assert without_placeholders(text).text == expected


def test_many_entities_and_no_key() -> None:
    text = 50_000 * "&amp;"
    assert without_placeholders(text, keys=True).text == 50_000 * "&"
