"""What was corrected over HTTP comes back: `cepts align --known-links` takes the export, and the file itself."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import cepts
from cepts.aligning import Aligner
from cepts.cli.main import cepts as command
from cepts.errors import InputError
from cepts.links import Links, read_links
from cepts.web.corpus import Corpus
from cepts.web.corrections import Corrections
from tests.web.corpora import asking, put

if TYPE_CHECKING:
    from pathlib import Path

LINES = 60
CORRECTED = {2: [[0, 1, "S"], [1, 0, "P"]], 5: [[1, 1, "S"], [0, 2, "S"]], 7: []}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text, and what three people made of three of its lines: exported, and as it was saved."""
    folder = tmp_path_factory.mktemp("text")
    for name, path in zip(("fr", "en"), cepts.sample()[:2], strict=True):
        lines = path.read_text(encoding="utf-8").split("\n")[:LINES]
        (folder / f"text.{name}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    bitext = cepts.read_bitext(folder / "text.fr", folder / "text.en", keep_text=True)
    nothing = Links.from_pairs([[] for _ in range(LINES)])
    corrections = Corrections.beside(folder / "text.fr", bitext)
    with asking(Corpus(bitext, {"links": nothing}, corrections=corrections)) as client:
        for line, links in CORRECTED.items():
            assert put(client, line, links).status_code == 200
        exported = client.get("/api/export", params={"what": "corrections", "format": "pharaoh"})
    (folder / "exported.txt").write_bytes(exported.content)
    return folder


def align(folder: Path, *arguments: object) -> Links:
    texts = [folder / "text.fr", folder / "text.en", "--method", "fast", "--quiet", *arguments]
    result = CliRunner().invoke(command, ["align", *map(str, texts)], catch_exceptions=False)
    assert result.exit_code == 0
    return read_links(io.StringIO(result.stdout))


@pytest.mark.parametrize("known", ["exported.txt", "text.fr.corrections.jsonl"])
def test_known_links_come_out(folder: Path, known: str) -> None:
    found = align(folder, "--known-links", folder / known)
    for line, links in CORRECTED.items():
        sure = {(i, j) for i, j, kind in links if kind == "S"}
        assert sure <= {link[:2] for link in found[line - 1]}
    complete = align(folder, "--known-links", folder / known, "--known-complete")
    assert {link[:2] for link in complete[4]} == {(0, 2), (1, 1)}
    possible = {link[:2] for link in complete[1]} - {(0, 1)}
    assert possible <= {(1, 0)}  # may be there, need not
    assert complete[6]  # a pair of no links counts as one of which nothing is known


def test_both_ways_to_feed_them_back_are_the_same(folder: Path) -> None:
    exported, saved = (
        align(folder, "--known-links", folder / name)
        for name in ("exported.txt", "text.fr.corrections.jsonl")
    )
    assert [exported[k] for k in range(LINES)] == [saved[k] for k in range(LINES)]


def test_a_text_that_has_changed_is_refused(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "text.fr").read_text(encoding="utf-8").splitlines()
    lines[4] = "tout autre"
    other = tmp_path / "text.fr"
    other.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    known = folder / "text.fr.corrections.jsonl"
    with pytest.raises(InputError, match=r"of 3 corrected pairs 1 have other words in .*text.fr \(line 5\)"):
        CliRunner().invoke(
            command,
            ["align", str(other), str(folder / "text.en"), "--known-links", str(known), "--quiet"],
            catch_exceptions=False,
        )


def test_a_model_that_was_trained_with_them_is_what_aligns() -> None:
    """The way back is `fit`: known links of some pairs teach the others."""
    bitext = cepts.bitext_from_pairs([("a b", "x y")] * 4)
    known = Links.from_pairs([[(0, 1), (1, 0)], [], [], []])
    plain, taught = (
        Aligner("fast").fit(bitext, known_links=links).align(("a b", "x y")) for links in (None, known)
    )
    assert [link[:2] for link in plain] == [(0, 0), (1, 1)]
    assert [link[:2] for link in taught] == [(0, 1), (1, 0)]
