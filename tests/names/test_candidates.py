import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.characters import EditModel
from cepts.characters.letters import Alphabet
from cepts.names import candidates
from cepts.names.candidates import Index, has_letters
from tests.characters.models import model_of, possible_features, random_weights, seeds, words
from tests.names.scripts import pairs
from tests.reference import edits


@pytest.fixture(scope="module")
def model():
    return EditModel.fit(pairs(60, seed=1), mode="rank", order=2, epochs=2, decoys=5)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(words("ab", 3), min_size=1, max_size=3),
    st.lists(words("xy", 3), min_size=1, max_size=6, unique=True),
    st.lists(words("ab", 3), max_size=2),
    st.integers(0, 3),
    seeds,
)
def test_all_names_are_scored_as_by_all_sequences_of_edits(names, listed, company, order, seed):
    features = {
        f for one in names + company for other in listed for f in possible_features(one, other, order)
    }
    weights = random_weights(sorted(features), np.random.default_rng(seed))
    index = Index(model_of(weights, "ab", "xy", order), listed, company)
    found = index.search(names, len(listed))
    for name, others, strengths in zip(names, found.names.tolist(), found.strengths.tolist(), strict=True):
        usual = {
            other: sum(edits.affinity(weights, one, other, order) for one in company) / max(len(company), 1)
            for other in listed
        }
        expected = {other: edits.affinity(weights, name, other, order) - usual[other] for other in listed}
        assert [expected[listed[n]] for n in others] == strengths
        assert strengths == sorted(expected.values(), reverse=True)
        assert sorted(others) == list(range(len(listed)))


def test_few_candidates_are_the_best_of_all(model):
    listed = [target for _, target in pairs(200, seed=2)]
    index = Index(model, listed)
    names = [source for source, _ in pairs(20, seed=2)]
    ranked = model.rank(names, listed, n_best=4)
    found = index.search(names, 4)
    np.testing.assert_allclose(found.strengths, [[c.score for c in row] for row in ranked], atol=1e-4)


def test_tries_and_parts_and_threads_change_nothing(model, monkeypatch):
    listed, names = ([pair[side] for pair in pairs(150, seed=3)] for side in (1, 0))
    whole = Index(model, listed, names[:5]).search(names, 3)
    monkeypatch.setattr(candidates, "LEAVES", 7)
    monkeypatch.setattr(candidates, "NAMES", 11)
    monkeypatch.setattr(candidates, "TRIES", 3)
    many = Index(model, listed, names[:5]).search(names, 3, threads=2)
    monkeypatch.setattr(candidates, "CELLS", 1)
    single = Index(model, listed, names[:5]).search(names, 3)
    for other in (many, single):
        np.testing.assert_array_equal(other.names, whole.names)
        np.testing.assert_array_equal(other.strengths, whole.strengths)


def test_progress_counts_names(model, monkeypatch):
    monkeypatch.setattr(candidates, "NAMES", 4)
    steps = []
    Index(model, ["BA"]).search(["ba"] * 10, 1, progress=steps.append)
    assert steps == [4, 4, 2]


def test_an_index_of_nothing_finds_nothing(model):
    found = Index(model, []).search(["ba", "bo"], 1)
    assert found.names.tolist() == [[-1], [-1]]
    assert Index(model, ["BA"]).search([], 2).names.shape == (0, 2)


def test_names_that_differ_in_unknown_letters_are_all_found(model):
    found = Index(model, ["BAé", "BAü", "BA"]).search(["ba"], 3)
    assert sorted(found.names[0].tolist()) == [0, 1, 2]
    assert found.names[0, 0] == 2


def test_has_letters():
    strings = Alphabet("ab").encode(["a", "", "xx", "xb", "x"])
    assert has_letters(strings).tolist() == [True, False, False, True, False]


USE_EVERYTHING = """
import json, tempfile
from cepts.characters import EditModel
from cepts.names import matching_kernels
from cepts.names.matching import calibrate, match

pairs = [(a + b, (a + b).upper()) for a in "abcde" for b in "abcde"]
with tempfile.TemporaryDirectory() as folder:
    for order in (0, 2):
        model = EditModel.fit(pairs, mode="rank", order=order, epochs=1, decoys=3)
        match(model, ["ab"], ["AB"], threads=2)
        calibrate(model, pairs)
        model.save(f"{folder}/{order}")
        match(EditModel.load(f"{folder}/{order}"), ["ab", "é"], ["AB", "BA"], one_to_one=True)
names = ("number_nodes", "fill_beside", "find_names")
print(json.dumps({name: len(getattr(matching_kernels, name).signatures) for name in names}))
"""


def test_each_kernel_is_compiled_for_one_signature():
    done = subprocess.run([sys.executable, "-c", USE_EVERYTHING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"number_nodes": 1, "fill_beside": 1, "find_names": 1}
