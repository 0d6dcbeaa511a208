"""Retrieval: the right translation among 1,000; and how far scores of similarity go along with people's."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.aligning import Aligner
from cepts.evaluation import estimate
from cepts.quality import LexicalOverlap, Similarity
from cepts.sentences import SentenceModel
from huerta.material import STS, encoded, read_similar, read_tatoeba
from huerta.rows import BY_PLACE, model_options
from huerta.tfidf import TranslatedTfidf
from paper_tables.records import rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from huerta.results import Sheet
    from huerta.rows import Row

    Floats = NDArray[np.floating[Any]]

RESAMPLES = 1000


class Library:
    """The texts, and what was learned from the training text, each once."""

    def __init__(self, sheet: Sheet, threads: int) -> None:
        self.threads = threads
        self.training = encoded(read_tatoeba("train")[: sheet.size], tokenize=True)
        self.scored = encoded(read_tatoeba(sheet.part), tokenize=True)
        # people's scores are for the figures that are reported, never for choices
        self.similar = {track: read_similar(track) for track in STS} if sheet.part == "test" else {}
        self._models: dict[str, SentenceModel] = {}

    @cached_property
    def aligner(self) -> Aligner:
        """The word aligner, whose lexicon all need."""
        return Aligner("fast", threads=self.threads).fit(self.training)

    @cached_property
    def overlap(self) -> LexicalOverlap:
        """Lexical overlap by that lexicon."""
        return LexicalOverlap.fit(self.training, self.aligner, self.threads)

    @cached_property
    def tfidf(self) -> TranslatedTfidf:
        """TF-IDF by that lexicon."""
        return TranslatedTfidf.fit(self.aligner, self.training)

    @cached_property
    def usual(self) -> Similarity:
        """What `cepts similar train` makes."""
        return Similarity.fit(self.training, aligner=self.aligner, threads=self.threads)

    def similarity(self, row: Row) -> Similarity:
        """Return the model of a row."""
        options = model_options(row)
        if row.options["use"] == "both" or options == model_options(BY_PLACE["retrieval", "both"]):
            return self.usual
        if row.options["use"] == "lexicon":
            return Similarity(None, self.overlap)  # type: ignore[arg-type]  # the lexicon alone is asked
        key = str(options)
        if key not in self._models:
            self._models[key] = SentenceModel.fit(self.training, **options, threads=self.threads)
        return Similarity(self._models[key], self.overlap)

    def scores(self, row: Row, text: Bitext) -> Floats:
        """Return the scores of all source with all target sentences of a text [sources, targets]."""
        if row.options["use"] == "tfidf":
            ours, theirs = self.tfidf.vectors(text.source, text.target)
            return ours @ theirs.T
        table = np.full((len(text), len(text)), -np.inf)
        asked = {"use": row.options["use"], "neighbours": row.options["neighbours"]}
        for rows, targets, scores in self.similarity(row).rank(
            text.source, text.target, len(text), **asked, threads=self.threads
        ):
            sources, places = np.broadcast_to(rows[:, None], targets.shape), targets >= 0
            table[sources[places], targets[places]] = scores[places]
        return table

    def paired(self, row: Row, text: Bitext) -> Floats:
        """Return the score of each pair of a text."""
        if row.options["use"] == "tfidf":
            ours, theirs = self.tfidf.vectors(text.source, text.target)
            return np.sum(ours * theirs, axis=1)
        return self.similarity(row).score(text, row.options["use"], self.threads)


def measure_retrieval(row: Row, library: Library) -> dict[str, Any]:
    """Let a row find the translation of each scored sentence, and score the pairs that people have scored."""
    ranks = right_ranks(library.scores(row, library.scored))
    figures: dict[str, Any] = {
        "candidates": len(library.scored),
        "accuracy": rounded(estimate([rank == 1 for rank in ranks])),
        "mrr": rounded(estimate([1 / rank for rank in ranks])),
        "ranks": ranks,
        "training": len(library.training),
    }
    figures["said"] = f"accuracy {figures['accuracy'][0]:.3f}, MRR {figures['mrr'][0]:.3f}"
    if row.options["neighbours"] == 0:  # what is usual for a sentence has no meaning for single pairs
        for track, (pairs, gold) in library.similar.items():
            scores = library.paired(row, encoded(pairs, tokenize=True))
            figures[f"sts {track}"] = rounded(correlation(scores, np.array(gold)))
    return figures


def right_ranks(scores: Floats) -> list[int]:
    """Return the rank of the right target of each source, which has its number; an equal score ranks above it.

    >>> right_ranks(np.array([[3.0, 2, 4], [1, 1, 0], [0, 0, 5]]))
    [2, 2, 1]
    """
    own = np.diag(scores)[:, None]
    return (scores >= own).sum(axis=1).tolist()


def correlation(scores: Floats, gold: Floats, seed: int = 1) -> tuple[float, float, float]:
    """Return Pearson's correlation, and the middle 95 % of those of samples of the pairs."""
    random = np.random.default_rng(seed)
    drawn = (random.integers(len(gold), size=len(gold)) for _ in range(RESAMPLES))
    low, high = np.percentile([pearson(scores[some], gold[some]) for some in drawn], [2.5, 97.5])
    return pearson(scores, gold), float(low), float(high)


def pearson(ones: Floats, others: Floats) -> float:
    """Return Pearson's correlation, 0 where one side is all the same.

    >>> round(pearson(np.array([1.0, 2, 3]), np.array([2.0, 4, 6])), 6), pearson(np.ones(3), np.arange(3.0))
    (1.0, 0.0)
    """
    one, other = (np.asarray(side, np.float64) - np.mean(side, dtype=np.float64) for side in (ones, others))
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size else 0.0
