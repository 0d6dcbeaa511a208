"""Made-up records of systems on corpora, for the report of accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accuracy_report.results import Results, Sheet
from accuracy_report.rows import CORPORA, PEERS, is_run, signature, sizes_of, training_pairs
from tests.experiments.row_records import MADE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DEV, TEST = Sheet("dev"), Sheet("test")
LINKS = 10  # of each sentence, as many as are sure
SENTENCES = 20
CALIBRATED = [[0, 0.0, 0]] * 8 + [[50, 42.5, 43], [150, 142.5, 143]]  # 0.86 for 0.85, 0.953 for 0.95


def make_record(
    sheet: Sheet, corpus: str, size: str, system: str, wrong: Sequence[int], **other: Any
) -> dict[str, Any]:
    """A record of sentences of ten links, of which so many are wrong: an AER of as many tenths."""
    right = [LINKS - number for number in wrong]
    ten = [LINKS] * len(wrong)
    share = round(100 * sum(right) / sum(ten), 3)
    peer = system in PEERS
    return {
        **sheet.place(corpus, size, system),
        "signature": f"{system}:1.0" if peer else signature(system),
        **MADE,
        "text": {"scored": len(wrong), "pairs": training_pairs(corpus, size) + len(wrong)}
        | {"source_words": 100, "target_words": 90},
        "load": [0.5, 1.5],
        "peak_mb": 100.0,
        "stages": {"training": 4.0, "aligning": 2.0},
        "combined": "own",
        "scores": {"own": [round(100 - share, 3), share, share], "union": [99.0, 1.0, 1.0]},
        "counts": [ten, ten, ten, right, right],
        **({} if peer else {"reliability": CALIBRATED}),
        **other,
    }


def alternating(more: int, fewer: int) -> list[int]:
    """As many sentences with one number of errors as with another."""
    return [more, fewer] * (SENTENCES // 2)


def make_results(path: Path, sheet: Sheet, errors: dict[str, list[int]], **other: Any) -> Results:
    """Records of some systems on every corpus and size, with the same errors everywhere."""
    results = Results(path)
    for corpus in CORPORA:
        for size in sizes_of(corpus):
            for system, wrong in errors.items():
                if is_run(system, corpus, size):
                    put(results, make_record(sheet, corpus, size, system, wrong, **other))
    return results


def put(results: Results, record: dict[str, Any]) -> None:
    """Put a record in, without writing it to the disk."""
    store = results._store(record["system"])
    store.records[store.place_of(record)] = record
