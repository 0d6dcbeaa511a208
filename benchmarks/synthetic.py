"""A corpus of any size, made up: words as frequent as in real text, translations that an aligner can find.

    python benchmarks/synthetic.py --pairs 5000000 --output FOLDER

Ranks of words follow Zipf and Mandelbrot, lengths a log-normal law. A word has one or two translations, some words have
none, neighbours change places now and then. The same seed gives the same files, `source` and `target`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 7
VOCABULARY = 200_000
SHIFT, POWER = 2.7, 1.05  # of Mandelbrot's law
MEAN_LENGTH, SPREAD, LONGEST = 14.0, 0.6, 100
DROPPED, SECOND, SWAPPED = 0.12, 0.25, 0.15  # shares of words
AT_ONCE = 50_000  # pairs


class Maker:
    """Makes pairs of sentences from a seed."""

    def __init__(self, seed: int = SEED, vocabulary: int = VOCABULARY) -> None:
        self.random = np.random.default_rng(seed)
        shares = (np.arange(1, vocabulary + 1) + SHIFT) ** -POWER
        self.sums = np.cumsum(shares / shares.sum())
        self.translations = np.stack([self._near(vocabulary), self._near(vocabulary)])
        self.words = [np.array([f"{side}{rank:x}" for rank in range(vocabulary)]) for side in "st"]

    def _near(self, vocabulary: int) -> NDArray[np.int64]:
        """Give each word a translation of about its own rank, no two the same."""
        ranks = np.arange(vocabulary)
        return np.argsort(ranks + self.random.normal(0, 1 + 0.05 * ranks), kind="stable")

    def pairs(self, count: int) -> tuple[list[str], list[str]]:
        """Make so many pairs."""
        lengths = self.random.lognormal(np.log(MEAN_LENGTH) - SPREAD**2 / 2, SPREAD, count)
        lengths = np.clip(np.rint(lengths), 1, LONGEST).astype(np.int64)
        source = np.searchsorted(self.sums, self.random.random(int(lengths.sum()))).clip(
            max=len(self.sums) - 1
        )
        other = (self.random.random(len(source)) < SECOND).astype(np.int64)
        target = self.translations[other, source]
        owner = np.repeat(np.arange(count), lengths)
        place = np.arange(len(source)) + 1.6 * (self.random.random(len(source)) < SWAPPED)
        order = np.lexsort((place, owner))
        kept = order[self.random.random(len(source)) >= DROPPED]
        return (
            self._lines(0, source, lengths),
            self._lines(1, target[kept], np.bincount(owner[kept], minlength=count)),
        )

    def _lines(self, side: int, ids: NDArray[np.int64], lengths: NDArray[np.int64]) -> list[str]:
        words = self.words[side][ids].tolist()
        ends = np.cumsum(lengths).tolist()
        return [
            " ".join(words[end - length : end]) for end, length in zip(ends, lengths.tolist(), strict=True)
        ]


def write(folder: Path, pairs: int, seed: int = SEED) -> tuple[Path, Path]:
    """Write a corpus of so many pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    maker, paths = Maker(seed), (folder / "source", folder / "target")
    with paths[0].open("w") as source, paths[1].open("w") as target:
        for first in range(0, pairs, AT_ONCE):
            for lines, stream in zip(maker.pairs(min(AT_ONCE, pairs - first)), (source, target), strict=True):
                stream.write("\n".join(lines) + "\n")
    return paths


def main(arguments: list[str] | None = None) -> None:
    """Write a corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=5_000_000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    asked = parser.parse_args(arguments)
    write(asked.output, asked.pairs, asked.seed)


if __name__ == "__main__":
    main()
