"""IBM-1 trained to agree, one iteration on a text, then one on another with the first one's counts: by dictionaries."""

from collections import defaultdict

FLOOR, LEAST, NULL = 1e-7, 0.01, 0.1


def split(text):
    return [(source.split(), target.split()) for source, target in text]


def meetings(text):
    """All pairs of words that meet, and of each word with NULL."""
    found = {(None, None)}
    for source, target in text:
        found |= {(one, other) for one in [*source, None] for other in [*target, None]}
    return found


def expected(text, table):
    """Counts of links, the mean of both directions' posteriors; of NULL in the direction in which it generates."""
    counts = defaultdict(float)
    for source, target in text:
        forward = posteriors(source, target, lambda one, other: table[one, other][0])
        reverse = posteriors(target, source, lambda one, other: table[other, one][1])
        for i, one in enumerate(source):
            for j, other in enumerate(target):
                counts[one, other] += (forward[j][i] + reverse[i][j]) / 2
        for j, other in enumerate(target):
            counts[None, other] += forward[j][-1]
        for i, one in enumerate(source):
            counts[one, None] += reverse[i][-1]
    return counts


def posteriors(states, steps, probability):
    """For each step the probabilities of its states, and of NULL at the end."""
    rows = []
    for step in steps:
        row = [(1 - NULL) / len(states) * probability(state, step) for state in states]
        row.append(NULL * probability(None, step))
        rows.append([value / sum(row) for value in row])
    return rows


def maximised(pairs, counts):
    """Both directions' probabilities of all pairs."""
    rows, columns = defaultdict(float), defaultdict(float)
    for (one, other), count in counts.items():
        rows[one] += count if other is not None else 0
        columns[other] += count if one is not None else 0
    table = {}
    for one, other in pairs:
        forward = counts.get((one, other), 0) / rows[one] if rows[one] else 0
        reverse = counts.get((one, other), 0) / columns[other] if columns[other] else 0
        table[one, other] = (
            0.0 if other is None else max(FLOOR, forward),
            0.0 if one is None else max(FLOOR, reverse),
        )
    return table


def updated(old_text, new_text):
    """The table after one iteration on the old text, and one on the new with the old one's counts."""
    old, new = split(old_text), split(new_text)
    first = maximised(meetings(old), expected(old, dict.fromkeys(meetings(old), (0.001, 0.001))))
    past = {pair: count for pair, count in expected(old, first).items() if count >= LEAST}
    pairs = {*past} | meetings(new) | {(one, None) for one, _ in past} | {(None, other) for _, other in past}
    begun = maximised(pairs, past)
    counts = expected(new, begun)
    for pair, count in past.items():
        counts[pair] += count
    return maximised(pairs, counts)
