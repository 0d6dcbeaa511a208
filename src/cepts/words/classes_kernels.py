"""Loops of the exchange algorithm: who stands beside whom, moving words between classes, merging classes.

A context is a neighbour on one side: of W words, word v before is context v, and word v after is context W + 1 + v;
word W is the boundary of a sentence. The class of a context is told apart in the same way: of C classes, class d
before is d, and class d after is C + 1 + d; class C is that of the boundary.
"""

import math
from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel

MARGIN = 1e-5  # gains that differ by no more are equal: above rounding, below anything that matters


class Contexts(NamedTuple):
    """What stands beside each word: context `contexts[k]`, `counts[k]` times, for k in `starts[word:word + 2]`."""

    starts: np.ndarray
    contexts: np.ndarray
    counts: np.ndarray


class Grouping(NamedTuple):
    """Words in classes: the class of each context, the counts of (context's class, class), the words of a class."""

    class_of: np.ndarray
    pairs: np.ndarray
    sizes: np.ndarray


@kernel
def count_contexts(ids, offsets, words):
    """Count the contexts of each word; those of a word in order of first appearance."""
    starts = np.zeros(words + 2, np.int64)
    for k in range(len(ids)):
        starts[ids[k] + 2] += 2
    for word in range(words):
        starts[word + 2] += starts[word + 1]
    contexts = np.empty(2 * len(ids), np.int32)
    for sentence in range(len(offsets) - 1):
        before = words
        for k in range(offsets[sentence], offsets[sentence + 1]):
            after = ids[k + 1] if k + 1 < offsets[sentence + 1] else words
            place = starts[ids[k] + 1]
            contexts[place] = before
            contexts[place + 1] = words + 1 + after
            starts[ids[k] + 1] = place + 2
            before = ids[k]
    return merge_equal(starts, contexts, words)


@helper
def merge_equal(starts, contexts, words):
    """Merge equal contexts of each word, in place: what is written never overtakes what is read."""
    counts = np.empty(len(contexts), np.int32)
    place = np.full(2 * (words + 1), -1, np.int64)
    read = 0
    end = 0
    for word in range(words):
        start = end
        while read < starts[word + 1]:
            context = contexts[read]
            read += 1
            if place[context] < start:
                place[context] = end
                contexts[end] = context
                counts[end] = 0
                end += 1
            counts[place[context]] += 1
        starts[word + 1] = end
    return Contexts(starts[: words + 1].copy(), contexts[:end].copy(), counts[:end].copy())


@kernel
def count_pairs(ids, offsets, class_of, followed):
    """Count how often each class (row) is followed by each class (column), the last one being the boundary."""
    boundary = len(followed) - 1
    for sentence in range(len(offsets) - 1):
        before = boundary
        for k in range(offsets[sentence], offsets[sentence + 1]):
            group = class_of[ids[k]]
            followed[before, group] += 1
            before = group
        if before != boundary:
            followed[before, boundary] += 1


@helper
def times_log(n, table):
    """Return n log n, from a table of the small n."""
    return table[n] if n < len(table) else n * math.log(n)


@helper
def move(pairs, beside, found, others, itself, group, sign):
    """Put a word into a class (sign 1), or take it out (-1): both views of the pairs of classes."""
    size = pairs.shape[1]
    for k in range(others):
        other = found[k]
        count = sign * beside[other]
        pairs[other, group] += count
        if other < size:
            pairs[size + group, other] += count
        else:
            pairs[group, other - size] += count
    pairs[group, group] += sign * itself
    pairs[size + group, group] += sign * itself


@helper
def measure(pairs, beside, found, others, itself, table, gains):
    """Add to each class's gain what the pairs of classes gain if the word, which is in none, joins it."""
    size = pairs.shape[1]
    for k in range(others):
        other = found[k]
        count = beside[other]
        for group in range(len(gains)):
            n = pairs[other, group]
            gains[group] += times_log(n + count, table) - times_log(n, table)
    for group in range(len(gains)):
        # A class followed by itself is one count, that grows from both sides and by the word beside itself.
        before, after = beside[group], beside[size + group]
        if itself > 0 or (before > 0 and after > 0):
            n = pairs[group, group]
            apart = times_log(n + before, table) + times_log(n + after, table)
            gains[group] += times_log(n + before + after + itself, table) + times_log(n, table) - apart


@helper
def choose(gains, current):
    """Return the class with the largest gain: the current one if none is better, else the smallest of equals."""
    best = current
    for group in range(len(gains)):
        if gains[group] > gains[best] + MARGIN:
            best = group
    return best


@kernel
def exchange(order, frequency, text, grouping, table):
    """Move each word of `order` to its best class, in place; returns how many words moved."""
    starts, contexts, counts = text
    class_of, pairs, sizes = grouping
    words, size = len(frequency), pairs.shape[1]
    beside = np.zeros(2 * size, np.int64)  # counts of the word's contexts by class, and which are not 0
    found = np.empty(2 * size, np.int64)
    gains = np.empty(size - 1)
    moved = 0
    for k in range(len(order)):
        word = order[k]
        often, current = frequency[word], class_of[word]
        others, itself = 0, 0
        for entry in range(starts[word], starts[word + 1]):
            context = contexts[entry]
            if context == word:
                continue  # the word before itself: the same pair as the word after itself
            if context == words + 1 + word:
                itself = counts[entry]
                continue
            other = class_of[context]
            if beside[other] == 0:
                found[others] = other
                others += 1
            beside[other] += counts[entry]
        move(pairs, beside, found, others, itself, current, -1)
        sizes[current] -= often
        for group in range(size - 1):
            gains[group] = 2.0 * (times_log(sizes[group], table) - times_log(sizes[group] + often, table))
        measure(pairs, beside, found, others, itself, table, gains)
        best = choose(gains, current)
        move(pairs, beside, found, others, itself, best, 1)
        sizes[best] += often
        class_of[word], class_of[words + 1 + word] = best, size + best
        moved += best != current
        for n in range(others):
            beside[found[n]] = 0
    return moved


@helper
def merge_loss(pairs, one, two, table):
    """What the counts of pairs lose if two classes become one."""
    size = pairs.shape[1]
    loss = 0.0
    for view in (0, size):
        for other in range(size):
            if other != one and other != two:
                n, m = pairs[view + one, other], pairs[view + two, other]
                loss += times_log(n, table) + times_log(m, table) - times_log(n + m, table)
    total = 0
    for first in (one, two):
        for second in (one, two):
            loss += times_log(pairs[first, second], table)
            total += pairs[first, second]
    return loss - times_log(total, table)


@kernel
def merge_losses(pairs, sizes, table):
    """What the criterion loses by merging two classes, for each (smaller, larger); the boundary is not merged."""
    groups = len(sizes) - 1
    losses = np.zeros((groups, groups))
    for one in range(groups):
        for two in range(one + 1, groups):
            n, m = sizes[one], sizes[two]
            saved = times_log(n, table) + times_log(m, table) - times_log(n + m, table)
            losses[one, two] = merge_loss(pairs, one, two, table) - 2.0 * saved
    return losses
