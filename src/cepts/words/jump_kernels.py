"""The M step of jump weights whose normaliser depends on where one stands."""

import numpy as np

from cepts.running.kernel import kernel


@kernel
def normalisers(weights, far, longest):
    """tau[I, i] for sentences of I states up to `longest`: the weight of all that can be reached from i."""
    band = len(weights) // 2
    sums = np.zeros(len(weights) + 1)
    for d in range(len(weights)):
        sums[d + 1] = sums[d] + weights[d]
    tau = np.zeros((longest + 1, longest))
    for length in range(1, longest + 1):
        for i in range(length):
            left, right = min(i, band), min(length - 1 - i, band)
            tau[length, i] = sums[band + right + 1] - sums[band - left]
            if i > band or length - 1 - i > band:
                tau[length, i] += far
    return tau


@kernel
def monotone_step(counts, departures, weights, far):
    """One step that never lowers the likelihood: each weight's count over the sum of C / tau where it is reachable.

    `counts` are the expected jumps by distance (last: beyond the band), `departures` C[I, i]. Returns weights and far.
    """
    band, longest = len(weights) // 2, departures.shape[1]
    tau = normalisers(weights, far, longest)
    by_reach = np.zeros((band + 1, band + 1))  # sums of C / tau by how far one can go left and right
    far_room = 0.0
    for length in range(1, longest + 1):
        for i in range(length):
            if tau[length, i] > 0:
                share = departures[length, i] / tau[length, i]
                by_reach[min(i, band), min(length - 1 - i, band)] += share
                if i > band or length - 1 - i > band:
                    far_room += share
    updated = np.zeros(len(weights))
    new_far = counts[len(weights)] / far_room if far_room > 0 else far
    scale = new_far
    for d in range(-band, band + 1):
        room = 0.0
        for left in range(max(0, -d), band + 1):
            for right in range(max(0, d), band + 1):
                room += by_reach[left, right]
        updated[d + band] = counts[d + band] / room if room > 0 else weights[d + band]
        scale += updated[d + band]
    if scale <= 0:
        return weights, far
    for d in range(len(weights)):
        updated[d] /= scale
    return updated, new_far / scale
