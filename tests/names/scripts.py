"""A made-up pair of scripts: names whose letters are written in another way, some of them by their neighbours."""

import numpy as np

# Each source letter and what it becomes; h behind s or c is part of them, e at the end is silent.
RULES = {
    "a": "A",
    "b": "B",
    "c": "K",
    "d": "D",
    "e": "E",
    "i": "I",
    "n": "N",
    "o": "O",
    "r": "R",
    "s": "S",
    "t": "T",
}
CONSONANTS, VOWELS = "bcdnrst", "aeio"


def written(name):
    """Write a name in the other script."""
    target, place = "", 0
    while place < len(name):
        if name[place : place + 2] == "sh":
            target, place = target + "X", place + 2
        elif name[place : place + 2] == "ch":
            target, place = target + "TJ", place + 2
        elif name[place] == "e" and place == len(name) - 1:
            place += 1
        else:
            target, place = target + RULES[name[place]], place + 1
    return target


def pairs(number, seed):
    """Draw different names with what they become."""
    chance = np.random.default_rng(seed)
    found = {}
    while len(found) < number:
        name = ""
        for _ in range(chance.integers(2, 4)):
            consonant = CONSONANTS[chance.integers(len(CONSONANTS))]
            digraph = consonant in "sc" and chance.random() < 0.5
            name += consonant + ("h" if digraph else "") + VOWELS[chance.integers(len(VOWELS))]
        found[name] = written(name)
    return list(found.items())
