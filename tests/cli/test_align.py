"""`cepts align`: every way to give text, every option, the same links."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import re
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.aligning import recipe
from cepts.combine import HEURISTICS, combine
from cepts.words.layout import SMALLEST_CHUNK
from tests.cli.command import succeed
from tests.cli.conftest import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

LINE = re.compile(r"(\d+-\d+( \d+-\d+)*)?")
CONFIDENCE = r"(0|1|0\.\d{1,4})"
SCORED_LINE = re.compile(rf"(\d+-\d+:{CONFIDENCE}( \d+-\d+:{CONFIDENCE})*)?\t-\d+\.\d{{4}}")


def lines_of(text: str) -> list[str]:
    """Return lines that each end with a newline and nothing else."""
    lines = text.split("\n")
    assert lines.pop() == ""
    return lines


def as_written(links: cepts.Links) -> str:
    """Return links as Pharaoh lines."""
    stream = io.StringIO()
    cepts.write_pharaoh(links, stream)
    return stream.getvalue()


def test_one_line_of_links_for_each_pair(text: Text, links: str) -> None:
    lines = lines_of(links)
    assert len(lines) == PAIRS
    for line, (source, target) in zip(lines, text.pairs, strict=True):
        assert LINE.fullmatch(line)
        for link in line.split():
            i, j = map(int, link.split("-"))
            assert i < len(source.split())
            assert j < len(target.split())


def test_the_links_are_good(links: str) -> None:
    gold = cepts.read_links(cepts.sample().gold)
    found = cepts.read_links(io.StringIO(links)).head(len(gold))
    assert cepts.evaluate(found, gold).aer < 0.25  # 60 pairs are few; at random it would be about 0.9


def test_bars_in_one_file(text: Text, links: str, tmp_path: Path) -> None:
    file = tmp_path / "both"
    file.write_bytes(text.joined(" ||| "))
    assert succeed("align", file) == links


def test_tabs_on_stdin(text: Text, links: str) -> None:
    assert succeed("align", "-", "--threads", "3", stdin=text.joined("\t")) == links


def test_compressed_files_threads_output_and_timings(text: Text, links: str, tmp_path: Path) -> None:
    source, target = tmp_path / "text.fr.gz", tmp_path / "text.en.xz"
    source.write_bytes(gzip.compress(text.source.read_bytes()))
    target.write_bytes(lzma.compress(text.target.read_bytes()))
    output, timings = tmp_path / "links.gz", tmp_path / "timings.json"
    options = ("--threads", "2", "--output", output, "--timings", timings)
    assert succeed("align", source, target, *options) == ""
    assert gzip.decompress(output.read_bytes()).decode() == links
    told = json.loads(timings.read_text())
    lengths = [[len(side.split()) for side in pair] for pair in text.pairs]
    assert told["pairs"] == PAIRS
    assert told["words"] == [sum(pair[side] for pair in lengths) for side in (0, 1)]
    assert told["cells"] == sum(pair[0] * pair[1] for pair in lengths)
    assert told["signature"] == recipe().signature
    assert {"read", "ibm1", "hmm", "links"} <= set(told["seconds"])
    assert all(seconds >= 0 for seconds in told["seconds"].values())
    assert {path.name for path in tmp_path.iterdir()} == {source.name, target.name, output.name, timings.name}


def test_any_number_of_threads_gives_the_same_bytes(text: Text, tmp_path: Path) -> None:
    file = tmp_path / "long"
    source, target = (" ".join(side[:20]) for side in zip(*text.pairs, strict=True))
    cells = len(source.split()) * len(target.split())
    pairs = 3 * SMALLEST_CHUNK // cells  # enough for several chunks
    file.write_text(f"{source}\t{target}\n" * pairs, encoding="utf-8")
    options = ("--scores", "--iterations", "ibm1=1,hmm=2")
    one, two, three = (succeed("align", file, *options, "--threads", threads) for threads in "123")
    assert one.count("\n") == pairs
    assert one == two == three


def test_the_default_spelled_out(text: Text, links: str) -> None:
    best = recipe("best")
    iterations = f"ibm1={best.ibm1_iterations},hmm={best.hmm_iterations}"
    options = ("--method", "best", "--model-type", "hmm", "--iterations", iterations, "--direction", "both")
    options += (
        "--families",
        best.families,
        "--spelling",
        str(best.spelling),
        "--confidence",
        best.confidence,
    )
    assert succeed("align", text.source, text.target, *options, "--combine", best.combine) == links


def test_another_recipe_is_used_and_told(text: Text, links: str, tmp_path: Path) -> None:
    timings = tmp_path / "timings"
    options = (
        "--model-type",
        "ibm1",
        "--iterations",
        "ibm1=2",
        "--training",
        "independent",
        "--prior",
        "0.01",
    )
    out = succeed(
        "align", text.source, text.target, *options, "--null-probability", "0.2", "--timings", timings
    )
    told = json.loads(timings.read_text())
    changed = {"model_type": "ibm1", "ibm1_iterations": 2, "training": "independent", "null_probability": 0.2}
    assert told["signature"] == recipe(**changed, ibm1_prior=0.01, hmm_prior=0.01).signature
    assert told["iterations"]["ibm1"] == 2
    assert len(lines_of(out)) == PAIRS
    assert out != links


def test_scores(text: Text, links: str) -> None:
    out = succeed("align", text.source, text.target, "--scores")
    assert all(SCORED_LINE.fullmatch(line) for line in lines_of(out))
    assert re.sub(r":[0-9.]+|\t.*", "", out) == links


def test_min_confidence(model: Path, text: Text) -> None:
    out = succeed("align", "--model", model, text.source, text.target, "--scores", "--min-confidence", "0.9")
    every = succeed("align", "--model", model, text.source, text.target, "--scores", "--min-confidence", "0")
    likely, likelier = (cepts.read_links(io.StringIO(written)) for written in (every, out))
    assert likelier.confidence.min() >= 0.9
    assert as_written(likely.select(likely.confidence >= 0.9)) == as_written(likelier)
    assert likely.confidence.min() < 0.5


@pytest.fixture(scope="module")
def directions(model: Path, text: Text) -> dict[str, cepts.Links]:
    """The links of each direction alone."""
    return {
        name: cepts.read_links(
            io.StringIO(succeed("align", "--model", model, text.source, text.target, "--direction", name))
        )
        for name in ("forward", "reverse")
    }


def test_a_direction_links_each_generated_word_at_most_once(directions: dict[str, cepts.Links]) -> None:
    for generated in ([link.target for link in pair] for pair in directions["forward"]):
        assert len(generated) == len(set(generated))
    for generated in ([link.source for link in pair] for pair in directions["reverse"]):
        assert len(generated) == len(set(generated))


@pytest.mark.parametrize("name", HEURISTICS)
def test_combine(name: str, model: Path, text: Text, directions: dict[str, cepts.Links]) -> None:
    out = succeed("align", "--model", model, text.source, text.target, "--combine", name)
    assert out == as_written(combine(directions["forward"], directions["reverse"], name))


def test_tokenize_and_offsets_lead_back_to_the_characters(tmp_path: Path) -> None:
    raw = [
        ("L'été, déjà !", "Summer, already!"),
        ("L'été fini.", "Summer over."),
        ("Fini, déjà.", "Over already."),
    ]
    offsets = tmp_path / "offsets"
    text = "".join(f"{source}\t{target}\n" for source, target in raw).encode()
    out = succeed("align", "-", "--tokenize", "--offsets", offsets, stdin=text)
    spans = [json.loads(line) for line in offsets.read_text().split("\n")[:-1]]
    assert [raw[0][1][begin:end] for begin, end in spans[0]["target"]] == ["Summer", ",", "already", "!"]
    for (source, target), pair in zip(raw, spans, strict=True):
        assert [tuple(span) for span in pair["source"]] == cepts.tokenize(source)
        assert [tuple(span) for span in pair["target"]] == cepts.tokenize(target)
    for line, pair in zip(lines_of(out), spans, strict=True):
        assert line
        for link in line.split():
            i, j = map(int, link.split("-"))
            assert i < len(pair["source"])
            assert j < len(pair["target"])


def test_sample_shows_links_and_their_score() -> None:
    out = succeed("align", "--sample")
    assert "240 French-English pairs" in out
    assert "██" in out
    assert "Paris" in out
    assert re.search(r"^0-0( \d+-\d+)+$", out, re.MULTILINE)
    aer = re.search(r"^AER +([0-9.]+) +95 % interval", out, re.MULTILINE)
    assert aer is not None
    assert float(aer[1]) < 20
