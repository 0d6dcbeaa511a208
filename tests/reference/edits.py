"""Slow twins of the edit model, straight from freitag-2007: features in words, weights in a dictionary.

A feature is (source letter, target letter, side, gram): an edit, of which "" is nothing, beside a gram, which stands
"before" or "after" the source's cursor, or before the "target"'s; side and gram of the empty gram are "". START and END
are the ends of a string. An edit of a path is (source letter, target letter, source cursor, target cursor).
"""

import math
from collections import Counter

START, END = "^", "$"
MOST_INSERTIONS = 3  # in a row, when strings are generated


def grams_before(string, cursor, order):
    """The grams of 1 to `order` letters that end at a cursor; the string's start is a letter of them."""
    whole = START + string
    return [whole[cursor + 1 - size : cursor + 1] for size in range(1, order + 1) if size <= cursor + 1]


def grams_after(string, cursor, order):
    """The grams of 1 to `order` letters that begin at a cursor; the string's end is a letter of them."""
    rest = string[cursor:] + END
    return [rest[:size] for size in range(1, order + 1) if size <= len(rest)]


def features(edit, source, target, order):
    """All features of an edit (section 3.1 and table 2)."""
    one, other, i, j = edit
    beside = [("", "")]
    beside += [("before", gram) for gram in grams_before(source, i, order)]
    beside += [("after", gram) for gram in grams_after(source, i, order)]
    beside += [("target", gram) for gram in grams_before(target, j, order)]
    return [(one, other, *where) for where in beside]


def paths(source, target, i=0, j=0):
    """All ways to edit the rest of a source into the rest of a target."""
    if i == len(source) and j == len(target):
        yield []
    if i < len(source) and j < len(target):
        yield from ([(source[i], target[j], i, j), *path] for path in paths(source, target, i + 1, j + 1))
    if i < len(source):
        yield from ([(source[i], "", i, j), *path] for path in paths(source, target, i + 1, j))
    if j < len(target):
        yield from ([("", target[j], i, j), *path] for path in paths(source, target, i, j + 1))


def path_score(weights, path, source, target, order):
    """The sum of the weights of all features of a path."""
    return sum(
        weights.get(feature, 0.0) for edit in path for feature in features(edit, source, target, order)
    )


def last_edits_first(path):
    """The kinds of a path's edits from its end: of equal paths, the one with the smallest list is taken.

    A substitution is taken before a deletion, and that before an insertion.
    """
    return [0 if one and other else 1 if one else 2 for one, other, _, _ in reversed(path)]


def best_path(weights, source, target, order):
    """The affinity of two strings and the edits that reach it."""
    known = {}  # what an edit scores, once for all paths

    def score(edit):
        if edit not in known:
            known[edit] = path_score(weights, [edit], source, target, order)
        return known[edit]

    scored = [(sum(map(score, path)), path) for path in paths(source, target)]
    best = max(value for value, _ in scored)
    return best, min((path for value, path in scored if value == best), key=last_edits_first)


def affinity(weights, source, target, order):
    """The score of the best of all paths (equation 1)."""
    return best_path(weights, source, target, order)[0]


def counted(path, source, target, order):
    """How often a path has each feature."""
    return Counter(feature for edit in path for feature in features(edit, source, target, order))


def learn(weights, source, true, decoy, order):
    """The update of table 1, lines 7 to 11; tells whether the decoy scored no less."""
    (low, one), (high, other) = (best_path(weights, source, target, order) for target in (true, decoy))
    if high < low:
        return False
    change = counted(one, source, true, order)
    change.subtract(counted(other, source, decoy, order))
    for feature, times in change.items():
        weights[feature] = weights.get(feature, 0.0) + times
    return True


def learn_from_lists(weights, source, trues, decoys, order):
    """Learn from the true string that scores least and the decoy that scores most, the first of equals."""
    if not trues or not decoys:
        return False
    true = min(trues, key=lambda string: affinity(weights, source, string, order))
    decoy = max(decoys, key=lambda string: affinity(weights, source, string, order))
    return learn(weights, source, true, decoy, order)


def mean_of(copies):
    """The mean of copies of the weights, one for each presentation (table 1, line 15)."""
    total = Counter()
    for copy in copies:
        total.update(copy)
    return {feature: value / len(copies) for feature, value in total.items() if value != 0}


def ways(source, allowed, i=0, inserted=0, written=""):
    """All ways to generate from a source, (string, path); `allowed` are edits (source letter, target letter)."""
    if i == len(source):
        yield written, []
    else:
        for other in sorted(other for one, other in allowed if one == source[i]):
            edit = (source[i], other, i, len(written))
            yield from (
                (string, [edit, *path]) for string, path in ways(source, allowed, i + 1, 0, written + other)
            )
    if inserted < MOST_INSERTIONS:
        for other in sorted(other for one, other in allowed if one == ""):
            edit = ("", other, i, len(written))
            rest = ways(source, allowed, i, inserted + 1, written + other)
            yield from ((string, [edit, *path]) for string, path in rest)


def generated(weights, source, allowed, order):
    """All strings that can be generated, each with the score of the best way to do it.

    What an edit scores depends on the cursors and on what is written before; so all beginnings go on at once, cursor by
    cursor, and only the best way to each beginning is kept.
    """

    def longer(starts, one, i):
        """What beginnings become by an edit that takes the letter `one`."""
        found = {}
        for start, score in starts.items():
            for other in (other for taken, other in allowed if taken == one):
                edit = (one, other, i, len(start))
                value = score + path_score(weights, [edit], source, start, order)
                found[start + other] = max(value, found.get(start + other, -math.inf))
        return found

    def better(one, other):
        return {
            string: max(one.get(string, -math.inf), other.get(string, -math.inf)) for string in one | other
        }

    starts = {"": 0.0}
    for i in range(len(source) + 1):
        inserted = starts
        for _ in range(MOST_INSERTIONS):
            inserted = longer(inserted, "", i)
            starts = better(starts, inserted)
        if i < len(source):
            starts = longer(starts, source[i], i)
    return starts


def log_chance(weights, source, true, allowed, order):
    """The log of the true target's probability: its best path against all ways to generate, and against itself."""
    score = affinity(weights, source, true, order)
    rivals = (path_score(weights, path, source, string, order) for string, path in ways(source, allowed))
    return score - math.log(sum(map(math.exp, rivals)) + math.exp(score))
