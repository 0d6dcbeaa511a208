"""How fast the edit model is: training, transcription, affinities, and the matching of two long lists of names.

    python benchmarks/name_speed.py --part test

CPU seconds on one thread, kernels compiled before. Lists of 20,000 Arabic and 20,000 English names are made of all name
data that has Arabic, filled up with compounds of two names; how good matches are is told of names that the model
has not seen, without compounds. RapidFuzz, if installed, compares all pairs after a plain transliteration, each letter
by the one that most readily stands for it. The report is `benchmarks/results/names.md`, with the same figures as JSON
beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.characters import EditModel
from cepts.names.matching import Match, calibrate, match
from corpora import data_folder
from goals import add_output, row, write_results
from name_speed_report import report
from paper_tables.command import positive, stem_of
from paper_tables.meter import peak_mb
from signature import installed, signature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goals import Row

Pairs = list[tuple[str, str]]

MAIN, OTHERS = "ar-en-google", ("ar-en-wikidata", "ar-en-arabic-origin")
PARTS = ("train", "dev", "test")
LETTERS, COMPARED = 8, 200_000  # of strings whose affinity is timed, and how many pairs
PRECISIONS = (0.8, 0.9, 0.95)


def main(arguments: list[str] | None = None) -> None:
    """Measure everything, and write the report."""
    options = parse(arguments)
    warm_up()
    rows, quality = measure_all(options.part, options.names, options.epochs)
    result = {
        "signature": signature(f"order 3; RapidFuzz {installed('rapidfuzz') or 'not installed'}", 1),
        "rows": rows,
        "quality": quality,
    }
    stem = stem_of("names", options.part, None if options.names == 20_000 else options.names)
    write_results(options.output, stem, result, report(result))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=("dev", "test"), default="dev", help="names to try (default: dev)")
    parser.add_argument("--names", type=positive, default=20_000, help="of each list (default: 20000)")
    parser.add_argument("--epochs", type=positive, default=10, help="of training (default: 10)")
    add_output(parser)
    return parser.parse_args(arguments)


def read_pairs(name: str, part: str) -> Pairs:
    """Read pairs of names."""
    lines = (data_folder("names", f"names/{name}") / f"{part}.tsv").read_text("utf-8").splitlines()
    return [(source, target) for source, target in (line.split("\t") for line in lines)]


def warm_up() -> None:
    """Compile what is measured."""
    pairs = [(f"{a}b{c}", f"{a}p{c}".upper()) for a in "abcdefgh" for c in "xyz"]
    for mode in ("generate", "rank"):
        model = EditModel.fit(pairs, mode=mode, order=3, epochs=1)
        model.transcribe(["abc"])
    calibrate(model, pairs)
    match(model, ["abx"], ["APX"])


def measure_all(part: str, names: int, epochs: int) -> tuple[list[Row], list[Row]]:
    """Return rows of costs, and rows of how good matches are."""
    training, dev = read_pairs(MAIN, "train"), read_pairs(MAIN, "dev")
    sources = [source for source, _ in read_pairs(MAIN, part)]
    generating, seconds = timed(lambda: EditModel.fit(training, epochs=epochs))
    rows = [cost(f"generation training, {epochs} epochs, {len(training):,} pairs", seconds, 300)]
    model, seconds = timed(lambda: EditModel.fit(training, mode="rank", epochs=epochs))
    rows.append(cost(f"ranking training, {epochs} epochs, {len(training):,} pairs", seconds, 120))
    _, seconds = timed(lambda: generating.transcribe(sources))
    rows.append(rate("transcription, names a second", len(sources), seconds, 1_000))
    flat = EditModel.fit(training, mode="rank", order=0, epochs=1)
    for judge, goal in ((flat, 500_000), (model, 50_000)):
        rows += affinity_rows(judge, goal)
    distractors = [target for _, target in training]
    _, seconds = timed(lambda: calibrate(model, dev, distractors))
    rows.append(cost(f"calibration, {len(dev):,} names", seconds, None))
    quality = kept_promises(model, part, distractors) if part != "dev" else []
    more, matched = matching_rows(model, flat, names)
    return rows + more, matched + quality


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """Return a result and the CPU seconds that it took."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def cost(what: str, seconds: float, goal: float | None) -> Row:
    """Make a row of CPU seconds, of which there should be few."""
    return row(what, seconds, "CPU s", at_most=goal)


def rate(what: str, count: int, seconds: float, goal: float) -> Row:
    """Make a row of things a second, of which there should be many."""
    return row(what, count / seconds, "a second", at_least=goal)


def affinity_rows(model: EditModel, goal: int) -> list[Row]:
    """Time pairs of strings of equal length: each source with one target, and each with many."""
    pairs = read_pairs(MAIN, "train")
    sources = model.encode_sources([name for name, _ in pairs if len(name) == LETTERS])
    targets = model.encode_targets([name for _, name in pairs if len(name) == LETTERS])
    random = np.random.default_rng(1)
    others = random.integers(len(targets), size=COMPARED)
    ones = {"any pairs": random.integers(len(sources), size=COMPARED)}
    ones["1,000 targets a source"] = np.arange(COMPARED) // 1_000 % len(sources)
    rows = []
    for how, chosen in ones.items():
        _, seconds = timed(lambda chosen=chosen: model.affinities_of(sources, targets, chosen, others))
        what = f"affinities of {LETTERS}-letter strings, order {model.order}, {how}"
        rows.append(rate(what, COMPARED, seconds, goal))
    return rows


def matching_rows(model: EditModel, flat: EditModel, names: int) -> tuple[list[Row], list[Row]]:
    """Match two long lists."""
    pairs = [pair for name in (MAIN, *OTHERS) for part in reversed(PARTS) for pair in read_pairs(name, part)]
    compounds = [(one[0] + other[0], one[1] + other[1]) for one, other in pairwise(pairs)]
    left, right = (
        list(dict.fromkeys(chain(*sides)))[:names]
        for sides in zip(zip(*pairs, strict=True), zip(*compounds, strict=True), strict=True)
    )
    seen = {source for source, _ in chain(read_pairs(MAIN, "train"), compounds)}
    size = f"{len(left):,} x {len(right):,} names"
    rows, quality = [], []
    for one_to_one in (False, True):
        how = "one to one" if one_to_one else "the best for each"
        matches, seconds = timed(
            lambda one=one_to_one: match(model, left, right, min_score=0.0, one_to_one=one)
        )
        rows.append(cost(f"matching {size}, {how}", seconds, 120))
        for least in (0.0, 0.5):
            kept = [one for one in matches if one.score >= least]
            quality.append(judge(f"{size}, {how}, scores from {least}", kept, pairs, right, seen))
    rows.append(row("peak memory", peak_mb(), "MB"))
    if importlib.util.find_spec("rapidfuzz"):
        plain = plain_letters(flat)
        found, seconds = timed(lambda: brute_force(left, right, plain))
        rows.append(cost(f"RapidFuzz: Levenshtein of all pairs, {size}, transliterated", seconds, None))
        quality.append(judge("RapidFuzz: the nearest, transliterated", found, pairs, right, seen))
    return rows, quality


def judge(what: str, matches: Sequence[Match], pairs: Pairs, right: Sequence[str], seen: set[str]) -> Row:
    """Say how many matches of unseen names are right, and how many of those that could be found are."""
    there = set(right)
    truth = {pair for pair in pairs if pair[1] in there and pair[0] not in seen}
    told = [(one.left, one.right) for one in matches if one.left not in seen]
    correct = len(truth & {*told})
    findable = len({source for source, _ in truth})
    judged = {"what": what, "matches": len(told), "precision": correct / max(len(told), 1)}
    return judged | {"recall": correct / max(findable, 1), "promised": None}


def kept_promises(model: EditModel, part: str, distractors: list[str]) -> list[Row]:
    """Match held-out names with a precision that was calibrated on dev; every other one has no partner."""
    pairs = read_pairs(MAIN, part)
    rows = []
    for half in (False, True):
        right = [*(target for n, (_, target) in enumerate(pairs) if not half or n % 2), *distractors]
        who = "every other one has a partner" if half else "all have partners"
        for precision in PRECISIONS:
            found = match(model, [source for source, _ in pairs], right, precision=precision)
            what = f"{len(pairs):,} held-out names in {len(right):,}, {who}"
            rows.append(judge(what, found, pairs, right, set()) | {"promised": precision})
    return rows


def plain_letters(model: EditModel) -> dict[int, str]:
    """Return the letter that each source letter most readily becomes."""
    best: Counter[str] = Counter()
    letters: dict[str, str] = {}
    for weight in model.largest_weights(10_000):
        if len(weight.source) == 1 and weight.target and weight.weight > best.get(weight.source, 0.0):
            best[weight.source], letters[weight.source] = weight.weight, weight.target
    return str.maketrans(letters)


def brute_force(left: Sequence[str], right: Sequence[str], letters: dict[int, str]) -> list[Match]:
    """Return for each name the nearest of all by Levenshtein's distance, after a plain transliteration."""
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    found = []
    for begin in range(0, len(left), 500):
        part = left[begin : begin + 500]
        plain = [name.translate(letters) for name in part]
        scores = process.cdist(plain, right, scorer=Levenshtein.normalized_similarity, dtype=np.float32)
        nearest = zip(part, scores.argmax(axis=1).tolist(), scores.max(axis=1).tolist(), strict=True)
        found += [Match(name, right[n], score) for name, n, score in nearest]
    return found


if __name__ == "__main__":
    main()
