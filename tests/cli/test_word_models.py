"""Options that choose a model and how it is trained: each is what it is in Python; bi-word models from end to end."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import cepts
from cepts.aligning import recipe
from cepts.aligning.recipes import BI_WORD, FERTILE
from tests.cli.command import run, succeed
from tests.cli.conftest import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

LONG = 150  # words a side: too many double alignments, and too long to climb in
DOUBLE = ("--model-type", "bihmm", "--double-probability", "0.8")
SAID = "cepts: 1 of {} pairs are too long for this model: aligned by a simpler one\n"

OPTIONS: dict[str, dict[str, Any]] = {
    "--model-type ibm1": {"model_type": "ibm1"},
    "--model-type bi1": {"model_type": "bi1"},
    "--model-type bihmm": {"model_type": "bihmm"},
    "--optimizer pgd": {"optimizer": "pgd"},
    "--optimizer pgd --model-type bihmm": {"optimizer": "pgd", "model_type": "bihmm"},
    "--regularity auto": {"regularity": "auto"},
    "--regularity off --model-type bi1": {"model_type": "bi1", "regularity": "off"},
    "--regularity 1e-3 --prior 0": {"regularity": 1e-3, "hmm_prior": 0.0},
    "--null-update learned": {"null_update": "learned"},
    "--double-probability 0.4 --model-type bihmm": {"double_probability": 0.4, "model_type": "bihmm"},
    "--jump-update gradient": {"jump_update": "gradient"},
    "--jump-update renormalised": {"jump_update": "renormalised"},
    "--iterations bi1=3,bihmm=2 --model-type bihmm": {
        "model_type": "bihmm",
        "ibm1_iterations": 3,
        "hmm_iterations": 2,
    },
    "--iterations ibm1=30,hmm=50 --regularity 2.5": {
        "regularity": 2.5,
        "ibm1_iterations": 30,
        "hmm_iterations": 50,
    },
    "--model-type ibm3": {"model_type": "ibm3"},
    "--model-type ibm4 --combine grow-diag": {"model_type": "ibm4", "combine": "grow-diag"},
    "--model-type ibm4 --classes 5 --training independent --direction reverse": {
        "model_type": "ibm4",
        "classes": 5,
        "training": "independent",
        "direction": "reverse",
    },
    "--iterations ibm1=3,hmm=2,ibm3=4 --model-type ibm3": {
        "model_type": "ibm3",
        "ibm1_iterations": 3,
        "hmm_iterations": 2,
        "ibm3_iterations": 4,
    },
    "--iterations ibm4=1,ibm3=7 --model-type ibm4": {
        "model_type": "ibm4",
        "ibm4_iterations": 1,
        "ibm3_iterations": 7,
    },
    "--method schoenemann-2011": {"method": "schoenemann-2011"},
    "--method schoenemann-2011 --model-type bi1": {"method": "schoenemann-2011", "model_type": "bi1"},
}


@pytest.mark.parametrize("options", OPTIONS)
def test_an_option_is_what_it_is_in_python(options: str, text: Text, tmp_path: Path) -> None:
    timings = tmp_path / "timings"
    out = succeed("align", text.source, text.target, *options.split(), "--scores", "--timings", timings)
    bitext = cepts.read_bitext(text.source, text.target)
    stream = io.StringIO()
    cepts.write_pharaoh(cepts.Aligner(**OPTIONS[options]).fit(bitext).align(bitext), stream, scores=True)
    assert out == stream.getvalue()
    told, chosen = json.loads(timings.read_text()), recipe(**OPTIONS[options])
    assert told["signature"] == chosen.signature
    assert told["iterations"] == chosen.iterations
    behind = {"hmm"} if chosen.model_type in ("hmm", "bihmm", *FERTILE) else set()
    behind |= {stage for stage in chosen.stages if stage in FERTILE}
    behind |= {"classes"} if chosen.fertile or chosen.jump_classes > 1 else set()
    assert set(told["seconds"]) == {"read", "index", "ibm1", "links"} | behind


NO_LINKS = (
    "cepts: no pair has a link: --regularity {} is a high price for rare words, and in this text nearly all are rare; "
    "use --regularity auto or off\n"
)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--method schoenemann-2011", NO_LINKS.format("2.5")),
        ("--method schoenemann-2011 --direction forward", NO_LINKS.format("2.5")),
        ("--training independent --regularity 100", NO_LINKS.format("100")),
        ("--method schoenemann-2011 --quiet", ""),
        ("--method schoenemann-2011 --min-confidence 0.5", ""),  # which may be why
        ("--method schoenemann-2011 --regularity auto", ""),
        ("--method schoenemann-2011 --regularity off", ""),
        ("--method schoenemann-2011 --regularity 0.001", ""),
    ],
)
def test_a_tiny_text_that_the_term_leaves_without_links_is_told(
    options: str, said: str, tmp_path: Path
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("le chat\n\nle chien\n")
    target.write_text("the cat\n\nthe dog\n")
    result = run("align", source, target, *options.split())
    empty = (
        ""
        if "--quiet" in options
        else "cepts: 1 of 3 pairs have an empty side: their lines of links are empty\n"
    )
    assert (result.status, result.err) == (0, said + empty)
    assert (result.out == "\n\n\n") == bool(said or "--quiet" in options or "0.5" in options)


@pytest.fixture(scope="module")
def bihmm(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Bi-HMM trained on the text."""
    folder = tmp_path_factory.mktemp("bihmm") / "model"
    assert succeed("train", text.source, text.target, "--output", folder, *DOUBLE) == ""
    return folder


def test_a_saved_bihmm_gives_the_links_of_plain_align_byte_for_byte(bihmm: Path, text: Text) -> None:
    plain = succeed("align", text.source, text.target, *DOUBLE, "--scores")
    assert succeed("align", "--model", bihmm, text.source, text.target, "--scores", "--threads", "2") == plain
    assert succeed("align", "--model", bihmm, "--scores", stdin=text.joined(" ||| ")) == plain


def test_info_of_a_bihmm(bihmm: Path) -> None:
    rows = dict(line.split(maxsplit=1) for line in succeed("info", bihmm).split("\n")[:-1])
    assert rows["kind"] == "word-aligner, format 1"
    expected = {"model_type": "bihmm", "training": "independent", "regularity": "auto", "optimizer": "em"}
    assert {name: rows[name] for name in expected} == expected
    assert (rows["double_probability"], rows["hmm_prior"]) == ("0.8", "0.0")
    told = json.loads(succeed("info", bihmm, "--json"))
    assert told["meta"]["recipe"] == recipe(model_type="bihmm", double_probability=0.8).to_dict()
    assert {"forward_pair_keys", "reverse_pair_values", "forward_distances"} <= set(told["arrays"])


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("model_type", ["hmm", "bihmm"])
def test_how_many_links_a_word_has_in_one_direction(model_type: str, direction: str, text: Text) -> None:
    options = ("--model-type", model_type, "--direction", direction, "--double-probability", "0.8")
    out = succeed("align", text.source, text.target, *options)
    most = 0
    for line, (source, target) in zip(out.split("\n")[:-1], text.pairs, strict=True):
        places = [tuple(map(int, link.split("-"))) for link in line.split()]
        assert all(i < len(source.split()) and j < len(target.split()) for i, j in places)
        counts = Counter(place[1 if direction == "forward" else 0] for place in places)
        most = max(most, *counts.values(), 0)
    assert most == (2 if model_type == "bihmm" else 1)


@pytest.mark.parametrize("options", ["--model-type bihmm", "--optimizer pgd"])
def test_a_model_of_one_direction(options: str, text: Text, tmp_path: Path) -> None:
    model, one_way = tmp_path / "model", (*options.split(), "--direction", "forward")
    succeed("train", text.source, text.target, "--output", model, *one_way)
    plain = succeed("align", text.source, text.target, *one_way)
    assert succeed("align", "--model", model, text.source, text.target) == plain
    result = run("align", "--model", model, text.source, text.target, "--direction", "both")
    assert (result.status, result.out) == (2, "")
    said = "was trained in direction forward alone: align in that direction, or train both"
    assert result.err == f"cepts: {model} {said}\n"


@pytest.fixture(scope="module")
def long_pair(text: Text) -> bytes:
    """One pair with too many words for double alignments and fertility models, as a line."""
    source, target = (" ".join(" ".join(side).split()[:LONG]) for side in zip(*text.pairs, strict=True))
    assert len(source.split()) == len(target.split()) == LONG
    return f"{source} ||| {target}\n".encode()


@pytest.mark.parametrize("model_type", [*BI_WORD, *FERTILE])
def test_a_pair_that_is_too_long_for_a_model_is_counted_and_said(
    model_type: str, long_pair: bytes, text: Text, tmp_path: Path
) -> None:
    file, model = tmp_path / "text", tmp_path / "model"
    file.write_bytes(text.joined(" ||| ") + long_pair)
    result = run("align", file, "--model-type", model_type)
    assert (result.status, result.err) == (0, SAID.format(PAIRS + 1))
    lines = result.out.split("\n")
    assert len(lines) == PAIRS + 2
    assert len(lines[PAIRS].split()) > (0 if model_type == "bi1" else LONG / 2)
    assert succeed("align", file, "--model-type", model_type, "--quiet") == result.out
    trained = run("train", file, "--model-type", model_type, "--output", model)
    assert (trained.status, trained.err) == (0, SAID.format(PAIRS + 1))
    again = run("align", "--model", model, file)
    assert again == result
    assert succeed("align", file, "--model-type", "hmm").count("\n") == PAIRS + 1  # nothing to be said of it


def test_long_pairs_on_stdin_are_counted_at_the_end(bihmm: Path, long_pair: bytes) -> None:
    result = run("align", "--model", bihmm, stdin=b"le chat ||| the cat\n" + long_pair + b"le ||| the\n")
    assert (result.status, result.err) == (0, SAID.format(3))
    assert result.out.count("\n") == 3


@pytest.mark.parametrize("model_type", ["hmm", "bihmm"])
@pytest.mark.parametrize("optimizer", ["em", "pgd"])
def test_words_that_occur_once_and_sentences_of_one_word(model_type: str, optimizer: str) -> None:
    text = "".join(f"s{k}\tt{k}\n" for k in range(5)) + "a b c d\te f g\n"
    options = ("--model-type", model_type, "--optimizer", optimizer, "--regularity", "auto", "--scores")
    out = succeed("align", "-", *options, stdin=text.encode())
    assert out.count("\n") == 6
    assert not re.search("nan|inf", out)
    assert all(re.search(r"\t-?\d+\.\d{4}$", line) for line in out.split("\n")[:-1])


def test_help_says_when_to_use_which_model_and_direction() -> None:
    out = " ".join(succeed("align", "--help-all").split())
    assert "forward writes the best path of the model in which source words generate target words" in out
    assert "both, combined, are nearly always better" in out
    assert re.search(r"--model-type: hmm for everything; .* bi1 and bihmm, slower, where", out)
