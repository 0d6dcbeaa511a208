"""What a change to the recipe is worth on the development parts of all corpora: AER by threshold, and their mean.

    python benchmarks/recipe.py hmm_agreement=product hmm_agreement=odds,doubt=5

Each argument is a variant: fields of the recipe, joined by commas; without one the recipe itself is measured.
The recipe's parameters were chosen with this, on the mean over the corpora; test parts are not read.
"""

from __future__ import annotations

import argparse
import ast
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

from cepts import Aligner, Bitext, Links, evaluate, read_bitext, read_links
from corpora import build_corpus, words_folder
from report import align_columns

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4)


def main(arguments: list[str] | None = None) -> None:
    """Align each corpus with each variant and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("variants", nargs="*", default=[""], help="such as hmm_prior=0,ibm1_iterations=5")
    parser.add_argument("--pairs", type=int, default=20_000, help="training pairs of each (default: 20000)")
    options = parser.parse_args(arguments)
    names = sorted(folder.name for folder in words_folder().iterdir())
    corpora = {name: read_corpus(name, options.pairs) for name in names}
    for variant in options.variants:
        print(variant or "the recipe as it is", flush=True)
        rows = {name: aers(*corpus, **parse_variant(variant)) for name, corpus in corpora.items()}
        print(table(rows), flush=True)


def read_corpus(name: str, pairs: int) -> tuple[Bitext, Links]:
    """Read a development part, the first training pairs behind it, and the gold links."""
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        corpus = build_corpus(name, "dev", pairs, Path(folder))
        return read_bitext(corpus.source, corpus.target), read_links(StringIO(corpus.gold), corpus.scored)


def parse_variant(text: str) -> dict[str, Any]:
    """Read a variant.

    >>> parse_variant("hmm_agreement=odds,doubt=5")
    {'hmm_agreement': 'odds', 'doubt': 5}
    """
    fields = (field.partition("=") for field in text.split(",") if field)
    return {name: literal(value) for name, _, value in fields}


def literal(text: str) -> Any:
    """Read a number, or else leave a word as it is."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def aers(bitext: Bitext, gold: Links, **fields: Any) -> list[float]:
    """Return the AER in percent at each threshold."""
    aligner = Aligner(combine="posterior", min_confidence=min(THRESHOLDS), **fields)
    links = aligner.fit(bitext).align(bitext).head(len(gold))
    chosen = (links.select(links.confidence >= threshold) for threshold in THRESHOLDS)
    return [100 * evaluate(some, gold, resamples=1).aer for some in chosen]


def table(rows: dict[str, list[float]]) -> str:
    """Draw a line for each corpus and their mean.

    >>> print(table({"a": [1.0] * 5, "b": [2.0] * 5}).splitlines()[-1])
    mean    1.50   1.50   1.50   1.50   1.50
    """
    means = [sum(column) / len(rows) for column in zip(*rows.values(), strict=True)]
    lines = [[name, *(f"{aer:.2f}" for aer in row)] for name, row in {**rows, "mean": means}.items()]
    return align_columns([["corpus", *(f">= {threshold}" for threshold in THRESHOLDS)], *lines], left=1)


if __name__ == "__main__":
    main()
