"""A row on a corpus: what is measured, and what is kept of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from huerta.rows import HELD_OUT, OWN, signature
from paper_tables.meter import Moment
from paper_tables.records import record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from huerta.results import Sheet
    from huerta.rows import Row
    from paper_tables.store import Record

    Todo = Sequence[tuple[Row, str]]
    Measuring = Callable[[Row, str], dict[str, Any]]


def measure_figure(sheet: Sheet, todo: Todo, threads: int) -> Iterator[Record]:
    """Factorise random matrices."""
    from huerta.figure import measure_curve

    yield from measured(sheet, todo, threads, lambda row, _: measure_curve(row, threads))


def measure_judges(sheet: Sheet, todo: Todo, threads: int) -> Iterator[Record]:
    """Tell humans from machines."""
    from huerta.human_or_machine import Court, measure_judge

    court = Court(sheet, threads)
    yield from measured(sheet, todo, threads, lambda row, corpus: measure_judge(row, corpus, court))


def measure_own_judges(sheet: Sheet, todo: Todo, threads: int) -> Iterator[Record]:
    """Tell humans from machines in the corpus that was factorised, with and without the pairs that are held out."""
    from huerta.human_or_machine import OwnCourt, measure_judge

    for held_out in (False, True):
        rows = [(row, corpus) for row, corpus in todo if (corpus == HELD_OUT) == held_out]
        court = OwnCourt(sheet, threads, held_out=held_out)
        yield from measured(
            sheet, rows, threads, lambda row, corpus, court=court: measure_judge(row, corpus, court)
        )


def measure_retrievals(sheet: Sheet, todo: Todo, threads: int) -> Iterator[Record]:
    """Find translations."""
    from huerta.retrieval import Library, measure_retrieval

    library = Library(sheet, threads)
    yield from measured(sheet, todo, threads, lambda row, _: measure_retrieval(row, library))


def measure_cleanings(sheet: Sheet, todo: Todo, threads: int) -> Iterator[Record]:
    """Clean corpora, one after the other: each is read once."""
    from huerta.cleaning import Dump, measure_cleaning

    for corpus in dict.fromkeys(corpus for _, corpus in todo):
        dump = Dump(corpus, sheet, threads)
        rows = [(row, where) for row, where in todo if where == corpus]
        yield from measured(sheet, rows, threads, lambda row, _, dump=dump: measure_cleaning(row, dump))


MEASURED = {
    "figure": measure_figure,
    "judge": measure_judges,
    OWN: measure_own_judges,
    "retrieval": measure_retrievals,
    "cleaning": measure_cleanings,
}


def measured(sheet: Sheet, todo: Todo, threads: int, measuring: Measuring) -> Iterator[Record]:
    """Measure row after row; what several rows need is paid by the first of them."""
    for row, corpus in todo:
        begin = Moment.now()
        figures = measuring(row, corpus)
        spent = Moment.now().since(begin)
        yield record_of(sheet.place(row, corpus), signature(row), threads, spent, figures)
