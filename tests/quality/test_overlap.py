import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepts
from cepts.corpus import Bitext, bitext_from_pairs, side_from_tokens
from cepts.errors import InputError, OptionError
from cepts.quality import overlap as overlap_module
from cepts.quality import overlap_kernels
from cepts.quality.gains import GainTable, KnownWords, gains_of_lexicon, gains_of_lifts
from cepts.quality.overlap import BlockOverlaps, LexicalOverlap, Postings
from cepts.words import Lexicon
from tests.quality.overlaps import LEFT, RIGHT, bitext_of, overlap_of, random_gains, random_sentences
from tests.reference import overlap as twin

seeds = st.integers(0, 2**32 - 1)


def gained(gains):
    """Return what one word gains by another: as given, and `new` by itself, which one of 10 sentences might have."""
    alike = twin.gain(twin.ALIKE / (twin.UNSEEN / 10))
    return lambda one, other: alike if one == other == "new" else gains.get((one, other), 0)


@given(seeds)
def test_overlap_is_what_all_words_gain_by_their_best_partners(seed):
    random = np.random.default_rng(seed)
    gains = random_gains(random)
    sources, targets = (random_sentences(random, letters, 7) for letters in (LEFT, RIGHT))
    scores = overlap_of(gains).score(bitext_of(sources, targets))
    expected = [
        twin.overlap(source, target, gained(gains)) for source, target in zip(sources, targets, strict=True)
    ]
    assert scores.tolist() == np.array(expected, np.float32).tolist()


@given(seeds, st.integers(0, 6), st.integers(0, 6))
def test_blocks_give_what_pairs_give_in_both_directions(seed, one, other):
    first, end = min(one, other), max(one, other)
    random = np.random.default_rng(seed)
    overlap = overlap_of(random_gains(random))
    sources, targets = random_sentences(random, LEFT, 6), random_sentences(random, RIGHT, 5)
    text = bitext_of(sources, targets)
    grid = [(source, target) for source in sources for target in targets]
    every = overlap.score(bitext_of(*zip(*grid, strict=True))).reshape(6, 5)
    found = overlap.scores_of(text.source, text.target, first, end)
    assert found.tolist() == every[first:end].tolist()
    swapped = BlockOverlaps.of(overlap, text.source, text.target).swapped()
    assert swapped.block(0, 5).tolist() == every.T.tolist()


@given(seeds)
def test_gains_come_from_the_smaller_lift(seed):
    random = np.random.default_rng(seed)
    sources, targets = random_sentences(random, LEFT, 8), random_sentences(random, RIGHT, 8)
    values = np.exp(random.uniform(np.log(1e-6), 0, (5, 5, 2))).astype(np.float32)
    lexicon = Lexicon(
        np.arange(0, 26, 5, dtype=np.int64), np.tile(np.arange(5, dtype=np.int32), 5), values.reshape(-1, 2)
    )
    known = [
        KnownWords.of(side_from_tokens(side), list(letters))
        for side, letters in ((sources, LEFT), (targets, RIGHT))
    ]
    table = gains_of_lexicon(lexicon, *known)
    by_words = {
        (one, other): values[i + 1, j + 1].astype(float)
        for i, one in enumerate(LEFT)
        for j, other in enumerate(RIGHT)
    }
    expected = {pair: gain for pair, gain in twin.gains(by_words, sources, targets).items() if gain}
    found = zip(table.rows().tolist(), table.columns.tolist(), table.gains.tolist(), strict=True)
    assert {(LEFT[i], RIGHT[j]): gain for i, j, gain in found} == expected
    for row in range(len(LEFT)):
        gains = table.gains[table.row_offsets[row] : table.row_offsets[row + 1]].tolist()
        assert gains == sorted(gains, reverse=True)


def test_gain_worked_out_by_hand():
    # A word of every other sentence that is certain beside its partner: a lift of 2, log(1 + 2 / 0.3) = 2.0369 nats,
    # 2085.8 of 1024 parts. Both words of the pair gain that much.
    assert gains_of_lifts(np.array([2.0])).tolist() == [2086]
    assert overlap_of({("a", "w"): 2086}).score(bitext_of([["a"]], [["w"]])).tolist() == [2086 / 1024]
    # Beside one more word that gains nothing: two thirds of it.
    found = overlap_of({("a", "w"): 2086}).score(bitext_of([["a", "b"]], [["w"]]))
    assert found.tolist() == [np.float32(2 * 2086 / 1024 / 3)]


def test_nothing_in_common_scores_0():
    overlap = overlap_of({("a", "w"): 1000})
    text = bitext_of([[], ["a"], ["b"], ["unheard"], []], [["w"], [], ["w"], ["of"], []])
    assert overlap.score(text).tolist() == [0.0] * 5
    assert not overlap.scores_of(text.source, side_from_tokens([]), 0, 5).size
    assert overlap.score(bitext_of([], [])).tolist() == []


def test_new_words_gain_by_those_that_are_written_alike():
    overlap = overlap_of({("a", "w"): 1000})
    same, number, other = overlap.score(
        bitext_of([["kyoto"], ["1,000.5"], ["kyoto"]], [["kyoto"], ["1.000,5"], ["osaka"]])
    )
    assert same == number > 1
    assert other == 0
    # Words that are known on both sides gain by translations alone.
    known = KnownWords(["no"], np.array([5]), 10)
    table = GainTable.of(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32), 1)
    assert LexicalOverlap(table, known, known).score(bitext_of([["no"]], [["no"]])).tolist() == [0.0]


def test_parts_and_threads_change_nothing(monkeypatch, seed):
    random = np.random.default_rng(seed)
    overlap = overlap_of(random_gains(random))
    text = bitext_of(random_sentences(random, LEFT, 200), random_sentences(random, RIGHT, 200))
    whole = overlap.score(text)
    monkeypatch.setattr(overlap_module, "WORDS_AT_ONCE", 7)
    assert len(overlap_module._spans(text.source.offsets + text.target.offsets)) > 50
    assert overlap.score(text, threads=3).tolist() == whole.tolist()


def test_learned_from_text():
    bitext = cepts.sample_bitext()
    overlap = LexicalOverlap.fit(bitext)
    new = bitext_from_pairs([("la petite maison", "the small house"), ("la petite maison", "two years ago")])
    right, wrong = overlap.score(new)
    assert right > 2 > 1 > wrong
    trained = LexicalOverlap.fit(bitext, cepts.Aligner("fast").fit(bitext))
    assert trained.score(bitext).tolist() == overlap.score(bitext).tolist()


def test_refuses_an_aligner_of_one_direction():
    bitext = cepts.sample_bitext().part(0, 50)
    aligner = cepts.Aligner(direction="forward", training="independent").fit(bitext)
    with pytest.raises(OptionError, match="trained in direction forward alone, and overlap needs both"):
        LexicalOverlap.fit(bitext, aligner)


def test_refuses_texts_of_different_lengths():
    bitext = Bitext(side_from_tokens([["a"]]), side_from_tokens([["w"], ["x"]]))
    with pytest.raises(InputError, match="1 source but 2 target sentences, expected as many"):
        overlap_of({("a", "w"): 1}).score(bitext)


def test_postings_and_picked_sentences():
    side = side_from_tokens([["a", "b", "a"], [], ["b"]])
    offsets, sentences, counts = Postings.of(side)
    assert (offsets.tolist(), sentences.tolist(), counts.tolist()) == ([0, 1, 3], [0, 0, 2], [2, 1, 1])
    assert side.picked(np.zeros(0, np.int64)).offsets.tolist() == [0]


def test_each_kernel_is_compiled_once(tmp_path):
    overlap = overlap_of({("a", "w"): 10})
    bitext_of([["a"]], [["w"]]).save(tmp_path / "text")
    for text in (bitext_of([["a"]], [["w"]]), Bitext.load(tmp_path / "text")):
        overlap.score(text)
        BlockOverlaps.of(overlap, text.source, text.target).swapped().block(0, 1)
    assert len(overlap_kernels.pair_overlaps.signatures) == 1
    assert len(overlap_kernels.block_overlaps.signatures) == 1
