"""Measures one alignment of a task: links, phrases, tuning, translations, scores."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.translation import TranslationSettings, Translator, bleu
from cepts.translation.bleu import statistics
from cepts.translation.training import overlap, tuned
from paper_tables.meter import Moment, forget_peak, peak_mb
from paper_tables.records import record_of, rounded
from translating.alignments import aligned
from translating.material import lines_of
from translating.rows import REFERENCE, SEEDS
from translating.searching import search_figures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from paper_tables.store import Record
    from translating.alignments import Kept
    from translating.material import Material
    from translating.results import Sheet
    from translating.rows import Row

RESAMPLES = 1000
SEED = 12345  # of the bootstrap


def measure_row(
    sheet: Sheet,
    row: Row,
    task: str,
    material: Material,
    kept: Kept,
    threads: int,
    settings: TranslationSettings,
    seeds: int = SEEDS,
) -> Record:
    """Run one alignment from links to scores."""
    forget_peak()
    links, aligning = aligned(sheet, row, task, material.train, kept, threads)
    times, begin = {"align": aligning}, Moment.now()
    untuned = Translator.train(material.train, links=links, **asdict(settings))
    times["learn"], middle = Moment.now().since(begin), Moment.now()
    systems = tuned(untuned, material.dev, settings, range(1, seeds + 1), threads)
    times["tune"], middle = Moment.now().since(middle), Moment.now()
    part = material.dev if sheet.part == "dev" else material.test
    sources, references = lines_of(part)
    found = [system.translate(sources, threads=threads) for system, _ in systems]
    times["translate"] = Moment.now().since(middle)
    kept.keep_translations(sheet.place(row, task), found[0])
    figures = {
        "runs": [
            run_figures(*one, references) for one in zip(range(1, seeds + 1), systems, found, strict=True)
        ],
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
        "overlap": overlap(material.train, part),
    }
    spent = Moment(*map(sum, zip(*times.values(), strict=True)))
    if row.name == REFERENCE:
        figures["search"] = search_figures(systems[0][0], lines_of(material.dev)[0])
    return record_of(sheet.place(row, task), row.signature, threads, spent, figures)


def run_figures(
    seed: int, system: tuple[Translator, list[float]], found: list[str], references: list[str]
) -> Record:
    """Return what came of one run of tuning: all scores of the first one, with intervals; BLEU of the others."""
    translator, history = system
    figures = {"seed": seed, "dev_bleu": rounded(history), "weights": rounded(translator.decoder.weights)}
    return figures | (scores(found, references) if seed == 1 else bleu_alone(found, references))


def scores(found: list[str], references: list[str]) -> dict[str, Any]:
    """Return BLEU, chrF and TER by sacrebleu, each with the half width of its 95 % interval."""
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    made: dict[str, Any] = {}
    for name, metric in (("bleu", bleu_metric()), ("chrf", CHRF()), ("ter", TER())):
        score = metric.corpus_score(found, [references], n_bootstrap=RESAMPLES)
        made[name] = rounded([score.score, score._ci])
        made[f"{name}_signature"] = str(metric.get_signature())
    return made


def bleu_alone(found: list[str], references: list[str]) -> dict[str, Any]:
    """Return BLEU by sacrebleu."""
    return {"bleu": rounded([bleu_metric().corpus_score(found, [references]).score])}


def bleu_metric() -> Any:
    """BLEU of text that is cut into tokens already."""
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize="none", force=True)


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
