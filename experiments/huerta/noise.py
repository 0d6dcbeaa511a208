"""Bad pairs put into clean text: shuffled, truncated, mistranslated, and translated by a machine."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

SHUFFLED, TRUNCATED, MISTRANSLATED, MACHINE = "shuffled", "truncated", "mistranslated", "machine"
KINDS = (SHUFFLED, TRUNCATED, MISTRANSLATED)
CLEAN = ""
CUT = (1 / 3, 1 / 2)  # the share of a side that is cut off
WRONG = (0.2, 0.5)  # the share of target words that become others
NEAR = 0.05  # of all words by frequency: how far another word may be in rank
FEWEST = 4  # words of a side that is truncated or mistranslated

Words = list[str]
Pair = tuple[Words, Words]


class Noisy(NamedTuple):
    """Pairs, and of each the kind of its noise, or CLEAN."""

    pairs: list[Pair]
    kinds: list[str]


def spoil(pairs: Sequence[Pair], share: float, seed: int, machines: Sequence[Words] | None = None) -> Noisy:
    """Spoil a share of the pairs, as many in each way; with machine translations of all sources, these are one more.

    A pair that a way cannot spoil stays clean: too short, or no other target of its length.
    """
    draw = np.random.default_rng(seed)
    ways = KINDS if machines is None else (*KINDS, MACHINE)
    chosen = draw.permutation(len(pairs))[: round(share * len(pairs))]
    made = Noisy(list(pairs), [CLEAN] * len(pairs))
    for way, numbers in zip(ways, np.array_split(chosen, len(ways)), strict=True):
        if way == SHUFFLED:
            found = shuffled(pairs, numbers.tolist())
        elif way == MACHINE:
            found = {number: (pairs[number][0], machines[number]) for number in numbers.tolist()}
        else:
            one = truncated if way == TRUNCATED else Mistranslation(pairs)
            found = {number: one(pairs[number], draw) for number in numbers.tolist()}
        for number, pair in found.items():
            if lowered(pair) != lowered(pairs[number]) and all(pair):
                made.pairs[number], made.kinds[number] = pair, way
    return made


def shuffled(pairs: Sequence[Pair], numbers: Sequence[int]) -> dict[int, Pair]:
    """Exchange targets of equal length among some pairs, in rings."""
    rings: dict[int, list[int]] = defaultdict(list)
    for number in numbers:
        rings[len(pairs[number][1])].append(number)
    return {
        one: (pairs[one][0], pairs[other][1])
        for ring in rings.values()
        for one, other in zip(ring, [*ring[1:], ring[0]], strict=True)
    }


def truncated(pair: Pair, draw: Generator) -> Pair:
    """Cut the end off one side; what stood last, the full stop, stays in half of the cases."""
    which = int(draw.integers(2))
    words, share, stays = pair[which], draw.uniform(*CUT), draw.random() < 0.5
    if len(words) < FEWEST:
        return pair
    kept = words[: len(words) - max(1, round(share * len(words)))] + (words[-1:] if stays else [])
    return (kept, pair[1]) if which == 0 else (pair[0], kept)


class Mistranslation:
    """Puts words of like frequency in the place of some target words."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        counts: dict[str, int] = defaultdict(int)
        for _, target in pairs:
            for word in target:
                counts[word] += 1
        self.ranked = sorted(counts, key=lambda word: (counts[word], word))
        self.rank = {word: rank for rank, word in enumerate(self.ranked)}

    def __call__(self, pair: Pair, draw: Generator) -> Pair:
        """Make another pair of one."""
        source, target = pair
        if len(target) < FEWEST:
            return pair
        wrong = max(1, round(draw.uniform(*WRONG) * len(target)))
        places = draw.choice(len(target), wrong, replace=False).tolist()
        made = list(target)
        for place in places:
            made[place] = self.another(target[place], draw)
        return source, made

    def another(self, word: str, draw: Generator) -> str:
        """Draw a word that is about as frequent."""
        reach = max(1, round(NEAR * len(self.ranked)))
        rank = self.rank[word] + int(draw.integers(-reach, reach + 1))
        return self.ranked[min(max(rank, 0), len(self.ranked) - 1)]


def lowered(pair: Pair) -> Pair:
    """Return a pair in lower case, as aligners see it."""
    return [word.lower() for word in pair[0]], [word.lower() for word in pair[1]]
