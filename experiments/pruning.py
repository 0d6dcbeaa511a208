"""Should improbable word pairs be dropped between IBM-1 and the HMM? AER, size and time, on the development parts.

    python experiments/pruning.py --pairs 10000

After the last iteration of IBM-1, pairs whose probability is below a threshold in both directions are taken out of the
table; all their cells share one value from then on, the floor. Nothing of this depends on memory, threads or machine.
Texts of more than one shard (17 million cells) are not for it.
Rows are added to a JSON file as they finish, and skipped when they are there; the Markdown beside it is made from it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

import numpy as np  # noqa: E402

from cepts.aligning import recipe  # noqa: E402
from cepts.aligning.priors import spelling_counts  # noqa: E402
from cepts.aligning.stages import Work, trained_stages  # noqa: E402
from cepts.aligning.stopwatch import Stopwatch  # noqa: E402
from cepts.evaluation import evaluate  # noqa: E402
from cepts.storage import atomic_writer  # noqa: E402
from cepts.words import ExtraCounts, Hmm, Jumps, Lexicon, Trainer, index_bitext, link  # noqa: E402
from cepts.words.families import Families  # noqa: E402
from cepts.words.indexed import Shard  # noqa: E402
from cepts.words.lexicon import FLOOR  # noqa: E402
from cepts.words.training import ignore  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts import Bitext, Links
    from cepts.words import IndexedBitext
    from cepts.words.lexicon import Smoothing

Row = dict[str, Any]
CORPORA = ("de-en", "en-fr-hansards", "en-hu", "ro-en", "zh-en")
THRESHOLDS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3)


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=CORPORA)
    parser.add_argument("--pairs", type=int, default=10_000, help="training pairs (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    path = options.output / "pruning.json"
    rows: list[Row] = json.loads(path.read_text("utf-8")) if path.exists() else []
    for name in options.corpora:
        done = {row["threshold"] for row in rows if (row["corpus"], row["pairs"]) == (name, options.pairs)}
        wanted = [threshold for threshold in THRESHOLDS if threshold not in done]
        if wanted:
            bitext, gold, _ = read_corpus(name, "dev", options.pairs)
            for row in measured(bitext, gold, wanted):
                rows.append({"corpus": name, "pairs": options.pairs} | row)
                store(path, rows)
                print(rows[-1], flush=True)
    store(path, rows)


class Pruned(NamedTuple):
    """Families of a table whose values have one more at the end, that of all pairs that are not in it."""

    families: Families

    def maximised(
        self, lexicon: Lexicon, counts: NDArray[np.float32], smoothing: Smoothing, threads: int = 1
    ) -> Lexicon:
        """Return the lexicon after an M step."""
        table = (lexicon.row_offsets, lexicon.columns)
        self.families.maximised(Lexicon(*table, lexicon.values[:-1]), counts[:-1], smoothing, threads)
        counts[-1] = FLOOR
        return Lexicon(*table, counts)


def measured(bitext: Bitext, gold: Links, thresholds: list[float]) -> list[Row]:
    """Train IBM-1 once, and an HMM for each threshold."""
    chosen, whole = recipe("best"), index_bitext(bitext)
    extra = spelling_counts(bitext, whole, chosen.same_spelling)
    first = next(trained_stages(chosen, bitext, whole, extra, Work(1, ignore, Stopwatch()))).model.lexicon
    return [one_row(bitext, gold, whole, first.values.copy(), extra, threshold) for threshold in thresholds]


def one_row(
    bitext: Bitext,
    gold: Links,
    whole: IndexedBitext,
    values: NDArray[np.float32],
    extra: ExtraCounts,
    threshold: float,
) -> Row:
    """Train the HMM on a pruned table, and score its links."""
    chosen = recipe("best")
    kept = (values >= threshold).any(axis=1)
    kept[0] = kept[extra.entries] = True
    numbers = np.where(kept, np.cumsum(kept) - 1, kept.sum()).astype(np.int32)
    indexed = without(whole, kept, numbers)
    begin = time.process_time()
    families = Families.of(bitext, indexed, chosen.families, chosen.spelling)
    training = chosen.training_of("hmm")._replace(
        extra=ExtraCounts(numbers[extra.entries].astype(np.int64), extra.counts), families=Pruned(families)
    )
    lexicon = Lexicon(
        indexed.row_offsets, indexed.columns, np.concatenate([values[kept], np.full((1, 2), FLOOR, "f4")])
    )
    jumps = Jumps.initial(chosen.jump_band, indexed.longest, chosen.null_probability)
    trainer = Trainer(Hmm(lexicon, (jumps, jumps), indexed.longest), indexed)
    trainer.run(chosen.hmm_iterations, training)
    spent = time.process_time() - begin
    calibration = chosen.calibration.of_text(len(bitext)) if chosen.calibration else None
    links, _ = link(trainer.model, bitext, indexed, (True, True), chosen.threshold, calibration=calibration)
    aer = evaluate(links.head(len(gold)), gold, resamples=1).aer
    return {
        "threshold": threshold,
        "aer": round(100 * aer, 2),
        "kept": round(float(kept.mean()), 4),
        "seconds": round(spent, 2),
    }


def without(whole: IndexedBitext, kept: NDArray[np.bool_], numbers: NDArray[np.int32]) -> IndexedBitext:
    """Take word pairs out of a table; `numbers` are the places that all of them have from then on."""
    (shard,) = whole.shards
    chunks = [chunk._replace(entries=numbers[chunk.entries]) for chunk in shard.chunks]
    sums = np.concatenate([[0], np.cumsum(kept)])
    return whole._replace(
        row_offsets=sums[whole.row_offsets],
        columns=whole.columns[kept],
        shards=[Shard(chunks, shard.entries)],
    )


def store(path: Path, rows: list[Row]) -> None:
    """Write the rows and the table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as stream:
        stream.write(json.dumps(rows, indent=1) + "\n")
    with atomic_writer(path.with_suffix(".md")) as stream:
        stream.write(f"# Pruning between IBM-1 and the HMM, development parts\n\n```\n{table(rows)}\n```\n\n")
        stream.write("AER in percent / pairs kept in percent / CPU seconds of the HMM, by threshold.\n")


def table(rows: list[Row]) -> str:
    """Draw a line for each corpus and size."""
    lines = []
    for corpus, pairs in sorted({(row["corpus"], row["pairs"]) for row in rows}):
        here = {row["threshold"]: row for row in rows if (row["corpus"], row["pairs"]) == (corpus, pairs)}
        cells = [
            f"{here[t]['aer']:.2f}/{100 * here[t]['kept']:.0f}/{here[t]['seconds']:.0f}" if t in here else "-"
            for t in THRESHOLDS
        ]
        lines.append([corpus, f"{pairs}", *cells])
    return align_columns([["corpus", "pairs", *(f"{t:g}" for t in THRESHOLDS)], *lines], left=1)


if __name__ == "__main__":
    main()
