"""The loops of classifiers: one pass over all rows in a given order."""

import numpy as np

from cepts.running.kernel import kernel


@kernel
def perceptron_epoch(rows, signs, order, weights, total):
    """Change `weights` by each row on the wrong side, and add them, as they are after each row, to `total`.

    A row on the border is on the wrong side, too: the first row always teaches something.
    """
    columns = rows.shape[1]
    for place in range(len(order)):
        row = order[place]
        score = 0.0
        for column in range(columns):
            score += rows[row, column] * weights[column]
        if score * signs[row] <= 0.0:
            for column in range(columns):
                weights[column] += signs[row] * rows[row, column]
        for column in range(columns):
            total[column] += weights[column]


@kernel
def lvq_epoch(rows, signs, order, rates, prototypes):
    """Move the nearest prototype of each row towards it, or away if it is of the other class.

    The first half of the prototypes are true; of equally near ones the first moves.
    """
    columns = rows.shape[1]
    half = len(prototypes) // 2
    for place in range(len(order)):
        row = order[place]
        nearest, least = 0, np.inf
        for number in range(len(prototypes)):
            distance = 0.0
            for column in range(columns):
                distance += (rows[row, column] - prototypes[number, column]) ** 2
            if distance < least:
                nearest, least = number, distance
        step = rates[place]
        if (nearest < half) != (signs[row] > 0.0):
            step = -step
        for column in range(columns):
            prototypes[nearest, column] += step * (rows[row, column] - prototypes[nearest, column])
