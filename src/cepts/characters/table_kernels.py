"""Two hash tables with open addressing: grams to numbers, and an edit beside a gram to its place among the weights.

A key of 0 is an empty place. A table has 2^n places, and whoever fills it sees to it that half of them stay empty.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel

BITS = 14  # of a letter's number
BOUNDARY, UNKNOWN = 0, 1  # numbers that are no letters; in an edit, 0 is nothing
LARGEST_ORDER = 4
BEFORE, AFTER, TARGET = 1, 2, 3  # where a gram is: before or behind the source's cursor, before the target's
KINDS = 4
NONE = -1


class Table(NamedTuple):
    """What edits score.

    An edit always scores `plain` [source letter][target letter], and `values` [place] if a gram is there. Row a of
    `choices` has the target letters (0: none) that generation may write for source letter a (0: may insert); the
    target's grams never add more than `hopes` to such an edit. Of a gram with the number n, bit k of `hints[n]` is set
    if it has a weight beside an edit whose `hint_of` is k. `counts` are how many grams and how many keys there are.
    """

    plain: np.ndarray
    choice_offsets: np.ndarray
    choices: np.ndarray
    hopes: np.ndarray
    gram_keys: np.ndarray
    gram_numbers: np.ndarray
    hints: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    counts: np.ndarray


@helper
def place_of(keys, key):
    """The place of a key, or the empty place where it belongs."""
    mask = len(keys) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    place = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & mask
    return place


@helper
def gram_head(kind, size):
    """What a gram's key begins with."""
    return np.int64(kind * (LARGEST_ORDER + 1) + size)


@helper
def gram_key(kind, letters, begin, end, first, length):
    """The key of the gram of letters `begin` to `end` of a string that starts at `first`; 0 if it reaches too far out.

    One boundary on each side of a string is part of grams.
    """
    if begin < -1 or end > length + 1:
        return np.int64(0)
    key = gram_head(kind, end - begin)
    for at in range(begin, end):
        letter = letters[first + at] if 0 <= at < length else BOUNDARY
        key = (key << BITS) | letter
    return key


@helper
def gram_number(gram_keys, gram_numbers, key):
    """The number of a gram, or NONE."""
    if key == 0:
        return np.int32(NONE)
    place = place_of(gram_keys, key)
    return gram_numbers[place] if gram_keys[place] == key else np.int32(NONE)


@helper
def number_source(gram_keys, gram_numbers, letters, first, length, order, out):
    """Number the grams around each cursor of a source string, [cursor][before.., behind..]."""
    for at in range(length + 1):
        row = at * 2 * order
        for size in range(1, order + 1):
            key = gram_key(BEFORE, letters, at - size, at, first, length)
            out[row + size - 1] = gram_number(gram_keys, gram_numbers, key)
            key = gram_key(AFTER, letters, at, at + size, first, length)
            out[row + order + size - 1] = gram_number(gram_keys, gram_numbers, key)


@helper
def number_target(gram_keys, gram_numbers, letters, first, length, order, out):
    """Number the grams before each cursor of a target string, [cursor][size]."""
    for at in range(length + 1):
        for size in range(1, order + 1):
            key = gram_key(TARGET, letters, at - size, at, first, length)
            out[at * order + size - 1] = gram_number(gram_keys, gram_numbers, key)


@kernel
def learn_grams(gram_keys, gram_numbers, counts, letters, offsets, order, is_source):
    """Number the grams of strings that have no number yet; stops when the table is full, returns the next string."""
    for k in range(len(offsets) - 1):
        first, length = offsets[k], offsets[k + 1] - offsets[k]
        if 2 * (counts[0] + 2 * order * (length + 1)) > len(gram_keys):
            return k
        for at in range(length + 1):
            for size in range(1, order + 1):
                for kind in range(BEFORE, AFTER + 1) if is_source else range(TARGET, TARGET + 1):
                    begin = at if kind == AFTER else at - size
                    key = gram_key(kind, letters, begin, begin + size, first, length)
                    if key != 0:
                        place = place_of(gram_keys, key)
                        if gram_keys[place] == 0:
                            gram_keys[place], gram_numbers[place] = key, counts[0]
                            counts[0] += 1
    return len(offsets) - 1


@helper
def edit_key(source, target, gram):
    """The key of an edit (0 is nothing on a side) beside a gram."""
    return (((np.int64(source) << BITS) | np.int64(target)) << 32) | np.int64(gram)


@helper
def hint_of(source, target):
    """A number below 64 for an edit."""
    return (np.uint64(source) * np.uint64(37) + np.uint64(target)) & np.uint64(63)


@helper
def weight_beside(hints, keys, values, source, target, grams, begin, end):
    """The score that grams add to an edit."""
    total = np.float32(0)
    hint = hint_of(source, target)
    for g in range(begin, end):
        gram = grams[g]
        if gram >= 0 and (hints[gram] >> hint) & np.uint64(1):
            key = edit_key(source, target, gram)
            place = place_of(keys, key)
            if keys[place] == key:
                total += values[place]
    return total


@kernel
def fill_places(keys, new_keys, places):
    """Put keys into an empty table; `places` says where each of them went."""
    for k in range(len(keys)):
        place = place_of(new_keys, keys[k])
        new_keys[place] = keys[k]
        places[k] = place


@kernel
def fill_hints(keys, hints):
    """Set the hint of each key of an edit beside a gram."""
    for k in range(len(keys)):
        if keys[k] != 0:
            source, target = keys[k] >> (32 + BITS), (keys[k] >> 32) & ((1 << BITS) - 1)
            hints[keys[k] & 0xFFFFFFFF] |= np.uint64(1) << hint_of(source, target)
