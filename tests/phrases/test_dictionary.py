"""Dictionaries and the files of lexicons against slow twins, by hand, and at the edges."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, OptionError
from cepts.links import Links
from cepts.phrases.dictionary import Entry, dictionary, dictionary_of_tables
from cepts.phrases.lexical import lexical_tables, tables_of_model
from cepts.phrases.lexicon_files import write_dictionary, write_lexicon
from cepts.phrases.selection import Pruning
from tests.phrases.lexicons import LINKS, PAIRS, corpora, encoded, small_model
from tests.reference import lexical as reference

# By hand, from the counts of this example: la-the 2 of 3 links of "la" and 2 of 2 of "the", Dice 2 * 2 / (3 + 2);
# la-it 1 of 3 and 1 of 1, Dice 2 * 1 / (3 + 1).
TABLE = """\
source	target	count	p(target|source)	p(source|target)	score
la	the	2	0.666667	1.000000	0.800000
la	it	1	0.333333	1.000000	0.500000
maison	house	1	1.000000	1.000000	1.000000
"""
F2E = """\
big NULL 1.0000000
NULL fleur 1.0000000
the la 0.6666667
it la 0.3333333
house maison 1.0000000
"""
E2F = """\
fleur NULL 1.0000000
NULL big 1.0000000
maison house 1.0000000
la it 1.0000000
la the 1.0000000
"""


def example():
    """The text and the links of the example by hand."""
    return bitext_from_pairs(PAIRS), Links.from_pairs(LINKS)


def written(write, *arguments, **options):
    """Return what a writer writes; the stream comes last."""
    stream = io.StringIO()
    write(*arguments, stream, **options)
    return stream.getvalue()


def test_an_example_by_hand():
    assert list(dictionary(*example(), examples=3)) == [
        Entry("la", "the", 2, pytest.approx(2 / 3), 1.0, pytest.approx(0.8), (0, 1)),
        Entry("la", "it", 1, pytest.approx(1 / 3), 1.0, pytest.approx(0.5), (1,)),
        Entry("maison", "house", 1, 1.0, 1.0, 1.0, (0,)),
    ]


@given(
    corpora(),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.sampled_from([None, 1, 2]),
    st.integers(0, 3),
)
def test_equals_the_slow_twin(corpus, min_count, threshold, best, examples):
    sources, targets, links = corpus
    found = dictionary(
        encoded(sources, targets),
        Links.from_pairs(links),
        min_count=min_count,
        threshold=threshold,
        best=best,
        examples=examples,
    )
    # A threshold that falls on a score may go either way by the last digit: ask the twin for a hair less.
    expected = reference.dictionary(*corpus, min_count, threshold - 1e-12, best, examples)
    assert [(e.source, e.target, e.count, e.examples) for e in found] == [
        (*row[:3], row[6]) for row in expected
    ]
    numbers = [(e.target_given_source, e.source_given_target, e.score) for e in found]
    assert numbers == [pytest.approx(row[3:6]) for row in expected]


@given(corpora())
def test_a_score_is_dice_of_the_links(corpus):
    sources, targets, links = corpus
    counted = reference.counts(*corpus)
    for entry in dictionary(encoded(sources, targets), Links.from_pairs(links)):
        of_both = sum(
            count * ((source == entry.source) + (target == entry.target))
            for (source, target), count in counted.items()
        )
        assert entry.score == pytest.approx(2 * entry.count / of_both)


def test_entries_can_be_asked_for():
    found = dictionary(*example())
    assert found[-1] == found[2]
    assert found[0].examples == ()
    with pytest.raises(IndexError):
        found[3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_count": 0}, "min_count=0: expected a number from 1 to 1000000000"),
        ({"threshold": 1.5}, "threshold=1.5: expected a number from 0 to 1"),
        ({"threshold": float("nan")}, "threshold=nan: expected a number from 0 to 1"),
        ({"best": 0}, "best=0: expected a number from 1 to 1000000"),
        ({"examples": -1}, "examples=-1: expected a number from 0 to 1000"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(OptionError, match=message):
        dictionary(*example(), **options)


def test_links_that_do_not_fit_are_refused():
    bitext, _ = example()
    with pytest.raises(InputError, match="links of 1 pairs, but the text has 2 pairs"):
        dictionary(bitext, Links.from_pairs([[]]))


def test_the_table_for_people():
    bitext, links = example()
    assert written(write_dictionary, dictionary(bitext, links)) == TABLE


def test_the_table_for_people_with_examples():
    bitext, links = example()
    found = dictionary(bitext, links, examples=2, min_count=1, best=1)
    lines = [line.split("\t") for line in with_sentences(found, bitext).splitlines()]
    assert lines[0][6:] == ["line_1", "source_1", "target_1", "line_2", "source_2", "target_2"]
    assert lines[1][6:] == ["1", "la maison", "the house", "2", "la fleur", "the it big"]
    assert lines[2][6:] == ["1", "la maison", "the house"]
    numbers = [line.split("\t")[6:] for line in written(write_dictionary, found).splitlines()]
    assert numbers == [["line_1", "line_2"], ["1", "2"], ["1"]]


def with_sentences(found, bitext):
    stream = io.StringIO()
    write_dictionary(found, stream, bitext)
    return stream.getvalue()


def test_a_model_has_no_counts():
    found = dictionary_of_tables(tables_of_model(*small_model()), (["a", "b"], ["x", "y"]), Pruning())
    # a-x: 0.75 and 1; a-y has no way back, which scores 0 and is left out; NULL is left out too
    assert list(found) == [Entry("a", "x", None, 0.75, 1.0, pytest.approx(6 / 7))]
    assert written(write_dictionary, found) == (
        "source\ttarget\tp(target|source)\tp(source|target)\tscore\na\tx\t0.750000\t1.000000\t0.857143\n"
    )


def test_nothing_is_a_header():
    bitext = bitext_from_pairs([("a", "")])
    found = dictionary(bitext, Links.from_pairs([[]]), examples=1)
    assert written(write_dictionary, found).count("\n") == 1
    assert len(found) == 0


def test_moses_tables_by_hand():
    bitext, links = example()
    words = bitext.source.words, bitext.target.words
    forward, reverse = lexical_tables(bitext, links)
    assert written(write_lexicon, forward, *words) == F2E
    assert written(write_lexicon, reverse, *words[::-1]) == E2F


def test_a_shortlist_is_target_first_without_null():
    bitext, links = example()
    forward, _ = lexical_tables(bitext, links)
    words = bitext.source.words, bitext.target.words
    shortlist = written(write_lexicon, forward, *words, null=False, pruning=Pruning(best=1))
    assert shortlist == "the la 0.6666667\nhouse maison 1.0000000\n"


@given(
    corpora(), st.sampled_from([None, 1, 2]), st.sampled_from([0.0, 0.4]), st.integers(1, 2), st.booleans()
)
def test_lexicons_equal_the_slow_twin(corpus, best, threshold, min_count, null):
    sources, targets, links = corpus
    bitext = encoded(sources, targets)
    counted = reference.counts(*corpus)
    words = bitext.source.words, bitext.target.words
    tables = lexical_tables(bitext, Links.from_pairs(links))
    for way, (table, numbers) in enumerate(zip(tables, reference.probabilities(counted), strict=True)):
        rows = [
            (pair[way], -probability, pair[1 - way])
            for pair, probability in numbers.items()
            if probability >= threshold and counted[pair] >= min_count and (null or "NULL" not in pair)
        ]
        lines = []
        for given_word in sorted({row[0] for row in rows}):
            own = sorted(row for row in rows if row[0] == given_word)[:best]
            lines += [f"{generated} {given_word} {-negative:.7f}\n" for _, negative, generated in own]
        sides = words if way == 0 else words[::-1]
        pruning = Pruning(min_count, threshold, best)
        assert written(write_lexicon, table, *sides, null=null, pruning=pruning) == "".join(lines)


def test_lines_are_written_in_blocks(monkeypatch):
    bitext, links = example()
    forward, _ = lexical_tables(bitext, links)
    monkeypatch.setattr("cepts.phrases.lexicon_files.BLOCK", 2)
    assert written(write_lexicon, forward, bitext.source.words, bitext.target.words) == F2E


def test_seven_decimals_are_those_of_the_counts():
    # 16777217 = 2^24 + 1 is the first count that float32 does not have; 1 / (2^24 + 1) is 0.0000001 (rounded), and
    # 2^24 / (2^24 + 1) is 0.99999994, which must not be written as 1.0000000.
    bitext = bitext_from_pairs([("a", "x"), ("a", "y")])
    forward, _ = lexical_tables(bitext, Links.from_pairs([[(0, 0)], [(0, 0)]]))
    forward = forward._replace(counts=np.array([2**24, 1], np.int64))
    lines = written(write_lexicon, forward, bitext.source.words, bitext.target.words)
    assert lines == "x a 0.9999999\ny a 0.0000001\n"
