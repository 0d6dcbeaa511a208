"""The data: Tatoeba and corpora of words, tagged news with machine translations, similarity as people see it."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus import Bitext, encode_lines
from paper_tables.setting import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cepts.corpus import Side

STS = {"4a": (2, 1), "4b": (1, 2)}  # where the English and the Spanish sentence stand

Pairs = list[tuple[str, str]]


class Judged(NamedTuple):
    """Sentences as lines of `word_TAG`: in English, by a human in Spanish, and by a machine."""

    sources: list[str]
    humans: list[str]
    machines: list[str]

    def __add__(self, other: Judged) -> Judged:  # type: ignore[override]
        """Put further sentences behind these."""
        return Judged(*(one + two for one, two in zip(self, other, strict=True)))

    def part(self, first: int, end: int | None) -> Judged:
        """Return some of the sentences."""
        return Judged(*(lines[first:end] for lines in self))


def read_lines(path: Path) -> list[str]:
    """Read a file, or its compressed twin, as lines."""
    packed = path.with_name(f"{path.name}.xz")
    if packed.exists():
        with lzma.open(packed, "rt", encoding="utf-8", newline="\n") as file:
            return [line.rstrip("\n") for line in file]
    with path.open(encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def read_tatoeba(part: str) -> Pairs:
    """Read pairs of English and Spanish sentences, not tokenised."""
    lines = read_lines(data_folder("sentences/tatoeba_enes") / f"{part}.tsv")
    return [(source, target) for source, target in (line.split("\t") for line in lines)]


def read_translated() -> list[str]:
    """Read Apertium's Spanish for the training part of Tatoeba."""
    return read_lines(data_folder("sentences/tatoeba_enes") / "train.apertium.spa")


def read_words(name: str) -> Pairs:
    """Read the training pairs of a corpus of words, tokenised."""
    folder = data_folder(f"words/{name}")
    sides = (read_lines(folder / f"train.{suffix}") for suffix in ("src", "tgt"))
    return list(zip(*sides, strict=True))


def read_similar(track: str) -> tuple[Pairs, list[float]]:
    """Read pairs of English and Spanish sentences of STS 2017, and how similar people find them, from 0 to 5."""
    lines = read_lines(data_folder("sentences/sts2017") / f"track{track}.es-en.tsv")
    cells = [line.split("\t") for line in lines]
    english, spanish = STS[track]
    return [(line[english], line[spanish]) for line in cells], [float(line[0]) for line in cells]


def read_tagged() -> Pairs:
    """Read the training part of Tatoeba as lines of `word_TAG`."""
    folder = data_folder("sentences/tatoeba_enes")
    return list(zip(read_lines(folder / "train.eng.pos"), read_lines(folder / "train.spa.pos"), strict=True))


def read_news(name: str) -> Judged:
    """Read a set of news that Apertium has translated."""
    folder = data_folder("sentences/newstest_enes")
    return Judged(*(read_lines(folder / f"{name}.{one}.pos") for one in ("eng", "spa", "apertium.spa")))


def read_wmt12(part: str) -> Judged:
    """Read a part of WMT12 quality estimation, which a Moses system has translated."""
    folder = data_folder("sentences/wmt12qe_enes")
    return Judged(*(read_lines(folder / f"{part}.{one}.pos") for one in ("source", "reference", "mt")))


def read_tatoeba_judged(part: str) -> Judged:
    """Read a part of Tatoeba, which Apertium has translated."""
    folder = data_folder("sentences/tatoeba_enes")
    return Judged(*(read_lines(folder / f"{part}.{one}.pos") for one in ("eng", "spa", "apertium.spa")))


def without_tags(lines: Sequence[str]) -> list[str]:
    """Take the tags off.

    >>> without_tags(["La_DET casa_NOUN", "snake_case_NOUN"])
    ['La casa', 'snake_case']
    """
    return [" ".join(token.rpartition("_")[0] for token in line.split()) for line in lines]


def only_tags(lines: Sequence[str]) -> list[str]:
    """Take the words off.

    >>> only_tags(["La_DET casa_NOUN"])
    ['DET NOUN']
    """
    return [" ".join(token.rpartition("_")[2] for token in line.split()) for line in lines]


def encoded(pairs: Sequence[tuple[str, str]], *, tokenize: bool = False) -> Bitext:
    """Make a bitext of lines, lower-cased."""
    return Bitext(
        side([source for source, _ in pairs], tokenize=tokenize),
        side([target for _, target in pairs], tokenize=tokenize),
    )


def side(lines: Sequence[str], *, tokenize: bool = False) -> Side:
    """Make one side of a bitext of lines, lower-cased."""
    return encode_lines(lines, tokenize=tokenize)
