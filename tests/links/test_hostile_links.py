"""Links made by hand: what cannot be is refused where it is made, with what is wrong in one line."""

import io
import re
import tracemalloc

import numpy as np
import pytest

from cepts.errors import CeptsError
from cepts.evaluation import evaluate
from cepts.links import Links, write_pharaoh
from cepts.links.links import LARGEST_POSITION

GOOD = {
    "source": [0, 1, 0],
    "target": [0, 1, 2],
    "confidence": [1, 0.5, 1],
    "sure": [True, False, True],
    "offsets": [0, 2, 3],
}


def made(**changes):
    return Links(**(GOOD | changes))


def test_lists_become_the_arrays_that_kernels_know():
    links = made(scores=[0, -1])
    kinds = [np.int32, np.int32, np.float32, np.bool_, np.int64, np.float64]
    for name, kind in zip([*GOOD, "scores"], kinds, strict=True):
        assert getattr(links, name).dtype == kind
    assert [len(pair) for pair in links] == [2, 1]


def test_arrays_are_taken_as_they_are():
    links = made()
    again = Links(links.source, links.target, links.confidence, links.sure, links.offsets)
    assert again.source is links.source
    spread = np.zeros((3, 2), np.int32)[:, 0]
    assert Links(spread, links.target, links.confidence, links.sure, links.offsets).source.flags.c_contiguous


LARGE = f"from 0 to {LARGEST_POSITION}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": [0, 10**9, 0]}, f"links: source[1] is 1000000000, expected a number {LARGE}"),
        ({"target": [0, -1, 2]}, f"links: target[1] is -1, expected a number {LARGE}"),
        ({"source": [0, 1 << 40, 0]}, "links: source[1] is 1099511627776, expected a number of int32"),
        ({"source": [0, 0.5, 0]}, "source must be an array of integers, got list"),
        ({"source": [0, np.nan, 0]}, "source must be an array of integers, got list"),
        ({"source": ["a", "b", "c"]}, "source must be an array of integers, got list"),
        ({"source": None}, "source must be an array of integers, got None"),
        ({"source": [[0], [1, 2], []]}, "source must be an array of integers, got list"),
        ({"target": [[0, 1, 2]]}, "links: target has 2 dimensions of int64, expected 1 of numbers"),
        ({"confidence": [1, np.nan, 1]}, "links: confidence[1] is nan, expected a number from 0 to 1"),
        ({"confidence": [1, 2, 1]}, "links: confidence[1] is 2.0, expected a number from 0 to 1"),
        ({"confidence": [1, 1, -0.5]}, "links: confidence[2] is -0.5, expected a number from 0 to 1"),
        ({"sure": [1, 2, 1]}, "sure must be an array of booleans, got list"),
        ({"sure": [True]}, "links: 1 of sure, expected 3, as of source"),
        ({"target": [0, 1]}, "links: 2 of target, expected 3, as of source"),
        ({"offsets": []}, "links: offsets do not rise from 0 to 3, the number of links"),
        ({"offsets": [0, 2]}, "links: offsets do not rise from 0 to 3, the number of links"),
        ({"offsets": [1, 3]}, "links: offsets do not rise from 0 to 3, the number of links"),
        ({"offsets": [0, 3, 2, 3]}, "links: offsets do not rise from 0 to 3, the number of links"),
        ({"offsets": [0, -1, 3]}, "links: offsets do not rise from 0 to 3, the number of links"),
        ({"scores": [1.0]}, "links: 1 scores of 2 sentence pairs"),
        ({"scores": "no"}, "scores must be an array of numbers, got 'no'"),
        ({"offsets": [0, 3]}, "links: link 2, 0-2, is not behind the one before it; sort those of each pair,"),
        ({"source": [1, 1, 0], "target": [1, 1, 0]}, "links: link 1, 1-1, is not behind the one before it; "),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(changes, message):
    with pytest.raises(CeptsError, match=f"^{re.escape(message)}") as error:
        made(**changes)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (3, "from_pairs: pairs must be an iterable of values, each an iterable of values, "),
        (None, "from_pairs: pairs must be an iterable of values, each an iterable of values, "),
        ([[], 1], "from_pairs: pairs[1] must be an iterable of values, each a list of numbers, got int 1"),
        ([[1]], "from_pairs: pairs[0][0] must be a list of numbers, got int 1"),
        ([[(1,)]], "links: (1,) is no link, expected (source, target[, confidence[, sure]]), from 0"),
        ([[(1, 2, 0.5, True, 9)]], "links: (1, 2, 0.5, True, 9) is no link"),
        ([["ab"]], "from_pairs: pairs[0][0][0] must be a number, got 'a'"),
        ([[("1", "2")]], "from_pairs: pairs[0][0][0] must be a number, got '1'"),
        ([[(0.5, 0)]], "links: (0.5, 0) is no link"),
        ([[(0, float("inf"))]], "from_pairs: pairs[0][0][1] must be a finite number, got inf"),
        ([[(0, 0, "sure")]], "from_pairs: pairs[0][0][2] must be a number, got 'sure'"),
        ([[(0, -1)]], f"links: target[0] is -1, expected a number {LARGE}"),
        ([[(10**30, 0)]], "source must be an array of integers, got tuple"),
        ([[(0, 0, float("nan"))]], "from_pairs: pairs[0][0][2] must be a finite number, got nan"),
    ],
)  # fmt: skip
def test_pairs_that_are_none_are_refused(pairs, message):
    with pytest.raises(CeptsError, match=f"^{re.escape(message)}"):
        Links.from_pairs(pairs)


def test_negative_positions_are_not_evaluated():
    right = Links.from_pairs([[(0, 0)]])
    with pytest.raises(CeptsError, match=r"source\[0\] is -1"):
        evaluate(Links.from_pairs([[(-1, 0)]]), right)


def test_far_positions_take_no_memory_to_write():
    links = Links.from_pairs([[(0, LARGEST_POSITION), (LARGEST_POSITION, 3)], [(7, 7)]])
    stream = io.StringIO()
    tracemalloc.start()
    write_pharaoh(links, stream)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stream.getvalue() == "0-16777215 16777215-3\n7-7\n"
    assert most < 1 << 20
