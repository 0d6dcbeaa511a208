import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import (
    Bitext,
    Segmenter,
    Segmenters,
    TextOptions,
    bitext_from_pairs,
    dictionaries,
    encode_lines,
    read_bitext,
)
from cepts.corpus.pieces import Pieces
from cepts.corpus.segmenter import NAMES, segmenters
from cepts.corpus.tokenizer import SHAPES, tokenize, unit_ends
from cepts.errors import InputError, OptionError
from tests.corpus.old_bitexts import save_old
from tests.reference.tokenizer import kind

BUILT_IN = ("auto", "characters", "learned")
TELLING = st.sampled_from("aÉİ1.' \u3000漢字々ひらーカタ\u3099ไทยะាក្ក😀\u0301。")
LINES = st.lists(st.text(TELLING, max_size=12) | st.text(max_size=12), max_size=6)
JAPANESE = ["わたしはほんをよみます。", "かれはほんをかきます。", "ねこがすきです。"] * 8


@pytest.fixture(autouse=True)
def fresh_dictionaries():
    yield
    dictionaries._opened.cache_clear()


def spelled(side, lines):
    """The tokens of each line by their spans."""
    return [[line[start:end] for start, end in side.token_spans(k)] for k, line in enumerate(lines)]


@given(LINES, st.sampled_from(BUILT_IN))
@settings(max_examples=25)
def test_tokens_cover_the_lines_and_begin_where_units_do(lines, name):
    lines = [line.replace("\n", " ") for line in lines]
    side = encode_lines(lines, tokenize=True, segmenter=Segmenter(name), errors="replace")
    plain = encode_lines(lines, tokenize=True, segmenter=Segmenter("characters"), errors="replace")
    assert side.spans.dtype == np.int32
    for k in range(len(lines)):
        spans, other = side.token_spans(k).tolist(), plain.token_spans(k).tolist()
        assert [c for span in spans for c in range(*span)] == [c for span in other for c in range(*span)]
        for start, _ in spans[1:]:
            assert (
                SHAPES[ord(lines[k][start])] not in "mjq"
                or lines[k][start - 1].isspace()
                or kind(lines[k][start - 1]) == "space"
            )


@given(LINES)
def test_characters_are_the_tokens_of_the_tokeniser(lines):
    lines = [line.replace("\n", " ").replace("\0", " ") for line in lines]
    side = encode_lines(lines, tokenize=True, segmenter=Segmenter("characters"))
    assert [list(map(tuple, side.token_spans(k).tolist())) for k in range(len(lines))] == [
        *map(tokenize, lines)
    ]


@given(
    st.lists(
        st.sampled_from(JAPANESE) | st.text("あいうえおかき漢字a ", max_size=30), min_size=1, max_size=30
    )
)
@settings(max_examples=10)
def test_a_line_has_the_same_words_alone_and_among_others(lines):
    together = encode_lines(lines, tokenize=True)
    for k, line in enumerate(lines):
        alone = encode_lines([line], tokenize=True, segmenter=together.segmenter)
        assert alone.sentence(0) == together.sentence(k)
        assert alone.token_spans(0).tolist() == together.token_spans(k).tolist()


def test_words_are_numbered_in_order_of_first_appearance():
    side = encode_lines(JAPANESE, tokenize=True)
    assert list(dict.fromkeys(side.ids.tolist())) == list(range(len(side.words)))
    assert spelled(side, JAPANESE) == [side.sentence(k) for k in range(len(JAPANESE))]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("auto", ["東", "京", "タワー", "ですです", "ไท", "ย", "İs", "。"]),
        ("characters", ["東", "京", "タワー", "ですです", "ไท", "ย", "İs", "。"]),
        ("learned", ["東京", "タワー", "で", "す", "で", "す", "ไท", "ย", "İs", "。"]),
    ],
)
def test_what_each_name_cuts(name, expected):
    line = "東京タワーですです ไทย İs。"
    taught = Segmenter(name, Pieces({"東京": -1.0, "ですです": -1.0} if name == "auto" else {"東京": -1.0}))
    side = encode_lines([line], tokenize=True, segmenter=taught)
    assert spelled(side, [line]) == [expected]


def test_text_with_spaces_teaches_nothing():
    side = encode_lines(["The house", "Дом"], tokenize=True)
    assert side.segmenter == Segmenter("auto", Pieces({}))
    assert encode_lines(["The house"]).segmenter is None


def test_lines_that_were_kept_stay_with_their_segments(tmp_path):
    file = tmp_path / "text"
    file.write_text("".join(f"{line}\n" for line in JAPANESE), "utf-8")
    bitext = read_bitext(file, file, tokenize=True, keep_text=True)
    for side in (bitext.source, bitext.target):
        assert side.segmenter is not None
        assert list(side.originals) == JAPANESE


def test_what_was_learned_is_not_learned_again():
    before = Segmenter("auto", Pieces({}))
    side = encode_lines(JAPANESE, tokenize=True, segmenter=before)
    assert side.segmenter is before
    assert side.sentence(2) == [*"ねこがすきです", "。"]


def test_lowering_changes_nothing_in_scripts_without_spaces():
    lowered = [char for char in map(chr, range(sys.maxunicode + 1)) if char.lower() != char]
    assert len(lowered) > 1000
    assert not {SHAPES[ord(char)] for char in lowered} & {*"hikotvwqmj"}


@pytest.mark.parametrize("name", ["", "Auto", "mecab"])
def test_an_unknown_name_is_refused(name):
    with pytest.raises(OptionError) as error:
        segmenters(name)
    assert str(error.value) == (
        f"segmenter {name!r} is unknown; expected one of auto, characters, learned, jieba, sudachi"
    )


def test_names_for_both_sides():
    assert segmenters("learned") == Segmenters(Segmenter("learned"), Segmenter("learned"))
    assert segmenters(" auto , characters").name == "auto,characters"
    assert segmenters("learned").name == "learned"
    with pytest.raises(OptionError, match="'auto,auto,auto': expected a name, or two with a comma"):
        segmenters("auto,auto,auto")


@pytest.mark.parametrize(
    ("name", "missing", "package"),
    [
        ("jieba", "rjieba", "rjieba"),
        ("sudachi", "sudachipy", "sudachipy and sudachidict_small"),
        ("sudachi", "sudachidict_small", "sudachipy and sudachidict_small"),
    ],
)
def test_a_missing_extra_is_named(monkeypatch, name, missing, package):
    dictionaries._opened.cache_clear()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(OptionError) as error:
        Segmenter(name)
    assert str(error.value) == f"segmenter {name!r} needs {package}: pip install 'cepts[segment]'"


def stand_in(monkeypatch, name, **content):
    """Put a module in the place of one that need not be installed."""
    module = ModuleType(name)
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)
    dictionaries._opened.cache_clear()


def test_a_chinese_dictionary_cuts_han_and_leaves_marks_with_their_base(monkeypatch):
    stand_in(monkeypatch, "rjieba", cut=lambda run: [run[:2], run[2:]])
    line = "我们说ひらがな 漢\u3099字体 a"
    side = encode_lines([line], tokenize=True, segmenter=Segmenter("jieba", Pieces({"ひらがな": -1.0})))
    assert spelled(side, [line]) == [["我们", "说", "ひらがな", "漢\u3099", "字体", "a"]]
    other = "漢字\u3099体"
    assert spelled(encode_lines([other], tokenize=True, segmenter=side.segmenter), [other]) == [[other]]


@pytest.mark.parametrize("maker", ["tokenizer", "create"])
def test_a_japanese_dictionary_cuts_han_and_kana_together(monkeypatch, maker):
    def tokens(run):
        return [
            SimpleNamespace(begin=lambda k=k: k, end=lambda k=k: min(k + 2, len(run)))
            for k in range(0, len(run), 2)
        ]

    class Dictionary:
        def __init__(self, dict):  # noqa: A002
            assert dict == "small"
            setattr(self, maker, lambda mode: SimpleNamespace(tokenize=tokens if mode == "A" else None))

    stand_in(monkeypatch, "sudachidict_small")
    stand_in(monkeypatch, "sudachipy", Dictionary=Dictionary, SplitMode=SimpleNamespace(A="A"))
    monkeypatch.setattr(dictionaries, "SUDACHI_LIMIT", 6)
    line = "食べるタワーです。ไทย"
    side = encode_lines([line], tokenize=True, segmenter=Segmenter("sudachi"))
    assert spelled(side, [line]) == [["食べ", "るタ", "ワー", "です", "。", "ไท", "ย"]]


def test_the_real_dictionaries_if_they_are_there():
    pytest.importorskip("rjieba")
    pytest.importorskip("sudachidict_small")
    side = encode_lines(["我们去北京"], tokenize=True, segmenter=Segmenter("jieba"))
    assert side.sentence(0) == ["我们", "去", "北京"]
    side = encode_lines(["東京に行きます"], tokenize=True, segmenter=Segmenter("sudachi"))
    assert side.sentence(0) == ["東京", "に", "行き", "ます"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_description_gives_the_same_again(name):
    taught = encode_lines(JAPANESE, tokenize=True, segmenter=Segmenter(name)).segmenter
    assert Segmenter.of_description(taught.described()) == taught
    assert Segmenter.of_description(Segmenter(name).described()) == Segmenter(name)


@pytest.mark.parametrize(
    "pieces",
    [[], "か", {"": -1.0}, {"か": "x"}, {"か": 1.0}, {"か": float("nan")}, {"か": -1e300}, {"か": None}],
)
def test_a_forged_description_is_refused(pieces):
    with pytest.raises(OptionError, match="its pieces of words are none"):
        Segmenter.of_description({"name": "auto", "pieces": pieces})


def test_a_saved_bitext_knows_how_it_was_cut(tmp_path):
    bitext = bitext_from_pairs([(line, "a b") for line in JAPANESE], tokenize=True)
    bitext.save(tmp_path / "saved")
    loaded = Bitext.load(tmp_path / "saved")
    assert loaded.source.segmenter == bitext.source.segmenter
    assert bitext.part(0, 2).source.segmenter is bitext.source.segmenter
    assert bitext.picked(np.array([1])).source.segmenter is bitext.source.segmenter
    save_old(bitext, tmp_path / "old")
    assert Bitext.load(tmp_path / "old").source.segmenter == bitext.source.segmenter
    (tmp_path / "old" / "source-segmenter.json").write_text('{"name": "auto"}', "utf-8")
    with pytest.raises(InputError, match="holds no saved bitext, or a damaged one"):
        Bitext.load(tmp_path / "old")
    for name in ("source", "target"):  # as version 0.1 wrote it
        (tmp_path / "old" / f"{name}-segmenter.json").unlink()
    assert Bitext.load(tmp_path / "old").source.segmenter is None


def test_options_keep_what_was_learned_and_old_ones_mean_characters():
    bitext = bitext_from_pairs([(line, "a b") for line in JAPANESE], tokenize=True)
    options = TextOptions(tokenize=True).after(bitext)
    assert options.segmenter.source == bitext.source.segmenter
    assert TextOptions.of_description(options.described()) == options
    assert options.of_side(source=False)["segmenter"] == bitext.target.segmenter
    assert TextOptions().after(bitext) == TextOptions()
    old = TextOptions.of_description({"tokenize": True, "keep_case": False})
    assert old.segmenter.name == "characters"


def test_units_of_a_run():
    assert unit_ends("か\u3099ー漢字") == [3, 4, 5]
    assert set(NAMES) == {*BUILT_IN, "jieba", "sudachi"}
