"""Loops of BLEU: which n-grams of translations are right, and what the statistics come to."""

import numpy as np

from cepts.running.kernel import helper, kernel

ORDER = 4
LENGTH, REFERENCE = 2 * ORDER, 2 * ORDER + 1  # columns of statistics


@helper
def common_length(ids, one, one_end, other_ids, other, other_end):
    """Count the ids that are the same from two places on, up to the longest n-gram."""
    most = min(ORDER, one_end - one, other_end - other)
    length = 0
    while length < most and ids[one + length] == other_ids[other + length]:
        length += 1
    return length


@kernel
def fill_statistics(ids, offsets, reference, rows):
    """Fill a row of statistics for each translation: number k is `ids[offsets[k]:offsets[k + 1]]`.

    An n-gram is right if the reference has it more often than the translation has had it before.
    """
    left = np.empty(ORDER, np.int64)  # of the n-grams at a place, how often they may still be right
    for k in range(len(offsets) - 1):
        begin, end = offsets[k], offsets[k + 1]
        for n in range(ORDER):
            rows[k, n], rows[k, ORDER + n] = 0.0, max(end - begin - n, 0)
        rows[k, LENGTH], rows[k, REFERENCE] = end - begin, len(reference)
        for place in range(begin, end):
            for n in range(ORDER):
                left[n] = 0
            for other in range(len(reference)):
                for n in range(common_length(ids, place, end, reference, other, len(reference))):
                    left[n] += 1
            if left[0] == 0:
                continue
            for other in range(begin, place):
                for n in range(common_length(ids, place, end, ids, other, end)):
                    left[n] -= 1
            for n in range(ORDER):
                if left[n] > 0:
                    rows[k, n] += 1.0


@helper
def bleu_together(document, rows, row):
    """Return the BLEU, from 0 to 1, of a document and one row of statistics together."""
    logs = 0.0
    for n in range(ORDER):
        matches = document[n] + rows[row, n]
        if matches <= 0.0:
            return 0.0
        logs += np.log(matches / max(document[ORDER + n] + rows[row, ORDER + n], 1.0))
    length = max(document[LENGTH] + rows[row, LENGTH], 1.0)
    wanted = document[REFERENCE] + rows[row, REFERENCE]
    return np.exp(logs / ORDER + min(0.0, 1.0 - wanted / length))
