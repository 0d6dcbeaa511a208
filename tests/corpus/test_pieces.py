import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus.pieces import UNKNOWN, Pieces
from cepts.corpus.tokenizer import unit_ends
from tests.reference.segmentation import cuts

SCORES = st.dictionaries(st.text("かきく", min_size=1, max_size=4), st.integers(-9, 0).map(float))


def units_of(run: str) -> list[str]:
    ends = [0, *unit_ends(run)]
    return [run[start:end] for start, end in pairwise(ends)]


def score(pieces: list[str], scores: dict[str, float]) -> float:
    unseen = min(scores.values(), default=0.0) - UNKNOWN
    return sum(scores.get(piece, unseen if len(piece) == 1 else -math.inf) for piece in pieces)


@given(SCORES, st.text("かきくけ", min_size=1, max_size=7))
def test_the_path_is_the_best_of_all(scores: dict[str, float], run: str) -> None:
    ends = [0, *Pieces(scores).cut(run)]
    found = [run[start:end] for start, end in pairwise(ends)]
    assert "".join(found) == run
    best = max(score(["".join(piece) for piece in way], scores) for way in cuts(units_of(run)))
    assert score(found, scores) == best


def test_of_equal_paths_the_longer_last_piece_wins() -> None:
    scores = {"か": -1.0, "かか": -2.0, "かかか": -3.0}
    assert Pieces(scores).cut("かかかか") == [1, 4]


def test_without_pieces_every_unit_stands_alone() -> None:
    assert Pieces({}).cut("にっぽん") == [1, 2, 3, 4]
    assert Pieces({}).cut("ภาษาไทย") == [2, 4, 6, 7]


def test_a_long_run_is_covered() -> None:
    ends = Pieces({"か": -1.0, "かき": -1.5}).cut("かき" * 20_000)
    assert ends == list(range(2, 40_001, 2))


def test_pieces_are_equal_by_what_they_know() -> None:
    one, same, other = Pieces({"か": -1.0}), Pieces({"か": -1.0}), Pieces({"か": -2.0})
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != "か"
