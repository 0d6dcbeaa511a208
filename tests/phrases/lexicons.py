"""Small texts with links, and a small model, for the tests of lexical tables and dictionaries."""

import numpy as np
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs

# By hand. la-the, maison-house; la-the, la-it, fleur has none, and neither has "big": counts
# la: the 2, it 1; maison: house 1; fleur: NULL 1; NULL: big 1.
PAIRS = [("la maison", "the house"), ("la fleur", "the it big")]
LINKS = [[(0, 0), (1, 1)], [(0, 0), (0, 1)]]


@st.composite
def corpora(draw):
    """Draw sentences of few words (so that words repeat) with links between them."""
    sources, targets, links = [], [], []
    for _ in range(draw(st.integers(0, 5))):
        source = draw(st.lists(st.sampled_from("abc"), max_size=4))
        target = draw(st.lists(st.sampled_from("wxyz"), max_size=4))
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        sources.append(source)
        targets.append(target)
        links.append(draw(st.sets(st.sampled_from(cells), max_size=6)) if cells else set())
    return sources, targets, links


def encoded(sources, targets):
    """Encode lists of words."""
    return bitext_from_pairs([(" ".join(s), " ".join(t)) for s, t in zip(sources, targets, strict=True)])


def small_model():
    """A lexicon of two source and two target words; entry (NULL, NULL) and one more stand for nothing."""
    offsets = np.array([0, 2, 4, 5], np.int64)
    columns = np.array([0, 2, 1, 2, 1], np.int32)
    values = np.array([[0, 0], [0.5, 0.25], [0.75, 1], [0.125, 0], [0, 0]], np.float32)
    return offsets, columns, values, 2
