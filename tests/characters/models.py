"""Edit models of given weights, and the weights of models as the slow twins name them."""

import numpy as np
from hypothesis import strategies as st

from cepts.characters import EditModel, TrainingOptions
from cepts.characters.letters import Alphabet
from cepts.characters.table_kernels import AFTER, BEFORE, TARGET
from cepts.characters.weights import Weights, gram_of_parts, key_of_parts, parts_of_gram, parts_of_key
from tests.reference import edits

SIDES = {"before": BEFORE, "after": AFTER, "target": TARGET}
orders = st.integers(0, 4)
seeds = st.integers(0, 2**32 - 1)


def words(letters, longest):
    return st.text(alphabet=letters, max_size=longest)


def numbers_of(alphabet, text):
    """The numbers of letters; the ends of a string are 0."""
    return [
        0 if letter in (edits.START, edits.END) else alphabet.letters.index(letter) + 2 for letter in text
    ]


def number_of(alphabet, letter):
    return numbers_of(alphabet, letter)[0] if letter else 0


def weights_of_features(features, sources, targets, allowed=()):
    """Weights as they are kept, of a dictionary of features; `allowed` are (source letter, target letter)."""
    plain, choices = (np.zeros((len(sources), len(targets)), kind) for kind in (np.float32, np.bool_))
    for one, other in allowed:
        choices[number_of(sources, one), number_of(targets, other)] = True
    beside = {}
    for (one, other, side, gram), weight in features.items():
        source, target = number_of(sources, one), number_of(targets, other)
        if not side:
            plain[source, target] = weight
        elif weight:
            key = gram_of_parts(SIDES[side], numbers_of(targets if side == "target" else sources, gram))
            beside[source, target, key] = weight
    grams = sorted({key for _, _, key in beside})
    keyed = sorted((key_of_parts(s, t, grams.index(gram)), weight) for (s, t, gram), weight in beside.items())
    keys = np.array([key for key, _ in keyed], np.int64)
    values = np.array([weight for _, weight in keyed], np.float32)
    return Weights(plain, choices, np.array(grams, np.int64), keys, values)


def features_of_weights(weights, sources, targets):
    """The dictionary of the features of weights that are not zero."""
    found = {}
    for source, target in zip(*np.nonzero(weights.plain), strict=True):
        edit = sources.letter(int(source)), targets.letter(int(target))
        found[*edit, "", ""] = float(weights.plain[source, target])
    sides = {number: side for side, number in SIDES.items()}
    for key, value in zip(weights.keys.tolist(), weights.values.tolist(), strict=True):
        source, target, number = parts_of_key(key)
        kind, letters = parts_of_gram(int(weights.grams[number]))
        alphabet, end = targets if kind == TARGET else sources, edits.END if kind == AFTER else edits.START
        gram = "".join(alphabet.letter(letter) or end for letter in letters)
        found[sources.letter(source), targets.letter(target), sides[kind], gram] = value
    return found


def model_of(features, sources, targets, order, allowed=(), update="perceptron"):
    """A model of given weights over given letters; without log-odds (`perceptron`) its search has no margin."""
    alphabets = Alphabet(sources), Alphabet(targets)
    weights = weights_of_features(features, *alphabets, allowed)
    return EditModel(weights, *alphabets, TrainingOptions(order=order, update=update))


def possible_features(source, target, order):
    """The features of all edits between two strings."""
    everything = {edit for path in edits.paths(source, target) for edit in path}
    return sorted({each for edit in everything for each in edits.features(edit, source, target, order)})


def random_weights(features, random, step=1 / 64):
    """A weight for each feature, a multiple of `step`: sums of them are exact in float32."""
    return {each: float(random.integers(-256, 257)) * step for each in features}


def ends_of_ways(source, allowed, order):
    """The last letters, up to `order`, of all that can be written: a context sees no more, and strings are too many."""

    def longer(ends, taken):
        written = {end + other for end in ends for one, other in allowed if one == taken}
        return {text[max(len(text) - order, 0) :] for text in written}

    ends, found = {""}, set()
    for letter in (*source, None):
        for _ in range(edits.MOST_INSERTIONS):
            ends |= longer(ends, "")
        found |= ends
        ends = longer(ends, letter)
    return found


def features_of_ways(source, allowed, order):
    """The features of all edits that can be done when strings are generated from a source."""
    return sorted(
        {
            each
            for one, other in allowed
            for i in range(len(source) + 1)
            if not one or source[i : i + 1] == one
            for end in ends_of_ways(source, allowed, order)
            for each in edits.features((one, other, i, len(end)), source, end, order)
        }
    )
