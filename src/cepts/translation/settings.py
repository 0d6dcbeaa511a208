"""`TranslationSettings`: everything that decides what a translator becomes, apart from the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cepts.checking import checked
from cepts.phrases.decoding import REORDERING_FEATURES, Search
from cepts.phrases.phrase_options import Extraction

# Near what dev sets lead to; in the order of the features: phrases both ways, words both ways, language model, length,
# phrases, unknown words, distortion.
FIRST_WEIGHTS = np.array([0.1, 0.2, 0.15, 0.25, 0.3, 0.7, 0.1, 1.0, 0.25])
FREE = np.array([name != "unknown" for name in REORDERING_FEATURES])  # no choice leads around unknown words


@checked
@dataclass(frozen=True)
class TranslationSettings:
    """How phrases are taken, the language model made, translations searched and weights tuned.

    `order` is that of the language model, `max_length` counts the words of a phrase on either side, and `most_options`
    the translations of a source phrase. `beam`, `margin`, `distortion_limit` and `looks` are of the search
    (`cepts.phrases.decoding.Search`); `tuner` (mira or pro), `rounds` and `n_best` of tuning.
    """

    order: int = 5
    max_length: int = 5
    most_options: int = 20
    smoothing: str = "kneser-ney"
    unaligned: str = "edges"
    beam: int = 100
    margin: float = 6.0
    distortion_limit: int = 6
    looks: int = 10
    tuner: str = "mira"
    rounds: int = 8
    n_best: int = 100

    def extraction(self) -> Extraction:
        """Which phrase pairs are taken."""
        return Extraction(self.max_length, self.most_options, self.smoothing, self.unaligned)

    def search(self) -> Search:
        """How translations are searched."""
        return Search(self.beam, self.margin, self.distortion_limit, self.looks)
