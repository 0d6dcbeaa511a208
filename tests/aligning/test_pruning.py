"""Pruning between models: what is improbable behind IBM-1 is not in the HMM's table."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from cepts import Aligner
from cepts.aligning import recipe
from cepts.words import Hmm, Ibm1, Jumps, Lexicon, Trainer, index_bitext
from cepts.words.lexicon import FLOOR
from cepts.words.pruning import probable_pairs, without_others
from tests.aligning.contract import assert_same_links, fitted, sample
from tests.words.corpora import bitext_of, entry_names, random_pairs

PRUNE = 1e-3


def names_of(aligner):
    """The word pairs of the table that an aligner was trained with last."""
    return entry_names(aligner._fitted[1])


def test_nothing_is_dropped_unless_wanted():
    assert_same_links(Aligner(prune=0.0).fit(sample()).align(sample()), fitted({}).align(sample()))
    assert recipe("best", prune=0.0).signature == recipe("best").signature
    assert "prune:0.001" in recipe("best", prune=PRUNE).signature


def test_a_table_from_which_nothing_is_dropped_gives_the_same_bits():
    links = Aligner(prune=1e-20).fit(sample()).align(sample())  # below the smallest probability that there is
    assert_same_links(links, fitted({}).align(sample()))


def test_the_table_of_the_next_model_is_smaller():
    pruned, whole = Aligner(prune=PRUNE).fit(sample()), fitted({})
    assert set(names_of(pruned)) < set(names_of(whole))
    assert len(names_of(pruned)) < 0.8 * len(names_of(whole))


@pytest.mark.parametrize("smallest", [1e-3, 3e-2])
def test_pairs_stay_that_are_probable_in_a_direction_and_all_of_null(smallest, seed):
    indexed = index_bitext(bitext_of(random_pairs(seed, count=50)))
    values = np.random.default_rng(seed).random((len(indexed.columns), 2), np.float32) ** 30
    kept = probable_pairs(indexed, values, smallest, np.array([5]))
    assert 0 < kept.sum() < len(kept)
    for k, (source, target) in enumerate(entry_names(indexed)):
        expected = values[k].max() >= np.float32(smallest) or source == 0 or target == 0 or k == 5
        assert kept[k] == expected
    smaller, new = without_others(indexed, kept)
    names = entry_names(indexed)
    assert entry_names(smaller) == [names[k] for k in np.flatnonzero(kept)]
    for k, name in enumerate(names):
        assert entry_names(smaller)[new[k]] == (name if kept[k] else (0, 0))


def test_it_is_what_a_table_with_all_pairs_gives_that_counts_the_others_never():
    options = {"method": "fast", "hmm_prior": 0.0, "same_spelling": 0.0}
    chosen, indexed = recipe(**options), index_bitext(sample())
    first = Trainer(Ibm1(Lexicon.uniform(indexed), chosen.null_probability), indexed)
    first.run(chosen.ibm1_iterations, chosen.training_of("ibm1"))
    lexicon = first.model.lexicon
    kept = probable_pairs(indexed, lexicon.values, PRUNE)
    lexicon.values[~kept] = FLOOR
    jumps = Jumps.initial(chosen.jump_band, indexed.longest, chosen.null_probability)
    slow = Trainer(Hmm(lexicon, (jumps, jumps), indexed.longest), indexed)
    training = chosen.training_of("hmm")
    for _ in range(chosen.hmm_iterations):
        totals = slow.expect(training)
        totals.lexicon[~kept] = 0.0
        slow.model = slow.model.maximised(totals, training)
        slow.model.lexicon.values[~kept] = FLOOR
    aligner = Aligner(prune=PRUNE, **options).fit(sample())
    _, smaller, model = aligner._fitted
    assert len(smaller.columns) == kept.sum() < len(kept)
    assert_array_equal(model.lexicon.values, slow.model.lexicon.values[kept])
    for one, other in zip(model.jumps, slow.model.jumps, strict=True):
        for vector, same in zip(one.vectors, other.vectors, strict=True):
            assert_array_equal(vector, same)


def test_what_is_known_beforehand_stays():
    source, target = sample().source.words, sample().target.words
    improbable = sorted(set(names_of(fitted({}))) - set(names_of(Aligner(prune=PRUNE).fit(sample()))))
    pair = next((s, t) for s, t in improbable if source[s - 1] != target[t - 1])
    lexicon = [(source[pair[0] - 1], target[pair[1] - 1], 0.001)]
    assert pair in names_of(Aligner(prune=PRUNE).fit(sample(), lexicon=lexicon))


def test_the_saved_model_gives_the_same_links(tmp_path):
    aligner = Aligner(prune=PRUNE).fit(sample())
    aligner.save(tmp_path / "model")
    assert_same_links(Aligner.load(tmp_path / "model").align(sample()), aligner.align(sample()))


def test_more_text_is_added_to_a_pruned_model():
    first, rest = sample().part(0, 150), sample().part(150, len(sample()))
    more = Aligner(prune=PRUNE).fit(first).updated(rest)
    whole = Aligner().fit(first).updated(rest)
    assert len(names_of(more)) < len(names_of(whole))
    assert len(more.align(rest)) == len(rest)
