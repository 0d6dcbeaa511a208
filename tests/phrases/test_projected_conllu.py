"""Projection of CoNLL-U: tags and dependencies, what is read, what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.phrases import read_conllu
from cepts.phrases.projecting import ProjectionCounts, source_words
from cepts.phrases.projection import ROOT
from tests.growth import steep
from tests.phrases.projected import project, reader, refused

CAT = """\
# sent_id = cat
# text = The black cat sleeps.
1\tThe\tthe\tDET\tDT\tDefinite=Def\t3\tdet\t_\t_
2\tblack\tblack\tADJ\tJJ\t_\t3\tamod\t_\t_
3\tcat\tcat\tNOUN\tNN\tNumber=Sing\t4\tnsubj\t_\t_
4\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""
CHAT = """\
# sent_id = cat
# text = Le chat noir dort.
1\tLe\t_\tDET\tDT\tDefinite=Def\t2\tdet\t_\tConfidence=0.98
2\tchat\t_\tNOUN\tNN\tNumber=Sing\t4\tnsubj\t_\tConfidence=1.00
3\tnoir\t_\tADJ\tJJ\t_\t2\tamod\t_\tConfidence=1.00
4\tdort\t_\tVERB\tVBZ\t_\t0\troot\t_\tConfidence=1.00|SpaceAfter=No
5\t.\t_\t_\t_\t_\t_\t_\t_\t_

"""
# In French, du is de and le: two words of one token. Word 3.1 was left out by the speaker.
DU = """\
1\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_
2-3\tdu\t_\t_\t_\t_\t_\t_\t_\t_
2\tde\tde\tADP\t_\t_\t4\tcase\t_\t_
3\tle\tle\tDET\t_\t_\t4\tdet\t_\t_
3.1\tvieux\tvieux\tADJ\t_\t_\t_\t_\t4:amod\t_
4\tchat\tchat\tNOUN\t_\t_\t1\tobl\t_\t_
"""


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a file named `annotated` and reads it."""
    return reader(tmp_path)


def test_conllu_by_hand(read):
    links = [(0, 0, 0.98), (1, 2), (2, 1), (3, 3)]
    assert project(read(CAT), ["Le chat noir dort."], [links], tokenize=True) == (
        CHAT,
        ProjectionCounts(sentences=1),
    )


def test_a_complete_tree(read):
    said, _ = project(read(CAT), ["Le chat noir dort ."], [[(2, 1), (0, 0)]], complete=True)
    columns = [line.split("\t") for line in said.splitlines()[2:-1]]
    assert [(row[6], row[7]) for row in columns] == [
        ("2", "det"),
        ("0", "root"),
        ("2", "dep"),
        ("2", "dep"),
        ("2", "dep"),
    ]


def test_multiword_tokens_and_empty_nodes(read):
    (sentence,) = read(DU)
    assert [word.form for word in sentence.words] == ["parle", "de", "le", "chat"]
    assert (sentence.joined, sentence.empty_nodes) == ([(1, 3)], 1)
    assert (source_words(sentence), source_words(sentence, surface=True)) == (4, 3)
    on_words, _ = project([sentence], ["talk about cat"], [[(0, 0), (1, 1), (3, 2)]])
    on_tokens, counts = project([sentence], ["talk about cat"], [[(0, 0), (1, 1), (2, 2)]], surface=True)
    assert on_words == on_tokens
    assert [line.split("\t")[3] for line in on_words.splitlines()[1:-1]] == ["VERB", "ADP", "NOUN"]
    assert counts == ProjectionCounts(sentences=1, empty_nodes=1)


def test_a_token_of_two_words_gives_what_its_first_word_has(read):
    said, _ = project(read(DU), ["talk"], [[(1, 0)]], surface=True)
    assert said.splitlines()[1].split("\t")[3] == "ADP"


@st.composite
def conllu_sentences(draw):
    """Draw a sentence in CoNLL-U: a tree, tags, no lemmas, no confidences."""
    size = draw(st.integers(1, 6))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for k in range(1, size):
        heads[order[k]] = order[draw(st.integers(0, k - 1))] + 1
    names = st.sampled_from(["NOUN", "VERB", "_"])
    return [
        [
            str(k + 1),
            f"w{k}",
            "_",
            draw(names),
            draw(names),
            "A=b",
            str(heads[k]),
            "dep" if heads[k] else "root",
            "_",
            "_",
        ]
        for k in range(size)
    ]


@settings(max_examples=25)
@given(st.lists(conllu_sentences(), min_size=1, max_size=3), st.booleans())
def test_over_identity_links_conllu_comes_back(tmp_path_factory, sentences, complete):
    path = tmp_path_factory.mktemp("conllu") / "text"
    path.write_text("".join("".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in sentences))
    targets = [" ".join(row[1] for row in rows) for rows in sentences]
    links = [[(k, k) for k in range(len(rows))] for rows in sentences]
    said, _ = project(read_conllu(path), targets, links, complete=complete)
    back = [
        [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        for block in said.strip().split("\n\n")
    ]
    assert [[row[:9] for row in rows] for rows in back] == [[row[:9] for row in rows] for rows in sentences]


@settings(max_examples=25)
@given(conllu_sentences(), st.data())
def test_a_projected_conllu_is_one(tmp_path_factory, rows, data):
    path = tmp_path_factory.mktemp("conllu") / "text"
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    targets = data.draw(st.integers(1, 6))
    cells = st.tuples(st.integers(0, len(rows) - 1), st.integers(0, targets - 1))
    links = [sorted(data.draw(st.sets(cells, max_size=8)))]
    said, _ = project(read_conllu(path), ["x " * targets], links, complete=True)
    path.write_text(said)
    (sentence,) = read_conllu(path)  # which refuses heads out of range, and cycles
    assert [word.head for word in sentence.words].count(ROOT) == 1
    assert None not in [word.head for word in sentence.words]


def test_a_chain_of_heads_takes_time_in_proportion(read):
    def chain(size):
        return read("".join(f"{n}\tw\t_\t_\t_\t_\t{n - 1}\t_\t_\t_\n" for n in range(size, 0, -1)[::-1]))

    assert not steep(chain, 8000)


def row(number="1", head="0", columns=10):
    return "\t".join([number, "w", "_", "X", "_", "_", head, "dep", "_", "_", "_"][:columns]) + "\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (row(columns=9), "line 1: 9 columns, expected 10, separated by TAB; is this CoNLL-U?"),
        (row() + row(), "line 2: ID '1', expected 2; IDs count the words of a sentence from 1"),
        (row("x"), "line 1: ID 'x', expected 1; IDs count the words of a sentence from 1"),
        (row(head="x"), "line 1: HEAD 'x', expected the ID of a word, 0 for the root, or _"),
        (row(head="2"), "line 1: HEAD 2, but the sentence has 1 words; correct it"),
        (row(head="1"), "line 1: the heads make a cycle, 1 -> 1; expected a tree"),
        (
            row() + row("2", "3") + row("3", "2"),
            "line 2: the heads make a cycle, 2 -> 3 -> 2; expected a tree",
        ),
        (
            row("2-3") + row(),
            "line 1: multiword token 2-3, expected one that begins with word 1 and ends later",
        ),
        (
            row("1-3") + row(),
            "line 2: multiword token 1-3 overlaps another one, or goes beyond the last word, 1; correct it",
        ),
        (
            row("1-2") + row() + row("2-3") + row("2", "1") + row("3", "1"),
            "line 4: multiword token 2-3 overlaps another one, or goes beyond the last word, 3; correct it",
        ),
        ("# nothing\n", "line 1: a sentence without words, expected lines of 10 columns"),
    ],
)
def test_wrong_conllu_is_refused(read, lines, message):
    assert refused(read, lines, input_format="conllu") == f"annotated, {message}"
