"""Plain text files for a benchmark: the scored part, then the first training pairs, lower-cased."""

from __future__ import annotations

import lzma
import os
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PARTS = {"dev": ["dev"], "test": ["test"], "dev+test": ["dev", "test"]}
TRAINING_OF = {"zh-en-nist": "zh-en"}  # corpora without training text of their own, and whose they take

Pair = tuple[str, str]


@dataclass(frozen=True)
class Corpus:
    """Two files of equally many lines, of which the first ones have gold links, and their sizes."""

    name: str
    part: str
    source: Path
    target: Path
    gold: str
    scored: int
    pairs: int
    source_words: int
    target_words: int


def data_home() -> Path:
    """Return where the data should be."""
    return Path(os.environ.get("CEPTS_DATA") or ROOT.parent / "shared" / "data")


def data_folder(what: str, name: str) -> Path:
    """Return a folder of the data, or end with a word on where it was looked for, and what should be there."""
    folder = data_home() / name
    if not folder.is_dir():
        first = name.partition("/")[0]
        raise SystemExit(f"no {what} in {folder}; set CEPTS_DATA to the folder that holds {first}/")
    return folder


def words_folder() -> Path:
    """Return the folder of the corpora."""
    return data_folder("corpora", "words")


def build_corpus(name: str, part: str, training_pairs: int | None, folder: Path) -> Corpus:
    """Write the part's pairs and the first training pairs (None: all) as two files into `folder`."""
    home = words_folder() / name
    if not home.is_dir():
        raise SystemExit(
            f"no corpus {name}; there are {', '.join(sorted(f.name for f in home.parent.iterdir()))}"
        )
    gold = "".join((home / f"{one}.gold").read_text("utf-8") for one in PARTS[part])
    scored = list(chain.from_iterable(read_pairs(home, one, "") for one in PARTS[part]))
    training = filter(both_sides, islice(read_training(name), training_pairs))
    sizes = write_pairs(chain(scored, training), folder / "source", folder / "target")
    return Corpus(name, part, folder / "source", folder / "target", gold, len(scored), *sizes)


def read_training(name: str) -> Iterator[Pair]:
    """Yield the lower-cased training pairs of a corpus, without their newlines."""
    return read_pairs(words_folder() / TRAINING_OF.get(name, name), "train", ".xz")


def read_pairs(home: Path, part: str, suffix: str) -> Iterator[Pair]:
    """Yield the lower-cased pairs of a part, without their newlines."""
    opener = lzma.open if suffix == ".xz" else open
    with (
        opener(home / f"{part}.src{suffix}", "rt", encoding="utf-8", newline="\n") as source,
        opener(home / f"{part}.tgt{suffix}", "rt", encoding="utf-8", newline="\n") as target,
    ):
        for pair in zip(source, target, strict=True):
            yield tidy(pair[0]), tidy(pair[1])


def tidy(line: str) -> str:
    """Lower-case a line and put one space between words, so that all systems see the same words.

    >>> tidy("Mr.  Speaker ,\\n")
    'mr. speaker ,'
    """
    return " ".join(line.lower().split())


def both_sides(pair: Pair) -> bool:
    """Tell whether both sides have words: some peers stop at an empty line."""
    return bool(pair[0] and pair[1])


def write_pairs(pairs: Iterable[Pair], source: Path, target: Path) -> tuple[int, int, int]:
    """Write pairs to two files; return the number of pairs, source words and target words."""
    count = source_words = target_words = 0
    with source.open("w", encoding="utf-8") as one, target.open("w", encoding="utf-8") as two:
        for left, right in pairs:
            one.write(left + "\n")
            two.write(right + "\n")
            count += 1
            source_words += left.count(" ") + 1
            target_words += right.count(" ") + 1
    return count, source_words, target_words
