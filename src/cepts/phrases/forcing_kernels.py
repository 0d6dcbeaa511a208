"""The best way from a source to a target that is given: a table of how much of both sides is read.

The language model says the same of a target whatever way leads to it, and is left to others.
"""

import numpy as np

from cepts.phrases.decoding_kernels import LENGTH, PHRASE_FEATURES, PHRASES, UNKNOWN, UNKNOWN_COST
from cepts.phrases.language_model_kernels import find_child
from cepts.running.kernel import helper, kernel

MOST_CELLS = 4_000_000  # of a pair whose ways are looked for
SKIPPED, INSERTED, COPIED = -1, -2, -3  # steps of a forced way that are no option


@helper
def fill_cells(source, copies, target, options, unknown, gaps, cells, marks):
    """Fill the best score of each number of source and target ids that are read, and the last step there.

    With `gaps`, an id of either side may also be passed by, as an unknown one.
    """
    sources, targets = len(source), len(target)
    for i in range(sources + 1):
        for j in range(targets + 1):
            cells[i, j] = -np.inf
    cells[0, 0] = 0.0
    for i in range(sources + 1):
        if gaps:
            for j in range(targets + 1):
                if j < targets and cells[i, j] + unknown[1] > cells[i, j + 1]:
                    cells[i, j + 1] = cells[i, j] + unknown[1]
                    marks[i, j + 1, 0], marks[i, j + 1, 1] = i, INSERTED
                if i < sources and cells[i, j] + unknown[0] > cells[i + 1, j]:
                    cells[i + 1, j] = cells[i, j] + unknown[0]
                    marks[i + 1, j, 0], marks[i + 1, j, 1] = i, SKIPPED
        node = np.int64(0)
        for stop in range(i, sources):
            node = find_child(options.first_child, options.ids, node, source[stop])
            first = options.first_option[node] if node >= 0 else np.int64(0)
            end = options.first_option[node + 1] if node >= 0 else np.int64(0)
            if stop == i and first == end:
                copied = copies[i]
                for j in range(targets + 1):
                    step = 0 if copied < 0 else 1
                    if step and (j == targets or target[j] != copied):
                        continue
                    if cells[i, j] + unknown[step] > cells[i + 1, j + step]:
                        cells[i + 1, j + step] = cells[i, j] + unknown[step]
                        marks[i + 1, j + step, 0] = i
                        marks[i + 1, j + step, 1] = COPIED if step else SKIPPED
            for option in range(first, end):
                low = options.target_offsets[option]
                width = options.target_offsets[option + 1] - low
                for j in range(targets - width + 1):
                    if cells[i, j] == -np.inf:
                        continue
                    k = 0
                    while k < width and target[j + k] == options.target_ids[low + k]:
                        k += 1
                    score = cells[i, j] + options.scores[option]
                    if k == width and score > cells[stop + 1, j + width]:
                        cells[stop + 1, j + width] = score
                        marks[stop + 1, j + width, 0], marks[stop + 1, j + width, 1] = i, option
            if node < 0:
                break


@helper
def read_marks(marks, options, sources, targets, features):
    """Add up the features of the best way to the last cell."""
    i, j = sources, targets
    while i > 0 or j > 0:
        origin, option = np.int64(marks[i, j, 0]), np.int64(marks[i, j, 1])
        if option < 0:
            features[UNKNOWN] -= UNKNOWN_COST
            j -= 0 if option == SKIPPED else 1
        else:
            for k in range(PHRASE_FEATURES):
                features[k] += options.features[option, k]
            features[PHRASES] -= 1.0
            j -= options.target_offsets[option + 1] - options.target_offsets[option]
        i = origin
    features[LENGTH] = targets


@kernel
def force(sources, source_offsets, copies, targets, target_offsets, options, weights, features):
    """Fill the features, those of the language model excepted, of the best way from each source to its target."""
    unknown = np.empty(2)
    unknown[0] = -UNKNOWN_COST * weights[UNKNOWN]
    unknown[1] = unknown[0] + weights[LENGTH]
    for k in range(len(source_offsets) - 1):
        source = sources[source_offsets[k] : source_offsets[k + 1]]
        copy = copies[source_offsets[k] : source_offsets[k + 1]]
        target = targets[target_offsets[k] : target_offsets[k + 1]]
        if (len(source) + 1) * (len(target) + 1) > MOST_CELLS:
            features[k, UNKNOWN] = -UNKNOWN_COST * (len(source) + len(target))
            features[k, LENGTH] = len(target)
            continue
        cells = np.empty((len(source) + 1, len(target) + 1))
        marks = np.empty((len(source) + 1, len(target) + 1, 2), np.int32)
        gaps = np.bool_(k < 0)  # not a literal, for which the loops would be compiled twice
        fill_cells(source, copy, target, options, unknown, gaps, cells, marks)
        if cells[len(source), len(target)] == -np.inf:
            fill_cells(source, copy, target, options, unknown, not gaps, cells, marks)
        read_marks(marks, options, len(source), len(target), features[k])
