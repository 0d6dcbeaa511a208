"""Scales and the numbers beside them."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.views.scales import Scale, number_text, tick_texts, widened

LOW = st.floats(-1e6, 1e6)
LENGTH = st.floats(1e-3, 1e6)
ABOVE = st.floats(1e-6, 1e6)
SHARE = st.floats(0.0, 1.0)


def scales() -> st.SearchStrategy[Scale]:
    linear = st.builds(lambda low, length: Scale(low, low + length, 300.0, 20.0), LOW, LENGTH)
    log = st.builds(
        lambda low, ratio: Scale(low, low * ratio, 10.0, 500.0, True), ABOVE, st.floats(1.01, 1e9)
    )
    return linear | log


def inside(scale: Scale, share: float) -> float:
    """A number so far between the ends of a scale."""
    return scale.low + share * (scale.high - scale.low)


@given(scales(), SHARE, SHARE)
def test_order_is_kept_and_ends_meet(scale: Scale, one: float, other: float) -> None:
    near, far = (scale.place(inside(scale, share)) for share in sorted((one, other)))
    sign = 1 if scale.end > scale.begin else -1
    assert sign * (far - near) >= -1e-6
    assert scale.place(scale.low) == pytest.approx(scale.begin)
    assert scale.place(scale.high) == pytest.approx(scale.end)


@given(scales(), st.integers(2, 12), st.booleans())
def test_ticks_are_few_different_and_inside(scale: Scale, most: int, whole: bool) -> None:
    ticks = scale.ticks(most, whole)
    assert len(ticks) <= most
    slack = 1e-9 * max(abs(scale.low), abs(scale.high))
    assert all(scale.low - slack <= tick <= scale.high + slack for tick in ticks)
    assert all(after > before for before, after in pairwise(ticks))
    if whole and not scale.log:
        assert all(tick == int(tick) for tick in ticks)
    if not whole:
        assert ticks
        assert len({*tick_texts(ticks)}) == len(ticks)


@given(scales())
def test_ticks_are_written_as_what_they_are(scale: Scale) -> None:
    ticks = scale.ticks()
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        assert float(text.replace(",", "")) == pytest.approx(tick, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize(
    ("scale", "most", "ticks"),
    [
        (Scale(0, 97, 0, 1), 6, [0, 20, 40, 60, 80]),
        (Scale(-0.2, 4.2, 0, 1), 6, [0, 1, 2, 3, 4]),
        (Scale(0.9, 110, 0, 1, True), 7, [1, 2, 5, 10, 20, 50, 100]),
        (Scale(0.9, 110, 0, 1, True), 5, [1, 3, 10, 30, 100]),
        (Scale(0.9, 110, 0, 1, True), 4, [1, 10, 100]),
        (Scale(1, 1e9, 0, 1, True), 5, [1, 100, 10_000, 1e6, 1e8]),
        (Scale(41_000, 46_000, 0, 1, True), 3, [42_000, 44_000, 46_000]),  # no power inside: even steps
    ],
)
def test_ticks_worked_out_by_hand(scale: Scale, most: int, ticks: list[float]) -> None:
    assert scale.ticks(most) == pytest.approx(ticks)


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=5))
def test_axes_have_room(numbers: list[float]) -> None:
    low, high = widened(numbers)
    assert low < min(numbers) <= max(numbers) < high


@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=5))
def test_logarithmic_axes_have_room_above_zero(numbers: list[float]) -> None:
    low, high = widened(numbers, log=True)
    assert 0 < low < min(numbers) <= max(numbers) < high


@given(st.floats(1e-4, 1e11))
def test_numbers_are_written_without_powers(number: float) -> None:
    text = number_text(number)
    assert "e" not in text
    assert math.isclose(float(text.replace(",", "")), number, rel_tol=1e-5)
