"""Loops over the links of two directions: their union, and what grows in it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cepts.running.kernel import kernel

FORWARD, REVERSE = 1, 2  # bits: which directions have a link
BOTH = FORWARD | REVERSE

Positions = NDArray[np.int32]
Offsets = NDArray[np.int64]
Owners = NDArray[np.int8]
Marks = NDArray[np.bool_]


@kernel
def merge(
    forward_source: Positions,
    forward_target: Positions,
    forward_offsets: Offsets,
    reverse_source: Positions,
    reverse_target: Positions,
    reverse_offsets: Offsets,
) -> tuple[Positions, Positions, Owners, Offsets]:
    """Return the union of two sorted corpora of links: sources, targets, who has each link, offsets."""
    most = len(forward_source) + len(reverse_source)
    source, target = np.empty(most, np.int32), np.empty(most, np.int32)
    owners = np.empty(most, np.int8)
    offsets = np.zeros(len(forward_offsets), np.int64)
    row = 0
    for pair in range(len(offsets) - 1):
        a, a_end = forward_offsets[pair], forward_offsets[pair + 1]
        b, b_end = reverse_offsets[pair], reverse_offsets[pair + 1]
        while a < a_end or b < b_end:
            owner = BOTH
            if b == b_end:
                owner = FORWARD
            elif a == a_end:
                owner = REVERSE
            elif forward_source[a] != reverse_source[b]:
                owner = FORWARD if forward_source[a] < reverse_source[b] else REVERSE
            elif forward_target[a] != reverse_target[b]:
                owner = FORWARD if forward_target[a] < reverse_target[b] else REVERSE
            if owner & FORWARD:
                source[row], target[row] = forward_source[a], forward_target[a]
                a += 1
            if owner & REVERSE:
                source[row], target[row] = reverse_source[b], reverse_target[b]
                b += 1
            owners[row] = owner
            row += 1
        offsets[pair + 1] = row
    return source[:row], target[:row], owners[:row], offsets


class Growth(NamedTuple):
    """The union's rows, which of them are taken, and, for the pair at hand, which words have a taken link.

    `row_begins` holds at i + 1 the first row of source word i, or -1: no check at the sentence's ends.
    """

    source: Positions
    target: Positions
    owners: Owners
    taken: Marks
    source_taken: Marks
    target_taken: Marks
    row_begins: Offsets


@kernel
def grow(growth: Growth, offsets: Offsets, free_words: int) -> None:
    """Mark as taken what grow-diag takes, then what final takes, unless `free_words` is 0.

    The words' tables are cleaned link by link, so that a pair costs its links, not the longest sentence.
    """
    for pair in range(len(offsets) - 1):
        begin, end = offsets[pair], offsets[pair + 1]
        for row in range(end - 1, begin - 1, -1):
            growth.row_begins[growth.source[row] + 1] = row
            if growth.owners[row] == BOTH:
                take(growth, row)
        grow_diag(growth, begin, end)
        if free_words > 0:
            for owner in (FORWARD, REVERSE):
                final(growth, begin, end, owner, free_words)
        for row in range(begin, end):
            growth.source_taken[growth.source[row]] = False
            growth.target_taken[growth.target[row]] = False
            growth.row_begins[growth.source[row] + 1] = -1


@kernel
def take(growth: Growth, row: int) -> None:
    """Take a row's link: its two words have a link from now on."""
    growth.taken[row] = True
    growth.source_taken[growth.source[row]] = True
    growth.target_taken[growth.target[row]] = True


@kernel
def count_free(growth: Growth, row: int) -> int:
    """Count the words of a row, of its two, that have no taken link."""
    source_taken = growth.source_taken[growth.source[row]]
    target_taken = growth.target_taken[growth.target[row]]
    return int(not source_taken) + int(not target_taken)


@kernel
def grow_diag(growth: Growth, begin: int, end: int) -> None:
    """Sweep until nothing is taken: a link with a free word and a taken link in the eight cells around it."""
    grown = True
    while grown:
        grown = False
        for row in range(begin, end):
            if not growth.taken[row] and count_free(growth, row) > 0 and touches_taken(growth, row, end):
                take(growth, row)
                grown = True


@kernel
def touches_taken(growth: Growth, row: int, end: int) -> bool:
    """Tell whether one of the eight cells around a row's link holds a taken one."""
    i, j = growth.source[row], growth.target[row]
    for near in range(i - 1, i + 2):
        other = growth.row_begins[near + 1]
        while 0 <= other < end and growth.source[other] == near and growth.target[other] <= j + 1:
            if growth.taken[other] and growth.target[other] >= j - 1:
                return True
            other += 1
    return False


@kernel
def final(growth: Growth, begin: int, end: int, owner: int, free_words: int) -> None:
    """Take, in order, the links of one direction that have at least so many free words."""
    for row in range(begin, end):
        if growth.owners[row] & owner and not growth.taken[row] and count_free(growth, row) >= free_words:
            take(growth, row)
