"""Slow twin of weights that are shared among what can be reached.

`seen` lists what happened: (what the context could reach, which of it was taken, how often).
"""

import math


def energy(seen, weights):
    """Return the negative log probability of what happened, straight from the definition of its probability."""
    total = 0.0
    for reachable, taken, count in seen:
        if count > 0:
            total -= count * math.log(weights[taken] / sum(weights[k] for k in reachable))
    return total
