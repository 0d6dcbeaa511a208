"""The plots: training, reliability, accuracy and speed; each is an SVG document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.checking import checked
from cepts.errors import InputError, OptionError
from cepts.evaluation.reliability import calibration_error
from cepts.views.charts import draw_chart
from cepts.views.panels import USUAL, Axis, Boxes, Line, Note, Panel
from cepts.views.scales import number_text, widened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cepts.evaluation.reliability import Bin
    from cepts.views.records import Curve, Measured

SQUARE = (360.0, 360.0)
ALONE = (440.0, 300.0)  # the size of a panel that is the only one
COUNTS_HEIGHT = 120.0
FEWEST = 0.7  # where the axis of numbers of links begins: one link is still to be seen
MEASURES = {
    "cpu": ("cpu_seconds", "CPU seconds"),
    "wall": ("wall_seconds", "wall seconds"),
    "memory": ("peak_mb", "peak memory, MB"),
}
BAR = 0.34  # half of the height of a bar; bars are one apart
BAR_HEIGHT = 26.0
NOTE_ROOM = 1.3  # times the longest bar is where the axis ends


@checked
def plot_training(runs: Mapping[str, Sequence[Curve]], title: str = "") -> str:
    """Draw how the numbers of trainings fell, a panel for each stage, a line for each run."""
    stages = dict.fromkeys((curve.stage, curve.measure) for curves in runs.values() for curve in curves)
    panels = []
    for stage, measure in stages:
        lines = tuple(
            Line(_curve_name(run, curve, len(runs)), tuple(enumerate(curve.values)))
            for run, curves in runs.items()
            for curve in curves
            if (curve.stage, curve.measure) == (stage, measure)
        )
        panels.append(
            Panel(
                stage,
                Axis("iterations done", whole=True),
                Axis(measure),
                lines,
                size=_size(len(stages)),
            )
        )
    return draw_chart(panels, title)


def _curve_name(run: str, curve: Curve, runs: int) -> str:
    """Name a line: the run where there are several, and what tells its curves apart."""
    parts = [run] if runs > 1 or not curve.name else []
    return ", ".join([*parts, curve.name] if curve.name else parts)


def _size(panels: int) -> tuple[float, float]:
    return ALONE if panels == 1 else USUAL


@checked
def plot_reliability(curves: Mapping[str, Sequence[Bin]], title: str = "") -> str:
    """Draw the share of links that is right by their confidence, and below how many links there are."""
    if not curves:
        raise InputError("there are no curves: there is nothing to draw")
    for name, bins in curves.items():
        if not any(one.links for one in bins):
            raise InputError(f"{name} has no links: there is nothing to draw")
    named = {f"{name} (error {calibration_error(bins):.3f})": bins for name, bins in curves.items()}
    panel = reliability_panel("", named, SQUARE)
    return draw_chart([panel, _counts_panel(named)], title, columns=1)


def reliability_panel(
    title: str, curves: Mapping[str, Sequence[Bin]], size: tuple[float, float] = USUAL
) -> Panel:
    """Draw the share of links that is right against the mean confidence of bins, with a diagonal for what should be."""
    lines = tuple(
        Line(name, tuple((one.mean_confidence, one.share_right) for one in bins if one.links))
        for name, bins in curves.items()
    )
    ends = (0.0, 1.0)
    across, up = Axis("confidence", ends=ends), Axis("share that is right", ends=ends)
    return Panel(title, across, up, lines, diagonal=True, size=size)


def _counts_panel(curves: Mapping[str, Sequence[Bin]]) -> Panel:
    """Draw how many links each bin has, the boxes of several curves side by side."""
    boxes = tuple(
        Boxes(name, tuple(_count_boxes(bins, number, len(curves))))
        for number, (name, bins) in enumerate(curves.items())
    )
    most = max(one.links for bins in curves.values() for one in bins)
    across = Axis("confidence", ends=(0.0, 1.0))
    up = Axis("links", log=True, ends=(FEWEST, most * 1.5))
    return Panel("", across, up, boxes=boxes, size=(SQUARE[0], COUNTS_HEIGHT))


def _count_boxes(
    bins: Sequence[Bin], number: int, curves: int
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the boxes of one of several curves; bins without links have none."""
    width = 0.8 / len(bins) / curves
    begins = [(k + 0.1) / len(bins) + number * width for k in range(len(bins))]
    return [
        ((begin, FEWEST), (begin + width, float(one.links)))
        for begin, one in zip(begins, bins, strict=True)
        if one.links
    ]


@checked
def plot_accuracy(rows: Sequence[Measured], title: str = "") -> str:
    """Draw AER against training pairs, a panel for each corpus, a line for each system."""
    _check_different(rows)
    return draw_chart(by_size(rows, "aer", "AER, %"), title)


@checked
def plot_speed(rows: Sequence[Measured], title: str = "", measure: str = "cpu") -> str:
    """Draw what systems use: against training pairs, or as bars where no corpus has more than one size."""
    _check_different(rows)
    if measure not in MEASURES:
        raise OptionError(f"measure {measure!r}: expected cpu, wall or memory")
    figure, label = MEASURES[measure]
    several = any(len({row.pairs for row in of_corpus}) > 1 for of_corpus in _by_corpus(rows).values())
    return draw_chart(by_size(rows, figure, label, True) if several else _bars(rows, figure, label), title)


def by_size(rows: Sequence[Measured], figure: str, label: str, log: bool = False) -> list[Panel]:
    """Make a panel for each corpus, with a figure of each system against training pairs; these share their axis."""
    corpora = _by_corpus(rows)
    across = Axis("training pairs", log=True, ends=widened((row.pairs for row in rows), log=True))
    up = Axis(label, log=log)
    return [
        Panel(corpus, across, up, _lines(own, rows, figure), size=_size(len(corpora)))
        for corpus, own in corpora.items()
    ]


def _lines(rows: Sequence[Measured], every: Sequence[Measured], figure: str) -> tuple[Line, ...]:
    """Make a line for each system, in the order of all rows, so that a system looks the same everywhere."""
    systems = dict.fromkeys(row.system for row in every)
    points = {
        system: tuple(sorted((row.pairs, getattr(row, figure)) for row in rows if row.system == system))
        for system in systems
    }
    return tuple(Line(system, own) for system, own in points.items())


def _bars(rows: Sequence[Measured], figure: str, label: str) -> list[Panel]:
    """Make a panel of bars for each corpus."""
    systems = [*dict.fromkeys(row.system for row in rows)]
    longest = {
        corpus: max(getattr(row, figure) for row in own) or 1.0 for corpus, own in _by_corpus(rows).items()
    }
    return [
        Panel(
            f"{corpus}, {own[0].pairs:,} pairs",
            Axis(label, ends=(0.0, NOTE_ROOM * longest[corpus])),
            Axis(names=tuple(reversed(systems)), ends=(-0.6, len(systems) - 0.4)),
            boxes=tuple(_bar(own, system, len(systems) - 1 - k, figure) for k, system in enumerate(systems)),
            notes=tuple(_value(row, len(systems) - 1 - systems.index(row.system), figure) for row in own),
            size=(USUAL[0], BAR_HEIGHT * len(systems)),
        )
        for corpus, own in _by_corpus(rows).items()
    ]


def _bar(rows: Sequence[Measured], system: str, place: int, figure: str) -> Boxes:
    values = [getattr(row, figure) for row in rows if row.system == system]
    return Boxes(system, tuple(((0.0, place - BAR), (value, place + BAR)) for value in values))


def _value(row: Measured, place: int, figure: str) -> Note:
    value = getattr(row, figure)
    return Note((value, place), number_text(value, 3))


def _by_corpus(rows: Sequence[Measured]) -> dict[str, list[Measured]]:
    """Sort rows by corpus."""
    corpora: dict[str, list[Measured]] = {}
    for row in rows:
        corpora.setdefault(row.corpus, []).append(row)
    return corpora


def _check_different(rows: Sequence[Measured]) -> None:
    """Refuse to draw nothing, and two rows for one place: which of them is meant, nobody knows."""
    if not rows:
        raise InputError("there are no rows: there is nothing to draw")
    seen = set()
    for row in rows:
        if row[:4] in seen:
            raise InputError(
                f"two rows of {row.system} on {row.pairs:,} training pairs of {row.corpus} ({row.part});"
                " expected one: leave out one of the files, or choose by system, corpus or part"
            )
        seen.add(row[:4])
