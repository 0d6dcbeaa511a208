"""The weights of an edit model: tables that grow while it learns, their averages, and what is kept of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.characters.table_kernels import (
    BITS,
    KINDS,
    LARGEST_ORDER,
    TARGET,
    Table,
    fill_hints,
    fill_places,
    learn_grams,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.characters.letters import Strings

    Array = NDArray[Any]

SMALLEST = 1 << 10  # places of a table
ANY = 1e29  # what grams may add to an edit while weights are learned
GRAM = 0xFFFFFFFF  # the part of a key that is a gram


def new_table(sources: int, targets: int) -> Table:
    """Return a table without weights for alphabets of so many numbers."""
    return Table(
        plain=np.zeros((sources, targets), np.float32),
        choice_offsets=np.zeros(sources + 1, np.int64),
        choices=np.zeros(0, np.int32),
        hopes=np.zeros(0, np.float32),
        gram_keys=np.zeros(SMALLEST, np.int64),
        gram_numbers=np.zeros(SMALLEST, np.int32),
        hints=np.zeros(SMALLEST, np.uint64),
        keys=np.zeros(SMALLEST, np.int64),
        values=np.zeros(SMALLEST, np.float32),
        counts=np.zeros(2, np.int64),
    )


def with_grams(table: Table, strings: Strings, order: int, *, is_source: bool) -> Table:
    """Return a table that also has numbers for all grams of strings."""
    while order and (
        learn_grams(
            table.gram_keys,
            table.gram_numbers,
            table.counts,
            strings.letters,
            strings.offsets,
            order,
            is_source,
        )
        < len(strings)
    ):
        table = _with_more_grams(table)
    return table


def _with_more_grams(table: Table) -> Table:
    size = 2 * len(table.gram_keys)
    grams = grams_in_order(table)
    keys, numbers = _placed(grams, size)
    hints = np.zeros(size, np.uint64)
    hints[: len(table.hints)] = table.hints
    return table._replace(gram_keys=keys, gram_numbers=numbers, hints=hints)


def _placed(grams: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Put grams, whose numbers are their places in the list, into a hash table."""
    keys, numbers = np.zeros(size, np.int64), np.zeros(size, np.int32)
    places = np.empty(len(grams), np.int64)
    fill_places(grams, keys, places)
    numbers[places] = np.arange(len(grams))
    return keys, numbers


def grams_in_order(table: Table) -> NDArray[np.int64]:
    """Return the keys of all grams by their numbers."""
    grams = np.empty(int(table.counts[0]), np.int64)
    taken = table.gram_keys != 0
    grams[table.gram_numbers[taken]] = table.gram_keys[taken]
    return grams


def with_more_keys(table: Table, *others: Array) -> tuple[Table, list[Array]]:
    """Return a table with twice as many places for weights, and other arrays that go by place, moved alike."""
    taken = np.flatnonzero(table.keys)
    keys = np.zeros(2 * len(table.keys), np.int64)
    places = np.empty(len(taken), np.int64)
    fill_places(table.keys[taken], keys, places)
    moved = []
    for array in (table.values, *others):
        larger = np.zeros(len(keys), array.dtype)
        larger[places] = array[taken]
        moved.append(larger)
    return table._replace(keys=keys, values=moved[0]), moved[1:]


def with_choices(table: Table, allowed: NDArray[np.bool_]) -> Table:
    """Return a table whose generation may use the edits that are marked, [source letter][target letter]."""
    offsets = np.zeros(len(allowed) + 1, np.int64)
    np.cumsum(allowed.sum(axis=1), out=offsets[1:])
    choices = np.nonzero(allowed)[1].astype(np.int32)
    return table._replace(
        choice_offsets=offsets, choices=choices, hopes=np.full(len(choices), ANY, np.float32)
    )


class Weights(NamedTuple):
    """Weights as they are kept: `keys` are edits beside grams, a gram being its place in `grams`; both rise.

    `plain` is what edits score without a gram, and `allowed` which of them generation may use, both by [source
    letter][target letter].
    """

    plain: NDArray[np.float32]
    allowed: NDArray[np.bool_]
    grams: NDArray[np.int64]
    keys: NDArray[np.int64]
    values: NDArray[np.float32]


def compacted(table: Table) -> Weights:
    """Return the weights of a table that are not zero, and the grams that they need."""
    taken = np.flatnonzero(table.values)
    used, numbers = np.unique(table.keys[taken] & GRAM, return_inverse=True)
    grams = grams_in_order(table)[used]
    order = np.argsort(grams)
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    keys = (table.keys[taken] & ~GRAM) | rank[numbers]
    by_key = np.argsort(keys)
    allowed = np.zeros(table.plain.shape, np.bool_)
    allowed[np.repeat(np.arange(len(allowed)), np.diff(table.choice_offsets)), table.choices] = True
    return Weights(table.plain, allowed, grams[order], keys[by_key], table.values[taken][by_key])


def table_of(weights: Weights) -> Table:
    """Return a table of weights that were kept."""
    plain, allowed, grams, keys, values = weights
    table = with_choices(new_table(*plain.shape), allowed)
    gram_keys, gram_numbers = _placed(grams, _places_for(len(grams)))
    places_of_keys = np.zeros(_places_for(len(keys)), np.int64)
    places = np.empty(len(keys), np.int64)
    fill_places(keys, places_of_keys, places)
    by_place = np.zeros(len(places_of_keys), np.float32)
    by_place[places] = values
    hints = np.zeros(len(gram_keys), np.uint64)
    fill_hints(keys, hints)
    return table._replace(
        plain=plain,
        hopes=hopes_of(weights)[np.nonzero(allowed)],
        gram_keys=gram_keys,
        gram_numbers=gram_numbers,
        hints=hints,
        keys=places_of_keys,
        values=by_place,
        counts=np.array([len(grams), len(keys)]),
    )


def hopes_of(weights: Weights) -> NDArray[np.float32]:
    """Return the most that the target's grams can add to each edit: the largest weight for each length of a gram.

    A little more, so that sums in another order are not above it.
    """
    source, target = weights.keys >> (32 + BITS), weights.keys >> 32 & (1 << BITS) - 1
    grams = weights.grams[weights.keys & GRAM] if len(weights.keys) else weights.keys
    hopes = np.zeros(weights.plain.shape, np.float32)
    for size in range(1, LARGEST_ORDER + 1):
        here = np.flatnonzero(grams >> size * BITS == TARGET * (LARGEST_ORDER + 1) + size)
        largest = np.zeros_like(hopes)
        np.maximum.at(largest, (source[here], target[here]), weights.values[here])
        hopes += largest
    return hopes * np.float32(1 + 1e-5)


def _places_for(count: int) -> int:
    """Return how many places keep half of a table empty."""
    return max(SMALLEST, 1 << (2 * count).bit_length())


def parts_of_key(key: int) -> tuple[int, int, int]:
    """Return the source letter, the target letter and the gram of a key."""
    return key >> (32 + BITS), key >> 32 & (1 << BITS) - 1, key & GRAM


def key_of_parts(source: int, target: int, gram: int) -> int:
    """Return the key of an edit beside a gram."""
    return (source << BITS | target) << 32 | gram


def parts_of_gram(key: int) -> tuple[int, list[int]]:
    """Return where a gram is (`table_kernels` names the kinds) and its letters."""
    size = next(n for n in range(1, LARGEST_ORDER + 1) if key >> n * BITS < KINDS * (LARGEST_ORDER + 1))
    mask = (1 << BITS) - 1
    return (key >> size * BITS) // (LARGEST_ORDER + 1), [
        key >> at * BITS & mask for at in reversed(range(size))
    ]


def gram_of_parts(kind: int, letters: list[int]) -> int:
    """Return the key of a gram."""
    key = kind * (LARGEST_ORDER + 1) + len(letters)
    for letter in letters:
        key = key << BITS | letter
    return key
