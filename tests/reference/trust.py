"""What the words of a link tell, slowly: word by word, from the strings themselves."""

from math import exp, log, sqrt

from cepts.words.likeness import UNLIKE, plain_letters
from cepts.words.spelling import spelling_key
from tests.reference.families import common_subsequence


def likeness(one, two):
    """How alike two words are spelled, from 0 to 1."""
    if spelling_key(one) == spelling_key(two):
        return 1.0
    one, two = plain_letters(one), plain_letters(two)
    if not one or not two:
        return 0.0
    share = common_subsequence(one, two) / max(len(one), len(two))
    return max(0.0, (share - UNLIKE) / (1 - UNLIKE))


def evidence(source, target, links, seen):
    """The four columns for each link {(i, j): confidence} of one pair of lists of words, None for improbable links.

    `seen` are two dictionaries: how often words were there.
    """

    def rarity(side, word):
        return 1 / sqrt(max(1, seen[side].get(word, 0)))

    probable = sum(confidence > 0.5 for confidence in links.values())
    rare_pair = sum(
        sum(rarity(side, word) for word in words) / len(words) for side, words in enumerate((source, target))
    )
    found = {}
    for (i, j), confidence in links.items():
        alike = likeness(source[i], target[j])
        rare = max(rarity(0, source[i]), rarity(1, target[j]))
        row = (rare * (1 - alike), alike, rare_pair, probable / sqrt(len(source) * len(target)))
        found[i, j] = row if confidence > 0.5 else None
    return found


def weighed(confidence, row, trust, size, least):
    """A link's confidence from what it was and its row of evidence."""
    if row is None:
        return confidence
    always, *factors, growth = trust
    factor = always + growth * size + sum(one * other for one, other in zip(factors, row, strict=True))
    return 1 / (1 + exp(-log(confidence / (1 - confidence)) * max(least, factor)))
