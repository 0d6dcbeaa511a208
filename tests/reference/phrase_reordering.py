"""A slow twin of the decoder that may read out of order: every order of every way to cut a source into phrases."""

from tests.reference.phrase_decoding import choices, features_of


def orders(length, reach, read=frozenset(), end=0):
    """Yield all orders in which spans may be read, as lists of (begin, end), and how far they jump in all."""
    if len(read) == length:
        yield [], 0
        return
    gap = min(place for place in range(length) if place not in read)
    for begin in range(length):
        for stop in range(begin + 1, length + 1):
            span = frozenset(range(begin, stop))
            if span & read or abs(begin - end) > reach or (begin > gap and stop - gap > reach):
                continue
            for rest, jumps in orders(length, reach, read | span, stop):
                yield [(begin, stop), *rest], jumps + abs(begin - end)


def chosen_targets(spans, source, table, copies):
    """Yield all choices of what the spans become."""
    if not spans:
        yield []
        return
    for one in choices(source, spans[0], table, copies):
        for rest in chosen_targets(spans[1:], source, table, copies):
            yield [one, *rest]


def decode(source, table, weights, log_probability, copies, reach):
    """Return each target that can be reached with the score of its best way."""
    best = {}
    for spans, jumps in orders(len(source), reach):
        for chosen in chosen_targets(spans, source, table, copies):
            target, features = features_of(chosen, log_probability)
            score = sum(weight * value for weight, value in zip(weights, [*features, -jumps], strict=True))
            if target not in best or score > best[target]:
                best[target] = score
    return best
