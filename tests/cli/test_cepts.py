"""`--combine cepts` and `--format cepts`: links, groups, what is said and what is refused."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import cepts
from cepts.aligning import recipe
from cepts.aligning.recipes import SETTINGS
from cepts.cli.answers import WHOLE_TEXT
from cepts.combine.association import MEASURES
from cepts.combine.cepts_lines import write_cepts
from tests.cli.command import names, run, succeed
from tests.cli.conftest import PAIRS

CEPTS_OPTIONS = [name for name, setting in SETTINGS.items() if setting.group == "cepts"]

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

GROUP = re.compile(r"((?:\d+,)*\d+)?-((?:\d+,)*\d+)?:(0|1|0\.\d{1,4})")

OPTIONS: dict[str, dict[str, Any]] = {
    "--association product --null-weight 0.5 --criterion bic": {
        "association": "product",
        "null_weight": 0.5,
        "criterion": "bic",
    },
    "--association counts --n-best 20 --scale 20 --orphans retrain": {
        "association": "counts",
        "n_best": 20,
        "scale": 20.0,
        "orphans": "retrain",
    },
    "--search restarts --restarts 2 --seed 7": {"search": "restarts", "restarts": 2, "seed": 7},
    "--search restarts --restarts 1 --em-steps 12 --tolerance 1e-5 --patience 1": {
        "search": "restarts",
        "restarts": 1,
        "em_steps": 12,
        "tolerance": 1e-5,
        "patience": 1,
    },
    "--sure-confidence 0.9 --min-confidence 0.3": {"sure_confidence": 0.9, "min_confidence": 0.3},
    "--association tables --training independent": {"association": "tables", "training": "independent"},
    "--association information --model-type ibm1": {"association": "information", "model_type": "ibm1"},
}


def python(**options: Any) -> cepts.Aligner:
    return cepts.Aligner(combine="cepts", **options)


def groups(line: str) -> list[tuple[list[int], list[int], float]]:
    """Read a line of groups."""
    matches = [GROUP.fullmatch(token) for token in line.split(" ")] if line else []
    assert all(matches), line
    return [
        (
            *([int(word) for word in (side or "").split(",") if word] for side in match.groups()[:2]),
            float(match[3]),
        )  # type: ignore[misc]
        for match in matches
        if match
    ]


@pytest.fixture(scope="module")
def trained(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose links are those of cepts."""
    folder = tmp_path_factory.mktemp("cepts") / "model"
    assert succeed("train", text.source, text.target, "--combine", "cepts", "--output", folder) == ""
    return folder


@pytest.mark.parametrize("options", OPTIONS)
def test_an_option_is_what_it_is_in_python(options: str, text: Text, tmp_path: Path) -> None:
    files = ("--timings", tmp_path / "timings")
    given = ("--combine", "cepts", *options.split())
    out = succeed("align", text.source, text.target, *given, "--scores", *files)
    bitext = cepts.read_bitext(text.source, text.target)
    stream = io.StringIO()
    cepts.write_pharaoh(python(**OPTIONS[options]).fit(bitext).align(bitext), stream, scores=True)
    assert out == stream.getvalue()
    signature = json.loads((tmp_path / "timings").read_text())["signature"]
    assert signature == recipe(combine="cepts", **OPTIONS[options]).signature


def test_groups_are_those_of_python(text: Text) -> None:
    out = succeed("align", text.source, text.target, "--combine", "cepts", "--format", "cepts")
    bitext = cepts.read_bitext(text.source, text.target)
    aligner = python().fit(bitext)
    links = aligner.align(bitext)
    stream = io.StringIO()
    assert links.cepts is not None
    write_cepts(links.cepts, stream)
    assert out == stream.getvalue()
    lines = out.removesuffix("\n").split("\n")
    assert len(lines) == PAIRS
    for k, line in enumerate(lines):
        found = groups(line)
        for side, words in ((0, bitext.source), (1, bitext.target)):
            assert sorted(word for group in found for word in group[side]) == list(
                range(len(words.sentence(k)))
            )
        linked = {(i, j) for source, target, _ in found for i in source for j in target}
        assert linked == {link[:2] for link in links[k]}


def test_pharaoh_is_the_default_format(text: Text) -> None:
    files = ("align", text.source, text.target, "--combine", "cepts")
    assert succeed(*files) == succeed(*files, "--format", "pharaoh")


def test_less_certain_words_are_left_out_of_the_groups(trained: Path, text: Text) -> None:
    files = ("align", "--model", trained, text.source, text.target)
    certain = ("--min-confidence", "0.9")
    lines = succeed(*files, "--format", "cepts", *certain).split("\n")
    everything = succeed(*files, "--format", "cepts").split("\n")
    links = cepts.read_links(io.StringIO(succeed(*files, *certain)))
    assert lines != everything
    for k, (line, whole) in enumerate(zip(lines[:-1], everything[:-1], strict=True)):
        found = groups(line)
        assert all(probability >= 0.9 for _, _, probability in found)
        assert {(i, j) for source, target, _ in found for i in source for j in target} == {
            link[:2] for link in links[k]
        }
        before = [(set(source), set(target)) for source, target, _ in groups(whole)]
        assert all(any({*s} <= one and {*t} <= other for one, other in before) for s, t, _ in found)


def test_sure_and_possible_links(trained: Path, text: Text) -> None:
    files = ("align", "--model", trained, text.source, text.target)
    marked = succeed(*files, "--sure-confidence", "0.95", "--scores")
    links = cepts.read_links(io.StringIO(marked))
    assert ((links.confidence >= 0.95) == links.sure).all()
    assert 0 < links.sure.sum() < len(links.sure)
    assert marked.replace("?", "-") == succeed(*files, "--scores")


def test_a_saved_model_gives_the_same_cepts_on_files_and_on_stdin(trained: Path, text: Text) -> None:
    for options in (("--scores",), ("--format", "cepts"), ("--search", "restarts", "--restarts", "2")):
        plain = succeed("align", text.source, text.target, "--combine", "cepts", *options)
        files = (trained, text.source, text.target, "--threads", "2")
        assert succeed("align", "--model", *files, *options) == plain
        assert succeed("align", "--model", trained, *options, stdin=text.joined("\t")) == plain


def test_how_a_saved_model_makes_links_can_be_changed(model: Path, trained: Path, text: Text) -> None:
    files = (text.source, text.target, "--format", "cepts", "--association", "ranked", "--n-best", "9")
    changed = succeed("align", "--model", model, "--combine", "cepts", *files)
    assert changed == succeed("align", text.source, text.target, "--combine", "cepts", *files[2:])
    assert changed != succeed("align", "--model", trained, *files[:4])
    assert succeed("align", "--model", trained, *files[:2], "--combine", "posterior") == succeed(
        "align", "--model", model, *files[:2]
    )


def test_the_options_are_saved(text: Text, tmp_path: Path) -> None:
    given = ("--combine", "cepts", "--association", "weighted", "--n-best", "5", "--scale", "50")
    more = ("--null-weight", "2", "--criterion", "bic", "--orphans", "retrain", "--sure-confidence", "0.5")
    restarts = ("--search", "restarts", "--restarts", "3", "--seed", "9", "--em-steps", "20")
    restarts += ("--tolerance", "0.001", "--patience", "4")
    folder = tmp_path / "model"
    succeed("train", text.source, text.target, *given, *more, *restarts, "--output", folder)
    kept = json.loads(succeed("info", folder, "--json"))["meta"]["recipe"]
    about_cepts = [name for name, declared in SETTINGS.items() if declared.group == "cepts"]
    assert {name: kept[name] for name in ("combine", *about_cepts)} == {
        "combine": "cepts",
        "association": "weighted",
        "n_best": 5,
        "null_weight": 2.0,
        "scale": 50.0,
        "criterion": "bic",
        "search": "restarts",
        "restarts": 3,
        "seed": 9,
        "em_steps": 20,
        "tolerance": 0.001,
        "patience": 4,
        "orphans": "retrain",
        "sure_confidence": 0.5,
    }


def test_empty_sides_and_long_sentences(trained: Path, tmp_path: Path) -> None:
    chat, cat = " ".join(["chat"] * 401), " ".join(["cat"] * 401)
    file = tmp_path / "pairs"
    file.write_text(f"le chat ||| the cat\n ||| the cat\nchat ||| \n\n{chat} ||| {cat}\n", encoding="utf-8")
    for options in (("--model", trained, file), ("--model", trained)):
        result = run("align", *options, "--format", "cepts", stdin=file.read_bytes())
        lines = result.out.split("\n")
        assert result.status == 0
        assert [line[:4] for line in lines[:4]] == ["0-0:", "-0:0", "0-:0", ""]
        assert lines[1:4] == ["-0:0 -1:0", "0-:0", ""]
        words = [word for source, _, _ in groups(lines[4]) for word in source]
        assert sorted(words) == list(range(401))
        assert result.err == (
            "cepts: 3 of 5 pairs have an empty side: all of their words are NULL's\n"
            "cepts: 1 of 5 pairs have more than 400 words on a side: aligned in pieces\n"
        )


def test_the_sample(text: Text) -> None:  # noqa: ARG001
    out = succeed("align", "--sample", "--combine", "cepts", "--scale", "50")
    assert "AER" in out
    result = run("align", "--sample", "--combine", "cepts", "--format", "cepts")
    assert (result.status, result.err) == (
        2,
        "cepts: --format does not go with --sample; drop one of them\n",
    )


def test_groups_go_to_a_file(trained: Path, text: Text, tmp_path: Path) -> None:
    files = ("align", "--model", trained, text.source, text.target, "--format", "cepts")
    assert succeed(*files, "--output", tmp_path / "groups") == ""
    assert (tmp_path / "groups").read_text() == succeed(*files)
    assert names(tmp_path) == {"groups"}


NEEDS = "needs --combine cepts; add that, or drop it"
REFUSED = {
    "--association sum": f"--association {NEEDS}",
    "--seed 0": f"--seed {NEEDS}",
    "--combine dual --sure-confidence 0.5": f"--sure-confidence {NEEDS}",
    "--format cepts": f"--format cepts {NEEDS}",
    "--format cepts --combine cepts --direction forward": (
        "--format cepts needs --direction both; add that, or drop it"
    ),
    "--association sum --combine cepts --direction reverse": (
        "--association needs --direction both; add that, or drop it"
    ),
    "--combine cepts --rounds 5": "--rounds needs --combine dual; add that, or drop it",
    "--combine cepts --restarts 5": "--restarts needs --search restarts; add that, or drop it",
    "--combine cepts --seed 5 --search annealing": "--seed needs --search restarts; add that, or drop it",
    "--combine cepts --format cepts --scores": "--scores is about links; drop it, or --format cepts",
    "--combine cepts --format cepts --sure-confidence 0.9": (
        "--sure-confidence is about links; drop it, or --format cepts"
    ),
    "--combine cepts --association nearness": (
        f"--association nearness: expected one of {', '.join(MEASURES)}"
    ),
    "--combine cepts --null-weight -1": "--null-weight -1.0: expected a number from 0 to 1000",
    "--combine cepts --n-best 5": (
        "--n-best needs --association counts or weighted or ranked; add one, or drop it"
    ),
    "--combine cepts --scale 0": "--scale 0.0: expected a number from 1 to 1e+06",
    "--combine cepts --sure-confidence 2": "--sure-confidence 2.0: expected a number from 0 to 1",
    "--patience 3": f"--patience {NEEDS}",
    "--combine cepts --em-steps 0": "--em-steps 0: expected a number from 1 to 100000",
    "--combine cepts --tolerance 1": "--tolerance 1.0: expected a number from 0 to below 1",
    "--combine cepts --criterion dic": "--criterion dic: expected one of aic, bic",
    "--combine cepts --association counts --model-type bi1": (
        "--association counts needs n-best lists, and there are none of --model-type bi1; "
        "use --association attached, or --model-type hmm"
    ),
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_is_refused(options: str, text: Text, tmp_path: Path) -> None:
    result = run("align", text.source, text.target, *options.split(), "--output", tmp_path / "links")
    assert (result.status, result.out, result.err) == (2, "", f"cepts: {REFUSED[options]}\n")
    assert names(tmp_path) == set()


def test_an_unknown_format(text: Text) -> None:
    result = run("align", text.source, text.target, "--format", "gizmo")
    assert result.status == 2
    assert "'gizmo' is not one of 'pharaoh'" in result.err


@pytest.mark.parametrize("measure", WHOLE_TEXT)
def test_what_counts_in_the_whole_text_needs_files(measure: str, trained: Path, text: Text) -> None:
    result = run("align", "--model", trained, "--association", measure, stdin=text.joined("\t"))
    assert (result.status, result.out) == (2, "")
    assert result.err == (
        f"cepts: --association {measure} counts in the whole text, and pairs on stdin are answered one by one; give"
        " files, or use another --association\n"
    )


def test_what_is_refused_elsewhere(text: Text, tmp_path: Path) -> None:
    train = ("train", text.source, text.target, "--output", tmp_path / "model")
    for options, said in (
        (("--criterion", "bic"), f"--criterion {NEEDS}"),
        (("--n-best", "5"), f"--n-best {NEEDS}"),
        (
            ("--combine", "cepts", "--direction", "forward", "--n-best", "5"),
            "--n-best needs --direction both; add that, or drop it",
        ),
    ):
        result = run(*train, *options)
        assert (result.status, result.err) == (2, f"cepts: {said}\n")
    assert names(tmp_path) == set()
    links = tmp_path / "links"
    links.write_text("0-0\n")
    result = run("combine", links, links, "--combine", "cepts")
    assert result.status == 2
    assert "'cepts'" in result.err
