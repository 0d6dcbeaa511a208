"""Tagged text, `word_TAG`: where tags are given, terms are noun phrases."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.corpus import Side
from cepts.errors import InputError, worded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.phrases.term_text import TermSide

# Universal tags, and those of the Penn treebank and its kin.
NOUN = re.compile(r"PROPN|N(?!UM|EG)\w*", re.IGNORECASE)
MODIFIER = re.compile(r"ADJ\w*|JJ\w*", re.IGNORECASE)
WITHIN = re.compile(r"ADP|DET|PART|PUNCT|SYM|IN|DT|POS|TO|HYPH", re.IGNORECASE)


@checked
class TaggedSide(NamedTuple):
    """One side without its tags, and the number of each token's tag in `names`."""

    side: Side
    tags: NDArray[np.int32]
    names: list[str]


@checked
def split_tags(side: Side, name: str = "text") -> TaggedSide:
    """Cut `word_TAG` tokens at their last `_`; `name` is what messages call the text.

    >>> from cepts.corpus.bitext import side_from_tokens
    >>> cut = split_tags(side_from_tokens([["Big_JJ", "a_b_NN"]]))
    >>> cut.side.sentence(0), [cut.names[tag] for tag in cut.tags]
    (['Big', 'a_b'], ['JJ', 'NN'])
    """
    words: dict[str, int] = {}
    names: dict[str, int] = {}
    numbers = []
    for token in side.words:
        word, _, tag = token.rpartition("_")
        if not word or not tag:
            raise _untagged(side, token, name)
        numbers.append((words.setdefault(word, len(words)), names.setdefault(tag, len(names))))
    ids, tags = np.array(numbers, np.int32).reshape(-1, 2)[side.ids].T
    return TaggedSide(Side(ids.copy(), side.offsets, list(words)), tags, list(names))


def _untagged(side: Side, token: str, name: str) -> InputError:
    """Say where the first token without a tag stands."""
    place = int(np.flatnonzero(side.ids == side.words.index(token))[0])
    line = int(np.searchsorted(side.offsets, place, side="right"))
    return InputError(
        f"{name}, line {line}: {token!r} has no tag, expected word_TAG such as house_NOUN; tag every token, or drop"
        f" {worded('--tags', 'the tags')}"
    )


def noun_phrases(side: TermSide, tagged: TaggedSide) -> TermSide:
    """Let terms be noun phrases: from noun or adjective to noun or adjective, with a noun, and no verb within."""
    noun, modifier, within = (
        np.array([bool(kind.fullmatch(name)) for name in tagged.names], np.bool_)[tagged.tags]
        for kind in (NOUN, MODIFIER, WITHIN)
    )
    bad = side.bad | ~(noun | modifier | within)
    return replace(side, bad=bad, edge=side.word & (noun | modifier), core=side.word & noun)
