"""Values that are seldom what a parameter wants; each is made anew, for some are used up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class OwnError(Exception):
    """What an iterable of the caller raises: it may pass through."""


class Thing:
    """A class that nobody knows."""


def breaking() -> Iterator[tuple[str, str]]:
    """Yield a pair, and break."""
    yield "a", "b"
    raise OwnError


WRONG: dict[str, Callable[[], object]] = {
    "None": lambda: None,
    "True": lambda: True,
    "3": lambda: 3,
    "-1": lambda: -1,
    "10**30": lambda: 10**30,
    "10**400": lambda: 10**400,
    "3.5": lambda: 3.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "empty text": lambda: "",
    "text": lambda: "nothing of the kind",
    "a lone surrogate": lambda: "x\udc80",
    "text with NUL": lambda: "a\0b",
    "bytes": lambda: b"bytes",
    "[]": list,
    "()": lambda: (),
    "{}": dict,
    "a dict": lambda: {"a": 1},
    "a set": lambda: {1, "a"},
    "object()": object,
    "a function": lambda: lambda *arguments, **more: None,  # noqa: ARG005
    "a class": lambda: Thing,
    "range(3)": lambda: range(3),
    "a list of numbers": lambda: [1, 2],
    "a list of None": lambda: [None],
    "a list of lists": lambda: [[1, "a"], ["b", None], []],
    "a list of lone surrogates": lambda: ["x\udc80", "y"],
    "lists of tuples": lambda: [[("a", "b")]],
    "a pair of numbers": lambda: (1, 2),
    "a long tuple": lambda: ("a", "b", "c", "d", "e"),
    "no words": lambda: np.array([], np.float32),
    "floats": lambda: np.array([0.5, np.nan]),
    "far integers": lambda: np.array([-5, 10**9]),
    "a table": lambda: np.ones((2, 3), np.int64),
    "an array of no dimension": lambda: np.array(7),
    "an array of objects": lambda: np.array([None, "a"], object),
    "an array of text": lambda: np.array(["a", "b"]),
    "a generator that breaks": breaking,
}
