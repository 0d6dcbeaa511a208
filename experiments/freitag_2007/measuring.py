"""A row on a corpus: what is measured, and what is kept of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.evaluation import estimate
from freitag_2007 import consonants, rhymes
from freitag_2007.material import read_corpus, read_rhymes, read_words
from freitag_2007.rows import LETTER, folded_options, order_of, signature, system_of
from freitag_2007.scoring import Answers, score_lists, score_ranking
from freitag_2007.systems import Workshop, now
from paper_tables.records import DIGITS, record_of, rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from freitag_2007.results import Sheet
    from freitag_2007.rows import Row
    from paper_tables.meter import Moment
    from paper_tables.store import Record

SHOWN = 12  # weights of one letter


def measure_consonants(sheet: Sheet, rows: Sequence[Row], threads: int) -> Iterator[Record]:
    """Measure rows together: they are judged by the same orders."""
    begin, words = now(), read_words(quick=sheet.quick)
    competing = consonants.QUICK_COMPETING if sheet.quick else consonants.COMPETING
    measured = consonants.measure_orders(words, [row.name for row in rows], competing, threads)
    for row in rows:
        found = measured[row.name]
        contradicted = found.different - found.right - found.equal
        figures = {
            "agreeing": rounded(estimate(found.every - contradicted, found.every)),
            "accuracy": rounded(estimate(found.right + found.equal / 2, found.different)),
            "right": (found.every - contradicted).tolist(),
            "of": found.every.tolist(),
            "weights": found.weights,
            "words": len(words),
            "competing": competing,
        }
        yield kept(sheet, row, row.corpora[0], begin, threads, figures)
        begin = now()  # what all rows cost together stands in the first one


def measure_rhymes(sheet: Sheet, rows: Sequence[Row], threads: int) -> Iterator[Record]:
    """Measure row after row."""
    groups = read_rhymes(quick=sheet.quick)
    ranked = rhymes.QUICK_RANKED if sheet.quick else rhymes.RANKED
    for row in rows:
        begin, order = now(), order_of(row)
        options = {} if order is None else folded_options("rhymes", order)
        hits, readings = rhymes.measure_rhymes(groups, row.name, options, ranked, threads)
        found = hits.without_empty_blocks()
        figures = {
            "precision": rounded(estimate(found.found, found.rhyming)),
            "mean": rounded(estimate(found.shares, found.words)),
            "readings": {name: round(value, DIGITS) for name, value in readings.precisions().items()},
            "right": [round(one, DIGITS) for one in found.found.tolist()],
            "of": found.rhyming.tolist(),
            "words": sum(map(len, groups)),
            "groups": len(groups),
            "ranked": ranked,
        }
        yield kept(sheet, row, row.corpora[0], begin, threads, figures)


def measure_names(
    sheet: Sheet, corpus: str, rows: Iterable[Row], threads: int, phonetisaurus: Path | None
) -> Iterator[Record]:
    """Measure the rows of a corpus of names; each system is trained once for all of them."""
    workshop = Workshop(read_corpus(corpus, sheet.part, quick=sheet.quick), threads, phonetisaurus)
    for row in rows:
        begin = now()
        figures = FIGURES[row.table](row, workshop)
        yield kept(sheet, row, corpus, begin, threads, figures)


def data_figures(_: Row, workshop: Workshop) -> dict[str, Any]:
    """Count the pairs of each part, and take the mean lengths of all names, source and target."""
    train, dev, scored, references = workshop.names
    every = [*train, *dev, *scored]
    sizes = {"train": len(train), "dev": len(dev), "scored": len(scored)}
    lengths = (sum(len(pair[side]) for pair in every) / len(every) for side in (1, 0))
    several = sum(len(set(right)) for right in references.values()) / len(references)
    return {**sizes, "lengths": [round(length, 2) for length in lengths], "references": round(several, 3)}


def weight_figures(row: Row, workshop: Workshop) -> dict[str, Any]:
    """List the largest weights of one ambiguous letter."""
    found = workshop.system(row.name).largest_weights(SHOWN, LETTER)
    return {"weights": [[one.source, one.target, one.feature, round(one.weight, 3)] for one in found]}


def transcription_figures(row: Row, workshop: Workshop) -> dict[str, Any]:
    """Let a system write the scored names."""
    system = workshop.system(row.name)
    if system is None:
        return {"skipped": f"{row.name} is not installed"}
    trained = now()
    lists = system.transcribe([source for source, _ in workshop.names.scored], 5)
    seconds = now().since(trained).cpu
    answers = score_lists(lists, workshop.names)
    return {
        **accuracies(answers),
        "character_errors": rounded(estimate(answers.errors, answers.letters)),
        "training_seconds": round(workshop.seconds.get(row.name, 0.0), 2),
        "answering_seconds": round(seconds, 3),
    }


def accuracies(answers: Answers) -> dict[str, Any]:
    """Put shares of right names, 1-best and 5-best, by one reference and by all, and the ranks as they are."""
    shares = {
        f"{best}-best{suffix}": rounded(estimate([0 < rank <= best for rank in ranks]))
        for suffix, ranks in (("", answers.one), (" of all", answers.every))
        for best in (1, 5)
    }
    return {**shares, "ranks": answers.one, "ranks of all": answers.every}


def ranking_figures(row: Row, workshop: Workshop) -> dict[str, Any]:
    """Let a system rank all scored targets for each scored name."""
    system = workshop.system(system_of(row))
    trained = now()
    if row.name.endswith("-no-lm"):
        answers = score_ranking(
            lambda sources, targets: system.scores(sources, targets, language_model=False), workshop.names
        )
    else:
        answers = score_ranking(system.affinities, workshop.names)
    figures: dict[str, Any] = {"candidates": len({target for _, target in workshop.names.scored})}
    for suffix, ranks in (("", answers.one), (" of all", answers.every)):
        figures[f"accuracy{suffix}"] = rounded(estimate([rank == 1 for rank in ranks]))
        figures[f"mrr{suffix}"] = rounded(estimate([1 / rank for rank in ranks]))
        figures[f"ranks{suffix}"] = ranks
    seconds = now().since(trained).cpu
    return figures | {
        "training_seconds": round(workshop.seconds.get(row.name, 0.0), 2),
        "answering_seconds": round(seconds, 3),
    }


FIGURES = {
    "data": data_figures,
    "weights": weight_figures,
    "transcription": transcription_figures,
    "ranking": ranking_figures,
}


def kept(sheet: Sheet, row: Row, corpus: str, begin: Moment, threads: int, figures: dict[str, Any]) -> Record:
    """Put together what is kept of a row, the costs since it began among them."""
    return record_of(sheet.place(row, corpus), signature(row), threads, now().since(begin), figures)
