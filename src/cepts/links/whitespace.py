"""Links between tokens as links between the words that stand between spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.corpus.encoding import WORD
from cepts.errors import InputError
from cepts.links.fitting import check_fit
from cepts.links.segmentation import Segmentation
from cepts.links.subwords import merged

if TYPE_CHECKING:
    from cepts.corpus import Bitext, Side
    from cepts.links.links import Links


@checked
def links_to_whitespace(links: Links, bitext: Bitext) -> Links:
    """Return links between words that stand between spaces for links between the tokens of a bitext.

    Two words are linked where any two of their tokens are, with the largest confidence, sure if any is. The bitext must
    have been tokenised with its sentences kept: read with `to_whitespace` or `keep_text`.

    >>> from cepts.corpus import bitext_from_pairs
    >>> from cepts.links import Links
    >>> bitext = bitext_from_pairs([("La maison, oui.", "The house, yes.")], tokenize=True, to_whitespace=True)
    >>> links = links_to_whitespace(Links.from_pairs([[(1, 1), (2, 2), (3, 3)]]), bitext)
    >>> [link[:2] for link in links[0]]
    [(1, 1), (2, 2)]
    """
    check_fit(links, bitext.source.lengths, bitext.target.lengths)
    return merged(links, [_words_of_tokens(side) for side in (bitext.source, bitext.target)])[0]


def _words_of_tokens(side: Side) -> Segmentation:
    """Say in which word between spaces each token of a side stands."""
    if side.spans is None or side.originals is None:
        raise InputError("the bitext does not say where its tokens stood: read it with to_whitespace")
    starts, counts, begins = list[int](), list[int](), list[int]()
    before = 0
    for line in side.originals:
        found = [before + match.start() for match in WORD.finditer(line)]
        starts += found
        counts.append(len(found))
        begins.append(before)
        before += len(line) + 1
    words = np.array(counts, np.int64)
    first_word = np.cumsum(words) - words
    tokens = side.lengths
    places = np.repeat(np.array(begins, np.int64), tokens) + side.spans[:, 0]
    word = np.searchsorted(np.array(starts, np.int64), places, side="right") - 1
    return Segmentation((word - np.repeat(first_word, tokens)).astype(np.int32), side.offsets, words)
