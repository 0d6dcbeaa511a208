"""What a model believes of all links: laws, and what IBM-1 must say by its own lexicon."""

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning.recipes import BI_WORD
from cepts.corpus import bitext_from_pairs
from tests.aligning.contract import MONO_WORD, fitted, sample


def generated(posterior):
    """The total probability of what each target word and each source word comes from."""
    return np.concatenate(
        [
            posterior.forward.sum(axis=0) + posterior.target_null,
            posterior.reverse.sum(axis=1) + posterior.source_null,
        ]
    )


@pytest.mark.parametrize("model_type", MONO_WORD)
def test_each_generated_word_comes_from_somewhere(model_type):
    for posterior in fitted({"model_type": model_type}).posteriors(sample().part(0, 40)):
        assert np.allclose(generated(posterior), 1, atol=1e-4)


@pytest.mark.parametrize("model_type", BI_WORD)
def test_a_word_of_a_bi_word_model_comes_from_up_to_two(model_type):
    totals = np.concatenate(
        list(map(generated, fitted({"model_type": model_type}).posteriors(sample().part(0, 40))))
    )
    assert totals.min() > 1 - 1e-4
    assert totals.max() < 2 + 1e-4
    assert totals.max() > 1.05


@pytest.mark.parametrize("options", [{}, {"confidence": "product"}, {"model_type": "ibm1"}])
def test_links_are_the_cells_above_the_threshold(options):
    aligner = fitted(options)
    links = aligner.align(sample())
    for k, posterior in enumerate(aligner.posteriors(sample())):
        cells = np.argwhere(posterior.confidence >= np.float32(aligner.recipe.threshold)).tolist()
        assert cells == [[link.source, link.target] for link in links[k]]
        assert [posterior.confidence[link.source, link.target] for link in links[k]] == [
            np.float32(link.confidence) for link in links[k]
        ]
        assert posterior.score == links.scores[k]


def test_ibm1_says_what_its_lexicon_says():
    aligner = fitted({"model_type": "ibm1", "training": "independent"})
    source, target = sample().source.sentence(0), sample().target.sentence(0)
    posterior = aligner.posteriors(sample())[0]
    lexicon, words = aligner.lexicon()
    rows = [1 + list(words.source).index(word) for word in source]
    column = 1 + list(words.target).index(target[0])
    table = {}
    for row in (0, *rows):
        for k in range(lexicon.row_offsets[row], lexicon.row_offsets[row + 1]):
            table[row, lexicon.columns[k]] = lexicon.values[k, 0]
    null = aligner.recipe.null_probability
    likely = [(1 - null) / len(rows) * table.get((row, column), 0.0) for row in rows]
    total = sum(likely) + null * table.get((0, column), 0.0)
    assert posterior.forward[:, 0] == pytest.approx([one / total for one in likely], abs=1e-3)


def test_one_direction_leaves_the_other_empty():
    aligner = Aligner(direction="forward", training="independent").fit(sample())
    posterior = aligner.posteriors(sample())[0]
    assert np.allclose(posterior.forward.sum(axis=0) + posterior.target_null, 1, atol=1e-4)
    assert not posterior.reverse.any()
    assert not posterior.source_null.any()
    assert np.array_equal(posterior.confidence, np.minimum(posterior.forward, 1))


def test_a_pair_alone_is_as_in_its_text_and_long_ones_are_whole():
    aligner = fitted({})
    long = ("le chat noir " * 150).strip(), ("the black cat " * 150).strip()
    pairs = [("le chat noir", "the black cat"), ("", "nothing"), long]
    first, empty, cut = aligner.posteriors(bitext_from_pairs(pairs))
    alone = aligner.posteriors(pairs[0])
    assert all(np.array_equal(one, other) for one, other in zip(first, alone, strict=True))
    assert (empty.forward.shape, empty.target_null.shape) == ((0, 1), (1,))
    assert np.isnan(empty.score)
    assert cut.forward.shape == (450, 450)
    assert np.allclose(cut.forward.sum(axis=0) + cut.target_null, 1, atol=1e-4)
