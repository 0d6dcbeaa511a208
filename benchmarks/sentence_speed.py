"""How fast sentences are factorised, found and filtered, beside scikit-learn's factorisation of the same matrices.

    python benchmarks/sentence_speed.py

English-Spanish Tatoeba, 116,240 pairs. Two pairs of matrices: words alone, and 1- and 2-grams of words, cut to the
paper's size, 17,000 and 1,400 features. The time of an iteration is the difference of a long and a short run, divided
by the iterations between; wall seconds on two threads, CPU seconds on one. scikit-learn, if installed, factorises each
language by itself, with multiplicative updates and the same loss. Memory is that of fresh processes. The report is
`benchmarks/results/sentences.md`, with the same figures as JSON beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
import lzma
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cepts.corpus import read_bitext
from cepts.quality import Similarity, filter_bitext
from cepts.sentences import FeatureOptions, FeatureSpace, JointNMF
from corpora import data_folder
from goals import add_output, row, write_results
from measure import measure
from paper_tables.command import positive, stem_of
from sentence_speed_report import BETAS, report
from signature import installed, signature

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts.corpus import Bitext
    from cepts.sentences import Matrix
    from goals import Row

    Pair = tuple[Matrix, Matrix]

K = 16
WIDTHS = (17_000, 1_400)  # features of the paper's English and Spanish
LOSSES = dict(
    zip(BETAS.values(), ("kullback-leibler", "frobenius"), strict=True)
)  # as scikit-learn calls them
THREADS = 2
ITERATIONS = (2, 12)  # of the short and of the long run
RUNS = 3  # of which the fastest counts
TRAIN = """
import sys
from cepts.corpus import read_bitext
from cepts.sentences import FeatureOptions, SentenceModel
options = tuple(FeatureOptions(words=2, max_features=int(width)) for width in sys.argv[3:5])
bitext = read_bitext(sys.argv[1], sys.argv[2], tokenize=True)
SentenceModel.fit(bitext, features=options, k=16, iterations=int(sys.argv[5]), tolerance=0.0, threads=2)
"""


def main(arguments: list[str] | None = None) -> None:
    """Measure everything, and write the report."""
    options = parse(arguments)
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        files = write_text(Path(folder), options.pairs)
        rows = measure_all(files, options.sentences)
    result = {
        "signature": signature(
            f"k {K}; scikit-learn {installed('scikit-learn') or 'not installed'}", THREADS
        ),
        "rows": rows,
    }
    stem = stem_of("sentences", "test", options.pairs)
    write_results(options.output, stem, result, report(result))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=positive, help="of the text, for a quick look (default: all)")
    parser.add_argument(
        "--sentences", type=positive, default=100_000, help="of each side of retrieval (default: 100000)"
    )
    add_output(parser)
    return parser.parse_args(arguments)


def write_text(folder: Path, pairs: int | None) -> tuple[Path, Path]:
    """Write the first pairs of Tatoeba as two files."""
    home = data_folder("sentences", "sentences/tatoeba_enes")
    with lzma.open(home / "train.tsv.xz", "rt", encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][:pairs]
    files = folder / "english", folder / "spanish"
    for side, path in enumerate(files):
        path.write_text("".join(f"{line[side]}\n" for line in lines), encoding="utf-8")
    return files


def measure_all(files: tuple[Path, Path], sentences: int) -> list[Row]:
    """Return rows of costs and ratios."""
    bitext = read_bitext(*files, tokenize=True)
    warm_up(bitext.part(0, 500))
    rows = []
    for what, words in (("words", 1), ("n-grams", 2)):
        matrices = encode(bitext, words)
        name = f"{what}, {matrices[0].width:,} + {matrices[1].width:,} features"
        rows += iteration_rows(name, matrices, len(bitext))
    rows += memory_rows(files, len(bitext))
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        rows += training_rows(files, Path(folder), len(bitext))
        model = Similarity.load(Path(folder) / "model")
    rows += retrieval_rows(model, bitext.part(0, sentences))
    return rows + filter_rows(bitext)


def warm_up(bitext: Bitext) -> None:
    """Compile what is measured."""
    for beta in BETAS:
        JointNMF(k=2, beta=beta, iterations=2).fit(*encode(bitext, 1))
    model = Similarity.fit(bitext, k=2, iterations=2)
    for _ in model.rank(bitext.source, bitext.target):
        pass
    filter_bitext(bitext)


def encode(bitext: Bitext, words: int) -> Pair:
    """Return the matrices of both sides, cut to the paper's size."""
    sides = zip((bitext.source, bitext.target), WIDTHS, strict=True)
    made = [
        FeatureSpace.fit(side, FeatureOptions(words=words, max_features=width)).encode(side)
        for side, width in sides
    ]
    return made[0], made[1]


def iteration_rows(name: str, matrices: Pair, pairs: int) -> list[Row]:
    """Time an iteration of ours and two of scikit-learn's, for both losses."""
    rows = []
    for beta, loss in BETAS.items():
        what = f"{loss}, {pairs:,} pairs, {name}"
        ours = {threads: iteration(factorising(matrices, beta, threads)) for threads in (1, THREADS)}
        rows.append(row(f"one iteration, {what}", ours[THREADS][0], "s on two threads", at_most=0.5))
        rows.append(row(f"one iteration, {what}", ours[1][1], "CPU s on one thread"))
        if importlib.util.find_spec("sklearn"):
            theirs = {
                threads: iteration(their_factorising(matrices, loss, threads)) for threads in (1, THREADS)
            }
            rows.append(row(f"scikit-learn: both languages, {what}", theirs[THREADS][0], "s on two threads"))
            rows.append(row(f"scikit-learn: both languages, {what}", theirs[1][1], "CPU s on one thread"))
            for text, ratio in (
                ("wall seconds on two threads", theirs[THREADS][0] / ours[THREADS][0]),
                ("CPU seconds on one thread", theirs[1][1] / ours[1][1]),
            ):
                rows.append(
                    row(f"scikit-learn's {text} by ours, {what}", ratio, "times as fast", at_least=5.0)
                )
    return rows


def iteration(factorise: Callable[[int], Any]) -> tuple[float, float]:
    """Return wall and CPU seconds of an iteration: the least of some runs."""
    short, long = ([timed(lambda count=count: factorise(count)) for _ in range(RUNS)] for count in ITERATIONS)
    between = ITERATIONS[1] - ITERATIONS[0]
    wall, cpu = (
        (min(one[clock] for one in long) - min(one[clock] for one in short)) / between for clock in (0, 1)
    )
    return wall, cpu


def timed(function: Callable[[], Any]) -> tuple[float, float]:
    """Return the wall and CPU seconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - wall, time.process_time() - cpu


def factorising(matrices: Pair, beta: float, threads: int) -> Callable[[int], Any]:
    """Return what factorises both languages together in so many iterations."""
    return lambda count: JointNMF(k=K, beta=beta, iterations=count, tolerance=0.0, threads=threads).fit(
        *matrices
    )


def their_factorising(matrices: Pair, loss: str, threads: int) -> Callable[[int], Any]:
    """Return what factorises each language by itself with scikit-learn."""
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import NMF
    from threadpoolctl import threadpool_limits

    sparse = [
        csr_matrix((one.values, one.features, one.offsets), shape=(one.rows, one.width)) for one in matrices
    ]

    def factorise(count: int) -> None:
        options = {"solver": "mu", "beta_loss": LOSSES[loss], "init": "random", "random_state": 1}
        with warnings.catch_warnings(), threadpool_limits(threads):
            warnings.simplefilter("ignore")  # it has not converged, as asked
            for one in sparse:
                NMF(K, max_iter=count, tol=0.0, **options).fit(one)

    return factorise


def memory_rows(files: tuple[Path, Path], pairs: int) -> list[Row]:
    """Measure the peak memory of a process that reads and factorises everything."""
    used = measure([sys.executable, "-c", TRAIN, *files, *WIDTHS, 50])
    what = f"reading and factorising {pairs:,} pairs, n-grams cut to {WIDTHS[0]:,} + {WIDTHS[1]:,}, 50 iterations"
    return [
        row(f"peak memory, {what}", used.peak_mb, "MB", at_most=1000.0),
        row(what, used.cpu_seconds, "CPU s on two threads"),
    ]


def training_rows(files: tuple[Path, Path], folder: Path, pairs: int) -> list[Row]:
    """Measure `cepts similar train` with its defaults; its model stays in `folder`."""
    asked = ["similar", "train", *files, "--tokenize", "--threads", THREADS, "--output", folder / "model"]
    used = measure([sys.executable, "-m", "cepts", *asked, "--quiet"])
    what = f"cepts similar train, {pairs:,} pairs"
    return [
        row(what, used.cpu_seconds, "CPU s"),
        row(what, used.wall_seconds, "s on two threads"),
        row(f"{what}, peak memory", used.peak_mb, "MB"),
    ]


def retrieval_rows(model: Similarity, bitext: Bitext) -> list[Row]:
    """Time the search for each sentence's translation among as many."""
    rows = []
    size = f"{len(bitext):,} x {len(bitext):,} sentences"
    for use in ("lexicon", "both"):
        right = 0

        def search(use: str = use) -> None:
            nonlocal right
            found = model.rank(bitext.source, bitext.target, 1, use=use, threads=THREADS)
            right = sum(int((one.targets[:, 0] == one.rows).sum()) for one in found)

        wall, cpu = timed(search)
        what = f"retrieval, {size}, {use}"
        rows += [row(what, wall, "s on two threads"), row(what, cpu, "CPU s")]
        # the model was trained on these very pairs: this only shows that the search works
        rows.append(row(f"{what}: own translation is first", 100 * right / len(bitext), "%"))
    return rows


def filter_rows(bitext: Bitext) -> list[Row]:
    """Time the filter, which trains all that it needs."""
    _, cpu = timed(lambda: filter_bitext(bitext))
    return [row(f"filter, {len(bitext):,} pairs", cpu, "CPU s on one thread", at_most=120.0)]


if __name__ == "__main__":
    main()
