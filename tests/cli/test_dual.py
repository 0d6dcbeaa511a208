"""`--combine dual` and the methods that use it: links, certificates, what is said and what is refused."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import pytest

import cepts
from cepts.aligning import RECIPES, recipe
from cepts.combine import HEURISTICS, combine
from tests.cli.command import names, run, succeed
from tests.cli.conftest import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

METHOD = "bidirectional"  # denero-2011, which is slow, is among the options below and in tests/aligning
SAID = re.compile(
    r"cepts: (\d+) of (\d+) pairs \((\d+\.\d) %\) have a certificate; (\d+\.\d) rounds on average\n"
)
ROW = re.compile(r"([01])\t(\d+)\t(-?\d+\.\d{4})")

OPTIONS: dict[str, dict[str, Any]] = {
    "--combine dual --rounds 3 --remainder union": {"combine": "dual", "rounds": 3, "remainder": "union"},
    "--combine dual --alpha 0 --step harmonic --step-size 0.5": {
        "combine": "dual",
        "alpha": 0.0,
        "step": "harmonic",
        "step_size": 0.5,
    },
    "--combine dual --training independent --min-confidence 0.5": {
        "combine": "dual",
        "training": "independent",
        "min_confidence": 0.5,
    },
    "--null-state forgets --combine dual": {"null_state": "forgets", "combine": "dual"},
    "--method bidirectional": {"method": "bidirectional"},
    "--method bidirectional --combine posterior": {"method": "bidirectional", "combine": "posterior"},
    "--method denero-2011 --agreement mean --iterations ibm1=3,hmm=3": {
        "method": "denero-2011",
        "ibm1_agreement": "mean",
        "hmm_agreement": "mean",
        "ibm1_iterations": 3,
        "hmm_iterations": 3,
    },
}


@pytest.mark.parametrize("options", OPTIONS)
def test_an_option_is_what_it_is_in_python(options: str, text: Text, tmp_path: Path) -> None:
    files = ("--timings", tmp_path / "timings")
    out = succeed("align", text.source, text.target, *options.split(), "--scores", "--quiet", *files)
    bitext = cepts.read_bitext(text.source, text.target)
    stream = io.StringIO()
    cepts.write_pharaoh(cepts.Aligner(**OPTIONS[options]).fit(bitext).align(bitext), stream, scores=True)
    assert out == stream.getvalue()
    assert recipe(**OPTIONS[options]).signature in (tmp_path / "timings").read_text()


@pytest.fixture(scope="module")
def trained(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of that method."""
    folder = tmp_path_factory.mktemp("trained") / "model"
    assert succeed("train", text.source, text.target, "--method", METHOD, "--output", folder) == ""
    return folder


def test_certificates_are_written_and_counted(text: Text, tmp_path: Path) -> None:
    file = tmp_path / "certificates"
    result = run("align", text.source, text.target, "--method", METHOD, "--certificates", file)
    assert result.status == 0
    rows = [ROW.fullmatch(line) for line in file.read_text().removesuffix("\n").split("\n")]
    assert len(rows) == PAIRS == result.out.count("\n")
    bitext = cepts.read_bitext(text.source, text.target)
    dual = cepts.Aligner(METHOD).fit(bitext).align(bitext).dual
    assert dual is not None
    certified, rounds = dual.certified.tolist(), dual.rounds.tolist()
    told = [(row[1] == "1", int(row[2])) for row in rows if row]
    assert told == list(zip(certified, rounds, strict=True))
    assert [float(row[3]) for row in rows if row] == pytest.approx(dual.bounds.tolist(), abs=1e-4)
    said = SAID.fullmatch(result.err)
    assert said
    assert (int(said[1]), int(said[2])) == (sum(certified), PAIRS)
    assert float(said[3]) == pytest.approx(100 * sum(certified) / PAIRS, abs=0.051)
    assert float(said[4]) == pytest.approx(sum(rounds) / PAIRS, abs=0.051)


def test_a_saved_model_gives_the_same_links_and_certificates(
    trained: Path, text: Text, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    plain = run("align", text.source, text.target, "--method", METHOD, "--scores", "--certificates", first)
    files = (trained, text.source, text.target, "--threads", "2")
    assert run("align", "--model", *files, "--scores", "--certificates", second)[:3] == plain[:3]
    assert first.read_bytes()[:2] == b"\x1f\x8b"
    assert succeed("align", "--model", trained, "--scores", stdin=text.joined("\t")) == plain.out
    assert names(tmp_path) == {"first.gz", "second.gz"}


def test_a_heuristic_is_forced_on_the_same_directional_models(trained: Path, text: Text) -> None:
    model = ("align", "--model", trained, text.source, text.target)
    paths = [
        cepts.read_links(io.StringIO(succeed(*model, "--direction", way))) for way in ("forward", "reverse")
    ]
    for name in ("intersection", "grow-diag-final"):
        stream = io.StringIO()
        cepts.write_pharaoh(combine(*paths, name), stream)
        assert succeed(*model, "--combine", name) == stream.getvalue()
    trained_anew = succeed("align", text.source, text.target, "--method", METHOD, "--combine", name)
    assert trained_anew == stream.getvalue()


def test_how_a_saved_model_bargains_can_be_changed(trained: Path, text: Text, tmp_path: Path) -> None:
    file = tmp_path / "certificates"
    changed = (
        "--rounds",
        "2",
        "--alpha",
        "0.5",
        "--step",
        "harmonic",
        "--step-size",
        "2",
        "--remainder",
        "union",
    )
    out = run("align", "--model", trained, text.source, text.target, *changed, "--certificates", file).out
    assert {int(line.split("\t")[1]) for line in file.read_text().splitlines()} == {1, 2}
    options = {"rounds": 2, "alpha": 0.5, "step": "harmonic", "step_size": 2.0, "remainder": "union"}
    loaded, stream = cepts.Aligner.load(trained, **options), io.StringIO()
    cepts.write_pharaoh(loaded.align(cepts.read_bitext(text.source, text.target)), stream)
    assert out == stream.getvalue()


def test_info_tells_how_a_model_bargains(trained: Path) -> None:
    rows = dict(line.split(maxsplit=1) for line in succeed("info", trained).split("\n")[:-1])
    chosen = recipe(METHOD)
    for name in ("method", "combine", "null_state", "rounds", "alpha", "step", "step_size", "remainder"):
        assert rows[name] == str(getattr(chosen, name)), name


def test_pairs_without_words_have_a_certificate(tmp_path: Path) -> None:
    file = tmp_path / "certificates"
    result = run("align", "-", "--combine", "dual", "--certificates", file, stdin=b"a b\tc d\n\nx\t\na\tc\n")
    assert result.status == 0
    rows = file.read_text().splitlines()
    assert [rows[1], rows[2]] == ["1\t0\t0.0000"] * 2
    assert result.err.startswith("cepts: 4 of 4 pairs (100.0 %) have a certificate; ")
    assert result.err.endswith("cepts: 2 of 4 pairs have an empty side: their lines of links are empty\n")
    assert result.out.count("\n") == 4


def test_the_sample_says_nothing_of_certificates() -> None:
    out = succeed("align", "--sample", "--method", "bidirectional")
    assert "240 French-English pairs" in out
    assert "certificate" not in out


NEEDS = "needs {}; add that, or drop it"
TWO_HMMS = (
    "--combine dual joins two HMMs, not two models of type {}; use --model-type hmm, or another --combine"
)
REFUSED = {
    "--rounds 5": f"--rounds {NEEDS.format('--combine dual')}",
    "--alpha 0": f"--alpha {NEEDS.format('--combine dual')}",
    "--remainder union": f"--remainder {NEEDS.format('--combine dual')}",
    "--certificates {file}": f"--certificates {NEEDS.format('--combine dual')}",
    "--method bidirectional --combine union --alpha 1": f"--alpha {NEEDS.format('--combine dual')}",
    "--method bidirectional --direction forward --alpha 1": f"--alpha {NEEDS.format('--direction both')}",
    "--combine dual --direction reverse --certificates {file}": (
        f"--certificates {NEEDS.format('--direction both')}"
    ),
    "--combine dual --alpha -1": "--alpha -1.0: expected a number from 0 to 1e+06",
    "--combine dual --step long": "--step long: expected one of adaptive, harmonic",
    "--combine dual --remainder dual": f"--remainder dual: expected one of {', '.join(HEURISTICS)}",
    "--method bidirectional --model-type bihmm": TWO_HMMS.format("bihmm"),
    "--null-state forgets --model-type bihmm": (
        "--null-state forgets does not go with --model-type bihmm: NULL inherits the head there; "
        "use --null-state remembers"
    ),
    "--method slow": f"--method slow: expected one of {', '.join(RECIPES)}",
    "--combine dual --certificates {folder}/none/file": (
        "cannot write {folder}/none/file: there is no folder {folder}/none; create it first"
    ),
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_is_refused(options: str, text: Text, tmp_path: Path) -> None:
    places = {"folder": str(tmp_path), "file": str(tmp_path / "file")}
    result = run("align", text.source, text.target, *options.format(**places).split())
    assert (result.status, result.out) == (2, "")
    assert result.err == f"cepts: {REFUSED[options].format(**places)}\n"
    assert names(tmp_path) == set()


def test_what_is_refused_with_a_model(model: Path, text: Text, tmp_path: Path) -> None:
    files = ("--model", model, text.source, text.target)
    for options, said in (
        (("--rounds", "5"), "--rounds needs --combine dual; add that, or drop it"),
        (
            ("--null-state", "forgets"),
            "--null-state cannot change a model that is trained; drop it, or --model",
        ),
    ):
        result = run("align", *files, *options)
        assert (result.status, result.out, result.err) == (2, "", f"cepts: {said}\n")
    result = run("align", "--model", model, "--combine", "dual", "--certificates", tmp_path / "file")
    assert result.err == "cepts: --certificates needs files: pairs on stdin are answered one by one\n"
    assert (result.status, names(tmp_path)) == (2, set())


def test_what_is_refused_elsewhere(text: Text, tmp_path: Path) -> None:
    result = run("align", "--sample", "--combine", "dual", "--certificates", tmp_path / "file")
    assert result.err == "cepts: --certificates does not go with --sample; drop one of them\n"
    result = run("train", text.source, text.target, "--output", tmp_path / "model", "--rounds", "5")
    assert result.err == "cepts: --rounds needs --combine dual; add that, or drop it\n"
    assert names(tmp_path) == set()
    links = tmp_path / "links"
    links.write_text("0-0\n")
    result = run("combine", links, links, "--combine", "dual")
    assert result.err == (
        "cepts: 'dual' needs a model's probabilities, not only links; use it when aligning, or one of "
        f"{', '.join(HEURISTICS)}\n"
    )
