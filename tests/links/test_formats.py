"""Every format: what is written is read again, and exact texts."""

import io
import json
import xml.dom.minidom
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.corpus.encoding import WORD
from cepts.errors import InputError, OptionError
from cepts.links import FORMATS, Link, Links, read_links, write_links
from cepts.links.formats import NEED_TEXT, NUMBERED, detect
from cepts.links.reading import read_parsed
from tests.links.texts import linked

WITH_CONFIDENCE = ("pharaoh-scores", "naacl", "jsonl", "tsv", "tmx", "xliff")
WITH_KIND = ("pharaoh", "pharaoh-scores", "naacl", "talp", "jsonl", "tsv", "tmx", "xliff")
WITH_SCORE = ("pharaoh-scores", "giza", "jsonl", "tmx", "xliff")


def written(links, name, texts=None, **options):
    stream = io.StringIO()
    write_links(links, stream, name, texts=texts, **options)
    return stream.getvalue()


def held(links, name):
    """Return what a format can hold of links."""
    return [
        [
            link._replace(
                confidence=link.confidence if name in WITH_CONFIDENCE else 1.0,
                sure=link.sure if name in WITH_KIND else True,
            )
            for link in pair
        ]
        for pair in links
    ]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20)
@given(corpus=linked(), scored=st.booleans())
def test_what_is_written_is_read_again(name, corpus, scored):
    source, target, pairs = corpus
    links = Links.from_pairs(pairs)
    if scored:
        links = replace(links, scores=np.array([-1.25 * k - 0.5 for k in range(len(links))]))
    text = written(links, name, (source, target))
    back = read_links(io.StringIO(text), len(links) if name in NUMBERED else None, format=name)
    assert list(back) == held(links, name)
    if scored and name in WITH_SCORE:
        assert back.scores == pytest.approx(links.scores, rel=1e-7)
    else:
        assert back.scores is None
    again = written(back, name, (source, target))
    assert again == text, "and written again it is the same"


@pytest.mark.parametrize("name", ["jsonl", "tmx", "xliff", "giza"])
@settings(max_examples=20)
@given(corpus=linked())
def test_the_text_comes_back_too(name, corpus):
    source, target, pairs = corpus
    links = Links.from_pairs(pairs)
    parsed = read_parsed(io.StringIO(written(links, name, (source, target))))[1]
    assert parsed.format == name
    for side, lines in zip(parsed.text, (source, target), strict=True):
        assert [side.words(k) for k in range(len(links))] == [WORD.findall(line) for line in lines]
        assert name == "giza" or side.lines == lines


@settings(max_examples=25)
@given(corpus=linked(), tokenize=st.booleans())
def test_character_offsets_cut_the_words_out_of_the_original(corpus, tokenize):
    source, target, _ = corpus
    bitext = bitext_from_pairs(zip(source, target, strict=True), tokenize=tokenize)
    lengths = [side.lengths.tolist() for side in (bitext.source, bitext.target)]
    links = Links.from_pairs(
        [(i, j) for i in range(rows) for j in range(columns)] for rows, columns in zip(*lengths, strict=True)
    )
    stream = io.StringIO()
    write_links(links, stream, "jsonl", bitext, texts=(source, target))
    for k, line in enumerate(stream.getvalue().split("\n")[:-1]):
        told = json.loads(line)
        assert (told["source"], told["target"]) == (source[k], target[k])
        for i, j, _, _ in told["links"]:
            for side, original, place in (("source", source, i), ("target", target, j)):
                first, end = told[f"{side}_spans"][place]
                word = getattr(bitext, side).sentence(k)[place]
                assert original[k][first:end] == told[f"{side}_tokens"][place]
                assert original[k][first:end].lower() == word


SOURCE, TARGET = ["La maison", "", "Oui &  non"], ["the House", "x", "yes"]
LINKS = replace(
    Links.from_pairs([[(0, 0), (1, 1, 0.97, False)], [], [(2, 0, 0.5)]]),
    scores=np.array([-0.5, np.nan, -2.0]),
)
GOLDEN = {
    "pharaoh": "0-0 1?1\n\n2-0\n",
    "pharaoh-scores": "0-0:1 1?1:0.97\t-0.5000\n\n2-0:0.5\t-2.0000\n",
    "naacl": "1 1 1 S\n1 2 2 P 0.97\n3 3 1 S 0.5\n",
    "talp": "1-1 2p2\n\n3-1\n",
    "marian": "0-0 1-1\n\n2-0\n",
    "giza": "# Sentence pair (1) source length 2 target length 2 alignment score : 0.60653066\n"
    "the House \nNULL ({ }) La ({ 1 }) maison ({ 2 }) \n"
    "# Sentence pair (2) source length 0 target length 1 alignment score : 1\nx \nNULL ({ 1 }) \n"
    "# Sentence pair (3) source length 3 target length 1 alignment score : 0.13533528\n"
    "yes \nNULL ({ }) Oui ({ }) & ({ }) non ({ 1 }) \n",
    "jsonl": '{"source": "La maison", "target": "the House", "source_tokens": ["La", "maison"], '
    '"target_tokens": ["the", "House"], "source_spans": [[0, 2], [3, 9]], "target_spans": [[0, 3], [4, 9]], '
    '"links": [[0, 0, 1, "S"], [1, 1, 0.97, "P"]], "score": -0.5000}\n'
    '{"source": "", "target": "x", "source_tokens": [], "target_tokens": ["x"], "source_spans": [], '
    '"target_spans": [[0, 1]], "links": []}\n'
    '{"source": "Oui &  non", "target": "yes", "source_tokens": ["Oui", "&", "non"], "target_tokens": ["yes"], '
    '"source_spans": [[0, 3], [4, 5], [7, 10]], "target_spans": [[0, 3]], "links": [[2, 0, 0.5, "S"]], '
    '"score": -2.0000}\n',
    "tsv": "pair\tsource\ttarget\tsource_word\ttarget_word\tprobability\tkind\n"
    "0\t0\t0\tLa\tthe\t1\tS\n0\t1\t1\tmaison\tHouse\t0.97\tP\n2\t2\t0\tnon\tyes\t0.5\tS\n",
}


@pytest.mark.parametrize("name", GOLDEN)
def test_exact_text(name):
    assert written(LINKS, name, (SOURCE, TARGET)) == GOLDEN[name]
    if name not in NEED_TEXT:
        assert written(LINKS, name) == GOLDEN[name]


def test_tmx_has_links_as_properties():
    document = xml.dom.minidom.parseString(
        written(LINKS, "tmx", (SOURCE, TARGET), languages=("fr", "en-GB")).encode()
    )
    assert document.getElementsByTagName("header")[0].getAttribute("srclang") == "fr"
    unit = document.getElementsByTagName("tu")[2]
    properties = {
        node.getAttribute("type"): node.firstChild.data for node in unit.getElementsByTagName("prop")
    }
    assert properties == {
        "x-cepts-links": "2-0:0.5",
        "x-cepts-score": "-2.0000",
        "x-cepts-source-spans": "0-3 4-5 7-10",
        "x-cepts-target-spans": "0-3",
    }
    texts = [
        (node.getAttribute("xml:lang"), node.firstChild.firstChild.data)
        for node in unit.getElementsByTagName("tuv")
    ]
    assert texts == [("fr", "Oui &  non"), ("en-GB", "yes")]
    # The document type has properties before texts.
    assert [node.tagName for node in unit.childNodes if node.nodeType == node.ELEMENT_NODE] == [
        *["prop"] * 4,
        *["tuv"] * 2,
    ]


def test_xliff_has_links_in_the_metadata_module():
    document = xml.dom.minidom.parseString(
        written(LINKS, "xliff", (SOURCE, TARGET), languages=("fr", None)).encode()
    )
    root = document.documentElement
    assert [root.getAttribute(name) for name in ("version", "srcLang", "trgLang")] == [
        "2.0",
        "fr",
        "x-target",
    ]
    unit = document.getElementsByTagName("unit")[0]
    module = "urn:oasis:names:tc:xliff:metadata:2.0"
    (group,) = unit.getElementsByTagNameNS(module, "metaGroup")
    assert group.getAttribute("category") == "cepts"
    told = {
        node.getAttribute("type"): node.firstChild.data
        for node in unit.getElementsByTagNameNS(module, "meta")
    }
    assert told["links"] == "0-0:1 1?1:0.97"
    assert [node.tagName for node in unit.childNodes if node.nodeType == node.ELEMENT_NODE] == [
        "mda:metadata",
        "segment",
    ]
    assert unit.getElementsByTagName("source")[0].firstChild.data == "La maison"


@pytest.mark.parametrize("name", sorted(set(GOLDEN) - {"talp", "marian", "pharaoh-scores"}))
def test_formats_are_told_apart_by_their_text(name):
    assert detect(GOLDEN[name].split("\n")) == name
    assert detect(["", " ", *GOLDEN[name].split("\n")]) == name


def test_talp_is_seen_where_it_says_sure():
    assert detect(["1-1 2p2 3s1"]) == "talp"
    assert list(read_links(io.StringIO("1s1 2p3 4-1:0.5\n"))) == [
        [Link(0, 0), Link(1, 2, 1.0, False), Link(3, 0, 0.5)]
    ]
    assert list(read_links(io.StringIO("1-1 0-2 3-0\n"), format="talp")) == [[Link(0, 0)]], "0 is NULL"


def test_pairs_are_numbered_from_where_one_says():
    one = Links.from_pairs([[(0, 0)]])
    assert written(one, "naacl", first=4) == "5 1 1 S\n"
    assert written(one, "tsv", (["a"], ["b"]), first=4) == "4\t0\t0\ta\tb\t1\tS\n"
    assert written(one, "giza", (["a"], ["b"]), first=4).startswith("# Sentence pair (5) ")


def test_a_bitext_alone_writes_its_words():
    bitext = bitext_from_pairs([("La maison", "the House")])
    stream = io.StringIO()
    write_links(Links.from_pairs([[(1, 1)]]), stream, "tsv", bitext)
    assert stream.getvalue().split("\n")[1] == "0\t1\t1\tmaison\thouse\t1\tS"


@pytest.mark.parametrize("name", NEED_TEXT)
def test_formats_with_words_need_the_text(name):
    with pytest.raises(OptionError, match=f"the format {name} holds words: give bitext, or texts"):
        written(LINKS, name)


def test_what_cannot_be_written_is_refused():
    with pytest.raises(OptionError, match="no link format 'farao'; there are pharaoh, pharaoh-scores, naacl"):
        written(LINKS, "farao")
    with pytest.raises(InputError, match=r"links, pair 3: link 2-0 \(from 0\) is outside of its pair"):
        written(LINKS, "jsonl", (["La maison", "", "Oui"], TARGET))
    with pytest.raises(InputError, match="3 source and 2 target lines, expected as many of both"):
        written(LINKS, "jsonl", (SOURCE, TARGET[:2]))
    with pytest.raises(InputError, match="a bitext of 1 pairs and 3 lines, expected as many of both"):
        write_links(LINKS, io.StringIO(), "jsonl", bitext_from_pairs([("a", "b")]), texts=(SOURCE, TARGET))
    with pytest.raises(InputError, match=r"source text, line 2: character U[+]0001 cannot be written in XML"):
        written(Links.from_pairs([[], []]), "tmx", (["", "a\x01"], ["", ""]))
    with pytest.raises(
        OptionError, match="'fr_FR' is not the code of a language, expected something like fr"
    ):
        written(LINKS, "xliff", (SOURCE, TARGET), languages=("fr_FR", None))
