"""Phrase tables: against their slow twin, by hand, and whole against in pieces."""

import gzip
import io
import lzma
import re
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import cepts
from cepts.corpus import Bitext, side_from_tokens
from cepts.errors import InputError, OptionError, OutputError
from cepts.links import Links, write_pharaoh
from cepts.phrases import UNALIGNED, sorting, write_phrase_table, write_phrase_table_from_files
from cepts.phrases import records_kernels as records
from cepts.phrases import writing_kernels as writing
from tests.reference import phrases as reference

# The bar sorts between letters and ~; control characters and what begins like another word are the hard cases.
SOURCES, TARGETS = ["a", "a-b", "b", "~", "é", "a\x01"], ["x", "y", "Y", "{"]


@st.composite
def sentence_pairs(draw):
    """Draw words of both sides and (source, target, sure) links."""
    source = draw(st.lists(st.sampled_from(SOURCES), max_size=4))
    target = draw(st.lists(st.sampled_from(TARGETS), max_size=4))
    if not source or not target:
        return source, target, frozenset()
    cells = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    links = draw(st.dictionaries(cells, st.sampled_from([True, True, False]), max_size=5))
    return source, target, frozenset((i, j, sure) for (i, j), sure in links.items())


corpora = st.lists(sentence_pairs(), min_size=1, max_size=6)


def bitext_of(corpus):
    return Bitext(*(side_from_tokens([pair[side] for pair in corpus]) for side in (0, 1)))


def links_of(corpus):
    return Links.from_pairs([[(i, j, 1.0, sure) for i, j, sure in links] for _, _, links in corpus])


def table_of(corpus, **options):
    """Write the table of a corpus; return its text."""
    stream = io.BytesIO()
    counts = write_phrase_table(bitext_of(corpus), links_of(corpus), stream, **options)
    assert counts.entries == stream.getvalue().count(b"\n")
    return stream.getvalue().decode()


def parsed(table):
    """Read the entries of a table, as the twin has them."""
    entries = []
    for line in table.splitlines():
        source, target, scores, links, counts = line.split(" ||| ")
        points = tuple(tuple(map(int, link.split("-"))) for link in links.split())
        entries.append(
            (source, target, tuple(map(float, scores.split())), points, tuple(map(int, counts.split())))
        )
    return entries


def assert_alike(entries, expected):
    """Compare entries, scores to the six digits that are written."""
    assert [(*entry[:2], *entry[3:]) for entry in entries] == [(*entry[:2], *entry[3:]) for entry in expected]
    for entry, right in zip(entries, expected, strict=True):
        assert entry[2] == pytest.approx(right[2], rel=6e-6)


@given(corpora, st.integers(1, 4), st.sampled_from(UNALIGNED), st.integers(1, 3))
@example([(["a"], ["x"], frozenset({(0, 0, True)}))] * 3, 1, "edges", 3)
def test_equals_the_slow_twin(corpus, max_length, unaligned, min_count):
    table = table_of(corpus, max_length=max_length, unaligned=unaligned, min_count=min_count)
    assert_alike(parsed(table), reference.table(corpus, max_length, unaligned, min_count))
    lines = table.encode().splitlines()
    assert lines == sorted(lines)  # as LC_ALL=C sort does


@given(corpora)
@settings(max_examples=40)
def test_small_blocks_change_nothing(corpus):
    many = corpus * 3
    with mock.patch.object(sorting, "BLOCK", 24):  # a record or two: phrases go on in the next block
        assert table_of(many) == table_of(many, memory=1 << 20)
    assert_alike(parsed(table_of(many)), reference.table(many))


class TestByHand:
    """Two pairs: la maison / the house, and la / it."""

    CORPUS = (
        (["la", "maison"], ["the", "house"], {(0, 0, True), (1, 1, True)}),
        (["la"], ["it"], {(0, 0, True)}),
    )

    def test_every_number(self):
        # la was linked to the and to it, each of which was linked to la alone: w(the | la) = 0.5, w(la | the) = 1.
        assert table_of(self.CORPUS).splitlines() == [
            "la maison ||| the house ||| 1 1 1 0.5 ||| 0-0 1-1 ||| 1 1 1",
            "la ||| it ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1",
            "la ||| the ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1",
            "maison ||| house ||| 1 1 1 1 ||| 0-0 ||| 1 1 1",
        ]

    def test_a_phrase_that_is_too_long(self):
        assert [line.split(" |||")[0] for line in table_of(self.CORPUS, max_length=1).splitlines()] == [
            "la",
            "la",
            "maison",
        ]

    def test_rare_pairs_are_left_out_but_counted(self):
        corpus = [*self.CORPUS, self.CORPUS[1]]
        assert table_of(corpus, min_count=2).splitlines() == [
            "la ||| it ||| 1 1 0.666667 0.666667 ||| 0-0 ||| 2 3 2"
        ]

    def test_a_word_with_two_links_and_one_without(self):
        # Two target words for the source word, a third has no link: w(x | a) = w(y | a) = 1/2, w(z | NULL) = 1; the
        # source word's weight is the mean of w(a | x) = 1 and w(a | y) = 1. "inside" leaves z out.
        corpus = [(["a"], ["x", "y", "z"], {(0, 0, True), (0, 1, True)})]
        assert table_of(corpus).splitlines() == [
            "a ||| x y z ||| 1 1 0.5 0.25 ||| 0-0 0-1 ||| 1 2 1",
            "a ||| x y ||| 1 1 0.5 0.25 ||| 0-0 0-1 ||| 1 2 1",
        ]
        assert table_of(corpus, unaligned="inside").splitlines() == [
            "a ||| x y ||| 1 1 1 0.25 ||| 0-0 0-1 ||| 1 1 1",
        ]

    def test_the_most_frequent_links_are_kept(self):
        words = ["a", "b"], ["x", "y"]
        cross, straight, whole = {(0, 1), (1, 0)}, {(0, 0), (1, 1)}, {(0, 0), (0, 1), (1, 0), (1, 1)}
        times = [cross, cross, straight, whole, straight, cross]
        corpus = [(*words, frozenset((i, j, True) for i, j in links)) for links in times]
        assert dict(self.links_of_entries(corpus))["a b", "x y"] == "0-1 1-0"

    def test_of_equally_frequent_links_the_first_are_kept(self):
        words = ["a", "b"], ["x", "y"]
        one, other, more = {(0, 1), (1, 0)}, {(0, 0), (1, 1)}, {(0, 0), (1, 1), (1, 0)}
        corpus = [(*words, frozenset((i, j, True) for i, j in links)) for links in (one, more, other)]
        assert dict(self.links_of_entries(corpus))["a b", "x y"] == "0-0 1-0 1-1"

    @staticmethod
    def links_of_entries(corpus):
        for line in table_of(corpus).splitlines():
            source, target, _, links, _ = line.split(" ||| ")
            yield (source, target), links

    def test_a_word_that_was_never_without_a_link_has_one_that_leaves(self):
        # b-y is possible and leaves (a b, x); b was never linked to NULL, so that its factor is the least: 1e-7. "a b"
        # is also a phrase with "x y", and x with "a".
        corpus = [(["a", "b"], ["x", "y"], {(0, 0, True), (1, 1, False)})]
        entries = {entry[:2]: entry[2] for entry in parsed(table_of(corpus))}
        assert entries["a b", "x"] == (0.5, 1e-7, 0.5, 1)


def sample():
    """Return the sample with its links, as files want them."""
    bitext = cepts.sample_bitext()
    return bitext, cepts.Aligner(ibm1_iterations=2, hmm_iterations=2, combine="grow-diag-final").fit(
        bitext
    ).align(bitext)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The sample's text, with capitals, and links for it."""
    folder = tmp_path_factory.mktemp("files")
    bitext, links = sample()
    with (folder / "links").open("w") as stream:
        write_pharaoh(links, stream)
    paths = cepts.sample()
    return folder, (paths[0], paths[1], folder / "links"), bitext, links


def names(folder):
    return {path.name for path in folder.rglob("*")}


def test_in_pieces_is_as_in_one(files, tmp_path):
    _, paths, _, _ = files
    whole = io.BytesIO()
    counts = write_phrase_table_from_files(*paths, whole)
    runs = []
    spill = sorting.Sorter._write

    def counted(sorter, blocks):
        runs.append(sorter)
        return spill(sorter, blocks)

    with mock.patch.object(sorting.Sorter, "_write", counted):
        assert write_phrase_table_from_files(*paths, tmp_path / "table", memory=64 << 10) == counts
    assert len(runs) > 40  # by target and by source, and runs of runs
    assert (tmp_path / "table").read_bytes() == whole.getvalue()
    assert names(tmp_path) == {"table"}


def test_the_sample_equals_the_slow_twin(files):
    folder, paths, _, links = files
    sides = [[line.split() for line in path.read_text("utf-8").splitlines()] for path in paths[:2]]
    some = 20
    corpus = [
        (sides[0][k], sides[1][k], frozenset((link.source, link.target, True) for link in links[k]))
        for k in range(some)
    ]
    for name, lines in (("source", sides[0]), ("target", sides[1])):
        (folder / name).write_text("".join(" ".join(line) + "\n" for line in lines[:some]), "utf-8")
    (folder / "some").write_text("".join(line + "\n" for line in paths[2].read_text().splitlines()[:some]))
    stream = io.BytesIO()
    write_phrase_table_from_files(folder / "source", folder / "target", folder / "some", stream, max_length=4)
    assert_alike(parsed(stream.getvalue().decode()), reference.table(corpus, 4))


def test_small_pieces_of_text_change_nothing(files):
    _, paths, _, _ = files
    whole, pieces = io.BytesIO(), io.BytesIO()
    write_phrase_table_from_files(*paths, whole)
    with mock.patch("cepts.corpus.files.BLOCK", 1000):
        write_phrase_table_from_files(*paths, pieces)
    assert pieces.getvalue() == whole.getvalue()


def test_a_bitext_in_memory_gives_the_same(files):
    _, paths, _, links = files
    read, held = io.BytesIO(), io.BytesIO()
    write_phrase_table_from_files(*paths, read)
    bitext = cepts.read_bitext(paths[0], paths[1], keep_case=True)
    write_phrase_table(bitext, links, held)
    assert held.getvalue() == read.getvalue()
    with mock.patch("cepts.phrases.pieces.WORDS_AT_ONCE", 100):
        held = io.BytesIO()
        write_phrase_table(bitext, links, held)
    assert held.getvalue() == read.getvalue()


def test_compressed_by_name(files, tmp_path):
    _, paths, _, _ = files
    for name in ("plain", "table.gz", "table.xz"):
        write_phrase_table_from_files(*paths, tmp_path / name, max_length=2)
    plain = (tmp_path / "plain").read_bytes()
    assert plain.count(b"\n") > 1000
    assert gzip.decompress((tmp_path / "table.gz").read_bytes()) == plain
    assert lzma.decompress((tmp_path / "table.xz").read_bytes()) == plain


def test_counts_of_what_was_found():
    corpus = [
        (["a"], ["x"], {(0, 0, True)}),
        ([], ["x"], set()),
        (["a", "|||"], ["x", "y"], {(0, 0, True), (1, 1, True)}),
        (["a", "b"], ["x", "new york"], {(0, 0, True), (1, 1, True)}),
        (["a"], ["x"], {(0, 0, True)}),
    ]
    stream = io.BytesIO()
    counts = write_phrase_table(bitext_of(corpus), links_of(corpus), stream)
    assert counts == (5, 1, 2, 2, 1, {})
    # Links of all pairs count, also where there are no phrases: w(x | a) is 4 of 4, w(a | x) 4 of 5, once x has none.
    assert stream.getvalue().decode() == "a ||| x ||| 1 0.8 1 1 ||| 0-0 ||| 2 2 2\n"


def test_nothing_to_write():
    corpus = [(["a"], ["x"], set()), ([], [], set())]
    assert table_of(corpus) == ""


def test_long_sentences_and_long_phrases():
    words = [f"w{k % 50}" for k in range(200)]
    diagonal = frozenset((k, k, True) for k in range(200))
    table = table_of([(words, words, diagonal)], max_length=200, memory=64 << 10)
    assert len(table.splitlines()) == len({tuple(words[a:b]) for a in range(200) for b in range(a + 1, 201)})
    assert table.splitlines()[0].count("-") >= 1
    ((line, counts),) = [
        (line, line.rpartition("||| ")[2]) for line in table.splitlines() if line.startswith("w7 ||| ")
    ]
    assert line == f"w7 ||| w7 ||| 1 1 1 1 ||| 0-0 ||| {counts}"
    assert counts == "4 4 4"


def test_small_weights_are_not_zero():
    # No link but the first: the 39 others are linked to NULL, each once of 39 times. (1/39)^39 = 9e-63.
    words = [f"w{k}" for k in range(40)]
    table = table_of([(words, ["x"], {(0, 0, True)})], max_length=40)
    entry = next(entry for entry in parsed(table) if entry[0] == " ".join(words))
    assert entry[2][1] == pytest.approx(39.0**-39, rel=1e-4)
    # With 400 of them the product would be 0 in any floating point number.
    words = [f"w{k}" for k in range(400)]
    last = parsed(table_of([(words, ["x"], {(0, 0, True)})], max_length=400))
    assert min(entry[2][1] for entry in last) == pytest.approx(1e-290)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 0}, "max_length=0: expected a number from 1"),
        ({"max_length": 1 << 15}, "max_length=32768: expected a number from 1 to 32767"),
        ({"unaligned": "middle"}, "unaligned 'middle': expected one of edges, inside, never"),
        ({"min_count": 0}, "min_count=0: expected a number from 1"),
        ({"memory": 1000}, r"memory of 1000 bytes: expected at least 65536 \(64K\)"),
    ],
)
def test_options_that_are_refused(tmp_path, options, message):
    corpus = TestByHand.CORPUS
    with pytest.raises(OptionError, match=message):
        write_phrase_table(bitext_of(corpus), links_of(corpus), tmp_path / "table", **options)
    assert names(tmp_path) == set()


def test_links_that_do_not_fit_leave_nothing_behind(tmp_path):
    corpus = TestByHand.CORPUS
    with pytest.raises(InputError, match="links, pair 2: link 3-0 "):
        write_phrase_table(bitext_of(corpus), Links.from_pairs([[], [(3, 0)]]), tmp_path / "table")
    assert names(tmp_path) == set()


def test_a_place_that_cannot_be_written(tmp_path):
    corpus = TestByHand.CORPUS
    with pytest.raises(OutputError, match=r"there is no folder .*nowhere; create it first"):
        write_phrase_table(bitext_of(corpus), links_of(corpus), tmp_path / "nowhere" / "table")


def test_a_full_disk_is_told_and_leaves_nothing_behind(tmp_path):
    corpus = [*TestByHand.CORPUS] * 2000
    full = mock.patch("pathlib.Path.open", side_effect=OSError(28, "No space left on device"))
    message = r"cannot write .*: No space left on device"
    with full, pytest.raises(OutputError, match=message):
        write_phrase_table(bitext_of(corpus), links_of(corpus), tmp_path / "table", memory=64 << 10)
    assert names(tmp_path) == set()


def test_what_stops_the_work_leaves_the_old_table(tmp_path):
    (tmp_path / "table").write_text("old")
    with (
        mock.patch("cepts.phrases.table.make_lines", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        write_phrase_table(bitext_of(TestByHand.CORPUS), links_of(TestByHand.CORPUS), tmp_path / "table")
    assert names(tmp_path) == {"table"}
    assert (tmp_path / "table").read_text() == "old"


SCORES = [
    1.0,
    0.5,
    0.25,
    1 / 3,
    0.1,
    0.001,
    0.0001,
    0.00001,
    1.5e-5,
    1.05e-7,
    0.9999999,
    0.99999949,
    1e-100,
    2.5e-290,
]


def written(score):
    out = np.zeros(20, np.uint8)
    return out[: writing.put_score(score, out, 0)].tobytes().decode()


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_written_like_g(score):
    assert written(score) == f"{score:.6g} "


@given(st.floats(1e-290, 1.0))
def test_scores_of_all_sizes(score):
    text = written(score)
    assert re.fullmatch(r"(1|0\.[0-9]+|[1-9](\.[0-9]*[1-9])?e-[0-9]{2,}) ", text)
    assert float(text) == pytest.approx(score, rel=5.1e-6)
    assert len(text) <= 13


def test_each_kernel_compiles_once():
    for unaligned in UNALIGNED:
        table_of(TestByHand.CORPUS, unaligned=unaligned)
    for kernel in (
        *(records.compose, records.choose_links, records.find_groups, records.turn_round),
        *(writing.most_bytes, writing.write_lines),
    ):
        assert len(kernel.signatures) == 1, kernel
