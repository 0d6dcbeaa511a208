"""A slow twin of the phrase decoder: every way to cut a source into phrases, every choice of their targets."""

from itertools import product

UNKNOWN_COST = 10.0


def segmentations(source, start=0):
    """Yield all ways to cut a source into phrases, as lists of (begin, end)."""
    if start == len(source):
        yield []
    for end in range(start + 1, len(source) + 1):
        for rest in segmentations(source, end):
            yield [(start, end), *rest]


def choices(source, span, table, copies):
    """List what a phrase may become: (target ids, four features, whether it is unknown)."""
    known = table.get(tuple(source[span[0] : span[1]]), {})
    found = [(target, features, False) for target, features in known.items()]
    if not found and span[1] == span[0] + 1:
        copied = copies[span[0]]
        found = [((copied,) if copied >= 0 else (), (0.0,) * 4, True)]
    return found


def features_of(chosen, log_probability):
    """Add up the features of chosen phrases: four of phrases, language model, length, phrases, unknown ids."""
    target = tuple(number for ids, _, _ in chosen for number in ids)
    sums = [sum(values) for values in zip(*(features for _, features, _ in chosen), strict=True)] or [0.0] * 4
    unknown = sum(is_unknown for _, _, is_unknown in chosen)
    phrases = len(chosen) - unknown
    return target, [*sums, log_probability(target), len(target), -phrases, -UNKNOWN_COST * unknown]


def decode(source, table, weights, log_probability, copies):
    """Return each target that can be reached with the score of its best way."""
    best = {}
    for spans in segmentations(source):
        for chosen in product(*(choices(source, span, table, copies) for span in spans)):
            target, features = features_of(chosen, log_probability)
            score = sum(weight * value for weight, value in zip(weights, features, strict=True))
            if target not in best or score > best[target]:
                best[target] = score
    return best
