"""`cepts names`: every command, on the built-in sample."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from cepts.characters import EditModel
from cepts.characters.model import BEAM
from cepts.evaluation import evaluate_names
from cepts.names.files import read_pairs
from tests.cli.command import run, start, succeed
from tests.cli.names_model import SMALL, TEST, TRAIN, column, train_writer

if TYPE_CHECKING:
    from pathlib import Path

RHYMES = "cat\that\tmat\trat\nbug\trug\thug\nsing\tring\tking\nlone\n"
OVERLAP = (
    "3 of 8 examples of dev are in the training data, too: they make dev look too good;"
    " drop them from one of both"
)
UNCALIBRATED = (
    "matches have no probabilities, dev is too small for that: 5 different pairs of names to calibrate with,"
    " expected at least 20"
)
ORDERS = "abc\tabc\txyz\nbcd\tbcd\txyz\ncab\tcab\tzzz\tyyy\n"


@pytest.fixture(scope="module")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that writes names; tests only read it."""
    return train_writer(tmp_path_factory.mktemp("names") / "writer")


@pytest.fixture(scope="module")
def loaded(writer: Path) -> EditModel:
    return EditModel.load(writer)


@pytest.fixture
def answers(writer: Path, tmp_path: Path) -> Path:
    """Candidates for the names of the sample's test."""
    path = tmp_path / "answers"
    arguments = ("names", "transcribe", "--model", writer, "--output", path)
    assert succeed(*arguments, stdin=column(0).encode()) == ""
    return path


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_the_group_alone_shows_its_commands_in_order() -> None:
    out = succeed("names")
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines()]
    assert listed == ["train", "transcribe", "rank", "match", "explain", "evaluate"]
    assert succeed("names", "--help") == out


def test_transcribe_writes_ranked_candidates(writer: Path, loaded: EditModel) -> None:
    names = column(0, 5)
    out = succeed("names", "transcribe", "--model", writer, "--n-best", "3", stdin=names.encode())
    expected = [
        [name, str(rank), candidate.text, f"{candidate.score:.4f}"]
        for name, found in zip(names.split(), loaded.transcribe(names.split(), 3), strict=True)
        for rank, candidate in enumerate(found, 1)
    ]
    assert rows(out) == expected
    assert ["вадим", "1", "vadim"] in [row[:3] for row in expected]  # it has learned something


def test_threads_and_blocks_make_no_difference(writer: Path) -> None:
    names = (column(0, path=TRAIN) * 12).encode()  # more than a block
    one = succeed("names", "transcribe", "--model", writer, "--n-best", "1", stdin=names)
    two = succeed("names", "transcribe", "--model", writer, "--n-best", "1", "--threads", "2", stdin=names)
    assert one == two
    assert len(one.splitlines()) == 12 * 299
    assert one.splitlines()[:299] == one.splitlines()[-299:]


def test_a_wider_beam_never_finds_worse_names(writer: Path) -> None:
    def best(beam: int) -> list[float]:
        arguments = ("--n-best", "1", "--beam", str(beam))
        return [
            float(row[3])
            for row in rows(
                succeed("names", "transcribe", "--model", writer, *arguments, stdin=column(0).encode())
            )
        ]

    assert sum(best(40)) >= sum(best(1))


def test_a_pipe_is_served_line_by_line(writer: Path) -> None:
    process = start("names", "transcribe", "--model", writer, "--n-best", "1", "--quiet")
    assert process.stdin is not None
    assert process.stdout is not None
    for name in ("вадим", "полина"):
        process.stdin.write(f"{name}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().decode().split("\t")[0] == name  # before stdin ends
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
    if process.stderr is not None:
        process.stderr.close()


def test_empty_lines_are_counted_and_said(writer: Path) -> None:
    result = run("names", "transcribe", "--model", writer, "--n-best", "1", stdin="\n вадим \n\n".encode())
    assert [row[0] for row in rows(result.out)] == ["вадим"]
    assert result.err == "cepts: 2 of 3 lines are empty: nothing is written for them\n"
    silent = run("names", "transcribe", "--model", writer, "--quiet", stdin=b"\n")
    assert (silent.status, silent.out, silent.err) == (0, "", "")


def test_long_and_unknown_names_are_survived(writer: Path) -> None:
    long = "ва" * 1000
    arguments = ("names", "transcribe", "--model", writer, "--n-best", "1")
    out = rows(succeed(*arguments, stdin=f"{long}\nвадим-7\n".encode()))
    assert [row[0] for row in out] == [long, "вадим-7"]
    assert out[1][2].endswith("-7")  # letters that were not in training are copied


def test_rank_chooses_from_a_list(writer: Path, loaded: EditModel, tmp_path: Path) -> None:
    candidates = tmp_path / "candidates"
    candidates.write_text(column(1) + "\nvadim\n", encoding="utf-8")
    result = run(
        "names",
        "rank",
        "--model",
        writer,
        "--candidates",
        candidates,
        "--n-best",
        "2",
        stdin=column(0).encode(),
    )
    assert result.err == (
        "cepts: 1 of 32 lines of candidates are empty: left out\n"
        "cepts: 1 of 32 candidates were there before: left out\n"
    )
    expected = loaded.rank(column(0).split(), column(1).split(), 2)
    assert [row[2] for row in rows(result.out)] == [
        candidate.text for found in expected for candidate in found
    ]
    assert [row[1] for row in rows(result.out)] == ["1", "2"] * 30


def test_explain_shows_edits_that_add_up(writer: Path, loaded: EditModel) -> None:
    *edits, last = succeed("names", "explain", writer, "вера", "vera").splitlines()
    assert last.split() == ["affinity", f"{loaded.affinity('вера', 'vera'):.3f}"]
    assert sum(float(line[10:].split()[0]) for line in edits) == pytest.approx(
        float(last.split()[1]), abs=0.003
    )
    assert edits[0].startswith("<в, v> ")
    assert "∅" in edits[0]


def test_explain_as_json_has_everything(writer: Path, loaded: EditModel) -> None:
    found = json.loads(succeed("names", "explain", writer, "вера", "vera", "--format", "json"))
    edits = loaded.explain("вера", "vera")
    assert found["affinity"] == pytest.approx(loaded.affinity("вера", "vera"))
    assert [edit["target"] for edit in found["edits"]] == [edit.target for edit in edits]
    assert found["edits"][0]["features"][0] == edits[0].features[0]._asdict()


def test_explain_lists_the_largest_weights(writer: Path, loaded: EditModel) -> None:
    lines = succeed("names", "explain", writer, "--top", "3").splitlines()
    weights = loaded.largest_weights(3)
    assert [line.split()[2:] for line in lines] == [
        [f"{weight.weight:.3f}", weight.feature] for weight in weights
    ]
    assert len(succeed("names", "explain", writer).splitlines()) == 20


def test_explain_lists_those_of_a_letter(writer: Path, loaded: EditModel) -> None:
    found = json.loads(succeed("names", "explain", writer, "--letter", "ш", "--top", "4", "--format", "json"))
    assert found == [weight._asdict() for weight in loaded.largest_weights(4, "ш")]
    assert {weight["source"] for weight in found} == {"ш"}
    put_in = succeed("names", "explain", writer, "--letter", "", "--top", "4").splitlines()
    assert all(line.startswith("<ε, ") for line in put_in)


def test_evaluate_a_model_is_what_python_says(writer: Path, loaded: EditModel) -> None:
    found = json.loads(succeed("names", "evaluate", TEST, "--model", writer, "--format", "json"))
    sources, targets = zip(*read_pairs(TEST), strict=True)
    lists = [[candidate.text for candidate in found] for found in loaded.transcribe(sources)]
    expected = evaluate_names(lists, [[target] for target in targets]).to_dict()
    assert {**expected, "signature": ""} == {**found, "signature": ""}
    assert found["signature"].startswith(
        f"transcribe|n-best:5|beam:{BEAM}|references:30|resamples:1000|seed:1|"
    )
    assert found["accuracy"] > 0.3


def test_evaluate_answers_without_a_model(writer: Path, answers: Path) -> None:
    of_answers = succeed("names", "evaluate", TEST, "--answers", answers)
    of_model = succeed("names", "evaluate", TEST, "--model", writer)
    assert of_answers.splitlines()[:-1] == of_model.splitlines()[:-1]
    assert [line[:17].strip() for line in of_answers.splitlines()[:-1]] == [
        "1-best",
        "5-best",
        "MRR",
        "character errors",
    ]


def test_evaluate_with_several_references(answers: Path, tmp_path: Path) -> None:
    best = {row[0]: row[2] for row in rows(answers.read_text(encoding="utf-8")) if row[1] == "1"}
    references = tmp_path / "references"
    references.write_text(
        "".join(f"{source}\t{target}|{best[source]}\n" for source, target in read_pairs(TEST)),
        encoding="utf-8",
    )
    found = json.loads(
        succeed("names", "evaluate", references, "--refs", "--answers", answers, "--format", "json")
    )
    assert (found["accuracy"], found["character_error_rate"]) == (1.0, 0.0)


def test_evaluate_against_another_system(answers: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text(
        "".join(f"{source}\t1\t{target}\t0\n" for source, target in read_pairs(TEST)), encoding="utf-8"
    )
    arguments = ("names", "evaluate", TEST, "--answers", answers, "--against", other)
    found = json.loads(succeed(*arguments, "--format", "json"))
    assert found["against"]["accuracy"]["difference"] == pytest.approx(found["accuracy"] - 1)
    lines = succeed(*arguments).splitlines()
    assert lines[5] == "difference from the other system, on the same names:"
    assert lines[6].startswith(f"1-best              {100 * (found['accuracy'] - 1):>+9.2f}   95 % interval")


def test_evaluate_says_what_does_not_fit(answers: Path, tmp_path: Path) -> None:
    test = tmp_path / "test"
    test.write_text("\n".join(TEST.read_text(encoding="utf-8").splitlines()[:3]) + "\nнечто\tsomething\n")
    result = run("names", "evaluate", test, "--answers", answers)
    assert result.err == (
        f"cepts: 1 of 4 names of {test} have no candidate in {answers}: counted as wrong\n"
        f"cepts: 27 of 30 names of {answers} are not in {test}: passed over\n"
    )


def test_rank_mode_and_its_evaluation(tmp_path: Path) -> None:
    model = tmp_path / "ranker"
    arguments = ("--mode", "rank", "--order", "1", "--epochs", "3", "--decoys", "20")
    assert succeed("names", "train", TRAIN, "--output", model, *arguments) == ""
    found = json.loads(succeed("names", "evaluate", TEST, "--model", model, "--format", "json"))
    assert found["signature"].startswith("rank|n-best:5|references:30|")
    assert "character_error_rate" not in found
    assert found["mrr"] > 0.9
    info = dict(line.split(None, 1) for line in succeed("info", model).splitlines())
    assert (info["mode"], info["decoys"], info["order"]) == ("rank", "20", "1")
    assert "trues" not in info
    assert "beam" not in info


def test_groups_are_learned_and_tested(tmp_path: Path) -> None:
    groups, model = tmp_path / "groups", tmp_path / "model"
    groups.write_text(RHYMES)
    arguments = ("--mode", "classify", "--order", "1", "--trues", "2", "--decoys", "3", "--seed", "4")
    assert succeed("names", "train", groups, "--output", model, *arguments) == ""
    found = json.loads(succeed("names", "evaluate", groups, "--model", model, "--format", "json"))
    assert found["break_even_precision"] > 0.9
    assert found["count"] == 10
    assert succeed("names", "evaluate", groups, "--model", model).startswith("break-even precision")


def test_orders_are_learned_and_tested(tmp_path: Path) -> None:
    orders, model = tmp_path / "orders", tmp_path / "model"
    orders.write_text(ORDERS)
    assert succeed("names", "train", orders, "--output", model, "--mode", "affinity", "--order", "0") == ""
    found = json.loads(succeed("names", "evaluate", orders, "--model", model, "--format", "json"))
    assert (found["right_order"], found["count"]) == (1.0, 4)


def test_training_says_what_it_left_out_and_what_dev_chose(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs"
    lines = TRAIN.read_text(encoding="utf-8").splitlines()[:40]
    extra = [lines[0], lines[1], "", f"{'а' * 1001}\ta", "пусто\t"]
    pairs.write_text("\n".join(lines + extra) + "\n", encoding="utf-8")
    dev = tmp_path / "dev"
    dev.write_text("\n".join(lines[:3] + TEST.read_text(encoding="utf-8").splitlines()[:5]), encoding="utf-8")
    result = run("names", "train", pairs, "--output", tmp_path / "model", "--dev", dev, *SMALL)
    assert result.status == 0
    *said, last = result.err.splitlines()
    assert said == [
        f"cepts: {UNCALIBRATED}",
        "cepts: 2 of 45 examples have an empty string: left out",
        "cepts: 1 of 45 examples have a string of more than 1,000 letters: left out",
        "cepts: 2 of 45 examples were there before: left out",
        f"cepts: {OVERLAP}",
    ]
    assert last.startswith("cepts: epoch ")
    assert " of 5 is kept: it does best on dev, mean reciprocal rank 0." in last


def test_info_describes_a_model_of_names(writer: Path) -> None:
    info = dict(line.split(None, 1) for line in succeed("info", writer).splitlines())
    assert info["kind"] == "edit-model, format 1"
    assert info["letters"] == "32 source, 24 target"
    assert (info["mode"], info["order"], info["epochs"], info["update"]) == ("generate", "1", "5", "expected")
    assert json.loads(succeed("info", writer, "--json"))["kind"] == "edit-model"


def test_the_same_seed_gives_the_same_model(writer: Path, tmp_path: Path) -> None:
    again = train_writer(tmp_path / "again")
    for file in writer.iterdir():
        assert (again / file.name).read_bytes() == file.read_bytes()


def test_a_reader_that_has_seen_enough_is_no_error(writer: Path) -> None:
    names = (column(0, path=TRAIN) * 20).encode()
    process = start("names", "transcribe", "--model", writer, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    try:
        process.stdin.write(names)
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.wait(60) == 0
    process.stderr.close()
