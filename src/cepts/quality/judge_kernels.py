"""The loop of a judge's evidence: what each word gains by its best partner in the other sentence."""

import numpy as np

from cepts.running.kernel import kernel


@kernel
def token_gains(source, target, table, targets, source_gains, target_gains):
    """Write the largest gain of each word of both sides of each pair, 0 where none of the other side translates it.

    `source` and `target` are (ids, offsets), `table` is (row_offsets, columns, gains) by the text's own numbers; there
    are so many different `targets`.
    """
    source_ids, source_offsets = source
    target_ids, target_offsets = target
    row_offsets, columns, gains = table
    present = np.zeros(targets, np.bool_)
    best = np.zeros(targets, np.int32)
    for pair in range(len(source_offsets) - 1):
        first, end = target_offsets[pair], target_offsets[pair + 1]
        for j in range(first, end):
            present[target_ids[j]] = True
            best[target_ids[j]] = 0
        for i in range(source_offsets[pair], source_offsets[pair + 1]):
            word, largest = source_ids[i], np.int32(0)
            for k in range(row_offsets[word], row_offsets[word + 1]):
                other = columns[k]
                if present[other]:
                    largest = max(largest, gains[k])
                    best[other] = max(best[other], gains[k])
            source_gains[i] = largest
        for j in range(first, end):
            target_gains[j] = best[target_ids[j]]
        for j in range(first, end):
            present[target_ids[j]] = False
