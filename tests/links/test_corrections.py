"""Files of corrections, read as links by whoever reads links."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cepts.cli.main import cepts
from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError
from cepts.links import read_links
from cepts.links.corrections import Correction, digest_of, first_line
from cepts.links.reading import read_fitting

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = [("Le chat", "the cat"), ("la maison", "the house"), ("x", "y"), ("a b", "c")]
BITEXT = bitext_from_pairs(PAIRS)


def written(*lines: Correction, pairs: int = len(PAIRS)) -> str:
    return "".join(f"{line}\n" for line in [first_line(pairs), *(line.written() for line in lines)])


def correction(line: int, *links: tuple[int, int, bool], text: tuple[str, str] | None = None) -> Correction:
    source, target = text or PAIRS[line - 1]
    return Correction(line, links, 1, "", "2026-01-31T12:00:00Z", digest_of(source.split(), target.split()))


TWO = written(correction(2, (0, 0, True), (1, 1, False)), correction(4), correction(1)._replace(links=None))


def test_corrected_pairs_have_their_links_and_others_none() -> None:
    links = read_links(io.StringIO(TWO))
    assert [[(link.source, link.target, link.sure) for link in pair] for pair in links] == [
        [],
        [(0, 0, True), (1, 1, False)],
        [],
        [],
    ]
    assert (links.confidence == 1).all()
    assert len(read_links(io.StringIO(TWO), pairs=9)) == 9  # of a text that has grown
    assert len(read_links(io.StringIO(TWO), format="jsonl")) == len(PAIRS)


def test_a_text_that_is_too_short_is_another() -> None:
    with pytest.raises(
        InputError, match="links, line 3: line 4 is corrected, but the text has 3, expected one"
    ):
        read_links(io.StringIO(TWO), pairs=3)


def test_links_must_fit_and_words_must_be_those_that_were_corrected() -> None:
    assert len(read_fitting(io.StringIO(TWO), BITEXT, "text")[1]) == 2
    other = bitext_from_pairs([("", ""), ("le chien", "the dog"), ("", ""), ("a b", "c")])
    with pytest.raises(
        InputError, match=r"links: of 2 corrected pairs 1 have other words in text \(line 2\)"
    ):
        read_fitting(io.StringIO(TWO), other, "text")
    assert len(read_fitting(io.StringIO(TWO), other, "text", words=False)[1]) == 2
    with pytest.raises(InputError, match=r"links, correction of line 3: link 1-0 \(from 0\) is outside"):
        read_fitting(io.StringIO(written(correction(3, (1, 0, True)))), BITEXT, "text")


def test_many_other_lines_are_named_and_the_rest_is_counted() -> None:
    pairs = [(f"a{k}", "b") for k in range(8)]
    lines = [correction(k + 1, text=pair) for k, pair in enumerate(pairs)]
    other = bitext_from_pairs([pairs[0], *[("?", "b")] * 7])
    with pytest.raises(InputError, match=r"of 8 corrected pairs 7 have .* \(line 2, 3, 4, 5, 6, \.\.\.\)"):
        read_fitting(io.StringIO(written(*lines, pairs=8)), other, "text")


def test_convert_reads_them_and_compares_the_words(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("corrections", "source", "target")]
    texts = [TWO, *("".join(f"{line}\n" for line in side) for side in zip(*PAIRS, strict=True))]
    for path, text in zip(names, texts, strict=True):
        path.write_text(text)
    corrections, source, target = map(str, names)
    both = ["--source", source, "--target", target]

    def convert(*arguments: str) -> str:
        result = CliRunner().invoke(cepts, ["convert", corrections, *arguments], catch_exceptions=False)
        return result.stdout

    assert convert("--format", "naacl", *both) == "2 1 1 S\n2 2 2 P\n"
    assert convert("--format", "pharaoh") == "\n0-0 1?1\n\n\n"
    swapped = ["--source", target, "--target", source]
    assert convert("--format", "pharaoh", "--swap", *swapped) == "\n0-0 1?1\n\n\n"
    with pytest.raises(InputError, match="none of its 2 corrected pairs has these words in"):
        convert("--format", "pharaoh", *swapped)
