"""How strong should the regularity term be? Weighted F and AER on the development parts for several lambdas.

    python experiments/strength.py --pairs 2000
    python experiments/strength.py --pairs 15000 --strengths 0 1 2.5 5 --iterations 10 15

Rows are added to a JSON file as they finish, and skipped when they are there; the Markdown beside it is made from it.
From these rows the rule of `--regularity auto` was derived; test parts are not read. A rule is judged by the gain in F
that it would have brought, over all corpora, sizes and directions, read off between the strengths that were measured.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

import numpy as np  # noqa: E402

from cepts import Bitext, Links, evaluate  # noqa: E402
from cepts.aligning import recipe  # noqa: E402
from cepts.aligning.stages import Work, trained_stages  # noqa: E402
from cepts.aligning.stopwatch import Stopwatch  # noqa: E402
from cepts.words import index_bitext, link  # noqa: E402
from cepts.words.regularity import strength_for  # noqa: E402
from cepts.words.training import ignore  # noqa: E402
from corpora import words_folder  # noqa: E402
from paper_tables.kept_rows import Row, fenced, read_rows, write_rows  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing and write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model-type", default="hmm", choices=["ibm1", "hmm", "bi1", "bihmm"])
    parser.add_argument("--pairs", type=int, nargs="+", default=[2000, 15000])
    parser.add_argument(
        "--corpora", nargs="+", default=sorted(folder.name for folder in words_folder().iterdir())
    )
    parser.add_argument("--strengths", type=float, nargs="+", default=[0.0, 0.5, 1.0, 2.5, 5.0, 10.0])
    parser.add_argument("--iterations", type=int, nargs=2, default=[30, 50], help="of the two stages")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    path = options.output / f"strength-{options.model_type}.json"
    rows = read_rows(path)
    for name in options.corpora:
        for pairs in options.pairs:
            missing = [
                s for s in options.strengths if not any(is_row(row, name, pairs, s, options) for row in rows)
            ]
            if missing:
                bitext, gold, _ = read_corpus(name, "dev", pairs)
            for strength in missing:
                key = {"corpus": name, "pairs": pairs, "strength": strength, "iterations": options.iterations}
                rows.append(key | measure(bitext, gold, strength, options))
                store(path, rows)
                print(rows[-1], flush=True)
    store(path, rows)


def is_row(row: Row, name: str, pairs: int, strength: float, options: argparse.Namespace) -> bool:
    """Tell whether a row was measured already."""
    wanted = (name, pairs, strength, options.iterations)
    return (row["corpus"], row["pairs"], row["strength"], row["iterations"]) == wanted


def measure(bitext: Bitext, gold: Links, strength: float, options: argparse.Namespace) -> Row:
    """Train both directions independently and score each one's best path."""
    first, second = options.iterations
    chosen = recipe(
        "schoenemann-2011",
        model_type=options.model_type,
        regularity=strength,
        ibm1_iterations=first,
        hmm_iterations=second,
    )
    indexed = index_bitext(bitext, options.threads)
    for trainer in trained_stages(chosen, bitext, indexed, None, Work(options.threads, ignore, Stopwatch())):
        model = trainer.model
    row: Row = statistics(bitext)
    for way, links in zip(("forward", "reverse"), link(model, bitext, indexed, (True, True)), strict=True):
        scores = evaluate(links.head(len(gold)), gold, resamples=1)
        row[way] = {"f": round(100 * scores.weighted_f, 2), "aer": round(100 * scores.aer, 2)}
    return row


def statistics(bitext: Bitext) -> Row:
    """What `auto` may look at: words, and the share of those that occur once."""
    sides = {"source": bitext.source, "target": bitext.target}
    counts = {name: np.bincount(side.ids) for name, side in sides.items()}
    return {
        f"{name}_{what}": value
        for name, count in counts.items()
        for what, value in (
            ("tokens", int(count.sum())),
            ("words", len(count)),
            ("singletons", round(float((count == 1).mean()), 3)),
        )
    }


def store(path: Path, rows: list[Row]) -> None:
    """Write the rows and the table."""
    write_rows(
        path,
        rows,
        f"# {path.stem}: weighted F (alpha 0.1) and AER by lambda, development parts",
        fenced(table(rows)),
        "What a strength for all texts would bring in F, and what the rule of `auto` does:",
        fenced(gains_table(rows)),
    )


def table(rows: list[Row]) -> str:
    """Draw a line for each corpus, size and direction: F by strength, then the mean."""
    strengths = sorted({row["strength"] for row in rows})
    groups = sorted({(row["corpus"], row["pairs"]) for row in rows})
    lines = []
    for corpus, pairs in groups:
        here = {row["strength"]: row for row in rows if (row["corpus"], row["pairs"]) == (corpus, pairs)}
        for way in ("forward", "reverse"):
            cells = [
                f"{here[s][way]['f']:.1f}/{here[s][way]['aer']:.1f}" if s in here else "-" for s in strengths
            ]
            lines.append([corpus, f"{pairs}", way, *cells])
    return align_columns([["corpus", "pairs", "direction", *(f"{s:g}" for s in strengths)], *lines], left=1)


def gains(rows: list[Row], rule: Callable[[Row], float]) -> list[float]:
    """What a rule gains in F in each corpus, size and direction, linearly between measured strengths (log scale).

    >>> rows = [{"corpus": "a", "pairs": 1, "strength": s, "forward": {"f": f}, "reverse": {"f": 9.0}}
    ...         for s, f in ((0.0, 50.0), (2.0, 53.0))]
    >>> gains(rows, lambda row: 2.0)
    [3.0, 0.0]
    """
    found = []
    for group in sorted({(row["corpus"], row["pairs"]) for row in rows}):
        here = sorted(
            (row for row in rows if (row["corpus"], row["pairs"]) == group), key=lambda row: row["strength"]
        )
        places = np.log1p([row["strength"] for row in here])
        for way in ("forward", "reverse"):
            scores = np.array([row[way]["f"] for row in here])
            found.append(float(np.interp(np.log1p(rule(here[0])), places, scores - scores[0])))
    return found


def rule_of_auto(row: Row) -> float:
    """The strength that `auto` chooses for a row's text."""
    sides = ("source", "target")
    length = sum(row[f"{side}_tokens"] for side in sides) / 2 / row["pairs"]
    return strength_for(length, sum(row[f"{side}_singletons"] for side in sides) / 2)


def gains_table(rows: list[Row]) -> str:
    """Draw a line for each rule: the mean gain, the worst, the share of gains."""
    strengths = sorted({row["strength"] for row in rows} - {0.0})
    rules: dict[str, Callable[[Row], float]] = {f"{s:g}": lambda _, s=s: s for s in strengths}  # type: ignore[misc]
    lines = []
    for name, rule in {**rules, "auto": rule_of_auto}.items():
        found = np.array(gains(rows, rule))
        lines.append([name, f"{found.mean():+.2f}", f"{found.min():+.2f}", f"{(found > 0).mean():.0%}"])
    return align_columns([["strength", "mean", "worst", "better"], *lines], left=1)


if __name__ == "__main__":
    main()
