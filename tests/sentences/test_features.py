"""Features of sentences: as a slow twin finds them, whatever the text, the options and the size of pieces."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import encode_lines, side_from_tokens
from cepts.errors import InputError, OptionError
from cepts.sentences import features as features_module
from cepts.sentences import ngrams
from cepts.sentences.features import (
    FeatureOptions,
    FeatureSpace,
    parse_features,
    split_tags,
    tag_lines,
)
from cepts.storage import load_folder, save_folder
from tests.reference import sentence_features as twin

if TYPE_CHECKING:
    from pathlib import Path

    from cepts.sentences.matrices import Matrix

WORDS = st.sampled_from(["a", "b", "ab", "ba", "bab", "ü"])
TAGS = st.sampled_from(["X", "Y", "Z"])
SENTENCES = st.lists(
    st.lists(st.tuples(WORDS, TAGS).map("_".join), max_size=7), min_size=1, max_size=6
).filter(any)


@st.composite
def parsed(draw: st.DrawFn) -> list[str]:
    """Tokens of a sentence, each with its tag, its relation, and another token of the sentence as its head, or 0."""
    length = draw(st.integers(0, 6))
    heads = [
        draw(st.integers(0, length).filter(lambda head, own=own: head != own)) for own in range(1, length + 1)
    ]
    return [f"{draw(WORDS)}_{draw(TAGS)}_{draw(st.sampled_from('rs'))}_{head}" for head in heads]


PARSED = st.lists(parsed(), min_size=1, max_size=6).filter(any)
LENGTHS = st.integers(1, 4).flatmap(lambda low: st.tuples(st.just(low), st.integers(low, 5)))
OPTIONS = st.fixed_dictionaries(
    {
        "words": st.integers(0, 4),
        "tags": st.integers(0, 4),
        "characters": st.none() | LENGTHS,
        "weighting": st.sampled_from(["count", "tfidf"]),
        "norm": st.sampled_from(["none", "sum", "length"]),
        "min_count": st.integers(1, 3),
        "max_features": st.none() | st.integers(1, 12),
    }
).filter(lambda options: options["words"] or options["tags"] or options["characters"])


def rows(matrix: Matrix) -> list[dict[int, float]]:
    """Return each row as a dictionary, after a look at the form."""
    assert [matrix.offsets.dtype, matrix.features.dtype, matrix.values.dtype] == ["int64", "int32", "float32"]
    assert np.all(matrix.values > 0)
    found = []
    for first, end in zip(matrix.offsets[:-1], matrix.offsets[1:], strict=True):
        features = matrix.features[first:end]
        assert np.all(np.diff(features) > 0)
        assert np.all((features >= 0) & (features < matrix.width))
        found.append(dict(zip(features.tolist(), matrix.values[first:end].tolist(), strict=True)))
    return found


@given(SENTENCES, SENTENCES, OPTIONS)
def test_features_are_those_of_the_twin(
    learned: list[list[str]], others: list[list[str]], chosen: dict[str, Any]
) -> None:
    check_features(learned, others, FeatureOptions(**chosen))


@given(PARSED, PARSED, OPTIONS, st.sampled_from(["words", "tags"]))
def test_features_of_parsed_sentences_are_those_of_the_twin(
    learned: list[list[str]], others: list[list[str]], chosen: dict[str, Any], arcs: str
) -> None:
    check_features(learned, others, FeatureOptions(**chosen, arcs=arcs))


def check_features(learned: list[list[str]], others: list[list[str]], options: FeatureOptions) -> None:
    """Learn features from one text, find them in both, and compare with the twin."""
    expected = twin.fit(learned, options)
    if not expected.features:
        with pytest.raises(InputError, match="text has no features"):
            FeatureSpace.fit(side_from_tokens(learned), options)
        return
    space = FeatureSpace.fit(side_from_tokens(learned), options)
    assert space.names() == twin.names(expected)
    assert space.width == len(expected.features)
    for text in (learned, others):
        matrix = space.encode(side_from_tokens(text))
        assert matrix.width == space.width
        for found, sentence in zip(rows(matrix), text, strict=True):
            assert found == pytest.approx(twin.encode(expected, sentence), rel=1e-6)


@given(SENTENCES, OPTIONS)
def test_the_size_of_pieces_changes_nothing(learned: list[list[str]], chosen: dict[str, Any]) -> None:
    side = side_from_tokens(learned)
    options = FeatureOptions(**chosen | {"min_count": 1})
    whole = FeatureSpace.fit(side, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "TOKENS_AT_ONCE", 2)
        patch.setattr(features_module, "TOKENS_AT_ONCE", 3)
        pieces = FeatureSpace.fit(side, options)
        in_pieces = pieces.encode(side)
    assert pieces.names() == whole.names()
    for one, other in zip(in_pieces, whole.encode(side), strict=True):
        np.testing.assert_array_equal(one, other)


@given(SENTENCES, OPTIONS)
def test_a_part_of_a_text_has_the_rows_of_the_whole(learned: list[list[str]], chosen: dict[str, Any]) -> None:
    side = side_from_tokens(learned)
    space = FeatureSpace.fit(side, FeatureOptions(**chosen | {"min_count": 1}))
    half = len(side) // 2
    parts = [rows(space.encode(side.part(*ends))) for ends in ((0, half), (half, len(side)))]
    assert parts[0] + parts[1] == rows(space.encode(side))


@given(PARSED, OPTIONS, st.sampled_from(["words", "tags", None]))
def test_a_space_is_saved_and_loaded(
    tmp_path_factory: pytest.TempPathFactory,
    learned: list[list[str]],
    chosen: dict[str, Any],
    arcs: str | None,
) -> None:
    side = side_from_tokens(learned)
    space = FeatureSpace.fit(side, FeatureOptions(**chosen | {"min_count": 1, "arcs": arcs}))
    folder = tmp_path_factory.mktemp("space") / "model"
    meta, arrays, texts = space.packed("source_")
    save_folder(folder, "trial", {"source": meta}, arrays, texts)
    loaded = load_folder(folder, "trial")
    again = FeatureSpace.unpacked(loaded.meta["source"], loaded.arrays, loaded.texts, "source_")
    assert (again.options, again.names()) == (space.options, space.names())
    for one, other in zip(again.encode(side), space.encode(side), strict=True):
        np.testing.assert_array_equal(one, other)


def test_numbers_worked_out_by_hand() -> None:
    side = encode_lines(["a b a", "b", ""])
    space = FeatureSpace.fit(side, FeatureOptions(weighting="tfidf", min_count=1))
    # a is in 1 of 3 sentences, b in 2: log(4 / 2) + 1 and log(4 / 3) + 1
    rare, common = math.log(2) + 1, math.log(4 / 3) + 1
    first, second, third = rows(space.encode(side))
    assert first == pytest.approx({0: 2 * rare, 1: common}, rel=1e-6)
    assert second == pytest.approx({1: common}, rel=1e-6)
    assert third == {}


@pytest.mark.parametrize(
    ("norm", "expected"), [("sum", [0.75, 0.25]), ("length", [3 / 10**0.5, 1 / 10**0.5])]
)
def test_norms(norm: str, expected: list[float]) -> None:
    space = FeatureSpace.fit(encode_lines(["a b a a"]), FeatureOptions(norm=norm, min_count=1))
    matrix = space.encode(encode_lines(["a b a a", ""]))
    assert matrix.values.tolist() == pytest.approx(expected)
    assert matrix.offsets.tolist() == [0, 2, 2]


def test_borders_are_not_what_looks_like_them() -> None:
    space = FeatureSpace.fit(encode_lines(["^a a$"]), FeatureOptions(words=0, characters=(2, 2), min_count=1))
    assert sorted(space.names()) == ["chars:$$", "chars:^^", "chars:^a", "chars:^a", "chars:a$", "chars:a$"]
    assert [len(row) for row in rows(space.encode(encode_lines(["a", "^a", "x"])))] == [2, 3, 0]


def test_only_words_that_are_needed_are_kept() -> None:
    side = encode_lines(["a b", "a b", "a c d"])
    space = FeatureSpace.fit(side, FeatureOptions(words=2, max_features=2))
    assert space.packed()[2] == {"words": ["a", "b"]}
    letters = FeatureSpace.fit(side, FeatureOptions(words=0, characters=(3, 3), max_features=1))
    assert letters.names() == ["chars:^a$"]
    assert letters.packed()[1]["chars"].tolist() == [ord("a"), 0x110000, 0x110001]


def test_a_word_may_hold_an_underline_before_its_tag() -> None:
    words, tags = split_tags(encode_lines(["snake_case_NOUN __PUNCT _SPACE"], keep_case=True))
    assert words.sentence(0) == ["snake_case", "_", ""]
    assert tags.sentence(0) == ["NOUN", "PUNCT", "SPACE"]


def test_words_without_tags_keep_their_underlines() -> None:
    space = FeatureSpace.fit(encode_lines(["a_X a_Y"], keep_case=True), FeatureOptions(min_count=1))
    assert space.names() == ["words:a_X", "words:a_Y"]


@pytest.mark.parametrize("token", ["house", "house_", "_"])
def test_a_token_without_a_tag_is_refused_with_its_line(token: str) -> None:
    side = encode_lines(["the_DET", "", f"the_DET {token}"], keep_case=True)
    options = FeatureOptions(words=0, tags=1, min_count=1)
    message = f"^left, line 3: token '{token}' has no tag, expected word_TAG; tag the text, or leave tags out"
    with pytest.raises(InputError, match=message):
        FeatureSpace.fit(side, options, name="left")
    space = FeatureSpace.fit(side.part(0, 1), options)
    with pytest.raises(InputError, match=message):
        space.encode(side, name="left")
    with pytest.raises(InputError, match=message):
        space.encode(side.part(2, 3), name="left", lines_before=2)


def test_dependency_triples_by_hand() -> None:
    # the house of_X burns: words may hold underlines, and relations colons
    side = encode_lines(
        [
            "The_DET_det_2 house_NOUN_nsubj:pass_4 of_X_PROPN_flat_2 burns_VERB_root_0",
            "",
            "Burns_VERB_root_0",
        ],
        keep_case=True,
    )
    words = FeatureSpace.fit(side, FeatureOptions(words=0, arcs="words", min_count=1))
    expected = [
        "house det The",
        "burns nsubj:pass house",
        "house flat of_X",
        "ROOT root burns",
        "ROOT root Burns",
    ]
    assert words.names() == [f"arcs:{triple}" for triple in expected]
    tags = FeatureSpace.fit(side, FeatureOptions(words=1, arcs="tags", max_features=2))
    assert tags.names() == ["arcs:ROOT root VERB"]  # the only feature that is there twice
    assert rows(tags.encode(side)) == [{0: 1.0}, {}, {0: 1.0}]


@pytest.mark.parametrize(
    "token", ["house", "house_NOUN", "house_NOUN_2", "house_NOUN__2", "a_NOUN_nsubj_x", "___"]
)
def test_a_token_without_a_head_is_refused_with_its_line(token: str) -> None:
    side = encode_lines(["the_DET_det_0", "", f"the_DET_det_2 {token}"], keep_case=True)
    options = FeatureOptions(words=0, arcs="words", min_count=1)
    message = f"^left, line 3: token '{token}' has no tag, relation and head, expected word_TAG_relation_head; parse "
    with pytest.raises(InputError, match=message):
        FeatureSpace.fit(side, options, name="left")
    space = FeatureSpace.fit(side.part(0, 1), options)
    with pytest.raises(InputError, match=message):
        space.encode(side.part(2, 3), name="left", lines_before=2)


@pytest.mark.parametrize("head", [2, 3, 999_999_999])
def test_a_head_that_is_no_other_token_of_the_line_is_refused(head: int) -> None:
    side = encode_lines(
        ["the_DET_det_0", "", f"the_DET_det_2 house_NOUN_root_{head}", "a_X_r_0 b_X_r_1 c_X_r_1"]
    )
    message = (
        f"^text, line 3: token 'house_noun_root_{head}': its head must be another of the line's 2 tokens, counted from"
        " 1, or 0 for the root$"
    )
    with pytest.raises(InputError, match=message):
        FeatureSpace.fit(side, FeatureOptions(words=0, arcs="tags", min_count=1))


def test_a_tagger_is_a_callable() -> None:
    lines = tag_lines(["The  house", "", "no\u00a0break"], lambda words: [word[0].upper() for word in words])
    assert list(lines) == ["The_T house_H", "", "no\u00a0break_N"]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (["X"], "line 2: the tagger gave 1 tags to 2 words; it must give one to each word"),
        (["X", "Y_Z"], "line 2: the tagger gave the tag 'Y_Z', expected letters without space and without _"),
        (["X", ""], "line 2: the tagger gave the tag ''"),
        (["X", "Y Z"], "line 2: the tagger gave the tag 'Y Z'"),
        (["X", 7], "line 2: the tagger gave the tag 7"),
    ],
)
def test_a_tagger_that_errs_is_refused(tags: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        list(tag_lines(["", "two words"], lambda _: tags))


def test_too_many_features_are_refused_with_a_cure() -> None:
    side = encode_lines(["a b c d e f g h"])
    options = FeatureOptions(words=2, min_count=1)
    assert FeatureSpace.fit(side, options, limit=15).width == 15
    cure = "use shorter n-grams or a higher min_count, or learn from fewer sentences$"
    with pytest.raises(
        InputError, match=f"^more than 14 different features, reached among word 2-grams; {cure}"
    ):
        FeatureSpace.fit(side, options, limit=14)
    with pytest.raises(InputError, match=r"^more than 7 different features, reached among single words;"):
        FeatureSpace.fit(side, options, limit=7)


@pytest.mark.parametrize("lines", [[], ["", ""]])
def test_a_text_without_words_is_refused(lines: list[str]) -> None:
    with pytest.raises(InputError, match=r"^text has no words: there is nothing to learn features from$"):
        FeatureSpace.fit(encode_lines(lines), FeatureOptions())


def test_a_text_of_rare_words_is_refused() -> None:
    message = "^text has no features: none is there 2 times; lower min_count, or give more text$"
    with pytest.raises(InputError, match=message):
        FeatureSpace.fit(encode_lines(["a b"]), FeatureOptions())


def test_sentences_of_nothing_have_empty_rows() -> None:
    space = FeatureSpace.fit(encode_lines(["a a"]), FeatureOptions(norm="length", weighting="tfidf"))
    assert rows(space.encode(encode_lines([]))) == []
    assert rows(space.encode(encode_lines(["", "x"]))) == [{}, {}]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"words": 0}, "no features: ask for words, tags, chars or arcs, such as words:1,chars:3-5"),
        ({"arcs": "letters"}, "arcs 'letters': expected one of words, tags"),
        ({"words": 9}, "words 9: expected the length of n-grams, from 0 to 8"),
        ({"words": -1}, "words -1: expected the length"),
        ({"tags": 1.5}, "tags must be a whole number, got 1.5"),
        ({"characters": (0, 3)}, "characters 0: expected the length of n-grams, from 1 to 8"),
        ({"characters": (3, 9)}, "characters 9: expected the length"),
        ({"characters": (4, 3)}, "characters 4-3: the shortest is longer than the longest; exchange them"),
        ({"characters": (3,)}, "characters must be a tuple of 2 whole numbers, got tuple"),
        ({"min_count": 0}, "min_count=0: expected a number from 1"),
        ({"max_features": 0}, "max_features=0: expected a number from 1"),
        ({"weighting": "idf"}, "weighting 'idf': expected one of count, tfidf"),
        ({"norm": "max"}, "norm 'max': expected one of none, sum, length"),
    ],
)
def test_options_that_cannot_be_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=f"^{message}"):
        FeatureOptions(**fields)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("words", (1, 0, None, None)),
        (" tags:3 , words:2", (2, 3, None, None)),
        ("chars", (0, 0, (3, 5), None)),
        ("words:1,chars:2-4", (1, 0, (2, 4), None)),
        ("arcs", (0, 0, None, "words")),
        ("arcs:tags,tags:3", (0, 3, None, "tags")),
    ],
)
def test_features_are_parsed(text: str, expected: tuple[Any, ...]) -> None:
    assert tuple(parse_features(text).values()) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "features '': '' is unknown; expected words, chars, tags or arcs"),
        ("words,letters:3", "features 'words,letters:3': 'letters' is unknown"),
        ("words:2,words:3", "features 'words:2,words:3': words is there twice; name it once"),
        ("words:", "features 'words:': words: has no length; expected a number as in words:2"),
        ("words:2-3", "features 'words:2-3': words:2-3 has no length"),
        ("chars:a-b", "features 'chars:a-b': chars:a-b has no length; expected a number as in chars:3-5"),
        ("arcs:2", "features 'arcs:2': arcs:2: expected arcs:words or arcs:tags$"),
        ("arcs:", "features 'arcs:': arcs:: expected arcs:words or arcs:tags$"),
        ("words:12", "words 12: expected the length"),
        ("words:0", "no features:"),
    ],
)
def test_features_that_cannot_be_read_are_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=f"^{message}"):
        parse_features(text)


def packed_space() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    options = FeatureOptions(words=2, characters=(2, 3), min_count=1, weighting="tfidf")
    return FeatureSpace.fit(encode_lines(["a b a", "b a"]), options).packed()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("words_2", lambda keys: keys[::-1], "not in order"),
        ("words_2", lambda keys: keys + (5 << 32), "do not fit each other"),
        ("words_2", lambda keys: keys + 5, "do not fit each other"),
        ("words_2", lambda keys: keys.astype(np.int32), "not in order"),
        ("chars", lambda codes: codes[::-1], "letters are none"),
        ("chars", lambda codes: codes * 0, "words or letters are not different"),
        ("chars", lambda codes: codes + 1, "letters are none"),
        ("idf", lambda idf: idf[1:], "features have no weights"),
        ("idf", lambda idf: idf * np.nan, "features have no weights"),
        ("idf", lambda idf: idf.astype(np.float64), "features have no weights"),
    ],
)
def test_a_damaged_space_is_refused(name: str, change: Any, message: str) -> None:
    meta, arrays, texts = packed_space()
    FeatureSpace.unpacked(meta, arrays, texts)
    with pytest.raises(OptionError, match=message):
        FeatureSpace.unpacked(meta, arrays | {name: change(arrays[name])}, texts)


def test_a_space_with_words_twice_is_refused() -> None:
    meta, arrays, texts = packed_space()
    with pytest.raises(OptionError, match="words or letters are not different"):
        FeatureSpace.unpacked(meta, arrays, texts | {"words": ["a", "a"]})


def test_real_text_has_the_features_of_the_twin(data_folder: Path) -> None:
    path = data_folder / "sentences" / "tatoeba_enes" / "dev.eng.pos"
    lines = path.read_text(encoding="utf-8").splitlines()[:200]
    options = FeatureOptions(words=2, tags=3, characters=(3, 4), weighting="tfidf", max_features=900)
    side = encode_lines(lines)
    space, expected = (
        FeatureSpace.fit(side, options),
        twin.fit([line.lower().split() for line in lines], options),
    )
    assert space.names() == twin.names(expected)
    for found, line in zip(rows(space.encode(side)), lines, strict=True):
        assert found == pytest.approx(twin.encode(expected, line.lower().split()), rel=1e-6)
