"""From posteriors to probabilities: fit the calibration of `best` to the development parts, and see how far it carries.

    python experiments/calibration.py
    python experiments/calibration.py --pairs 1000 5000 --corpora ro-en zh-en

Every cell that either direction gives a posterior of at least 0.01 is right, if the gold has it as a sure or possible
link, or wrong; each corpus and size counts the same. The numbers that come out are those of `CALIBRATION` in
`cepts.aligning.recipes`. How they would do on other texts is told by leaving one language pair out at a time. Test
parts are not read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

import numpy as np  # noqa: E402

from cepts.aligning import recipe  # noqa: E402
from cepts.aligning.priors import spelling_counts  # noqa: E402
from cepts.aligning.stages import Work, trained_stages  # noqa: E402
from cepts.aligning.stopwatch import Stopwatch  # noqa: E402
from cepts.evaluation import calibration_error as error_of_bins  # noqa: E402
from cepts.evaluation.reliability import binned  # noqa: E402
from cepts.sentences.logistic import fit_logistic  # noqa: E402
from cepts.storage import atomic_writer  # noqa: E402
from cepts.words import index_bitext, link  # noqa: E402
from cepts.words.confidence import Calibration, log_odds  # noqa: E402
from cepts.words.decode_kernels import CERTAIN, FAR, NEAR  # noqa: E402
from cepts.words.training import ignore  # noqa: E402
from corpora import words_folder  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts import Bitext, Links
    from cepts.words import IndexedBitext, WordModel

LEAST = 0.01  # posterior of one direction, from which a cell is looked at
LINK = 0.45  # probability from which a cell is a link, and counts in the calibration error
ONE = Calibration(0.0, 0.0, 0.0, 1.0, 0.0)


class Cells(NamedTuple):
    """What a calibration multiplies, [cells, 4], and whether the cells are right."""

    table: NDArray[np.float64]
    right: NDArray[np.bool_]


def main(arguments: list[str] | None = None) -> None:
    """Align, fit, judge, and write what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, nargs="+", default=[1000, 5000, 20000, 50000])
    parser.add_argument(
        "--corpora", nargs="+", default=sorted(folder.name for folder in words_folder().iterdir())
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    runs = {
        (name, pairs): cells_of(name, pairs, options.threads)
        for name in options.corpora
        for pairs in options.pairs
    }
    text = report(runs)
    with atomic_writer(options.output / "calibration.md") as stream:
        stream.write(text)
    print(text)


def cells_of(name: str, pairs: int, threads: int) -> Cells:
    """Align a corpus by the recipe, and look at the cells of its scored part."""
    corpus = read_corpus(name, "dev", pairs)
    scored, bitext = len(corpus.gold), corpus.bitext
    indexed = index_bitext(bitext, threads)
    model = trained(bitext, indexed, threads)
    forward, reverse = (
        as_dictionary(link(model, bitext, indexed, ways, LEAST / 1000, threads)[0].head(scored))
        for ways in ((True, False), (False, True))
    )
    gold = as_dictionary(corpus.gold)
    seen = [
        cell
        for cell in forward.keys() | reverse.keys()
        if max(forward.get(cell, 0), reverse.get(cell, 0)) >= LEAST
    ]
    posteriors = np.array([(forward.get(cell, 0.0), reverse.get(cell, 0.0)) for cell in seen])
    return Cells(columns(posteriors, len(bitext)), np.array([cell in gold for cell in seen]))


def trained(bitext: Bitext, indexed: IndexedBitext, threads: int) -> WordModel:
    """Train the recipe's model."""
    chosen = recipe("best")
    extra = spelling_counts(bitext, indexed, chosen.same_spelling)
    for stage in trained_stages(chosen, bitext, indexed, extra, Work(threads, ignore, Stopwatch())):
        trainer = stage
    return trainer.model.settled()


def as_dictionary(links: Links) -> dict[tuple[int, int, int], float]:
    """Spell links out: (pair, source, target) and their confidence."""
    keys = zip(links.row_pairs().tolist(), links.source.tolist(), links.target.tolist(), strict=True)
    return dict(zip(keys, links.confidence.tolist(), strict=True))


def columns(posteriors: NDArray[np.float64], pairs: int) -> NDArray[np.float64]:
    """What a calibration multiplies, from both directions' posteriors [cells, 2] in a text of so many pairs."""
    near, far = log_odds(posteriors, NEAR), log_odds(posteriors, FAR).min(axis=1)
    least = near.min(axis=1)
    grown = ONE.of_text(pairs).growth * np.maximum(0.0, least)
    return np.stack([near.sum(axis=1), least, grown, np.maximum(0.0, far - CERTAIN)], axis=1)


def fitted(runs: list[Cells]) -> Calibration:
    """Fit a calibration to runs that count the same each."""
    table, right = (np.concatenate(part) for part in zip(*runs, strict=True))
    importance = np.concatenate([np.full(len(run.right), 1.0 / len(run.right)) for run in runs])
    model = fit_logistic(table, right, importance)
    weights = model.weights / model.spread
    return Calibration(float(model.bias - weights @ model.middle), *map(float, weights))


def probabilities(calibration: Calibration, cells: Cells) -> NDArray[np.float64]:
    """The probability of each cell."""
    weights = np.array(calibration[1:])
    return 1.0 / (1.0 + np.exp(-(calibration.offset + cells.table @ weights)))


def calibration_error(probability: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Between the mean probability of links and the share that is right, by tenths of probability."""
    links = probability >= LINK
    return error_of_bins(binned(probability[links], right[links]))


def report(runs: dict[tuple[str, int], Cells]) -> str:
    """Write the calibration, and the error of each corpus when it was fitted to the other ones."""
    everything = fitted(list(runs.values()))
    names = sorted({name for name, _ in runs})
    rows = [["corpus", "pairs", "links", "right", "error, fitted to all", "error, fitted to the others"]]
    for held_out in names:
        rest = [cells for (name, _), cells in runs.items() if name != held_out]
        others = fitted(rest) if rest else everything
        for (name, pairs), cells in runs.items():
            if name == held_out:
                rows.append([name, f"{pairs:,}", *judged(cells, everything, others)])
    numbers = ", ".join(f"{value:.4f}" for value in everything)
    pooled = calibration_error(
        np.concatenate([probabilities(everything, cells) for cells in runs.values()]),
        np.concatenate([cells.right for cells in runs.values()]),
    )
    return (
        "# Calibration of `best`\n\nOn development parts, by `experiments/calibration.py`. A link is right if it is"
        f" sure or possible. The errors are expected calibration errors of links from a probability of {LINK} on.\n\n"
        f"`Calibration({numbers})`; error of all corpora together {pooled:.3f}.\n\n```\n"
        + align_columns(rows)
        + "\n```\n"
    )


def judged(cells: Cells, everything: Calibration, others: Calibration) -> list[str]:
    """One row: links, their precision, and both errors."""
    probability = probabilities(everything, cells)
    links = probability >= LINK
    errors = [calibration_error(probabilities(one, cells), cells.right) for one in (everything, others)]
    return [f"{links.sum():,}", f"{cells.right[links].mean():.3f}", *(f"{error:.3f}" for error in errors)]


if __name__ == "__main__":
    main()
