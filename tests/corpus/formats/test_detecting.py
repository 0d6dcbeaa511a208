import gzip
import io
import lzma
import sys
import zipfile
from pathlib import Path

import pytest

from cepts.corpus import files, read_bitext
from cepts.corpus.formats.detecting import FORMATS, LINES, detect
from cepts.errors import InputError, OptionError
from tests.corpus.test_readers import give_stdin
from tests.corpus.written import jsonl_of, po_of, put, sentences, sides_of, tmx_of, xliff_2_of, xliff_of

zstd = files._zstd()
PAIRS = [("the house", "la maison"), ("a", "b")]


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("X.en-fr.en", "the house\na\n")
        archive.writestr("X.en-fr.fr", "la maison\nb\n")
    return stream.getvalue()


CONTENTS = {
    "tmx": tmx_of(PAIRS).encode(),
    "tmx in UTF-16": tmx_of(PAIRS).encode("utf-16"),
    "tmx in UTF-32": tmx_of(PAIRS).encode("utf-32"),
    "xliff in UTF-32": xliff_of(PAIRS).encode("utf-32"),
    "tmx behind comments": b"<!-- <xliff> --><!DOCTYPE tmx [<!-- > -->]>"
    + tmx_of(PAIRS).encode().partition(b"\n")[2],
    "xliff": xliff_of(PAIRS).encode(),
    "xliff 2": xliff_2_of(PAIRS).encode(),
    "po": b"# by hand\n#, fuzzy\n\n" + po_of(PAIRS).encode(),
    "jsonl": jsonl_of(PAIRS).encode(),
    "jsonl of sides": b"\xef\xbb\xbf\n" + sides_of(PAIRS).encode(),
    "moses-zip": zipped(),
    "bars": b"{the house} ||| la maison\n".replace(b"{", b"").replace(b"}", b"") + b"a ||| b\n",
    "tsv": b"the house\tla maison\na\tb\n",
}


@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("called", ["plain", "wrong.po", "wrong.tmx.gz"])
def test_the_content_tells(tmp_path: Path, name: str, called: str) -> None:
    assert sentences(read_bitext(put(tmp_path, called, CONTENTS[name]))) == PAIRS


@pytest.mark.parametrize("name", ["tmx", "po", "jsonl", "bars"])
@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, zstd.compress])
def test_compressed(tmp_path: Path, name: str, compress) -> None:
    assert sentences(read_bitext(put(tmp_path, "x", compress(CONTENTS[name])))) == PAIRS


@pytest.mark.parametrize("name", ["tmx", "xliff", "po", "jsonl", "tsv"])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    give_stdin(monkeypatch, CONTENTS[name])
    assert sentences(read_bitext("-")) == PAIRS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>a</b> ||| b", LINES),
        ("# a\tb", LINES),
        ("{a} ||| b", LINES),
        ('{"a": 1}', "jsonl"),
        ('{"translation": {"en": "cut o', "jsonl"),
        ("{}\tb", LINES),
        ("msgid\tb", LINES),
        ('#~ msgid "a"\n#~ msgstr "b"\n', "po"),
        ('<x:xliff xmlns:x="urn:x"', "xliff"),
        ("PK\tb", LINES),
        ("", LINES),
    ],
)
def test_what_looks_like_something_else(text: str, expected: str) -> None:
    assert detect(text.encode(), "x") == expected


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.tmx", "not well-formed XML"),
        ("x.po.gz", "expected a comment, a keyword such as msgid"),
        ("x.jsonl", "no JSON"),
    ],
)
def test_the_name_tells_where_the_content_does_not(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_bitext(put(tmp_path, name, "garbage"))


@pytest.mark.parametrize("name", ["x", "x.tmx", "x.xlf", "x.po", "x.jsonl"])
def test_empty_files(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"no sentence pairs|ends too early"):
        read_bitext(put(tmp_path, name, ""))


def test_formats_are_forced(tmp_path: Path) -> None:
    path = put(tmp_path, "x", "a ||| b\tc\n")
    assert sentences(read_bitext(path)) == [("a", "b c")]
    assert sentences(read_bitext(path, input_format="tsv")) == [("a ||| b", "c")]
    with pytest.raises(InputError, match="line 1: not well-formed XML"):
        read_bitext(path, input_format="tmx")
    with pytest.raises(OptionError, match=f"input format 'xml': expected one of {', '.join(FORMATS)}"):
        read_bitext(path, input_format="xml")
    with pytest.raises(OptionError, match="input_format='tmx' is one file with both languages: drop target"):
        read_bitext(path, path, input_format="tmx")
    with pytest.raises(OptionError, match="input_format='text' is two files, line by line: add target"):
        read_bitext(path, input_format="text")
    assert sentences(read_bitext(path, path, input_format="text")) == [("a ||| b c", "a ||| b c")]
    with pytest.raises(
        OptionError, match="target_language='fr': a pair of files does not name its languages; drop that"
    ):
        read_bitext(path, path, target_language="fr")
    with pytest.raises(OptionError, match="markup must be 'strip' or 'keep', got 'drop'"):
        read_bitext(path, markup="drop")  # type: ignore[arg-type]


def test_markup_of_lines_is_kept_unless_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, "x", "a %s <b>c</b> ||| {d} e\n")
    assert sentences(read_bitext(path)) == [("a %s <b>c</b>", "{d} e")]
    assert sentences(read_bitext(path, markup="strip")) == [("a c", "e")]
    lines = put(tmp_path, "y", "a %s <b>c</b>\n")
    assert sentences(read_bitext(lines, lines, markup="strip")) == [("a c", "a c")]


def test_damaged_zstd(tmp_path: Path) -> None:
    whole = zstd.compress(CONTENTS["bars"] * 100)
    with pytest.raises(InputError, match="x: the compressed file ends too early"):
        read_bitext(put(tmp_path, "x", whole[:-5]))
    with pytest.raises(InputError, match=r"x: the compressed file is damaged .*; fetch it again"):
        read_bitext(put(tmp_path, "x", whole[:6] + b"\xff" * 20))


def test_zstd_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        OptionError, match=r"compressed with zstd needs an extra package: pip install 'cepts\[zst\]'"
    ):
        read_bitext(put(tmp_path, "x", zstd.compress(b"a ||| b")))


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 20)
    path = put(tmp_path, "x", gzip.compress(b"a ||| b\n" + b"a" * (4 << 20)))
    with pytest.raises(InputError, match="x, line 2: longer than 1 MB; expected a sentence on each line"):
        read_bitext(path)


@pytest.mark.parametrize(
    ("name", "called"), [("tmx", "tmx"), ("xliff 2", "xliff"), ("moses-zip", "moses-zip")]
)
def test_a_file_with_both_languages_is_not_half_of_two(tmp_path: Path, name: str, called: str) -> None:
    path, other = put(tmp_path, "x", CONTENTS[name]), put(tmp_path, "y", "a\n")
    for pair in ((path, other), (other, path)):
        with pytest.raises(OptionError, match=f"x is {called}, which holds both languages: give it alone"):
            read_bitext(*pair)


def test_text_may_look_like_anything(tmp_path: Path) -> None:
    path = put(tmp_path, "x", "<tmx> a\n")
    assert sentences(read_bitext(path, path, input_format="text")) == [("<tmx> a", "<tmx> a")]


@pytest.mark.parametrize(
    "start", ["\n", "# c\n", "<!-- c -->\n", "<?c c?>\n", "<!DOCTYPE c [ ] >\n", " # \n\n"]
)
def test_whatever_a_head_repeats_it_is_read_once(start: str) -> None:
    head = 200 * start
    tmx = tmx_of(PAIRS).removeprefix('<?xml version="1.0" encoding="UTF-8"?>')
    assert detect((head + "a ||| b").encode(), "x") == LINES
    assert detect((head + tmx).encode(), "x") == ("tmx" if "#" not in start else LINES)
    assert detect((head + 'msgid ""\n').encode(), "x") == (LINES if "<" in start else "po")


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('# c\n#~ msgid "a"\n', "po"),
        ('#~ msgctxt "c"\n#~ msgid "a"\n', "po"),
        ('#~ msgid without quotes\nmsgid "a"\n', "po"),
        ('# c msgid "a"\n', LINES),
        ("#, fuzzy\n#~msgid\n", LINES),
    ],
)
def test_heads_of_catalogues(head: str, found: str) -> None:
    assert detect(head.encode(), "x") == found
