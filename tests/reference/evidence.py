"""Slow twin of the evidence for words: everything counted anew, without the pairs that are left out."""

from __future__ import annotations

import math
from bisect import bisect_left

NULL, HALF, FEW, ASSUMED = 0.1, 0.5, 0.02, 2.0
WORD_EDGES = [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0]
NEIGHBOUR_EDGES = [-4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
FREQUENCY_EDGES = [0, 1, 3, 8, 20, 60, 200, 1000]

Sentence = list[str]
Link = tuple[int, int, float]


def bucket(level: int, frequency: int) -> int:
    """Number a level and a class of frequency, of which there are nine."""
    return level * 9 + bisect_left(FREQUENCY_EDGES, frequency)


def level(ratio: float, edges: list[float]) -> int:
    """Count the edges that lie below the log of a ratio."""
    return bisect_left([math.exp(edge) for edge in edges], ratio)


def word_buckets(
    corpus: list[tuple[Sentence, Sentence]],
    links: list[list[Link]],
    pair: tuple[Sentence, Sentence],
    left_out: set[int],
) -> list[int]:
    """Return the buckets of a pair's target words, given its source words and all other pairs."""
    seen: dict[tuple[str, str], float] = {}
    source_count: dict[str, int] = {}
    target_count: dict[str, int] = {}
    for k, (source, target) in enumerate(corpus):
        if k in left_out:
            continue
        for word in source:
            source_count[word] = source_count.get(word, 0) + 1
        for word in target:
            target_count[word] = target_count.get(word, 0) + 1
        for i, j, confidence in links[k]:
            key = (source[i], target[j])
            seen[key] = seen.get(key, 0.0) + round(confidence * 1024) / 1024
    words = sum(len(target) for _, target in corpus)
    found = []
    for target in pair[1]:
        made = sum(seen.get((word, target), 0.0) / (source_count.get(word, 0) + HALF) for word in pair[0])
        often = target_count.get(target, 0)
        ratio = NULL + (1 - NULL) / len(pair[0]) * made * words / (often + HALF)
        step = level(ratio, WORD_EDGES)
        if step == 0 and any(map(str.isdigit, target)):
            step = 15
        if target in pair[0]:
            step = 14
        found.append(bucket(step, often))
    return found


def expected_letters(
    corpus: list[tuple[Sentence, Sentence]],
    links: list[list[Link]],
    source: Sentence,
    left_out: set[int],
) -> float:
    """Return how many target letters a source sentence has as a rule, given all other pairs."""
    seen: dict[str, float] = {}
    count: dict[str, int] = {}
    for k, (words, others) in enumerate(corpus):
        if k in left_out:
            continue
        for word in words:
            count[word] = count.get(word, 0) + 1
        linked = [0.0] * len(others)
        for _, j, confidence in links[k]:
            linked[j] += round(confidence * 1024)
        for i, j, confidence in links[k]:
            letters = len(others[j]) * round(confidence * 1024) * (1024 / max(linked[j], 1024))
            seen[words[i]] = seen.get(words[i], 0.0) + round(letters) / 1024
    here = sum(len(word) for words, _ in corpus for word in words)
    there = sum(len(word) for _, others in corpus for word in others)
    return sum(
        (seen.get(word, 0.0) + ASSUMED * there / max(here, 1) * len(word)) / (count.get(word, 0) + ASSUMED)
        for word in source
    )


def neighbour_buckets(corpus: list[Sentence], sentence: Sentence, left_out: set[int]) -> list[int]:
    """Return the buckets of a sentence's neighbours, its borders included, given all other sentences."""
    border = "|"
    together: dict[tuple[str, str], int] = {}
    count: dict[str, int] = {border: 0}
    for k, words in enumerate(corpus):
        if k not in left_out:
            for one, other in zip([border, *words], [*words, border], strict=True):
                together[one, other] = together.get((one, other), 0) + 1
                count[other] = count.get(other, 0) + 1
    total = sum(map(len, corpus)) + len(corpus)
    found = []
    for one, other in zip([border, *sentence], [*sentence, border], strict=True):
        first, second = count.get(one, 0), count.get(other, 0)
        chance = (first + HALF) * (second + HALF) / total
        ratio = (together.get((one, other), 0) + FEW) / (chance + FEW)
        found.append(bucket(level(ratio, NEIGHBOUR_EDGES), min(first, second)))
    return found


def summary(evidence: list[float]) -> list[float]:
    """Sum up the evidence of one sentence, by looking at every stretch of it."""
    if not evidence:
        return [0.0] * 10
    size = len(evidence)
    stretches = [sum(evidence[a:b]) for a in range(size) for b in range(a + 1, size + 1)]
    worst, total = min(0.0, *stretches), sum(evidence)
    against = sum(value < 0 for value in evidence) / size
    root = math.sqrt(size)
    ends = [evidence[0], evidence[-1], min(evidence)]
    beginning = min(0.0, *(sum(evidence[:b]) for b in range(1, size + 1)))
    end = min(0.0, *(sum(evidence[a:]) for a in range(size)))
    outer = [beginning / root, end / root]
    return [total / size, total / root, worst, worst / root, against, *ends, *outer]
