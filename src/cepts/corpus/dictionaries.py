"""Dictionaries of words, other people's, for those who ask for them: the extra `segment`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cepts.errors import PackageError

if TYPE_CHECKING:
    from collections.abc import Callable

    Cutter = Callable[[str], list[int]]

DICTIONARIES = {"jieba": "rjieba", "sudachi": "sudachipy and sudachidict_small"}


def dictionary(name: str) -> Cutter:
    """Return what cuts a run of text into words, as a function that gives their lengths."""
    try:
        return _opened(name)
    except ImportError:
        raise PackageError(
            f"segmenter {name!r} needs {DICTIONARIES[name]}: pip install 'cepts[segment]'"
        ) from None


@cache
def _opened(name: str) -> Cutter:
    return _jieba() if name == "jieba" else _sudachi()


def _jieba() -> Cutter:
    import rjieba

    cut: Callable[[str], list[str]] = rjieba.cut
    return lambda run: [len(word) for word in cut(run)]


def _sudachi() -> Cutter:
    import sudachidict_small  # noqa: F401  (sudachipy looks for it by name, and says less clearly that it is missing)
    from sudachipy import Dictionary, SplitMode

    opened: Any = Dictionary(dict="small")
    make = getattr(opened, "tokenizer", None) or opened.create  # as it was called before 0.7
    tokenizer = make(mode=SplitMode.A)

    return lambda run: [
        morpheme.end() - morpheme.begin()
        for start in range(0, len(run), SUDACHI_LIMIT)
        for morpheme in tokenizer.tokenize(run[start : start + SUDACHI_LIMIT])
    ]


SUDACHI_LIMIT = 10_000  # characters; it takes no text of more than 48 kB at once
