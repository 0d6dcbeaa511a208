"""Slow twins of the association measures: one pair, [source][target], and each word's value with NULL."""

import math


def from_lists(sources, targets, forward, reverse, weigh):
    """Add up the alignments of both lists; `forward` holds (links, log probability), best first."""
    values = [[0.0] * targets for _ in range(sources)]
    source_null, target_null = [0.0] * sources, [0.0] * targets
    for lists, generated, null in ((forward, 1, target_null), (reverse, 0, source_null)):
        weights = [weigh(rank, log_probability) for rank, (_, log_probability) in enumerate(lists, 1)]
        for (links, _), weight in zip(lists, weights, strict=True):
            share = weight / sum(weights)
            for i, j in links:
                values[i][j] += share
            for word in range(len(null)):
                if word not in {link[generated] for link in links}:
                    null[word] += share
    return values, source_null, target_null


WEIGHTS = {
    "counts": lambda _rank, _log_probability: 1.0,
    "ranked": lambda rank, _log_probability: 1 / rank,
    "weighted": lambda _rank, log_probability: math.exp(log_probability),
}


def from_posteriors(forward, reverse, product):
    """Add or multiply two tables [source][target]; NULL has what is left of each generated word."""
    sources, targets = len(forward), len(forward[0])
    join = (lambda p, q: p * q) if product else (lambda p, q: p + q)
    values = [[join(forward[i][j], reverse[i][j]) for j in range(targets)] for i in range(sources)]
    source_null = [max(0.0, 1 - sum(reverse[i])) for i in range(sources)]
    target_null = [max(0.0, 1 - sum(forward[i][j] for i in range(sources))) for j in range(targets)]
    if product:
        source_null = [null * max(0.0, 1 - sum(forward[i])) for i, null in enumerate(source_null)]
        target_null = [
            null * max(0.0, 1 - sum(reverse[i][j] for i in range(sources)))
            for j, null in enumerate(target_null)
        ]
    return values, source_null, target_null


def attached(values, source_null, target_null, standing):
    """Pair words that are left to NULL beside a pair that goes together; the rest goes where the next word goes."""
    sources, targets = len(source_null), len(target_null)

    def at(i, j):
        return values[i][j] if 0 <= i < sources and 0 <= j < targets else 0.0

    paired = [
        [
            values[i][j] + source_null[i] * target_null[j] * max(at(i - 1, j - 1), at(i + 1, j + 1)) / 2
            for j in range(targets)
        ]
        for i in range(sources)
    ]
    source_left = [max(0.0, null - sum(paired[i]) + sum(values[i])) for i, null in enumerate(source_null)]
    target_left = [
        max(0.0, null - sum(paired[i][j] - values[i][j] for i in range(sources)))
        for j, null in enumerate(target_null)
    ]
    result = [list(row) for row in paired]
    for i in range(sources):
        for j in range(targets):
            if i + 1 < sources and sum(paired[i + 1]) > standing:
                result[i][j] += source_left[i] * paired[i + 1][j] / sum(paired[i + 1])
            column = sum(paired[k][j + 1] for k in range(sources)) if j + 1 < targets else 0.0
            if column > standing:
                result[i][j] += target_left[j] * paired[i][j + 1] / column
    return result, source_left, target_left


def together(pairs, source, target):
    """In how many pairs two words are together."""
    return sum(source in one and target in other for one, other in pairs)


def information(pairs, source, target):
    """The mutual information of two words' being in a pair, by its definition; 0 if they avoid each other."""
    total = 0.0
    for has_source in (True, False):
        for has_target in (True, False):
            seen = [(source in one) == has_source for one, _ in pairs]
            heard = [(target in other) == has_target for _, other in pairs]
            both = sum(a and b for a, b in zip(seen, heard, strict=True)) / len(pairs)
            if both > 0:
                total += both * math.log(both / (sum(seen) / len(pairs) * sum(heard) / len(pairs)))
    source_pairs = sum(source in one for one, _ in pairs)
    target_pairs = sum(target in other for _, other in pairs)
    return total if together(pairs, source, target) * len(pairs) > source_pairs * target_pairs else 0.0


def scaled(values, source_null, target_null, n_best, floor):
    """Give a matrix the total of n for each word, and drop what is under the floor unless it is a word's largest."""
    sources, targets = len(source_null), len(target_null)
    total = sum(map(sum, values)) + sum(source_null) + sum(target_null)
    factor = n_best * (sources + targets) / total if total > 0 else 0.0
    values = [[factor * value for value in row] for row in values]
    kept = [
        [
            value
            if value >= floor or value == max(row) or value == max(values[k][j] for k in range(sources))
            else 0.0
            for j, value in enumerate(row)
        ]
        for row in values
    ]
    return kept, [factor * null for null in source_null], [factor * null for null in target_null]
