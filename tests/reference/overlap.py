"""Slow twins of lexical overlap and of retrieval: sentences are lists of words, tables dictionaries of word pairs."""

from math import inf, log1p

SCALE, DAMPING, LEAST, UNSEEN, ALIKE = 1024, 0.3, 1e-4, 0.5, 0.5


def gain(lift):
    """Return what a word gains, in parts of a nat."""
    return round(log1p(lift / DAMPING) * SCALE)


def shares(sentences):
    """Return a function from a word to the share of sentences that have it."""
    return lambda word: max(sum(word in sentence for sentence in sentences), UNSEEN) / len(sentences)


def gains(lexicon, sources, targets):
    """Return the gain of each word pair of {(source word, target word): (p(target | source), p(source | target))}."""
    of_source, of_target = shares(sources), shares(targets)
    found = {}
    for (one, other), (forward, reverse) in lexicon.items():
        if forward >= LEAST and reverse >= LEAST:
            found[one, other] = gain(min(forward / of_target(other), reverse / of_source(one)))
    return found


def overlap(source, target, gained):
    """Return what the words of two sentences gain by their best partners, for each word; `gained(one, other)`."""
    total = sum(max((gained(one, other) for other in target), default=0) for one in source)
    total += sum(max((gained(one, other) for one in source), default=0) for other in target)
    return total / (SCALE * max(len(source) + len(target), 1))


def ranking(scores, wanted, neighbours):
    """Return (number, score) of the best targets of each source, from a list of rows; -inf stands for no score."""
    columns = [list(column) for column in zip(*scores, strict=True)]
    half_sources = [_usual(row, neighbours) / 2 for row in scores]
    half_targets = [_usual(column, neighbours) / 2 for column in columns]
    found = []
    for row, half in zip(scores, half_sources, strict=True):
        above = [(n, value - half_targets[n] - half) for n, value in enumerate(row) if value > -inf]
        found.append(sorted(above, key=lambda pair: (-pair[1], pair[0]))[:wanted])
    return found


def _usual(scores, neighbours):
    best = sorted((score for score in scores if score > -inf), reverse=True)[:neighbours]
    return sum(best) / len(best) if best else 0.0
