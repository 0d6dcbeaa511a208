"""Slow twins of projection: definitions word for word.

`best` holds for each target word (source, confidence) or None; spans are (begin, end) of source words, none within
another.
"""


def spans(wanted, best, max_gap):
    """Return where each span arrives: (begin, end), or None."""
    taken, found = set(), []
    for number, (begin, end) in enumerate(wanted):
        others = [source for k, (a, b) in enumerate(wanted) if k != number for source in range(a, b)]
        foreign = taken | {word for word, link in enumerate(best) if link and link[0] in others}
        own = {word for word, link in enumerate(best) if link and begin <= link[0] < end} - taken
        stretches = [
            (a, b)
            for a in sorted(own)
            for b in sorted(word + 1 for word in own)
            if a < b and not foreign & set(range(a, b)) and longest_gap(own, a, b) <= max_gap
        ]
        largest = [
            (a, b)
            for a, b in stretches
            if not any((c, d) != (a, b) and c <= a and b <= d for c, d in stretches)
        ]
        weight = {(a, b): sum(best[word][1] for word in own if a <= word < b) for a, b in largest}
        found.append(max(largest, key=lambda stretch: (weight[stretch], -stretch[0]), default=None))
        taken |= set(range(*found[-1])) if found[-1] else set()
    return found


def nested_spans(wanted, best, max_gap):
    """Return where spans (begin, end, parent) arrive: (begin, end, sum of confidences, torn), or None."""
    owner, found = [-1] * len(best), []
    for number, (begin, end, parent) in enumerate(wanted):
        together = [span for span in wanted if span[2] == parent]
        parts, gap = [], max_gap + 1
        for word, link in enumerate(best):
            if owner[word] == parent and link and begin <= link[0] < end:
                parts += [[]] if gap > max_gap else []
                parts[-1].append(word)
                gap = 0
            elif owner[word] != parent or (link and any(a <= link[0] < b for a, b, _ in together)):
                gap = max_gap + 1
            else:
                gap += 1
        sums = [sum(best[word][1] for word in part) for part in parts]
        if not parts:
            found.append(None)
            continue
        part = parts[sums.index(max(sums))]
        found.append((part[0], part[-1] + 1, max(sums) / len(part), len(parts) > 1))
        owner[part[0] : part[-1] + 1] = [number] * (part[-1] + 1 - part[0])
    return found


def longest_gap(own, begin, end):
    """Return the length of the longest run of words that are not the span's own."""
    longest = run = 0
    for word in range(begin, end):
        run = 0 if word in own else run + 1
        longest = max(longest, run)
    return longest


def is_tree(heads):
    """Tell whether heads (-1: root) make one tree: one root, and every word leads to it."""
    if [head == -1 for head in heads].count(True) != 1:
        return False
    for word in range(len(heads)):
        seen = set()
        while word != -1:
            if word in seen or not 0 <= word < len(heads):
                return False
            seen.add(word)
            word = heads[word]
    return True
