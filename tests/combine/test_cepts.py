"""Cepts by hand, in corners, and of bad options."""

import math
import re

import numpy as np
import pytest

from cepts.combine import Associations, assigning_kernels, from_matrices
from cepts.combine.cepts import Cept, CeptsOptions, factorise, factors
from cepts.combine.shapes import Shapes
from cepts.errors import OptionError

COVER = CeptsOptions(null=False)


def found_in(matrix, options=COVER, null=False):
    """The cepts of one matrix as (source words, target words)."""
    return [(cept.source, cept.target) for cept in factorise(from_matrices([matrix], null), options)[0]]


def test_the_paper_s_kinds_of_cepts():
    # Figure 1 of goutte-2004: "the licence fee does not increase" - "le droit de permis ne augmente pas": le - the,
    # "droit de permis" - "licence fee" (M-N), "ne pas" - "does not" (M-N), augmente - increase.
    matrix = np.zeros((7, 6))
    for source, target in (([0], [0]), ([1, 2, 3], [1, 2]), ([4, 6], [3, 4]), ([5], [5])):
        matrix[np.ix_(source, target)] = 100
    for options in (COVER, COVER._replace(criterion="bic"), COVER._replace(search="restarts")):
        assert found_in(matrix, options) == [([0], [0]), ([1, 2, 3], [1, 2]), ([4, 6], [3, 4]), ([5], [5])]


def test_the_scale_matters_to_the_criterion():
    # Eight planted cepts, 200 counts each: found. As probabilities: the sample is too small for more than one.
    matrix = 200 * np.eye(8)
    for criterion in ("aic", "bic"):
        options = COVER._replace(criterion=criterion)
        assert found_in(matrix, options) == [([k], [k]) for k in range(8)]
        assert found_in(matrix / 200, options) == [(list(range(8)), list(range(8)))]


def test_the_price_of_a_cept_by_hand():
    # Two words a side, x counts on each diagonal cell, no noise. One cept: 2x log(1/4); two: 2x log(1/2). The second
    # gains 2x log 2, and has (I - 1) + (J - 1) + 1 = 3 parameters: AIC takes it from x = 3 / (2 log 2) = 2.16 on.
    # BIC's price is 3/2 log(2x): at x = 1.05 that is 1.11, less than the gain of 1.46.
    options = COVER._replace(noise=False)
    assert [len(found_in(x * np.eye(2), options)) for x in (2.1, 2.2)] == [1, 2]
    assert [
        len(found_in(x * np.eye(2), options._replace(criterion="bic"))) for x in (0.0, 1.05, 2.1, 100)
    ] == [1, 2, 2, 2]


def test_a_likelihood_by_hand():
    # As above, x = 50: 100 log(1/2); with one cept 100 log(1/4).
    matrices = from_matrices([50 * np.eye(2)])
    for cepts, chance in ((1, 1 / 4), (2, 1 / 2)):
        options = COVER._replace(noise=False, cepts=cepts, steps=100)
        assert factorise(matrices, options).log_likelihoods[0] == pytest.approx(
            100 * math.log(chance), rel=1e-6
        )
        assert factors(matrices, 0, options).probabilities == pytest.approx([1 / cepts] * cepts, rel=1e-6)


def test_words_of_null():
    # Source word 1 and target word 2 go with NULL most of the time.
    matrix = [[0, 0, 0, 90], [0, 100, 0, 5], [95, 5, 5, 0], [0, 0, 100, 5]]
    found = factorise(from_matrices([matrix], null=True))
    assert [cept[:2] for cept in found[0]] == [([0], [0]), ([2], [1])]
    assert found.source.tolist() == [0, -1, 1]
    assert found.target.tolist() == [0, 1, -1]
    assert found.aligned_share() == pytest.approx(4 / 6)
    assert found.source_confidence.min() > 0.7
    # If none may be NULL's, these words are aligned after all.
    covered = factorise(from_matrices([matrix], null=True), COVER)
    assert covered.aligned_share() == 1


def test_confidence_by_hand():
    # One cept without noise: it is all that explains the words. With a NULL of 25 counts against 75, it is 3/4.
    matrices = from_matrices([[[0, 0], [25, 75]]], null=True)
    found = factorise(matrices, CeptsOptions(noise=False, steps=200))
    assert found.source_confidence.tolist() == pytest.approx([0.75])
    assert found.target_confidence.tolist() == pytest.approx([1.0])
    assert found.probabilities.tolist() == pytest.approx([0.75])
    [link] = found.links()[0]
    assert link.confidence == pytest.approx(0.75), "that of the less certain word"
    assert found.links(min_confidence=0.76)[0] == []
    assert [found.links(sure_confidence=sure)[0][0].sure for sure in (0.7, 0.8)] == [True, False]
    assert [found.aligned_share(least) for least in (0.7, 0.8)] == [1.0, 0.5]


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (3, 4)])
def test_a_matrix_of_zeros(shape):
    matrix = np.zeros(shape)
    assert found_in(matrix) == [(list(range(shape[0])), list(range(shape[1])))], (
        "one cept, as little is known"
    )
    found = factorise(from_matrices([matrix]), COVER)
    assert not found.source_confidence.any()
    assert not found.target_confidence.any()
    assert found_in(matrix, CeptsOptions()) == [], "without coverage, all words are NULL's"


def test_rows_and_columns_of_zeros():
    matrix = np.zeros((3, 3))
    matrix[0, 0], matrix[2, 1] = 120, 80
    assert found_in(matrix) == [([0, 1], [0, 2]), ([2], [1])], (
        "what nothing explains goes to the heaviest cept"
    )
    found = factorise(from_matrices([matrix]), COVER)
    assert found.source_confidence[1] == found.target_confidence[2] == 0 < found.source_confidence[0]
    assert found_in(matrix, CeptsOptions()) == [([0], [0]), ([2], [1])]


@pytest.mark.parametrize("turned", [False, True])
def test_one_word_against_many(turned):
    matrix = np.array([[5.0, 80, 0, 20, 1]])
    cept = ([0], [0, 1, 2, 3, 4])
    assert found_in(matrix.T if turned else matrix) == [cept[::-1] if turned else cept]


@pytest.mark.parametrize("search", ["annealing", "restarts"])
def test_more_cepts_than_a_matrix_allows(search):
    found = factorise(
        from_matrices([100 * np.eye(3), np.ones((2, 9))]), COVER._replace(cepts=7, search=search)
    )
    assert len(found[0]) == 3
    assert found.chosen[0] == 3
    assert found.chosen[1] <= 2


@pytest.mark.parametrize("cepts", [1, 2, 3])
def test_a_given_number_of_cepts(cepts):
    matrix = np.kron(np.eye(4), np.full((2, 2), 100.0))
    found = factorise(from_matrices([matrix]), COVER._replace(cepts=cepts))
    assert found.chosen.tolist() == [cepts]
    assert len(found[0]) == cepts


def test_pairs_without_words():
    matrices = from_matrices([np.zeros((0, 3)), 100 * np.eye(2), np.zeros((2, 0)), np.zeros((0, 0))])
    for options in (CeptsOptions(), COVER):
        found = factorise(matrices, options)
        assert [len(cepts) for cepts in found] == [0, 2, 0, 0]
        assert found.target.tolist() == [-1, -1, -1, 0, 1]
        assert [len(links) for links in found.links()] == [0, 2, 0, 0]


def test_no_pairs():
    found = factorise(from_matrices([]))
    assert (len(found), len(found.links()), found.aligned_share()) == (0, 0, 0.0)


def test_orphans_find_a_home():
    # Two cepts fit 20-100 and 0-1, 0-5, but both target words prefer the first: the second is an orphan.
    matrices = from_matrices([[[20, 100], [0, 1], [0, 5]]])
    options = COVER._replace(cepts=2, noise=False, steps=300, tolerance=0.0)
    reassigned, retrained = (
        factorise(matrices, options._replace(orphans=each)) for each in ("reassign", "retrain")
    )
    for found in (reassigned, retrained):
        assert found.chosen.tolist() == [2]
        assert [cept[:2] for cept in found[0]] == [([0, 1, 2], [0, 1])]
    # The cept that was taken out keeps its share in the words, unless the rest is fitted anew.
    assert reassigned.source_confidence[1:].max() < 0.1 < reassigned.source_confidence[0] < 0.9
    assert retrained.source_confidence.tolist() == pytest.approx([1, 1, 1])
    assert retrained.probabilities.tolist() == pytest.approx([1])


def test_an_orphan_beside_null():
    # The only target word is NULL's: the cept of the source words is an orphan, and they become NULL's too.
    found = factorise(from_matrices([[[0, 100], [3, 4], [2, 5]]], null=True))
    assert found[0] == []
    assert found.source.tolist() == [-1, -1]


def test_the_seed_of_restarts(seed):
    rng = np.random.default_rng(seed)
    matrices = from_matrices([rng.uniform(0, 100, (8, 8)) for _ in range(10)])
    found = [
        factorise(matrices, COVER._replace(search="restarts", restarts=1, seed=seed)).log_likelihoods
        for seed in (0, 0, 100)
    ]
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()


def test_a_pair_has_its_own_cepts(seed):
    rng = np.random.default_rng(seed)
    found = factorise(from_matrices([100 * np.eye(2), rng.uniform(0, 50, (3, 3))]))
    assert isinstance(found[0][0], Cept)
    assert found[-1] == found[1]
    assert sum(cept.probability for cept in found[0]) == pytest.approx(1, abs=0.05)
    assert found.probabilities.dtype == np.float32
    with pytest.raises(IndexError):
        found[2]


def test_factors_of_a_pair_without_words():
    message = "pair 1 has 0 source and 3 target words: nothing to factorise"
    with pytest.raises(OptionError, match=re.escape(message)):
        factors(from_matrices([np.eye(2), np.zeros((0, 3))]), 1)


def test_factors_are_of_the_pair_that_was_asked_for(seed):
    rng = np.random.default_rng(seed)
    own = [rng.uniform(0, 50, shape) for shape in ((2, 5), (4, 3), (3, 3))]
    together, alone = factors(from_matrices(own), 1), factors(from_matrices(own[1:2]))
    for one, two in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one, two)
    assert together.source.shape[0] == 4
    assert together.target.shape[0] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (CeptsOptions(criterion="mdl"), "criterion='mdl': expected one of aic, bic"),
        (CeptsOptions(search="luck"), "search='luck': expected one of annealing, restarts"),
        (CeptsOptions(orphans="keep"), "orphans='keep': expected one of reassign, retrain"),
        (CeptsOptions(cepts=-1), "cepts=-1: expected a number from 0 to 10000"),
        (CeptsOptions(restarts=0), "restarts=0: expected a number from 1 to 10000"),
        (CeptsOptions(seed=-3), "seed=-3: expected a number from 0 to 2147483647"),
        (CeptsOptions(steps=0), "em_steps=0: expected a number from 1 to 100000"),
        (CeptsOptions(warm_steps=0), "warm_steps=0: expected a number from 1 to 100000"),
        (CeptsOptions(patience=-1), "patience=-1: expected a number from 0 to 100000"),
        (CeptsOptions(tolerance=math.nan), "tolerance=nan: expected a number from 0 to below 1"),
        (CeptsOptions(powers=(0.3,)), "power 0.3: expected a multiple of 1/8 between 0 and 1"),
        (CeptsOptions(powers=(1.0,)), "power 1.0: expected a multiple of 1/8 between 0 and 1"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    for function in (factorise, lambda matrices, options: factors(matrices, 0, options)):
        with pytest.raises(OptionError, match=re.escape(message)):
            function(from_matrices([np.eye(2)]), options)


def test_kernels_compile_once():
    zeros = np.zeros(0, np.float32)
    nothing = Associations(zeros, zeros, zeros, Shapes(np.zeros(1, np.int64), np.zeros(1, np.int64)))
    for options in (CeptsOptions(), COVER._replace(search="restarts", tolerance=0, cepts=2)):
        for matrices in (nothing, from_matrices([np.eye(2)])):
            factorise(matrices, options).links(0.5)
    for compiled in (assigning_kernels.factorise_pairs, assigning_kernels.collect_links):
        assert len(compiled.signatures) == 1
