"""Slow twins of phrase extraction and of phrase tables: sets and dictionaries, definitions word for word."""

from collections import Counter
from itertools import product


def extract(links, sources, targets, max_length, unaligned):
    """List the boxes of one sentence pair: (source begin, source end, target begin, target end), ends excluded.

    `links` holds (source, target, sure); `sources` and `targets` are the sentences' lengths.
    """
    boxes = product(spans(sources, max_length), spans(targets, max_length))
    return [(*s, *t) for s, t in boxes if is_phrase_pair(links, s, t, unaligned)]


def spans(length, max_length):
    """List all spans of at most so many words, in order."""
    return [(a, b) for a in range(length) for b in range(a + 1, length + 1) if b - a <= max_length]


def is_phrase_pair(links, source, target, unaligned):
    """Tell whether no sure link leaves a box, some link is inside, and free words stand where they may."""
    if any((source[0] <= i < source[1]) != (target[0] <= j < target[1]) for i, j, sure in links if sure):
        return False
    inside = links_inside(links, source, target)
    if not inside:
        return False
    linked_sources, linked_targets = {i for i, _ in inside}, {j for _, j in inside}
    if unaligned == "edges":
        return True
    if unaligned == "inside":
        return {source[0], source[1] - 1} <= linked_sources and {target[0], target[1] - 1} <= linked_targets
    return set(range(*source)) == linked_sources and set(range(*target)) == linked_targets


def holds_all_links(links, source, target):
    """Tell whether the links of each word of a box are inside: the sure ones, or all of a word that has none.

    The phrase pairs of R(S, P) in denero-2011; a word without any link is in none of them.
    """
    for (begin, end), (low, high), side in ((source, target, 0), (target, source, 1)):
        for word in range(begin, end):
            own = [link for link in links if link[side] == word]
            wanted = [link for link in own if link[2]] or own
            if not wanted or any(not low <= link[1 - side] < high for link in wanted):
                return False
    return True


def links_inside(links, source, target):
    """List the links of a box, in order."""
    return sorted((i, j) for i, j, _ in links if source[0] <= i < source[1] and target[0] <= j < target[1])


def table(pairs, max_length=7, unaligned="edges", min_count=1):
    """List the entries of a phrase table: source and target phrase, four scores, links, three counts.

    `pairs` holds (source words, target words, links) with links as in `extract`.
    """
    found = Counter(
        (
            " ".join(source[a:b]),
            " ".join(target[c:d]),
            tuple(moved(links_inside(links, (a, b), (c, d)), a, c)),
        )
        for source, target, links in pairs
        for a, b, c, d in extract(links, len(source), len(target), max_length, unaligned)
    )
    joint, of_source, of_target = Counter(), Counter(), Counter()
    for (source, target, _), count in found.items():
        joint[source, target] += count
        of_source[source] += count
        of_target[target] += count
    given_source, given_target = lexical(pairs)
    entries = []
    for (source, target), count in joint.items():
        if count < min_count:
            continue
        seen = {links: n for (s, t, links), n in found.items() if (s, t) == (source, target)}
        links = min(links for links, n in seen.items() if n == max(seen.values()))
        turned = [(j, i) for i, j in links]
        scores = (
            count / of_target[target],
            weight(source.split(" "), target.split(" "), links, given_target),
            count / of_source[source],
            weight(target.split(" "), source.split(" "), turned, given_source),
        )
        entries.append((source, target, scores, links, (of_target[target], of_source[source], count)))
    return sorted(entries, key=lambda entry: f"{entry[0]} ||| {entry[1]} |||".encode())


def moved(links, source, target):
    """Count links from the beginning of their phrases."""
    return [(i - source, j - target) for i, j in links]


def lexical(pairs):
    """Return p(target | source) and p(source | target) as functions of (generated, given); NULL is None."""
    linked = Counter()
    for source, target, links in pairs:
        linked.update((source[i], target[j]) for i, j, _ in links)
        linked.update((word, None) for i, word in enumerate(source) if i not in {i for i, _, _ in links})
        linked.update((None, word) for j, word in enumerate(target) if j not in {j for _, j, _ in links})
    of_source, of_target = Counter(), Counter()
    for (s, t), count in linked.items():
        of_source[s] += count
        of_target[t] += count
    return (
        lambda target, source: linked[source, target] / max(of_source[source], 1),
        lambda source, target: linked[source, target] / max(of_target[target], 1),
    )


def weight(generated, given, links, probability):
    """Return the lexical weight of a phrase (Koehn, Och and Marcu, 2003), links as (generated, given).

    No word counts less than a ten-millionth: with possible links, a word can have no link in a phrase pair though it
    was never without one in the text.
    """
    product = 1.0
    for k, word in enumerate(generated):
        partners = [given[other] for one, other in links if one == k] or [None]
        product *= max(sum(probability(word, partner) for partner in partners) / len(partners), 1e-7)
    return product
