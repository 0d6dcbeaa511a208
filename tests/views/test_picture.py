"""Pictures as SVG: one worked out by hand, laws, and words that would like to be more than words."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given

from cepts.errors import InputError, OptionError
from cepts.links import Link
from cepts.views import AlignedPair, draw_svg
from cepts.views.bipartite import bipartite_drawing
from cepts.views.marks import LEGEND, marks_of
from cepts.views.matrix import matrix_drawing
from cepts.views.svg import document, text_width
from tests.docs.pages import ROOT
from tests.views.pairs import COMPARED, DOCUMENTED, HOSTILE, PLAIN, pairs

MARK = (
    "<g><title>a – a: link, 100 %</title>"
    '<rect x="18.5" y="29.6" width="17.6" height="17.6" fill="#0072b2" opacity="1.00"/></g>'
)
NAME = "{http://www.w3.org/2000/svg}"
ALLOWED_ELEMENTS = {NAME + name for name in ("svg", "title", "rect", "g", "path", "text", "tspan", "circle")}
ALLOWED_ATTRIBUTES = {
    *("viewBox", "width", "height", "x", "y", "cx", "cy", "r", "d", "transform", "role"),
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"),
    *("font-family", "font-size", "font-weight", "text-anchor"),
}


def parsed(svg):
    return ElementTree.fromstring(svg)


def texts(root):
    """Return all words that are drawn, without the marks that keep their direction."""
    return [re.sub("[\u2068\u2069]", "", "".join(element.itertext())) for element in root.iter(NAME + "text")]


def titles(root):
    """Return what is said of links: all titles but the document's own."""
    return [element.text for element in root.iter(NAME + "title")][1:]


def test_a_matrix_worked_out_by_hand():
    """`a` is 0.64 x 13 = 8.32 wide; its row begins 8 further, its column is 8.32 sin 50 + 13 + 8 = 27.37 high."""
    width, height, parts = matrix_drawing(AlignedPair(1, ["a"], ["a"], [Link(0, 0, 1.0)]))
    assert parts == [
        '<path d="M16.3,27.4 H38.3" stroke="#9a9a9a"/>',
        '<path d="M16.3,49.4 H38.3" stroke="#9a9a9a"/>',
        '<path d="M16.3,27.4 V49.4" stroke="#9a9a9a"/>',
        '<path d="M38.3,27.4 V49.4" stroke="#9a9a9a"/>',
        '<text x="8.3" y="42.9" text-anchor="end" font-size="13" fill="#1a1a1a">a</text>',
        '<text transform="translate(30.6 22.6) rotate(-50)" text-anchor="start" font-size="13" fill="#1a1a1a">a</text>',
        MARK,
    ]
    # 14.3 + 8.32 cos 50 + 13 sin 50 = 29.61 is 7.61 more than the cell
    assert (width, height) == (
        pytest.approx(16.32 + 22 + 7.61 + 2, abs=0.01),
        pytest.approx(27.37 + 24, abs=0.01),
    )


def test_lines_worked_out_by_hand():
    """Words of 0.64 x 14 = 8.96; rows as long as the longer one, 2 x 8.96 + 18; the other stands in its middle."""
    width, height, parts = bipartite_drawing(AlignedPair(1, ["a"], ["a", "b"], [Link(0, 1, 0.0)]))
    assert (width, height) == (pytest.approx(35.92), 156)
    assert parts[0] == (
        '<path d="M18.0,20.0 L31.4,130.0" stroke="#0072b2" stroke-width="2" opacity="0.25">'
        "<title>a – b: link, 0 %</title></path>"
    )
    assert '<text x="4.5" y="148.0" text-anchor="middle" font-size="14" fill="#6a6a6a">a</text>' in parts


def test_marks_differ_by_shape():
    svg = draw_svg([COMPARED], "matrix")
    shapes = {}
    for mark in marks_of(COMPARED):
        group = svg.split(f"<title>{mark.label}</title>")[1].split("</g>")[0]
        shapes[mark.kind] = (
            group.count("<rect"),
            "dasharray" in group,
            "<circle" in group,
            "<path" in group,
        )
    assert shapes == {
        "right": (1, False, True, False),
        "possible in gold": (1, True, True, False),
        "wrong": (0, False, False, True),
        "missed": (1, False, False, False),
        "possible, not taken": (1, True, False, False),
    }


@pytest.mark.parametrize("drawing", ["matrix", "bipartite", "both"])
def test_the_legend_explains_what_occurs_and_nothing_else(drawing):
    drawn = texts(parsed(draw_svg([PLAIN], drawing)))
    assert [text for text in LEGEND.values() if text in drawn] == [
        "link (the paler, the more doubtful)",
        "possible link",
    ]


@given(pairs())
def test_every_link_and_word_is_drawn_once(pair):
    expected = len(pair.links) if pair.gold is None else len({link[:2] for link in [*pair.links, *pair.gold]})
    for draw in (matrix_drawing, bipartite_drawing):
        root = parsed(document(draw(pair), ""))
        assert len(titles(root)) == expected
        assert len(texts(root)) == len(pair.source) + len(pair.target)


@given(pairs())
def test_words_are_never_more_than_words(pair):
    root = parsed(draw_svg([pair]))
    for element in root.iter():
        assert element.tag in ALLOWED_ELEMENTS
        assert set(element.attrib) <= ALLOWED_ATTRIBUTES
    drawn = "".join(root.itertext())
    assert not set(drawn) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\0")


def test_hostile_words_are_drawn_as_they_look():
    pair = AlignedPair(1, HOSTILE, ["x"], [Link(k, 0) for k in range(len(HOSTILE))], note="<b>&\u202e")
    svg = draw_svg([pair])
    assert "<script" not in svg
    assert "<svg onload" not in svg
    drawn = Counter(texts(parsed(svg)))
    for word in ("<script>alert(1)</script>", '" onmouseover="alert(1)', "&amp;", "evil", "nul�nul"):
        assert drawn[word] == 2
    assert drawn["�"] == 6  # a half of a character, a character that XML lacks, and nothing at all


def test_words_that_are_read_from_the_right_begin_there():
    pair = AlignedPair(1, ["שלום", "עולם"], ["hello", "world"], [Link(0, 0), Link(1, 1)])
    root = parsed(document(bipartite_drawing(pair), ""))
    places = {
        re.sub("[\u2068\u2069]", "", element.text): float(element.get("x"))
        for element in root.iter(NAME + "text")
    }
    assert places["שלום"] > places["עולם"]
    assert places["hello"] < places["world"]
    assert "\u2068שלום\u2069" in "".join(root.itertext())


def test_each_script_of_a_word_has_its_fonts():
    svg = document(matrix_drawing(AlignedPair(1, ["(学校)", "学校", "école"], [], [])), "")
    spans = [(part.text, "CJK" in part.get("font-family", "")) for part in parsed(svg).iter(NAME + "tspan")]
    assert spans == [("(", False), ("学校", True), (")", False)]
    whole = {element.text: element.get("font-family") for element in parsed(svg).iter(NAME + "text")}
    assert "CJK" in whole["学校"]
    assert whole["école"] is None


def test_rows_that_are_too_long_become_columns():
    words = [f"word{k}" for k in range(60)]
    width, height, parts = bipartite_drawing(AlignedPair(1, words, words, [Link(k, k) for k in range(60)]))
    assert width < 400
    assert height == 60 * 21 + 6
    assert len(parts) == 180


def test_the_picture_has_room_for_everything():
    svg = draw_svg([PLAIN, COMPARED])
    root = parsed(svg)
    assert float(root.get("width")) >= text_width("possible in gold, not taken", 12)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert texts(root).count("line 2, AER 25 %") == 1


def test_empty_sentences_have_a_drawing():
    for pair in (AlignedPair(1, [], [], []), AlignedPair(1, ["a"], [], []), AlignedPair(1, [], ["a"], [])):
        assert parsed(draw_svg([pair])).tag == NAME + "svg"


def test_bad_input_is_refused():
    with pytest.raises(OptionError, match=r"^no drawing 'tree'; there are matrix, bipartite, both$"):
        draw_svg([PLAIN], "tree")
    message = r"^{} pairs in one picture, expected 1 to 100; choose fewer, or write a page$"
    for number in (0, 101):
        with pytest.raises(OptionError, match=message.format(number)):
            draw_svg([PLAIN] * number)
    with pytest.raises(InputError, match=r"^line 1: link 3-0 is outside of the pair: it has 3 source"):
        draw_svg([PLAIN._replace(links=[Link(3, 0)])])
    with pytest.raises(InputError, match=r"^line 1: gold link 0-3 is outside of the pair"):
        draw_svg([PLAIN._replace(gold=[Link(0, 3)])])


def test_the_picture_of_the_documentation_is_what_is_drawn_today():
    path = ROOT / "docs" / "pictures" / "view.svg"
    assert path.read_text(encoding="utf-8") == draw_svg([DOCUMENTED]), (
        f"draw_svg([DOCUMENTED]) belongs into {path}"
    )
