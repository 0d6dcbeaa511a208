"""From expected counts to probabilities of words that share what is known of their families, in logarithms."""

import math

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.words.lexicon_kernels import total_of
from cepts.words.logarithm_kernels import log_estimate, log_estimates


@kernel
def families_met(row_offsets, columns, members, offsets, first, end, groups, kinds):
    """Count for each group of columns the families `first` to `end` that meet it; family 0, NULL's, is left out."""
    met, last = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
    for family in range(max(1, first), end):
        for m in range(offsets[family], offsets[family + 1]):
            for k in range(row_offsets[members[m]], row_offsets[members[m] + 1]):
                group = groups[columns[k]]
                if last[group] != family:
                    last[group] = family
                    met[group] += 1
    return met


@kernel
def log_norms(totals, prior):
    """The logarithm of what estimates of a column are divided by, from its total and its number of entries."""
    norms = np.empty(totals.shape[1], np.float32)
    for k in range(len(norms)):
        norms[k] = log_norm(total_of(totals, k), prior * totals[2, k])
    return norms


@helper
def log_norm(total, prior):
    """The logarithm of what estimates are divided by, of which nothing is left where there is no total."""
    found = log_estimate(total, prior)
    return np.float32(found if found > -np.inf else np.inf)


@helper
def gather_family(table, rows, groups, places, slots, met, sums):
    """Add up both directions' counts of some rows by the columns' groups; return how many groups there are.

    Each group gets a slot in `met`, which lists the groups, and in `sums`; `slots` are those of the rows' entries. Of
    all groups `places` has their slots, or -1; so it must be left behind.
    """
    row_offsets, columns, counts = table
    used, entry = 0, 0
    for row in rows:
        for k in range(row_offsets[row], row_offsets[row + 1]):
            group = groups[columns[k]]
            slot = places[group]
            if slot < 0:
                slot = used
                places[group] = slot
                met[slot] = group
                sums[slot, 0] = sums[slot, 1] = 0.0
                used += 1
            sums[slot, 0] += counts[k, 0]
            sums[slot, 1] += counts[k, 1]
            slots[entry] = slot
            entry += 1
    return used


@kernel
def add_families(table, level, first, end, norms, prior, floor, logs):
    """Add to the entries of the families `first` to `end`, in both directions, what this level of families says.

    `table` is (row_offsets, columns, counts), `level` (members, offsets, groups, shares, weight). What it says is, by
    its weight, the logarithm of the probability that one family generates the other, and then this very word of it (by
    `shares`, of rows and columns); at least that of `floor`. The forward counts of the target's NULL do not count.
    """
    row_offsets, columns, _ = table
    members, offsets, groups, (row_shares, column_shares), heaviness = level
    weight, lowest = np.float32(heaviness), np.float32(math.log(floor))
    most = 0
    for family in range(first, end):
        most = max(most, entries_of_rows(row_offsets, members[offsets[family] : offsets[family + 1]]))
    slots, met = np.empty(most, np.int32), np.empty(most, np.int32)
    places, sums = np.full(len(norms), -1, np.int32), np.empty((most, 2))
    forward, reverse = np.empty(most, np.float32), np.empty(most, np.float32)
    for family in range(first, end):
        rows = members[offsets[family] : offsets[family + 1]]
        used = gather_family(table, rows, groups, places, slots, met, sums)
        total, size = 0.0, 0.0
        for n in range(used):
            forward[n], reverse[n] = sums[n, 0], sums[n, 1]
            places[met[n]] = -1
            if met[n] > 0:
                total += sums[n, 0]
                size += 1.0
        norm = log_norm(total, prior * size)
        log_estimates(forward, used, prior)
        log_estimates(reverse, used, prior)
        for n in range(used):
            forward[n] -= norm
            reverse[n] -= norms[met[n]]
        entry = 0
        for row in rows:
            row_share = row_shares[row]
            for k in range(row_offsets[row], row_offsets[row + 1]):
                slot = slots[entry]
                logs[k, 0] += weight * max(lowest, forward[slot] + column_shares[columns[k]])
                logs[k, 1] += weight * max(lowest, reverse[slot] + row_share)
                entry += 1


@helper
def entries_of_rows(row_offsets, rows):
    """How many entries some rows have together."""
    total = 0
    for row in rows:
        total += row_offsets[row + 1] - row_offsets[row]
    return total


@kernel
def add_words(table, heaviness, first, end, norms, prior, floor, logs):
    """Do as `add_families` does, with each word of the rows `first` to `end` and of the columns for a family."""
    row_offsets, columns, counts = table
    weight, lowest = np.float32(heaviness), np.float32(math.log(floor))
    most = 0
    for row in range(first, end):
        most = max(most, row_offsets[row + 1] - row_offsets[row])
    forward, reverse = np.empty(most, np.float32), np.empty(most, np.float32)
    for row in range(first, end):
        begin, size = row_offsets[row], row_offsets[row + 1] - row_offsets[row]
        total, others = 0.0, 0.0
        for n in range(size):
            forward[n], reverse[n] = counts[begin + n, 0], counts[begin + n, 1]
            if columns[begin + n] > 0:
                total += forward[n]
                others += 1.0
        norm = log_norm(total, prior * others)
        log_estimates(forward, size, prior)
        log_estimates(reverse, size, prior)
        for n in range(size):
            k = begin + n
            logs[k, 0] += weight * max(lowest, forward[n] - norm)
            logs[k, 1] += weight * max(lowest, reverse[n] - norms[columns[k]])


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
