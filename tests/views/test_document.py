"""The HTML file: data that come back as they went in, and a policy that lets nothing else run."""

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.links import Link
from cepts.views import AlignedPair, document, write_html
from cepts.views.svg import visible
from tests.views.pairs import COMPARED, HOSTILE, PLAIN, pairs


class Elements(HTMLParser):
    """Collects elements with their attributes, and the text of scripts and styles."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append([tag, dict(attrs), ""])

    def handle_data(self, data):
        if self.found:
            self.found[-1][2] += data


def page(pairs, title="links"):
    stream = io.StringIO()
    write_html(pairs, stream, title)
    return stream.getvalue()


def elements(html):
    parser = Elements()
    parser.feed(html)
    return parser.found


def data_of(html):
    """Return the index, and the records of all pairs."""
    scripts = [(attributes, text) for tag, attributes, text in elements(html) if tag == "script"]
    records = [json.loads(text) for attributes, text in scripts if attributes.get("class") == "block"]
    (index,) = (json.loads(text) for attributes, text in scripts if attributes.get("id") == "index")
    return index, [record for block in records for record in block]


def links_of(flat):
    triples = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    return [Link(i, j, (share if share >= 0 else -1 - share) / 1000, share >= 0) for i, j, share in triples]


def rounded(links):
    return [link._replace(confidence=round(1000 * link.confidence) / 1000) for link in links]


@given(st.lists(pairs(), min_size=1, max_size=4))
def test_the_data_are_those_of_the_pairs(drawn):
    index, records = data_of(page(drawn))
    assert index["lines"] == [pair.line for pair in drawn]
    for (source, target, links, gold, _), pair in zip(records, drawn, strict=True):
        assert source == [visible(word) for word in pair.source]
        assert target == [visible(word) for word in pair.target]
        assert links_of(links) == rounded(pair.links)
        assert gold == pair.gold if gold is None else links_of(gold) == rounded(pair.gold)


@pytest.mark.parametrize("title", ["{data}", "{script} {data} {data}"])
def test_a_title_that_looks_like_a_place_of_the_page_is_a_title(title):
    html = page([PLAIN], title)
    assert html.count(f"<title>{title}</title>") == 1
    assert data_of(html)[0]["lines"] == [PLAIN.line]


@given(st.lists(pairs(), min_size=1, max_size=3), st.sampled_from(HOSTILE))
def test_the_page_has_the_same_elements_whatever_the_words_are(drawn, title):
    plain = page([AlignedPair(1, ["a"], ["b"], [])])
    assert [tag for tag, _, _ in elements(page(drawn, title))] == [tag for tag, _, _ in elements(plain)]


def test_blocks_hold_some_pairs_each(monkeypatch):
    monkeypatch.setattr(document, "BLOCK", 2)
    html = page([PLAIN._replace(line=k) for k in range(1, 6)])
    assert html.count('class="block"') == 3
    index, records = data_of(html)
    assert (index["block"], index["lines"], len(records)) == (2, [1, 2, 3, 4, 5], 5)


def test_measures_worked_out_by_hand():
    index, _ = data_of(page([PLAIN, COMPARED, AlignedPair(3, [], ["x"], [])]))
    assert [measure["key"] for measure in index["measures"]] == ["error", "score", "confidence", "unlinked"]
    assert index["values"] == {
        "error": [None, 0.25, None],
        "score": [-2.5, None, None],
        "confidence": [0.83, 0.725, None],  # (0.99 + 0.5 + 1) / 3 and (1 + 0.7 + 1 + 0.2) / 4
        "unlinked": [0, 0, 1],
    }
    assert (index["lengths"], index["confidences"]) == ([6, 7, 1], True)


def test_without_scores_gold_and_confidences_words_without_link_are_the_measure():
    index, _ = data_of(page([AlignedPair(1, ["a", "b"], ["c"], [Link(0, 0)])]))
    assert [measure["key"] for measure in index["measures"]] == ["unlinked"]
    assert index["values"] == {"unlinked": [0.3333]}
    assert index["confidences"] is False


def test_the_policy_allows_the_script_and_the_style_and_nothing_else():
    html = page([PLAIN])
    found = elements(html)
    (policy,) = (a["content"] for tag, a, _ in found if tag == "meta" and "http-equiv" in a)
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; base-uri 'none';"
        " form-action 'none'"
    )
    assert not {name for _, attributes, _ in found for name in attributes} & {"src", "href", "style"}
    assert not re.search(r"^\s*(import|export) ", script, re.MULTILINE)
    assert "innerHTML" not in script


def test_bad_input_is_refused(monkeypatch):
    with pytest.raises(OptionError, match=r"^no pairs for a page; choose some$"):
        page([])
    with pytest.raises(InputError, match=r"^line 1: link 0-9 is outside of the pair"):
        page([PLAIN._replace(links=[Link(0, 9)])])
    monkeypatch.setattr(document, "MOST_PAIRS", 2)
    with pytest.raises(OptionError, match=r"^more than 2 pairs for one page; choose some$"):
        page([PLAIN] * 3)
