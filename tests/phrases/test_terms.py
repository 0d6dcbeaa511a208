"""Terms: against the slow twin, by law, by hand."""

import json
from collections import Counter
from io import StringIO
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs, read_bitext
from cepts.corpus.bitext import side_from_tokens
from cepts.errors import InputError, OptionError
from cepts.links import Links
from cepts.phrases import Term, extract_terms, split_tags, without_capitals, write_terms
from cepts.phrases.function_words import find_border, function_words
from cepts.phrases.term_pairs import Half, pair_terms
from cepts.phrases.term_phrases import number_phrases
from cepts.phrases.term_scores import at_borders, likelihood_ratio, score_terms
from cepts.phrases.term_text import term_side
from cepts.phrases.terms import _content
from tests.reference import terms as reference

WORDS = st.sampled_from(["aa", "bb", "cc", "d", ".", ","])


@st.composite
def texts(draw):
    """Draw sentence pairs of few words, with links."""
    text = []
    for _ in range(draw(st.integers(1, 6))):
        sources, targets = (draw(st.lists(WORDS, max_size=5)) for _ in range(2))
        cells = st.tuples(st.integers(0, max(len(sources) - 1, 0)), st.integers(0, max(len(targets) - 1, 0)))
        links = draw(st.sets(cells, max_size=5)) if sources and targets else set()
        text.append((sources, targets, frozenset(links)))
    return text


def bitext_of(text):
    return bitext_from_pairs([(" ".join(pair[0]), " ".join(pair[1])) for pair in text], keep_case=True)


def links_of(text):
    return Links.from_pairs([sorted(pair[2]) for pair in text])


def phrase(half, number):
    begin = half.phrases.places[number]
    return tuple(half.side.words[k] for k in half.side.ids[begin : begin + half.phrases.length[number]])


def random_text(random, segments):
    """Draw sentence pairs whose words are mostly linked with themselves: many terms come again."""
    text = []
    for _ in range(segments):
        sources = random.choices(
            ["aa", "bb", "cc", "d", "ee", "."], weights=[3, 3, 3, 3, 3, 1], k=random.randint(0, 6)
        )
        targets = [word for word in sources if random.random() < 0.9]
        random.shuffle(targets) if random.random() < 0.3 else None
        links = {(i, j) for i, word in enumerate(sources) for j, other in enumerate(targets) if word == other}
        text.append((sources, targets, frozenset(link for link in links if random.random() < 0.9)))
    return text


@given(texts(), st.sets(st.sampled_from(["aa", "bb"])))
@settings(max_examples=30)
def test_pairs_and_scores_are_those_of_the_slow_twin(text, function):
    check_twin(text, function)


@pytest.mark.parametrize("number", range(8))
def test_pairs_and_scores_of_longer_texts(number, seed):
    check_twin(random_text(Random(seed + number), 12), {"ee"})


def check_twin(text, function):
    bitext, most, borders = bitext_of(text), (3, 4), ("last", "first")
    halves = []
    for side, longest, border in zip((bitext.source, bitext.target), most, borders, strict=True):
        looked = term_side(side)
        object.__setattr__(looked, "border", border)
        looked = _content(looked, np.array([word in function for word in looked.words], np.bool_))
        halves.append(Half(looked, number_phrases(looked, longest), longest))
    pairs = pair_terms(*halves, links_of(text))
    scores = score_terms(*halves, pairs, len(text)).score
    found = {
        (phrase(halves[0], pairs.source[k]), phrase(halves[1], pairs.target[k])): (
            pairs.count[k],
            pairs.whole[k],
            pytest.approx(scores[k]),
        )
        for k in range(len(pairs.source))
    }
    assert found == reference.terms(text, (function, function), most, borders)


@given(texts(), st.integers(1, 3), st.integers(1, 2))
def test_laws_of_a_list(text, min_count, variants):
    found = extract_terms(
        bitext_of(text), links_of(text), min_count=min_count, variants=variants, min_score=0
    )
    for term in found:
        sides = term.source.split(), term.target.split()
        having = [
            k for k, pair in enumerate(text) if all(reference_has(pair[side], sides[side]) for side in (0, 1))
        ]
        assert min_count <= term.count <= len(having)
        assert term.pair in having
        assert term.example == tuple(" ".join(side) for side in text[term.pair][:2])
        assert not {".", ","} & {*sides[0], *sides[1]}
    scores = [term.score for term in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert max(Counter(term.source for term in found).values(), default=0) <= variants
    assert len({(term.source, term.target) for term in found}) == len(found)


def reference_has(words, phrase):
    return any(words[k : k + len(phrase)] == phrase for k in range(len(words)))


def test_a_law_on_the_sample_too(sample):
    bitext, links = sample
    found = extract_terms(bitext, links)
    lines = [
        [" ".join(side.sentence(k)).lower() for k in range(len(bitext))]
        for side in (bitext.source, bitext.target)
    ]
    for term in found:
        having = [
            k
            for k in range(len(bitext))
            if f" {term.source.lower()} " in f" {lines[0][k]} "
            and f" {term.target.lower()} " in f" {lines[1][k]} "
        ]
        assert term.count <= len(having)
    best = {term.source.lower(): term.target.lower() for term in found}
    assert best["maison"] == "house"
    assert not {"la", "le", "de", "est"} & set(best)
    assert extract_terms(bitext, links, limit=3) == found[:3]


@pytest.fixture(scope="module")
def sample():
    """The sample, with capitals, and its links."""
    import cepts

    source, target, _ = cepts.sample()
    bitext = cepts.read_bitext(source, target, keep_case=True)
    text = without_capitals(bitext)
    return bitext, cepts.Aligner().fit(text).align(text)


def test_function_words_of_the_sample(sample):
    bitext, links = sample
    sides = term_side(bitext.source), term_side(bitext.target)
    assert [find_border(side) for side in sides] == ["last", "last"]
    found = [
        {side.words[k] for k in np.flatnonzero(marks)}
        for side, marks in zip(sides, function_words(*sides, links), strict=True)
    ]
    assert {"la", "le", "de", "un"} <= found[0]
    assert {"the", "a", "is", "to"} <= found[1]
    assert not {"maison", "chat", "école"} & found[0]
    assert not {"house", "cat", "school"} & found[1]


def listed(pairs, links, tokenize=False, **options):
    bitext = bitext_from_pairs(pairs, keep_case=True, tokenize=tokenize)
    return extract_terms(bitext, Links.from_pairs(links), **options)


def test_a_whole_message_is_a_term_though_it_occurs_once_and_has_no_links():
    (term,) = listed([("File name", "Nom de fichier"), ("Save it .", "Enregistrez .")], [[], []])
    assert (term.source, term.target, term.count, term.pair) == ("File name", "Nom de fichier", 1, 0)
    # Dice's coefficient 2 / (1 + 1 + 1); the only pair is the strongest; a whole segment and in no longer term.
    assert term.score == pytest.approx(2 / 3)
    assert term.example == ("File name", "Nom de fichier")
    assert listed([("File name", "Nom de fichier")], [[]], min_count=2) == []


def test_a_sentence_is_no_term_but_what_it_says_again_is():
    pairs = [("Red house .", "Maison rouge .")] * 2
    links = [[(0, 1), (1, 0), (2, 2)]] * 2
    assert listed(pairs[:1], links[:1]) == []
    (term,) = listed(pairs, links)
    assert (term.source, term.target, term.count) == ("Red house", "Maison rouge", 2)


def test_the_shorter_terms_stay_where_they_stand_alone_too():
    pairs = [("Red house .", "Maison rouge .")] * 2 + [("House .", "Maison .")] * 2
    links = [[(0, 1), (1, 0), (2, 2)]] * 2 + [[(0, 0), (1, 1)]] * 2
    found = {term.source.lower(): term for term in listed(pairs, links)}
    assert set(found) == {"red house", "house"}
    # house: in 4 segments, in 2 of them within red house. Dice 8 / 9; it is the most frequent, so the strongest. Single
    # words on both sides count 0.8.
    assert found["house"].score == pytest.approx(8 / 9 * 0.5 * 0.8)


def test_the_example_says_more_than_the_term_and_is_the_shortest():
    pairs = [
        ("File name", "Nom de fichier"),
        ("The long file name here", "Le long nom de fichier ici"),
        ("New file name", "Nouveau nom de fichier"),
    ]
    links = [[(0, 2), (1, 0)], [(0, 0), (1, 1), (2, 4), (3, 2), (4, 5)], [(0, 0), (1, 3), (2, 1)]]
    term = listed(pairs, links)[0]
    assert (term.source, term.target, term.count, term.pair) == ("file name", "nom de fichier", 3, 2)
    assert term.example == ("New file name", "Nouveau nom de fichier")


def test_capitals_are_those_that_are_most_frequent():
    pairs = [("SQL", "SQL"), ("sql", "SQL"), ("SQL", "SQL")]
    (term,) = listed(pairs, [[(0, 0)]] * 3)
    assert (term.source, term.target, term.count) == ("SQL", "SQL", 3)


def test_no_duplicates_that_differ_in_marks_alone():
    pairs = [("e-mail", "courriel"), ("e-mail", "courriel"), ("email", "courriel"), ("E mail", "courriel")]
    assert [term.source for term in listed(pairs, [[]] * 4, tokenize=True)] == ["e-mail"]


@pytest.mark.parametrize(
    "text", ["%(name)s", "%s", "{name}", "${user}", "<b>", "&amp;", "42", "...", "3.5 %", "%1$s"]
)
def test_placeholders_markup_numbers_and_marks_are_no_terms(text):
    assert listed([(text, text)] * 3, [[(0, 0)]] * 3) == []
    assert listed([(text, text)] * 3, [[]] * 3, tokenize=True) == []


def test_a_term_does_not_go_on_over_a_placeholder():
    found = listed(
        [("Add %(name)s user", "Ajouter %(name)s utilisateur")] * 3, [[(0, 0), (1, 1), (2, 2)]] * 3
    )
    assert {term.source for term in found} == {"Add", "user"}
    tokens = [(k, k) for k in range(7)]
    found = listed([("Add %(name)s user", "Ajouter %(name)s utilisateur")] * 3, [tokens] * 3, tokenize=True)
    assert {term.source for term in found} == {"Add", "user"}


@pytest.fixture
def read(tmp_path):
    """Return a function that reads pairs from a file, where markup can be left out."""

    def read(pairs, markup):
        path = tmp_path / "pairs"
        path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
        return read_bitext(path, tokenize=True, keep_case=True, keep_text=True, markup=markup)

    return read


@pytest.mark.parametrize("markup", ["keep", "strip"])
def test_a_segment_with_a_placeholder_at_its_end_is_not_whole(read, markup):
    pairs = [("Delete %s", "Supprimer %s"), ("{count} hours", "{count} heures"), ("Save", "Enregistrer")]
    found = extract_terms(read(pairs, markup), Links.from_pairs([[], [], []]))
    assert [term.source for term in found] == ["Save"]


@pytest.mark.parametrize("markup", ["keep", "strip"])
@pytest.mark.parametrize(
    ("text", "share"), [("{} at least .", 1.0), ("At least {} .", 0.5), ("at least {}", 0.5)]
)
def test_a_placeholder_is_no_border_whether_it_was_left_out_or_not(read, markup, text, share):
    side = term_side(read([(text, text)] * 5, markup).source)
    phrases = number_phrases(side, 1)
    place = side.ids.tolist().index(side.words.index("least"))
    assert at_borders(phrases)[phrases.numbers[0][place]] == share  # 1 / (0.2 * 5 + 1) where there is none


def test_examples_are_what_was_read(read):
    bitext = read([("Delete <b>all files</b>", "Supprimer <b>tous les fichiers</b>")] * 2, "strip")
    links = Links.from_pairs([[(0, 0), (1, 1), (2, 3)]] * 2)
    found = {term.source: term.example for term in extract_terms(bitext, links)}
    assert found["all files"] == ("Delete <b>all files</b>", "Supprimer <b>tous les fichiers</b>")


def test_a_hyphen_within_a_word_stays_and_is_written_as_it_stands():
    pairs = [("e-mail address", "adresse e-mail")] * 2
    links = [[(0, 1), (1, 2), (2, 3), (3, 0)]] * 2
    assert [(term.source, term.target) for term in listed(pairs, links, tokenize=True)] == [
        ("e-mail address", "adresse e-mail")
    ]


def test_variants_and_the_best_target():
    pairs = [("Save", "Enregistrer")] * 3 + [("Save", "Sauver")] * 2
    assert [term.target for term in listed(pairs, [[]] * 5)] == ["Enregistrer"]
    assert [term.target for term in listed(pairs, [[]] * 5, variants=2)] == ["Enregistrer", "Sauver"]


def test_longest_terms():
    pairs = [("one two three", "un deux trois")]
    assert listed(pairs, [[]], max_words=2) == []
    assert [term.source for term in listed(pairs, [[]], max_words=3)] == ["one two three"]


def test_tags_make_noun_phrases():
    source = side_from_tokens([["They_PRON", "close_VERB", "red_ADJ", "houses_NOUN"]] * 2)
    target = side_from_tokens([["Ils", "ferment", "maisons", "rouges"]] * 2)
    tagged = split_tags(source)
    bitext = type(bitext_from_pairs([]))(tagged.side, target)
    links = Links.from_pairs([[(0, 0), (1, 1), (2, 3), (3, 2)]] * 2)
    found = extract_terms(bitext, links, source_tags=tagged)
    assert [(term.source, term.target) for term in found] == [("red houses", "maisons rouges")]
    untagged = extract_terms(bitext, links)
    assert [(term.source, term.target) for term in untagged] == [
        ("They close red houses", "Ils ferment maisons rouges")
    ]


def test_a_word_without_a_tag_is_refused():
    side = side_from_tokens([["a_DT"], ["house"]])
    with pytest.raises(
        InputError, match=r"^text, line 2: 'house' has no tag, expected word_TAG such as house_NOUN;"
    ):
        split_tags(side)
    with pytest.raises(InputError, match="'_NN' has no tag"):
        split_tags(side_from_tokens([["_NN"]]))


def test_nothing_gives_nothing():
    assert listed([], []) == []
    assert listed([("", ""), ("a", "")], [[], []]) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_count": 0}, "min_count=0: expected a number from 1 to 1000000000"),
        ({"max_words": 0}, "max_words=0: expected a number from 1 to 100"),
        ({"variants": 0}, "variants=0: expected a number from 1 to 1000"),
        ({"limit": -1}, "limit=-1: expected a number from 1 to 1000000000"),
        ({"min_score": 2}, "min_score=2: expected a number from 0 to 1"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(OptionError, match=f"^{message}$"):
        listed([("a", "b")], [[]], **options)


def test_links_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="link 3-0"):
        listed([("a", "b")], [[(3, 0)]])


def test_the_likelihood_ratio_by_hand():
    # Both words in the same 10 of 100 segments: 2 (10 ln 10 + 90 ln (100 / 90)).
    found = likelihood_ratio(np.array([10, 0]), np.array([10, 10]), np.array([10, 10]), 100)
    assert found[0] == pytest.approx(2 * (10 * np.log(10) + 90 * np.log(100 / 90)))
    assert found[1] == 0


TERM = Term("a\tb & <c>", "d \x0c\n e", 0.51239, 7, 3, ("x\ty", "z"))


def written(kind, *languages):
    stream = StringIO()
    write_terms([TERM], stream, kind, languages or (None, None))
    return stream.getvalue()


def test_tables():
    assert written("tsv") == "a b & <c>\td e\t0.5124\t7\tx y ||| z\n"
    assert written("csv") == "source,target,score,count,example\na b & <c>,d e,0.5124,7,x y ||| z\n"


def test_json():
    (row,) = json.loads(written("json"))
    example = {"source": "x\ty", "target": "z"}
    assert row == {
        "source": TERM.source,
        "target": TERM.target,
        "score": 0.5124,
        "count": 7,
        "example": example,
    }


def test_tbx_is_xml_with_languages():
    space = "{urn:iso:std:iso:30042:ed-2}"
    language = "{http://www.w3.org/XML/1998/namespace}lang"
    tree = ElementTree.fromstring(written("tbx", "en", None).encode())
    assert (tree.tag, tree.get("type"), tree.get(language)) == (f"{space}tbx", "TBX-Basic", "en")
    sections = tree.findall(f".//{space}conceptEntry/{space}langSec")
    assert [section.get(language) for section in sections] == ["en", "x-target"]
    assert [term.text for term in tree.iter(f"{space}term")] == ["a\tb & <c>", "d \ufffd\n e"]
    assert [context.text for context in tree.iter(f"{space}descrip")] == ["x\ty", "z"]
    assert "score 0.5124, count 7" in [note.text for note in tree.iter(f"{space}note")]
