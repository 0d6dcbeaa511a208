"""What a model is asked in a test, with a model whose affinities are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cepts.errors import InputError
from cepts.evaluation import groups_right, orders_right, rankings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class LastLetters:
    """Says how many last letters two strings share."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def affinities(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        threads: int = 1,  # noqa: ARG002
    ) -> NDArray[np.float32]:
        self.asked += zip(sources, targets, strict=True)
        return np.array([self._shared(*pair) for pair in zip(sources, targets, strict=True)], np.float32)

    @staticmethod
    def _shared(one: str, other: str) -> int:
        count = 0
        while count < min(len(one), len(other)) and one[-count - 1] == other[-count - 1]:
            count += 1
        return count


def test_candidates_are_ranked_and_equals_stay_in_order() -> None:
    told: list[float] = []
    candidates = ["bug", "cat", "mat", "rat"]
    found = list(rankings(LastLetters(), ["hat", "rug"], candidates, tell=told.append))
    assert found == [["cat", "mat", "rat", "bug"], ["bug", "cat", "mat", "rat"]]
    assert told == [1.0]


def test_orders_count_each_worse_string_and_ties_are_wrong() -> None:
    orders = [("hat", "cat", "bug", "mat"), ("rug", "cat", "bug")]
    # cat > bug is right; cat = mat is a tie; cat > bug is wrong for rug
    assert orders_right(LastLetters(), orders).tolist() == [1, 0, 0]


def test_members_of_a_group_are_looked_for_among_all_others() -> None:
    groups = [("hat", "cat", "bit"), ("rug", "bug"), ("lone",)]
    hits, counts = groups_right(LastLetters(), groups)
    # hat: cat (2) and bit (1) are above rug, bug and lone (0); likewise cat; bit: hat and cat, 1 each; rug: bug.
    assert counts.tolist() == [2, 2, 2, 1, 1]
    assert hits.tolist() == [2, 2, 2, 1, 1]


def test_a_string_in_two_groups_has_the_members_of_both() -> None:
    model = LastLetters()
    hits, counts = groups_right(model, [("read", "bed"), ("read", "need")])
    assert counts.tolist() == [2, 1, 1]
    assert ("bed", "need") in model.asked  # they share no group
    # "read" has both; "bed" shares "ed" with "need" and only "d" with "read", so it finds the wrong one; so does "need"
    assert hits.tolist() == [2, 0, 0]


def test_others_are_drawn_by_the_seed_up_to_a_total() -> None:
    groups = [("hat", "cat"), *((f"x{number}",) for number in range(50))]
    asked = []
    for seed in (1, 1, 2):
        model = LastLetters()
        groups_right(model, groups, total=10, seed=seed)
        assert len(model.asked) == 20
        assert len({*model.asked}) == 20
        asked.append(model.asked)
    assert asked[0] == asked[1] != asked[2]


@pytest.mark.parametrize("model", [LastLetters()])
def test_nothing_to_test_is_refused(model: LastLetters) -> None:
    with pytest.raises(InputError, match="there is nothing to test: give rows of"):
        orders_right(model, [])
    with pytest.raises(InputError, match="there is nothing to test: no group has two members"):
        groups_right(model, [("a",), ("b",)])
