"""Results that are pinned: a change of the code that is not meant to change links must not change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.data import missing_data
from tests.golden.cases import Case, Result, cases, is_there, parsed, run
from tests.golden.writing import EXPECTED, PROCESSOR, processor

if TYPE_CHECKING:
    from pathlib import Path


CLOSE = 1e-6
# Another kind of processor rounds otherwise, and training adds that up: probabilities differ in the third digit, and so
# do a few links. There, so large a share of the links must be the same.
SHARE = 0.9


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_results_are_what_they_were(case: Case, tmp_path: Path) -> None:
    if not is_there(case):
        pytest.skip(missing_data())
    found = run(case, tmp_path)
    expected = parsed((EXPECTED / f"{case.name}.txt").read_text(encoding="utf-8"))
    if processor() != PROCESSOR.read_text(encoding="utf-8").strip():
        check_nearly(found, expected)
        return
    assert bare(found) == bare(expected)
    for mine, theirs in zip(found.links, expected.links, strict=True):
        assert [link[2] for link in mine] == pytest.approx([link[2] for link in theirs], rel=CLOSE)
    assert found.scores == pytest.approx(expected.scores, rel=CLOSE, nan_ok=True)


def check_nearly(found: Result, expected: Result) -> None:
    """Compare with what another kind of processor has made."""
    mine, theirs = (
        {(k, *link) for k, row in enumerate(bare(one)) for link in row} for one in (found, expected)
    )
    assert len(mine & theirs) >= SHARE * max(len(mine), len(theirs))
    assert found.scores == pytest.approx(expected.scores, rel=0.05, abs=0.05, nan_ok=True)


def bare(result: Result) -> list[list[tuple[int, int]]]:
    """Return the links without their probabilities."""
    return [[link[:2] for link in row] for row in result.links]


def test_nearly_the_same_is_not_anything() -> None:
    one = Result([[(0, 0, 1.0), (1, 1, 1.0)]], [-1.0])
    check_nearly(one, one)
    with pytest.raises(AssertionError):
        check_nearly(one, Result([[(0, 0, 1.0), (1, 2, 1.0)]], [-1.0]))
    with pytest.raises(AssertionError):
        check_nearly(one, Result(one.links, [-2.0]))
