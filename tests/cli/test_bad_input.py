"""Bad input and options: status 2, one line that says what, where and what to do, and nothing left behind."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import names, run, run_process

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "le chat\nle chien\n"
FILES = {
    "two": GOOD.encode(),
    "three": (GOOD + "la maison\n").encode(),
    "latin1": "le chat\nun été\n".encode("latin-1"),
    "nul": b"le chat\nle \0chien\n",
    "empty": b"",
    "cut.gz": gzip.compress(GOOD.encode() * 1000)[:-20],
    "blank": b" \n\t\n",
    "links": b"0-0\n0-1\n",
    "three-links": b"0-0\n\n1-1\n",
    "no-links": b"0-0\nle chat\n",
}
STRENGTH = r"expected auto, off or a number from 0 to 1e\+06"
MISSING = (
    "nowhere",
    "nowhere",
)  # text that cannot be read: an error about anything else came before the work


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file for each kind of damage; no test may change it."""
    folder = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    return folder


def refused(folder: Path, pattern: str, *arguments: str | Path, stdin: bytes = b"") -> None:
    """Run in the folder and check everything that holds for every refusal."""
    before = names(folder)
    result = run(*arguments, cwd=folder, stdin=stdin)
    assert re.fullmatch(f"cepts: {pattern}\n", result.err), result.err
    assert (result.status, result.out) == (2, "")
    assert names(folder) == before


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ("two three", "two has 2 lines, three has 3: two ends first; line k of one file must translate .*"),
        ("two nowhere", "nowhere: no such file"),
        ("two latin1", "latin1, line 2: invalid UTF-8, byte 0xe9 at byte 4 of the line; .* --errors replace"),
        ("nul two", "nul, line 2: a NUL byte at byte 4 of the line; .* --errors replace"),
        ("cut.gz two", "cut.gz: the compressed file ends too early; fetch or compress it again"),
        ("two", r"two, line 1: neither '\|\|\|' nor TAB; give two files, or one with .*"),
        ("blank blank", "nothing to learn from: no sentence pair has words on both sides"),
        ("", "nothing to align: give SOURCE TARGET, or one file with both, or --sample"),
        ("two two three", "got unexpected extra argument .*three.*; see cepts align --help"),
    ],
)
def test_text(folder: Path, arguments: str, pattern: str) -> None:
    refused(folder, pattern, "align", *arguments.split())


def test_a_process_leaves_with_the_status_and_the_line(folder: Path) -> None:
    result = run_process("align", folder / "two", folder / "nowhere")
    assert (result.status, result.out) == (2, "")
    assert result.err == f"cepts: {folder / 'nowhere'}: no such file\n"


def test_errors_replace(folder: Path) -> None:
    result = run("align", folder / "latin1", folder / "nul", "--errors", "replace")
    assert (result.status, result.err) == (0, "")
    assert result.out.count("\n") == 2


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ("--threads -1", "--threads -1: expected a number from 1 to 1024"),
        (
            "--threads two",
            "invalid value for '--threads': 'two' is not a valid integer; see cepts align --help",
        ),
        ("--model-type ibm4 --classes 0", "--classes 0: expected a number from 1 to 2000"),
        (
            "--model-type ibm3 --iterations ibm3=1001",
            "--iterations ibm3=1001: expected a number from 0 to 1000",
        ),
        (
            "--model-type ibm4 --optimizer pgd",
            (
                "--optimizer pgd does not go with --model-type ibm4: its likelihood cannot be computed, only that of "
                "the best alignments; use --optimizer em"
            ),
        ),
        ("--iterations ibm1=x", "--iterations ibm1=x: expected a number for ibm1, hmm or both: ibm1=5,hmm=5"),
        ("--iterations hmm=1,hmm=2", "--iterations hmm=1,hmm=2: expected a number for .*"),
        ("--iterations bi1=2,ibm1=3", "--iterations bi1=2,ibm1=3: expected a number for .*"),
        ("--iterations ibm1=5000", "--iterations ibm1=5000: expected a number from 0 to 1000"),
        (
            "--method slow",
            (
                "--method slow: expected one of best, fast, schoenemann-2011, denero-2011, goutte-2004, cepts, "
                "bidirectional"
            ),
        ),
        ("--model-type bi2", "--model-type bi2: expected one of ibm1, hmm, bi1, bihmm, ibm3, ibm4"),
        ("--optimizer adam", "--optimizer adam: expected one of em, pgd"),
        ("--regularity=-1", rf"--regularity -1\.0: {STRENGTH}"),
        ("--regularity 1e7", rf"--regularity 10000000\.0: {STRENGTH}"),
        ("--regularity inf", f"--regularity inf: {STRENGTH}"),
        ("--regularity nan", f"--regularity nan: {STRENGTH}"),
        ("--regularity strong", f"--regularity strong: {STRENGTH}"),
        ("--double-probability 0", r"--double-probability 0\.0: expected a number between 0 and 1"),
        ("--double-probability 1.5", r"--double-probability 1\.5: expected a number between 0 and 1"),
        ("--double-probability nan", "--double-probability nan: expected a number between 0 and 1"),
        (
            "--double-probability half",
            "invalid value for '--double-probability': 'half' is not a valid float; .*",
        ),
        ("--null-update free", "--null-update free: expected one of fixed, learned"),
        ("--jump-update none", "--jump-update none: expected one of exact, gradient, renormalised"),
        (
            "--model-type bihmm --training agreement",
            "--training agreement does not go with --model-type bihmm: .*; use --training independent",
        ),
        (
            "--optimizer pgd --training agreement",
            "--training agreement does not go with --optimizer pgd: .*; use --training independent, or .*",
        ),
        (
            "--optimizer pgd --prior 0.1",
            "--prior is estimated by --optimizer em alone; use --prior 0 with pgd",
        ),
        (
            "--regularity auto --prior 0.1",
            r"--prior does not go with the regularity term \(--regularity auto\): .*",
        ),
        ("--optimizer pgd --jump-update gradient", "--jump-update is about the M step of --optimizer em; .*"),
        ("--combine mean", "--combine mean: expected one of union, intersection, .*posterior, dual, cepts"),
        ("--direction up", "--direction up: expected one of forward, reverse, both"),
        ("--min-confidence 2", r"--min-confidence 2\.0: expected a number from 0 to 1"),
        ("--null-probability 0", r"--null-probability 0\.0: expected a number between 0 and 1"),
        ("--offsets here", "--offsets needs --tokenize: without it tokens are what stands between spaces"),
        ("--sample", "--sample brings its own text: drop the files and --model"),
        ("--thread 2", ".*no such option '--thread'.*; see cepts align --help"),
        (
            "--output nowhere/links",
            "cannot write nowhere/links: there is no folder .*/nowhere; create it first",
        ),
        ("--output two/links", "cannot write two/links: there is no folder .*/two; create it first"),
        ("--output folder", "cannot write folder: it is a folder; name a file"),
        ("--timings nowhere/timings", "cannot write nowhere/timings: there is no folder .*; create it first"),
    ],
)
def test_options_are_refused_before_the_work(folder: Path, options: str, pattern: str) -> None:
    refused(folder, pattern, "align", *MISSING, *options.split())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_an_output_that_is_write_protected(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        refused(tmp_path, "cannot write links: .*", "align", *MISSING, "--output", "links")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ("--sample --scores", "--scores does not go with --sample; drop one of them"),
        ("--sample --offsets x --tokenize", "--tokenize does not go with --sample; drop one of them"),
    ],
)
def test_options_that_would_have_no_effect_with_the_sample(folder: Path, options: str, pattern: str) -> None:
    refused(folder, pattern, "align", *options.split())


@pytest.mark.parametrize(
    ("output", "pattern"),
    [
        ("two", "cannot write two: it is a file, and a model is a folder; name another place"),
        (".", r"cannot write \.: this folder is not a Cepts model; name another place"),
        ("nowhere/model", "cannot write nowhere/model: there is no folder .*; create it first"),
    ],
)
def test_a_place_for_a_model(folder: Path, output: str, pattern: str) -> None:
    refused(folder, pattern, "train", *MISSING, "--output", output)


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        (
            "two two --iterations ibm1=2",
            "--iterations cannot change a model that is trained; drop it, or --model",
        ),
        (
            "two two --regularity off",
            "--regularity cannot change a model that is trained; drop it, or --model",
        ),
        ("two two --optimizer em", "--optimizer cannot change a model that is trained; drop it, or --model"),
        (
            "two two --double-probability 0.5",
            "--double-probability cannot change a model that is trained; .*",
        ),
        ("two two --null-update fixed", "--null-update cannot change a model that is trained; .*"),
        ("two two --keep-case", "--keep-case was not used when the model was trained; train one with it"),
        ("two two --offsets here", "--offsets needs a model that was trained with --tokenize"),
        ("--timings here", "--timings needs files: pairs on stdin are answered one by one"),
        ("two two --combine mean", "--combine mean: expected one of union, .*posterior, dual, cepts"),
    ],
)
def test_options_that_do_not_go_with_a_model(folder: Path, model: Path, arguments: str, pattern: str) -> None:
    refused(folder, pattern, "align", "--model", model, *arguments.split(), stdin=b"le ||| the\n")


def test_what_is_not_a_model(folder: Path) -> None:
    refused(folder, "there is no model nowhere", "info", "nowhere")
    refused(folder, "folder is not a model folder: model.json is missing", "align", "--model", "folder")
    refused(
        folder, "two is a file; a model is a folder, made by: .*", "align", "--model", "two", "two", "two"
    )


def test_a_model_that_is_damaged(model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(model, copy)
    values, description = copy / "values.npy", copy / "model.json"
    content, told = values.read_bytes(), json.loads(description.read_text())
    values.write_bytes(content[:-4])
    truncated = (
        f"model/values.npy has {len(content) - 4} bytes, expected {len(content)}: it is truncated or changed"
    )
    refused(tmp_path, truncated, "align", "--model", "model")
    values.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    refused(tmp_path, "model/values.npy is damaged: its checksum is wrong; copy or train .*", "info", "model")
    values.unlink()
    refused(tmp_path, "model model is incomplete: values.npy is missing", "info", "model")
    values.write_bytes(content)
    description.write_text(json.dumps(told | {"format": 99}))
    refused(tmp_path, "model model has format 99, this Cepts reads format 1; upgrade Cepts", "info", "model")
    description.write_text(json.dumps(told | {"meta": {}}))
    refused(tmp_path, "model is no word model that this version can use: .*; train it again", "info", "model")
    description.write_text(json.dumps(told)[:100])
    refused(tmp_path, "model/model.json is damaged: line 1: .*", "info", "model")


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ("evaluate links three-links", "links have 2 sentences, gold has 3, expected as many; .*"),
        ("evaluate links no-links", "no-links, line 2: 'le' is not a link, expected i-j .*"),
        ("evaluate links links --alpha 3", r"--alpha 3\.0: expected a number from 0 to 1"),
        (
            "combine links three-links --combine union",
            "forward links have 2 sentence pairs, reverse links 3, expected as many; are they of the same text.",
        ),
        ("combine links links --combine posterior", "'posterior' needs a model's probabilities, .*"),
        ("combine links links --combine mean", "unknown way to combine 'mean', expected one of union, .*"),
        ("combine links links", "--combine NAME is missing; see cepts combine --help"),
        ("combine links links --combine union --output folder", "cannot write folder: it is a folder; .*"),
        ("align-words", ".*no such command 'align-words'.*; see cepts --help"),
    ],
)
def test_links(folder: Path, arguments: str, pattern: str) -> None:
    refused(folder, pattern, *arguments.split())


LONG = "n" * 300  # more than a file system takes


@pytest.mark.parametrize(
    "arguments",
    [
        f"align {LONG}",
        f"align {LONG} two",
        f"align two two --model {LONG}",
        f"align two two --lexicon {LONG}",
        f"align two two --known-links {LONG}",
        f"align two two --output {LONG}",
        f"align two two --checkpoint {LONG}",
        f"train two two --output {LONG}",
        f"train two two --from {LONG} --output model",
        f"info {LONG}",
        f"evaluate {LONG} links",
        f"factorise {LONG}",
        f"convert {LONG} --format naacl",
        f"view two two {LONG}",
        f"phrases two two links --output {LONG}",
        f"project {LONG} two links",
        f"filter two two --output {LONG}",
        f"filter two two --scores --similar {LONG}",
        f"names train {LONG} --output model",
        f"names transcribe --model {LONG}",
        f"similar score two two --model {LONG}",
        f"translate --model {LONG}",
        f"plot training {LONG}",
        f"serve {LONG} --port 0",
    ],
    ids=lambda arguments: arguments.replace(LONG, "NAME"),
)
def test_names_that_are_too_long(folder: Path, arguments: str) -> None:
    refused(folder, r".*[Nn]ame too long.*", *arguments.split())
