"""Families of words and their spelling, slowly: dictionaries of word pairs, sums written out."""

from math import exp, log

from tests.reference.lexicon import maximised as maximised_table


def maximised(counts, levels, gains, prior, floor):
    """One direction's values from its counts {(given word, generated word): count}.

    `levels` are (family of each given word, family of each generated word, share of each generated word in its family,
    weight); `gains` is what spelling adds to the logarithm of each pair.
    """
    values = dict.fromkeys(counts, 0.0)
    for given_families, families, shares, weight in levels:
        table = {}
        for (given, word), count in counts.items():
            key = (given_families[given], families[word])
            table[key] = table.get(key, 0.0) + count
        probability = maximised_table(table, prior)
        for given, word in counts:
            chosen = probability[given_families[given], families[word]] * shares[word]
            values[given, word] += weight * log(max(floor, chosen))
    return {pair: max(floor, exp(min(0.0, value + gains[pair]))) for pair, value in values.items()}


def common_subsequence(one, two):
    """The length of the longest common subsequence, by the textbook's table."""
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, letter in enumerate(one):
        for j, other in enumerate(two):
            best = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if letter == other else best
    return table[-1][-1]
