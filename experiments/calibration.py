"""From posteriors to probabilities: fit the calibration of `best` to the development parts, and see how far it carries.

    python experiments/calibration.py
    python experiments/calibration.py --pairs 1000 5000 --corpora ro-en zh-en

Every cell that either direction gives a posterior of at least 0.01 is right, if the gold has it as a sure or possible
link, or wrong; each corpus and size counts the same. First the calibration is fitted to the posteriors, then, to those
cells that it finds more likely right than wrong, the trust in it to what their words tell. The numbers that come out
are `CALIBRATION` and `TRUST` of `cepts.aligning.recipes`. How they would do on other texts is told by leaving one
language pair out at a time, in both steps. Test parts are not read.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

import numpy as np  # noqa: E402

from cepts import Links  # noqa: E402
from cepts.aligning import recipe  # noqa: E402
from cepts.aligning.priors import spelling_counts  # noqa: E402
from cepts.aligning.recipes import LEAST_PROBABLE  # noqa: E402
from cepts.aligning.stages import Work, trained_stages  # noqa: E402
from cepts.aligning.stopwatch import Stopwatch  # noqa: E402
from cepts.evaluation import calibration_error as error_of_bins  # noqa: E402
from cepts.evaluation.reliability import binned  # noqa: E402
from cepts.sentences.logistic import fit_logistic  # noqa: E402
from cepts.storage import atomic_writer  # noqa: E402
from cepts.words import index_bitext, link  # noqa: E402
from cepts.words.confidence import Calibration, log_odds, size_of_text, threshold_for  # noqa: E402
from cepts.words.decode_kernels import CERTAIN, FAR, NEAR  # noqa: E402
from cepts.words.past import seen_so_far  # noqa: E402
from cepts.words.training import ignore  # noqa: E402
from cepts.words.trust import Trust, evidence, sides_of  # noqa: E402
from corpora import words_folder  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts import Bitext
    from cepts.words import IndexedBitext, WordModel
    from cepts.words.trust import SideWords

    Floats = NDArray[np.float64]
    Cell = tuple[int, int, int]

LEAST = 0.01  # posterior of one direction, from which a cell is looked at
LINK = 0.45  # probability from which a cell is a link, and counts in the calibration error
WANTED = 0.95  # precision
RIDGE = 1e-6  # of the fit of trust: its columns go together, and there are plenty of rows
ONE = Calibration(0.0, 0.0, 0.0, 1.0, 0.0)


class Cells(NamedTuple):
    """Cells of the scored pairs: what a calibration multiplies, [cells, 4], and whether they are right.

    `sides` are the words of the text, which had so many `pairs`.
    """

    links: Links
    table: Floats
    right: NDArray[np.bool_]
    sides: tuple[SideWords, SideWords]
    pairs: int


class Fitted(NamedTuple):
    """Both steps."""

    calibration: Calibration
    trust: Trust


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
    seen = sorted(
        cell
        for cell in forward.keys() | reverse.keys()
        if max(forward.get(cell, 0), reverse.get(cell, 0)) >= LEAST
    )
    posteriors = np.array([(forward.get(cell, 0.0), reverse.get(cell, 0.0)) for cell in seen])
    return Cells(
        as_links(seen, scored),
        columns(posteriors, len(bitext)),
        np.array([cell in gold for cell in seen]),
        sides_of(bitext, seen_so_far(bitext, None)),
        len(bitext),
    )


def trained(bitext: Bitext, indexed: IndexedBitext, threads: int) -> WordModel:
    """Train the recipe's model."""
    chosen = recipe("best")
    extra = spelling_counts(bitext, indexed, chosen.same_spelling)
    for stage in trained_stages(chosen, bitext, indexed, extra, Work(threads, ignore, Stopwatch())):
        trainer = stage
    return trainer.model.settled()


def as_dictionary(links: Links) -> dict[Cell, float]:
    """Spell links out: (pair, source, target) and their confidence."""
    keys = zip(links.row_pairs().tolist(), links.source.tolist(), links.target.tolist(), strict=True)
    return dict(zip(keys, links.confidence.tolist(), strict=True))


def as_links(cells: list[Cell], pairs: int) -> Links:
    """Make links of sorted cells of so many pairs."""
    owner, source, target = np.array(cells, np.int64).reshape(-1, 3).T
    offsets = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=pairs))])
    size = len(cells)
    return Links(
        source.astype(np.int32),
        target.astype(np.int32),
        np.ones(size, np.float32),
        np.ones(size, np.bool_),
        offsets,
    )


def columns(posteriors: Floats, pairs: int) -> Floats:
    """What a calibration multiplies, from both directions' posteriors [cells, 2] in a text of so many pairs."""
    near, far = log_odds(posteriors, NEAR), log_odds(posteriors, FAR).min(axis=1)
    least = near.min(axis=1)
    grown = ONE.of_text(pairs).growth * np.maximum(0.0, least)
    return np.stack([near.sum(axis=1), least, grown, np.maximum(0.0, far - CERTAIN)], axis=1)


def fitted(runs: list[Cells]) -> Fitted:
    """Fit both steps to runs that count the same each."""
    table, right, importance = together(runs, [run.table for run in runs])
    model = fit_logistic(table, right, importance)
    weights = model.weights / model.spread
    calibration = Calibration(float(model.bias - weights @ model.middle), *map(float, weights))
    return Fitted(calibration, fitted_trust(runs, calibration))


def fitted_trust(runs: list[Cells], calibration: Calibration) -> Trust:
    """Fit what the log odds of probable cells are multiplied by.

    Nothing is added to them: every row is there a second time, with all signs turned, so that no constant could help.
    """
    tables = [np.maximum(0.0, scores(calibration, run))[:, None] * known_of(run, calibration) for run in runs]
    table, right, importance = together(runs, tables)
    probable = table.any(axis=1)
    rows, labels, weights = table[probable], right[probable], importance[probable]
    model = fit_logistic(
        np.concatenate([rows, -rows]), np.concatenate([labels, ~labels]), np.tile(weights, 2), RIDGE
    )
    return Trust(*map(float, model.weights / model.spread))


def together(runs: list[Cells], tables: list[Floats]) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Put tables of runs below each other, with what is right, and how much each row counts."""
    importance = [np.full(len(run.right), 1.0 / len(run.right)) for run in runs]
    return np.concatenate(tables), np.concatenate([run.right for run in runs]), np.concatenate(importance)


def scores(calibration: Calibration, cells: Cells) -> Floats:
    """The log odds of each cell, by its posteriors."""
    found: Floats = calibration.offset + cells.table @ np.array(calibration[1:])
    return found


def known_of(cells: Cells, calibration: Calibration) -> Floats:
    """What the factors of `Trust` multiply, in their order, [cells, 6]."""
    found = evidence_of(cells, calibration)
    size = np.full(len(found), size_of_text(cells.pairs))
    return np.column_stack([np.ones(len(found)), found, size])


def evidence_of(cells: Cells, calibration: Calibration) -> Floats:
    """What the words of each cell tell, [cells, 4]; zeros where a cell is not probable."""
    confidence = as_probabilities(scores(calibration, cells)).astype(np.float32)
    links = replace(cells.links, confidence=confidence)
    return evidence(links, cells.sides, (0, len(links)))


def probabilities(by: Fitted, cells: Cells) -> Floats:
    """The probability of each cell."""
    odds = scores(by.calibration, cells)
    factor = by.trust.factor(evidence_of(cells, by.calibration), cells.pairs)
    return as_probabilities(np.where(odds > 0, odds * factor, odds))


def as_probabilities(odds: Floats) -> Floats:
    """From logarithms of odds."""
    found: Floats = 1.0 / (1.0 + np.exp(-odds))
    return found


def calibration_error(probability: Floats, right: NDArray[np.bool_]) -> float:
    """Between the mean probability of links and the share that is right, by tenths of probability."""
    links = probability >= LINK
    return error_of_bins(binned(probability[links], right[links]))


def report(runs: dict[tuple[str, int], Cells]) -> str:
    """Write what was fitted, and the errors of each corpus, also when it was fitted to the other ones."""
    everything = fitted(list(runs.values()))
    names = sorted({name for name, _ in runs})
    errors = ["by posteriors", "fitted to all", "to the others"]
    rows = [["corpus", "pairs", "links", "right", *errors, f"{WANTED} wanted"]]
    for held_out in names:
        rest = [cells for (name, _), cells in runs.items() if name != held_out]
        others = fitted(rest) if rest else everything
        for (name, pairs), cells in runs.items():
            if name == held_out:
                rows.append([name, f"{pairs:,}", *judged(cells, everything, others)])
    pooled = calibration_error(
        np.concatenate([probabilities(everything, cells) for cells in runs.values()]),
        np.concatenate([cells.right for cells in runs.values()]),
    )
    return (
        "# Calibration of `best`\n\nOn development parts, by `experiments/calibration.py`. A link is right if it is"
        f" sure or possible. The errors are expected calibration errors of links from a probability of {LINK} on: by"
        " posteriors alone, and with what the words of links tell, fitted to all corpora or to the other ones. The last"
        f" column is the share of right links where `--precision {WANTED}` was asked for, fitted to the others.\n\n"
        f"`{said(everything.calibration)}`, `{said(everything.trust)}`; error of all corpora together"
        f" {pooled:.3f}.\n\n```\n" + align_columns(rows) + "\n```\n"
    )


def said(numbers: Calibration | Trust) -> str:
    """Write numbers as they stand in the recipes.

    >>> said(Calibration(0.5, 0, 0, 1 / 3, 0))
    'Calibration(0.5000, 0.0000, 0.0000, 0.3333, 0.0000)'
    """
    return f"{type(numbers).__name__}({', '.join(f'{value:.4f}' for value in numbers)})"


def judged(cells: Cells, everything: Fitted, others: Fitted) -> list[str]:
    """One row: links, their precision, and the errors."""
    plain = as_probabilities(scores(everything.calibration, cells))
    found = [plain, probabilities(everything, cells), probabilities(others, cells)]
    links = plain >= LINK
    errors = [calibration_error(one, cells.right) for one in found]
    figures = [cells.right[links].mean(), *errors, reached(found[-1], cells.right)]
    return [f"{links.sum():,}", *(f"{figure:.3f}" for figure in figures)]


def reached(probability: Floats, right: NDArray[np.bool_]) -> float:
    """The share of right links among those that are kept for a wanted precision; not a number if none are.

    >>> reached(np.array([0.99, 0.97, 0.6]), np.array([True, False, False]))
    0.5
    """
    confidence = probability.astype(np.float32)
    kept = confidence >= threshold_for(confidence[confidence >= LEAST_PROBABLE], WANTED)
    return float(right[kept].mean()) if kept.any() else np.nan


if __name__ == "__main__":
    main()
