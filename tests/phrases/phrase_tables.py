"""Small phrase tables, written down as dictionaries."""

import numpy as np
from hypothesis import strategies as st

from cepts.phrases.decoding import Ragged
from cepts.phrases.phrase_options import PhraseOptions
from cepts.phrases.tries import trie_of

SOURCES, TARGETS = 3, 3


def options_of(table):
    """Make options of {source ids: {target ids: four features}}."""
    phrases = sorted(table)
    source = Ragged.of(phrases)
    trie, ends = trie_of(source.ids, source.offsets[:-1], np.diff(source.offsets))
    entries = sorted(
        (int(end), target, features)
        for phrase, end in zip(phrases, ends, strict=True)
        for target, features in table[phrase].items()
    )
    targets = Ragged.of([target for _, target, _ in entries])
    owners = [end for end, _, _ in entries]
    first = np.searchsorted(owners, np.arange(len(trie) + 1)).astype(np.int64)
    features = np.array([values for _, _, values in entries], np.float32).reshape(-1, 4)
    return PhraseOptions(trie, first, targets.offsets, targets.ids, features)


# Halves and quarters: sums are exact, also in float32.
logs = st.integers(-12, -1).map(lambda quarters: quarters / 4)
phrases = st.lists(st.integers(0, SOURCES - 1), min_size=1, max_size=3).map(tuple)
targets = st.lists(st.integers(0, TARGETS - 1), min_size=1, max_size=2).map(tuple)
tables = st.dictionaries(
    phrases, st.dictionaries(targets, st.tuples(logs, logs, logs, logs), max_size=3), max_size=6
)
texts = st.lists(st.lists(st.integers(0, TARGETS - 1), max_size=4), max_size=5)
sources = st.lists(st.integers(0, SOURCES), max_size=5)  # the last id is in no phrase
weight_lists = st.lists(st.integers(0, 8).map(lambda eighths: eighths / 8), min_size=8, max_size=8)
