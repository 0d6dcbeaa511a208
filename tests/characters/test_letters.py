"""Letters: normal forms, and what is no letter in any book."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.characters import EditModel
from cepts.characters.letters import Alphabet, composed
from cepts.errors import OptionError

NAMES = [("josé", "ЖОСЕ"), ("zoë", "ЗОЙ"), ("renée", "РЕНЕЕ"), ("noël", "НОЙЛ"), ("inés", "ИНЕС")]
ODD = ["\ud800", "\x00", "\U0001f600", "\U0010ffff", "\n", "\r", "\u2028", " ", "\t", "\ufeff"]


def decomposed(rows):
    return [tuple(unicodedata.normalize("NFD", text) for text in row) for row in rows]


def test_normal_forms_give_the_same_model_and_the_same_results():
    one = EditModel.fit(NAMES, dev=decomposed(NAMES[:2]), order=2, epochs=2)
    other = EditModel.fit(decomposed(NAMES), dev=NAMES[:2], order=2, epochs=2)
    assert one.source_alphabet.letters == other.source_alphabet.letters
    assert all(np.array_equal(*arrays) for arrays in zip(one.weights, other.weights, strict=True))
    assert one.history == other.history
    assert one.history.overlap == 2
    names, targets = ([row[side] for row in NAMES] for side in (0, 1))
    names_apart, targets_apart = ([row[side] for row in decomposed(NAMES)] for side in (0, 1))
    assert names != names_apart
    assert one.transcribe(names) == one.transcribe(names_apart)
    assert one.affinities(names, targets).tolist() == one.affinities(names_apart, targets_apart).tolist()
    assert one.rank(names, targets) == one.rank(names_apart, targets_apart)
    assert one.explain(names[0], targets[0]) == one.explain(names_apart[0], targets_apart[0])


@given(st.lists(st.text(max_size=5), max_size=5))
def test_composed_strings_are_those_of_unicode(strings):
    assert composed(strings) == [unicodedata.normalize("NFC", string) for string in strings]


@given(st.lists(st.text(st.characters(codec=None), max_size=6), max_size=5))
def test_encoded_strings_can_be_read_again(strings):
    alphabet = Alphabet.of(strings)
    encoded = alphabet.encode(strings)
    assert encoded.letters.dtype == np.int32
    assert np.all(encoded.letters >= 2)
    bounds = zip(encoded.offsets[:-1], encoded.offsets[1:], strict=True)
    assert [alphabet.decode(encoded.letters[begin:end]) for begin, end in bounds] == strings
    assert list(alphabet.letters) == sorted({*"".join(strings)})


def test_letters_that_are_not_in_the_alphabet_are_one_number():
    alphabet = Alphabet("ab")
    assert alphabet.encode(["aéb", "", "ü"]).letters.tolist() == [2, 1, 3, 1]
    assert alphabet.encode(["aéb", "", "ü"]).offsets.tolist() == [0, 3, 3, 4]
    assert alphabet.decode(np.array([1, 2, 1]), "éü") == "éaü"
    assert [alphabet.letter(number) for number in range(4)] == ["", "", "a", "b"]
    assert len(alphabet) == 4


def test_any_code_point_can_be_learned():
    turned = dict(zip(ODD, ODD[1:] + ODD[:1], strict=True))
    pairs = [(one + other, turned[one] + turned[other]) for one in ODD for other in ODD]
    model = EditModel.fit(pairs, order=1, epochs=3)
    found = model.transcribe([source for source, _ in pairs])
    assert [candidates[0].text for candidates in found] == [target for _, target in pairs]
    assert [edit[:2] for edit in model.explain(*pairs[1])] == [*zip(*pairs[1], strict=True)]


def test_any_code_point_can_be_copied():
    model = EditModel.fit([("ab", "AB"), ("ba", "BA"), ("aa", "AA"), ("bb", "BB")], order=1, epochs=5)
    found = model.transcribe([f"a{letter}b" for letter in ODD], 1)
    assert [candidates[0].text for candidates in found] == [f"A{letter}B" for letter in ODD]


def test_more_letters_than_numbers_are_refused():
    letters = [chr(0x4E00 + n) for n in range(16_382)]
    assert len(Alphabet(letters[:16_381])) == 16_383
    message = "^the strings have 16382 different letters; at most 16381 can be told apart$"
    with pytest.raises(OptionError, match=message):
        EditModel.fit([(letter, "x") for letter in letters], order=0)


def test_the_largest_numbers_of_letters_are_told_apart():
    letters = [chr(0x3400 + n) for n in range(16_381)]
    pairs = [
        (letters[0] + letters[-1], "xy"),
        (letters[-1] + letters[0], "yx"),
        ("".join(letters[:999]), "z"),
    ]
    rest = [("".join(letters[n : n + 990]), "z") for n in range(990, 16_381, 990)]
    model = EditModel.fit([*pairs, *rest], mode="rank", order=2, epochs=2, decoys=1)
    assert model.affinity(*pairs[0]) > model.affinity(pairs[0][0], pairs[1][1])
    assert model.affinity(*pairs[1]) > model.affinity(pairs[1][0], pairs[0][1])
