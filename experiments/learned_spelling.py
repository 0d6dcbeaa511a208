"""Is a likeness of words that is learned worth more than the longest common subsequence? AER on the development parts.

    python experiments/learned_spelling.py --pairs 1000
    python experiments/learned_spelling.py --pairs 5000 --corpora zh-en ro-en

`best` aligns a text; an edit model learns, without supervision, from the words of its confident links, beside words
that are linked with others; `best` is then trained anew with what that model says of each word pair. Words are drawn
into two halves, and each is judged by the model of the other: no link vouches for itself. How far an affinity is above
the mean of all pairs, in standard deviations, makes a likeness; it takes the place of the common subsequence
(`learned`), or counts where it is larger (`either`).

Rows are added to a JSON file as they finish, and skipped when they are there; the Markdown beside it is made from it.
Test parts are not read.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

from cepts import Aligner, evaluate  # noqa: E402
from cepts.characters import EditModel  # noqa: E402
from cepts.words import families  # noqa: E402
from cepts.words.likeness import likeness_of_entries, plain_letters  # noqa: E402
from paper_tables.kept_rows import Row, fenced, read_rows, write_rows  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cepts import Bitext, Links
    from cepts.words import IndexedBitext

    Learned = Callable[[IndexedBitext], NDArray[np.uint8]]

CORPORA = ("de-en", "en-es", "en-fr-hansards", "en-hu", "en-it", "ro-en", "zh-en")
WAYS = ("subsequence", "learned", "either")
CONFIDENT = 0.8
MOST = 6000  # word pairs to learn from
ORDER = 1  # of the edit model
NOTHING, EVERYTHING = 2.5, 6.0  # standard deviations above the mean that are no likeness, and all of it


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=CORPORA)
    parser.add_argument("--pairs", type=int, default=5000, help="training pairs (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    path = options.output / "learned-spelling.json"
    rows = read_rows(path)
    for name in options.corpora:
        key = {"corpus": name, "pairs": options.pairs}
        if any(key.items() <= row.items() for row in rows):
            continue
        bitext, gold, _ = read_corpus(name, "dev", options.pairs)
        rows.append(key | measured(bitext, gold))
        store(path, rows)
        print(rows[-1], flush=True)
    store(path, rows)


def measured(bitext: Bitext, gold: Links) -> Row:
    """Align as usual, learn from that, and align in the other ways."""
    links = Aligner().fit(bitext).align(bitext)
    begin = time.process_time()
    pairs = confident_words(bitext, links)
    learned = likeness_learned(bitext, pairs)
    spent = time.process_time() - begin
    found = {"subsequence": links} | {way: aligned_with(bitext, learned, way) for way in WAYS[1:]}
    aer = {
        way: round(100 * evaluate(each.head(len(gold)), gold, resamples=1).aer, 2)
        for way, each in found.items()
    }
    return {"words": len(pairs), "seconds": round(spent, 2)} | aer


def confident_words(bitext: Bitext, links: Links) -> NDArray[np.int64]:
    """List the words that confident links join, [source, target], each pair once; some of them where they are many."""
    kept = links.select(links.confidence >= CONFIDENT)
    numbers = np.repeat(np.arange(len(kept)), np.diff(kept.offsets))
    source = bitext.source.ids[bitext.source.offsets[numbers] + kept.source]
    target = bitext.target.ids[bitext.target.offsets[numbers] + kept.target]
    pairs = np.unique(np.stack([source, target], axis=1), axis=0)
    spelled = [
        np.array([plain_letters(word) != "" for word in side.words])
        for side in (bitext.source, bitext.target)
    ]
    pairs = pairs[spelled[0][pairs[:, 0]] & spelled[1][pairs[:, 1]]]
    return np.random.default_rng(1).permutation(pairs)[:MOST]


def likeness_learned(bitext: Bitext, pairs: NDArray[np.int64]) -> Learned:
    """Train a model on each half of the source's words; return what gives the likeness of a lexicon's entries."""
    random = np.random.default_rng(2)
    half = random.integers(0, 2, len(bitext.source.words))
    source, target = ([plain_letters(word) for word in side.words] for side in (bitext.source, bitext.target))
    models = []
    for judged in (0, 1):
        others = pairs[half[pairs[:, 0]] != judged]
        worse = random.permutation(others[:, 1])
        triples = [(source[i], target[j], target[k]) for (i, j), k in zip(others, worse, strict=True)]
        triples = [triple for triple in triples if triple[1] != triple[2]]
        models.append(EditModel.fit(triples, mode="affinity", order=ORDER) if triples else None)

    def likeness(indexed: IndexedBitext) -> NDArray[np.uint8]:
        rows = np.repeat(np.arange(len(indexed.row_offsets) - 1), np.diff(indexed.row_offsets)) - 1
        columns = indexed.columns.astype(np.int64) - 1
        words = (rows >= 0) & (columns >= 0)
        words[words] = np.array([word != "" for word in source])[rows[words]]
        words[words] = np.array([word != "" for word in target])[columns[words]]
        found = np.zeros(len(rows), np.uint8)
        for judged, model in enumerate(models):
            here = np.flatnonzero(words)
            here = here[half[rows[here]] == judged]
            if model is not None and len(here):
                encoded = model.encode_sources(source), model.encode_targets(target)
                affinity = model.affinities_of(*encoded, rows[here], columns[here])
                above = (affinity - affinity.mean()) / max(float(affinity.std()), 1e-9)
                share = np.clip((above - NOTHING) / (EVERYTHING - NOTHING), 0.0, 1.0)
                found[here] = np.rint(255 * share).astype(np.uint8)
        return found

    return likeness


def aligned_with(bitext: Bitext, learned: Learned, way: str) -> Links:
    """Align with a likeness that was learned in the place of the common subsequence, or beside it."""

    def likeness(indexed: IndexedBitext, *words: Any) -> NDArray[np.uint8]:
        new = learned(indexed)
        return new if way == "learned" else np.maximum(new, likeness_of_entries(indexed, *words))

    with patch.object(families, "likeness_of_entries", likeness):  # a seam for this alone would serve nobody
        return Aligner().fit(bitext).align(bitext)


def store(path: Path, rows: list[Row]) -> None:
    """Write the rows and the table."""
    write_rows(
        path,
        rows,
        "# A likeness of words that is learned (`--method best`), development parts",
        fenced(table(rows)),
        "AER in percent: with the longest common subsequence, as `best` has it, with the edit model's affinity instead,"
        " and with either of them; word pairs that were learned from, and CPU seconds of learning"
        " (`experiments/learned_spelling.py`).",
    )


def table(rows: list[Row]) -> str:
    """Draw a line for each corpus and size, and their means."""
    ordered = sorted(rows, key=lambda row: (row["pairs"], row["corpus"]))
    lines = [
        [
            row["corpus"],
            f"{row['pairs']:,}",
            *(f"{row[way]:.2f}" for way in WAYS),
            f"{row['words']:,}",
            f"{row['seconds']:.1f}",
        ]
        for row in ordered
    ]
    if rows:
        lines.append(["mean", "", *(f"{np.mean([row[way] for row in rows]):.2f}" for way in WAYS), "", ""])
    return align_columns([["corpus", "pairs", *WAYS, "words", "seconds"], *lines], left=1)


if __name__ == "__main__":
    main()
