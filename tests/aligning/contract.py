"""What the tests of aligners share: every kind of aligner, trained once, and what links must always be."""

import functools

import numpy as np
import pytest

from cepts import Aligner, sample_bitext
from cepts.aligning import COMBINERS, MODEL_TYPES, RECIPES
from cepts.aligning.recipes import BI_WORD, FERTILE, NULL_STATES, OPTIMIZERS
from cepts.corpus import Bitext, side_from_tokens

MONO_WORD = tuple(name for name in MODEL_TYPES if name not in BI_WORD)
WAYS = ("forward", "reverse")
BY_DUAL = tuple(name for name, chosen in RECIPES.items() if chosen.combine == "dual")
# The optimisers of each model: fertility models have no gradient to follow.
OPTIMIZED = [
    (model, optimizer)
    for model in MODEL_TYPES
    for optimizer in OPTIMIZERS
    if optimizer == "em" or model not in FERTILE
]
# Every model, by all of its optimisers, without and with the term; the HMM with the other kind of NULL.
TRAINED = [
    {"model_type": model, "optimizer": optimizer, "regularity": regularity}
    for model, optimizer in OPTIMIZED
    for regularity in ("off", "auto")
] + [{"model_type": "hmm", "optimizer": optimizer, "null_state": "forgets"} for optimizer in OPTIMIZERS]
ALIGNERS = [
    *(
        {"model_type": model, "combine": combine}
        for model in MODEL_TYPES
        for combine in COMBINERS
        if combine != "dual" or model == "hmm"
    ),
    *({"model_type": model, "training": "independent", "combine": "grow-diag"} for model in MONO_WORD),
    *({"model_type": model, "training": "independent"} for model in MONO_WORD),
    *(
        {"model_type": model, "training": training, "direction": direction}
        for model in MONO_WORD
        for training in ("agreement", "independent")
        for direction in WAYS
    ),
    *({"model_type": model, "direction": direction} for model in BI_WORD for direction in WAYS),
    *TRAINED,
    *({"model_type": model, "double_probability": 0.9} for model in BI_WORD),
    *({"method": "schoenemann-2011", "model_type": model} for model in MODEL_TYPES),
    *({"method": method} for method in BY_DUAL),
    *({"method": method, "combine": combine} for method in BY_DUAL for combine in ("posterior", "grow-diag")),
    *({"method": method, "direction": direction} for method in BY_DUAL for direction in WAYS),
    *({"method": method, "remainder": "union", "rounds": 3, "alpha": 0.5} for method in BY_DUAL),
    {"combine": "dual", "training": "independent", "step": "harmonic", "min_confidence": 0.2},
    {"model_type": "hmm", "jump_band": 1, "hmm_prior": 0.01, "ibm1_prior": 0.01, "min_confidence": 0.3},
    *({"model_type": model, "null_state": "forgets"} for model in FERTILE),
    *({"jump_classes": 5, "null_state": state} for state in NULL_STATES),
    *({"jump_classes": 5, "combine": combine} for combine in ("dual", "grow-diag")),
    {"model_type": "ibm4", "classes": 1, "ibm4_iterations": 0, "min_confidence": 0.3},
    {"model_type": "hmm", "null_update": "learned", "jump_update": "gradient", "regularity": 0.3},
    {"model_type": "bihmm", "double_probability": 0.2, "jump_update": "renormalised", "regularity": 3.0},
    {
        "model_type": "hmm",
        "ibm1_agreement": "mean",
        "hmm_agreement": "product",
        "doubt": 2.0,
        "same_spelling": 0.0,
    },
]


def name_of(options):
    return "-".join(str(value) for value in options.values())


every_aligner = pytest.mark.parametrize("options", ALIGNERS, ids=name_of)
every_training = pytest.mark.parametrize("options", TRAINED, ids=name_of)
every_model = pytest.mark.parametrize("model_type", MODEL_TYPES)
every_optimised = pytest.mark.parametrize(("model_type", "optimizer"), OPTIMIZED)


@functools.cache
def sample():
    return sample_bitext()


@functools.cache
def _fitted(options):
    return Aligner(**dict(options)).fit(sample())


def fitted(options):
    """An aligner of the built-in sample, trained once for all tests."""
    return _fitted(tuple(options.items()))


def lines(bitext, k):
    return " ".join(bitext.source.sentence(k)), " ".join(bitext.target.sentence(k))


def places(links):
    """The links of each pair as a set of (source, target)."""
    return [{link[:2] for link in pair} for pair in links]


def assert_same_links(first, second):
    for name in ("source", "target", "confidence", "sure", "offsets", "scores"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


def assert_proper(links, bitext, model_type="hmm"):
    """Links in range, sorted, unique, with probabilities; a finite score for each pair that has words.

    A fertility model knows the alignments around its best one: what the other direction links may be in none of them.
    """
    least = 0.0 if model_type in FERTILE else 1e-45  # the smallest float32 above 0
    assert len(links) == len(bitext)
    lengths = bitext.source.lengths, bitext.target.lengths
    for k, pair in enumerate(links):
        found = [(link.source, link.target) for link in pair]
        assert found == sorted(set(found))
        assert all(0 <= i < lengths[0][k] and 0 <= j < lengths[1][k] for i, j in found)
        assert all(least <= link.confidence <= 1 for link in pair)
        if lengths[0][k] and lengths[1][k]:
            assert np.isfinite(links.scores[k])
            assert links.scores[k] <= 1e-6  # a log probability, of sums in float32
        else:
            assert pair == []
            assert np.isnan(links.scores[k])


def planted(seed):
    """200 pairs of distinct words, in which word k translates word k and two neighbours change places; the links."""
    rng = np.random.default_rng(seed)
    pairs, gold = [], []
    for _ in range(200):
        words = rng.choice(60, rng.integers(3, 9), replace=False).tolist()
        order = list(range(len(words)))
        at = int(rng.integers(0, len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
        pairs.append(([f"s{w}" for w in words], [f"t{words[i]}" for i in order]))
        gold.append({(i, j) for j, i in enumerate(order)})
    return bitext_of_words(pairs), gold


def bitext_of_words(pairs):
    return Bitext(*(side_from_tokens([pair[side] for pair in pairs]) for side in (0, 1)))
