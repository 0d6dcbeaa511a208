"""Small corpora for the tests of word models, and the way between the fast models and their slow twins."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from cepts.corpus import Bitext, side_from_tokens
from cepts.words import Agreement, Hmm, Ibm1, Jumps, Lexicon, Training, index_bitext
from tests.reference import hmm as slow_hmm
from tests.reference import ibm1 as slow_ibm1
from tests.reference.lexicon import add, agreed, link_counts

INDEPENDENT = Training(agreement=Agreement.NONE)
EVERYTHING = 1e-30  # a threshold that every cell of a decent model reaches


def sentences(longest=7, words=5):
    return st.lists(st.integers(0, words - 1), min_size=1, max_size=longest)


def corpora(pairs=6, longest=7, words=5):
    """Lists of (source, target) with words as numbers."""
    sentence = sentences(longest, words)
    return st.lists(st.tuples(sentence, sentence), min_size=1, max_size=pairs)


def bitext_of(pairs):
    """Encode lists of word numbers; the ids need not be the same numbers."""
    source, target = zip(*pairs, strict=True)
    return Bitext(
        *(side_from_tokens([[f"w{k}" for k in words] for words in side]) for side in (source, target))
    )


def random_pairs(seed, count=12, longest=7, words=6):
    """Draw pairs in which the target repeats the source, with some noise."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(count):
        source = rng.integers(0, words, rng.integers(1, longest + 1)).tolist()
        target = [w if rng.random() < 0.8 else int(rng.integers(0, words)) for w in source]
        target = (
            target[: rng.integers(1, len(target) + 1)] + rng.integers(0, words, rng.integers(0, 2)).tolist()
        )
        pairs.append((source, target))
    return pairs


def random_lexicon(indexed, seed):
    """Fill a bitext's lexicon with probabilities that mean nothing, between 0.01 and 1."""
    values = np.random.default_rng(seed).uniform(0.01, 1, (len(indexed.columns), 2)).astype(np.float32)
    values[0] = 0
    return Lexicon(indexed.row_offsets, indexed.columns, values)


def random_counts(indexed, seed):
    """Expected counts of any size between 0.001 and 100, and none for entries that no direction generates."""
    counts = 10 ** np.random.default_rng(seed).uniform(-3, 2, (len(indexed.columns), 2)).astype(np.float32)
    counts[indexed.columns == 0, 0] = 0
    counts[: indexed.row_offsets[1], 1] = 0
    return counts


def random_jumps(band, longest, null, seed):
    rng = np.random.default_rng(seed)
    weights, starts = rng.uniform(0.05, 1, 2 * band + 2), rng.uniform(0.05, 1, longest)
    weights /= weights.sum()
    return Jumps(weights[:-1], float(weights[-1]), starts / starts.sum(), null)


def random_ibm1(indexed, seed):
    return Ibm1(random_lexicon(indexed, seed), 0.2)


def random_hmm(indexed, seed, band=2):
    ways = (random_jumps(band, indexed.longest, null, seed + k) for k, null in enumerate((0.2, 0.1)))
    return Hmm(random_lexicon(indexed, seed), tuple(ways), indexed.longest)


def uniform_model(name, indexed, band=2, null=0.1):
    lexicon = Lexicon.uniform(indexed)
    if name == "ibm1":
        return Ibm1(lexicon, null)
    jumps = Jumps.initial(band, indexed.longest, null)
    return Hmm(lexicon, (jumps, jumps), indexed.longest)


def even_model(name, indexed, band=2, null=0.1):
    """A model whose rows are distributions: a point from which an objective can fall."""
    return replace(uniform_model(name, indexed, band, null), lexicon=Lexicon.even(indexed))


def in_classes(model, bitext, indexed, seed, number=3):
    """Put the words of an HMM into random classes whose jumps differ."""
    rng = np.random.default_rng(seed)
    classes = tuple(
        rng.integers(0, number, len(side.words)).astype(np.int32) for side in (bitext.source, bitext.target)
    )
    model = model.of_classes(classes, bitext, indexed)
    rows = (rng.uniform(0.05, 1, jumps.of_class.shape) for jumps in model.jumps)
    jumps = tuple(
        replace(one, of_class=own / own.sum(axis=1, keepdims=True))
        for one, own in zip(model.jumps, rows, strict=True)
    )
    return replace(model, jumps=jumps)


def indexed_and_model(pairs, name, seed, band=2):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    if name == "ibm1":
        return bitext, indexed, random_ibm1(indexed, seed)
    model = random_hmm(indexed, seed, band)
    return bitext, indexed, in_classes(model, bitext, indexed, seed) if name == "classes" else model


def totals_of(model, indexed, training):
    """Run one E step."""
    totals = model.new_totals(indexed)
    for chunk in indexed.chunks:
        totals.add(chunk, model.expect(chunk, training))
    return totals


def entry_names(table):
    """For each entry of a lexicon, or of an index, its (source word, target word)."""
    rows = np.repeat(np.arange(len(table.row_offsets) - 1), np.diff(table.row_offsets))
    return list(zip(rows.tolist(), table.columns.tolist(), strict=True))


def some_entries(table, seed, share=0.3):
    """Draw some entries of two real words."""
    real = [k for k, pair in enumerate(entry_names(table)) if min(pair) > 0]
    return np.array(real, np.int64)[np.random.default_rng(seed).random(len(real)) < share]


def as_dictionaries(table, values=None):
    """Spell a lexicon's values out: {(source, target): value} forward, {(target, source): value} reverse."""
    values = (table.values if values is None else values).tolist()
    places = list(zip(entry_names(table), values, strict=True))
    forward = {(row, column): both[0] for (row, column), both in places if column > 0}
    reverse = {(column, row): both[1] for (row, column), both in places if row > 0}
    return forward, reverse


def rows_of(table):
    """Cut a dictionary {(given word, generated word): value} into {given word: [generated words]}."""
    rows = {}
    for given, word in table:
        rows.setdefault(given, []).append(word)
    return rows


def id_pairs(bitext):
    """List the sentence pairs as word ids that count from 1."""
    sides = []
    for side in (bitext.source, bitext.target):
        borders = side.offsets.tolist()
        sides.append([(side.ids[a:b] + 1).tolist() for a, b in pairwise(borders)])
    return list(zip(*sides, strict=True))


def slow_posteriors(model, states, steps, way, probability):
    """One pair in one direction by the slow twin: posteriors, those of NULL, log probability[, jump counts]."""
    if isinstance(model, Ibm1):
        return slow_ibm1.posteriors(states, steps, probability, model.null)
    return slow_hmm.expect(states, steps, probability, chain_of_pair(model, way, states))


def chain_of(jumps, length):
    return slow_hmm.Chain(jumps.weights, jumps.far, jumps.starts, jumps.null, length)


def chain_of_pair(model, way, states):
    """The slow twin of a model's jumps for a pair with these states, as word ids that count from 1."""
    jumps = model.jumps[way]
    if model.classes is None:
        return chain_of(jumps, len(states))
    kinds = [int(model.classes[way][word - 1]) for word in states]
    return slow_hmm.ClassChain(jumps.of_class, kinds, jumps.starts, jumps.null)


def context(place, length, band):
    """Number what can be reached from a place: how far to the left, and to the right, up to just beyond the band."""
    left, right = min(place, band + 1), min(length - 1 - place, band + 1)
    return left * (band + 2) + right


def slow_likelihood(model, bitext, way, table=None):
    """The log likelihood of one direction by the slow twin, of a model or of a table that stands for its lexicon."""
    table = as_dictionaries(model.lexicon)[way] if table is None else table
    ways = (pair if way == 0 else pair[::-1] for pair in id_pairs(bitext))
    return sum(slow_posteriors(model, *each, way, table)[2] for each in ways)


def slow_expectation(model, bitext, agreement=Agreement.NONE, doubt=1.0):
    """The whole E step by the slow twin: counts of both directions, log likelihoods, jump counts."""
    tables = as_dictionaries(model.lexicon)
    counts, likelihoods, jump_counts = ({}, {}), [0.0, 0.0], [[], []]
    for pair in id_pairs(bitext):
        ways = (pair, pair[::-1])
        results = [slow_posteriors(model, *ways[way], way, tables[way]) for way in (0, 1)]
        for way in (0, 1):
            shares = agreed(results[way][0], results[1 - way][0], agreement.name, doubt)
            add(counts[way], link_counts(*ways[way], shares, results[way][1]))
            likelihoods[way] += results[way][2]
            if len(results[way]) > 3:
                jump_counts[way].append((len(ways[way][0]), *results[way][3]))
    return counts, likelihoods, jump_counts


def posterior_tables(model, indexed, pieces, way):
    """The fast posteriors of one direction, [piece][step][state], seen through `decode`."""
    directions = (way == 0, way == 1)
    sizes = (indexed.pieces.source_length, indexed.pieces.target_length)
    tables = [np.zeros((sizes[1 - way][k], sizes[way][k])) for k in range(pieces)]
    for chunk in indexed.chunks:
        decoded = model.decode(chunk, directions, EVERYTHING)
        for (piece, i, j, _), share in zip(
            decoded.places.tolist(), decoded.confidences.tolist(), strict=True
        ):
            tables[piece][(j, i) if way == 0 else (i, j)] = share
    return tables


def best_paths(model, indexed, pieces, way):
    """The fast best paths of one direction, for each piece the state of each step, -1 for NULL."""
    steps = indexed.pieces.target_length if way == 0 else indexed.pieces.source_length
    paths = [[-1] * int(steps[k]) for k in range(pieces)]
    for chunk in indexed.chunks:
        for piece, i, j, _ in model.decode(chunk, (way == 0, way == 1), 0.0).places.tolist():
            step, state = (j, i) if way == 0 else (i, j)
            assert paths[piece][step] == -1, "a step of a path has one state"
            paths[piece][step] = state
    return paths
