"""Validating: each kind of problem with its line, and nothing where nothing is wrong."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cepts
from cepts.corpus import bitext_from_pairs
from cepts.links import FORMATS, Links, Problem, read_links, validate_links, write_links
from tests.links.texts import linked


def validated(text, bitext=None, **options):
    return validate_links(io.StringIO(text), bitext, **options)


def problems(text, bitext=None, **options):
    return [tuple(problem) for problem in validated(text, bitext, **options).problems]


TEXT = bitext_from_pairs([("a b c", "u v"), ("d", "x y z"), ("", "")])


def test_nothing_is_wrong():
    result = validated("0-0 2-1\n0-2\n\n", TEXT)
    assert result.valid
    assert tuple(result) == ("links", "pharaoh", 3, 3, [], {})
    assert validated("0-0 5-5\n").valid, "without the text nobody knows"
    assert validated("").valid


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=10)
@given(corpus=linked())
def test_what_we_write_is_valid(name, corpus):
    source, target, pairs = corpus
    stream = io.StringIO()
    write_links(Links.from_pairs(pairs), stream, name, texts=(source, target))
    bitext = bitext_from_pairs(zip(source, target, strict=True))
    result = validated(stream.getvalue(), bitext, format=name)
    assert (result.problems, result.links) == ([], sum(map(len, pairs)))


LINE = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=5)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), LINE), min_size=1, max_size=4))
def test_exactly_what_is_outside_and_twice_is_listed(corpus):
    bitext = bitext_from_pairs([("s " * source, "t " * target) for source, target, _ in corpus])
    text = "".join(" ".join(f"{i}-{j}" for i, j in line) + "\n" for _, _, line in corpus)
    found = validated(text, bitext, limit=100)
    outside, twice = [], []
    for k, (source, target, line) in enumerate(corpus, 1):
        outside += [(k, f"{i}-{j}") for i, j in line if i >= source or j >= target]
        twice += [(k, f"{i}-{j}") for i, j in {link for link in line if line.count(link) > 1}]
    listed = {
        kind: [(p.line, p.message.split()[1]) for p in found.problems if p.kind == kind]
        for kind in ("range", "duplicate")
    }
    assert listed["range"] == outside
    assert sorted(listed["duplicate"]) == sorted(twice)
    assert found.counts.get("range", 0) == len(outside)
    assert found.valid == (not outside and not twice)


def test_every_bad_line_is_listed():
    assert problems("0-0\nhello 1-1\n1-1\n3\t1-1\n", bitext_from_pairs([("a b", "c d")] * 4)) == [
        ("format", 2, "'hello' is not a link, expected i-j (sure), i?j (possible) or i-j:confidence"),
        (
            "format",
            4,
            "score '1-1' is not a number, expected the pair's score after a TAB or |||; separate links by spaces",
        ),
    ]


def test_counts():
    assert problems("0-0\n", TEXT) == [
        ("count", None, "links of 1 pairs, but the text has 3: the file ends too early")
    ]
    assert problems("\n" * 4, TEXT) == [
        ("count", None, "links of 4 pairs, but the text has 3: the file goes on behind it")
    ]
    # Behind the end of the text nothing is compared, but what is twice there is seen.
    assert problems("\n\n\n7-7 7-7\n", TEXT)[1:] == [("duplicate", 4, "link 7-7 stands there more than once")]
    assert validated("1 1 1\n", TEXT).valid, "a NAACL file does not say how many pairs there are"
    assert problems("1 1 1\n4 1 1\n", TEXT) == [
        (
            "format",
            2,
            "sentence 4, expected at most 3, the number of sentence pairs; are these links for another text?",
        )
    ]


def test_links_are_shown_as_their_file_counts():
    assert problems("1 4 1\n1 1 1\n", TEXT) == [
        ("range", 1, "link 4-1 (from 1) is outside of its pair, which has 3 source and 2 target words")
    ]


def test_a_limit_for_each_kind():
    result = validated("0-0 0-0 1-1 1-1 2-2 2-2\n" + "x\n" * 3, limit=2)
    assert [problem.kind for problem in result.problems] == ["format", "format", "duplicate", "duplicate"]
    assert result.counts == {"format": 3, "duplicate": 3}
    text = bitext_from_pairs([("a", "b")])
    assert validated("3-3 4-4 5-5\n", text, limit=1).counts == {"range": 3}


@pytest.mark.parametrize(
    ("links", "kind", "message"),
    [
        ("0-2\n0-0\n\n", "direction", "turned round all links fit: source and target are swapped"),
        ("3-2\n1-3\n\n", "base", "one lower all links fit: they count from 1, expected from 0"),
        (
            "2-3\n3-1\n\n",
            "direction",
            "turned round and one lower all links fit: source and target are swapped, and count from 1",
        ),
    ],
)
def test_mixups_that_the_range_shows(links, kind, message):
    found = problems(links, TEXT)
    assert found[0][0] == "range"
    assert found[-1] == (kind, found[0][1], message)


@pytest.fixture(scope="module")
def sample():
    """A text with gold links."""
    gold = read_links(cepts.sample().gold)
    return cepts.sample_bitext().part(0, len(gold)), gold


def pharaoh(pairs):
    return "".join(" ".join(f"{i}-{j}" for i, j in pair) + "\n" for pair in pairs)


def test_mixups_are_seen_by_equal_words():
    # Two sentences of five words each way: nothing is outside, whichever way one reads it.
    bitext = bitext_from_pairs([("a 1 b c .", "1 u v w .")] * 20)
    right = [(1, 0), (2, 1)]
    assert validated(pharaoh([right] * 20), bitext).valid
    turned = validated(pharaoh([[(j, i) for i, j in right]] * 20), bitext)
    assert turned.problems == [
        Problem(
            "direction",
            1,
            "source and target look swapped: turned round, 20 of them would join equal words, as they stand 0 do",
        )
    ]
    higher = validated(pharaoh([[(i + 1, j + 1) for i, j in right]] * 20), bitext)
    assert higher.problems == [
        Problem(
            "base",
            1,
            "links look 1-based: shifted down by one, 20 of them would join equal words, as they stand 0 do",
        )
    ]


def test_gold_is_valid_and_mixups_of_it_are_not(sample):
    bitext, gold = sample
    assert validate_links(cepts.sample().gold, bitext).valid
    pairs = [[link[:2] for link in pair] for pair in gold]
    swapped = validated(pharaoh([[(j, i) for i, j in pair] for pair in pairs]), bitext)
    assert "direction" in swapped.counts
    shifted = validated(pharaoh([[(i + 1, j + 1) for i, j in pair] for pair in pairs]), bitext)
    assert "base" in shifted.counts


def test_positions_that_never_are_0():
    assert validated("1-1 2-2\n" * 19).valid, "too few to know"
    assert problems("1-1 2-2\n" * 20) == [
        (
            "base",
            1,
            "no first word is linked in any of 20 pairs: links look 1-based, expected positions from 0",
        )
    ]
    assert validated("1-1 2-2\n" * 20, format="talp").valid
    assert validated("0-1 2-2\n" + "1-1\n" * 20).valid


def test_positions_from_0_in_a_format_from_1():
    bitext = bitext_from_pairs([("a b c", "x y z")] * 20)
    assert problems("0-0 2-2\n" * 20, bitext, format="talp") == [
        (
            "base",
            1,
            "0 stands for NULL here, and no last word is linked: links look 0-based, expected from 1",
        )
    ]
    assert validated("0-0 2-2 3-3\n" * 20, bitext, format="talp").valid
