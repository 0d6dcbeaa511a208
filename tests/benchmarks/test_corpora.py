import lzma
from pathlib import Path

import pytest

import corpora
from corpora import build_corpus


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "data" / "words" / "xx-yy"
    home.mkdir(parents=True)
    for part, source, target, gold in (
        ("dev", "A b\n", "C\n", "0-0\n"),
        ("test", "D\nE\n", "F g\nH\n", "0-1\n\n"),
    ):
        (home / f"{part}.src").write_text(source)
        (home / f"{part}.tgt").write_text(target)
        (home / f"{part}.gold").write_text(gold)
    for side, lines in (("src", "I\n\nJ\nK\n"), ("tgt", "L\nM\nN  o\nP\n")):
        with lzma.open(home / f"train.{side}.xz", "wt") as file:
            file.write(lines)
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.usefixtures("home")
def test_the_scored_part_comes_first(tmp_path: Path) -> None:
    corpus = build_corpus("xx-yy", "dev+test", 3, tmp_path)
    assert corpus.source.read_text() == "a b\nd\ne\ni\nj\n"
    assert corpus.target.read_text() == "c\nf g\nh\nl\nn o\n"
    assert corpus.gold == "0-0\n0-1\n\n"
    assert (corpus.scored, corpus.pairs, corpus.source_words, corpus.target_words) == (3, 5, 6, 7)


@pytest.mark.usefixtures("home")
def test_all_training_pairs(tmp_path: Path) -> None:
    assert build_corpus("xx-yy", "test", None, tmp_path).source.read_text() == "d\ne\ni\nj\nk\n"


def test_a_corpus_that_is_trained_with_the_text_of_another(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home / "data" / "words" / "only-test"
    own.mkdir()
    for name, text in (("src", "Q\n"), ("tgt", "R\n"), ("gold", "0-0\n")):
        (own / f"test.{name}").write_text(text)
    monkeypatch.setitem(corpora.TRAINING_OF, "only-test", "xx-yy")
    corpus = build_corpus("only-test", "test", 3, tmp_path)
    assert (corpus.source.read_text(), corpus.scored, corpus.pairs) == ("q\ni\nj\n", 1, 3)


@pytest.mark.usefixtures("home")
def test_an_unknown_corpus(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no corpus zz; there are xx-yy"):
        build_corpus("zz", "dev", 1, tmp_path)


def test_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match=r"no corpora in .*words; set CEPTS_DATA"):
        build_corpus("xx-yy", "dev", 1, tmp_path)
