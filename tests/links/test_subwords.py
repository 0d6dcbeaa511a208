"""Links between subwords and links between words: twins, laws, marks, and what does not agree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.links import MARKERS, Links, links_to_subwords, links_to_words
from cepts.links.markers import detect_markers
from tests.links.texts import links_within
from tests.reference.subwords import SPLITTERS, expanded, merged

# No piece begins or ends with what could be a mark.
pieces = st.sampled_from(["a", "B", "é", "e\u0301", "ب", "עב", "👩\u200d🔬", "漢", "𐍈", "-", "1", "x#y", "'"])
words = st.lists(pieces, min_size=1, max_size=3)
sentences = st.lists(words, max_size=4)


@st.composite
def corpora(draw):
    """Draw pairs of sentences, words cut into pieces, links of words and links of subwords."""
    pairs = draw(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=3))
    of_words, of_pieces = [], []
    for source, target in pairs:
        of_words.append(draw(links_within(len(source), len(target))))
        of_pieces.append(draw(links_within(*(sum(map(len, side)) for side in (source, target)))))
    return pairs, of_words, of_pieces


def lines(pairs, side, style):
    """Return one side as lines of subwords, and as lines of words."""
    cut = [" ".join(SPLITTERS[style](pair[side])) for pair in pairs]
    whole = [" ".join("".join(word) for word in pair[side]) for pair in pairs]
    return cut, whole


@pytest.mark.parametrize("style", MARKERS)
@settings(max_examples=25)
@given(corpus=corpora(), known=st.booleans())
def test_twins_and_there_and_back(style, corpus, known):
    pairs, of_words, of_pieces = corpus
    (source, source_words), (target, target_words) = (lines(pairs, side, style) for side in (0, 1))
    options = {"markers": style}
    if known:
        options |= {"source_words": source_words, "target_words": target_words}
    links = Links.from_pairs(of_words)
    expected = Links.from_pairs(expanded(own, *pair) for own, pair in zip(links, pairs, strict=True))
    wide = links_to_subwords(links, source, target, **options)
    assert list(wide) == list(expected)
    assert list(links_to_words(wide, source, target, **options)) == list(links)
    small = Links.from_pairs(of_pieces)
    assert list(links_to_words(small, source, target, **options)) == list(
        Links.from_pairs(merged(own, *pair) for own, pair in zip(small, pairs, strict=True))
    )


@pytest.mark.parametrize("style", MARKERS)
def test_one_side_may_have_words_already(style):
    source, _ = lines([([["mai", "son"], ["a"]], [])], 0, style)
    links = Links.from_pairs([[(0, 3, 0.5), (1, 0)]])
    wide = links_to_subwords(links, source, markers=style)
    assert [link[:3] for link in wide[0]] == [(0, 3, 0.5), (1, 3, 0.5), (2, 0, 1.0)]
    assert list(links_to_words(wide, source, markers=style)) == list(links)
    turned = links_to_subwords(links.swapped(), None, source, markers=style)
    assert list(turned.swapped()) == list(wide)


@pytest.mark.parametrize("style", MARKERS)
def test_marks_are_seen_from_the_text(style):
    source, _ = lines([([["mai", "son"], ["bl", "an", "che"]], [])], 0, style)
    assert detect_markers(source) == style
    links = Links.from_pairs([[(1, 0)]])
    assert list(links_to_words(links, source)) == [[(0, 0, 1.0, True)]]
    # Where one side has no marks, those of the other are taken for it.
    assert list(links_to_words(links, source, ["a"])) == [[(0, 0, 1.0, True)]]


@pytest.mark.parametrize(
    ("line", "style", "numbers"),
    [
        ("▁ 漢 字 ▁a", "sentencepiece", [0, 0, 0, 1]),  # a mark of its own begins the word behind it
        ("▁ ▁a b ▁", "sentencepiece", [None, 0, 0, None]),  # one that begins no word belongs to none
        ("▁a ▁ ▁b", "sentencepiece", [0, None, 1]),
        ("▁a ▁ b", "sentencepiece", [0, 1, 1]),
        ("a b ▁c", "sentencepiece", [0, 0, 1]),  # no mark at the beginning
        ("Hello Ġwor ld", "bytelevel", [0, 1, 1]),
        ("## a ##b", "wordpiece", [0, 1, 1]),  # a mark alone is a word
        ("##a b", "wordpiece", [0, 1]),
        ("a@@ b @@ c", "bpe", [0, 0, 1, 2]),
        ("a b@@", "bpe", [0, 1]),  # cut off: the word ends with the line
    ],
)
def test_words_by_marks(line, style, numbers):
    links = Links.from_pairs([[(k, k)] for k in range(len(numbers))])
    found = links_to_words(links, [line] * len(numbers), markers=style)
    assert [pair[0].source if pair else None for pair in found] == numbers


def test_where_marks_cut_within_words_characters_decide():
    # BERT's tokeniser cuts at punctuation without a mark, and drops case and accents.
    words, pieces = ["Don't", "jouéz", "!"], ["don", "'", "t", "jou", "##ez", "!"]
    links = Links.from_pairs([[(k, k) for k in range(6)]])
    found = links_to_words(links, [" ".join(pieces)], source_words=[" ".join(words)])
    assert [link.source for link in found[0]] == [0, 0, 0, 1, 1, 2]
    by_marks = links_to_words(links, [" ".join(pieces)])
    assert [link.source for link in by_marks[0]] == [0, 1, 2, 3, 3, 4]
    # SentencePiece writes what it normalised.
    found = links_to_words(links.head(1), ["▁ ﬁ ▁fin ale ▁x ▁y"], source_words=["fi ﬁnale x y"])
    assert [link.source for link in found[0]] == [0, 0, 1, 1, 2, 3]


def test_unknown_words_are_believed():
    links = Links.from_pairs([[(0, 0), (1, 1), (2, 2)]])
    for line in ("[UNK] mai ##son", "▁<unk> ▁mai son"):
        found = links_to_words(links, [line], source_words=["漢字 Maison"])
        assert [link.source for link in found[0]] == [0, 1, 1]


def test_a_broken_character_of_bytes_is_no_obstacle():
    pieces = [*SPLITTERS["bytelevel"]([["é"]])[0], "Ġx"]
    assert len(pieces) == 3
    links = Links.from_pairs([[(0, 0), (1, 1), (2, 2)]])
    for options in ({}, {"source_words": ["é x"]}):
        found = links_to_words(links, [" ".join(pieces)], markers="bytelevel", **options)
        assert [link.source for link in found[0]] == [0, 0, 1]


ONE = Links.from_pairs([[(0, 0)], [(0, 0)]])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (
            (["▁a", "▁mai son"],),
            {"source_words": ["a", "mais on"]},
            r"source subwords, line 2: the subwords join to 'maison', but the text has 'mais on', expected the same",
        ),
        (
            (["▁a", "▁b"],),
            {"source_words": ["a"]},
            "source subwords: 2 lines, but the text of words has 1, expected as",
        ),
        ((["▁a"],), {}, "links of 2 pairs, but 1 lines of source subwords, expected as many of both"),
        ((None, ["▁a"]), {}, "links of 2 pairs, but 1 lines of target subwords, expected as many of both"),
        (
            (["▁a", "▁of▁the"],),
            {},
            "source subwords, line 2: '▁of▁the' holds more than one word, expected pieces",
        ),
        ((["▁a", ""],), {}, r"links, pair 2: link 0-0 \(from 0\) is outside of its pair, which has 0 source"),
    ],
)
def test_what_does_not_agree_is_refused(arguments, options, message):
    for function in (links_to_words, links_to_subwords):
        with pytest.raises(InputError, match=message):
            function(ONE, *arguments, **options)


def test_options_that_are_refused():
    with pytest.raises(OptionError, match="the subwords have no marks that are known: name the markers"):
        links_to_words(ONE, ["a b", "c"])
    with pytest.raises(
        OptionError, match="no markers 'spm'; there are sentencepiece, wordpiece, bpe, bytelevel"
    ):
        links_to_words(ONE, ["a", "b"], markers="spm")
    with pytest.raises(
        OptionError, match="no subwords: give the lines of subwords of the source, of the target"
    ):
        links_to_words(ONE)
