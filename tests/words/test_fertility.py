"""Models 3 and 4 against their slow twins, by hand, and where sentences are odd."""

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Hmm, Jumps, Lexicon, index_bitext
from cepts.words import blocks as blocks_module
from cepts.words import fertility as fertility_module
from cepts.words import indexed as indexed_module
from cepts.words.fertility import Fertilities, Ibm3, Ibm4
from cepts.words.fertility_kernels import FARTHEST, FERTILITIES, LIMIT, MOST, ROW, SLIGHT, VISIBLE
from cepts.words.layout import plan_chunks
from tests.reference import fertility as slow
from tests.reference.lexicon import add, link_counts
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    best_paths,
    bitext_of,
    corpora,
    entry_names,
    id_pairs,
    posterior_tables,
    random_jumps,
    random_pairs,
    totals_of,
)

seeds = st.integers(0, 2**32 - 1)
KINDS = pytest.mark.parametrize("kind", [Ibm3, Ibm4])
WAYS = pytest.mark.parametrize("way", [0, 1])
CLASSES = (3, 2)  # of the source's words and of the target's, in random models


def sharp_lexicon(indexed, seed):
    """Random values of many sizes, that depend on nothing but the two words: some links are next to impossible."""
    names = np.array(entry_names(indexed))
    table = 10 ** np.random.default_rng(seed).uniform(-4, 0, (*(names.max(axis=0) + 1), 2))
    values = table[names[:, 0], names[:, 1]].astype(np.float32)
    values[0] = 0
    return Lexicon(indexed.row_offsets, indexed.columns, values)


def random_fertilities(kind, words, state_classes, step_classes, seed, null):
    rng = np.random.default_rng(seed)
    rows = (state_classes + 2) * step_classes if kind is Ibm4 else 1
    moves = rng.uniform(0.01, 1, (rows, ROW)) ** 3
    fertility = rng.uniform(0.01, 1, (words, FERTILITIES)) ** 2
    fertility, moves = (table / table.sum(axis=1, keepdims=True) for table in (fertility, moves))
    return Fertilities(fertility, moves, null)


def random_classes(bitext, seed):
    """Classes that mean nothing; the last one occurs."""
    rng, found = np.random.default_rng(seed), []
    for side, kinds in zip((bitext.source, bitext.target), CLASSES, strict=True):
        found.append(rng.integers(0, kinds, len(side.words)).astype(np.int32))
        found[-1][-1:] = kinds - 1
    return tuple(found)


def random_model(kind, pairs, seed, null=0.2):
    """A bitext, its index, and a model of both directions whose probabilities mean nothing."""
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    jumps = tuple(random_jumps(2, indexed.longest, null, seed + k) for k in (0, 1))
    heads = Hmm(sharp_lexicon(indexed, seed), jumps, indexed.longest)
    sizes = (len(bitext.source.words), len(bitext.target.words))
    parameters = tuple(
        random_fertilities(kind, sizes[way], CLASSES[way], CLASSES[1 - way], seed + way, null / (way + 1))
        for way in (0, 1)
    )
    return bitext, indexed, kind.of(heads, bitext, indexed, random_classes(bitext, seed), parameters)


def names_of_moves(kind, state_classes, step_classes):
    """The twin's name of each place in the table of distances, in order."""
    distances = range(-FARTHEST, FARTHEST + 1)
    if kind is Ibm3:
        return list(distances)
    firsts = product(["first"], [None, *range(state_classes)], range(step_classes), distances)
    return [*firsts, *product(["other"], range(step_classes), distances)]


def move_names(model, way):
    return names_of_moves(
        type(model), *(int(part.max()) + 1 for part in (model.classes, model.classes[::-1])[way])
    )


def slow_pairs(model, bitext, indexed, way):
    """For each pair the twin, and the HMM's path; what is possible is what the fast HMM says."""
    table, one = as_dictionaries(model.lexicon)[way], model.parameters[way]
    moves = dict(zip(move_names(model, way), one.moves.ravel().tolist(), strict=True))
    shares, paths = (find(model.heads, indexed, len(bitext), way) for find in (posterior_tables, best_paths))
    for pair, share, path in zip(id_pairs(bitext), shares, paths, strict=True):
        states, steps = pair if way == 0 else pair[::-1]
        emission = [[table[state, step] for state in (*states, 0)] for step in steps]
        possible = share >= np.float32(fertility_module.CANDIDATE)
        allowed = [{-1, place, *np.flatnonzero(row)} for row, place in zip(possible, path, strict=True)]
        classes = None
        if isinstance(model, Ibm4):
            sides = zip((states, steps), (way, 1 - way), strict=True)
            classes = tuple([int(model.classes[side][word - 1]) for word in words] for words, side in sides)
        fertility = [one.fertility[word - 1].tolist() for word in states]
        yield slow.Pair(emission, fertility, one.null, moves, allowed, classes), path


def summits(model, indexed, way):
    """The fast paths, as the twin's alignments."""
    return [tuple(path) for path in best_paths(model, indexed, len(indexed.pieces.pair), way)]


def test_the_twin_has_the_same_limits():
    assert (slow.MOST, slow.FARTHEST) == (MOST, FARTHEST)
    assert (np.float32(slow.SLIGHT), np.float32(slow.VISIBLE)) == (SLIGHT, VISIBLE)


# The definition, by hand.


def hand_made(kind, pairs, single, fertility, moves, null, classes):
    """A model whose words are named: single {(source or None, target): p}, fertility {source: row}; forward alone."""
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    sides = [[None, *(word[1:] for word in side.words)] for side in (bitext.source, bitext.target)]
    values = np.ones((len(indexed.columns), 2), np.float32)
    for k, (row, column) in enumerate(entry_names(indexed)):
        values[k, 0] = single.get((sides[0][row], sides[1][column]), 0.5)
    values[0] = 0
    jumps = Jumps.initial(2, indexed.longest, 0.3)
    heads = Hmm(Lexicon(indexed.row_offsets, indexed.columns, values), (jumps, jumps), indexed.longest)
    rows = np.array(
        [fertility[word] + [1e-12] * (FERTILITIES - len(fertility[word])) for word in sides[0][1:]]
    )
    classes = tuple(
        np.array([kinds[word] for word in words[1:]], np.int32)
        for kinds, words in zip(classes, sides, strict=True)
    )
    sizes = [int(part.max()) + 1 for part in classes]
    names = names_of_moves(kind, *sizes)
    table = np.array([moves.get(name, 1e-9) for name in names]).reshape(-1, ROW)
    other = random_fertilities(kind, len(sides[1]) - 1, *sizes[::-1], 0, 0.1)
    return bitext, indexed, kind.of(heads, bitext, indexed, classes, (Fertilities(rows, table, null), other))


# Source a b, target x y z w. Four words, one of them NULL's: 3 ways to place it, p1 = 0.1, so 3 * 0.1 * 0.9^2. The best
# alignment is x-a, y-NULL, z-a, w-b; fertilities p(2 | a) = 0.5 and p(1 | b) = 0.6.
SINGLE = {("a", "x"): 0.8, (None, "y"): 0.7, ("a", "z"): 0.6, ("b", "w"): 0.9}
EMITTED = 0.8 * 0.7 * 0.6 * 0.9
FERTILITY = {"a": [0.1, 0.2, 0.5], "b": [0.1, 0.6, 0.2]}
GIVEN = 3 * 0.1 * 0.9**2 * 0.5 * 0.6
SELDOM = {(given, word): 1e-4 for given in ("a", "b", None) for word in "xyzw"}
KINDS_OF_WORDS = ({"a": 1, "b": 0}, {"x": 0, "y": 0, "z": 1, "w": 1})


def test_model_3_by_hand():
    # The steps beside a and b are 1 and 3 (of 0 to 3): x is one before, z one behind, w at its place. x and z of a can
    # be placed in 2! orders.
    moves = {-1: 0.3, 0: 0.4, 1: 0.2}
    bitext, indexed, model = hand_made(
        Ibm3, [("ab", "xyzw")], {**SELDOM, **SINGLE}, FERTILITY, moves, 0.1, KINDS_OF_WORDS
    )
    expected = math.log(GIVEN * EMITTED * 2 * 0.3 * 0.2 * 0.4)
    check_by_hand(bitext, indexed, model, expected)


def test_model_4_by_hand():
    # x, the first word of the first cept: from -1 to 0 is 1. z, its other word: from 0 to 2 is 2. The middle of a's
    # cept is 1, so that w, the first of b, is 2 away, given the classes of a (1) and of w (1).
    moves = {("first", None, 0, 1): 0.3, ("other", 1, 2): 0.2, ("first", 1, 1, 2): 0.4}
    bitext, indexed, model = hand_made(
        Ibm4, [("ab", "xyzw")], {**SELDOM, **SINGLE}, FERTILITY, moves, 0.1, KINDS_OF_WORDS
    )
    expected = math.log(GIVEN * EMITTED * 0.3 * 0.2 * 0.4)
    check_by_hand(bitext, indexed, model, expected)


def check_by_hand(bitext, indexed, model, expected):
    [(pair, _)] = slow_pairs(model, bitext, indexed, 0)
    assert slow.log_probability(pair, (0, -1, 0, 1)) == pytest.approx(expected, rel=1e-6)
    assert best_paths(model, indexed, 1, 0) == [[0, -1, 0, 1]]
    # Every other alignment has words where they hardly ever are: together they add less than a thousandth.
    training = INDEPENDENT._replace(directions=(True, False))
    assert totals_of(model, indexed, training).likelihoods[0] == pytest.approx(expected, abs=1e-3)


def test_middles_are_rounded_up_and_far_is_far():
    emission, fertility = [[1.0] * 3] * 50, [[1.0] * 10] * 2
    pair = slow.Pair(emission, fertility, 0.1, {}, [], ((4, 5), list(range(50))))
    alignment = tuple(0 if step in (0, 1) else 1 if step == 48 else -1 for step in range(50))
    assert list(slow.distances(pair, alignment)) == [
        ("first", None, 0, 1),
        ("other", 1, 1),
        ("first", 4, 48, 40),  # from the middle of 0 and 1, rounded up, to 48: 47, which counts as 40
    ]
    backwards = tuple(0 if step == 48 else 1 if step == 0 else -1 for step in range(50))
    assert list(slow.distances(pair, backwards)) == [("first", None, 48, 40), ("first", 4, 0, -40)]


# The climb.


@KINDS
@WAYS
@settings(max_examples=60)
@given(pairs=corpora(pairs=4, longest=6), seed=seeds, null=st.sampled_from([0.02, 0.2, 0.45]))
def test_summits_are_where_the_naive_climb_ends(kind, way, pairs, seed, null):
    bitext, indexed, model = random_model(kind, pairs, seed, null)
    found = zip(slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), strict=True)
    for (pair, path), summit in found:
        check_summit(pair, path, summit)


def check_summit(pair, path, summit):
    """No neighbour is higher, none on the way up is; returns whether the end could be told, and how far it was."""
    beginning, top = slow.start(pair, path), slow.log_probability(pair, summit)
    assert top >= slow.log_probability(pair, beginning) - 1e-4
    for other in slow.neighbours(pair, summit):
        assert slow.log_probability(pair, other) <= top + 2e-4, "a local optimum, up to SLIGHT and float32"
    way, margin = slow.climb(pair, beginning)
    scores = [slow.log_probability(pair, alignment) for alignment in way]
    assert scores == sorted(scores)
    if margin > 1e-3:  # no tie is near, which float32 could decide in another way
        assert summit == way[-1]
    return margin > 1e-3, len(way) - 1


@KINDS
@WAYS
def test_the_climb_goes_somewhere(kind, way, seed):
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=40, words=60), seed)
    found = zip(slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), strict=True)
    told, lengths = zip(*(check_summit(pair, path, summit) for (pair, path), summit in found), strict=True)
    assert sum(told) > 35, "ties are rare where words are not repeated"
    assert sum(length > 0 for length in lengths) > 15
    assert sum(length > 1 for length in lengths) > 5


tiny = corpora(pairs=3, longest=3, words=4)


@KINDS
@WAYS
@settings(max_examples=40)
@given(pairs=tiny, seed=seeds)
def test_summits_are_no_better_than_the_best_of_all_alignments(kind, way, pairs, seed):
    bitext, indexed, model = random_model(kind, pairs, seed)
    found = zip(slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), strict=True)
    for (pair, path), summit in found:
        everything = product(range(-1, pair.states), repeat=pair.steps)
        scores = {alignment: slow.log_probability(pair, alignment) for alignment in everything}
        assert scores[summit] <= max(scores.values())
        assert scores[summit] > -math.inf
        check_summit(pair, path, summit)
        shares, likelihood = slow.neighbourhood(pair, summit)
        assert likelihood <= math.log(math.fsum(map(math.exp, scores.values()))) + 1e-9
        assert set(shares) <= set(scores)


@KINDS
def test_some_summits_are_the_best_of_all_alignments(kind, seed):
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=30, longest=3), seed)
    reached = []
    for (pair, _), summit in zip(
        slow_pairs(model, bitext, indexed, 0), summits(model, indexed, 0), strict=True
    ):
        scores = [
            slow.log_probability(pair, every) for every in product(range(-1, pair.states), repeat=pair.steps)
        ]
        reached.append(slow.log_probability(pair, summit) >= max(scores) - 1e-6)
    assert sum(reached) > 15


# The E step.


def check_expectation(model, bitext, indexed):
    """Likelihoods, posteriors and counts around the fast summits are those of the twin."""
    totals = totals_of(model, indexed, INDEPENDENT)
    singles = as_dictionaries(model.lexicon, totals.lexicon)
    for way in (0, 1):
        expected = slow_expectation(model, bitext, indexed, way)
        assert totals.likelihoods[way] == pytest.approx(expected["likelihood"], rel=1e-5, abs=1e-4)
        assert singles[way] == pytest.approx(dict.fromkeys(singles[way], 0.0) | expected["lexicon"], abs=1e-4)
        counts = totals.jumps[way]
        words = sum(len(pair[1 - way]) for pair in id_pairs(bitext))
        assert counts.words.tolist() == pytest.approx([expected["nulls"], words], abs=1e-4)
        check_table(counts.fertility, expected["fertility"], list(np.ndindex(counts.fertility.shape)))
        if expected["clear"]:
            check_table(counts.moves, expected["moves"], move_names(model, way))


def check_table(fast, slow_counts, names):
    assert set(slow_counts) <= set(names)
    np.testing.assert_allclose(fast.ravel(), [slow_counts.get(name, 0.0) for name in names], atol=1e-4)


def slow_expectation(model, bitext, indexed, way):
    """All that an E step expects; `clear` unless a share is so near to VISIBLE that float32 decides."""
    found = {
        "likelihood": 0.0,
        "lexicon": {},
        "fertility": Counter(),
        "moves": Counter(),
        "nulls": 0.0,
        "clear": True,
    }
    everything = zip(
        slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), id_pairs(bitext), strict=True
    )
    for (pair, _), summit, ids in everything:
        states, steps = ids if way == 0 else ids[::-1]
        shares, likelihood = slow.neighbourhood(pair, summit)
        table = slow.posteriors(pair, shares)
        add(found["lexicon"], link_counts(states, steps, table, [row[-1] for row in table]))
        for (state, size), count in slow.fertility_counts(pair, shares).items():
            found["fertility"][states[state] - 1, size] += count
        found["moves"].update(slow.distance_counts(pair, summit, shares))
        found["nulls"] += slow.expected_nulls(shares)
        found["likelihood"] += likelihood
        found["clear"] &= all(abs(share - slow.VISIBLE) > 1e-6 for share in shares.values())
    return found


@KINDS
@settings(max_examples=60)
@given(pairs=corpora(pairs=4, longest=6), seed=seeds, null=st.sampled_from([0.02, 0.2, 0.45]))
def test_the_e_step_equals_the_slow_twin(kind, pairs, seed, null):
    bitext, indexed, model = random_model(kind, pairs, seed, null)
    check_expectation(model, bitext, indexed)


@KINDS
def test_the_hmms_path_stays_possible_however_improbable(kind, monkeypatch, seed):
    monkeypatch.setattr(fertility_module, "CANDIDATE", 0.7)
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=40), seed)
    check_expectation(model, bitext, indexed)


@KINDS
def test_the_e_step_over_several_batches_blocks_and_chunks(kind, monkeypatch, seed):
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1))
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=40), seed)
    assert len(indexed.chunks) > 1
    check_expectation(model, bitext, indexed)


@KINDS
def test_the_e_step_of_sentences_with_far_words(kind, seed):
    rng, shapes = np.random.default_rng(seed), ((6, 60), (60, 6), (15, 12))
    pairs = [tuple(rng.integers(0, 30, size).tolist() for size in shape) for shape in shapes]
    bitext, indexed, model = random_model(kind, pairs, seed)
    for one in model.parameters:
        one.moves[:, [0, -1]] = 0.3  # far is where words like to be
    check_expectation(model, bitext, indexed)
    counts = totals_of(model, indexed, INDEPENDENT).jumps
    at_the_ends = sum(one.moves.reshape(-1, ROW)[:, [0, -1]].sum(axis=0) for one in counts)
    assert (at_the_ends > 1).all(), "some distances are longer than the longest, either way"


@KINDS
@WAYS
@settings(max_examples=40)
@given(pairs=corpora(pairs=4, longest=6), seed=seeds)
def test_posteriors_equal_the_slow_twin_and_sum_to_one(kind, way, pairs, seed):
    bitext, indexed, model = random_model(kind, pairs, seed)
    tables = posterior_tables(model, indexed, len(pairs), way)
    everything = zip(
        slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), tables, strict=True
    )
    for (pair, _), summit, fast in everything:
        expected = np.array(slow.posteriors(pair, slow.neighbourhood(pair, summit)[0]))
        np.testing.assert_allclose(expected.sum(axis=1), 1, atol=1e-9)
        np.testing.assert_allclose(fast, expected[:, :-1], atol=2e-5)
    totals = totals_of(model, indexed, INDEPENDENT)
    singles = as_dictionaries(model.lexicon, totals.lexicon)[way]
    for word, count in Counter(word for pair in id_pairs(bitext) for word in pair[1 - way]).items():
        links = sum(share for (_, generated), share in singles.items() if generated == word)
        assert links == pytest.approx(count, rel=1e-5), "each word is linked once, to some word or to NULL"


# Sentences that are odd.


@KINDS
@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (1, 18), (2, 19), (18, 1)], ids=str
)
def test_very_short_sentences(kind, shape, seed):
    pairs = [tuple(list(range(size)) for size in shape), tuple([1] * size for size in shape)]
    bitext, indexed, model = random_model(kind, pairs, seed)
    check_expectation(model, bitext, indexed)
    for way in (0, 1):
        for (pair, path), summit in zip(
            slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), strict=True
        ):
            check_summit(pair, path, summit)
            if pair.steps == 1:
                assert summit[0] >= 0, "NULL never generates more than half of the words"


def scaled(model, indexed, null_factor):
    """The model whose words come from NULL so many times more probably."""
    values, names = model.lexicon.values.copy(), np.array(entry_names(indexed))
    values[names.min(axis=1) == 0] *= np.float32(null_factor)
    lexicon = replace(model.lexicon, values=values)
    return replace(model, lexicon=lexicon, heads=replace(model.heads, lexicon=lexicon))


@KINDS
@WAYS
def test_null_keeps_no_more_than_half(kind, way, seed):
    bitext, indexed, model = random_model(kind, random_pairs(seed, count=20), seed, null=0.45)
    model = scaled(model, indexed, 1e4)
    check_expectation(model, bitext, indexed)
    too_many = 0
    for (pair, path), summit in zip(
        slow_pairs(model, bitext, indexed, way), summits(model, indexed, way), strict=True
    ):
        too_many += 2 * path.count(-1) > pair.steps
        assert 2 * summit.count(-1) <= pair.steps
        check_summit(pair, path, summit)
    assert too_many > 10, "there is something to relieve"


@KINDS
def test_cepts_do_not_grow_beyond_the_largest(kind, seed):
    pairs = [([0], list(range(12))), ([0, 1], list(range(25))), ([2, 0, 1], [5] * 20)]
    bitext, indexed, model = random_model(kind, pairs, seed, null=0.05)
    model = scaled(model, indexed, 1e-3)
    check_expectation(model, bitext, indexed)
    crowded = 0
    for (pair, path), summit in zip(
        slow_pairs(model, bitext, indexed, 0), summits(model, indexed, 0), strict=True
    ):
        crowded += max(map(path.count, range(pair.states))) > MOST
        assert max(slow.fertilities(pair, summit)) <= MOST
        check_summit(pair, path, summit)
    assert crowded >= 2, "there is something to cut"


def short_and_long(seed):
    """Pairs of a few words, two of the most that the models take on a side, two of one word more."""
    rng, short = np.random.default_rng(seed), random_pairs(seed, count=6)
    sizes = [(LIMIT, 9), (9, LIMIT), (LIMIT + 1, 9), (9, LIMIT + 1)]
    return short + [tuple(rng.integers(0, 40, size).tolist() for size in shape) for shape in sizes]


def hmm_and_own(model, indexed, way):
    """Posteriors, paths and log likelihoods of a model and of its HMM, for each piece."""
    directions, found = (way == 0, way == 1), []
    for each in (model, model.heads):
        likelihoods = {}
        for chunk in indexed.chunks:
            decoded, filled = each.decode(chunk, directions, 0.0), chunk.pieces >= 0
            likelihoods.update(
                zip(chunk.pieces[filled].tolist(), decoded.likelihoods[way][filled], strict=True)
            )
        pieces = len(indexed.pieces.pair)
        tables, paths = (find(each, indexed, pieces, way) for find in (posterior_tables, best_paths))
        found.append([(tables[k].tolist(), paths[k], likelihoods[k]) for k in range(pieces)])
    return found


@KINDS
@WAYS
def test_long_sentences_are_left_to_the_hmm(kind, way, seed):
    _, indexed, model = random_model(kind, short_and_long(seed), seed)
    own, hmm = hmm_and_own(model, indexed, way)
    same = [one == other for one, other in zip(own, hmm, strict=True)]
    assert same[-2:] == [True, True], "to the last bit"
    assert not any(same[:-2])
    assert len(model.oversized(indexed)) == 2
    counts = totals_of(model, indexed, INDEPENDENT).jumps[way]
    steps = (indexed.pieces.target_length, indexed.pieces.source_length)[way][:-2].sum()
    states = (indexed.pieces.source_length, indexed.pieces.target_length)[way][:-2].sum()
    assert counts.words[1] == steps
    assert counts.fertility.sum() == pytest.approx(states, rel=1e-4)
    assert counts.moves.sum() + counts.words[0] == pytest.approx(steps, rel=1e-2), (
        "distances are of real words"
    )


@KINDS
def test_the_longest_pair_has_room(kind, seed):
    rng = np.random.default_rng(seed)
    pairs = [tuple(rng.permutation(LIMIT).tolist() for _ in range(2)), ([1, 2], [1])]
    bitext, indexed, model = random_model(kind, pairs, seed)
    totals = totals_of(model, indexed, INDEPENDENT._replace(directions=(True, False)))
    counts, singles = totals.jumps[0], as_dictionaries(model.lexicon, totals.lexicon)[0]
    assert counts.words[1] == LIMIT + 1
    assert counts.fertility.sum() == pytest.approx(LIMIT + 2, rel=1e-5)
    for word, name in enumerate(bitext.target.words, 1):
        links = sum(share for (_, generated), share in singles.items() if generated == word)
        assert links == pytest.approx(2 if name == "w1" else 1, rel=1e-4)


@KINDS
@pytest.mark.parametrize("states", [1, 2])
def test_too_few_words_for_so_many_are_left_to_the_hmm(kind, states, seed):
    # Not even with the largest cepts can NULL be kept to half of the words: no alignment is possible.
    most = 2 * MOST * states
    pairs = [(list(range(states)), list(range(size))) for size in (most, most + 1)]
    pairs += [(target, source) for source, target in pairs]
    _, indexed, model = random_model(kind, pairs, seed)
    for way, possible in ((0, [True, False, True, True]), (1, [True, True, True, False])):
        own, hmm = hmm_and_own(model, indexed, way)
        assert [one != other for one, other in zip(own, hmm, strict=True)] == possible
    assert len(model.oversized(indexed)) == 2
