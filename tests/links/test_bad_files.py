"""What is said of files of links that are damaged: each format, each way, with the line."""

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import CeptsError, InputError
from cepts.links import FORMATS, Links, read_links, write_links

HEAD = "# Sentence pair (1) source length 1 target length 2 alignment score : 0.5\n"
GIZA = {
    HEAD: "line 1: the file ends within a pair, expected three lines for each; it may be cut off",
    HEAD + "a b\n": "line 1: the file ends within a pair",
    "a b\nNULL ({ })\n": "line 1: the file ends within a pair",
    "a b\nNULL ({ })\n"
    + HEAD: "line 1: 'a b', expected: # Sentence pair (1) source length 2 target length 3",
    HEAD + "a\nNULL ({ }) x ({ 1 })\n": "line 1: 1 target words, but its head says target length 2",
    HEAD + "a b\nNULL ({ }) x ({ 1 }) y ({ })\n": "line 3: 2 source words, but its head says source length 1",
    HEAD + "a b\nNULL ({ }) x ({ 3 })\n": "line 3: target word 3, expected 1 to 2",
    HEAD + "a b\nNULL ({ }) x ({ 0 })\n": "line 3: target word 0, expected 1 to 2",
    HEAD + "a b\nNULL ({ }) x ({ -1 })\n": "line 3: negative position -1, expected a number from 1",
    HEAD
    + "a b\nNULL ({ }) x ({ 1.5 })\n": "line 3: position '1.5' is not a number, expected a number from 1",
    HEAD + "a b\nNULL ({ }) x ({ 1\n": "line 3: no ({ ... }) behind 'x'; is the line cut off?",
    HEAD + "a b\nNULL ({ }) x\n": "line 3: no ({ ... }) behind 'x'; is the line cut off?",
    HEAD + "a b\nx ({ 1 })\n": "line 3: begins with 'x', expected NULL ({ ... })",
    HEAD + "a b\n\n" + HEAD: "line 3: an empty line, expected NULL ({ ... })",
    HEAD.replace("0.5", "x")
    + "a b\nNULL ({ }) x ({ })\n": "line 1: alignment score 'x', expected a probability",
    HEAD.replace("0.5", "nan") + "a b\nNULL ({ }) x ({ })\n": "line 1: alignment score 'nan', expected a",
    HEAD.replace("(1)", "(x)")
    + "a b\nNULL ({ }) x ({ })\n": "line 1: sentence pair 'x' is not a number, expected",
    HEAD.replace("(1)", "(0)")
    + "a b\nNULL ({ }) x ({ })\n": "line 1: sentence pair 0, expected a number from 1",
    (HEAD + "a b\nNULL ({ }) x ({ })\n") * 2: "line 4: sentence pair 1 comes twice",
}
JSONL = {
    "{": "line 1: '{' is not JSON (Expecting property name enclosed in double quotes), expected an object for each",
    '{"links": []}\n\n': "line 2: '' is not JSON (Expecting value), expected an object for each pair; is the line cut",
    '{"links": ['
    + "9" * 5000
    + "]}": "line 1: '{\"links\": [9999999999999999999...' is not JSON (too deep or too long",
    '{"links": ' + "[" * 100_000: "is not JSON (too deep or too long",
    "{}": 'line 1: no key "links", expected a list of [source, target, probability, "S" or "P"]',
    '{"links": 3}': 'line 1: 3 as "links", expected a list of',
    '{"links": [3]}': 'line 1: 3 is not a link, expected [source, target, probability, "S" or "P"]',
    '{"links": [[0]]}': "line 1: [0] is not a link, expected",
    '{"links": [[0, -1]]}': "line 1: target position -1, expected a number from 0 to 999999",
    '{"links": [["0", 1]]}': 'line 1: source position "0", expected a number from 0 to 999999',
    '{"links": [[true, 1]]}': "line 1: source position true, expected a number from 0 to 999999",
    '{"links": [[0.5, 1]]}': "line 1: source position 0.5, expected a number from 0 to 999999",
    '{"links": [[0, 1e400]]}': "line 1: target position Infinity, expected a number from 0 to 999999",
    '{"links": [[0, 1000000]]}': "line 1: target position 1000000, expected a number from 0 to 999999",
    '{"links": [[0, 0, 2]]}': "line 1: probability 2, expected a number from 0 to 1",
    '{"links": [[0, 0, NaN]]}': "line 1: probability NaN, expected a number from 0 to 1",
    '{"links": [[0, 0, 1, "X"]]}': 'line 1: kind "X", expected S (sure) or P (possible)',
    '{"links": [], "score": "x"}': 'line 1: score "x" is not a number',
    '{"links": [[1, 0]], "source": "a"}': "line 1: source position 1, expected a number from 0 to 0; the pair has 1 s",
    '{"links": [], "source": 3}': 'line 1: "source" is not a string',
    '{"links": [], "source_tokens": "ab"}': 'line 1: "source_tokens" is not a list of strings',
    '{"links": [], "source": "a", "source_tokens": ["b"]}': 'line 1: "source_tokens" are not what "source_spans" cut',
    '{"links": [], "source": "a", "source_spans": [[0, 2]]}': 'line 1: "source_spans" must be a list of [first, end]',
    '{"links": [], "source": "a", "source_spans": [0]}': 'line 1: "source_spans" must be a list of [first, end]',
}
HEADER = "pair\tsource\ttarget\tkind\n"
TSV = {
    "a\tb\n": "line 1: no column pair, expected a header with pair, source and target, separated by TAB",
    "": "line 1: no column pair, expected a header",
    "pair\tsource\n": "line 1: no column target, expected a header",
    HEADER + "0\t0\t0\n": "line 2: 3 columns, expected 4, as in the header",
    HEADER + "0\t0\t0\tS\n0\tx\t0\tS\n": "line 3: position 'x' is not a number, expected a number from 0",
    HEADER + "-1\t0\t0\tS\n": "line 2: pair '-1' is not a number, expected a number from 0",
    HEADER + "0\t-1\t0\tS\n": "line 2: negative position -1, expected a number from 0",
    HEADER
    + "0\t1000000\t0\tS\n": "line 2: position 1000000 is too large, expected at most 999999; check the file",
    HEADER + "0\t0\t0\tsure\n": "line 2: kind 'sure', expected S (sure) or P (possible)",
    HEADER.replace("kind", "probability")
    + "0\t0\t0\t1.5\n": "line 2: confidence '1.5', expected a number from 0 to 1",
}
TALP = {
    "1s1 hello\n": "line 1: 'hello' is not a link, expected i-j or isj (sure), ipj (possible) or i-j:confidence",
    "1s1\n1?1\n": "line 2: '1?1' is not a link, expected i-j or isj (sure)",
    "1s-1\n": "line 1: negative position -1, expected a number from 1",
}
UNIT = '<tu><prop type="x-cepts-links">{}</prop><tuv><seg>a</seg></tuv><tuv><seg>b</seg></tuv></tu>'
TMX = {
    "<tmx>": "line 1: not well-formed XML (no element found); is the file cut off?",
    "<tmx>\n<tu></tmx>": "line 2: not well-formed XML (mismatched tag); is the file cut off?",
    "<tmx></tmx>": "links: no links in it, expected the properties that `cepts convert` writes",
    f"<tmx>{UNIT.format('')}\n{UNIT.format('0-x')}</tmx>": "line 2: position 'x' is not a number, expected a number",
    f"<tmx>{UNIT.format('').replace('<tuv><seg>b</seg></tuv>', '')}</tmx>": "line 1: 1 texts in a unit, expected",
    f"<tmx>{UNIT.format('').replace('<tuv>', '<prop type=%s>0-9</prop><tuv>', 1)}</tmx>"
    % '"x-cepts-source-spans"': "line 1: source-spans has '0-9', expected first-end within 1 characters",
    '<!DOCTYPE tmx [<!ENTITY a "b">]>\n<tmx>&a;</tmx>': "line 1: the file declares entities, which are not read",
}
BAD = {"giza": GIZA, "jsonl": JSONL, "tsv": TSV, "talp": TALP, "tmx": TMX}


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name, texts in BAD.items() for text in texts],
    ids=range(sum(map(len, BAD.values()))),
)
def test_what_is_wrong_is_said_with_its_line(name, text):
    with pytest.raises(InputError, match=re.escape(BAD[name][text])) as caught:
        read_links(io.StringIO(text), format=name)
    assert str(caught.value).startswith("links")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("damage", "said"), [(b"\0", "a NUL byte, expected text"), (b"\xff", r"invalid UTF-8 \(byte 0xff\)")]
)
def test_what_is_no_text_is_refused_in_every_format(name, damage, said):
    stream = io.StringIO()
    write_links(Links.from_pairs([[(0, 0)], [(0, 0)]]), stream, name, texts=(["a", "b"], ["c", "d"]))
    data = stream.getvalue().encode() + damage
    with pytest.raises(InputError, match=said):
        read_links(io.BytesIO(data), format=name)


def samples():
    """Yield what each format writes for some pairs."""
    links = Links.from_pairs([[(0, 0), (1, 1, 0.5, False)], [], [(0, 1)]])
    for name in FORMATS:
        stream = io.StringIO()
        write_links(links, stream, name, texts=(["a b", "", "c"], ["u v", "w", "x y"]))
        yield name, stream.getvalue()


@pytest.mark.parametrize(("name", "text"), list(samples()))
@settings(max_examples=20)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_in_one_line(name, text, data):
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    put = data.draw(st.text(st.sampled_from("0-9:{}[](\"' \n\t|<>#xé"), max_size=4))
    said = ""
    links = Links.from_pairs([])
    try:
        links = read_links(io.StringIO(text[:begin] + put + text[end:]), format=name)
    except CeptsError as error:
        said = str(error)
    assert len(said.split("\n")) == 1
    assert all(link.source >= 0 and link.target >= 0 for pair in links for link in pair)


def test_giza_pairs_may_come_in_any_order_and_leave_some_out():
    one = HEAD + "a b\nNULL ({ 1 }) x ({ 2 })\n"
    links = read_links(io.StringIO(one.replace("(1)", "(3)") + one + "\n"))
    assert [[link[:2] for link in pair] for pair in links] == [[(0, 1)], [], [(0, 1)]]
    assert len(read_links(io.StringIO(one), 4)) == 4
    with pytest.raises(
        InputError, match="line 1: sentence pair 1, expected at most 0, the number of sentence pairs"
    ):
        read_links(io.StringIO(one), 0)


def test_columns_of_a_table_may_come_in_any_order():
    links = read_links(io.StringIO("note\ttarget\tpair\tsource\nx\t3\t1\t2\n\n"))
    assert [[link[:2] for link in pair] for pair in links] == [[], [(2, 3)]]


def test_an_object_may_have_links_alone():
    links = read_links(io.StringIO('{"links": [[0, 1], [2, 3, 0.5]], "more": 1}\n{"links": []}\n'))
    assert [[link[:3] for link in pair] for pair in links] == [[(0, 1, 1.0), (2, 3, 0.5)], []]
