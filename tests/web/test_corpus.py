"""`Corpus`: queries find what a slow, obvious search finds; files are opened, and refused where they do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cepts
from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, OptionError
from cepts.links import Links, write_links
from cepts.web.browsing import ORDERS, SHOWN, Wanted
from cepts.web.corpus import LONGEST_SHOWN, Corpus
from cepts.web.corpus_schemas import CorpusQuestion
from tests.reference.corpus import Pair, found
from tests.web.corpora import FIRST, SECOND
from tests.web.pairs import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from cepts.aligning import Aligner

WORDS = ["a", "A", "b", "c", "Straße", "ΟΔΟΣ"]
sentences = st.lists(st.sampled_from(WORDS), max_size=4)


@st.composite
def links_of(draw: Any, source: list[str], target: list[str]) -> list[tuple[int, int, float, bool]]:
    """Draw some links of a pair, sure and possible ones."""
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    chosen = draw(st.lists(st.sampled_from(cells), unique=True, max_size=4)) if cells else []
    return [(i, j, 1.0, draw(st.booleans())) for i, j in sorted(chosen)]


@st.composite
def corpora(draw: Any) -> tuple[Corpus, list[Pair]]:
    """Draw a corpus, and the same as a list of pairs."""
    texts = draw(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=7))
    two, gold, scored = (draw(st.booleans()) for _ in range(3))
    rows = [[draw(links_of(*text)) for text in texts] for _ in range(3)]
    scores = draw(
        st.lists(st.sampled_from([-1.0, -2.0, -2.5, float("nan")]), min_size=len(texts), max_size=len(texts))
    )
    bitext = bitext_from_pairs(
        [(" ".join(source), " ".join(target)) for source, target in texts],
        keep_text=True,
        keep_case=draw(st.booleans()),
    )
    alignments = {"first": Links.from_pairs(rows[0])} | ({"second": Links.from_pairs(rows[1])} if two else {})
    right = Links.from_pairs(rows[2]) if gold else None
    corpus = Corpus(bitext, alignments, right, np.array(scores) if scored else None)
    pairs = [
        Pair(
            k + 1,
            *text,
            {row[:2] for row in rows[0][k]},
            {row[:2] for row in rows[1][k]} if two else None,
            {row[:2] for row in rows[2][k] if row[3] and gold},
            {row[:2] for row in rows[2][k] if gold},
            scores[k] if scored else None,
            False,
        )
        for k, text in enumerate(texts)
    ]
    return corpus, pairs


queries = st.fixed_dictionaries(
    {},
    optional={
        "word": st.lists(st.sampled_from([*WORDS, "ß", "x", "οδος"]), max_size=2).map(" ".join),
        "min_score": st.sampled_from([-2.5, -2.0, 0.0]),
        "max_score": st.sampled_from([-2.5, -2.0, 0.0]),
        "min_words": st.integers(0, 4),
        "max_words": st.integers(0, 4),
        "show": st.sampled_from(SHOWN),
    },
)


@settings(max_examples=40)
@given(corpora(), queries, st.sampled_from(ORDERS), st.integers(0, 8), st.integers(0, 8))
def test_queries_find_what_a_slow_search_finds(
    drawn: tuple[Corpus, list[Pair]], query: dict[str, Any], order: str, offset: int, limit: int
) -> None:
    corpus, pairs = drawn
    right = found(pairs, order, **query)
    answer = corpus.find(order, Wanted(**query), offset, limit)
    assert answer.matching == len(right)
    assert [item["line"] for item in answer.items] == right[offset : offset + limit]


@settings(max_examples=20)
@given(corpora())
def test_lists_and_pairs_show_the_same(drawn: tuple[Corpus, list[Pair]]) -> None:
    corpus, pairs = drawn
    items = corpus.find("line", Wanted(), 0, 100).items
    for item, pair in zip(items, pairs, strict=True):
        shown = corpus.pair(pair.line)
        assert item["aer"] == (None if pair.error is None else round(pair.error, 4))
        assert item["aer"] == (None if shown["aer"] is None else shown["aer"]["first"])
        assert item["different"] == pair.different
        assert item["links"] == len(shown["alignments"]["first"]) == len(pair.links)
        assert (shown["source_words"], shown["target_words"]) == (pair.source, pair.target)
        assert item["source"].split() == pair.source
        assert item["score"] == shown["score"]


@settings(max_examples=20)
@given(corpora())
def test_worst_first_is_sorted(drawn: tuple[Corpus, list[Pair]]) -> None:
    corpus, pairs = drawn
    items = corpus.find("worst", Wanted(), 0, 100).items
    assert sorted(item["line"] for item in items) == [pair.line for pair in pairs]
    errors = [item["aer"] for item in items if item["aer"] is not None]
    assert errors == sorted(errors, reverse=True)
    if corpus.gold is None:
        scores = [item["score"] for item in items if item["score"] is not None]
        assert scores == sorted(scores)


def test_queries_take_what_the_table_takes() -> None:
    fields = CorpusQuestion.model_json_schema()["properties"]
    assert tuple(fields["order"]["enum"]) == ORDERS
    assert tuple(fields["show"]["enum"]) == SHOWN
    assert set(Wanted._fields) | {"order", "offset", "limit"} == set(fields)


def test_very_long_lines_are_cut_in_lists_alone() -> None:
    line = "word " * LONGEST_SHOWN
    corpus = Corpus(bitext_from_pairs([(line, "x")], keep_text=True), {"links": Links.from_pairs([[]])})
    assert corpus.find("line", Wanted(), 0, 1).items[0]["source"] == line[:LONGEST_SHOWN] + "…"
    assert len(corpus.pair(1)["source_words"]) == LONGEST_SHOWN


def test_what_is_looked_for_is_cut_as_the_text_is() -> None:
    pairs = [("L'eau, ici", "我们喝水"), ("eau", "L' x"), ("L' arbre", "树")]
    bitext = bitext_from_pairs(pairs, tokenize=True, keep_text=True, segmenter="characters")
    corpus = Corpus(bitext, {"links": Links.from_pairs([[(1, 3)], [], []])})

    def lines(word: str) -> list[int]:
        return [item["line"] for item in corpus.find("line", Wanted(word=word), 0, 9).items]

    assert corpus.pair(1)["source_words"] == ["L'", "eau", ",", "ici"]
    assert corpus.pair(1)["target_words"] == ["我", "们", "喝", "水"]
    assert lines("l'EAU") == lines("l'eau,") == lines("喝水") == [1]  # all on one side
    assert lines("L'") == [1, 2, 3]
    assert lines("eau") == [1, 2]
    assert lines("树水") == []
    assert lines("\ud800") == []


class Files:
    """The pairs, and alignments of them, in files."""

    def __init__(self, folder: Path) -> None:
        self.source, self.target = folder / "text.fr", folder / "text.en"
        for path, lines in zip((self.source, self.target), zip(*PAIRS, strict=True), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self.links = []
        for name, rows in (("first.txt", FIRST), ("second.txt", SECOND)):
            path = folder / name
            with path.open("w", encoding="utf-8") as stream:
                write_links(Links.from_pairs(rows), stream)
            self.links.append(path)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    return cepts.Aligner("fast").fit(cepts.sample_bitext())


def test_files_are_opened_and_corrections_are_kept_beside_the_source(files: Files, aligner: Aligner) -> None:
    corpus = Corpus.open(files.source, files.target, aligner, links=files.links, gold=files.links[1])
    assert corpus.info() == {
        "pairs": 6,
        "gold": True,
        "alignments": ["first.txt", "second.txt"],
        "writable": True,
        "corrected": 0,
    }
    assert corpus.pair(6)["aer"] == {"first.txt": round(2 / 3, 4), "second.txt": 0.0}
    corpus.corrections.put(1, [], 0)
    corpus.close()
    assert files.source.with_name("text.fr.corrections.jsonl").exists()


def test_gold_may_be_of_the_first_pairs_alone(files: Files, aligner: Aligner) -> None:
    gold = files.source.with_name("gold")
    gold.write_text("0-0\n")
    corpus = Corpus.open(files.source, files.target, aligner, links=files.links, gold=gold)
    assert corpus.pair(1)["gold"] == [[0, 0, "S"]]
    assert [corpus.pair(line)["gold"] for line in range(2, 7)] == [None] * 5
    corpus.close()
    gold.write_text("0-0\n" * 7)
    with pytest.raises(InputError, match=r"gold: links of 7 pairs, but .*text\.fr has 6 pairs"):
        Corpus.open(files.source, files.target, aligner, links=files.links, gold=gold)


def test_without_links_the_model_makes_them(files: Files, aligner: Aligner) -> None:
    corpus = Corpus.open(files.source, files.target, aligner, corrections=files.source.with_name("own"))
    bitext = cepts.read_bitext(files.source, files.target)
    links = aligner.align(bitext)
    assert corpus.info()["alignments"] == ["model"]
    assert [corpus.main[k] for k in range(6)] == [links[k] for k in range(6)]
    corpus.corrections.put(1, [], 0)
    corpus.close()
    assert files.source.with_name("own").exists()


def test_a_model_of_raw_text_shows_words_between_spaces(files: Files) -> None:
    raw = bitext_from_pairs(
        [("Oui, le chat noir.", "Yes, the black cat."), ("Le chat.", "The cat.")], tokenize="auto"
    )
    aligner = cepts.Aligner("fast").fit(raw)
    files.source.write_text("Le chat, oui.\n")
    files.target.write_text("The cat, yes.\n")
    files.links[0].write_text("1-1 2-2\n")
    corpus = Corpus.open(files.source, files.target, aligner, links=files.links[:1], gold=files.links[0])
    assert corpus.pair(1)["source_words"] == ["Le", "chat,", "oui."]
    assert corpus.pair(1)["aer"] == {"first.txt": 0.0}
    corpus.close()
    corpus = Corpus.open(files.source, files.target, aligner)
    links = [link[:2] for link in corpus.pair(1)["alignments"]["model"]]
    assert [tuple(link) for link in links] == [
        link[:2] for link in aligner.align(("Le chat, oui.", "The cat, yes."))
    ]
    assert max(place for link in links for place in link) == 2
    assert corpus.pair(1)["score"] is not None
    corpus.close()


def test_scores_are_those_of_the_links_or_the_models(files: Files, aligner: Aligner) -> None:
    bitext = cepts.read_bitext(files.source, files.target)
    links = aligner.align(bitext)
    assert links.scores is not None
    np.testing.assert_array_equal(aligner.scores(bitext), links.scores)
    corpus = Corpus.open(files.source, files.target, aligner, links=files.links[:1])
    assert corpus.pair(4)["score"] == round(float(links.scores[3]), 4)
    assert corpus.pair(3)["score"] is None  # an empty side
    corpus.close()
    files.links[0].write_text("".join(f"\t{-k}\n" for k in range(6)))
    corpus = Corpus.open(files.source, files.target, aligner, links=files.links[:1])
    assert [corpus.pair(line)["score"] for line in range(1, 7)] == [0, -1, -2, -3, -4, -5]
    corpus.close()


def test_files_that_do_not_fit_are_refused(files: Files, aligner: Aligner) -> None:
    with pytest.raises(OptionError, match="--links: 3 alignments, expected at most 2 to compare"):
        Corpus.open(files.source, files.target, aligner, links=[files.links[0]] * 3)
    files.links[0].write_text("0-0\n")
    with pytest.raises(InputError, match=r"first\.txt: links of 1 pairs, but .*text\.fr has 6 pairs"):
        Corpus.open(files.source, files.target, aligner, links=files.links[:1])
    files.links[0].write_text("9-0\n" + "\n" * 5)
    with pytest.raises(InputError, match=r"first\.txt, line 1: link 9-0 \(from 0\) is outside of its pair"):
        Corpus.open(files.source, files.target, aligner, links=files.links[:1])
    with pytest.raises(InputError, match=r"first\.txt, line 1: link 9-0"):
        Corpus.open(files.source, files.target, aligner, links=files.links[1:], gold=files.links[0])
