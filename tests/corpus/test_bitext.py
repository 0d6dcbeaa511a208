import re
from pathlib import Path

import numpy as np
import pytest

from cepts import corpus
from cepts.corpus import Bitext, bitext_from_pairs, read_bitext, side_from_tokens
from cepts.errors import InputError, OutputError
from tests.corpus.old_bitexts import save_old

PAIRS = [("La maison", "the house"), ("", "nothing"), ("l'été \u2028 Ünï", "summer, ok")]


@pytest.mark.parametrize("tokenize", [False, True])
@pytest.mark.parametrize("pairs", [PAIRS, PAIRS[1:2], [("", "")], []])
def test_save_and_load(tmp_path: Path, tokenize: bool, pairs: list[tuple[str, str]]) -> None:
    bitext = bitext_from_pairs(pairs, tokenize=tokenize)
    bitext.save(tmp_path / "new" / "folder")
    loaded = Bitext.load(tmp_path / "new" / "folder")
    for left, right in ((bitext.source, loaded.source), (bitext.target, loaded.target)):
        assert list(left.words) == list(right.words)
        for name in ("ids", "offsets", "spans"):
            before, after = getattr(left, name), getattr(right, name)
            if before is None:
                assert after is None
            else:
                assert (type(after), after.dtype) == (np.ndarray, before.dtype)
                np.testing.assert_array_equal(before, after)


def test_loaded_arrays_stay_on_disk_and_look_like_those_in_memory(tmp_path: Path) -> None:
    bitext_from_pairs(PAIRS).save(tmp_path)
    ids = Bitext.load(tmp_path).source.ids
    assert isinstance(ids.base, np.memmap)
    assert ids.flags.writeable  # a read-only array would make kernels compile again
    ids[0] = 7
    assert Bitext.load(tmp_path).source.ids[0] == 0


def test_saving_over_what_is_still_in_use(tmp_path: Path) -> None:
    bitext_from_pairs(PAIRS, tokenize=True).save(tmp_path)
    loaded = Bitext.load(tmp_path)
    loaded.swapped().save(tmp_path)
    assert Bitext.load(tmp_path).source.sentence(0) == loaded.target.sentence(0) == ["the", "house"]
    bitext_from_pairs(PAIRS[:1]).save(tmp_path)
    assert Bitext.load(tmp_path).source.spans is None
    assert loaded.source.sentence(0) == ["la", "maison"]


def test_saving_where_a_file_stands(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(OutputError, match=f"^cannot write a bitext to {re.escape(str(file))}: .+$"):
        bitext_from_pairs(PAIRS).save(file)


def test_cells_lengths_and_swapping() -> None:
    bitext = bitext_from_pairs(PAIRS)
    assert bitext.source.lengths.tolist() == [2, 0, 3]
    assert bitext.target.lengths.tolist() == [2, 1, 2]
    assert bitext.cells == 2 * 2 + 0 * 1 + 3 * 2
    assert bitext.swapped().source is bitext.target
    assert len(bitext.swapped()) == 3


@pytest.mark.parametrize("tokenize", [False, True])
@pytest.mark.parametrize(("first", "end"), [(0, 3), (0, 1), (1, 2), (1, 3), (2, 9), (1, 1), (3, 3), (3, 9)])
def test_a_part_has_the_same_sentences_and_words(tokenize: bool, first: int, end: int) -> None:
    bitext = bitext_from_pairs(PAIRS, tokenize=tokenize)
    part = bitext.part(first, end)
    assert len(part) == len(part.target) == min(end, 3) - first
    for whole, side in ((bitext.source, part.source), (bitext.target, part.target)):
        assert side.words is whole.words
        assert (side.ids.dtype, side.offsets.dtype) == (whole.ids.dtype, whole.offsets.dtype)
        assert side.offsets[0] == 0
        assert len(side.ids) == side.offsets[-1]
        assert (side.spans is None) == (not tokenize)
        for k in range(len(part)):
            assert side.sentence(k) == whole.sentence(first + k)
            spans, expected = side.token_spans(k), whole.token_spans(first + k)
            assert (spans is None) == (not tokenize)
            if spans is not None and expected is not None:
                np.testing.assert_array_equal(spans, expected)


def test_a_part_of_a_part_and_of_what_is_on_disk(tmp_path: Path) -> None:
    bitext = bitext_from_pairs([*PAIRS, ("un chat", "a cat")])
    bitext.save(tmp_path)
    for whole in (bitext, Bitext.load(tmp_path)):
        part = whole.part(1, 4).part(1, 3)
        assert [part.source.sentence(k) for k in range(2)] == [whole.source.sentence(k) for k in (2, 3)]
        assert part.target.offsets.tolist() == [0, 2, 4]
        assert part.target.sentence(1) == ["a", "cat"]
    assert bitext.source.offsets.tolist() == [0, 2, 2, 5, 7], "the whole is what it was"


def test_side_from_tokens() -> None:
    side = side_from_tokens([["b", "a", "b"], [], ["a b"]])
    assert side.ids.tolist() == [0, 1, 0, 2]
    assert side.offsets.tolist() == [0, 3, 3, 4]
    assert list(side.words) == ["b", "a", "a b"]
    assert side.token_spans(0) is None


def test_public_names_exist() -> None:
    assert sorted(corpus.__all__) == list(corpus.__all__)
    assert all(hasattr(corpus, name) for name in corpus.__all__)


def test_what_is_known_of_the_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    rows = ['{"en": "A b", "fr": "C"}', '{"en": "x"}', '{"en": "D", "fr": "e é"}']
    file.write_text("".join(f'{{"translation": {row}}}\n' for row in rows), encoding="utf-8")
    bitext = read_bitext(file, keep_text=True)
    bitext.save(tmp_path / "saved")
    for one in (bitext, Bitext.load(tmp_path / "saved")):
        assert one.units is not None
        assert one.source.originals is not None
        assert one.target.originals is not None
        assert one.units.tolist() == [1, 3]
        assert (one.left_out, one.languages) == ({"with one side only": 1}, ("en", "fr"))
        assert list(one.source.originals) == ["A b", "D"]
        turned = one.swapped()
        assert (turned.languages, turned.left_out) == (("fr", "en"), one.left_out)
        for part in (one.part(1, 2), one.picked(np.array([1]))):
            assert part.units is not None
            assert part.target.originals is not None
            assert (part.units.tolist(), list(part.target.originals), part.languages) == (
                [3],
                ["e é"],
                ("en", "fr"),
            )
            assert part.target.token_spans(0).tolist() == [[0, 1], [2, 3]]
    one.part(1, 2).save(tmp_path / "part")
    assert list(Bitext.load(tmp_path / "part").target.originals or []) == ["e é"]


def test_a_bitext_that_was_saved_before_files_were_known(tmp_path: Path) -> None:
    save_old(bitext_from_pairs([("a", "b")]), tmp_path)
    (tmp_path / "origin.json").unlink()
    loaded = Bitext.load(tmp_path)
    assert (loaded.units, loaded.left_out, loaded.languages) == (None, {}, None)
    (tmp_path / "origin.json").write_text("[]")
    with pytest.raises(InputError, match="holds no saved bitext, or a damaged one"):
        Bitext.load(tmp_path)
