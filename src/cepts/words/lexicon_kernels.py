"""From expected counts to translation probabilities, and looking them up."""

import math

import numpy as np

from cepts.running.kernel import helper, kernel

# Totals of columns are sums of whole numbers, which no order changes: of 2^-28 and, of what these leave, of 2^-60.
COARSE, FINE = 268_435_456.0, 1_152_921_504_606_846_976.0


@helper
def add_exactly(totals, column, count):
    """Add a count to a column's total, and one to the number of its entries; a total may be as large as 2^34."""
    coarse = math.floor(count * COARSE)
    totals[0, column] += np.int64(coarse)
    totals[1, column] += np.int64((count - coarse / COARSE) * FINE)
    totals[2, column] += 1


@helper
def total_of(totals, column):
    """The total of a column."""
    return totals[0, column] / COARSE + totals[1, column] / FINE


@kernel
def exp_digamma(x):
    """exp(digamma(x)), x > 0: three steps of the recurrence up, then the asymptotic series around x - 1/2."""
    if x > 20.0:
        return x - 0.5 + 1.0 / (24.0 * (x - 0.5))
    y = x + 2.5
    series = y + 1.0 / (24.0 * y) - 37.0 / (5760.0 * y * y * y) + 10313.0 / (2903040.0 * y**5)
    return series * math.exp(-(3.0 * x * x + 6.0 * x + 2.0) / (x * (x + 1.0) * (x + 2.0)))


@helper
def norm(total, size, prior, weight):
    """One over what estimates of a row or column of so many entries are divided by; 0 for an empty one.

    Where a unit of probability costs `weight`, a row uses no more than total / weight of its mass.
    """
    if prior <= 0.0:
        return 1.0 / max(total, weight) if total > 0.0 else 0.0
    return 1.0 / exp_digamma(total + prior * size) if size > 0 else 0.0


@kernel
def column_norms(totals, prior, weights):
    """The norm of each column, from its total, its number of entries and its weight."""
    norms = np.empty(totals.shape[1])
    for column in range(len(norms)):
        norms[column] = norm(total_of(totals, column), totals[2, column], prior, weights[column])
    return norms


@helper
def estimate(count, norm, prior, at_prior):
    """One probability from its expected count: maximum likelihood, or the variational mean under a Dirichlet prior."""
    if prior <= 0.0:
        return count * norm
    return norm * (exp_digamma(count + prior) if count > 1e-4 else at_prior)


@kernel
def column_totals(row_offsets, columns, counts, first, end, targets):
    """Sum each column's reverse counts over the rows `first` to `end`, and count its entries; NULL's row left out."""
    totals = np.zeros((3, targets), np.int64)
    for row in range(max(1, first), end):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            add_exactly(totals, columns[k], np.float64(counts[k, 1]))
    return totals


@kernel
def maximise(row_offsets, columns, counts, first, end, weights, column_norm, prior, floor):
    """M step of the rows `first` to `end`, in place: counts become probabilities of at least `floor`.

    `weights` are those of the rows (see `regularity`). Column 0 of counts is forward (rows sum to one over target
    words), column 1 reverse (the lexicon's columns sum to one over source words; see `column_norms`). Row 0 and
    column 0 of the lexicon are NULL, which is never generated.
    """
    at_prior = exp_digamma(prior) if prior > 0.0 else 0.0
    for row in range(first, end):
        begin, finish = row_offsets[row], row_offsets[row + 1]
        total = 0.0
        for k in range(begin, finish):
            if columns[k] > 0:
                total += counts[k, 0]
        row_norm = norm(
            total, finish - begin - 1, prior, weights[row]
        )  # without the entry of the target NULL
        for k in range(begin, finish):
            column = columns[k]
            forward = estimate(np.float64(counts[k, 0]), row_norm, prior, at_prior)
            reverse = estimate(np.float64(counts[k, 1]), column_norm[column], prior, at_prior)
            counts[k, 0] = max(floor, forward) if column > 0 else 0.0
            counts[k, 1] = max(floor, reverse) if row > 0 else 0.0


@kernel
def row_sums(row_offsets, columns, values, counts, way, labels):
    """Sum the values, and the counts, of each row of one direction: rows of the lexicon, or (reverse) its columns."""
    sums = np.zeros((2, labels))
    for row in range(way, len(row_offsets) - 1):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            column = columns[k]
            if way == 1 or column > 0:
                label = row if way == 0 else column
                sums[0, label] += values[k, way]
                sums[1, label] += counts[k, way]
    return sums


@helper
def stepped_down(values, counts, k, way, weight, step):
    """Where a step down the gradient w - c / p leads from the probability of entry k."""
    value, count = np.float64(values[k, way]), np.float64(counts[k, way])
    return value - step * (weight - count / value if value > 0 else weight)


@kernel
def highest_points(row_offsets, columns, values, counts, way, weights, steps):
    """The highest point that each row of one direction reaches by a step down the gradient, its row's step long."""
    highest = np.full(len(steps), -np.inf)
    for row in range(way, len(row_offsets) - 1):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            column = columns[k]
            if way == 1 or column > 0:
                label = row if way == 0 else column
                reached = stepped_down(values, counts, k, way, weights[label], steps[label])
                highest[label] = max(highest[label], reached)
    return highest


@kernel
def points_below(row_offsets, columns, values, counts, way, weights, steps, highest, points):
    """How far below its row's highest point each entry's is: precise wherever the highest is."""
    for row in range(way, len(row_offsets) - 1):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            column = columns[k]
            if way == 1 or column > 0:
                label = row if way == 0 else column
                reached = stepped_down(values, counts, k, way, weights[label], steps[label])
                points[k] = max(reached - highest[label], -1.0)


@kernel
def list_points(row_offsets, columns, points, way):
    """List the rows and heights of one direction's points, as far as they are less than one below their highest."""
    labels, heights = np.empty(len(points), np.int32), np.empty(len(points), np.float32)
    count = 0
    for row in range(way, len(row_offsets) - 1):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            column = columns[k]
            if (way == 1 or column > 0) and points[k] > -1.0:
                labels[count], heights[count] = row if way == 0 else column, points[k]
                count += 1
    return labels[:count], heights[:count]


@kernel
def sums_above(labels, heights, count, levels):
    """Sum and count the first `count` points above their row's level, for all rows in one pass.

    These move to the front, and how many they are is returned too: levels rise, and what is below stays below.
    """
    sums = np.zeros((2, len(levels)))
    kept = 0
    for n in range(count):
        label, height = labels[n], heights[n]
        if height > levels[label]:
            sums[0, label] += height
            sums[1, label] += 1.0
            labels[kept], heights[kept] = label, height
            kept += 1
    return sums, kept


@kernel
def write_above(row_offsets, columns, points, way, levels, floor, values):
    """Set one direction's values to how far the points stand above their row's level, at least `floor`."""
    for row in range(way, len(row_offsets) - 1):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            column = columns[k]
            if way == 1 or column > 0:
                label = row if way == 0 else column
                values[k, way] = max(floor, points[k] - levels[label])


@kernel
def slope_between(values, other, counts, way):
    """Sum (other - value) * count / value of one direction: the log likelihood's derivative towards the other."""
    total = 0.0
    for k in range(len(values)):
        value = np.float64(values[k, way])
        if value > 0:
            total += (other[k, way] - value) * counts[k, way] / value
    return total


@kernel
def mix(values, other, shares, mixed):
    """Write the point on the way from some values to others, both of two columns, of which each has its share."""
    for k in range(len(values)):
        mixed[k, 0] = values[k, 0] + shares[0] * (other[k, 0] - values[k, 0])
        mixed[k, 1] = values[k, 1] + shares[1] * (other[k, 1] - values[k, 1])


@helper
def by_column(row_offsets, columns, values, first_row, end_row, smallest):
    """List (row, entry) of some rows' entries of at least `smallest` in one direction, by column: a counting sort."""
    begin, end = row_offsets[first_row], row_offsets[end_row]
    last = 0
    for k in range(begin, end):
        last = max(last, columns[k])
    first = np.zeros(last + 2, np.int64)
    for k in range(begin, end):
        if k == 0 or values[k, 0] >= smallest or values[k, 1] >= smallest:
            first[columns[k] + 1] += 1
    for column in range(last + 1):
        first[column + 1] += first[column]
    chosen = np.empty((first[last + 1], 2), np.int64)
    for row in range(first_row, end_row):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            if k == 0 or values[k, 0] >= smallest or values[k, 1] >= smallest:
                place = first[columns[k]]
                chosen[place, 0], chosen[place, 1] = row, k
                first[columns[k]] += 1
    return chosen


@kernel
def prune(row_offsets, columns, values, first_row, end_row, smallest):
    """Keep the entries of some rows of at least `smallest` in one direction, sorted by column within their rows.

    Returns the rows' sizes, and the columns and values that are kept.
    """
    chosen = by_column(row_offsets, columns, values, first_row, end_row, smallest)
    sizes = np.zeros(end_row - first_row, np.int64)
    for n in range(len(chosen)):
        sizes[chosen[n, 0] - first_row] += 1
    first = np.zeros(len(sizes) + 1, np.int64)
    for row in range(len(sizes)):
        first[row + 1] = first[row] + sizes[row]
    new_columns = np.empty(len(chosen), np.int32)
    new_values = np.empty((len(chosen), 2), np.float32)
    for n in range(len(chosen)):
        k = chosen[n, 1]
        place = first[chosen[n, 0] - first_row]
        first[chosen[n, 0] - first_row] += 1
        new_columns[place] = columns[k]
        new_values[place, 0], new_values[place, 1] = values[k, 0], values[k, 1]
    return sizes, new_columns, new_values


@helper
def find(columns, first, end, column):
    """Where `column` stands, or would stand, in a sorted row: a binary search."""
    while first < end:
        middle = (first + end) // 2
        if columns[middle] < column:
            first = middle + 1
        else:
            end = middle
    return first


@kernel
def look_up(known, text, word_maps, unseen, values):
    """Fill the values of a text's lexicon from a finished, sorted one.

    `known` and `text` are (row_offsets, columns, values) and (row_offsets, columns); `word_maps` translate the
    text's words of both sides into the known ones, -1 for words never seen. `unseen` is what an entry gets that
    is not known: (both words seen, one of them, none, a word never seen with NULL).
    """
    known_rows, known_columns, known_values = known
    rows, columns = text
    for row in range(len(rows) - 1):
        known_row = word_maps[0][row]
        for k in range(rows[row], rows[row + 1]):
            column = word_maps[1][columns[k]]
            strangers = (1 if known_row < 0 else 0) + (1 if column < 0 else 0)
            value = unseen[3] if strangers == 1 and (known_row == 0 or column == 0) else unseen[strangers]
            values[k, 0], values[k, 1] = value, value
            if strangers == 0:
                end = known_rows[known_row + 1]
                place = find(known_columns, known_rows[known_row], end, column)
                if place < end and known_columns[place] == column:
                    values[k, 0], values[k, 1] = known_values[place, 0], known_values[place, 1]


@kernel
def entries_of(row_offsets, columns, rows, targets):
    """The entries of (row, column) pairs in an unsorted table, -1 where there is none."""
    entries = np.full(len(rows), -1, np.int64)
    for n in range(len(rows)):
        for k in range(row_offsets[rows[n]], row_offsets[rows[n] + 1]):
            if columns[k] == targets[n]:
                entries[n] = k
                break
    return entries
