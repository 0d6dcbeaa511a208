import zipfile
from pathlib import Path

import pytest

from cepts.corpus import files, read_bitext
from cepts.corpus.formats import moses_zip
from tests.corpus.written import put, refused, sentences

MEMBERS = {
    "README": "read me",
    "Books.en-fr.en": "The house\n\ngarden",
    "Books.en-fr.fr": "La maison\nx\njardin\n",
}
PAIRS = [("the house", "la maison"), ("", "x"), ("garden", "jardin")]


def packed(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("block", [1 << 20, 4])
def test_lines_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(moses_zip, "BLOCK", block)
    path = packed(tmp_path / "x", MEMBERS)
    bitext = read_bitext(path)
    assert sentences(bitext) == PAIRS
    assert bitext.units is not None
    assert (bitext.units.tolist(), bitext.languages) == ([1, 2, 3], ("en", "fr"))
    turned = read_bitext(path, source_language="fr", target_language="EN")
    assert sentences(turned) == [(target, source) for source, target in PAIRS]
    assert list(tmp_path.iterdir()) == [path]


def test_several_pairs_of_files(tmp_path: Path) -> None:
    more = MEMBERS | {"B/x.de-en.de": "Haus\n", "B/x.de-en.en": "house\n"}
    path = packed(tmp_path / "x", more)
    assert "languages en, fr, de" in refused(path)
    assert sentences(read_bitext(path, source_language="de", target_language="en")) == [("haus", "house")]
    assert "FILE: no unit has de and it; languages found: en, fr, de" in refused(
        path, source_language="de", target_language="it"
    )
    again = packed(tmp_path / "x", MEMBERS | {"Other.en-fr.en": "", "Other.en-fr.fr": ""})
    assert refused(again).startswith("FILE: several pairs of files; it holds README, Books.en-fr.en,")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"a.txt": "a"}, "FILE: no two files such as X.en-fr.en and X.en-fr.fr; it holds a.txt"),
        ({}, "FILE: no two files such as X.en-fr.en and X.en-fr.fr; it holds nothing"),
        (
            {"X.en-fr.en": "a\nb\n", "X.en-fr.fr": "c\n"},
            "FILE: X.en-fr.en has 2 lines, X.en-fr.fr has 1; line k of one must translate line k of the other",
        ),
        (
            {"X.en-fr.en": "", "X.en-fr.fr": ""},
            "no sentence pairs: X.en-fr.en and X.en-fr.fr in FILE are empty",
        ),
        (
            MEMBERS | {"../../x": "y"},
            "FILE: holds a file named '../../x', which leads elsewhere; fetch it from its maker",
        ),
        (
            MEMBERS | {"/etc/x": "y"},
            "FILE: holds a file named '/etc/x', which leads elsewhere; fetch it from its maker",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, members: dict[str, str], message: str) -> None:
    assert refused(packed(tmp_path / "x", members)) == message


@pytest.mark.parametrize("lines", [20_000, 1 << 19])
def test_what_was_made_to_burst(tmp_path: Path, lines: int) -> None:
    path = packed(tmp_path / "x", {"X.en-fr.en": "\n" * lines, "X.en-fr.fr": "b\n" * lines})
    message = refused(path)
    assert message.startswith("FILE: X.en-fr.en becomes ")
    assert message.endswith(" times as large when it is unpacked, as no text does; it may be a trap")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name(tmp_path: Path) -> None:
    path = packed(tmp_path / "x", MEMBERS)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("Books.en-fr.en", "another house\n\nanother garden")
    assert refused(path) == "FILE: holds two files named 'Books.en-fr.en'; fetch it from its maker"


def test_a_zip_of_many_files(tmp_path: Path) -> None:
    path = packed(tmp_path / "x", {f"{n}.txt": "" for n in range(300)})
    assert refused(path).endswith("; it holds 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 295 more")


def test_encrypted_and_damaged(tmp_path: Path) -> None:
    whole = packed(tmp_path / "x", MEMBERS).read_bytes()
    marked = bytearray(whole)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = -1
        while (place := marked.find(signature, place + 1)) >= 0:
            marked[place + offset] |= 1
    assert refused(put(tmp_path, "x", bytes(marked))) == "FILE: Books.en-fr.en is encrypted; unpack it first"
    assert refused(put(tmp_path, "x", whole[:100])).startswith(
        "FILE: the zip is damaged, or of an unknown kind ("
    )
    broken = whole.replace(whole[whole.find(b"Books.en-fr.en") + 14 :][:8], b"\xff" * 8, 1)
    assert refused(put(tmp_path, "x", broken)).startswith("FILE: the zip is damaged, or of an unknown kind (")


def test_bad_bytes_have_a_line(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x", "w") as archive:
        archive.writestr("X.en-fr.en", b"a\nb\n")
        archive.writestr("X.en-fr.fr", b"c\n\xe9\n")
    assert refused(tmp_path / "x").startswith("FILE, line 2: invalid UTF-8, byte 0xe9 at byte 1 of the line")


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 20)
    monkeypatch.setattr(moses_zip, "BLOCK", 1 << 16)
    path = tmp_path / "x"
    with zipfile.ZipFile(path, "w") as archive:  # as it is: no text gets so much smaller
        archive.writestr("X.en-fr.en", "a" * (3 << 20))
        archive.writestr("X.en-fr.fr", "b")
    assert refused(path) == "FILE, X.en-fr.en, line 1: longer than 1 MB; expected a sentence on each line"
