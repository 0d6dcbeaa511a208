"""TF-IDF through a lexicon: a sentence's words are translated, each into all it may be, and both vectors compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cepts.sentences.similarity import unit_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cepts.aligning import Aligner
    from cepts.corpus import Bitext, Side

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TranslatedTfidf:
    """What each source word means in target words, p(target word | source word), and the weights of target words.

    A word is worth log((1 + sentences) / (1 + sentences that have it)); new words are worth as much as one that is in
    no sentence, and translate themselves.
    """

    meanings: Mapping[str, list[tuple[str, float]]]
    worth: Mapping[str, float]
    most: float

    @classmethod
    def fit(cls, aligner: Aligner, bitext: Bitext) -> TranslatedTfidf:
        """Take the lexicon of an aligner that was trained on a bitext."""
        model, words = aligner._finished()
        offsets, columns = model.lexicon.row_offsets, model.lexicon.columns
        values = np.asarray(model.lexicon.values)[:, 0]
        meanings = {}
        for number, word in enumerate(words.source, 1):
            entries = range(int(offsets[number]), int(offsets[number + 1]))
            listed = [(words.target[columns[k] - 1], float(values[k])) for k in entries if columns[k] > 0]
            meanings[word] = [(other, value) for other, value in listed if value >= LEAST]
        having = np.log((1 + len(bitext)) / (1 + sentences_with(bitext.target)))
        worth = dict(zip(bitext.target.words, having.tolist(), strict=True))
        return cls(meanings, worth, float(np.log(1 + len(bitext))))

    def vectors(self, sources: Side, targets: Side) -> tuple[Floats, Floats]:
        """Return both texts over the target text's words [sentences, words], each row of length 1, or of zeros."""
        place = {word: number for number, word in enumerate(targets.words)}
        worth = np.array([self.worth.get(word, self.most) for word in targets.words])
        translated = np.zeros((len(sources.words), len(place)))
        for number, word in enumerate(sources.words):
            for other, value in self.meanings.get(word, [(word, 1.0)]):
                if other in place:
                    translated[number, place[other]] += value
        ours, theirs = counted(sources) @ translated, counted(targets)
        return unit_rows(ours * worth), unit_rows(theirs * worth)


LEAST = 1e-3  # probability of a translation that counts


def counted(side: Side) -> Floats:
    """Count the words of each sentence [sentences, words]."""
    counts = np.zeros((len(side), len(side.words)))
    np.add.at(counts, (np.repeat(np.arange(len(side)), side.lengths), side.ids), 1)
    return counts


def sentences_with(side: Side) -> NDArray[np.int64]:
    """Count the sentences that have each word."""
    owners = np.repeat(np.arange(len(side)), side.lengths)
    different = np.unique(owners * max(len(side.words), 1) + side.ids) % max(len(side.words), 1)
    return np.bincount(different, minlength=len(side.words))
