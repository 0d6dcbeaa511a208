"""A corpus over HTTP: what is asked for is answered, what cannot be is refused in a sentence."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs, read_bitext
from cepts.links import FORMATS, Links, read_links
from cepts.web.corpus import Corpus
from cepts.web.corpus_schemas import FormatName
from tests.web.corpora import FIRST, asking, make_corpus, put
from tests.web.pairs import PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.corpora import Client


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "text.corrections.jsonl"


@pytest.fixture
def client(file: Path) -> Iterator[Client]:
    with asking(make_corpus(file)) as client:
        yield client


@pytest.fixture(scope="module")
def reader() -> Iterator[Client]:
    """Of a corpus that cannot be corrected."""
    with asking(make_corpus()) as client:
        yield client


def lines(client: Client, **query: Any) -> list[int]:
    answer = client.get("/api/corpus", params=query)
    assert answer.status_code == 200, answer.text
    return [item["line"] for item in answer.json()["items"]]


def test_a_list_shows_the_worst_pairs_first(reader: Client) -> None:
    answer = reader.get("/api/corpus", params={"limit": 2}).json()
    assert answer["pairs"] == answer["matching"] == len(PAIRS)
    assert answer["offset"] == 0
    assert answer["items"][0] == {
        "line": 6,
        "source": "le Chat noir",
        "target": "the black cat",
        "score": -2.5,
        "links": 3,
        "aer": round(2 / 3, 4),
        "different": 4,
        "corrected": False,
    }
    assert answer["items"][1]["line"] == 2


def test_pairs_are_shown_in_every_order(reader: Client) -> None:
    assert lines(reader, order="worst") == [
        6,
        2,
        4,
        1,
        5,
        3,
    ]  # by AER: 2/3, 1/3, 0, 0, and those without gold
    assert lines(reader, order="best") == [1, 4, 2, 6, 5, 3]
    assert lines(reader, order="line") == [1, 2, 3, 4, 5, 6]
    assert lines(reader, order="longest") == [4, 1, 5, 6, 2, 3]


def test_words_are_found_whole_on_either_side_in_any_case(reader: Client) -> None:
    assert lines(reader, order="line", word="CHAT") == [2, 4, 6]
    assert lines(reader, order="line", word="house") == [1, 4]
    assert lines(reader, order="line", word="  le  house ") == [4]
    assert lines(reader, order="line", word="hous") == []
    assert lines(reader, order="line", word="<script>alert(1)</script>") == [5]


def test_bounds_leave_pairs_out(reader: Client) -> None:
    assert lines(reader, order="line", min_score=-2.5) == [1, 4, 6]
    assert lines(reader, order="line", max_score=-2.5) == [2, 5, 6]
    assert lines(reader, order="line", min_words=3, max_words=4) == [1, 5, 6]
    assert lines(reader, order="line", show="different") == [2, 4, 5, 6]
    assert lines(reader, order="line", offset=4) == [5, 6]
    assert lines(reader, order="line", offset=99) == []
    assert lines(reader, limit=0) == []


def test_a_pair_is_shown_as_it_stands(reader: Client) -> None:
    assert reader.get("/api/corpus/1").json() == {
        "line": 1,
        "pairs": 6,
        "source_words": ["La", "Maison", "est", "bleue"],
        "target_words": ["The", "House", "is", "blue"],
        "score": -1.0,
        "alignments": {
            "first": [[0, 0, 0.9], [1, 1, 0.8], [2, 2, 1.0], [3, 3, 1.0]],
            "second": [[0, 0, 1.0], [1, 1, 1.0], [2, 2, 1.0], [3, 3, 1.0]],
        },
        "gold": [[0, 0, "S"], [1, 1, "S"], [2, 2, "S"], [3, 3, "P"]],
        "correction": None,
        "version": 0,
        "aer": {"first": 0.0, "second": 0.0},
        "neighbours": {"previous": None, "next": 2},
    }
    assert reader.get("/api/corpus/6").json()["neighbours"] == {"previous": 5, "next": None}


def test_a_pair_without_gold_scores_or_words_has_none() -> None:
    with asking(make_corpus(two=False, gold=False, scores=False)) as client:
        shown = client.get("/api/corpus/3").json()
        assert (shown["score"], shown["gold"], shown["aer"], shown["source_words"]) == (None, None, None, [])
        assert list(shown["alignments"]) == ["first"]
        assert client.get("/api/corpus", params={"order": "worst"}).json()["items"][0]["different"] is None
        assert lines(client, min_score=-100) == []
        assert lines(client, show="different") == []
        assert lines(client, order="worst") == [1, 2, 3, 4, 5, 6]


def test_a_correction_is_saved_seen_and_taken_back(client: Client, file: Path) -> None:
    saved = put(client, 4, [[1, 1, "S"], [0, 0, "P"]], by="Ann")
    assert saved.status_code == 200
    assert saved.json() == {"line": 4, "version": 1, "saved": saved.json()["saved"]}
    shown = client.get("/api/corpus/4").json()
    assert shown["correction"] == {
        "links": [[0, 0, "P"], [1, 1, "S"]],
        "version": 1,
        "by": "Ann",
        "saved": saved.json()["saved"],
    }
    assert shown["version"] == 1
    assert lines(client, show="corrected") == [4]
    assert lines(client, order="line", show="uncorrected") == [1, 2, 3, 5, 6]
    assert client.get("/api/info").json()["corpus"] == {
        "pairs": 6,
        "gold": True,
        "alignments": ["first", "second"],
        "writable": True,
        "corrected": 1,
    }
    assert len(file.read_text().splitlines()) == 2
    taken = client.delete("/api/corpus/4/correction", params={"version": 1})
    assert taken.json() == {"line": 4, "version": 2}
    shown = client.get("/api/corpus/4").json()
    assert (shown["correction"], shown["version"]) == (None, 2)
    assert put(client, 4, [], version=0).status_code == 409
    assert put(client, 4, [], version=2).json()["version"] == 3
    assert client.get("/api/corpus/4").json()["correction"]["links"] == []


def test_an_old_version_is_told_what_is_there(client: Client) -> None:
    put(client, 2, [[0, 0, "S"]], by="Ann")
    answer = put(client, 2, [[1, 1, "S"]], by="Bob")
    assert answer.status_code == 409
    told = answer.json()
    assert told["error"].startswith("line 2 has version 1, not 0: Ann corrected it on 2")
    assert told["current"]["links"] == [[0, 0, "S"]]
    assert told["current"]["version"] == told["version"] == 1
    assert client.delete("/api/corpus/2/correction", params={"version": 7}).json()["version"] == 1
    client.delete("/api/corpus/2/correction", params={"version": 1})
    told = put(client, 2, [], version=1).json()
    assert told["current"] is None
    assert (
        told["error"]
        == "line 2 has version 2, not 1: its correction was taken back; load it again, then save"
    )
    assert (
        put(client, 1, [], version=5).json()["error"]
        == "line 1 has version 0, not 5: it is not corrected; load it again, then save"
    )


def test_without_gold_the_correction_tells_the_error(file: Path) -> None:
    with asking(make_corpus(file, gold=False)) as client:
        put(client, 2, [[0, 0, "S"], [1, 1, "S"]])
        assert client.get("/api/corpus/2").json()["aer"] == {"first": 0.3333, "second": 0.0}
        item = client.get("/api/corpus", params={"show": "corrected"}).json()["items"][0]
        assert (item["aer"], item["corrected"]) == (0.3333, True)
        assert client.get("/api/corpus/1").json()["aer"] is None


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (
            [[2, 0, "S"]],
            "link 2-0 is outside of line 2, which has 2 source and 2 target words, counted from 0",
        ),
        ([[0, 2, "P"]], "link 0-2 is outside of line 2"),
        ([[0, 0, "S"], [0, 0, "P"]], "link 0-0 is there twice: send each once, sure or possible"),
        ([[0, 0, "X"]], "links.0.2: input should be 'S' or 'P'"),
        ([[-1, 0, "S"]], "links.0.0: input should be greater than or equal to 0"),
        ([[True, 0, "S"]], "links.0.0: input should be a valid integer"),
        ([[0.5, 0, "S"]], "links.0.0: input should be a valid integer"),
        ([["0", 0, "S"]], "links.0.0: input should be a valid integer"),
        ([[0, 0]], "links.0.2: field required"),
        ([[10**30, 0, "S"]], "links.0.0: "),
        (None, "links: input should be a valid list"),
    ],
)
def test_what_is_no_link_is_refused(client: Client, file: Path, links: Any, message: str) -> None:
    answer = put(client, 2, links)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(message)
    assert not file.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"links": []}, 422),
        ({"links": [], "version": "0"}, 422),
        ({"links": [], "version": -1}, 422),
        ({"links": [], "version": 0, "name": "Ann"}, 422),
        ({"links": [], "version": 0, "by": "x" * 101}, 422),
        ({"links": [], "version": 0, "by": "a\0b"}, 422),
        ({"links": [], "version": 0, "by": None}, 422),
        ([], 422),
        (b"{", 400),
        (b'{"links": [], "version": 0, "by": "\\ud800"}', 422),
        (b"\xff", 400),
    ],
)
def test_other_bodies_are_refused(client: Client, body: Any, status: int) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    answer = client.put("/api/corpus/2/correction", content=content, headers=headers)
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize("line", ["0", "7", "-1", "9" * 25, "9" * 5000])
def test_there_are_no_other_lines(client: Client, line: str) -> None:
    for answer in (
        client.get(f"/api/corpus/{line}"),
        client.put(f"/api/corpus/{line}/correction", json={"links": [], "version": 0}),
        client.delete(f"/api/corpus/{line}/correction?version=0"),
    ):
        assert answer.status_code == (404 if len(line) < 1000 else 422)
    assert client.get("/api/corpus/7").json()["error"] == "there is no line 7: lines go from 1 to 6"
    assert client.get("/api/corpus/x").status_code == 422


def test_only_a_correction_is_taken_back(client: Client) -> None:
    answer = client.delete("/api/corpus/1/correction?version=0")
    assert answer.status_code == 404
    assert answer.json()["error"] == "line 1 is not corrected: there is nothing to take back"
    assert client.delete("/api/corpus/1/correction").status_code == 422


@pytest.mark.parametrize(
    "query",
    [
        "order=first",
        "limit=501",
        "limit=-1",
        "offset=-1",
        "offset=x",
        "min_score=nan",
        "min_words=-1",
        "max_words=1e40",
        "show=none",
        "colour=red",
        "word=" + "x" * 1001,
    ],
)
def test_other_queries_are_refused(reader: Client, query: str) -> None:
    answer = reader.get(f"/api/corpus?{query}")
    assert answer.status_code == 422
    assert answer.json()["field"].startswith("query." + query.split("=")[0])


def test_nothing_is_saved_where_there_is_no_file(reader: Client) -> None:
    assert reader.get("/api/info").json()["corpus"]["writable"] is False
    answer = put(reader, 1, [])
    assert answer.status_code == 403
    assert answer.json()["error"] == "corrections cannot be saved here: start with --corrections FILE"


def test_writing_needs_the_token_and_reading_does_not(file: Path) -> None:
    with asking(make_corpus(file), token="secret") as client:
        assert put(client, 1, []).status_code == 401
        assert client.delete("/api/corpus/1/correction?version=0").status_code == 401
        assert client.get("/api/corpus/1").status_code == 200
        client.headers["Authorization"] = "Bearer secret"
        assert put(client, 1, []).status_code == 200


def test_a_full_disk_is_told_and_nothing_is_changed(
    client: Client, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(client, 1, [])
    before = file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        answer = put(client, 2, [])
    assert answer.status_code == 507
    assert answer.json()["error"] == f"cannot write {file}: No space left on device; nothing was saved"
    assert file.read_bytes() == before
    assert client.get("/api/corpus/2").json()["version"] == 0
    assert put(client, 2, []).status_code == 200


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("what", ["corrections", "all"])
def test_every_format_is_exported_and_read_again(client: Client, name: str, what: str) -> None:
    put(client, 2, [[0, 1, "S"], [1, 0, "P"]])
    put(client, 6, [])
    answer = client.get("/api/export", params={"what": what, "format": name})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="')
    links = read_links(io.BytesIO(answer.content), pairs=len(PAIRS), format=name)
    kept = [[pair[:2] for pair in rows] for rows in FIRST] if what == "all" else [[] for _ in FIRST]
    kept[1], kept[5] = [(0, 1), (1, 0)], []
    assert [[link[:2] for link in pair] for pair in links] == kept
    if name not in ("marian", "giza"):  # which know one kind of link
        assert [link.sure for link in links[1]] == [True, False]


def test_formats_are_those_that_can_be_written() -> None:
    assert FormatName.__args__ == FORMATS


def test_many_pairs_are_exported_piece_by_piece(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FORMATS:
        whole = reader.get("/api/export", params={"what": "all", "format": name}).content
        with monkeypatch.context() as patch:
            patch.setattr("cepts.web.exporting.AT_ONCE", 2)
            assert reader.get("/api/export", params={"what": "all", "format": name}).content == whole


def test_what_xml_cannot_hold_is_refused_with_its_line() -> None:
    bitext = bitext_from_pairs([("a", "b"), ("a\x01", "b")], keep_text=True)
    with asking(Corpus(bitext, {"links": Links.from_pairs([[], []])})) as client:
        answer = client.get("/api/export", params={"format": "tmx"})
    assert answer.status_code == 422
    assert "line 2: character U+0001 cannot be written in XML" in answer.json()["error"]


values = st.one_of(
    st.integers(-3, 10**40).map(str),
    st.floats().map(str),
    st.text(max_size=8),
    st.just(""),
    st.just("x" * 2000),
)
queries = st.dictionaries(
    st.sampled_from(
        [
            "order",
            "word",
            "min_score",
            "max_score",
            "min_words",
            "max_words",
            "show",
            "offset",
            "limit",
            "other",
        ]
    ),
    st.one_of(values, st.sampled_from(["worst", "best", "longest", "corrected", "different", "le chat"])),
    max_size=5,
)


@given(queries)
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_is_a_failure_of_ours(reader: Client, query: dict[str, str]) -> None:
    answer = reader.get("/api/corpus", params=query)
    assert answer.status_code in (200, 422)
    assert "items" in answer.json() or answer.json()["error"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
places = st.integers(-1, 3)
bodies = st.dictionaries(
    st.sampled_from(["links", "version", "by", "x"]),
    anything | st.lists(st.tuples(places, places, st.sampled_from(["S", "P", "s"])), max_size=4),
    max_size=4,
)


@given(bodies, st.integers(-1, 8))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_correction_is_a_failure_of_ours(client: Client, body: dict[str, Any], line: int) -> None:
    answer = client.put(f"/api/corpus/{line}/correction", content=json.dumps(body))
    assert answer.status_code in (200, 404, 409, 422)


def test_text_that_was_read_from_a_file_is_shown_as_it_stands(tmp_path: Path) -> None:
    """Entities are letters, and markup within a word is no word of its own."""
    path = tmp_path / "a.tmx"
    path.write_text(
        '<tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>Fish &amp; <b>Chips</b></seg></tuv>'
        '<tuv xml:lang="de"><seg>Fisch</seg></tuv></tu></body></tmx>',
        encoding="utf-8",
    )
    bitext = read_bitext(path, keep_text="decoded")
    with asking(Corpus(bitext, {"links": Links.from_pairs([[(0, 0)]])})) as client:
        assert client.get("/api/corpus/1").json()["source_words"] == ["Fish", "&", "Chips"]


def test_whole_numbers_may_have_a_point(client: Client) -> None:
    body = json.dumps({"links": [[0.0, 1.0, "S"]], "version": 0.0})
    answer = client.put(
        "/api/corpus/1/correction", content=body, headers={"content-type": "application/json"}
    )
    assert (answer.status_code, answer.json()["version"]) == (200, 1)
    assert client.get("/api/corpus/1").json()["correction"]["links"] == [[0, 1, "S"]]
