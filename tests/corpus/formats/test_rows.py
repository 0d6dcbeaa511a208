import json
import sys
from pathlib import Path

import pytest

from cepts.corpus import files, read_bitext
from cepts.corpus.formats import parquet
from cepts.errors import OptionError
from tests.corpus.test_readers import give_stdin
from tests.corpus.written import jsonl_of, put, refused, sentences, sides_of

pyarrow = pytest.importorskip("pyarrow")

PAIRS = [("a b", "c"), ("", "d"), ("e", "f")]


@pytest.mark.parametrize("write", [jsonl_of, sides_of])
@pytest.mark.parametrize("block", [1 << 20, 11])
def test_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write, block: int) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    bitext = read_bitext(put(tmp_path, "x", write(PAIRS)))
    assert sentences(bitext) == PAIRS
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 2, 3]
    assert bitext.languages == (("en", "fr") if write is jsonl_of else None)


def test_units_are_lines(tmp_path: Path) -> None:
    rows = [
        '{"source": "a", "target": "b"}',
        "",
        '{"source": null, "target": "b"}',
        '{"id": 1, "source": "c", "target": "d"}',
    ]
    bitext = read_bitext(put(tmp_path, "x", "\n".join(rows)))
    assert sentences(bitext) == [("a", "b"), ("c", "d")]
    assert bitext.left_out == {"with one side only": 1}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 4]


def rows(*objects: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def test_languages_are_chosen(tmp_path: Path) -> None:
    three = {"translation": {"en": "a", "fr": "b", "de": "c"}}
    path = put(tmp_path, "x", rows(three, {"translation": {"en": "d", "de": None}}))
    assert "line 1: languages en, fr, de in one file; choose two" in refused(path)
    bitext = read_bitext(path, source_language="de", target_language="en")
    assert (sentences(bitext), bitext.left_out) == ([("c", "a")], {"with one side only": 1})
    path = put(tmp_path, "x.jsonl", rows({"id": 1, "en": "a", "fr-FR": "b"}))
    assert sentences(read_bitext(path, source_language="fr", target_language="en")) == [("b", "a")]


OPTIONS = "source_language and target_language"
EXPECTED = f"expected translation, or source and target, or name two columns with {OPTIONS}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            rows({"id": 1, "text": "a"}),
            f"FILE, line 1: columns id, text; {EXPECTED}",
        ),
        (
            rows({"source": "a", "target": "b"}, {"source": "c", "tgt": "d"}),
            f"FILE, line 2: columns source, tgt; {EXPECTED}",
        ),
        (rows({"source": "a", "target": 3}), "FILE, line 1: a sentence is int, expected a string"),
        (
            rows({"source": "a", "target": "b"}) + "[1]\n",
            'FILE, line 2: list, expected an object such as {"source": ..., "target": ...}',
        ),
        (
            '{"source": "a", "target": "b"}\n{"source": "a", "tar\n',
            "FILE, line 2: no JSON (Unterminated string starting at); expected an object on each line",
        ),
        (
            '{"source": "\\ud800", "target": "b"}\n',
            "FILE, line 1: half of a character (a lone surrogate); repair it, or read the file with errors='replace'",
        ),
        ("\n", "no sentence pairs: FILE is empty"),
        (
            rows({"translation": {"en": "a"}}),
            "FILE: no unit has two languages; languages found: en; give a file with two languages",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert refused(put(tmp_path, "x.jsonl", text), input_format="jsonl") == message


def test_bad_bytes_and_halves_of_characters(tmp_path: Path) -> None:
    path = put(
        tmp_path, "x", b'{"source": "a", "target": "b"}\n{"source": "\xe9", "target": "\\ud800 \\u0000"}\n'
    )
    assert refused(path).startswith("FILE, line 2: invalid UTF-8, byte 0xe9 at byte 13 of the line")
    assert sentences(read_bitext(path, errors="replace"))[1] == ("\ufffd", "\ufffd \ufffd")
    path = put(tmp_path, "x", b'{"source": "a", "target": "\\u0000"}\n')
    assert refused(path).startswith("FILE, line 1: a NUL byte")


def test_languages_that_are_no_columns(tmp_path: Path) -> None:
    path = put(tmp_path, "x", rows({"en-GB": "a", "en-US": "b", "fr": "c"}))
    assert refused(path, source_language="en", target_language="fr") == (
        "FILE, line 1: several columns for the language en; columns: en-GB, en-US, fr"
    )
    assert refused(path, source_language="it", target_language="fr") == (
        "FILE, line 1: no column for the language it; columns: en-GB, en-US, fr"
    )
    with pytest.raises(
        OptionError, match="give both source_language and target_language; columns: en-GB, en-US, fr"
    ):
        read_bitext(path, source_language="fr")


def write_parquet(path: Path, columns: dict[str, list[object]]) -> Path:
    from pyarrow import parquet as writer

    writer.write_table(pyarrow.table(columns), path, row_group_size=2)
    return path


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "PAIRS_AT_ONCE", 2)
    translation = [{"en": s, "fr": t, "de": "x"} for s, t in PAIRS] + [{"en": "a", "fr": None, "de": "x"}]
    path = write_parquet(tmp_path / "x", {"id": [1, 2, 3, 4], "translation": translation})
    bitext = read_bitext(path, source_language="en", target_language="fr")
    assert sentences(bitext) == PAIRS
    assert (bitext.languages, bitext.left_out) == (("en", "fr"), {"with one side only": 1})
    assert "languages en, fr, de in one file" in refused(path)
    flat = {"source": [s for s, _ in PAIRS], "target": [t for _, t in PAIRS], "score": [1.0, 2.0, 3.0]}
    bitext = read_bitext(write_parquet(tmp_path / "y", flat))
    assert sentences(bitext) == PAIRS
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 2, 3]


def test_parquet_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_parquet(tmp_path / "x", {"text": ["a"], "label": [1]})
    assert refused(path).startswith(
        "FILE, schema: columns text, label; expected translation, or source and target"
    )
    path = write_parquet(tmp_path / "x", {"source": ["a"], "target": [1]})
    assert refused(path) == "FILE: the column target holds int64, expected string"
    path = write_parquet(
        tmp_path / "x", {"source": pyarrow.array([], "string"), "target": pyarrow.array([], "string")}
    )
    assert refused(path) == "no sentence pairs: FILE has no row with both sides"
    assert refused(put(tmp_path, "x", b"PAR1 and more")).startswith(
        "FILE: no Parquet file, or a damaged one ("
    )
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match=r"Parquet needs an extra package: pip install 'cepts\[parquet\]'"):
        read_bitext(path, input_format="parquet")


def test_standard_input_holds_no_parquet(monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, b"PAR1")
    with pytest.raises(OptionError, match="parquet cannot be read from standard input: give the file"):
        read_bitext("-")
