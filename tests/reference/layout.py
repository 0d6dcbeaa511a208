"""Slow twins of the layout: how a pair is cut, and which word pairs occur."""


def cut(source_length, target_length, max_words):
    """List the ranges (source from, to, target from, to) of one pair's pieces, those with words on both sides."""
    if source_length == 0 or target_length == 0:
        return []
    parts = 1
    while parts * max_words < max(source_length, target_length):
        parts += 1
    pieces = []
    for part in range(parts):
        source = [source_length * border // parts for border in (part, part + 1)]
        target = [target_length * border // parts for border in (part, part + 1)]
        if source[0] < source[1] and target[0] < target[1]:
            pieces.append((*source, *target))
    return pieces


def word_pairs(pairs):
    """Collect the word pairs that occur in id pairs, counted from 1, with the NULL words 0 on either side."""
    found = {(0, 0)}
    for source, target in pairs:
        if not source or not target:
            continue
        for i in source:
            found.add((i + 1, 0))
            found.update((i + 1, j + 1) for j in target)
        found.update((0, j + 1) for j in target)
    return found
