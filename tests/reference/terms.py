"""A slow twin of terms: all phrase pairs in dictionaries, and their scores formula by formula.

Texts are lists of (source words, target words, links); words are lower-cased, and marks are `.`, `,` and `-`, which no
term has. `function` holds the function words of both sides; links are (source, target) positions.
"""

from collections import defaultdict
from math import log, sqrt

from tests.reference.phrases import extract

MARKS = {".", ",", "-"}


def finds(text, function, most):
    """Map each pair of phrases to the pairs of segments that have it, and whether it is all of them."""
    found = defaultdict(dict)
    wholes = [whole(pair, function, most) for pair in text]
    exempt = [{phrases[side] for phrases in wholes if phrases} for side in (0, 1)]
    for number, (sources, targets, links) in enumerate(text):
        sure = {(i, j, True) for i, j in links}
        for a, b, c, d in extract(sure, len(sources), len(targets), max(most), "edges"):
            pair = tuple(sources[a:b]), tuple(targets[c:d])
            if all(may_be(pair[k], function[k], most[k], exempt[k]) for k in (0, 1)):
                found[pair].setdefault(number, False)
        if wholes[number]:
            found[wholes[number]][number] = True
    return found


def may_be(phrase, function, most, exempt):
    """Tell whether a phrase may be a term."""
    if len(phrase) > most or MARKS & set(phrase):
        return False
    return phrase in exempt or (has_content(phrase, function) and not {phrase[0], phrase[-1]} & function)


def has_content(phrase, function):
    """Tell whether some word is no function word; one letter alone is not enough."""
    return bool(set(phrase) - function) and (len(phrase) > 1 or len(phrase[0]) > 1)


def whole(pair, function, most):
    """Return both segments without the marks at their ends, if they may be terms; those that end in `.` are not."""
    phrases = []
    for words, names, longest in zip(pair[:2], function, most, strict=True):
        stripped = list(words)
        if stripped and stripped[-1] == ".":
            return None
        while stripped and stripped[0] in MARKS:
            stripped.pop(0)
        while stripped and stripped[-1] in MARKS:
            stripped.pop()
        if (
            not stripped
            or MARKS & set(stripped)
            or len(stripped) > longest
            or not has_content(stripped, names)
        ):
            return None
        phrases.append(tuple(stripped))
    return tuple(phrases)


def segments_with(text, side):
    """Count for each stretch of words the segments that have it."""
    counts = defaultdict(set)
    for number, pair in enumerate(text):
        words = pair[side]
        for begin in range(len(words)):
            for end in range(begin + 1, len(words) + 1):
                counts[tuple(words[begin:end])].add(number)
    return {phrase: len(numbers) for phrase, numbers in counts.items()}


def borders(text, side, border):
    """Count for each stretch of words its occurrences, and those at the border: beside a mark or an end."""
    counts = defaultdict(lambda: [0, 0])
    for pair in text:
        words = pair[side]
        for begin in range(len(words)):
            for end in range(begin + 1, len(words) + 1):
                beside = end if border == "last" else begin - 1
                counts[tuple(words[begin:end])][0] += 1
                counts[tuple(words[begin:end])][1] += not 0 <= beside < len(words) or words[beside] in MARKS
    return counts


def likelihood_ratio(both, source, target, segments):
    """G2 of a table of two by two, 0 where the two avoid each other."""
    cells = [[both, source - both], [target - both, max(segments - source - target + both, 0)]]
    total = sum(map(sum, cells))
    ratio = 0.0
    for i in range(2):
        for j in range(2):
            expected = sum(cells[i]) * (cells[0][j] + cells[1][j]) / total
            if (i, j) == (0, 0) and cells[0][0] <= expected:
                return 0.0
            ratio += 2 * cells[i][j] * log(cells[i][j] / expected) if cells[i][j] else 0.0
    return ratio


def contains(longer, phrase):
    """Tell whether a phrase stands within a longer one."""
    size = len(phrase)
    return len(longer) > size and any(longer[k : k + size] == phrase for k in range(len(longer) - size + 1))


def terms(text, function, most, sides):
    """Map each pair of phrases to (count, whole, score); `sides` names the border of each."""
    found = finds(text, function, most)
    having = [segments_with(text, side) for side in (0, 1)]
    at = [borders(text, side, sides[side]) for side in (0, 1)]
    dice = {
        pair: 2 * len(where) / (having[0][pair[0]] + having[1][pair[1]] + 1) for pair, where in found.items()
    }
    steady = [pair for pair, where in found.items() if dice[pair] >= 0.5 and len(where) > 1]
    strength = {
        pair: log(1 + likelihood_ratio(len(where), having[0][pair[0]], having[1][pair[1]], len(text) + 1000))
        for pair, where in found.items()
    }
    strongest = max(strength.values(), default=1.0) or 1.0
    result = {}
    for pair, where in found.items():
        own, edge = [], []
        for side in (0, 1):
            longer = [having[side][other[side]] for other in steady if contains(other[side], pair[side])]
            own.append(1 - max(longer, default=0) / having[side][pair[side]])
            occurrences, there = at[side][pair[side]]
            edge.append(min(1, (there + 1) / (0.2 * occurrences + 1)))
        wholes = sum(where.values())
        joined = all(set(phrase) & names for phrase, names in zip(pair, function, strict=True))
        hood = max(min(own) * sqrt(edge[0] * edge[1]) * (0.8 if joined else 1), wholes / (wholes + 1))
        hood *= 0.8 if len(pair[0]) == len(pair[1]) == 1 else 1
        result[pair] = len(where), wholes, dice[pair] * strength[pair] / strongest * hood
    return result
