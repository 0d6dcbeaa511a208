"""Measures one alignment of a task: links, phrases, tuning, translations, scores."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import read_links
from cepts.aligning import Aligner
from cepts.combine import combine
from cepts.translation import TranslationSettings, Translator, bleu
from cepts.translation.bleu import statistics
from cepts.translation.training import tuned
from paper_tables.meter import Moment, forget_peak, peak_mb
from paper_tables.records import record_of, rounded
from translating.material import lines_of
from translating.rows import SEEDS
from translating.searching import search_figures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts import Bitext, Links
    from paper_tables.store import Record
    from translating.material import Material
    from translating.results import Sheet
    from translating.rows import Row

RESAMPLES = 1000
SEED = 12345  # of the bootstrap


class Outputs(NamedTuple):
    """Where translations are kept, so that later rows can be compared with earlier ones."""

    folder: Path

    def path(self, place: Record) -> Path:
        """Name the file of a row's translations, by its first run of tuning."""
        return self.folder / ("-".join(str(value) for value in place.values()) + ".txt")

    def read(self, place: Record) -> list[str] | None:
        """Return translations, if they are there."""
        path = self.path(place)
        return path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else None

    def write(self, place: Record, lines: list[str]) -> None:
        """Keep translations."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path(place).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def measure_row(
    sheet: Sheet,
    row: Row,
    task: str,
    material: Material,
    outputs: Outputs,
    reference: Row,
    threads: int,
    settings: TranslationSettings,
    seeds: int = SEEDS,
) -> Record:
    """Run one alignment from links to scores."""
    forget_peak()
    begin, times = Moment.now(), {}
    links = aligned(row, material.train, threads)
    times["align"] = Moment.now().since(begin)
    middle = Moment.now()
    untuned = Translator.train(material.train, links=links, **asdict(settings))
    times["learn"] = Moment.now().since(middle)
    part = material.dev if sheet.part == "dev" else material.test
    sources, references = lines_of(part)
    runs = []
    for seed in range(1, seeds + 1):
        middle = Moment.now()
        system, history = tuned(untuned, material.dev, settings, seed, threads)
        if seed == 1:
            times["tune"], middle = Moment.now().since(middle), Moment.now()
        found = system.translate(sources, threads=threads)
        if seed == 1:
            first, times["translate"] = system, Moment.now().since(middle)
            outputs.write(sheet.place(row, task), found)
        runs.append({"seed": seed, "dev_bleu": rounded(history), "weights": rounded(system.decoder.weights)})
        runs[-1] |= scores(found, references, intervals=seed == 1)
    figures = {
        "runs": runs,
        "links": len(links.source),
        "phrases": len(untuned.decoder.options),
        "n_grams": len(untuned.decoder.language_model.trie),
        "seconds": {
            name: {"wall": round(one.wall, 1), "cpu": round(one.cpu, 1)} for name, one in times.items()
        },
        "peak_mb": round(peak_mb()),
        "dev_sentences": len(material.dev),
        "sentences": len(part),
        "words": sum(len(line.split()) for line in sources),
    }
    spent = Moment.now().since(begin)
    other, own = (outputs.read(sheet.place(one, task)) for one in (reference, row))
    if other is not None and own is not None and len(other) == len(references):
        figures["difference"] = rounded(difference(own, other, references))
    if row == reference:
        figures["search"] = search_figures(first, lines_of(material.dev)[0])
    return record_of(sheet.place(row, task), row.signature, threads, spent, figures)


def aligned(row: Row, bitext: Bitext, threads: int) -> Links:
    """Link the words of the training text."""
    if row.options is None:
        return eflomal_links(bitext)
    return Aligner(**row.options, threads=threads).fit(bitext).align(bitext)


def eflomal_links(bitext: Bitext) -> Links:
    """Let eflomal link the words of a text, both ways, and combine them by our heuristic."""
    import eflomal  # the extra `bench`

    sides = lines_of(bitext)
    with tempfile.TemporaryDirectory(prefix="cepts-experiment-") as place:
        folder = Path(place)
        names = [str(folder / name) for name in ("forward.links", "reverse.links")]
        eflomal.Aligner().align(
            *([f"{line}\n" for line in side] for side in sides),
            links_filename_fwd=names[0],
            links_filename_rev=names[1],
        )
        forward, reverse = (read_links(name, pairs=len(bitext)) for name in names)
    return combine(forward, reverse, "grow-diag-final-and")


def scores(found: list[str], references: list[str], *, intervals: bool) -> dict[str, Any]:
    """Return BLEU, chrF and TER by sacrebleu, each with the half width of its 95 % interval if that is wanted."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    made: dict[str, Any] = {}
    for name, metric in (("bleu", BLEU(tokenize="none", force=True)), ("chrf", CHRF()), ("ter", TER())):
        score = metric.corpus_score(found, [references], n_bootstrap=RESAMPLES if intervals else 1)
        made[name] = rounded([score.score, score._ci]) if intervals else rounded([score.score])
        made[f"{name}_signature"] = str(metric.get_signature())
    return made


def difference(found: list[str], other: list[str], references: list[str]) -> tuple[float, float, float]:
    """Return by how much the BLEU of translations is above that of others, and the 95 % interval (paired bootstrap)."""
    rows = [
        np.concatenate(
            [statistics([one.split()], right.split()) for one, right in zip(lines, references, strict=True)]
        )
        for lines in (found, other)
    ]
    chance = np.random.default_rng(SEED)
    drawn = [_apart(rows, chance.integers(len(references), size=len(references))) for _ in range(RESAMPLES)]
    low, high = np.percentile(drawn, (2.5, 97.5))
    return _apart(rows, np.arange(len(references))), float(low), float(high)


def _apart(rows: list[NDArray[np.float64]], chosen: NDArray[np.int64]) -> float:
    first, second = (float(bleu(one[chosen].sum(axis=0))) for one in rows)
    return first - second
