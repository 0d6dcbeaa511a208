"""The modes on small tasks whose answers are known."""

import numpy as np
import pytest

from cepts.characters import EditModel
from cepts.errors import OptionError

CIPHER = str.maketrans("abcdefgh", "QRSTUVWX")
VOWELS = "aeiou"


def random_words(random, letters, count, shortest=3, longest=7):
    sizes = random.integers(shortest, longest + 1, count)
    return list(dict.fromkeys("".join(random.choice(list(letters), size)) for size in sizes))


@pytest.fixture(scope="module")
def cipher():
    """Words and what they are in a cipher, to learn from and to be asked."""
    words = random_words(np.random.default_rng(1), "abcdefgh", 160)
    pairs = [(word, word.translate(CIPHER)) for word in words]
    return pairs[:100], pairs[100:]


@pytest.mark.parametrize(
    "chosen",
    [
        {"update": "expected", "order": 0, "epochs": 3},
        {"update": "expected", "order": 1, "epochs": 3},
        {"update": "perceptron", "order": 0, "epochs": 5},
    ],
)
def test_a_cipher_is_broken(cipher, chosen):
    learned, asked = cipher
    model = EditModel.fit(learned, **chosen)
    found = model.transcribe([name for name, _ in asked])
    assert [candidates[0].text for candidates in found] == [target for _, target in asked]
    assert [(edit.source, edit.target) for edit in model.explain("abc", "QRS")] == [
        *zip("abc", "QRS", strict=True)
    ]


def test_ranking_finds_the_true_targets_among_all(cipher):
    learned, asked = cipher
    model = EditModel.fit(learned, mode="rank", order=1, epochs=3, decoys=10)
    names, targets = zip(*asked, strict=True)
    assert [found[0].text for found in model.rank(names, targets, 1)] == [*targets]
    assert [found[0].text for found in model.transcribe(names[:20])] == [*targets[:20]]


def test_context_is_learned():
    """c is K before a and S before e: order 1 is enough, order 0 is not."""
    words = random_words(np.random.default_rng(2), "cae", 60, 2, 5)
    pairs = [(word, word.replace("ca", "KA").replace("ce", "SE").replace("c", "C").upper()) for word in words]
    learned, asked = pairs[:40], pairs[40:]

    def right(order):
        model = EditModel.fit(learned, order=order, epochs=10, update="expected")
        found = model.transcribe([source for source, _ in asked])
        return sum(
            candidates[0].text == target for candidates, (_, target) in zip(found, asked, strict=True)
        ) / len(asked)

    assert right(0) < 0.7
    assert right(2) == 1.0


def test_strings_with_a_common_end_are_told_from_others():
    """Groups of words that rhyme, in letters: unseen words go with the ends that they share."""
    random = np.random.default_rng(3)
    ends = ["ack", "eel", "ing", "ort"]
    starts = random_words(random, "bdflmpst", 24, 1, 2)
    groups = [[start + end for start in starts[:14]] for end in ends]
    model = EditModel.fit(groups, mode="classify", order=2, epochs=10)
    for start, other in zip(starts[14:], starts[15:] + starts[14:15], strict=True):
        best = [model.rank([start + end], [other + rival for rival in ends], 1)[0][0].text for end in ends]
        assert best == [other + end for end in ends]


def shared(one, other):
    """The most consonants that can be kept in order (the paper's illustrative affinity, section 3.2)."""
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, first in enumerate(one):
        for j, second in enumerate(other):
            same = first == second and first not in VOWELS
            best[i + 1][j + 1] = max(best[i][j] + same, best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


def consonant_orders(words, random, count):
    """Triples of words, of which the second shares more consonants with the first than the third does."""
    while count:
        source, one, other = random.choice(words, 3, replace=False).tolist()
        values = shared(source, one), shared(source, other)
        if values[0] != values[1]:
            count -= 1
            yield (source, one, other) if values[0] > values[1] else (source, other, one)


def test_the_affinity_of_consonants_is_learned():
    random = np.random.default_rng(4)
    words = random_words(random, "bdgkm" + VOWELS, 340)
    learned = list(consonant_orders(words[:300], random, 4000))
    model = EditModel.fit(learned, mode="affinity", order=0, epochs=5)
    sources, better, worse = zip(*consonant_orders(words[300:], random, 200), strict=True)
    right = model.affinities(sources, better) > model.affinities(sources, worse)
    assert np.mean(right) >= 0.97
    for weight in model.largest_weights(3):
        assert weight.source == weight.target in "bdgkm"
        assert weight.weight > 0


def test_training_is_the_same_for_the_same_seed_and_another_for_another(cipher):
    learned, _ = cipher
    for mode in ("generate", "rank"):
        one, same, other = (
            EditModel.fit(learned[:30], mode=mode, order=1, epochs=2, seed=seed) for seed in (3, 3, 4)
        )
        assert all(np.array_equal(*arrays) for arrays in zip(one.weights, same.weights, strict=True))
        assert not np.array_equal(one.weights.plain, other.weights.plain)
        assert one.history == same.history


@pytest.mark.parametrize(
    ("mode", "rows"), [("classify", [["ab", "b"], ["cd", "d"]]), ("affinity", [("a", "b", "c")])]
)
def test_models_of_one_kind_of_strings_do_not_transcribe(mode, rows):
    model = EditModel.fit(rows, mode=mode, order=1, epochs=1)
    with pytest.raises(
        OptionError,
        match=f"^a model of mode {mode} cannot transcribe; train one of mode generate on pairs$",
    ):
        model.transcribe(["a"])
