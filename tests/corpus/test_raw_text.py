"""Raw text is told from tokens, and tokenised where nobody has said what to do."""

from __future__ import annotations

import gzip
import os
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.corpus import bitext_from_pairs, read_bitext
from cepts.corpus.raw_text import LOOKED_AT, first_lines, looks_raw, punctuation_of
from cepts.errors import InputError
from tests.corpus.written import jsonl_of, po_of, put, sides_of, tmx_of, xliff_of

if TYPE_CHECKING:
    from pathlib import Path

RAW = [("La maison, bleue.", "The house, blue."), ("Est-il là?", "Is he there?")]
TOKENS = [("La maison , bleue .", "The house , blue ."), ("Est - il là ?", "Is he there ?")]
QUIET = [("la maison", "the house"), ("un jardin", "a garden")]


@pytest.mark.parametrize(
    ("line", "raw"),
    [
        ("The garden.", True),
        ("Oui, monsieur", True),
        ('"Well," he said', True),
        ("(so it was):", True),
        ("¿Dónde estás", True),
        ("科学家一直猜想。", True),
        ("بيت، باب", True),
        ("Mr. Smith has a dog etc.", False),
        ("it is 12:30 and 3,14", False),
        ("l' homme n' est pas d' ici", False),
        ("word(s) and/or U.S. dollars", False),
        ("a_NN ,_, b_NN ._.", False),
        ("科学家 一直 猜想 。", False),
        ("The house , the garden .", False),
        ("", False),
    ],
)
def test_a_line(line: str, raw: bool) -> None:
    assert looks_raw([line]) is raw


def test_a_few_lines_in_a_hundred_say_nothing() -> None:
    assert not looks_raw(["one two"] * 95 + ["one, two"] * 5)
    assert looks_raw(["one two"] * 94 + ["one, two"] * 6)
    assert not looks_raw(["one , two"] * 51 + ["one, two"] * 49)


def test_only_the_first_lines_are_looked_at() -> None:
    endless = iter(lambda: "one, two", None)
    assert punctuation_of(endless) == (LOOKED_AT, LOOKED_AT, 0)
    assert first_lines(b"a\n\xff\nc") == ["a", "\ufffd", "c"]
    assert len(first_lines(b"\n" * 5000)) == LOOKED_AT


def test_the_sample_is_of_tokens() -> None:
    for path in cepts.sample()[:2]:
        assert punctuation_of(path.read_text(encoding="utf-8").split("\n")).separated


def write_two(folder: Path, pairs: list[tuple[str, str]]) -> tuple[Path, Path]:
    source, target = ("".join(f"{pair[side]}\n" for pair in pairs) for side in (0, 1))
    return put(folder, "source", source), put(folder, "target", target)


def test_plain_text(tmp_path: Path) -> None:
    bitext = read_bitext(*write_two(tmp_path, RAW), tokenize="auto")
    assert bitext.found_raw == "text"
    assert bitext.source.sentence(0) == ["la", "maison", ",", "bleue", "."]
    assert bitext.source.originals is not None
    assert list(bitext.source.originals) == [pair[0] for pair in RAW]
    forced = read_bitext(*write_two(tmp_path, RAW), tokenize=True)
    assert (forced.found_raw, forced.source.words) == (None, bitext.source.words)
    assert read_bitext(*write_two(tmp_path, RAW)).source.sentence(0) == ["la", "maison,", "bleue."]
    assert read_bitext(*write_two(tmp_path, RAW), tokenize=None).source.sentence(0)[1] == "maison,"


@pytest.mark.parametrize("pairs", [TOKENS, QUIET])
def test_tokens_stay_as_they_are(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    files = write_two(tmp_path, pairs)
    guessed, plain = read_bitext(*files, tokenize="auto"), read_bitext(*files)
    assert guessed.found_raw is None
    assert guessed.source.words == plain.source.words
    assert (guessed.source.spans, guessed.source.originals) == (None, None)


def test_one_raw_side_is_enough(tmp_path: Path) -> None:
    mixed = [(source, raw) for (source, _), (_, raw) in zip(TOKENS, RAW, strict=True)]
    assert read_bitext(*write_two(tmp_path, mixed), tokenize="auto").found_raw == "text"


@pytest.mark.parametrize("separator", [" ||| ", "\t"])
def test_both_sides_on_a_line(tmp_path: Path, separator: str) -> None:
    path = put(tmp_path, "both", "".join(f"{source}{separator}{target}\n" for source, target in RAW))
    assert read_bitext(path, tokenize="auto").found_raw == "text"
    path = put(tmp_path, "both", "".join(f"{source}{separator}{target}\n" for source, target in TOKENS))
    assert read_bitext(path, tokenize="auto").found_raw is None


def test_strings_are_as_files(tmp_path: Path) -> None:
    for pairs in (RAW, TOKENS, QUIET):
        strings = bitext_from_pairs(pairs, tokenize="auto")
        files = read_bitext(*write_two(tmp_path, pairs), tokenize="auto")
        assert strings.found_raw == files.found_raw
        assert (strings.source.words, strings.target.words) == (files.source.words, files.target.words)
    assert bitext_from_pairs([], tokenize="auto").found_raw is None


WRITERS = {"x.tmx": tmx_of, "x.xlf": xliff_of, "x.po": po_of, "x.jsonl": jsonl_of, "y.jsonl": sides_of}


@pytest.mark.parametrize("name", WRITERS)
def test_formats_of_raw_text(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name, WRITERS[name](RAW))
    for tokenize in (None, "auto"):
        bitext = read_bitext(path, tokenize=tokenize)
        assert bitext.source.sentence(0) == ["la", "maison", ",", "bleue", "."]
        assert bitext.found_raw == {"x.xlf": "xliff"}.get(name, name[2:])
    assert read_bitext(path).source.sentence(0)[1] == "maison,"
    assert read_bitext(path, tokenize=True).found_raw is None


@pytest.mark.parametrize("name", WRITERS)
def test_formats_may_hold_tokens(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name, WRITERS[name]([*TOKENS, ("aujourd'hui co-opérer", "co-operate")]))
    bitext = read_bitext(path, tokenize="auto")
    assert (bitext.found_raw, bitext.source.spans) == (None, None)


def test_nothing_is_said_where_nothing_is_cut(tmp_path: Path) -> None:
    path = put(tmp_path, "x.jsonl", jsonl_of(QUIET))
    assert read_bitext(path, tokenize="auto").found_raw is None
    path = put(tmp_path, "x.jsonl", jsonl_of([*QUIET, ("a", "b-c")]))
    assert read_bitext(path, tokenize="auto").found_raw == "jsonl"


def test_a_zip_of_plain_text(tmp_path: Path) -> None:
    for pairs, found in ((RAW, "text"), (TOKENS, None)):
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
            for side, name in enumerate(("X.en-fr.en", "X.en-fr.fr")):
                archive.writestr(name, "".join(f"{pair[side]}\n" for pair in pairs))
        assert read_bitext(tmp_path / "x.zip", tokenize="auto").found_raw == found
        assert read_bitext(tmp_path / "x.zip", tokenize=None).found_raw is None


def test_compressed_files_are_looked_into(tmp_path: Path) -> None:
    paths = [
        put(tmp_path, f"{path.name}.gz", gzip.compress(path.read_bytes()))
        for path in write_two(tmp_path, RAW)
    ]
    assert read_bitext(*paths, tokenize="auto").found_raw == "text"


def test_pipes_that_are_written_one_after_the_other(tmp_path: Path) -> None:
    """The second one is not opened before the first one has been read: its writer may be busy with that."""
    pairs = RAW * 20_000  # more than a pipe holds
    pipes = [tmp_path / name for name in ("source", "target")]
    for pipe in pipes:
        os.mkfifo(pipe)

    def write() -> None:
        for side, pipe in enumerate(pipes):
            pipe.write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    bitext = read_bitext(*pipes, tokenize="auto")
    writer.join()
    assert (len(bitext), bitext.found_raw) == (len(pairs), "text")


def test_bad_bytes_are_still_refused(tmp_path: Path) -> None:
    files = put(tmp_path, "a", b"one, two\n\xff\n"), put(tmp_path, "b", "one, two\nb\n")
    with pytest.raises(InputError, match=r"a, line 2: invalid UTF-8"):
        read_bitext(*files, tokenize="auto")


def test_words_between_spaces() -> None:
    bitext = bitext_from_pairs(RAW, tokenize="auto")
    spaced = bitext.between_spaces()
    assert spaced.words_of(0) == (["la", "maison,", "bleue."], ["the", "house,", "blue."])
    assert bitext.between_spaces(keep_case=True).source.words[0] == "La"
    assert spaced.source.spans is not None
    with pytest.raises(InputError, match="were not kept: read it with keep_text or to_whitespace"):
        bitext_from_pairs(RAW, tokenize=True).between_spaces()
