"""The four plots."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

from cepts.aligning.history import TrainingCurve
from cepts.errors import InputError, OptionError
from cepts.evaluation import Bin
from cepts.views import curves_of, plot_accuracy, plot_reliability, plot_speed, plot_training, to_png
from cepts.views.choosing import chosen_rows
from cepts.views.records import Curve, Measured
from tests.views.svg import SVG, boxes, lines, marks, size, texts

CALIBRATED = [Bin(0, 0.0, 0), Bin(4, 1.6, 2), Bin(100, 90.0, 88)]


def row(system: str, pairs: int, aer: float, **other: Any) -> Measured:
    usual = {"corpus": "de-en", "part": "test", "cpu_seconds": aer / 10, "wall_seconds": 2.0, "peak_mb": 50.0}
    return Measured(**{**usual, "pairs": pairs, "system": system, "aer": aer, **other})


ROWS = [
    row("best", 5000, 20.0),
    row("best", 1000, 25.0),
    row("eflomal", 1000, 30.0),
    row("eflomal", 5000, 28.0),
    row("best", 1000, 33.0, corpus="zh-en"),
]


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def test_training_has_a_panel_for_each_stage_and_a_line_for_each_run() -> None:
    falling = [
        Curve("ibm1", "", "objective per word", [7.0, 4.0, 3.5]),
        Curve("hmm", "", "objective per word", [3.0]),
    ]
    picture = parsed(plot_training({"best": falling, "fast": falling[:1]}, "Training"))
    found = texts(picture)
    assert found.count("ibm1") == found.count("hmm") == found.count("best") == found.count("fast") == 1
    assert {"Training", "objective per word", "iterations done"} <= {*found}
    assert [len(line) for line in lines(picture)] == [3, 3]
    assert all(after[1] > before[1] for line in lines(picture) for before, after in pairwise(line))


def test_names_of_lines_say_no_more_than_they_must() -> None:
    two = [Curve("ibm1-pgd", way, "objective per word", [2.0, 1.0]) for way in ("forward", "reverse")]
    assert {"forward", "reverse"} <= {*texts(parsed(plot_training({"run": two})))}
    both = texts(parsed(plot_training({"one": two, "two": two})))
    assert {"one, forward", "one, reverse", "two, forward", "two, reverse"} <= {*both}


def test_curves_of_an_aligner_are_for_each_word() -> None:
    told = [TrainingCurve("ibm1", "both", 10, [70.0, 40.0]), TrainingCurve("hmm", "reverse", 4, [])]
    assert curves_of(told) == [Curve("ibm1", "", "objective per word", [7.0, 4.0])]


def test_reliability_has_the_bins_a_diagonal_counts_and_the_error() -> None:
    picture = parsed(plot_reliability({"links": CALIBRATED}))
    # 4 links of confidence 0.4, half right; 100 of 0.9, 0.88 right: (4 * 0.1 + 100 * 0.02) / 104
    assert "links (error 0.023)" in texts(picture)
    (line,) = lines(picture)
    (x, y), (right, top) = line
    across = (right - x) / (0.9 - 0.4)  # units for a confidence of 1
    assert (y - top) / across == pytest.approx(0.38, abs=0.005)  # the panel is a square
    diagonals = [one for one in picture.iter(f"{SVG}line") if one.get("stroke-dasharray")]
    assert len(diagonals) == 1
    counts = boxes(picture)
    assert len(counts) == 2
    assert counts[1][3] > counts[0][3]


def test_counts_of_several_curves_stand_side_by_side() -> None:
    picture = parsed(plot_reliability(dict.fromkeys(("a", "b", "c"), CALIBRATED)))
    spans = sorted((x, x + width) for x, _, width, _ in boxes(picture))
    assert len(spans) == 6
    assert all(after[0] >= before[1] - 0.2 for before, after in pairwise(spans))


def test_accuracy_has_a_panel_for_each_corpus_and_sizes_in_order() -> None:
    picture = parsed(plot_accuracy(ROWS))
    found = texts(picture)
    assert {"de-en", "zh-en", "best", "eflomal", "AER, %", "training pairs"} <= {*found}
    drawn = lines(picture)
    assert [len(line) for line in drawn] == [2, 2]
    assert all(line[0][0] < line[1][0] and line[0][1] < line[1][1] for line in drawn)
    samples = 2  # of the legend
    assert len(marks(picture)) == len(ROWS) + samples


def test_speed_is_lines_by_size_and_bars_without() -> None:
    by_size = parsed(plot_speed(ROWS))
    assert "CPU seconds" in texts(by_size)
    assert len(lines(by_size)) == 2
    assert boxes(by_size) == []
    alone = [one for one in ROWS if one.pairs == 1000]
    bars = parsed(plot_speed(alone, measure="cpu"))
    assert lines(bars) == []
    assert len(boxes(bars)) == 3
    assert {"de-en, 1,000 pairs", "zh-en, 1,000 pairs", "2.5", "3", "3.3"} <= {*texts(bars)}
    widths = [width for _, _, width, _ in boxes(bars)]
    assert widths[1] / widths[0] == pytest.approx(3.0 / 2.5, abs=0.01)
    assert "peak memory, MB" in texts(parsed(plot_speed(alone, measure="memory")))


def test_systems_of_bars_stand_from_the_top_in_their_order() -> None:
    bars = parsed(plot_speed([row("first", 10, 1.0), row("second", 10, 9.0)]))
    heights = {
        element.text: float(element.attrib["y"])
        for element in bars.iter(f"{SVG}text")
        if element.text in ("first", "second")
    }
    assert heights["first"] < heights["second"]
    (_, upper, narrow, _), (_, lower, wide, _) = boxes(bars)
    assert upper < lower
    assert narrow < wide


def test_all_plots_become_png_of_twice_the_size() -> None:
    pytest.importorskip("resvg_py")
    curves = {"a": [Curve("ibm1", "", "objective per word", [2.0, 1.0])]}
    for svg in (
        plot_training(curves),
        plot_reliability({"a": CALIBRATED}),
        plot_accuracy(ROWS),
        plot_speed(ROWS),
    ):
        picture = to_png(svg)
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", picture[16:24])
        assert (width, height) == tuple(2 * number for number in size(parsed(svg)))


def test_links_without_bins_are_refused() -> None:
    with pytest.raises(InputError, match="empty has no links: there is nothing to draw"):
        plot_reliability({"full": CALIBRATED, "empty": [Bin(0, 0.0, 0)]})


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(OptionError, match="measure 'gpu': expected cpu, wall or memory"):
        plot_speed(ROWS, measure="gpu")


@pytest.mark.parametrize("draw", [plot_accuracy, plot_speed])
def test_two_rows_for_one_place_are_refused(draw: Any) -> None:
    message = r"two rows of best on 1,000 training pairs of de-en \(test\); expected one: leave out one of the files"
    with pytest.raises(InputError, match=message):
        draw([*ROWS, row("best", 1000, 26.0)])


def test_seconds_of_nothing_have_no_place_on_a_logarithmic_axis() -> None:
    with pytest.raises(
        InputError, match=r"de-en: best: 0 has no place on a logarithmic axis \(CPU seconds\)"
    ):
        plot_speed([row("best", 1000, 25.0, cpu_seconds=0.0), row("best", 5000, 25.0)])


def test_rows_are_chosen_by_part_system_and_corpus() -> None:
    rows = [*ROWS, row("best: no spelling", 1000, 26.0), row("best", 1000, 9.0, part="dev")]
    assert chosen_rows(rows) == [rows[k] for k in (0, 1, 2, 3, 4)]  # test, without variants
    assert chosen_rows(rows, part="dev") == [rows[-1]]
    assert chosen_rows(rows, systems=["eflomal", "best"], corpora=["de-en"]) == [
        rows[k] for k in (2, 3, 0, 1)
    ]
    assert chosen_rows(rows, systems=["best: no spelling"]) == [rows[5]]
    assert chosen_rows(rows[5:6]) == [rows[5]]
    assert chosen_rows(rows[6:]) == [rows[6]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": "train"}, "no row is of the part 'train'; expected one of test"),
        ({"systems": ["giza"]}, "no row is of the system 'giza'; expected one of best, eflomal"),
        ({"corpora": ["fr"]}, "no row is of the corpus 'fr'; expected one of de-en, zh-en"),
        (
            {"systems": ["eflomal"], "corpora": ["zh-en"]},
            "no row is of the systems and of the corpora that are chosen; choose others",
        ),
    ],
)
def test_choices_that_no_row_has_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        chosen_rows(ROWS, **options)
