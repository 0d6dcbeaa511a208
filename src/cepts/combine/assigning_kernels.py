"""From factors to words: each goes to its most probable cept, orphaned cepts are taken out, links follow."""

from typing import NamedTuple

import numpy as np

from cepts.combine.cepts_kernels import EIGHTHS, PRESENT, TINY, WORK, climb, fit, load, plant
from cepts.running.kernel import helper, kernel

SOURCE, TARGET = np.arange(2, dtype=np.int64)


class Answer(NamedTuple):
    """For each word its cept, or -1, and its confidence; for each pair its numbers and the weights of its cepts."""

    source: np.ndarray
    target: np.ndarray
    source_confidence: np.ndarray
    target_confidence: np.ndarray
    weights: np.ndarray  # [pair][min(source, target)]
    numbers: np.ndarray  # [pair]: cepts chosen, cepts left, log likelihood, share of noise


@helper
def weigh(room, sources, width, cepts):
    """Sum up the weights of the cepts."""
    for c in range(cepts):
        room.weight[c] = 0.0
        for i in range(sources):
            room.weight[c] += room.source[PRESENT, i * width + c]


@helper
def assign(room, side, words, others, width, cepts, with_null, cept, confidence, first):
    """Give each word of a side its most probable living cept, and the share of it in what explains the word.

    A word that nothing explains has the NULL, or else the heaviest cept, with confidence 0.
    """
    heaviest = -1
    for c in range(cepts):
        if room.alive[c] and (heaviest < 0 or room.weight[c] > room.weight[heaviest]):
            heaviest = c
    table = room.source if side == SOURCE else room.target
    null = room.source_null if side == SOURCE else room.target_null
    for k in range(words):
        # Only what stands in the matrix without its NULLs counts as noise of a word.
        everything = null[PRESENT, k] + room.noise[PRESENT] * room.noise[WORK] * others
        largest = null[PRESENT, k] if with_null else 0.0
        found = -1
        for c in range(cepts):
            joint = table[PRESENT, k * width + c] * (1.0 if side == SOURCE else room.weight[c])
            everything += joint
            if room.alive[c] and joint > largest:
                largest, found = joint, c
        if found < 0 and not with_null:
            found = heaviest
        cept[first + k] = found
        confidence[first + k] = min(largest / everything, 1.0) if everything > TINY else 0.0


@helper
def lightest_orphan(room, place, cepts, answer):
    """Return the lightest living cept that lacks words of a side, or -1."""
    source_first, sources, target_first, targets = place
    chosen = -1
    for c in range(cepts):
        if room.alive[c] and (chosen < 0 or room.weight[c] < room.weight[chosen]):
            has_source, has_target = False, False
            for i in range(source_first, source_first + sources):
                has_source = has_source or answer.source[i] == c
            for j in range(target_first, target_first + targets):
                has_target = has_target or answer.target[j] == c
            if not (has_source and has_target):
                chosen = c
    return chosen


@helper
def retrain_without(room, used, shape, cepts, orphan, rules):
    """Take a cept out, let every word have a little of each other one, and run EM again."""
    sources, targets, width = shape
    for i in range(sources):
        total = 0.0
        for c in range(cepts):
            total += room.source[PRESENT, i * width + c]
        for c in range(cepts):
            little = 0.01 * room.weight[c] * total if room.alive[c] else 0.0
            room.source[PRESENT, i * width + c] = (
                0.0 if c == orphan else 0.99 * room.source[PRESENT, i * width + c] + little
            )
    for j in range(targets):
        total = 0.0
        for c in range(cepts):
            total += room.weight[c] * room.target[PRESENT, j * width + c]
        for c in range(cepts):
            little = 0.01 * total if room.alive[c] else 0.0
            room.target[PRESENT, j * width + c] = (
                0.0 if c == orphan else 0.99 * room.target[PRESENT, j * width + c] + little
            )
    climb(room, used, shape, cepts, EIGHTHS, rules.steps, rules.tolerance)


@helper
def settle(room, used, shape, place, cepts, rules, answer):
    """Assign all words, and take out orphans, the lightest first, until every cept left has words on both sides."""
    sources, targets, width = shape
    source_first, _, target_first, _ = place
    for c in range(cepts):
        room.alive[c] = True
    while True:
        weigh(room, sources, width, cepts)
        assign(
            room,
            SOURCE,
            sources,
            targets,
            width,
            cepts,
            rules.null,
            answer.source,
            answer.source_confidence,
            source_first,
        )
        assign(
            room,
            TARGET,
            targets,
            sources,
            width,
            cepts,
            rules.null,
            answer.target,
            answer.target_confidence,
            target_first,
        )
        orphan = lightest_orphan(room, place, cepts, answer)
        if orphan < 0:
            break
        room.alive[orphan] = False
        if rules.retrain:
            retrain_without(room, used, shape, cepts, orphan, rules)


@helper
def number_in_order(room, place, answer, first_weight):
    """Number the cepts by their first source words, and keep their weights; returns how many there are."""
    source_first, sources, target_first, targets = place
    found = 0
    for i in range(source_first, source_first + sources):
        old = answer.source[i]
        if old < 0 or not room.alive[old]:
            continue
        room.alive[old] = False
        answer.weights[first_weight + found] = room.weight[old]
        # Numbers that are done are kept apart below -1.
        for k in range(i, source_first + sources):
            if answer.source[k] == old:
                answer.source[k] = -2 - found
        for k in range(target_first, target_first + targets):
            if answer.target[k] == old:
                answer.target[k] = -2 - found
        found += 1
    for k in range(source_first, source_first + sources):
        if answer.source[k] < -1:
            answer.source[k] = -2 - answer.source[k]
    for k in range(target_first, target_first + targets):
        if answer.target[k] < -1:
            answer.target[k] = -2 - answer.target[k]
    return found


@kernel
def factorise_pairs(values, source_null, target_null, offsets, first, end, rules, room, answer):
    """Factorise the pairs `first` to `end`; `offsets` has rows for cells, source words, target words, and weights.

    The room has space for the largest of them. The factors of the last pair stay there, in the row BEST.
    """
    for k in range(first, end):
        place = (
            offsets[1, k],
            offsets[1, k + 1] - offsets[1, k],
            offsets[2, k],
            offsets[2, k + 1] - offsets[2, k],
        )
        shape = (place[1], place[3], min(place[1], place[3]))
        if shape[2] == 0:
            continue
        if rules.restarts > 0:
            plant(room, rules.seed)  # for every pair alike: its neighbours must not matter
        used, size = load(values, offsets[0, k], source_null, target_null, place, room)
        cepts, likelihood = fit(room, used, size, shape, rules)
        answer.numbers[k, 0], answer.numbers[k, 2] = cepts, likelihood
        settle(room, used, shape, place, cepts, rules, answer)
        answer.numbers[k, 3] = room.noise[PRESENT]
        answer.numbers[k, 1] = number_in_order(room, place, answer, offsets[3, k])


@kernel
def collect_links(answer, source_offsets, target_offsets, smallest, link_offsets, source, target, confidence):
    """List the links of words of one cept whose confidences both reach `smallest`; without room only count them."""
    used = 0
    for k in range(len(source_offsets) - 1):
        for i in range(source_offsets[k], source_offsets[k + 1]):
            if answer.source[i] < 0 or answer.source_confidence[i] < smallest:
                continue
            for j in range(target_offsets[k], target_offsets[k + 1]):
                if answer.target[j] == answer.source[i] and answer.target_confidence[j] >= smallest:
                    if used < len(source):
                        source[used], target[used] = i - source_offsets[k], j - target_offsets[k]
                        confidence[used] = min(answer.source_confidence[i], answer.target_confidence[j])
                    used += 1
        link_offsets[k + 1] = used
