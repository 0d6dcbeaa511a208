"""Loops that sort and merge records: runs of int32 in one flat array.

A record is its size, itself included, then its body; the last two numbers of the body are a count (`count_of`).
Records are ordered by their bodies, number by number; without the count, no body is the beginning of another. Records
that are equal but for the count are of one thing seen several times: where two meet, they become one with both counts.
"""

import numpy as np
from numpy.typing import NDArray

from cepts.running.kernel import helper, kernel

Records = NDArray[np.int32]
Offsets = NDArray[np.int64]

COUNT = 2  # numbers at the end that are the count: its multiple of 2**31, and the rest
DIGIT = 31
REST = (1 << DIGIT) - 1
FEW = 12  # records that insertion sorts faster than partition
STACK = 256  # parts that wait to be sorted; the smallest of three is sorted first: 2 log3(records) are enough
ENDED = np.int32(-(2**31))


@helper
def count_of(data: Records, end: int) -> int:
    """Return the count of the record that ends before `end`."""
    return int((np.int64(data[end - 2]) << DIGIT) | np.int64(data[end - 1]))


@helper
def put_count(data: Records, end: int, count: int) -> None:
    """Write a count at the end of a record."""
    data[end - 2], data[end - 1] = count >> DIGIT, count & REST


@helper
def is_less(data: Records, one: int, other: int, depth: int) -> bool:
    """Tell whether a record comes before another that has the same first `depth` numbers."""
    for k in range(1 + depth, min(data[one], data[other])):
        if data[one + k] != data[other + k]:
            return bool(data[one + k] < data[other + k])
    return bool(data[one] < data[other])


@helper
def key_at(data: Records, start: int, depth: int) -> np.int32:
    """Return a number of a record's body, the smallest of all behind its end."""
    return data[start + 1 + depth] if 1 + depth < data[start] else ENDED


@kernel
def find_starts(data: Records, used: int, starts: Records) -> int:
    """Fill `starts` with the places of the records in `data[:used]`; return how many there are."""
    count = place = 0
    while place < used:
        starts[count] = place
        place += data[place]
        count += 1
    return count


@kernel
def count_records(data: Records, used: int) -> int:
    """Count the records in `data[:used]`."""
    count = place = 0
    while place < used:
        place += data[place]
        count += 1
    return count


@kernel
def sort_starts(data: Records, starts: Records, keys: Records) -> None:
    """Sort the places of records by multikey quicksort (Bentley and Sedgewick, 1997).

    `keys` holds for each record the number that it is being sorted by: the records themselves, all over the memory,
    are looked at once for each number, not at each comparison.
    """
    stack = np.empty((STACK, 3), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, len(starts), 0
    waiting = 1
    for k in range(len(starts)):
        keys[k] = key_at(data, starts[k], 0)
    while waiting > 0:
        waiting -= 1
        low, high, depth = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        if high - low <= FEW:
            insert_each(data, starts, low, high, depth)
            continue
        smaller, larger = partition(starts, keys, low, high)
        pivot = keys[smaller]
        if pivot != ENDED:
            for k in range(smaller, larger):
                keys[k] = key_at(data, starts[k], depth + 1)
        middle_depth = depth + 1 if pivot != ENDED else -1
        waiting = push_parts(stack, waiting, low, smaller, larger, high, depth, middle_depth)


@helper
def push_parts(
    stack: Offsets,
    waiting: int,
    low: int,
    smaller: int,
    larger: int,
    high: int,
    depth: int,
    middle_depth: int,
) -> int:
    """Put the three parts of a partition on the stack, the largest deepest; equal records (-1) are left out."""
    first = waiting
    for begin, end, at in ((low, smaller, depth), (smaller, larger, middle_depth), (larger, high, depth)):
        if end - begin > 1 and at >= 0:
            place = waiting
            while place > first and stack[place - 1, 1] - stack[place - 1, 0] < end - begin:
                stack[place] = stack[place - 1]
                place -= 1
            stack[place, 0], stack[place, 1], stack[place, 2] = begin, end, at
            waiting += 1
    return waiting


@helper
def insert_each(data: Records, starts: Records, low: int, high: int, depth: int) -> None:
    """Sort a few records whose first `depth` numbers are the same."""
    for k in range(low + 1, high):
        start = starts[k]
        place = k
        while place > low and is_less(data, start, starts[place - 1], depth):
            starts[place] = starts[place - 1]
            place -= 1
        starts[place] = start


@helper
def partition(starts: Records, keys: Records, low: int, high: int) -> tuple[int, int]:
    """Part records by key: smaller than that of some record, the same, larger; return where the last two begin."""
    pivot = median(keys[low], keys[(low + high) // 2], keys[high - 1])
    k = low
    while k < high:
        key = keys[k]
        if key < pivot:
            keys[k], keys[low] = keys[low], key
            starts[k], starts[low] = starts[low], starts[k]
            low += 1
            k += 1
        elif key > pivot:
            high -= 1
            keys[k], keys[high] = keys[high], key
            starts[k], starts[high] = starts[high], starts[k]
        else:
            k += 1
    return low, high


@helper
def median(one: np.int32, two: np.int32, three: np.int32) -> np.int32:
    """Return the middle one of three numbers."""
    return max(min(one, two), min(max(one, two), three))


@helper
def append(data: Records, start: int, out: Records, used: int, last: int) -> tuple[int, int]:
    """Copy a record to `out[used:]`, or add its count to the one at `last` (-1: none) that is equal but for it.

    Returns the room that is used then, and the place of the last record.
    """
    size = data[start]
    if last >= 0 and out[last] == size:
        same = True
        for k in range(1, size - COUNT):
            if out[last + k] != data[start + k]:
                same = False
                break
        if same:
            put_count(out, used, count_of(out, used) + count_of(data, start + size))
            return used, last
    out[used : used + size] = data[start : start + size]
    return used + size, used


@kernel
def gather(data: Records, starts: Records, first: int, out: Records) -> tuple[int, int]:
    """Copy records to `out` in the order of `starts`, from number `first`, until it is full.

    Returns the number of the next record and the room that was used.
    """
    used, last = 0, -1
    while first < len(starts) and used + data[starts[first]] <= len(out):
        used, last = append(data, starts[first], out, used, last)
        first += 1
    return first, used


@kernel
def merge(buffer: Records, places: Offsets, ends: Offsets, heap: Offsets, used: int, out: Records) -> int:
    """Move records, in order, from sorted runs in `buffer` to `out[used:]`, until a run needs more or `out` is full.

    Run r has `buffer[places[r]:ends[r]]`; `heap` holds the numbers of the runs that have a record, the one with the
    least first. Returns how much of `out` is used; the first run may be the one that has no whole record any more.
    """
    last = -1
    while True:
        run = heap[0]
        place = places[run]
        if place == ends[run] or place + buffer[place] > ends[run] or used + buffer[place] > len(out):
            return used
        used, last = append(buffer, place, out, used, last)
        places[run] = place + buffer[place]
        if places[run] < ends[run] and places[run] + buffer[places[run]] <= ends[run]:
            sink(buffer, places, heap, 0)


@kernel
def make_heap(buffer: Records, places: Offsets, heap: Offsets) -> None:
    """Put runs, each of which has a record, in the order of a heap."""
    for k in range(len(heap) - 1, -1, -1):
        sink(buffer, places, heap, k)


@helper
def sink(buffer: Records, places: Offsets, heap: Offsets, k: int) -> None:
    """Let a run sink in the heap to its place."""
    run = heap[k]
    while 2 * k + 1 < len(heap):
        child = 2 * k + 1
        if child + 1 < len(heap) and is_less(buffer, places[heap[child + 1]], places[heap[child]], 0):
            child += 1
        if not is_less(buffer, places[heap[child]], places[run], 0):
            break
        heap[k] = heap[child]
        k = child
    heap[k] = run


@kernel
def whole_records(data: Records, used: int) -> int:
    """Return where the last whole record of `data[:used]` ends."""
    place = 0
    while place < used and place + data[place] <= used:
        place += data[place]
    return place
