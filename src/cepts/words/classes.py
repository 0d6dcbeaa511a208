"""Word classes: the words of one language in groups that behave alike, by the exchange algorithm.

The classes maximise the likelihood of the text under a class bigram model, p(word | word before) =
p(word | its class) p(its class | class before) (Kneser and Ney 1993; Martin, Liermann and Ney 1998). Each word in
turn, the most frequent first, moves to the class where the likelihood is largest, until none moves.

Such a search ends where no single word can help, with one natural class cut in two and two others in one. So it
begins with twice as many classes, and merges those that lose least by it before the search proper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cepts import bounds
from cepts.words.classes_kernels import Grouping, count_contexts, count_pairs, exchange, merge_losses
from cepts.words.training import Step, ignore

if TYPE_CHECKING:
    from cepts.corpus import Side
    from cepts.words.training import Monitor

Classes = tuple[NDArray[np.int32], NDArray[np.int32]]

CLASSES = 50
ROUNDS = 20  # at most: texts of a million words come to rest after some 10
FIRST_ROUNDS = 4  # with twice as many classes
MOST_DOUBLED = 200  # classes: to choose which to merge takes time that grows with their cube
DIGITS = 5  # of losses by merging that count; what differs after them is rounding
TABLE_SIZE = 1 << 16  # values of n log n that are looked up: half a megabyte


def word_classes(
    side: Side, classes: int = CLASSES, rounds: int = ROUNDS, monitor: Monitor = ignore
) -> NDArray[np.int32]:
    """Return the class (from 0) of each word id of a text; a word that never occurs is in the last class.

    The same text gives the same classes each time. No word is too rare to be moved: those seen once are two
    fifths of the words but a small part of the work, and where they stay put the likelihood is clearly lower. Where
    there are no more words than classes, each has its own. The monitor hears the negative `criterion` of each round.

    >>> from cepts.corpus import side_from_tokens
    >>> side = side_from_tokens([["a", "dog", "ran"], ["the", "cat", "ran"], ["a", "cat", "sat"]])
    >>> dict(zip(side.words, word_classes(side, 3).tolist()))
    {'a': 0, 'dog': 2, 'ran': 1, 'the': 0, 'cat': 2, 'sat': 1}
    """
    bounds.CLASSES.check("classes", classes)
    bounds.ITERATIONS.check("rounds", rounds)
    search = Search(side)
    start = search.start(classes, min(rounds, FIRST_ROUNDS))
    return search.improved(start, classes, rounds, monitor).class_of[: len(side.words)].copy()


def count_classes(classes: Classes) -> tuple[int, int]:
    """Count the classes of each side: they are numbered from 0."""
    source, target = (int(part.max(initial=0)) + 1 for part in classes)
    return source, target


def usual_class(classes: NDArray[np.int32]) -> int:
    """Return the class that most words are in."""
    return int(np.bincount(classes).argmax())


def classes_of(known: NDArray[np.int32], classes: NDArray[np.int32], usual: int) -> NDArray[np.int32]:
    """Look up the classes of words, from 1; new ones, -1, are in the usual class.

    >>> classes_of(np.array([2, -1]), np.array([0, 1, 1, 2], np.int32), usual=1).tolist()
    [1, 1]
    """
    found: NDArray[np.int32] = np.where(known > 0, classes[np.maximum(known - 1, 0)], usual).astype(np.int32)
    return found


class Search:
    """The exchange on one text: what is the same for any number of classes is worked out once."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.frequency = np.bincount(side.ids, minlength=len(side.words))
        self.order = by_frequency(self.frequency)
        self.text = count_contexts(side.ids, side.offsets, len(side.words))
        self.table = times_log_table(len(side.ids))

    def start(self, classes: int, rounds: int) -> NDArray[np.int32]:
        """Return the classes to start from: so many rounds with twice as many, then merged, where that is affordable.

        On Hansard and Europarl texts of about a million words the search then takes half as long again, and ends higher
        than from any of a dozen starts without merging.
        """
        if len(self.order) <= classes or classes > MOST_DOUBLED:
            return first_classes(self.frequency, classes)
        grouping = self.improved(first_classes(self.frequency, 2 * classes), 2 * classes, rounds)
        merged = merged_classes(grouping.pairs[: 2 * classes + 1], classes, self.table)
        start: NDArray[np.int32] = merged[grouping.class_of[: len(self.frequency)]]
        start[self.frequency == 0] = classes - 1
        return start

    def improved(
        self, class_of: NDArray[np.int32], classes: int, rounds: int, monitor: Monitor = ignore
    ) -> Grouping:
        """Exchange words until none moves, or for so many rounds."""
        followed = class_pairs(self.side, class_of, classes)
        before = np.append(class_of, np.int32(classes))
        contexts = np.concatenate([before, before + np.int32(classes + 1)])
        grouping = Grouping(contexts, both_views(followed), followed.sum(axis=1))
        for iteration in range(1, rounds + 1):
            moved = exchange(self.order, self.frequency, self.text, grouping, self.table)
            reached = pairs_criterion(grouping.pairs[: classes + 1])
            monitor(Step("classes", iteration, rounds, 1.0, -reached))
            if not moved:
                break
        return grouping


def criterion(side: Side, class_of: NDArray[np.int32]) -> float:
    """Return what `word_classes` maximises: the log likelihood without the part that the classes do not change.

    With N(c, d) the times that class c is followed by class d, and the boundary of sentences as a class of its own:
    the sum of N(c, d) log N(c, d), less that of N(c) log N(c) once for c as the first and once as the second class.
    """
    return pairs_criterion(class_pairs(side, class_of, int(class_of.max(initial=-1)) + 1))


def by_frequency(frequency: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ids of the words that occur, the most frequent first, of equals the smaller id."""
    order = np.argsort(-frequency, kind="stable")
    return order[: np.count_nonzero(frequency)]


def first_classes(frequency: NDArray[np.int64], classes: int) -> NDArray[np.int32]:
    """Cut the words, by falling frequency, into classes that have equal parts of the text.

    Where there are no more words than classes, each has its own. A word that never occurs is in the last class.
    On Hansard and Europarl texts this is, on average, a better start than each frequent word in its own class and all
    others in the last, or than words dealt out in turn, and as good as the best of four random ones.
    """
    order = by_frequency(frequency)
    first = np.full(len(frequency), classes - 1, np.int32)
    if len(order) <= classes:
        first[order] = np.arange(len(order))
    else:
        through = np.cumsum(frequency[order])
        first[order] = (through - 1) * classes // through[-1]
    return first


def merged_classes(
    followed: NDArray[np.int64], classes: int, table: NDArray[np.float64]
) -> NDArray[np.int32]:
    """Merge the classes that lose least by it until so many are left; returns the new class of each."""
    merged = np.arange(len(followed) - 1)
    while len(followed) - 1 > classes:
        new = merge_some(followed, classes, table)
        fewer = np.zeros((new[-1] + 1, new[-1] + 1), np.int64)
        np.add.at(fewer, (new[:, None], new), followed)
        merged, followed = new[merged], fewer
    return merged.astype(np.int32)


def merge_some(followed: NDArray[np.int64], classes: int, table: NDArray[np.float64]) -> NDArray[np.int64]:
    """Merge a quarter of what is to be merged, no class twice; returns the new class of each, the boundary's last."""
    groups = len(followed) - 1
    merges = max(1, (groups - classes) // 4)
    losses = merge_losses(both_views(followed), followed.sum(axis=1), table)
    smaller, larger = np.triu_indices(groups, 1)
    partner, used = np.arange(groups + 1), np.zeros(groups, bool)
    for pair in np.argsort(losses[smaller, larger].round(DIGITS), kind="stable"):
        one, two = smaller[pair], larger[pair]
        if merges and not used[one] and not used[two]:
            used[one] = used[two] = True
            partner[two] = one
            merges -= 1
    kept = partner == np.arange(groups + 1)
    return (np.cumsum(kept) - 1)[partner]


def both_views(followed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Stack the counts of pairs as rows by the first class, and as rows by the second."""
    return np.concatenate([followed, followed.T])


def class_pairs(side: Side, class_of: NDArray[np.int32], classes: int) -> NDArray[np.int64]:
    """Count how often each class (row) is followed by each class (column); the last is the boundary of sentences."""
    followed = np.zeros((classes + 1, classes + 1), np.int64)
    count_pairs(side.ids, side.offsets, class_of.astype(np.int32, copy=False), followed)
    return followed


def pairs_criterion(followed: NDArray[np.int64]) -> float:
    """Return the criterion of the counts of classes (rows) that are followed by classes (columns)."""
    parts = (followed, followed.sum(axis=1), followed.sum(axis=0))
    both, first, second = (float((n * np.log(np.maximum(n, 1))).sum()) for n in parts)
    return both - first - second


def times_log_table(largest: int) -> NDArray[np.float64]:
    """Return n log n for n from 0 to the largest number that is needed, or as far as is worth the memory."""
    n = np.arange(min(largest + 1, TABLE_SIZE), dtype=np.float64)
    return n * np.log(np.maximum(n, 1.0))
