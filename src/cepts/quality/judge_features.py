"""What a judge looks at: a row of numbers for each source sentence with one candidate translation.

A candidate is described without the other one; two of them are compared by the difference of their rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.quality.gains import SCALE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.links import Links
    from cepts.quality.overlap import LexicalOverlap
    from cepts.sentences.matrices import Matrix

    Floats = NDArray[np.float64]

MOST_SHARED = 256  # features of both languages that are compared: the most frequent ones
UNEXPLAINED = 1.0  # nats: a word that gains less by the other sentence has no translation there
FEWEST_LETTERS = 4  # of a word that counts as copied: shorter ones are often the same by chance

LEXICAL = tuple(
    f"{side} words: {what}"
    for side in ("source", "target")
    for what in ("mean gain", "share unexplained", "number unexplained")
)
SURFACE = (
    "words",
    "log length ratio",
    "difference from equal length",
    "letters of a word",
    *(
        f"{what} words: {measure}"
        for what in ("copied", "repeated", "doubled")
        for measure in ("number", "share")
    ),
)
ALIGNMENT = (
    "alignment score",
    "sum of confidences",
    "confidence for each word",
    *(
        f"unlinked {side} words: {measure}"
        for side in ("source", "target")
        for measure in ("number", "share")
    ),
)


def projected_names(k: int) -> list[str]:
    """Name the columns of `projected_rows`.

    >>> projected_names(1)
    ['value 1', 'distance 1', 'product 1']
    """
    return [f"{what} {number}" for what in ("value", "distance", "product") for number in range(1, k + 1)]


def projected_rows(sources: NDArray[np.float32], candidates: NDArray[np.float32]) -> Floats:
    """Return [rows, 3 k] of two projections [rows, k]: the candidate, its distances and its products with the source.

    >>> projected_rows(np.array([[1, 2]], np.float32), np.array([[3, 0]], np.float32)).tolist()
    [[3.0, 0.0, 2.0, 2.0, 3.0, 0.0]]
    """
    one, other = sources.astype(np.float64), candidates.astype(np.float64)
    return np.hstack([other, np.abs(one - other), one * other])


def shared_features(sources: Matrix, targets: Matrix, names: Sequence[Sequence[str]]) -> NDArray[np.int32]:
    """Return the numbers [2, features] of those that both languages have by the same name, and both texts.

    They are in the order of the source's; of too many the most frequent ones are taken, by their rarer side.
    """
    numbers = {name: number for number, name in enumerate(names[1])}
    pairs = [(one, numbers[name]) for one, name in enumerate(names[0]) if name in numbers]
    shared = np.array(pairs, np.int32).reshape(-1, 2).T
    counts = [np.bincount(side.features, minlength=side.width) for side in (sources, targets)]
    often = np.minimum(counts[0][shared[0]], counts[1][shared[1]])
    best = np.argsort(-often, kind="stable")[:MOST_SHARED]
    return np.ascontiguousarray(shared[:, np.sort(best[often[best] > 0])])


def shared_rows(sources: Matrix, candidates: Matrix, shared: NDArray[np.int32]) -> Floats:
    """Return [rows, 2 features]: how often the candidate has each feature, and how far that is from the source."""
    one, other = (chosen_columns(*pair) for pair in zip((sources, candidates), shared, strict=True))
    return np.hstack([other, np.abs(one - other)])


def chosen_columns(matrix: Matrix, chosen: NDArray[np.int32]) -> Floats:
    """Return some features of sparse rows as a table [rows, chosen].

    >>> from cepts.sentences.matrices import as_matrix
    >>> chosen_columns(as_matrix(np.array([[0, 2, 3], [1, 0, 0]])), np.array([2, 0], np.int32)).tolist()
    [[3.0, 0.0], [0.0, 1.0]]
    """
    places = np.full(matrix.width, -1, np.int64)
    places[chosen] = np.arange(len(chosen))
    columns = places[matrix.features]
    rows = np.repeat(np.arange(matrix.rows), np.diff(matrix.offsets))
    table = np.zeros((matrix.rows, len(chosen)))
    table[rows[columns >= 0], columns[columns >= 0]] = matrix.values[columns >= 0]
    return table


def lexical_columns(bitext: Bitext, overlap: LexicalOverlap) -> Iterator[Floats]:
    """Yield how well words are explained by the other sentence's: means of gains, and those without a translation."""
    from cepts.quality.judge_kernels import token_gains  # late: it brings numba

    gains = [np.zeros(len(side.ids), np.int32) for side in (bitext.source, bitext.target)]
    sides = [
        (np.ascontiguousarray(side.ids), np.ascontiguousarray(side.offsets))
        for side in (bitext.source, bitext.target)
    ]
    table = tuple(overlap.table_of(bitext.source, bitext.target))
    token_gains(*sides, table, len(bitext.target.words), *gains)
    for side, of_side in zip((bitext.source, bitext.target), gains, strict=True):
        nats = of_side / SCALE
        yield _means(side, nats)
        yield _means(side, nats < UNEXPLAINED)
        yield _sums(side, nats < UNEXPLAINED)


def surface_columns(bitext: Bitext) -> Iterator[Floats]:
    """Yield what can be seen without a model: lengths, letters, and words that are copied or repeated."""
    target = bitext.target
    ratio = np.log((target.lengths + 1) / (bitext.source.lengths + 1))
    yield target.lengths.astype(np.float64)
    yield ratio
    yield np.abs(ratio)
    letters = np.fromiter(map(len, target.words), np.float64, len(target.words))
    yield _means(target, letters[target.ids])
    for marks in (_copied(bitext), *_repeated(target)):
        yield _sums(target, marks)
        yield _means(target, marks)


def alignment_columns(bitext: Bitext, links: Links) -> Iterator[Floats]:
    """Yield how well a word aligner links a pair: its score, confidences, and words without a link."""
    scores = np.zeros(len(bitext)) if links.scores is None else np.asarray(links.scores, np.float64)
    empty = (bitext.source.lengths == 0) | (bitext.target.lengths == 0)
    yield np.where(empty, 0.0, scores)
    pairs, length = links.row_pairs(), np.maximum(bitext.target.lengths, 1)
    confidence = np.bincount(pairs, links.confidence, len(bitext)).astype(np.float64)
    yield confidence
    yield confidence / length
    for side, positions in ((bitext.source, links.source), (bitext.target, links.target)):
        unlinked = np.ones(len(side.ids), np.bool_)
        unlinked[side.offsets[pairs] + positions] = False
        yield _sums(side, unlinked)
        yield _means(side, unlinked)


def _copied(bitext: Bitext) -> NDArray[np.bool_]:
    """Mark the target words that stand in the source sentence, too."""
    source, target = bitext.source, bitext.target
    ids = {word: k for k, word in enumerate(source.words) if len(word) >= FEWEST_LETTERS}
    twins = np.fromiter((ids.get(word, -1) for word in target.words), np.int64, len(target.words))
    width = max(len(source.words), 1)
    present = np.repeat(np.arange(len(bitext)), source.lengths) * width + source.ids
    of_tokens = twins[target.ids]
    wanted = np.repeat(np.arange(len(bitext)), target.lengths) * width + of_tokens
    return np.isin(wanted, present) & (of_tokens >= 0)


def _repeated(side: Side) -> Iterator[NDArray[np.bool_]]:
    """Mark words that stood in the sentence before, and those that stood just before."""
    owners = np.repeat(np.arange(len(side)), side.lengths)
    keys = owners * max(len(side.words), 1) + side.ids
    first = np.unique(keys, return_index=True)[1]
    again = np.ones(len(keys), np.bool_)
    again[first] = False
    yield again
    yield np.append(np.zeros(min(len(keys), 1), np.bool_), keys[1:] == keys[:-1])


def _sums(side: Side, values: NDArray[np.generic]) -> Floats:
    """Add up the values of each sentence's words."""
    owners = np.repeat(np.arange(len(side)), side.lengths)
    return np.bincount(owners, values.astype(np.float64), len(side)).astype(np.float64)


def _means(side: Side, values: NDArray[np.generic]) -> Floats:
    """Return the mean of the values of each sentence's words, 0 for an empty one."""
    return _sums(side, values) / np.maximum(side.lengths, 1)
