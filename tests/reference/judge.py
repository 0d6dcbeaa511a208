"""Slow twins of a judge's evidence: sentences are lists of words, `gained(one, other)` is what a word gains."""

from math import log

UNEXPLAINED, LETTERS = 1.0, 4


def lexical(source, target, gained):
    """Return mean gain, share and number of unexplained words, of the source's words and of the target's."""
    columns = []
    for words, gain in (
        (source, lambda word: max((gained(word, other) for other in target), default=0)),
        (target, lambda word: max((gained(other, word) for other in source), default=0)),
    ):
        gains = [gain(word) / 1024 for word in words]
        lost = sum(one < UNEXPLAINED for one in gains)
        columns += [mean(gains), lost / max(len(words), 1), lost]
    return columns


def surface(source, target):
    """Return lengths, letters, and copied, repeated and doubled words."""
    ratio = log((len(target) + 1) / (len(source) + 1))
    copied = sum(word in source and len(word) >= LETTERS for word in target)
    repeated = len(target) - len(set(target))
    doubled = sum(target[k] == target[k - 1] for k in range(1, len(target)))
    marks = [part for count in (copied, repeated, doubled) for part in (count, count / max(len(target), 1))]
    return [len(target), ratio, abs(ratio), mean([len(word) for word in target]), *marks]


def alignment(source, target, links, score):
    """Return score, confidences, and unlinked words, of links (source place, target place, confidence)."""
    total = sum(link[2] for link in links)
    columns = [score if source and target else 0.0, total, total / max(len(target), 1)]
    for words, place in ((source, 0), (target, 1)):
        free = len(words) - len({link[place] for link in links})
        columns += [free, free / max(len(words), 1)]
    return columns


def mean(numbers):
    """Return the mean, 0 of nothing."""
    return sum(numbers) / len(numbers) if numbers else 0.0


def shared(source, target, names):
    """Return how often a list of features has each, and how differently often another one has it."""
    counts = [target.count(name) for name in names]
    return counts + [abs(source.count(name) - count) for name, count in zip(names, counts, strict=True)]
