"""Projection of BIO entities and of inline markup: what is read, what is written, what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.links import Link
from cepts.phrases import parse_markup, project_markup, read_bio, read_markup, split_line
from cepts.phrases.projecting import ProjectionCounts, detect_format
from cepts.phrases.projection import ROOT
from tests.growth import steep
from tests.phrases.projected import project, reader, refused

PARIS = "I O\nsee O\nNew B-LOC\nYork I-LOC\nand O\nParis B-LOC\n\n"
COLUMNS = "# text = a\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a file named `annotated` and reads it."""
    return reader(tmp_path)


def test_bio_by_hand(read):
    (sentence,) = read(PARIS)
    assert [tuple(entity) for entity in sentence.entities] == [(2, 4, "LOC"), (5, 6, "LOC")]
    links = [(0, 0), (1, 1), (2, 4, 0.5), (3, 5, 1.0), (5, 3, 0.75)]
    said, counts = project([sentence], ["Je vois , Paris New York"], [links])
    assert (
        said == "Je\tO\t_\nvois\tO\t_\n,\tO\t_\nParis\tB-LOC\t0.75\nNew\tB-LOC\t0.75\nYork\tI-LOC\t0.75\n\n"
    )
    assert counts == ProjectionCounts(sentences=1, known=2, arrived=2)
    said, _ = project([sentence], ["Je vois , Paris New York"], [links], format="markup", confidence=True)
    assert said == 'Je vois , <LOC confidence="0.75">Paris</LOC> <LOC confidence="0.75">New York</LOC>\n'


@settings(max_examples=25)
@given(
    st.lists(
        st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), min_size=1, max_size=6),
        min_size=1,
        max_size=3,
    )
)
def test_over_identity_links_bio_comes_back(tmp_path_factory, sentences):
    for tags in sentences:  # I- only where it continues something
        for k, tag in enumerate(tags):
            if tag[0] == "I" and (k == 0 or tags[k - 1][1:] != tag[1:]):
                tags[k] = f"B{tag[1:]}"
    path = tmp_path_factory.mktemp("bio") / "text"
    path.write_text("".join("".join(f"w {tag}\n" for tag in tags) + "\n" for tags in sentences))
    links = [[(k, k) for k in range(len(tags))] for tags in sentences]
    said, counts = project(
        read_bio(path), [" ".join("w" for _ in tags) for tags in sentences], links, max_gap=0
    )
    back = [[line.split("\t")[1] for line in block.split("\n")] for block in said.strip().split("\n\n")]
    assert back == sentences
    assert (counts.arrived, counts.torn) == (counts.known, 0)


def test_what_does_not_arrive_is_counted(read):
    sentences = read(f"{PARIS}{PARIS}Paris B-LOC\n\n{PARIS}")
    links = [[(2, 0), (3, 3)], [], [(0, 0)], [(5, 0)]]
    said, counts = project(sentences, ["a b c d", "e", "", "f"], [[*links[0]], [], [], links[3]])
    assert said == "a\tB-LOC\t1.00\nb\tO\t_\nc\tO\t_\nd\tO\t_\n\ne\tO\t_\n\nf\tB-LOC\t1.00\n\n"
    assert counts == ProjectionCounts(sentences=4, unlinked=2, empty=1, known=7, arrived=2, torn=1)


def test_markup_by_hand(read):
    (marked,) = read('Click <a href="x">the <b>red</b> button</a> now<br/> .\n')
    assert marked.line.text == "Click the red button now ."
    assert [tuple(element) for element in marked.elements] == [
        ("a", ' href="x"', 1, 4, ROOT, False),
        ("b", "", 2, 3, 0, False),
        ("br", "", 5, 5, ROOT, True),
    ]
    links = [(0, 1), (1, 2), (2, 4), (3, 3), (4, 0), (5, 5)]
    said, counts = project([marked], ["Maintenant cliquez le bouton rouge ."], [links])
    assert said == 'Maintenant cliquez <a href="x">le bouton <b>rouge</b></a> <br/>.\n'
    assert counts == ProjectionCounts(sentences=1, known=2, arrived=2)
    said, _ = project([marked], ["Maintenant cliquez le bouton rouge ."], [links], format="bio")
    assert [line.split("\t")[1] for line in said.splitlines()[:-1]] == ["O", "O", "B-a", "I-a", "I-a", "O"]


def test_spaces_stay_as_they_are_and_tags_stand_at_tokens():
    marked = parse_markup("<b>Yes</b>, sir", tokenize=True)
    links = [Link(k, k) for k in range(3)]
    target = split_line("Oui,  monsieur", tokenize=True)
    assert project_markup(marked.elements, target, links).text == "<b>Oui</b>,  monsieur"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(lambda size: "<b>" * size + "two words" + "</b>" * size, id="nested"),
        pytest.param(lambda size: "<b>word</b> " * size, id="side by side"),
        pytest.param(lambda size: "<i/>word " * size, id="empty"),
    ],
)
def test_many_tags_of_a_line_take_time_in_proportion(line):
    def carried(size):
        marked = parse_markup(line(size))
        words = len(marked.line.spans)
        links = [Link(word, word) for word in range(words)]
        return project_markup(marked.elements, split_line(" ".join(["x"] * words)), links)

    assert carried(20_000).arrived == carried(20_000).known
    assert not steep(carried, 8000)


def test_an_empty_tag_without_a_linked_word_behind_goes_to_the_end():
    marked = parse_markup("a b<br/>")
    assert project_markup(marked.elements, split_line("c d"), [Link(0, 0)]).text == "c d<br/>"
    assert project_markup(marked.elements, split_line("c d"), []).text == "c d"


@pytest.mark.parametrize("text", ["1 < 2 and 3 > 2", "a <- b", "<3", "x<y z", "a &lt;b&gt; c"])
def test_what_is_no_tag_stays_text(text):
    assert parse_markup(text) == (split_line(text), [])


MARKED = st.recursive(
    st.lists(st.just("w"), min_size=1, max_size=3).map(" ".join),
    lambda inner: st.lists(
        st.tuples(st.sampled_from(["b", "i"]), inner).map(lambda pair: f"<{pair[0]}>{pair[1]}</{pair[0]}>")
        | inner,
        min_size=1,
        max_size=3,
    ).map(" ".join),
    max_leaves=6,
)


@settings(max_examples=25)
@given(MARKED)
def test_over_identity_links_markup_comes_back(text):
    marked = parse_markup(text)
    links = [Link(k, k) for k in range(len(marked.line.spans))]
    assert project_markup(marked.elements, marked.line, links, max_gap=0).text == text


@settings(max_examples=25)
@given(MARKED, st.data())
def test_projected_markup_is_well_formed(text, data):
    marked = parse_markup(text)
    targets = data.draw(st.integers(1, 6))
    cells = st.tuples(st.integers(0, len(marked.line.spans) - 1), st.integers(0, targets - 1))
    links = [Link(*cell) for cell in data.draw(st.sets(cells, max_size=8))]
    made = project_markup(marked.elements, split_line("v " * targets), links)
    back = parse_markup(made.text)  # which refuses tags that cross
    assert back.line.text == "v " * targets
    assert len(back.elements) == made.arrived <= made.known == len(marked.elements)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a <b>c", "line 2: <b> is never closed, expected </b> on its line"),
        ("a c</b>", "line 2: </b> closes nothing, expected <b> before it"),
        ("<b>a <i>c</b></i>", "line 2: </b> while <i> is open, expected </i>; close what was opened last"),
    ],
)
def test_unbalanced_markup_is_refused(read, line, message):
    assert refused(read, f"fine\n{line}\n") == f"annotated, {message}"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "a O\nb I-X\n",
            "line 2: I-X behind O, expected B-X or I-X before it; write B-X, or use lenient=True",
        ),
        ("a I-X\n", "line 1: I-X behind the beginning of the sentence, expected B-X"),
        ("a B-Y\nb I-X\n", "line 2: I-X behind B-Y, expected B-X or I-X before it"),
        ("a O\nb\n", "line 2: one column, expected a word and its tag, such as Paris B-LOC"),
        ("a O\nb X\n", "line 2: tag 'X', expected O, B-KIND or I-KIND, such as B-LOC"),
    ],
)
def test_wrong_bio_is_refused(read, lines, message):
    assert refused(read, lines, input_format="bio").startswith(f"annotated, {message}")


def test_lenient_bio_begins_an_entity_with_i(read):
    (sentence,) = read("a I-X\nb I-X\nc I-Y\n", lenient=True)
    assert [tuple(entity) for entity in sentence.entities] == [(0, 2, "X"), (2, 3, "Y")]


@pytest.mark.parametrize(
    ("text", "kind"), [(COLUMNS, "conllu"), (f"\n\n{PARIS}", "bio"), ("a <b>c</b>\n", "markup")]
)
def test_formats_are_told_from_the_first_sentence(text, kind):
    assert detect_format(text.split("\n")) == kind


def test_an_empty_file_is_refused(read):
    assert refused(read, "\n \n") == "annotated is empty: give a file with annotated sentences"


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "annotated"
    path.write_bytes(b"fine\n\xff\n")
    with pytest.raises(
        InputError, match=r"annotated, line 2: invalid UTF-8, byte 0xff at byte 1 of the line"
    ):
        read_markup(path)
    assert read_markup(path, errors="replace")[1].line.text == "\ufffd"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"format": "conllu"},
            "format conllu: bio cannot become that; conllu goes with conllu, bio and markup mix",
        ),
        ({"format": "x"}, "format 'x': expected one of conllu, bio, markup"),
        ({"max_gap": -1}, "max_gap=-1: expected a number from 0 to 1000"),
    ],
)
def test_what_cannot_be_projected_is_refused(read, options, message):
    with pytest.raises(OptionError, match=f"^{message}$"):
        project(read(PARIS), ["a"], [[]], **options)


def test_an_unknown_input_format_is_refused(read):
    with pytest.raises(OptionError, match=r"^input-format 'x': expected one of conllu, bio, markup$"):
        read(PARIS, input_format="x")


def test_a_kind_that_cannot_be_a_tag_is_refused(read):
    with pytest.raises(
        InputError, match=r"^entity kind '1:2' cannot be the name of a tag, expected letters and digits$"
    ):
        project(read("a B-1:2\n"), ["b"], [[(0, 0)]], format="markup")
