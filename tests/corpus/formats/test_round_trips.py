"""What is written in a format comes back, and words lead back into it, whatever the text."""

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cepts.corpus import Side, bitext_from_pairs, read_bitext, read_bitext_in_pieces, read_pairs
from cepts.corpus.cleaning import Cleaner
from tests.corpus.written import jsonl_of, po_of, put, sides_of, tmx_of, xliff_2_of, xliff_of

# Combining marks, right-to-left script with its marks, emoji with joiners, astral letters, what XML and PO must escape.
TELLING = (
    "ab Éé\u0301\u0323אבע\u05b7\u200f\u202eسلام🏳️\u200d🌈👩🏽\u200d🚒𝒳<>&\"'\\;%s{}_ \u00a0\u3000ﬁẞİ\u2028]"
)
TEXT = st.text(st.sampled_from(TELLING), min_size=1, max_size=25) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=12
)
PAIRS = st.lists(
    st.tuples(TEXT, TEXT).filter(lambda pair: pair[0].strip() and pair[1].strip()), min_size=1, max_size=5
)
WRITERS = {
    "tmx": tmx_of,
    "xliff": xliff_of,
    "xliff 2": xliff_2_of,
    "po": po_of,
    "jsonl": jsonl_of,
    "sides": sides_of,
}


def same(left: Side, right: Side) -> bool:
    return list(left.words) == list(right.words) and np.array_equal(left.ids, right.ids)


@pytest.mark.parametrize("name", WRITERS)
@given(PAIRS, st.booleans())
@settings(max_examples=10)
@example([("a", "b"), ("<b>", "&amp;"), ("%s", "]]>"), ("a\u0301 b", "🏳️\u200d🌈 c")], True)
def test_pairs_come_back(name: str, pairs: list[tuple[str, str]], tokenize: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder), "file", WRITERS[name](pairs))
        bitext = read_bitext(path, tokenize=tokenize, markup="keep")
        assert list(read_pairs(path)) == pairs
        pieces = list(read_bitext_in_pieces(path, tokenize=tokenize, markup="keep"))
    expected = bitext_from_pairs(pairs, tokenize=tokenize)
    assert same(bitext.source, expected.source)
    assert same(bitext.target, expected.target)
    assert [piece.source.sentence(k) for piece in pieces for k in range(len(piece))] == [
        expected.source.sentence(k) for k in range(len(expected))
    ]


CODES = (
    "<bpt i='1'>&lt;b></bpt> <ept i='1'/> <ph x='>'>{</ph> <x/> <it>x<sub>y</sub></it> <ut>z</ut> <g> </g> &amp; &lt;"
    " &#233; &#x1F3F4; <!--a--> <![CDATA[c<&]]> %s {name} &lt;i> &amp;nbsp; %(x)d ${y} &lt;br/> %%"
    " <mrk> </mrk> {{z}} \n"
)
CODE = st.sampled_from(re.split("(?<!bpt|ept) (?!x=)", CODES))
PLAIN = st.text(st.sampled_from("ab é\u0301אב🏳️\u200d🌈𝒳"), max_size=6)
SEGMENT = st.lists(CODE | PLAIN, max_size=10).map("".join)
CLEANER = st.builds(Cleaner, xml=st.just(True), markup=st.booleans(), keys=st.booleans())


@given(SEGMENT, CLEANER)
@settings(max_examples=60)
@example("Tom &amp;<it>x<sub>y</sub></it> Jerry", Cleaner(xml=True))
def test_places_lead_back(segment: str, cleaner: Cleaner) -> None:
    """Every character of the text stands where it is said to stand, and nothing is out of order."""
    cleaned = cleaner.clean(segment)
    assert cleaner.text(segment) == cleaned.text
    if not any(mark in segment.encode() for mark in cleaner.special):
        assert cleaned == (segment, ())
    spans = cleaned.original([(k, k + 1) for k in range(len(cleaned.text))])
    assert all(first < end <= len(segment) for first, end in spans)
    assert spans == sorted(spans)
    for char, (first, end) in zip(cleaned.text, spans, strict=True):
        if char != " " and end - first == 1:
            assert segment[first] == char
        elif char != " ":
            assert char in cleaner.clean(segment[first:end]).text


@given(st.lists(SEGMENT.filter(str.strip), min_size=1, max_size=4), st.booleans(), st.booleans())
@settings(max_examples=20)
def test_spans_cut_every_token_out_of_its_original(
    segments: list[str], tokenize: bool, keep_case: bool
) -> None:
    segments = [balanced(segment) for segment in segments]
    unit = "<tu><tuv xml:lang='en'><seg>{}</seg></tuv><tuv xml:lang='fr'><seg>x</seg></tuv></tu>"
    text = f"<tmx><header/><body>{''.join(map(unit.format, segments))}</body></tmx>"
    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder), "file", text)
        bitext = read_bitext(path, tokenize=tokenize, keep_case=keep_case, keep_text=True)
        assert same(bitext.source, read_bitext(path, tokenize=tokenize, keep_case=keep_case).source)
    side = bitext.source
    assert side.originals is not None
    assert list(side.originals) == segments
    clean = Cleaner(xml=True, markup=True).clean
    for k, segment in enumerate(segments):
        spans = side.token_spans(k)
        assert spans is not None
        cut = [clean(segment[first:end]).text for first, end in spans.tolist()]
        assert [text if keep_case else text.lower() for text in cut] == side.sentence(k)


def balanced(segment: str) -> str:
    """Make a segment well-formed, and one whose parts can be read by themselves, as those of CDATA cannot."""
    segment = segment.replace("<![CDATA[c<&]]>", "c")
    for name in ("g", "mrk"):
        segment = segment.replace(f"</{name}>", "").replace(f"<{name}>", f"<{name}/>")
    return segment


@given(st.lists(TEXT, min_size=1, max_size=5), st.booleans())
@settings(max_examples=15)
def test_lines_are_kept_as_they_are(lines: list[str], tokenize: bool) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    kept = bitext_from_pairs(
        [(line, line) for line in lines], tokenize=tokenize, keep_case=True, keep_text=True
    ).source
    plain = bitext_from_pairs([(line, line) for line in lines], tokenize=tokenize, keep_case=True).source
    assert kept.originals is not None
    assert list(kept.originals) == lines
    assert plain.originals is None
    assert same(kept, plain)
    for k, line in enumerate(lines):
        spans = kept.token_spans(k)
        assert spans is not None
        assert [line[first:end] for first, end in spans.tolist()] == kept.sentence(k)
