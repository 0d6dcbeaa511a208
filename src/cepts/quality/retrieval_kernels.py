"""The loops of retrieval: products of vectors in a fixed order, scores, and the best of each row."""

import numpy as np

from cepts.running.kernel import helper, kernel

TILE = 1024  # columns that are worked on at a time: what a few rows need of them stays in the fastest cache


@helper
def add_four(rows, row, k, columns, start, end, totals):
    """Add four columns, each times its value of a row, one after the other; four zeros are skipped."""
    one, two, three, four = rows[row, k], rows[row, k + 1], rows[row, k + 2], rows[row, k + 3]
    if one == 0.0 and two == 0.0 and three == 0.0 and four == 0.0:
        return
    first, second = columns[k, start:end], columns[k + 1, start:end]
    third, fourth = columns[k + 2, start:end], columns[k + 3, start:end]
    for j in range(len(totals)):
        total = totals[j] + one * first[j]
        total += two * second[j]
        total += three * third[j]
        totals[j] = total + four * fourth[j]


@kernel
def block_products(rows, columns, products):
    """Write the product of each row [rows, width] with each column [width, columns], in the order of the width."""
    width, four = rows.shape[1], rows.shape[1] // 4 * 4
    for start in range(0, products.shape[1], TILE):
        end = min(start + TILE, products.shape[1])
        for row in range(rows.shape[0]):
            totals = products[row, start:end]
            totals[:] = 0.0
            for k in range(
                0, four, 4
            ):  # four steps for one way through memory, one after the other all the same
                add_four(rows, row, k, columns, start, end, totals)
            for k in range(four, width):
                value, column = rows[row, k], columns[k, start:end]
                for j in range(len(totals)):
                    totals[j] += value * column[j]


@kernel
def pair_products(rows, others, products):
    """Write the product of each row with the row of the same number, added in the same order as `block_products`."""
    for row in range(rows.shape[0]):
        total = np.float32(0.0)
        for k in range(rows.shape[1]):
            total += rows[row, k] * others[row, k]
        products[row] = total


@kernel
def weigh(overlaps, products, weights, scores):
    """Write the weighted sum of two kinds of evidence, -inf where there is none of either; arrays are flat."""
    bias, of_overlap, of_product = weights[0], weights[1], weights[2]
    for k in range(len(scores)):
        if overlaps[k] == 0.0 and products[k] == 0.0:
            scores[k] = -np.inf
        else:
            scores[k] = bias + of_overlap * overlaps[k] + of_product * products[k]


@helper
def place_of(values, row, used, value):
    """Where a value belongs among the first `used` of a row of falling values, behind its equals."""
    first, end = 0, used
    while first < end:
        middle = (first + end) // 2
        if values[row, middle] >= value:
            first = middle + 1
        else:
            end = middle
    return first


@kernel
def best_of_rows(scores, handicaps, numbers, values):
    """Find the best of each row after its column's handicap; of equals, the smaller number; -1 and -inf fill up.

    `scores` are [rows, columns]; `numbers` and `values` [rows, wanted] take the result.
    """
    wanted = numbers.shape[1]
    for row in range(scores.shape[0]):
        used = 0
        for j in range(scores.shape[1]):
            value = scores[row, j] - handicaps[j]
            if value == -np.inf or (used == wanted and value <= values[row, wanted - 1]):
                continue
            place = place_of(values, row, used, value)
            used = min(used + 1, wanted)
            for k in range(used - 1, place, -1):
                values[row, k] = values[row, k - 1]
                numbers[row, k] = numbers[row, k - 1]
            values[row, place] = value
            numbers[row, place] = j
        for k in range(used, wanted):
            values[row, k] = -np.inf
            numbers[row, k] = -1
