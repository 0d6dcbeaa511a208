"""Association matrices: how strongly each source word of a pair goes with each target word, and with NULL.

Whatever a matrix is made of, its total becomes that of two lists of n best alignments, n for each word: AIC and BIC
take the total as the size of the sample (goutte-2004, section 4.1), so that they mean the same for every measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.choices import LIST_MEASURES, MEASURES, POSTERIOR_MEASURES, WORD_MEASURES
from cepts.combine.attaching import attached
from cepts.combine.shapes import Associations
from cepts.errors import OptionError
from cepts.links import BestLists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.combine.shapes import Shapes

    Floats = NDArray[np.float64]

FLOOR = 0.05  # of a count, in lists of 100


class Posteriors(NamedTuple):
    """A direction's link probabilities [pair][source][target]; those of NULL for each generated word, or what is left.

    For the measure `tables` they need not sum to one: p(i | j, I, J) t(f | e), for instance.
    """

    links: NDArray[np.float32]
    null: NDArray[np.float32] | None = None


class WordIds(NamedTuple):
    """The words of both sides, as numbers from 0."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]


def association(
    measure: str,
    shapes: Shapes,
    forward: BestLists | Posteriors | None = None,
    reverse: BestLists | Posteriors | None = None,
    words: WordIds | None = None,
    n_best: float = 100,
    null_weight: float = 1.0,
) -> Associations:
    """Fill the matrices of all pairs by a measure, from what it needs: lists, posteriors, or words.

    `forward` generates the target words, `reverse` the source words, both as source-target links. `null_weight`
    multiplies the associations with NULL.
    """
    if measure not in MEASURES:
        raise OptionError(f"unknown association {measure!r}, expected one of {', '.join(MEASURES)}")
    if not 0 <= null_weight < np.inf:
        raise OptionError(f"null weight {null_weight}: expected a number of at least 0")
    if measure in LIST_MEASURES and isinstance(forward, BestLists) and isinstance(reverse, BestLists):
        filled = _from_lists(measure, shapes, forward, reverse)
    elif (
        measure in POSTERIOR_MEASURES and isinstance(forward, Posteriors) and isinstance(reverse, Posteriors)
    ):
        filled = _from_posteriors(measure, shapes, forward, reverse)
    elif measure in WORD_MEASURES and words is not None:
        filled = _from_words(measure, shapes, words)
    else:
        kind = "BestLists" if measure in LIST_MEASURES else "Posteriors"
        wanted = "words" if measure in WORD_MEASURES else f"forward and reverse {kind}"
        raise OptionError(f"association {measure!r} needs {wanted}; give them")
    values, source_null, target_null = filled
    return _scaled(values, null_weight * source_null, null_weight * target_null, shapes, n_best)


def scaled(matrices: Associations, n_best: float = 100) -> Associations:
    """Give each matrix the total of two lists of n best alignments: n for each word of the pair."""
    values, source_null, target_null = (
        column.astype(np.float64) for column in (matrices.values, matrices.source_null, matrices.target_null)
    )
    return _scaled(values, source_null, target_null, matrices.shapes, n_best)


def _scaled(
    values: Floats, source_null: Floats, target_null: Floats, shapes: Shapes, n_best: float
) -> Associations:
    """Scale, and drop what is next to nothing, unless it is all that a word has: most cells are that."""
    if not 0 < n_best < np.inf:
        raise OptionError(f"n best {n_best}: expected a number above 0")
    cells = shapes.cells()
    parts = zip((values, source_null, target_null), (cells, *shapes), strict=True)
    total = np.sum([_sums(part, offsets) for part, offsets in parts], axis=0)
    wanted = n_best * (np.diff(shapes.source) + np.diff(shapes.target))
    factor = np.divide(wanted, total, out=np.zeros(len(total)), where=total > 0)
    values = values * np.repeat(factor, np.diff(cells))
    values[(values < FLOOR * n_best / 100) & ~_largest_of_a_word(values, shapes)] = 0
    return Associations(
        values.astype(np.float32),
        (source_null * np.repeat(factor, np.diff(shapes.source))).astype(np.float32),
        (target_null * np.repeat(factor, np.diff(shapes.target))).astype(np.float32),
        shapes,
    )


def _sums(values: Floats, offsets: NDArray[np.int64]) -> Floats:
    """Sum up the values of each pair."""
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return np.bincount(owner, values, minlength=len(offsets) - 1).astype(np.float64)


def _largest_of_a_word(values: Floats, shapes: Shapes) -> NDArray[np.bool_]:
    """Mark the cells that no other of their row, or of their column, exceeds."""
    marks = np.zeros(len(values), np.bool_)
    for words, count in ((shapes.rows(), shapes.source[-1]), (shapes.columns(), shapes.target[-1])):
        largest = np.zeros(count)
        np.maximum.at(largest, words, values)
        marks |= values >= largest[words]
    return marks


def _from_lists(
    measure: str, shapes: Shapes, forward: BestLists, reverse: BestLists
) -> tuple[Floats, Floats, Floats]:
    """Count the links of both directions' lists, and the generated words without a link; each list counts as much."""
    values = np.zeros(int(shapes.cells()[-1]))
    nulls = []
    for lists, generated in ((reverse, 0), (forward, 1)):
        weights = _list_weights(measure, lists, len(shapes.source) - 1)
        rows = lists.links.row_pairs()
        owner, weight = lists.owner[rows], weights[rows]
        source, target = lists.links.source, lists.links.target
        place = shapes.cells()[owner] + source * np.diff(shapes.target)[owner] + target
        np.add.at(values, place, weight)
        word = shapes[generated][owner] + (source, target)[generated]
        linked = np.bincount(word, weight, minlength=int(shapes[generated][-1]))
        whole = np.bincount(lists.owner, weights, minlength=len(shapes.source) - 1)
        # A generated word has at most one link in each alignment: the rest are NULL.
        nulls.append(np.maximum(np.repeat(whole, np.diff(shapes[generated])) - linked, 0))
    return values, nulls[0], nulls[1]


def _list_weights(measure: str, lists: BestLists, pairs: int) -> Floats:
    """Weigh the alignments of each list, so that they sum up to one."""
    weights = np.ones(len(lists.owner))
    new = np.ones(len(weights), np.bool_)
    new[1:] = lists.owner[1:] != lists.owner[:-1]
    begins = np.flatnonzero(new)
    lengths = np.diff([*begins, len(weights)])
    if measure == "ranked":
        weights = 1 / (1.0 + np.arange(len(weights)) - np.repeat(begins, lengths))
    if measure == "weighted" and len(weights):
        best = np.repeat(np.maximum.reduceat(lists.log_probability, begins), lengths)
        weights = np.exp(lists.log_probability - best)
    totals = np.bincount(lists.owner, weights, minlength=pairs)
    normed: Floats = weights / totals[lists.owner]
    return normed


def _from_posteriors(
    measure: str, shapes: Shapes, forward: Posteriors, reverse: Posteriors
) -> tuple[Floats, Floats, Floats]:
    """Add or multiply both directions; a product's NULL is what one direction calls NULL and the other leaves alone."""
    rows, columns = shapes.rows(), shapes.columns()
    counts = int(shapes.source[-1]), int(shapes.target[-1])
    ahead, target_null = _normed(measure, forward, columns, counts[1])
    back, source_null = _normed(measure, reverse, rows, counts[0])
    if measure == "attached":
        return attached(ahead + back, source_null, target_null, shapes)
    if measure != "product":
        return ahead + back, source_null, target_null
    unclaimed_sources = np.maximum(1 - np.bincount(rows, ahead, minlength=counts[0]), 0)
    unclaimed_targets = np.maximum(1 - np.bincount(columns, back, minlength=counts[1]), 0)
    return ahead * back, source_null * unclaimed_sources, target_null * unclaimed_targets


def _normed(
    measure: str, given: Posteriors, generated: NDArray[np.int64], count: int
) -> tuple[Floats, Floats]:
    """Return a direction's link and NULL probabilities; those of tables are made to sum to one for a generated word."""
    links = given.links.astype(np.float64)
    linked = np.bincount(generated, links, minlength=count)
    if given.null is not None:
        null = given.null.astype(np.float64)
    else:
        null = np.zeros(count) if measure == "tables" else np.maximum(1 - linked, 0)
    if measure != "tables":
        return links, null
    total = linked + null
    factor = np.divide(1, total, out=np.zeros(count), where=total > 0)
    return links * factor[generated], null * factor


def _from_words(measure: str, shapes: Shapes, words: WordIds) -> tuple[Floats, Floats, Floats]:
    """Count in how many pairs two words are together, or take the mutual information of their being in a pair."""
    pairs = len(shapes.source) - 1
    cells = shapes.cells()
    width = int(words.target.max(initial=-1)) + 1
    keys = words.source[shapes.rows()].astype(np.int64) * width + words.target[shapes.columns()]
    _, kind = np.unique(keys, return_inverse=True)
    together = pairs_with(kind, cells)[kind]
    nothing = np.zeros(int(shapes.source[-1])), np.zeros(int(shapes.target[-1]))
    if measure == "cooccurrence":
        return together, *nothing
    alone = (
        pairs_with(ids.astype(np.int64), offsets)[ids[places]]
        for ids, offsets, places in zip(words, shapes, (shapes.rows(), shapes.columns()), strict=True)
    )
    source, target = alone
    return information(together, source, target, pairs), *nothing


def pairs_with(ids: NDArray[np.int64], offsets: NDArray[np.int64]) -> Floats:
    """Count, for each id, the pairs that hold it."""
    width = int(ids.max(initial=-1)) + 1
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    held = np.unique(owner * width + ids) % max(width, 1)
    return np.bincount(held, minlength=width).astype(np.float64)


def information(together: Floats, source: Floats, target: Floats, pairs: int) -> Floats:
    """Return the mutual information of two words' being in a pair, in nats; none where they avoid each other."""
    total = np.zeros(len(together))
    for both, one, other in (
        (together, source, target),
        (source - together, source, pairs - target),
        (target - together, pairs - source, target),
        (pairs - source - target + together, pairs - source, pairs - target),
    ):
        some = both > 0
        total[some] += both[some] / pairs * np.log(both[some] * pairs / (one[some] * other[some]))
    return np.where(together * pairs > source * target, np.maximum(total, 0), 0)
