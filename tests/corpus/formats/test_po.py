from pathlib import Path

import pytest

from cepts.corpus import files, read_bitext
from tests.corpus.written import originals, put, refused, sentences

CATALOGUE = r"""# French, by hand.
msgid ""
msgstr ""
"Language: fr_CA\n"
"Content-Type: text/plain; charset=UTF-8\n"

#: a.c:1
#, c-format
msgid "Delete %s?"
msgstr "Supprimer %s ?"

#, fuzzy, c-format
msgid "old guess"
msgstr "vieille idée"

msgctxt "menu"
msgid "Open"
msgstr "Ouvrir"
msgid "in "
"pieces\n"
msgstr ""
"en\t"
"morceaux"

msgid "untranslated"
msgstr ""

#| msgid "%d files"
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d fichier"
msgstr[1] "%d fichiers"

msgid "one day"
msgid_plural "%d days"
msgstr[0] "%d jour"

msgid "one night"
msgid_plural "%d nights"
msgstr[0] "une nuit"
msgstr[1] ""

#~ msgid "gone"
#~ msgstr "parti"

#, fuzzy
#~| msgid "older"
#~ msgid "older still"
#~ msgstr "plus vieux"
"""


@pytest.mark.parametrize("block", [1 << 20, 9])
def test_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    bitext = read_bitext(put(tmp_path, "x", CATALOGUE), keep_text=True)
    assert originals(bitext) == [
        ("Delete %s?", "Supprimer %s ?"),
        ("Open", "Ouvrir"),
        ("in pieces\n", "en\tmorceaux"),
        ("%d file", "%d fichier"),
        ("%d files", "%d fichiers"),
        ("%d days", "%d jour"),
        ("one night", "une nuit"),
    ]
    assert sentences(bitext)[:3] == [
        ("delete ?", "supprimer ?"),
        ("open", "ouvrir"),
        ("in pieces", "en morceaux"),
    ]
    assert bitext.left_out == {"fuzzy": 1, "untranslated": 2, "obsolete": 2}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 3, 4, 6, 6, 7, 8]
    assert bitext.languages == ("en", "fr_CA")


def test_three_plural_forms(tmp_path: Path) -> None:
    entry = 'msgid "a day"\nmsgid_plural "days"\nmsgstr[0] "x"\nmsgstr[1] "y"\nmsgstr[2] "z"\n'
    assert sentences(read_bitext(put(tmp_path, "x", entry))) == [("a day", "x"), ("days", "y"), ("days", "z")]


def test_without_a_header_it_is_utf_8(tmp_path: Path) -> None:
    bitext = read_bitext(put(tmp_path, "x", 'msgid "house"\nmsgstr "maison été"'))
    assert (sentences(bitext), bitext.languages) == ([("house", "maison été")], None)


def test_the_header_names_the_charset(tmp_path: Path) -> None:
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\nmsgid "a"\nmsgstr "été"\n'
    assert sentences(read_bitext(put(tmp_path, "x", head.format("ISO-8859-1").encode("iso-8859-1")))) == [
        ("a", "été")
    ]
    assert sentences(read_bitext(put(tmp_path, "x", head.format("CHARSET")))) == [("a", "été")]
    assert refused(put(tmp_path, "x", head.format("klingon"))) == (
        "FILE: its header names the charset klingon, which is unknown; convert it to UTF-8"
    )
    wrong = put(tmp_path, "x", head.format("utf-8").encode("iso-8859-1"))
    assert refused(wrong) == (
        "FILE, line 5: invalid utf-8, byte 0xe9; convert the file to UTF-8, or read it with errors='replace'"
    )
    assert sentences(read_bitext(wrong, errors="replace")) == [("a", "\ufffdt\ufffd")]


EXPECTED = "expected a comment, a keyword such as msgid with a string in quotes, or a string"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('msgid "a"\nmsgstr "b"\n\nmsgstr "c"\n', "FILE, line 4: msgstr without a msgid; repair the file"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', "FILE, line 2: msgid twice in one entry; repair the file"),
        (
            'msgid "a"\nmsgstr "b\n',
            f"FILE, line 2: {EXPECTED}; got 'msgstr \"b'",
        ),
        (
            'msgid "a"\nmsgstr "b"\n\n"c"\n',
            f"FILE, line 4: {EXPECTED}; got '\"c\"'",
        ),
        ('msgid ""\nmsgstr ""\n', "no sentence pairs: FILE has no entry"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert refused(put(tmp_path, "x", text)) == message


def test_languages_cannot_be_chosen(tmp_path: Path) -> None:
    from cepts.errors import OptionError

    path = put(tmp_path, "x", CATALOGUE)
    with pytest.raises(
        OptionError, match=r"source_language='en': .*x does not name its languages; drop that"
    ):
        read_bitext(path, source_language="en")


def test_keys_of_menus_and_markup(tmp_path: Path) -> None:
    text = 'msgid "&Save <b>as</b> {name}&hellip;"\nmsgstr "Enregistrer _sous"\n'
    path = put(tmp_path, "x", text)
    assert sentences(read_bitext(path)) == [("save as …", "enregistrer sous")]
    assert sentences(read_bitext(path, markup="keep")) == [
        ("&save <b>as</b> {name}&hellip;", "enregistrer _sous")
    ]


def test_a_header_without_its_language(tmp_path: Path) -> None:
    path = put(
        tmp_path, "x", 'msgid ""\nmsgstr "Language: \\nMIME-Version: 1.0\\n"\n\nmsgid "a"\nmsgstr "b"\n'
    )
    assert read_bitext(path).languages is None
