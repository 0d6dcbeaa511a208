"""`cepts similar train`, `score` and `rank`, on the built-in sample."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cepts
from cepts.quality.similar import Similarity
from cepts.sentences.features import FeatureOptions, tag_lines
from tests.cli.command import refused, run, succeed
from tests.cli.similar_model import SMALL, prepare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.similar_model import Texts


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    """The sample cut in two, and a model; tests only read them."""
    return prepare(tmp_path_factory.mktemp("similar"))


@pytest.fixture(scope="module")
def loaded(texts: Texts) -> Similarity:
    return Similarity.load(texts.model)


def rows(out: str) -> list[tuple[int, int, int, float]]:
    fields = [line.split("\t") for line in out.splitlines()]
    return [(int(line), int(rank), int(target), float(score)) for line, rank, target, score in fields]


def test_the_group_alone_shows_its_commands_in_order() -> None:
    out = succeed("similar")
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines()]
    assert listed == ["train", "score", "rank", "train-judge", "judge", "curve"]


@pytest.mark.parametrize("use", ["both", "factors", "lexicon"])
def test_scores_are_those_of_python(texts: Texts, loaded: Similarity, use: str) -> None:
    out = succeed(
        "similar", "score", "--model", texts.model, texts.new_source, texts.new_target, "--use", use
    )
    expected = loaded.score(cepts.read_bitext(texts.new_source, texts.new_target), use)
    assert [float(line) for line in out.splitlines()] == pytest.approx(expected.tolist(), abs=1e-6)


def test_right_pairs_score_higher_than_wrong_ones(texts: Texts, tmp_path: Path) -> None:
    lines = texts.new_target.read_text(encoding="utf-8").splitlines()
    wrong = tmp_path / "wrong"
    wrong.write_text("".join(f"{line}\n" for line in [*lines[1:], lines[0]]), encoding="utf-8")
    right, shifted = (
        np.array(succeed("similar", "score", "--model", texts.model, texts.new_source, file).split(), float)
        for file in (texts.new_target, wrong)
    )
    assert np.mean(right > shifted) > 0.9


def test_scores_of_one_file_with_both_sides(texts: Texts) -> None:
    sides = (path.read_text(encoding="utf-8").splitlines() for path in (texts.new_source, texts.new_target))
    both = "".join(f"{source}\t{target}\n" for source, target in zip(*sides, strict=True)).encode()
    of_two = succeed("similar", "score", "--model", texts.model, texts.new_source, texts.new_target)
    assert run("similar", "score", "--model", texts.model, "-", stdin=both).out == of_two


def test_empty_and_unseen_sentences_have_a_neutral_score(texts: Texts) -> None:
    pairs = b"\t\nle chat .\t\nxyzzy plugh\tfrobozz\nle chat .\tthe cat .\n"
    result = run("similar", "score", "--model", texts.model, "-", stdin=pairs)
    scores = [float(line) for line in result.out.splitlines()]
    assert scores[:3] == [0, 0, 0]
    assert scores[3] > 0
    assert result.err == "cepts: 2 of 4 pairs have an empty side: their score is 0\n"


@pytest.mark.parametrize("neighbours", ["0", "3"])
def test_ranks_are_those_of_python(texts: Texts, loaded: Similarity, neighbours: str) -> None:
    arguments = (
        "similar",
        "rank",
        "--model",
        texts.model,
        texts.new_source,
        texts.new_target,
        "--n-best",
        "3",
    )
    found = rows(succeed(*arguments, "--neighbours", neighbours))
    bitext = cepts.read_bitext(texts.new_source, texts.new_target)
    expected = [
        (line + 1, place, target + 1, score)
        for ranked in loaded.rank(bitext.source, bitext.target, 3, neighbours=int(neighbours))
        for line, targets, scores in zip(*(part.tolist() for part in ranked), strict=True)
        for place, (target, score) in enumerate(zip(targets, scores, strict=True), 1)
        if target >= 0
    ]
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert [row[3] for row in found] == pytest.approx([row[3] for row in expected], abs=1e-5)
    best = [row for row in found if row[1] == 1]
    assert np.mean([line == target for line, _, target, _ in best]) > 0.8


def test_texts_of_different_lengths_are_ranked(texts: Texts, tmp_path: Path) -> None:
    some = tmp_path / "some"
    lines = texts.new_source.read_text(encoding="utf-8").splitlines()
    some.write_text(f"{lines[7]}\n\n{lines[2]}\n", encoding="utf-8")
    arguments = ("similar", "rank", "--model", texts.model, some, texts.new_target)
    result = run(*arguments, "--n-best", "1", "--use", "lexicon")
    assert [row[:3] for row in rows(result.out)] == [(1, 1, 8), (3, 1, 3)]
    said = "1 of 3 lines have nothing in common with any other: nothing is written for them"
    assert result.err == f"cepts: {said}\n"
    assert run(*arguments, "--n-best", "1", "--quiet").err == ""


def test_threads_change_nothing(texts: Texts, tmp_path: Path) -> None:
    model = tmp_path / "model"
    trained = ("similar", "train", texts.source, texts.target, "--output", model, *SMALL, "--threads", "2")
    assert succeed(*trained) == ""
    for file in texts.model.iterdir():
        assert (model / file.name).read_bytes() == file.read_bytes()
    ranked = ("similar", "rank", "--model", model, texts.new_source, texts.new_target)
    assert succeed(*ranked, "--threads", "2") == succeed(*ranked)


def test_output_goes_to_a_file(texts: Texts, tmp_path: Path) -> None:
    file = tmp_path / "scores.gz"
    arguments = ("similar", "score", "--model", texts.model, texts.new_source, texts.new_target)
    assert succeed(*arguments, "--output", file) == ""
    assert gzip.decompress(file.read_bytes()).decode() == succeed(*arguments)


def test_options_reach_the_model(texts: Texts, tmp_path: Path) -> None:
    model = tmp_path / "model"
    features = (
        "--features",
        "words:2,chars:3-4",
        "--weighting",
        "tfidf",
        "--norm",
        "sum",
        "--min-count",
        "3",
    )
    factors = (
        "--beta",
        "1",
        "--start",
        "svd",
        "--factor-sparsity",
        "0.1",
        "--coupling",
        "0.01",
        "--seed",
        "5",
    )
    arguments = ("--output", model, "--max-features", "500", *SMALL, *features, *factors, "--tolerance", "0")
    assert succeed("similar", "train", texts.source, texts.target, *arguments) == ""
    found = Similarity.load(model).factors
    assert found.spaces[0].options == FeatureOptions(2, 0, (3, 4), "tfidf", "sum", 3, 500)
    assert found.spaces[0].width == 500
    options = found.factorisation.options
    assert (options.k, options.iterations, options.beta, options.start) == (8, 20, 1.0, "svd")
    assert (options.factor_sparsity, options.coupling, options.seed) == (0.1, 0.01, 5)
    assert len(found.factorisation.losses) == 21


def test_a_model_remembers_how_text_was_read(tmp_path: Path) -> None:
    both = tmp_path / "both"
    pairs = [("L'ami.", "The friend."), ("L'ami dort.", "The friend sleeps."), ("Il dort.", "He sleeps.")]
    both.write_text("".join(f"{source}\t{target}\n" for source, target in pairs * 10), encoding="utf-8")
    model = tmp_path / "model"
    arguments = ("similar", "train", both, "--output", model, "--k", "3", "--tokenize", "--keep-case")
    assert succeed(*arguments) == ""
    assert json.loads(succeed("info", model, "--json"))["meta"]["text"] == {
        "tokenize": True,
        "keep_case": True,
        "segmenter": [{"name": "auto", "pieces": {}}] * 2,
    }
    scores = succeed("similar", "score", "--model", model, "-", "--use", "lexicon", stdin=both.read_bytes())
    text = cepts.read_bitext(both, tokenize=True, keep_case=True)
    expected = Similarity.load(model).score(text, "lexicon")
    assert [float(line) for line in scores.splitlines()] == pytest.approx(expected.tolist(), abs=1e-6)
    ranked = succeed("similar", "rank", "--model", model, *write_sides(tmp_path, pairs), "--n-best", "1")
    assert [row[2] for row in rows(ranked)] == [1, 2, 3]


def write_sides(folder: Path, pairs: list[tuple[str, str]]) -> list[Path]:
    files = [folder / "source", folder / "target"]
    for file, lines in zip(files, zip(*pairs, strict=True), strict=True):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files


def test_tagged_text_is_learned_from(texts: Texts, tmp_path: Path) -> None:
    def tagged(path: Path) -> Path:
        lines = path.read_text(encoding="utf-8").splitlines()
        file = tmp_path / path.name
        found = tag_lines(lines, lambda words: [str(min(len(word), 4)) for word in words])
        file.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        return file

    model = tmp_path / "model"
    files = [tagged(path) for path in (texts.source, texts.target)]
    assert succeed("similar", "train", *files, "--output", model, "--features", "tags:3", *SMALL) == ""
    names = Similarity.load(model).factors.spaces[0].names()
    assert "tags:1 4 2" in names
    new = [tagged(path) for path in (texts.new_source, texts.new_target)]
    scores = succeed("similar", "score", "--model", model, *new, "--use", "factors").split()
    assert np.all(np.array(scores, float) > 0)


def test_parsed_text_is_learned_from(texts: Texts, tmp_path: Path) -> None:
    def parsed(path: Path) -> Path:
        """Let each word depend on the one before it, by the length of its own."""
        file, lines = tmp_path / path.name, []
        for line in path.read_text(encoding="utf-8").splitlines():
            words = enumerate(line.split())
            lines.append(" ".join(f"{word}_T_{min(len(word), 4)}_{number}" for number, word in words))
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return file

    model = tmp_path / "model"
    files = [parsed(path) for path in (texts.source, texts.target)]
    assert succeed("similar", "train", *files, "--output", model, "--features", "arcs,tags:2", *SMALL) == ""
    names = Similarity.load(model).factors.spaces[1].names()
    assert {"arcs:the 3 cat", "tags:t t"} <= {*names}
    new = [parsed(path) for path in (texts.new_source, texts.new_target)]
    scores = succeed("similar", "score", "--model", model, *new, "--use", "factors").split()
    assert np.all(np.array(scores, float) > 0)
    new[1].write_text(new[1].read_text(encoding="utf-8").replace("_1", "_99"), encoding="utf-8")
    said = refused("similar", "score", "--model", model, *new)
    assert "its head must be another of the line's " in said


def test_memory_changes_no_model_and_is_said(texts: Texts, tmp_path: Path) -> None:
    model = tmp_path / "model"
    trained = ("similar", "train", texts.source, texts.target, "--output", model, *SMALL)
    result = run(*trained, "--memory", "250M")
    assert result.err.startswith("cepts: memory: 250 MB; ")
    assert result.err.endswith(" of arrays went to temporary files\n")
    for file in texts.model.iterdir():
        assert (model / file.name).read_bytes() == file.read_bytes()
