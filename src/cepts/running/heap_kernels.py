"""A binary heap of numbers that stand for keys: the largest key first, of equal ones the largest number."""

import numpy as np

from cepts.running.kernel import helper


@helper
def comes_before(keys, one, other):
    """Tell whether one number comes out of the heap before another."""
    return keys[one] > keys[other] or (keys[one] == keys[other] and one > other)


@helper
def sift_up(heap, place, keys):
    """Let the number at a place rise to where it belongs."""
    moved = heap[place]
    while place > 0:
        above = (place - 1) >> 1
        if not comes_before(keys, moved, heap[above]):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = moved


@helper
def sift_down(heap, used, place, keys):
    """Let the number at a place sink to where it belongs, among the first `used`."""
    moved = heap[place]
    while True:
        below = 2 * place + 1
        if below >= used:
            break
        if below + 1 < used and comes_before(keys, heap[below + 1], heap[below]):
            below += 1
        if not comes_before(keys, heap[below], moved):
            break
        heap[place] = heap[below]
        place = below
    heap[place] = moved


@helper
def largest(keys, count, wanted):
    """Return the numbers of the `wanted` largest of the first `count` keys, the largest first."""
    heap = np.arange(count)
    for place in range(count // 2 - 1, -1, -1):
        sift_down(heap, count, place, keys)
    found = np.empty(min(count, wanted), np.int64)
    for k in range(len(found)):
        found[k] = heap[0]
        count -= 1
        heap[0] = heap[count]
        sift_down(heap, count, np.int64(0), keys)
    return found
