"""`Side` and `Bitext`: parallel text as flat arrays of word ids."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

Int32 = np.dtype(np.int32)
Int64 = np.dtype(np.int64)


@dataclass(frozen=True, eq=False)
class Side:
    """One language of a bitext: sentence k holds the words `ids[offsets[k]:offsets[k + 1]]`.

    `words[id]` is the (lower-cased, unless case was kept) word of an id; ids count from 0 in order of
    first appearance. `spans` holds, where Cepts tokenised the text, the first and the end character of
    each token in its original line.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: Sequence[str]
    spans: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        """Count the sentences."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each sentence."""
        return np.diff(self.offsets)

    def sentence(self, k: int) -> list[str]:
        """Return the words of sentence k as they are in the vocabulary."""
        return [self.words[i] for i in self.ids[self.offsets[k] : self.offsets[k + 1]]]

    def token_spans(self, k: int) -> NDArray[np.int32] | None:
        """Return the character span of each token of sentence k, where the text was tokenised by Cepts."""
        return None if self.spans is None else self.spans[self.offsets[k] : self.offsets[k + 1]]


@dataclass(frozen=True, eq=False)
class Bitext:
    """Sentence pairs: sentence k of `source` and sentence k of `target` translate each other."""

    source: Side
    target: Side
    seconds_to_read: float = field(default=0.0, compare=False)

    def __len__(self) -> int:
        """Count the sentence pairs."""
        return len(self.source)

    def swapped(self) -> Bitext:
        """Return the same pairs with source and target exchanged."""
        return Bitext(self.target, self.source, self.seconds_to_read)

    @property
    def cells(self) -> int:
        """The number of possible links: source words times target words, over all pairs."""
        return int(np.dot(self.source.lengths, self.target.lengths))


def side_from_tokens(sentences: Iterable[Sequence[str]]) -> Side:
    """Encode sentences that are already lists of words."""
    table: dict[str, int] = {}
    ids: list[int] = []
    offsets = [0]
    for words in sentences:
        ids.extend(table.setdefault(word, len(table)) for word in words)
        offsets.append(len(ids))
    return Side(np.array(ids, Int32), np.array(offsets, Int64), list(table))
