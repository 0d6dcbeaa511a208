"""Learned pieces, slow and obvious: every way to cut a run is listed."""

import math
from collections import Counter
from itertools import pairwise, product

LONGEST = 4
JOIN = 3.0


def cuts(units):
    """Yield every way to cut a list of units into pieces of at most four."""
    for choice in product([False, True], repeat=max(0, len(units) - 1)):
        places = [0, *(k for k, cut in enumerate(choice, 1) if cut), len(units)]
        pieces = [units[start:end] for start, end in pairwise(places)]
        if all(len(piece) <= LONGEST for piece in pieces):
            yield pieces


def candidates(runs, fewest):
    """Count the strings of up to four units that are there often enough, and all units."""
    counts = Counter()
    for units, times in runs:
        for start in range(len(units)):
            for end in range(start + 1, min(start + LONGEST, len(units)) + 1):
                counts["".join(units[start:end]), end - start] += times
    return {text: times for (text, size), times in counts.items() if size == 1 or times >= fewest}


def expected(runs, probability):
    """Return expected counts of pieces, and the log likelihood."""
    counts = Counter()
    likelihood = 0.0
    for units, times in runs:
        ways = []
        for pieces in cuts(units):
            chance = math.prod(probability.get("".join(piece), 0.0) for piece in pieces)
            ways.append((chance * math.exp(-JOIN * (len(units) - len(pieces))), pieces))
        total = sum(chance for chance, _ in ways)
        likelihood += times * math.log(total)
        for chance, pieces in ways:
            for piece in pieces:
                counts["".join(piece)] += times * chance / total
    return counts, likelihood
