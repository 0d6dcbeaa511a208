"""Slow twin of IBM-1: one pair, one direction; `states` generate `steps`, word 0 is NULL."""

import math


def posteriors(states, steps, probability, null):
    """Return the posteriors [step][state], those of NULL [step], and the pair's log probability.

    Where `null` is None, NULL is one more word of the sentence.
    """
    if null is None:
        null = 1 / (len(states) + 1)
    real, nothing, log_probability = [], [], 0.0
    for word in steps:
        joint = [(1 - null) / len(states) * probability[given, word] for given in states]
        to_null = null * probability[0, word]
        total = sum(joint) + to_null
        real.append([share / total for share in joint])
        nothing.append(to_null / total)
        log_probability += math.log(total)
    return real, nothing, log_probability
