from pathlib import Path

import pytest

from cepts.corpus import files, read_bitext
from cepts.errors import InputError
from tests.corpus.written import originals, put, refused, sentences, trans_unit, xliff, xliff_2


def test_version_1(tmp_path: Path) -> None:
    units = [
        trans_unit("The house", "La maison"),
        trans_unit("untouched", "intact", ' state="needs-translation"'),
        trans_unit("nothing", None),
        trans_unit("empty", ""),
        trans_unit(
            "The <g id='1'>red</g><x id='2'/>house", "La <bpt id='1'>x</bpt>maison rouge", ' state="final"'
        ),
    ]
    bitext = read_bitext(put(tmp_path, "x", xliff(*units)))
    assert sentences(bitext) == [("the house", "la maison"), ("the red house", "la maison rouge")]
    assert bitext.left_out == {"untranslated": 3}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 5]
    assert bitext.languages == ("en", "fr")


def test_alternatives_and_notes_are_no_translations(tmp_path: Path) -> None:
    unit = (
        "<trans-unit id='1'><source>a</source><target>b</target><note>n</note>"
        "<alt-trans><source>c</source><target>d</target></alt-trans></trans-unit>"
    )
    assert sentences(read_bitext(put(tmp_path, "x", xliff(unit)))) == [("a", "b")]


def test_segments_of_a_unit_are_pairs(tmp_path: Path) -> None:
    unit = (
        "<trans-unit id='1'><source>A b. C d. E.</source>"
        "<seg-source><mrk mtype='seg' mid='1'>A <mrk mtype='x'>b</mrk>.</mrk> <mrk mtype='seg' mid='2'>C d.</mrk>"
        "<mrk mtype='seg' mid='3'>E.</mrk></seg-source>"
        "<target><mrk mtype='seg' mid='2'>Y.</mrk> <mrk mtype='seg' mid='1'>X.</mrk></target></trans-unit>"
    )
    bitext = read_bitext(put(tmp_path, "x", xliff(unit)), keep_text=True)
    assert sentences(bitext) == [("a b.", "x."), ("c d.", "y.")]
    assert originals(bitext)[0] == ("A <mrk mtype='x'>b</mrk>.", "X.")
    assert bitext.left_out == {"untranslated": 1}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 1]


def test_version_2(tmp_path: Path) -> None:
    red = "The <pc id='1'>red</pc><ph id='2'/>house<sc id='3'/>"
    segments = [
        f"<segment><source>{red}</source><target>La maison</target></segment>",
        "<ignorable><source> </source><target> </target></ignorable>",
        "<segment state='initial'><source>a</source><target>b</target></segment>",
        "<segment state='translated'><source>c</source><target>d</target></segment>",
        "<segment><source>e</source></segment>",
    ]
    bitext = read_bitext(put(tmp_path, "x", xliff_2(*segments)))
    assert sentences(bitext) == [("the red house", "la maison"), ("c", "d")]
    assert bitext.left_out == {"untranslated": 2}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 3]


def test_prefixes(tmp_path: Path) -> None:
    text = (
        xliff(trans_unit("a <g>b</g>", "c")).replace("<", "<x:").replace("<x:/", "</x:").replace("<x:?", "<?")
    )
    assert sentences(
        read_bitext(put(tmp_path, "x", text.replace("<x:xliff", '<x:xliff xmlns:x="urn:x"')))
    ) == [("a b", "c")]


def test_any_size_of_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 5)
    units = [trans_unit(f"a {k} <g id='x>'>{k}</g>", f"b {k}") for k in range(20)]
    assert sentences(read_bitext(put(tmp_path, "x", xliff(*units)))) == [
        (f"a {k} {k}", f"b {k}") for k in range(20)
    ]


def test_several_files_in_one(tmp_path: Path) -> None:
    one = '<file source-language="{}" target-language="{}"><body>{}</body></file>'
    files_ = one.format("en", "fr", trans_unit("a", "b")) + one.format("en", "de", trans_unit("c", "d"))
    path = put(tmp_path, "x", f'<xliff version="1.2">{files_}</xliff>')
    said = (
        "FILE, line 2: languages en, fr, de in one file; choose two with source_language and target_language"
    )
    assert refused(path) == said
    assert sentences(read_bitext(path, source_language="de", target_language="en")) == [("d", "c")]
    with pytest.raises(InputError, match="no unit has en and it; languages found: en, fr, de"):
        read_bitext(path, source_language="en", target_language="it")


def test_languages_may_be_missing(tmp_path: Path) -> None:
    bitext = read_bitext(put(tmp_path, "x", xliff(trans_unit("a", "b"), languages='source-language="en"')))
    assert (sentences(bitext), bitext.languages) == ([("a", "b")], None)


def test_everything_may_be_untranslated(tmp_path: Path) -> None:
    bitext = read_bitext(put(tmp_path, "x", xliff(trans_unit("a", None))))
    assert (len(bitext), bitext.left_out) == (0, {"untranslated": 1})


def test_truncated(tmp_path: Path) -> None:
    text = xliff(trans_unit("a", "b")).removesuffix("</file></xliff>\n")
    assert refused(put(tmp_path, "x", text)).startswith("FILE, line 4: the XML ends too early (")
    assert refused(put(tmp_path, "x", xliff())) == "no sentence pairs: FILE has no translation unit"


def test_other_xml_is_refused(tmp_path: Path) -> None:
    assert refused(put(tmp_path, "x", '<?xml version="1.0"?><html/>')) == (
        "FILE: XML with the root element html, expected tmx or xliff; input_format forces another reading"
    )
