"""`cepts factorise`: groups and links of anybody's matrices, and what is said of bad ones."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cepts
from cepts.combine import CeptsOptions, factorise, from_matrices
from cepts.combine.association import scaled
from cepts.combine.cepts_lines import write_cepts
from tests.cli.command import names, run, succeed

if TYPE_CHECKING:
    from pathlib import Path

# Words 0, 1 and 2, 3 of the source are two groups; NULL, in front where it is asked for, has source word 3.
BLOCKS = np.array([[100, 80, 0], [90, 100, 0], [0, 0, 95], [0, 0, 30]])
WITH_NULL = np.array([[0, 0, 0, 5], [0, 90, 0, 0], [0, 85, 0, 0], [0, 0, 95, 0], [80, 0, 5, 0]])


def saved(folder: Path, *matrices: Any) -> Path:
    """Write matrices, one for each pair."""
    np.savez(folder / "matrices.npz", *matrices)
    return folder / "matrices.npz"


def expected(
    matrices: list[Any], null: bool = False, least: float = 0.0, form: str = "pharaoh", **options: Any
) -> str:
    """What Python says."""
    found = factorise(from_matrices(matrices, null), CeptsOptions(null=null, **options))
    stream = io.StringIO()
    if form == "cepts":
        write_cepts(found, stream, least)
    else:
        cepts.write_pharaoh(found.links(least), stream, scores=form == "scores")
    return stream.getvalue()


def test_links_and_groups_by_hand(tmp_path: Path) -> None:
    file = saved(tmp_path, BLOCKS, 100 * np.eye(2), [[7]])
    assert succeed("factorise", file) == "0-0 0-1 1-0 1-1 2-2 3-2\n0-0 1-1\n0-0\n"
    groups = succeed("factorise", file, "--format", "cepts").split("\n")
    assert [token.split(":")[0] for token in groups[0].split()] == ["0,1-0,1", "2,3-2"]
    assert groups[1:] == ["0-0:1 1-1:1", "0-0:1", ""]


def test_null_by_hand(tmp_path: Path) -> None:
    file = saved(tmp_path, WITH_NULL)
    assert succeed("factorise", file, "--null") == "0-0 1-0 2-1\n"
    groups = succeed("factorise", file, "--null", "--format", "cepts").split()
    assert [token.split(":")[0] for token in groups] == ["0,1-0", "2-1", "3-", "-2"]


def test_one_matrix_in_a_npy_file(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", BLOCKS.astype(np.int16))
    assert succeed("factorise", tmp_path / "one.npy") == "0-0 0-1 1-0 1-1 2-2 3-2\n"


def test_matrices_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    many = {f"pair{k}": 100 * np.eye(k) for k in (3, 1, 12, 2)}
    np.savez_compressed(tmp_path / "many.npz", **many)
    lines = succeed("factorise", tmp_path / "many.npz").split("\n")[:-1]
    assert [line.count("-") for line in lines] == [3, 1, 12, 2]


@pytest.fixture(scope="module")
def random_matrices() -> list[Any]:
    """Blocks with noise."""
    rng = np.random.default_rng(20_040_613)
    shapes = [(5, 6), (8, 3), (4, 4), (7, 9)]
    return [np.round(rng.gamma(0.3, 40, shape), 3) for shape in shapes]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("--criterion bic", {"criterion": "bic"}),
        ("--cepts 2", {"cepts": 2}),
        ("--search restarts", {"search": "restarts"}),
        ("--search restarts --restarts 2 --seed 8", {"search": "restarts", "restarts": 2, "seed": 8}),
        ("--em-steps 2 --tolerance 0 --patience 0", {"steps": 2, "tolerance": 0.0, "patience": 0}),
        ("--orphans retrain --null", {"orphans": "retrain", "null": True}),
        ("--null --format cepts --min-confidence 0.6", {"null": True, "least": 0.6, "form": "cepts"}),
        ("--scores --threads 2", {"form": "scores"}),
        ("--min-confidence 0.7", {"least": 0.7}),
    ],
)
def test_an_option_is_what_it_is_in_python(
    given: str, options: dict[str, Any], random_matrices: list[Any], tmp_path: Path
) -> None:
    out = succeed("factorise", saved(tmp_path, *random_matrices), *given.split())
    assert out == expected(random_matrices, **options)


def test_probabilities_must_be_scaled(tmp_path: Path) -> None:
    file = saved(tmp_path, np.eye(8), 0.5 * np.eye(3))
    everything = " ".join(f"{i}-{j}" for i in range(8) for j in range(8))
    assert succeed("factorise", file).split("\n")[0] == everything, "too little evidence for more than one"
    one, two = (" ".join(f"{k}-{k}" for k in range(size)) for size in (8, 3))
    assert succeed("factorise", file, "--scale", "100") == f"{one}\n{two}\n"
    matrices = scaled(from_matrices([np.eye(8), 0.5 * np.eye(3)]), 2.5)
    stream = io.StringIO()
    cepts.write_pharaoh(factorise(matrices, CeptsOptions(null=False)).links(), stream, scores=True)
    assert succeed("factorise", file, "--scale", "2.5", "--scores") == stream.getvalue()


def test_sure_and_possible_links(tmp_path: Path) -> None:
    file = saved(tmp_path, [[100, 0], [30, 100]])
    scores = succeed("factorise", file, "--cepts", "2", "--scores")
    links = cepts.read_links(io.StringIO(scores))
    between = float(links.confidence.min() + links.confidence.max()) / 2
    marked = succeed("factorise", file, "--cepts", "2", "--sure-confidence", str(between))
    assert sorted(token[1] for token in marked.split()) == ["-", "?"]
    assert marked.replace("?", "-") == succeed("factorise", file, "--cepts", "2")


def test_more_cepts_than_a_matrix_allows(tmp_path: Path) -> None:
    file = saved(tmp_path, 100 * np.eye(3), [[50, 60, 70, 0]])
    assert succeed("factorise", file, "--cepts", "99") == "0-0 1-1 2-2\n0-0 0-1 0-2 0-3\n"


@pytest.mark.parametrize("null", [False, True])
def test_one_word_against_many(null: bool, tmp_path: Path) -> None:
    row = np.array([[5.0, 80, 20]])
    framed = [np.pad(row, ((1, 0), (1, 0))), np.pad(row.T, ((1, 0), (1, 0)))]
    file = saved(tmp_path, *(framed if null else [row, row.T]))
    out = succeed("factorise", file, *(["--null"] if null else []))
    assert out == "0-0 0-1 0-2\n0-0 1-0 2-0\n"


def test_rows_and_matrices_of_zeros(tmp_path: Path) -> None:
    row = np.diag([120, 0, 80])
    file = saved(tmp_path, row, np.zeros((2, 3)), np.zeros((0, 4)), np.zeros((1, 0)))
    result = run("factorise", file, "--format", "cepts")
    said = (
        "cepts: 2 of 4 matrices have no words on a side: nothing to link\n"
        "cepts: 1 of 4 matrices have no number above 0: nothing is known of their words\n"
    )
    assert (result.status, result.err) == (0, said)
    assert result.out == "0,1-0,1:0 2-2:1\n0,1-0,1,2:0\n-0:0 -1:0 -2:0 -3:0\n0-:0\n"
    result = run("factorise", file, "--format", "cepts", "--min-confidence", "0.001")
    assert result.out == "0-0:1 2-2:1\n\n\n\n"
    framed = saved(tmp_path, np.pad(row, ((1, 0), (1, 0))), np.zeros((3, 4)), np.zeros((1, 5)))
    result = run("factorise", framed, "--null", "--format", "cepts")
    assert result.out == "0-0:1 1-:0 2-2:1 -1:0\n0-:0 1-:0 -0:0 -1:0 -2:0\n-0:0 -1:0 -2:0 -3:0\n"
    assert run("factorise", framed, "--null", "--quiet").err == ""


def test_no_matrices_at_all(tmp_path: Path) -> None:
    assert succeed("factorise", saved(tmp_path)) == ""


def test_an_output_file(tmp_path: Path) -> None:
    file = saved(tmp_path, BLOCKS)
    assert succeed("factorise", file, "--output", tmp_path / "links.xz") == ""
    assert (tmp_path / "links.xz").read_bytes()[:6] == b"\xfd7zXZ\x00"
    assert names(tmp_path) == {"links.xz", "matrices.npz"}


EXPECTED = "expected a number from 0 to 3e38"
BAD: dict[str, tuple[Any, str]] = {
    "not a number": ([[1, 2], [3, np.nan]], f"{{}}: arr_1: row 1, column 1: got nan, {EXPECTED}"),
    "negative": ([[1, -2]], f"{{}}: arr_1: row 0, column 1: got -2, {EXPECTED}"),
    "infinite": ([[np.inf]], f"{{}}: arr_1: row 0, column 0: got inf, {EXPECTED}"),
    "too large": ([[1e300]], f"{{}}: arr_1: row 0, column 0: got 1e+300, {EXPECTED}"),
    "flat": (
        [1.0, 2.0],
        "{}: arr_1: got 1 dimensions of float64, expected a matrix of numbers, source x target",
    ),
    "words": (
        [["a", "b"]],
        "{}: arr_1: got 2 dimensions of <U1, expected a matrix of numbers, source x target",
    ),
    "complex": (
        [[1j]],
        "{}: arr_1: got 2 dimensions of complex128, expected a matrix of numbers, source x target",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_matrices(case: str, tmp_path: Path) -> None:
    matrix, message = BAD[case]
    file = saved(tmp_path, [[1.0]], np.array(matrix))
    result = run("factorise", file, "--output", tmp_path / "links")
    assert (result.status, result.out, result.err) == (2, "", f"cepts: {message.format(file)}\n")
    assert names(tmp_path) == {"matrices.npz"}


def test_no_row_for_null(tmp_path: Path) -> None:
    file = saved(tmp_path, np.zeros((0, 3)))
    result = run("factorise", file, "--null")
    assert result.status == 2
    assert result.err == (
        f"cepts: {file}: arr_0: no row and column of NULLs, got the shape (0, 3); add them\n"
    )


def test_files_that_hold_no_matrices(tmp_path: Path) -> None:
    whole = saved(tmp_path, np.arange(400).reshape(20, 20)).read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    (tmp_path / "text").write_text("0.5 0.5\n0.1 0.9\n")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "damaged.npz").write_bytes(damaged)
    np.save(tmp_path / "objects.npy", np.array([[1], [2, 3]], object), allow_pickle=True)
    for name in ("text", "empty", "cut.npz", "damaged.npz", "objects.npy", "none.npz", "."):
        result = run("factorise", tmp_path / name)
        assert (result.status, result.out) == (2, ""), name
        assert result.err.startswith(f"cepts: {tmp_path / name}: no matrices can be read ("), name
        assert result.err.endswith("); write them with numpy.savez\n"), name
        assert result.err.count("\n") == 1, name


REFUSED = {
    "--cepts 0": "--cepts 0: expected a number from 1 to 10000",
    "--cepts 3 --criterion bic": "--criterion chooses the number of cepts, and --cepts says it; drop one of them",
    "--cepts 3 --patience 2": "--patience is about the search for their number, and --cepts says it; drop one of them",
    "--tolerance nan": "--tolerance nan: expected a number from 0 to below 1",
    "--criterion dic": "--criterion dic: expected one of aic, bic",
    "--restarts 3": "--restarts needs --search restarts; add that, or drop it",
    "--seed 0": "--seed needs --search restarts; add that, or drop it",
    "--scale 0": "--scale 0.0: expected a number above 0, up to 1e+06",
    "--scale nan": "--scale nan: expected a number above 0, up to 1e+06",
    "--min-confidence 1.5": "--min-confidence 1.5: expected a number from 0 to 1",
    "--sure-confidence nan": "--sure-confidence nan: expected a number from 0 to 1",
    "--format cepts --scores": "--scores is about links; drop it, or --format cepts",
    "--format cepts --sure-confidence 0.5": "--sure-confidence is about links; drop it, or --format cepts",
    "--output {folder}/none/file": (
        "cannot write {folder}/none/file: there is no folder {folder}/none; create it first"
    ),
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_is_refused(options: str, tmp_path: Path) -> None:
    file = saved(tmp_path, BLOCKS)
    result = run("factorise", file, *options.format(folder=tmp_path).split())
    assert (result.status, result.out) == (2, "")
    assert result.err == f"cepts: {REFUSED[options].format(folder=tmp_path)}\n"
