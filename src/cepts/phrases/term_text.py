"""`TermSide`: one side of a bitext as terms see it: words without capitals, and where a term may stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Side

GLUE = frozenset("-‐‑'’·/.&+")  # within a term, where no space is beside them
WIDEST_GAP = 2  # characters between two tokens; in a wider gap stood markup, or a placeholder
SENTENCE_ENDS = frozenset(".!?…。！？؟।")
MARKUP_HINTS = frozenset("%{<&$")
MARKUP = re.compile(
    r"%\([^()]*+\)[-+ #0]*+\d*+(?:\.\d++)?[a-zA-Z]"  # %(name)s
    r"|%[-+#0]*+\d*+(?:\.\d++)?[diouxXeEfFgGcrsaSD@](?![^\W\d_])|%\d++(?:\$[a-zA-Z])?"  # %s, %1, %1$s
    r"|\$?\{[^{}]*+\}|\$\([^()]*+\)"  # {name}, ${name}
    r"|<[^<>]*+>|&\#?\w++;"  # <b>, &amp;
)
PLACEHOLDER = re.compile("[%{$]")  # in what was left out beside the words of a segment
FIRST_IDEOGRAPH = "\u2e80"

Spans = tuple["NDArray[np.int64]", "NDArray[np.int64]"]  # first tokens and ends, counted over the whole side


@dataclass(frozen=True, eq=False)
class TermSide:
    """One side: token k is word `ids[k]` without capitals, and `surface.ids[k]` as it stands.

    `joined[k]`: no space stands before token k; `cut[k]`: no term goes on from token k - 1 to token k; `word[k]`: it
    is a word; `mark[k]`: a punctuation mark; `bad[k]`: no term has it; `edge[k]`: a term may begin and end with it;
    `core[k]`: every term has one of these; `alone[k]`: it may be a term alone. `first[k]` and `last[k]`: a stretch of
    words begins or ends with it; terms stand often at the one of both that function words avoid, the `border`.
    """

    surface: Side
    ids: NDArray[np.int32]
    words: list[str]
    joined: NDArray[np.bool_]
    cut: NDArray[np.bool_]
    word: NDArray[np.bool_]
    mark: NDArray[np.bool_]
    bad: NDArray[np.bool_]
    edge: NDArray[np.bool_]
    core: NDArray[np.bool_]
    alone: NDArray[np.bool_]
    first: NDArray[np.bool_]
    last: NDArray[np.bool_]
    border: str = "last"

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the segments begin, and the end of the last."""
        return self.surface.offsets

    @cached_property
    def _bad_before(self) -> NDArray[np.int64]:
        return _before(self.bad)

    @cached_property
    def _cut_before(self) -> NDArray[np.int64]:
        return _before(self.cut)

    @cached_property
    def _core_before(self) -> NDArray[np.int64]:
        return _before(self.core)

    def text(self, begin: int, end: int) -> str:
        """Write tokens `begin` to `end` of the whole side as they stand in the text."""
        return _written(self.surface, self.joined, begin, end)[0]

    def segment(self, number: int) -> str:
        """Return a segment as it was read, with markup and all, or as far as that is known."""
        if self.surface.originals is not None:
            return self.surface.originals[number]
        return self.text(int(self.offsets[number]), int(self.offsets[number + 1]))

    def fits(
        self, begins: NDArray[np.int64], ends: NDArray[np.int64], edges: bool = True
    ) -> NDArray[np.bool_]:
        """Mark the spans of tokens that may be terms; without `edges`, whatever words they begin and end with."""
        found = np.zeros(len(begins), np.bool_)
        some = np.flatnonzero(ends > begins)
        begin, end = begins[some], ends[some]
        fine = self.connected(begin, end) & (self._core_before[end] > self._core_before[begin])
        if edges:
            fine &= self.edge[begin] & self.edge[end - 1]
        found[some] = fine & ((end - begin > 1) | self.alone[begin])
        return found

    def connected(self, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mark the spans that hold nothing which no term has."""
        bad, cut = self._bad_before, self._cut_before
        fine: NDArray[np.bool_] = (bad[ends] == bad[begins]) & (cut[ends] == cut[begins + 1])
        return fine

    def at_border(self, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mark the spans that stand at a border."""
        return self.last[ends - 1] if self.border == "last" else self.first[begins]

    def whole(self) -> Spans:
        """Return what is left of each segment without the marks at its ends; nothing of one that ends as a sentence.

        Nor of one with a number or a placeholder at its ends.
        """
        begins, ends = self.offsets[:-1], self.offsets[1:]
        places = np.flatnonzero(~self.mark)
        first, last = np.searchsorted(places, begins), np.searchsorted(places, ends)
        fine = np.flatnonzero(last > first)
        stops = np.array([word[-1:] in SENTENCE_ENDS for word in self.words], np.bool_)
        fine = fine[~stops[self.ids[ends[fine] - 1]] & self.first[begins[fine]] & self.last[ends[fine] - 1]]
        starts, stop = begins.copy(), begins.copy()
        starts[fine], stop[fine] = places[first[fine]], places[last[fine] - 1] + 1
        return starts, stop


def term_side(side: Side) -> TermSide:
    """Look at the tokens of a side whose capitals were kept."""
    ids, words = folded(side)
    gaps = _gaps(side)
    joined, cut = gaps == 0, (gaps < 0) | (gaps > WIDEST_GAP)
    of_type = np.array(
        [[is_word(word), is_mark(word), word in GLUE, _is_long(word)] for word in words], np.bool_
    )
    word, mark, glue, alone = of_type.reshape(-1, 4)[ids].T
    markup = _markup(side, joined)
    behind = np.append(joined[1:], False)[: len(ids)]  # no space stands there
    word, mark, glue = word & ~markup, mark & ~markup, glue & ~markup & joined & behind
    mark &= ~glue
    ends = _stretches(side, mark, cut)
    return TermSide(side, ids, words, joined, cut, word, mark, ~word & ~glue, word, word, alone, *ends)


def _stretches(
    side: Side, mark: NDArray[np.bool_], cut: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the tokens behind, and before, a mark or an end of a segment, unless a placeholder stood there."""
    first = np.append(False, mark[:-1])[: len(mark)] & ~cut
    last = np.append(mark[1:] & ~cut[1:], False)[: len(mark)]
    full = np.flatnonzero(side.lengths > 0)
    open_begin, open_end = _open_ends(side, full)
    first[side.offsets[full]] = ~open_begin
    last[side.offsets[full + 1] - 1] = ~open_end
    return first, last


def _open_ends(side: Side, segments: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the segments that began, and those that ended, with a placeholder which was left out when they were read."""
    found = np.zeros((2, len(segments)), np.bool_)
    if side.originals is None or side.spans is None:
        return found
    begins, ends = side.spans[side.offsets[segments], 0], side.spans[side.offsets[segments + 1] - 1, 1]
    for k, (number, begin, end) in enumerate(
        zip(segments.tolist(), begins.tolist(), ends.tolist(), strict=True)
    ):
        text = side.originals[number]
        found[:, k] = (
            PLACEHOLDER.search(text, 0, begin) is not None,
            PLACEHOLDER.search(text, end) is not None,
        )
    return found


def folded(side: Side) -> tuple[NDArray[np.int32], list[str]]:
    """Return the ids of words without capitals, and these words."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(word.lower(), len(table)) for word in side.words]
    return np.array(numbers, np.int32)[side.ids], list(table)


def _gaps(side: Side) -> NDArray[np.int64]:
    """Return the number of characters between each token and the one before; -1 for the first of a segment."""
    gaps = np.ones(len(side.ids), np.int64)
    if side.spans is not None:
        gaps[1:] = side.spans[1:, 0].astype(np.int64) - side.spans[:-1, 1]
    gaps[side.offsets[:-1][side.lengths > 0]] = -1
    return gaps


def is_word(word: str) -> bool:
    """Whether a token is a word: it has a letter, and no mark that words do not have.

    >>> [is_word(word) for word in ("file", "l'", "3.5", "mp3", "%s", "e-mail", "a|b")]
    [True, True, False, True, False, True, False]
    """
    return any(map(str.isalpha, word)) and all(
        letter.isalnum() or letter in GLUE or letter == "_" or not letter.isascii() for letter in word
    )


def is_mark(word: str) -> bool:
    """Whether a token has neither letters nor digits."""
    return not any(map(str.isalnum, word))


def _is_long(word: str) -> bool:
    """Whether a token alone may be a term: it has two characters, or is an ideograph."""
    return len(word) > 1 or word >= FIRST_IDEOGRAPH


def _before(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the marked tokens before each token, and all of them."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(marks, dtype=np.int64)))


def _markup(side: Side, joined: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the tokens of tags and placeholders."""
    marked = np.zeros(len(side.ids), np.bool_)
    hints = np.array([not MARKUP_HINTS.isdisjoint(word) for word in side.words], np.bool_)
    places = np.flatnonzero(hints[side.ids]) if len(hints) else np.empty(0, np.int64)
    for k in np.unique(np.searchsorted(side.offsets, places, side="right") - 1).tolist():
        begin, end = side.offsets[k : k + 2].tolist()
        text, starts = _written(side, joined, begin, end)
        for found in MARKUP.finditer(text):
            first, last = np.searchsorted(starts, [found.start(), found.end() - 1], side="right") - 1
            marked[begin + first : begin + last + 1] = True
    return marked


def _written(side: Side, joined: NDArray[np.bool_], begin: int, end: int) -> tuple[str, list[int]]:
    """Write tokens `begin` to `end` of a side as they stand in the text, and say where each begins."""
    text, starts = "", list[int]()
    for number, close in zip(side.ids[begin:end].tolist(), joined[begin:end].tolist(), strict=True):
        text += "" if close or not starts else " "
        starts.append(len(text))
        text += side.words[number]
    return text, starts
