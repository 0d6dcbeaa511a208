"""The report of `fertility.py`: a table for each corpus, and whether the goals are reached."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import ROOT
from signature import one_line

sys.path.append(str(ROOT / "experiments"))  # claims and Markdown are made as there

from paper_tables.judging import Claim
from paper_tables.markdown import joined, markdown, section

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Result = dict[str, Any]  # of a corpus: its sizes, how it was made, a row for each system and way to links

HANSARDS, ROMANIAN = "en-fr-hansards", "ro-en"
HMM, IBM4, TOGETHER, THOT = "HMM, independent", "IBM-4, independent", "IBM-4, agreement", "thot's IBM-4"
DIRECTIONS = ("forward", "reverse")
HEURISTICS = ("union", "intersection", "grow-diag", "grow-diag-final-and")
COLUMNS = (*DIRECTIONS, *HEURISTICS)


class Elsewhere(NamedTuple):
    """Figures that were measured elsewhere: AER in percent by heuristic, and CPU seconds."""

    aer: dict[str, float]
    cpu_seconds: float


MGIZA = {
    HANSARDS: Elsewhere({"intersection": 10.3, "grow-diag": 13.5, "grow-diag-final-and": 14.2}, 156.0),
    ROMANIAN: Elsewhere({"grow-diag-final-and": 29.7}, 289.0),
}
HANSARDS_AER, ROMANIAN_AER = 10.0, 29.7
OF_MGIZA, OF_THOT = 1 / 2, 1 / 3  # of their CPU seconds: what ours may take


def report(results: Sequence[Result], full: bool) -> str:
    """Write the report; `full`: part and sizes are those of the figures from elsewhere, and of the goals."""
    about = (
        "AER in percent of each direction's best path and of the heuristics; CPU seconds of the whole job on one "
        "thread: reading, word classes, both directions, links of all pairs, writing. The systems of a table ran one "
        "after the other on one machine. thot makes no word classes: all its words are in one."
    )
    if full:
        about += " MGIZA's figures were measured elsewhere, with Moses' settings on the same pairs."
    judged = [[one.text, f"**{one.verdict}**", one.ours] for one in claims(results, full)]
    return joined(
        [
            "# IBM-4: what it is worth, and what it costs",
            about,
            section("Does it hold?", markdown(["claim", "holds", "ours"], judged) if judged else ""),
            *(section(title(result), table(result, full)) for result in results),
            section("How it was made", one_line(results[0]["signature"])),
        ]
    )


def title(result: Result) -> str:
    """Say what was aligned."""
    corpus = result["corpus"]
    return (
        f"{corpus['name']}, {corpus['pairs']:,} pairs, scored on {corpus['part']} ({corpus['scored']} pairs)"
    )


def table(result: Result, full: bool) -> str:
    """Write a line for each system."""
    heads = ["", "CPU s", "thot = 1", *(["MGIZA = 1"] if full else []), "peak MB", *COLUMNS]
    systems = dict.fromkeys(row["system"] for row in result["rows"])
    lines = [line(result, system, full) for system in systems]
    if full:
        other = MGIZA[result["corpus"]["name"]]
        known = [f"{other.aer[name]:.1f}" if name in other.aer else "-" for name in COLUMNS]
        lines.append(["MGIZA, elsewhere", f"{other.cpu_seconds:.0f}", "-", "1.00", "-", *known])
    return markdown(heads, lines)


def line(result: Result, system: str, full: bool) -> list[str]:
    """Write one system's figures."""
    rows = rows_by_column(result, system)
    seconds, thot = rows["forward"]["cpu_seconds"], rows_by_column(result, THOT)
    ratios = [f"{seconds / thot['forward']['cpu_seconds']:.2f}" if thot else "-"]
    if full:
        ratios.append(f"{seconds / MGIZA[result['corpus']['name']].cpu_seconds:.2f}")
    errors = [f"{100 * rows[name]['aer']:.2f}" for name in COLUMNS]
    return [system, f"{seconds:.1f}", *ratios, f"{rows['forward']['peak_mb']:.0f}", *errors]


def rows_by_column(result: Result, system: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a system, none where it was not run."""
    return {row["symmetrisation"]: row for row in result["rows"] if row["system"] == system}


def claims(results: Sequence[Result], full: bool) -> list[Claim]:
    """Judge what is asked of IBM-4, as far as there are figures."""
    found: list[Claim] = []
    for result in results:
        if result["corpus"]["name"] == HANSARDS:
            found += [*hansards_claims(result, full), *cost_claims(result, full)]
        elif full:
            found += [romanian_claim(result, system) for system in (IBM4, TOGETHER)]
    return found


def hansards_claims(result: Result, full: bool) -> Iterator[Claim]:
    """Judge the intersection of directions that were trained independently."""
    ours, chain = (100 * rows_by_column(result, one)["intersection"]["aer"] for one in (IBM4, HMM))
    begin = f"{HANSARDS}: {IBM4}: intersection"
    if full:
        yield judged(f"{begin} has at most {HANSARDS_AER:.1f} AER", ours <= HANSARDS_AER, f"{ours:.2f}")
    yield judged(f"{begin} is no worse than the HMM's", ours <= chain, f"{ours:.2f} and {chain:.2f}")


def cost_claims(result: Result, full: bool) -> Iterator[Claim]:
    """Judge CPU seconds by those of MGIZA and thot."""
    thot = rows_by_column(result, THOT)
    for system in (IBM4, TOGETHER):
        seconds = rows_by_column(result, system)["forward"]["cpu_seconds"]
        begin = f"{HANSARDS}: {system}: CPU seconds are"
        if full:
            share = seconds / MGIZA[HANSARDS].cpu_seconds
            yield judged(f"{begin} at most half of MGIZA's", share <= OF_MGIZA, f"{share:.2f} of them")
        if thot:
            share = seconds / thot["forward"]["cpu_seconds"]
            yield judged(f"{begin} less than a third of thot's", share < OF_THOT, f"{share:.2f} of them")


def romanian_claim(result: Result, system: str) -> Claim:
    """Judge the best heuristic, seen with hindsight."""
    rows = rows_by_column(result, system)
    best = min(HEURISTICS, key=lambda name: rows[name]["aer"])
    error = 100 * rows[best]["aer"]
    text = f"{ROMANIAN}: {system}: the best heuristic has at most {ROMANIAN_AER:.1f} AER"
    return judged(text, error <= ROMANIAN_AER, f"{error:.2f}, {best}")


def judged(text: str, holds: bool, ours: str) -> Claim:
    """Put a verdict on a claim."""
    return Claim(text, "yes" if holds else "no", ours)
