"""Slow twins of lexical tables and dictionaries: sentences are lists of words, links sets of positions."""

from collections import Counter

NULL = "NULL"


def counts(sources, targets, links):
    """Count (source word, target word): each link once, each word without a link once with NULL."""
    counted = Counter()
    for source, target, pair in zip(sources, targets, links, strict=True):
        for i, j in pair:
            counted[source[i], target[j]] += 1
        for i, word in enumerate(source):
            if all(link[0] != i for link in pair):
                counted[word, NULL] += 1
        for j, word in enumerate(target):
            if all(link[1] != j for link in pair):
                counted[NULL, word] += 1
    return counted


def probabilities(counted):
    """Return p(target | source) and p(source | target), each by (source word, target word)."""
    of_source, of_target = Counter(), Counter()
    for (source, target), count in counted.items():
        of_source[source] += count
        of_target[target] += count
    forward = {pair: count / of_source[pair[0]] for pair, count in counted.items()}
    reverse = {pair: count / of_target[pair[1]] for pair, count in counted.items()}
    return forward, reverse


def dictionary(sources, targets, links, min_count, threshold, best, examples):
    """Return (source, target, count, p(t|s), p(s|t), score, examples) as the dictionary lists them."""
    counted = counts(sources, targets, links)
    forward, reverse = probabilities(counted)
    rows = []
    for pair, count in counted.items():
        score = 2 / (1 / forward[pair] + 1 / reverse[pair])
        if NULL not in pair and count >= min_count and score >= threshold:
            shown = [
                k
                for k, (source, target, linked) in enumerate(zip(sources, targets, links, strict=True))
                if any((source[i], target[j]) == pair for i, j in linked)
            ]
            rows.append((*pair, count, forward[pair], reverse[pair], score, tuple(shown[:examples])))
    rows.sort(key=lambda row: (row[0], -round(row[5], 12), row[1]))
    kept = []
    for row in rows:
        if best is None or sum(other[0] == row[0] for other in kept) < best:
            kept.append(row)
    return kept
