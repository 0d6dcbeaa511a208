"""The measurement of segmenters: links of pieces become links of words, and syllables become signs."""

import doctest
import lzma

import pytest

import segmentation
from segmentation import FIRSTS, SIGNS, Text, as_syllables, joined, main, on_words, parse_gold, rates, swapped


def test_examples():
    assert doctest.testmod(segmentation).failed == 0


def test_links_of_pieces_count_for_the_words_that_hold_them():
    line, words = joined(["我们", "说", "话"])
    assert line == "我们说话"
    pieces = [(0, 1), (1, 3), (3, 4)]
    assert on_words([(0, 7), (1, 8), (2, 9)], pieces, words) == {(0, 7), (0, 8), (1, 8), (2, 9)}


def test_rates_by_hand():
    gold = [parse_gold("0-0 1-1 2?2")]
    # three links, two of them right, one of these sure, of two sure ones: AER 1 - (1 + 2) / (3 + 2)
    assert rates([{(0, 0), (2, 2), (5, 5)}], gold) == pytest.approx([40, 200 / 3, 50])
    assert swapped(Text([["a"]], [["b"]], [parse_gold("0-1")])) == Text([["b"]], [["a"]], [parse_gold("1-0")])


def test_each_syllable_has_signs_of_its_own():
    many = [f"{first}{second}a" for first in "bcdfghlmnpqrstvzxjkw" for second in "bcdfghlmnpqrstvzxjkw"]
    text = as_syllables(Text([["pane", "3,5", "nepa"], many], [[], []], []))
    (bread, number, turned), others = text.sources
    assert number == "3,5"
    assert bread == turned[::-1]
    assert len(bread) == 2
    assert len(set(others)) == len(many) > len(SIGNS) - FIRSTS
    assert {len(word) for word in others} == {1, 2}


def test_a_small_run_writes_its_table(tmp_path, monkeypatch):
    lines = {"zh-en": ("我们 说 话", "we speak words"), "en-it": ("we eat bread", "noi mangiamo pane")}
    for name, (source, target) in lines.items():
        home = tmp_path / "words" / name
        home.mkdir(parents=True)
        (home / "dev.src").write_text(f"{source}\n" * 3, "utf-8")
        (home / "dev.tgt").write_text(f"{target}\n" * 3, "utf-8")
        (home / "dev.gold").write_text("0-0 1-1 2-2\n" * 3, "utf-8")
        for side, line in (("src", source), ("tgt", target)):
            with lzma.open(home / f"train.{side}.xz", "wt", encoding="utf-8") as stream:
                stream.write(f"{line}\n" * 3)
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    names = {text: tuple(set(known) - {"jieba"}) for text, known in segmentation.SEGMENTERS.items()}
    monkeypatch.setattr(segmentation, "SEGMENTERS", names)
    main(["--output", str(tmp_path / "table.md")])
    table = (tmp_path / "table.md").read_text("utf-8")
    assert table.startswith("# Segmentation, dev\n\n| text ")
    assert [row.count("|") for row in table.splitlines()[2:]] == [10] * 8
