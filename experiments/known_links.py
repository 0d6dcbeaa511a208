"""What known links and a dictionary are worth in a small text: AER on the development parts, with and without.

    python experiments/known_links.py
    python experiments/known_links.py --corpora de-en ro-en --pairs 1000

The text is the development part and the first training pairs. *Half*: the gold links of every other development
sentence are known, and the others are scored; then the other way round, so that all are scored once. *Third*: of every
sentence each third sure link is known, and the links of all other words are scored. *Lexicon*: a dictionary of other
training pairs, which stands for one that a person has made: what their links give, with its scores as weights, or
without weights its best entries. From its rows the default of `--lexicon-weight` was chosen; test parts are not read.

Rows are added to a JSON file as they finish, and skipped when they are there; the Markdown beside it is made from it.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

from cepts import Aligner, Links, bitext_from_pairs, evaluate, read_links  # noqa: E402
from cepts.corpus.lexicons import Entry  # noqa: E402
from cepts.phrases import dictionary  # noqa: E402
from corpora import both_sides, read_pairs, words_folder  # noqa: E402
from paper_tables.kept_rows import Row, fenced, read_rows, write_rows  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cepts import Bitext

CORPORA = ("de-en", "en-fr-hansards", "ro-en", "zh-en")
WEIGHTS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
METHODS: dict[str, dict[str, Any]] = {
    "fast": {},
    "ibm4, grow-diag": {"model_type": "ibm4", "combine": "grow-diag"},
    "ibm1, independent": {"model_type": "ibm1", "training": "independent", "combine": "grow-diag"},
}
LEARNED_FROM = 20_000  # other pairs that the dictionary is made of
GOOD = 0.3  # the score from which an entry is in the dictionary without weights


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=CORPORA)
    parser.add_argument("--pairs", type=int, default=1000, help="training pairs (default: 1000)")
    parser.add_argument(
        "--others", type=int, default=LEARNED_FROM, help="pairs that the dictionary is made of"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    path = options.output / "known-links.json"
    rows = read_rows(path)
    for name in options.corpora:
        for row in missing_rows(rows, name, options.pairs, options.others):
            rows.append(row)
            store(path, rows)
            print(row, flush=True)
    store(path, rows)


def missing_rows(rows: list[Row], name: str, pairs: int, others: int) -> Iterator[Row]:
    """Measure the rows of a corpus that are not there."""
    done = {(row["known"], row["method"]) for row in rows if (row["corpus"], row["pairs"]) == (name, pairs)}
    setting: Setting | None = None
    for method in METHODS:
        for known, measure in measurements(method):
            if (known, method) not in done:
                setting = setting or Setting(name, pairs, others)
                aer = round(100 * measure(setting), 2)
                yield {"corpus": name, "pairs": pairs, "known": known, "method": method, "aer": aer}


class Setting:
    """A development part with some training pairs behind it, its gold, and a dictionary of other pairs."""

    def __init__(self, name: str, pairs: int, others: int) -> None:
        home = words_folder() / name
        scored, training = (
            list(read_pairs(home, "dev", "")),
            filter(both_sides, read_pairs(home, "train", ".xz")),
        )
        self.bitext = bitext_from_pairs([*scored, *islice(training, pairs)])
        self.gold = read_links(home / "dev.gold").head(len(scored))
        self.dictionary = learned_dictionary(bitext_from_pairs(islice(training, others)))


def learned_dictionary(bitext: Bitext) -> list[Entry]:
    """List the word pairs that are linked in a text twice at least, with their scores."""
    found = dictionary(bitext, Aligner().fit(bitext).align(bitext), min_count=2)
    return [Entry(entry.source, entry.target, entry.score) for entry in found]


def measurements(method: str) -> Iterator[tuple[str, Callable[[Setting], float]]]:
    """Name all that is measured for a method, and how."""
    yield "half: nothing", lambda setting: half(setting, method, None)
    yield "half: links", lambda setting: half(setting, method, False)
    yield "half: links, complete", lambda setting: half(setting, method, True)
    yield "third: nothing", lambda setting: third(setting, method, known=False)
    yield "third: links", lambda setting: third(setting, method, known=True)
    for weight in (0.0, *WEIGHTS) if method == "fast" else (0.0, 1.0, 5.0):
        yield f"lexicon: {weight:g}", lambda setting, w=weight: lexicon(setting, method, w, weights=True)  # type: ignore[misc]
        if method == "fast" and weight > 0:
            name = f"lexicon without weights: {weight:g}"
            yield name, lambda setting, w=weight: lexicon(setting, method, w, weights=False)  # type: ignore[misc]


def padded(links: list[Any], setting: Setting) -> Links:
    """Give the training pairs, behind the development part, empty lines of links."""
    return Links.from_pairs([*links, *([[]] * (len(setting.bitext) - len(links)))])


def half(setting: Setting, method: str, complete: bool | None) -> float:
    """Score each half of the sentences where the other half is known; None: nothing is."""
    scored = [[]] * len(setting.gold)
    for parity in (0, 1):
        known = [pair if k % 2 != parity else [] for k, pair in enumerate(setting.gold)]
        given = (
            {} if complete is None else {"known_links": padded(known, setting), "known_complete": complete}
        )
        found = Aligner(**METHODS[method]).fit(setting.bitext, **given).align(setting.bitext)
        for k in range(parity, len(scored), 2):
            scored[k] = found[k]
    return evaluate(Links.from_pairs(scored), setting.gold, resamples=1).aer


def third(setting: Setting, method: str, *, known: bool) -> float:
    """Score the links of words of which nothing is known."""
    given = [[link for link in pair if link.sure][::3] for pair in setting.gold]
    links = {"known_links": padded(given, setting)} if known else {}
    found = Aligner(**METHODS[method]).fit(setting.bitext, **links).align(setting.bitext).head(len(given))
    rest = (Links.from_pairs(map(without, each, given)) for each in (found, setting.gold))
    return evaluate(*rest, resamples=1).aer


def without(links: list[Any], given: list[Any]) -> list[Any]:
    """Leave out the links of words that have known ones."""
    source, target = {link.source for link in given}, {link.target for link in given}
    return [link for link in links if link.source not in source and link.target not in target]


def lexicon(setting: Setting, method: str, weight: float, *, weights: bool) -> float:
    """Score the whole part, with a dictionary of that weight."""
    entries = setting.dictionary
    if not weights:
        entries = [entry._replace(weight=1.0) for entry in entries if entry.weight >= GOOD]
    aligner = Aligner(**METHODS[method], lexicon_weight=weight).fit(setting.bitext, lexicon=entries)
    return evaluate(aligner.align(setting.bitext).head(len(setting.gold)), setting.gold, resamples=1).aer


def store(path: Path, rows: list[Row]) -> None:
    """Write the rows and the table."""
    write_rows(
        path,
        rows,
        "# What is known already: AER by what is given, development parts",
        (__doc__ or "").split("\n\n")[2].strip(),
        fenced(table(rows)),
    )


def table(rows: list[Row]) -> str:
    """Draw a line for each method and thing that is known, a column for each corpus, and their mean."""
    columns = sorted({(row["corpus"], row["pairs"]) for row in rows})
    lines = []
    for method, known in dict.fromkeys((row["method"], row["known"]) for row in rows):
        here = {
            (row["corpus"], row["pairs"]): row["aer"]
            for row in rows
            if (row["method"], row["known"]) == (method, known)
        }
        mean = f"{sum(here.values()) / len(here):.1f}" if len(here) == len(columns) else "-"
        cells = [f"{here[column]:.1f}" if column in here else "-" for column in columns]
        lines.append([method, known, *cells, mean])
    heads = [f"{corpus} {pairs}" for corpus, pairs in columns]
    return align_columns([["method", "known", *heads, "mean"], *lines], left=2)


if __name__ == "__main__":
    main()
