"""The loop of batch MIRA (Cherry and Foster, 2012): through a pool of lists, once."""

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.translation.bleu_kernels import REFERENCE, bleu_together


@helper
def score_of(features, row, weights):
    """The weighted sum of a row of features."""
    total = 0.0
    for k in range(len(weights)):
        total += features[row, k] * weights[k]
    return total


@helper
def hope_and_fear(begin, end, features, statistics, weights, document):
    """Return the rows with the best sum and difference of score and gain, and how much more the first one gains."""
    hope, fear, hoped, feared = begin, begin, -np.inf, -np.inf
    hope_gain, fear_gain = 0.0, 0.0
    for row in range(begin, end):
        score = score_of(features, row, weights)
        gain = bleu_together(document, statistics, row) * (document[REFERENCE] + statistics[row, REFERENCE])
        if score + gain > hoped:
            hope, hoped, hope_gain = row, score + gain, gain
        if score - gain > feared:
            fear, feared, fear_gain = row, score - gain, gain
    return hope, fear, hope_gain - fear_gain


@kernel
def mira_epoch(order, offsets, features, statistics, free, step, decay, weights, document, total):
    """Go through the sentences in an order; `weights` and `document` move, and weights are added to `total`."""
    for number in order:
        begin, end = offsets[number], offsets[number + 1]
        hope, fear, gain = hope_and_fear(begin, end, features, statistics, weights, document)
        loss, size = gain, 0.0
        for k in range(len(weights)):
            if free[k]:
                difference = features[hope, k] - features[fear, k]
                loss -= difference * weights[k]
                size += difference * difference
        if loss > 0.0 and size > 0.0:
            length = min(step, loss / size)
            for k in range(len(weights)):
                if free[k]:
                    weights[k] += length * (features[hope, k] - features[fear, k])
        for column in range(len(document)):
            document[column] = decay * document[column] + statistics[hope, column]
        for k in range(len(weights)):
            total[k] += weights[k]
