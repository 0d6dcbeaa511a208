"""The experiment on known links: what it scores, and that a run goes on where it stopped."""

import json
import lzma

import pytest

import known_links
from cepts import Links
from cepts.links import Link


def test_words_with_known_links_are_not_scored():
    links = [Link(0, 0), Link(0, 1), Link(1, 1), Link(2, 2)]
    assert known_links.without(links, [Link(1, 1)]) == [Link(0, 0), Link(2, 2)]


def test_the_table_has_a_line_for_each_thing_known_and_a_mean():
    rows = [
        {"corpus": corpus, "pairs": 10, "known": "half: links", "method": "fast", "aer": aer}
        for corpus, aer in (("a-b", 10.0), ("c-d", 20.0))
    ]
    lines = known_links.table([*rows, rows[0] | {"known": "lexicon: 1"}]).split("\n")
    assert lines[1].split() == ["fast", "half:", "links", "10.0", "20.0", "15.0"]
    assert lines[2].split() == ["fast", "lexicon:", "1", "10.0", "-", "-"]


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A corpus of twelve pairs whose words translate in order, with gold for the first four."""
    home = tmp_path / "words" / "a-b"
    home.mkdir(parents=True)
    pairs = [(f"a{k % 4} b{k % 3}", f"x{k % 4} y{k % 3}") for k in range(16)]
    for side, name in enumerate(("src", "tgt")):
        (home / f"dev.{name}").write_text("".join(f"{pair[side]}\n" for pair in pairs[:4]))
        with lzma.open(home / f"train.{name}.xz", "wt") as stream:
            stream.write("".join(f"{pair[side]}\n" for pair in pairs[4:]))
    (home / "dev.gold").write_text("0-0 1-1\n" * 4)
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    return "a-b"


def test_a_run_measures_what_is_missing(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(known_links, "METHODS", {"fast": {}})
    arguments = ["--corpora", corpus, "--pairs", "6", "--others", "6", "--output", str(tmp_path)]
    known_links.main(arguments)
    rows = json.loads((tmp_path / "known-links.json").read_text())
    assert [row["known"] for row in rows[:3]] == ["half: nothing", "half: links", "half: links, complete"]
    assert all(0 <= row["aer"] <= 100 for row in rows)
    text = (tmp_path / "known-links.md").read_text()
    assert "lexicon without weights: 5" in text
    (tmp_path / "known-links.json").write_text(json.dumps(rows[1:]))
    monkeypatch.setattr(known_links, "third", None)  # would fail if it were asked again
    known_links.main(arguments)
    again = json.loads((tmp_path / "known-links.json").read_text())
    assert sorted(again, key=str) == sorted(rows, key=str)


def test_known_links_stand_before_empty_lines(corpus):
    setting = known_links.Setting(corpus, 6, 6)
    padded = known_links.padded([[(0, 0)]], setting)
    assert isinstance(padded, Links)
    assert [len(pair) for pair in padded] == [1, *[0] * 9]
