import re
from pathlib import Path

import pytest

from cepts.corpus import files, read_bitext, read_pairs
from cepts.corpus.formats import tmx as tmx_module
from cepts.corpus.formats.tmx import TmxReader
from cepts.corpus.formats.xml import XmlStream
from cepts.errors import InputError
from tests.corpus.written import originals, put, refused, sentences, tmx, tu, tuv

HOUSE = tu(("en", "The house"), ("fr", "La maison"))
GARDEN = tu(("en", "The garden"), ("fr", "Le jardin"))
HOUSES = [("the house", "la maison"), ("the garden", "le jardin")]


def test_units_are_pairs(tmp_path: Path) -> None:
    bitext = read_bitext(put(tmp_path, "memory", tmx(HOUSE, GARDEN)))
    assert sentences(bitext) == HOUSES
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 2]
    assert (bitext.languages, bitext.left_out) == (("en", "fr"), {})
    assert bitext.source.originals is None
    assert bitext.source.spans is None
    assert bitext.seconds_to_read > 0


def test_the_header_says_which_is_the_source(tmp_path: Path) -> None:
    bitext = read_bitext(put(tmp_path, "memory", tmx(HOUSE, GARDEN, srclang="FR-fr")))
    assert sentences(bitext) == [(target, source) for source, target in HOUSES]
    assert bitext.languages == ("fr", "en")
    assert read_bitext(put(tmp_path, "memory", tmx(HOUSE, srclang="*all*"))).languages == ("en", "fr")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1", "windows-1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    declared = encoding.removesuffix("-sig").removesuffix("-le")
    text = tmx(tu(("en", "été"), ("fr", "à")), head=f'<?xml version="1.0" encoding="{declared}"?>\n')
    assert sentences(read_bitext(put(tmp_path, "x", text.encode(encoding)))) == [("été", "à")]


def test_what_declares_utf_16_but_can_be_read_byte_by_byte_is_utf_8(tmp_path: Path) -> None:
    text = tmx(tu(("en", "été"), ("fr", "à")), head='<?xml version="1.0" encoding="UTF-16"?>\n')
    assert sentences(read_bitext(put(tmp_path, "x", text))) == [("été", "à")]


def test_other_languages_are_left_alone_where_two_are_chosen(tmp_path: Path) -> None:
    three = tu(("en-GB", "The house"), ("de", "Das Haus"), ("fr-FR", "La maison"))
    path = put(tmp_path, "memory", tmx(three, tu(("EN", "A garden"), ("de", "Ein Garten")), three))
    bitext = read_bitext(path, source_language="DE", target_language="en")
    assert sentences(bitext) == [
        ("das haus", "the house"),
        ("ein garten", "a garden"),
        ("das haus", "the house"),
    ]
    bitext = read_bitext(path, source_language="en", target_language="fr")
    assert sentences(bitext) == [("the house", "la maison")] * 2
    assert bitext.left_out == {"with one side only": 1}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 3]
    assert bitext.languages == ("en-GB", "fr-FR")


def test_one_language_is_enough_if_there_are_two(tmp_path: Path) -> None:
    path = put(tmp_path, "memory", tmx(HOUSE, GARDEN))
    assert read_bitext(path, target_language="en").languages == ("fr", "en")


def test_three_languages_need_a_choice(tmp_path: Path) -> None:
    three = tu(("en", "a"), ("fr", "b"), ("de", "c"))
    cure = "choose two with source_language and target_language"
    assert (
        refused(put(tmp_path, "x", tmx(three))) == f"FILE, line 3: languages en, fr, de in one file; {cure}"
    )
    later = tmx(HOUSE, GARDEN, HOUSE, tu(("en", "a"), ("de", "b")), GARDEN)
    assert refused(put(tmp_path, "x", later)) == f"FILE, line 6: languages en, fr, de in one file; {cure}"
    later = tmx(HOUSE, tu(("en", "<hi>a</hi>"), ("de", "b")), GARDEN)
    assert refused(put(tmp_path, "x", later)) == f"FILE, line 4: languages en, fr, de in one file; {cure}"


def test_variants_of_a_language_are_one_language(tmp_path: Path) -> None:
    path = put(tmp_path, "x", tmx(tu(("en-US", "a"), ("fr", "b")), tu(("en-GB", "c"), ("fr-CA", "d"))))
    assert sentences(read_bitext(path)) == [("a", "b"), ("c", "d")]


def test_two_variants_are_two_languages_where_nothing_else_is_there(tmp_path: Path) -> None:
    path = put(tmp_path, "x", tmx(tu(("en-US", "color"), ("en-GB", "colour")), srclang="en-GB"))
    assert sentences(read_bitext(path)) == [("colour", "color")]


def test_variants_in_one_unit_are_ambiguous(tmp_path: Path) -> None:
    path = put(tmp_path, "x", tmx(tu(("en-US", "a"), ("en-GB", "b"), ("fr", "c"))))
    said = "FILE, line 3: source_language='en' may mean en-US and en-GB here; name one of them"
    assert refused(path, source_language="en", target_language="fr") == said
    assert sentences(read_bitext(path, source_language="en-gb", target_language="fr")) == [("b", "c")]


def test_of_many_languages_five_are_named(tmp_path: Path) -> None:
    path = put(tmp_path, "x", tmx(tu(*((f"l{n}", "a") for n in range(50_000)))))
    said = "FILE, line 3: languages l0, l1, l2, l3, l4 and 49,995 more in one file; choose two with source_language"
    assert refused(path) == f"{said} and target_language"
    said = "FILE: no unit has de and fr; languages found: l0, l1, l2, l3, l4 and 49,995 more; choose two with"
    assert refused(path, source_language="de", target_language="fr").startswith(said)


def test_a_language_that_is_not_there(tmp_path: Path) -> None:
    path = put(tmp_path, "x", tmx(HOUSE))
    assert refused(path, source_language="en", target_language="it") == (
        "FILE: no unit has en and it; languages found: en, fr; choose two with source_language and target_language"
    )
    assert refused(put(tmp_path, "x", tmx(tu(("en", "a"))))) == (
        "FILE: no unit has two languages; languages found: en; give a file with two languages"
    )


def test_what_has_one_side_only_is_counted(tmp_path: Path) -> None:
    units = [
        HOUSE,
        tu(("en", "alone")),
        tu(("en", "empty"), ("fr", " ")),
        tu(("en", ""), ("fr", "vide")),
        GARDEN,
    ]
    bitext = read_bitext(put(tmp_path, "x", tmx(*units)))
    assert sentences(bitext) == HOUSES
    assert bitext.left_out == {"with one side only": 3}
    assert bitext.units is not None
    assert bitext.units.tolist() == [1, 5]


def test_duplicates_are_kept_and_further_versions_counted(tmp_path: Path) -> None:
    twice = tu(("en", "house"), ("fr", "maison"), ("fr", "demeure"))
    bitext = read_bitext(put(tmp_path, "x", tmx(HOUSE, HOUSE, twice)))
    assert sentences(bitext) == [HOUSES[0], HOUSES[0], ("house", "maison")]
    assert bitext.left_out == {"further versions in the same language": 1}


def test_a_language_that_is_missing(tmp_path: Path) -> None:
    nameless = "<tu><tuv><seg>a</seg></tuv><tuv xml:lang='fr'><seg>b</seg></tuv></tu>\n"
    said = "FILE, line {}: a tuv without a language; add xml:lang"
    assert refused(put(tmp_path, "x", tmx(nameless))) == said.format(3)
    assert refused(put(tmp_path, "x", tmx(HOUSE, GARDEN, nameless))) == said.format(5)
    old = nameless.replace("<tuv>", "<tuv lang='en'>")
    assert sentences(read_bitext(put(tmp_path, "x", tmx(HOUSE, old)))) == [HOUSES[0], ("a", "b")]


def test_elements_within_text(tmp_path: Path) -> None:
    units = [
        HOUSE,
        tu(
            ("en", 'Press <ph x="1">{\\b</ph>the <bpt i="1">&lt;b&gt;</bpt>red<ept i="1">&lt;/b></ept> key'),
            ("fr", "a"),
        ),
        tu(
            ("en", "un<hi type='b'>believ</hi>able <it pos='begin'>x</it>&#233;<ut>y</ut>z"),
            ("fr", "<![CDATA[b & <c]]>"),
        ),
        tu(
            ("en", "<sub>a</sub><!-- no -->b<?no ?>"),
            ("fr", "<bpt i='1'>x<sub>y<bpt i='2'/></sub></bpt>c&#x41;"),
        ),
    ]
    bitext = read_bitext(put(tmp_path, "x", tmx(*units)))
    assert sentences(bitext)[1:] == [("press the red key", "a"), ("unbelievable é z", "b & <c"), ("ab", "ca")]


def test_words_lead_back_to_the_segment(tmp_path: Path) -> None:
    segment = "<bpt i='1'>&lt;b></bpt>AT&amp;T un<hi>believ</hi>able %s&#33;"
    bitext = read_bitext(
        put(tmp_path, "x", tmx(tu(("en", segment), ("fr", "x")))), keep_text=True, tokenize=True
    )
    assert originals(bitext) == [(segment, "x")]
    spans = bitext.source.token_spans(0)
    assert spans is not None
    cut = [segment[first:end] for first, end in spans.tolist()]
    assert cut == ["AT", "&amp;", "T", "un<hi>believ</hi>able", "&#33;"]
    assert bitext.source.sentence(0) == ["at", "&", "t", "unbelievable", "!"]


def many(count: int) -> list[str]:
    """Units of many kinds, some of which only a real parser can read."""
    left, right = tuv("en", "a {0}"), tuv("fr", "b {0}")
    kinds = (
        f"<tu>{left}{right}</tu>\n",
        f'<tu tuid="{{0}}">\n<prop type="x">y</prop><note>n &amp; m</note>\n{left}\n{right}\n</tu>\n',
        f"<tu>{left}{right}</tu>\n".replace("<seg>", "<prop type='z'>p</prop> <seg>"),
        f"<tu>{right}{left}</tu >\n",
        f"<tu>{tuv('en', 'a <hi>{0}</hi>')}{right}</tu>\n".replace("b ", "b\n"),
        f"<!-- </tu> <tu> --><tu>{left}{right}</tu>",
        f"<tu>{tuv('en', 'a <![CDATA[{0}]]>')}{right}</tu>".replace("b {0}", "b {0}<ph x='>'/>"),
        f'\t<tu x="></tu>" >\r\n{left}{right}</tu>'.replace("<seg>", "<seg >").replace(
            "xml:lang=", " xml:lang = "
        ),
    )
    return [kinds[k * k % 13 % len(kinds)].format(k) for k in range(count)]


@pytest.mark.parametrize("block", [1 << 20, 7, 300, 1000])
def test_every_way_to_write_a_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    bitext = read_bitext(put(tmp_path, "x", tmx(*many(60))))
    assert sentences(bitext) == [(f"a {k}", f"b {k}") for k in range(60)]
    assert bitext.units is not None
    assert bitext.units.tolist() == list(range(1, 61))


def test_ordinary_units_never_see_the_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fed = []
    feed = XmlStream.feed
    monkeypatch.setattr(XmlStream, "feed", lambda self, piece, *_: (fed.append(piece), feed(self, piece))[1])
    read_bitext(put(tmp_path, "x", tmx(*[HOUSE] * 500)))
    assert b"".join(fed).count(b"</tu>") == 1


def test_what_waits_too_long_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tmx_module, "LONGEST_WAIT", 50)
    monkeypatch.setattr(files, "BLOCK", 40)
    assert sentences(read_bitext(put(tmp_path, "x", tmx(HOUSE, GARDEN)))) == HOUSES


@pytest.mark.parametrize("units", [[], [HOUSE], [HOUSE, GARDEN]])
@pytest.mark.parametrize("cut", ["</body></tmx>", "</seg></tuv></tu>\n</body></tmx>"])
def test_truncated(tmp_path: Path, units: list[str], cut: str) -> None:
    text = tmx(*units, HOUSE).removesuffix(cut + "\n")
    line = 3 + len(units) + (1 if cut.startswith("</body") else 0)
    assert re.match(
        rf"FILE, line {line}: the XML ends too early \(.*\); fetch it again$",
        refused(put(tmp_path, "x", text)),
    )


def test_not_well_formed(tmp_path: Path) -> None:
    text = tmx(HOUSE, GARDEN, HOUSE.replace("</seg>", "</sag>", 1), GARDEN)
    assert (
        refused(put(tmp_path, "x", text))
        == "FILE, line 5: not well-formed XML (mismatched tag); repair the file"
    )
    text = tmx(HOUSE, GARDEN, HOUSE.replace("house", "&house;"), GARDEN)
    assert (
        refused(put(tmp_path, "x", text))
        == "FILE, line 5: not well-formed XML (undefined entity); repair the file"
    )
    text = tmx(HOUSE, GARDEN, HOUSE.replace("house", "\x01"), GARDEN)
    assert "FILE, line 5: not well-formed XML" in refused(put(tmp_path, "x", text))


# Where each range of characters of XML begins and ends, and what is next to it.
CHARACTERS = (9, 10, 13, 0x20, 0x7F, 0x3FF, 0xC350, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x1F600, 0x10FFFF)
NONE = (0, 1, 8, 0xB, 0xE, 0x1F, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF, 0x110000, 0x1FFFFF, 10**9)


@pytest.mark.parametrize("written", ["&#{};", "&#x{:x};", "&#x{:X};", "&#x0{:x};"])
def test_references_by_number(tmp_path: Path, written: str) -> None:
    for code in CHARACTERS:
        text = tmx(tu(("en", f"a{written.format(code)}b"), ("fr", "c")))
        (source,) = read_bitext(put(tmp_path, "x", text), keep_text="decoded").source.originals or ()
        assert source == f"a{chr(code)}b", hex(code)
    for code in NONE:
        text = tmx(tu(("en", f"a{written.format(code)}b"), ("fr", "c")))
        said = refused(put(tmp_path, "x", text))
        assert (
            said
            == "FILE, line 3: not well-formed XML (reference to invalid character number); repair the file"
        )


BOMB = '<!DOCTYPE tmx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>\n'
OUTSIDE = '<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n'


@pytest.mark.parametrize("head", [BOMB, OUTSIDE])
def test_entities_are_not_declared(tmp_path: Path, head: str) -> None:
    path = put(tmp_path, "x.tmx", tmx(tu(("en", "&a;"), ("fr", "b")), head=head))
    assert (
        refused(path) == "FILE, line 1: declares the entity a, which could be a trap; remove the declaration"
    )


def test_a_document_type_is_not_loaded(tmp_path: Path) -> None:
    path = put(tmp_path, "x", tmx(HOUSE, head='<!DOCTYPE tmx SYSTEM "http://nowhere.invalid/tmx14.dtd">\n'))
    assert sentences(read_bitext(path)) == HOUSES[:1]


def test_wrong_encodings(tmp_path: Path) -> None:
    text = tmx(HOUSE, GARDEN, GARDEN.replace("jardin", "jardín")).encode("iso-8859-1")
    path = put(tmp_path, "x", text)
    message = refused(path)
    assert message.startswith("FILE, line 5: invalid UTF-8, byte 0xed")
    assert "convert the file to UTF-8" in message
    assert sentences(read_bitext(path, errors="replace"))[2] == ("the garden", "le jard\ufffdn")
    with pytest.raises(InputError, match="line 5: invalid UTF-8, byte 0xed"):
        list(read_pairs(path))
    assert list(read_pairs(path, errors="replace"))[2] == ("The garden", "Le jard\ufffdn")
    first = tmx(HOUSE.replace("house", "ho\udce9se")).encode("utf-8", "surrogateescape")
    assert refused(put(tmp_path, "x", first)).startswith(
        "FILE, line 3: invalid UTF-8, byte 0xe9; convert the file"
    )
    text = tmx(HOUSE, head='<?xml version="1.0" encoding="klingon"?>\n')
    assert refused(put(tmp_path, "x", text)) == (
        "FILE, line 1: declares the encoding klingon, which is unknown; convert it to UTF-8"
    )
    text = tmx(HOUSE, head='<?xml version="1.0" encoding="ascii"?>\n').replace("house", "é")
    assert refused(put(tmp_path, "x", text)).startswith("FILE: not ascii, as it says, near the beginning (")


def test_no_units(tmp_path: Path) -> None:
    assert refused(put(tmp_path, "x", tmx())) == "no sentence pairs: FILE has no translation unit"


def test_the_file_is_never_held_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 1000)
    path = put(tmp_path, "x", tmx(*[HOUSE] * 2000))
    reader = TmxReader(files.read_bytes(path), "x", "strict", None, None)
    sizes = [len(batch.origin.text) for batch in reader.batches() if batch.origin]
    assert sum(sizes) == path.stat().st_size
    assert max(sizes) < 2000
