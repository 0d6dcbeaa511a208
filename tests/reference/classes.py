"""Slow twin of word classes: sentences as lists of words, every trial a count of the whole text."""

import math
from collections import Counter
from itertools import combinations, pairwise

BOUNDARY = "the boundary of sentences"
MARGIN = 1e-5  # smaller differences are ties


def class_pairs(sentences, class_of):
    """Count pairs of classes that follow each other, the boundary being a class of its own."""
    pairs = Counter()
    for sentence in sentences:
        if sentence:
            pairs.update(pairwise([BOUNDARY, *(class_of[word] for word in sentence), BOUNDARY]))
    return pairs


def criterion(sentences, class_of):
    """Sum N(c, d) log N(c, d) - sum N_first(c) log N_first(c) - sum N_second(d) log N_second(d)."""
    pairs = class_pairs(sentences, class_of)
    firsts, seconds = Counter(), Counter()
    for (first, second), count in pairs.items():
        firsts[first] += count
        seconds[second] += count
    parts = [n * math.log(n) for n in pairs.values()]
    parts += [-n * math.log(n) for counts in (firsts, seconds) for n in counts.values()]
    return math.fsum(parts)


def log_likelihood(sentences, class_of):
    """The log likelihood of a text under its own class bigram model, word by word: both factors as relative counts."""
    pairs = class_pairs(sentences, class_of)
    words = Counter(word for sentence in sentences for word in sentence)
    sizes = Counter()
    for word, count in words.items():
        sizes[class_of[word]] += count
    before = Counter()
    for (first, _), count in pairs.items():
        before[first] += count
    total = 0.0
    for (first, _), count in pairs.items():
        total += count * math.log(count / before[first])
    for word, count in words.items():
        total += count * math.log(count / sizes[class_of[word]])
    return total


def by_frequency(sentences, vocabulary):
    """The words that occur, the most frequent first, of equals the one that is earlier in the vocabulary."""
    words = Counter(word for sentence in sentences for word in sentence)
    return sorted((word for word in vocabulary if words[word]), key=lambda word: -words[word])


def best_class(sentences, class_of, word, classes):
    """The class that a word moves to: its own if no other is better, else the smallest of the best."""
    tried = [criterion(sentences, {**class_of, word: group}) for group in range(classes)]
    best = class_of[word]
    for group in range(classes):
        if tried[group] > tried[best] + MARGIN:
            best = group
    return best


def exchange(sentences, vocabulary, class_of, classes):
    """One round over all words; returns the new classes and how many words moved."""
    class_of, moved = dict(class_of), 0
    for word in by_frequency(sentences, vocabulary):
        best = best_class(sentences, class_of, word, classes)
        moved += best != class_of[word]
        class_of[word] = best
    return class_of, moved


def cut_by_frequency(sentences, vocabulary, classes):
    """Words by falling frequency in classes of equal parts of the text, or each in its own if there are enough."""
    words = Counter(word for sentence in sentences for word in sentence)
    order, total, through = by_frequency(sentences, vocabulary), sum(words.values()), 0
    class_of = dict.fromkeys(vocabulary, classes - 1)
    for rank, word in enumerate(order):
        through += words[word]
        class_of[word] = rank if len(order) <= classes else (through - 1) * classes // total
    return class_of


def merge_loss(sentences, class_of, one, two):
    """What the criterion loses if the second class joins the first."""
    joined = {word: one if group == two else group for word, group in class_of.items()}
    return criterion(sentences, class_of) - criterion(sentences, joined)


def merge_some(sentences, class_of, groups, classes):
    """Merge a quarter of what is to be merged, at least one pair, the least loss first, no class twice."""
    losses = {
        pair: round(merge_loss(sentences, class_of, *pair), 5) for pair in combinations(range(groups), 2)
    }
    joins = {}
    for one, two in sorted(losses, key=lambda pair: (losses[pair], pair)):
        if len(joins) < max(1, (groups - classes) // 4) and not {one, two} & {*joins, *joins.values()}:
            joins[two] = one
    left = [group for group in range(groups) if group not in joins]
    return {word: left.index(joins.get(group, group)) for word, group in class_of.items()}, len(left)


def word_classes(sentences, vocabulary, classes, rounds, first_rounds=4):
    """A few rounds with twice as many classes, merged, and the rounds proper."""
    class_of = cut_by_frequency(sentences, vocabulary, classes)
    if len(by_frequency(sentences, vocabulary)) > classes:
        groups = 2 * classes
        class_of = cut_by_frequency(sentences, vocabulary, groups)
        for _ in range(min(rounds, first_rounds)):
            class_of, _ = exchange(sentences, vocabulary, class_of, groups)
        while groups > classes:
            class_of, groups = merge_some(sentences, class_of, groups, classes)
    for _ in range(rounds):
        class_of, _ = exchange(sentences, vocabulary, class_of, classes)
    return class_of
