"""Slow twin of the factorisation, goutte-2004: one matrix, row 0 and column 0 are the NULLs.

A component is (weight, source, target), where source[i] is P(source word i | c) and target[j] is P(target word j | c).
The two cepts of NULL have zeros in all places but one of a side, as section 4.2 asks for; noise is uniform over all
cells.
"""

import itertools
import math


def components(sources, targets, ordinary, source_null, target_null):
    """Ordinary cepts, from (weight, source, target) without NULLs, and those of the NULLs, from joint values."""
    made = [(weight, [0.0, *source], [0.0, *target]) for weight, source, target in ordinary]
    for side, joint in ((0, target_null), (1, source_null)):
        weight = sum(joint)
        shares = [0.0] + [each / weight if weight > 0 else 0.0 for each in joint]
        point = [1.0] + [0.0] * (targets if side else sources)
        made.append((weight, shares, point) if side else (weight, point, shares))
    return made


def explained(made, noise, i, j, cells, power):
    """The tempered shares of all components in a cell, that of noise last."""
    parts = [(weight * source[i] * target[j]) ** power for weight, source, target in made]
    return [*parts, (noise / cells) ** power]


def filled(matrix):
    """The cells above zero: (row, column, value)."""
    return [(i, j, m) for i, row in enumerate(matrix) for j, m in enumerate(row) if m > 0]


def objective(matrix, made, noise, power=1.0):
    """(1 / power) * sum of m log(sum over c of component^power): what tempered EM never lowers."""
    cells = len(matrix) * len(matrix[0])
    return sum(
        m * math.log(sum(explained(made, noise, i, j, cells, power))) / power for i, j, m in filled(matrix)
    )


def step(matrix, made, noise, power=1.0):
    """One step of tempered EM, eqs. 3-6."""
    cells = len(matrix) * len(matrix[0])
    size = sum(map(sum, matrix))
    rows = [[0.0] * len(matrix) for _ in made]
    columns = [[0.0] * len(matrix[0]) for _ in made]
    noises = 0.0
    for i, j, m in filled(matrix):
        # E step
        parts = explained(made, noise, i, j, cells, power)
        for c in range(len(made)):
            share = m * parts[c] / sum(parts) / size
            rows[c][i] += share
            columns[c][j] += share
        noises += m * parts[-1] / sum(parts) / size
    # M step
    weights = [sum(row) for row in rows]
    normed = [
        (weight, *([each / weight if weight > 0 else 0.0 for each in side] for side in (row, column)))
        for weight, row, column in zip(weights, rows, columns, strict=True)
    ]
    return normed, noises


def proper_alignments(sources, targets):
    """All ways to put every word of both sides into cepts that have words on both: pairs of tuples of cept numbers."""
    for cepts in range(1, min(sources, targets) + 1):
        for source in itertools.product(range(cepts), repeat=sources):
            firsts = [source.index(c) for c in range(cepts) if c in source]
            if len(firsts) < cepts or firsts != sorted(firsts):
                continue
            for target in itertools.product(range(cepts), repeat=targets):
                if len(set(target)) == cepts:
                    yield source, target


def hard_criterion(matrix, source, target, price, noise=1e-3):
    """The penalised log likelihood of a proper alignment: independent words in each cept, a little noise."""
    sources, targets = len(matrix), len(matrix[0])
    size = sum(map(sum, matrix))
    cepts = max(source) + 1
    row = [0.0] * sources
    column = [0.0] * targets
    for i, j in itertools.product(range(sources), range(targets)):
        if source[i] == target[j]:
            row[i] += matrix[i][j]
            column[j] += matrix[i][j]
    weight = [sum(row[i] for i in range(sources) if source[i] == c) for c in range(cepts)]
    total = 0.0
    for i, j in itertools.product(range(sources), range(targets)):
        inside = source[i] == target[j] and weight[source[i]] > 0
        block = row[i] * column[j] / weight[source[i]] / size if inside else 0.0
        total += matrix[i][j] * math.log((1 - noise) * block + noise / ((sources + 1) * (targets + 1)))
    return total - cepts * price
