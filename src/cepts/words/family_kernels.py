"""From expected counts to probabilities of words that share what is known of their families, in logarithms."""

import math

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.words.lexicon_kernels import add_exactly, total_of


@helper
def log_estimate(count, prior):
    """The logarithm of a count, or digamma of it and its prior; as `lexicon_kernels.estimate`, without the norm."""
    if prior <= 0.0:
        return math.log(count) if count > 0.0 else -np.inf
    x = count + prior
    if x > 20.0:
        return math.log(x - 0.5 + 1.0 / (24.0 * (x - 0.5)))
    y = x + 2.5
    series = y + 1.0 / (24.0 * y) - 37.0 / (5760.0 * y * y * y) + 10313.0 / (2903040.0 * y**5)
    return math.log(series) - (3.0 * x * x + 6.0 * x + 2.0) / (x * (x + 1.0) * (x + 2.0))


@helper
def gather_family(row_offsets, columns, counts, members, first, end, groups, sums, touched):
    """Add up both directions' counts of the rows `members[first:end]` by the columns' groups; list the groups.

    `sums` comes back to zero by `touched`, of whose groups there are as many as this returns. The forward counts of
    the target's NULL do not count.
    """
    used = 0
    for m in range(first, end):
        for k in range(row_offsets[members[m]], row_offsets[members[m] + 1]):
            group = groups[columns[k]]
            if sums[group, 2] == 0.0:
                sums[group, 2] = 1.0
                touched[used] = group
                used += 1
            sums[group, 0] += counts[k, 0]
            sums[group, 1] += counts[k, 1]
    return used


@kernel
def column_family_totals(row_offsets, columns, counts, members, offsets, first, end, groups, kinds):
    """Sum the reverse counts of each group of columns over the families `first` to `end`, and count these families.

    Family 0, that of NULL, is left out.
    """
    totals = np.zeros((3, kinds), np.int64)
    sums, touched = np.zeros((kinds, 3)), np.empty(kinds, np.int64)
    for family in range(max(1, first), end):
        used = gather_family(
            row_offsets, columns, counts, members, offsets[family], offsets[family + 1], groups, sums, touched
        )
        for n in range(used):
            group = touched[n]
            add_exactly(totals, group, sums[group, 1])
            sums[group, 0] = sums[group, 1] = sums[group, 2] = 0.0
    return totals


@kernel
def log_norms(totals, prior):
    """The logarithm of what estimates of a column are divided by, from its total and its number of entries."""
    norms = np.empty(totals.shape[1])
    for k in range(len(norms)):
        norms[k] = log_estimate(total_of(totals, k), prior * totals[2, k])
    return norms


@kernel
def add_families(
    row_offsets,
    columns,
    counts,
    members,
    offsets,
    first,
    end,
    groups,
    norms,
    shares,
    prior,
    floor,
    weight,
    logs,
):
    """Add to the entries of the families `first` to `end`, in both directions, what this level of families says.

    That is, times `weight`, the logarithm of the probability that one family generates the other, and then this very
    word of it (`shares`, of rows and columns); at least that of `floor`.
    """
    kinds = len(norms)
    sums, touched = np.zeros((kinds, 3)), np.empty(kinds, np.int64)
    row_shares, column_shares = shares
    lowest = math.log(floor)
    for family in range(first, end):
        begin, finish = offsets[family], offsets[family + 1]
        used = gather_family(row_offsets, columns, counts, members, begin, finish, groups, sums, touched)
        total, size = 0.0, 0.0
        for n in range(used):
            if touched[n] > 0:
                total += sums[touched[n], 0]
                size += 1.0
        norm = log_estimate(total, prior * size)
        for n in range(used):
            group = touched[n]
            sums[group, 0] = log_estimate(sums[group, 0], prior) - norm if norm > -np.inf else -np.inf
            sums[group, 1] = (
                log_estimate(sums[group, 1], prior) - norms[group] if norms[group] > -np.inf else -np.inf
            )
        for m in range(begin, finish):
            row = members[m]
            row_share = row_shares[row]
            for k in range(row_offsets[row], row_offsets[row + 1]):
                column = columns[k]
                group = groups[column]
                logs[k, 0] += weight * max(lowest, sums[group, 0] + column_shares[column])
                logs[k, 1] += weight * max(lowest, sums[group, 1] + row_share)
        for n in range(used):
            group = touched[n]
            sums[group, 0] = sums[group, 1] = sums[group, 2] = 0.0


@kernel
def write_probabilities(row_offsets, columns, logs, spelling, strength, first, end, floor, values):
    """Turn the sums of logarithms of the rows `first` to `end` into values of at least `floor`.

    NULL is never generated. Words that are spelled alike gain `strength` times `spelling`, in 255ths; nothing is
    above 1.
    """
    lowest, step = math.log(floor), strength / 255.0
    for row in range(first, end):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            gain = step * spelling[k] if strength > 0.0 else 0.0
            forward, reverse = min(0.0, logs[k, 0] + gain), min(0.0, logs[k, 1] + gain)
            values[k, 0] = 0.0 if columns[k] == 0 else math.exp(forward) if forward > lowest else floor
            values[k, 1] = 0.0 if row == 0 else math.exp(reverse) if reverse > lowest else floor
