"""`Similarity`: are two sentences translations of each other? Factors and lexical overlap, each alone or together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.aligning import Aligner
from cepts.checking import checked
from cepts.corpus import TextOptions
from cepts.errors import InputError, OptionError
from cepts.quality.overlap import BlockOverlaps, LexicalOverlap
from cepts.quality.retrieval import (
    NEIGHBOURS,
    Ranked,
    Scorer,
    Vectors,
    Weights,
    paired_products,
    rank,
    weighed,
)
from cepts.quality.weighing import FEWEST, USUAL, learned_weights
from cepts.running.cluster import cluster_of
from cepts.running.steps import tell
from cepts.sentences import SentenceModel
from cepts.sentences.similarity import unit_rows
from cepts.storage.memory import Memory, wanted_memory

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from distributed import Client
    from numpy.typing import NDArray

    from cepts.checking import Seed
    from cepts.corpus import Bitext
    from cepts.corpus.bitext import Side
    from cepts.running.cluster import Cluster

    Floats = NDArray[np.float32]

USES = ("both", "factors", "lexicon")
PRODUCTS = ("cosine", "hellinger", "dot")  # measures that are products of vectors
HELD_OUT = 1000  # pairs, at most a tenth of all, that teach how much each kind of evidence counts
LEXICON_FROM = (
    200_000  # other pairs that the lexicon for that is learned from: as good as the one it stands for
)
FACTORS_FROM = 20_000  # of these, the ones that are factorised, which is slower and needs less text
DIMENSIONS = 128  # of the common space, at most one for each `PAIRS_EACH` pairs
PAIRS_EACH = 4
DEFAULTS: dict[str, Any] = {
    "features": "words:1,chars:4-4",
    "iterations": 50,
    "projection": "divergence",
    "measure": "hellinger",
}
PLAIN = TextOptions()


class Part(NamedTuple):
    """What one use takes: overlaps, vectors, and the weights of both."""

    overlap: bool
    factors: bool
    weights: Weights


@checked
@dataclass(frozen=True, eq=False)
class Similarity:
    """A sentence model and a lexical overlap, and how much each counts; make one with `fit` or `load`.

    >>> import cepts
    >>> model = Similarity.fit(cepts.sample_bitext(), k=16, iterations=20)
    >>> others = ["the cat sleeps", "the dog eats", ""]
    >>> right, wrong, empty = model.score(cepts.bitext_from_pairs([("le chat dort", other) for other in others]))
    >>> right > 0.9 > 0.1 > wrong > empty == 0
    np.True_
    """

    factors: SentenceModel
    overlap: LexicalOverlap
    weights: Weights = USUAL
    text: TextOptions = PLAIN
    on_disk: int = 0  # bytes that had to go there in training

    @classmethod
    def fit(
        cls,
        bitext: Bitext,
        *,
        aligner: Aligner | None = None,
        threads: int = 1,
        seed: Seed = 1,
        text: TextOptions = PLAIN,
        memory: int | str | Memory | None = None,
        client: Client | Cluster | None = None,
        **options: Any,
    ) -> Similarity:
        """Learn from a bitext alone; `options` are those of `SentenceModel.fit`.

        By default words and their n-grams of 4 letters are factorised into 128 dimensions, fewer if there is little
        text, and sentences are compared by Hellinger's measure. An aligner that is already trained spares the work of
        training one. How much each kind of evidence counts is learned from some of the pairs, with evidence from
        others: a lexicon knows the pairs that it was learned from. `text` says how lines became words, for who reads
        more of them. `memory`, bytes or "4G", may be used before large arrays go to disk; half of what is free and at
        most 1.5 GB unless told. Nothing that is learned depends on it. With `client`, a `Client` of
        `dask.distributed`, its cluster factorises and aligns.
        """
        running: dict[str, Any] = {
            "threads": threads,
            "memory": wanted_memory(memory),
            "client": cluster_of(client),
        }
        k = max(1, min(DIMENSIONS, len(bitext) // PAIRS_EACH))
        chosen = {"k": k, **DEFAULTS, **options, "seed": seed}
        measure = chosen["measure"]
        if not isinstance(measure, str) or measure not in PRODUCTS:
            raise OptionError(f"measure must be one of {', '.join(PRODUCTS)} here, got {measure!r}")
        factors = _factors_of(bitext, chosen, running)
        aligner = aligner or Aligner("fast", **running).fit(bitext)
        tell("weighing the evidence")
        overlap = LexicalOverlap.fit(bitext, aligner)
        on_disk = factors.factorisation.on_disk + aligner.scratch.on_disk
        return cls(factors, overlap, _weights(bitext, chosen, running), text.after(bitext), on_disk)

    def score(self, bitext: Bitext, use: str = "both", threads: int = 1) -> Floats:
        """Return how similar the two sentences of each pair are; 0 where nothing speaks for it, as with empty ones.

        With `both`, it is the probability that they translate each other, if one pair in two does and the others are
        tempting; with `factors` and `lexicon` the similarity of their factors, and their lexical overlap.
        """
        part = self._part(use)
        if len(bitext.source) != len(bitext.target):
            raise InputError(
                f"{len(bitext.source)} source but {len(bitext.target)} target sentences, expected as many"
            )
        tell("scoring pairs")
        nothing = np.zeros(len(bitext), np.float32)
        overlaps = self.overlap.score(bitext, threads) if part.overlap else nothing
        products = nothing
        if part.factors:
            vectors = self.vectors(bitext.source, bitext.target, threads)
            products = paired_products(vectors.sources, vectors.targets)
        return readable(weighed(overlaps, products, part.weights), use)

    def rank(
        self,
        sources: Side,
        targets: Side,
        n_best: int = 5,
        *,
        use: str = "both",
        neighbours: int = NEIGHBOURS,
        block: int | None = None,
        threads: int = 1,
    ) -> Iterator[Ranked]:
        """Yield (source numbers, target numbers [rows, n], scores [rows, n]): the best targets of each source.

        Numbers count from 0; -1 stands where no more targets have any evidence. Without neighbours, scores are
        those of `score`. With some, they say how far a pair is above what is usual for its two sentences, by their best
        neighbours (of log odds, with `both`), and that decides which is best. `block` sources are worked on at a time
        by each thread: it bounds memory, and changes no result.
        """
        scorer = self.scorer(sources, targets, use, threads)
        ranked = rank(scorer, n_best, neighbours, block, threads)
        if neighbours:
            return ranked
        return (one._replace(scores=readable(one.scores, use)) for one in ranked)

    def scorer(self, sources: Side, targets: Side, use: str = "both", threads: int = 1) -> Scorer:
        """Prepare two texts whose sentences are to be scored with each other."""
        part = self._part(use)
        overlaps = BlockOverlaps.of(self.overlap, sources, targets) if part.overlap else None
        vectors = self.vectors(sources, targets, threads) if part.factors else None
        return Scorer((len(sources), len(targets)), part.weights, overlaps, vectors)

    def vectors(self, sources: Side, targets: Side, threads: int = 1) -> Vectors:
        """Return the factors of two texts as vectors whose product is the measure of the sentence model."""
        return Vectors(
            self.side_vectors(sources, "source", threads), self.side_vectors(targets, "target", threads)
        )

    def side_vectors(self, side: Side, name: str, threads: int = 1) -> Floats:
        """Return the factors of one text, `source` or `target`, as such vectors."""
        self.factors.factorisation.threads = threads
        return _vectors(self.factors.project(side, name), self.factors.measure)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write everything into a folder; see `load`."""
        from cepts.quality.saving import save_similarity

        save_similarity(folder, self)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Similarity:
        """Open what `save` wrote: it gives the same scores."""
        from cepts.quality.saving import load_similarity

        return load_similarity(folder)

    def _part(self, use: str) -> Part:
        parts = {
            "both": Part(True, True, self.weights),
            "factors": Part(False, True, Weights(0.0, 0.0, 1.0)),
            "lexicon": Part(True, False, Weights(0.0, 1.0, 0.0)),
        }
        if use not in parts:
            raise OptionError(f"use must be one of {', '.join(USES)}, got {use!r}")
        return parts[use]


def _vectors(rows: Floats, measure: str) -> Floats:
    """Return vectors whose product is a measure."""
    if measure == "dot":
        return rows
    roots = np.sqrt(np.maximum(rows, 0)) if measure == "hellinger" else rows
    result: Floats = unit_rows(roots).astype(np.float32)
    return result


def readable(scores: Floats, use: str) -> Floats:
    """Make probabilities of log odds, and 0 of no evidence."""
    if use != "both":
        return np.where(scores == -np.inf, np.float32(0), scores)
    odds = np.clip(scores.astype(np.float64), -700, 700)
    return np.where(scores == -np.inf, 0, 1 / (1 + np.exp(-odds))).astype(np.float32)


def _factors_of(bitext: Bitext, options: dict[str, Any], running: dict[str, Any]) -> SentenceModel:
    """Factorise a text, with as much memory as its large arrays may take."""
    return SentenceModel.fit(bitext, **options, **running | {"memory": running["memory"].room})


def _weights(bitext: Bitext, options: dict[str, Any], running: dict[str, Any]) -> Weights:
    """Learn the weights from pairs that are held out from a part of the text."""
    full = np.flatnonzero((bitext.source.lengths > 0) & (bitext.target.lengths > 0))
    count = min(HELD_OUT, len(full) // 10)
    if count < FEWEST:
        return USUAL
    shuffled = np.random.default_rng(options["seed"]).permutation(full)
    held, others, fewer = (
        bitext.picked(numbers)
        for numbers in (
            shuffled[:count],
            shuffled[count : count + LEXICON_FROM],
            shuffled[count : count + FACTORS_FROM],
        )
    )
    k = min(options["k"], len(fewer))
    factors = _factors_of(fewer, {**options, "k": k, "progress": None}, running)
    overlap = LexicalOverlap.fit(others, Aligner("fast", **running).fit(others))
    vectors = Similarity(factors, overlap).vectors(held.source, held.target, running["threads"])
    return learned_weights(held, overlap, vectors)
