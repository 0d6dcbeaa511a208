"""`Judge`: tells which of two translations is the human one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked
from cepts.corpus import Bitext
from cepts.errors import InputError, OptionError
from cepts.quality.judge_features import (
    ALIGNMENT,
    LEXICAL,
    SURFACE,
    alignment_columns,
    lexical_columns,
    projected_names,
    projected_rows,
    shared_features,
    shared_rows,
    surface_columns,
)
from cepts.quality.similar import PLAIN, Similarity
from cepts.sentences import SentenceModel
from cepts.sentences.classifiers import LVQ, BestDimension, Perceptron, Regression
from cepts.sentences.matrices import row_blocks

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.aligning import Aligner
    from cepts.checking import Seed
    from cepts.corpus import Side, TextOptions
    from cepts.sentences.classifiers import Classifier

    Floats = NDArray[np.float64]

KIND = "judge"
KINDS = ("everything", "shared", "perceptron", "lvq", "dimension")
RIDGE = 0.1  # of hundreds of shared features, of which many say little
BLOCK = 8192  # sentences that are described at once


def nothing_shared() -> NDArray[np.int32]:
    """Return no features of both languages."""
    return np.zeros((2, 0), np.int32)


@checked
@dataclass(frozen=True, eq=False)
class Judge:
    """A classifier of how differently two candidates relate to their source; make one with `fit` or `load`.

    Of kind `perceptron`, `lvq` and `dimension`, it looks at the three sentences in the common space of a sentence model
    alone, where they are by least squares. `shared` looks at how often they have the features that both languages have
    by the same name, such as n-grams of universal tags. `everything` looks at the evidence of a similarity model's
    lexicon and factors, at lengths, at copied and repeated words and, if there is an aligner, at how well it links the
    words. The machine's translation is often the one that is nearer to the source: it translates word by word.

    >>> import cepts
    >>> from cepts.quality.similar import PLAIN, Similarity
    >>> bitext = cepts.sample_bitext()
    >>> model = Similarity.fit(bitext, k=8, iterations=20)
    >>> machines = cepts.corpus.side_from_tokens([bitext.target.sentence(k)[::2] for k in range(len(bitext))])
    >>> judge = Judge.fit(model, bitext.source, bitext.target, machines)
    >>> margins = judge.margins(bitext.source, bitext.target, machines)
    >>> bool(np.mean(margins > 0) > 0.9)
    True
    """

    kind: str
    model: Similarity | SentenceModel
    classifier: Classifier
    aligner: Aligner | None = None
    shared: NDArray[np.int32] = field(default_factory=nothing_shared)
    text: TextOptions = PLAIN
    threads: int = 1

    @classmethod
    def fit(
        cls,
        model: Similarity | SentenceModel,
        sources: Side,
        humans: Side,
        machines: Side,
        *,
        kind: str = "everything",
        aligner: Aligner | None = None,
        seed: Seed = 1,
        threads: int = 1,
    ) -> Judge:
        """Learn from source sentences, each with a human's and a machine's translation.

        Neither the model nor the aligner may have been trained on these very pairs: they would know them. The judge
        keeps what it needs of both.
        """
        text = model.text if isinstance(model, Similarity) else PLAIN
        needed, aligner = _needed(model, kind), _checked(aligner, kind)
        shared = _shared(needed, sources, humans) if kind == "shared" else nothing_shared()
        judge = cls(kind, needed, _classifier(kind), aligner, shared, text, threads)
        rows = judge._differences(sources, humans, machines)
        rows = rows[np.any(rows != 0, axis=1)]  # where both are the same there is nothing to learn
        if not len(rows):
            raise InputError(
                "nothing to learn from: in no line do the human's and the machine's translation differ in what"
                " the model knows"
            )
        labels = np.repeat([True, False], len(rows))
        judge.classifier.fit(np.concatenate([rows, -rows]), labels, seed)
        return judge

    @property
    def columns(self) -> list[str]:
        """What the classifier looks at, by name; a case is what the first candidate has more of than the second."""
        if self.kind == "shared" and isinstance(self.model, SentenceModel):
            every = self.model.spaces[0].names()
            names = [every[number] for number in self.shared[0].tolist()]
            return names + [f"distance of {name}" for name in names]
        if isinstance(self.model, SentenceModel):
            return projected_names(self.model.factorisation.options.k)
        return [*LEXICAL, *SURFACE, "similarity of factors", *(ALIGNMENT if self.aligner is not None else ())]

    def margins(self, sources: Side, ones: Side, others: Side) -> NDArray[np.float32]:
        """Return a number for each line: positive if the first candidate is the human one; the larger, the surer.

        Exchanged candidates have the opposite margin. It is 0 if both are described alike: the same sentence, both
        empty, or, where only factors are looked at, both of words that the model does not know.
        """
        rows = self._differences(sources, ones, others)
        twice = self.classifier.margin(rows) - self.classifier.margin(-rows)
        return (twice / 2).astype(np.float32)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the judge, and all that it needs, into a folder; see `load`."""
        from cepts.quality.judge_saving import save_judge

        save_judge(folder, self)

    @classmethod
    def load(cls, folder: str | os.PathLike[str], *, threads: int = 1) -> Judge:
        """Open what `save` wrote: it gives the same margins."""
        from cepts.quality.judge_saving import load_judge

        return load_judge(folder, threads)

    def _differences(self, sources: Side, ones: Side, others: Side) -> Floats:
        """Return the description of each first candidate less that of the second."""
        if not len(sources) == len(ones) == len(others):
            raise InputError(
                f"{len(sources)} source sentences with {len(ones)} and {len(others)} translations: expected as many"
                " of each; line k of all three must belong together"
            )
        if not len(sources):
            raise InputError("the text to judge is empty: give at least one sentence")
        parts = [
            self._described(sources.part(*rows), ones.part(*rows))
            - self._described(sources.part(*rows), others.part(*rows))
            for rows in row_blocks(len(sources), BLOCK)
        ]
        return np.concatenate(parts)

    def _described(self, sources: Side, candidates: Side) -> Floats:
        """Return a row for each source sentence with its candidate."""
        if isinstance(self.model, Similarity):
            return np.stack(list(self._columns(Bitext(sources, candidates))), axis=1)
        if self.kind == "shared":
            one, other = self.model.spaces
            return shared_rows(one.encode(sources), other.encode(candidates), self.shared)
        return projected_rows(self.model.project(sources, "source"), self.model.project(candidates, "target"))

    def _columns(self, bitext: Bitext) -> Iterator[Floats]:
        """Yield all evidence about pairs."""
        assert isinstance(self.model, Similarity)  # for type checkers: `_needed` sees to it
        yield from lexical_columns(bitext, self.model.overlap)
        yield from surface_columns(bitext)
        yield self.model.score(bitext, "factors", self.threads).astype(np.float64)
        if self.aligner is not None:
            yield from alignment_columns(bitext, self.aligner.align(bitext))


def _needed(model: Similarity | SentenceModel, kind: str) -> Similarity | SentenceModel:
    """Return what a kind of judge needs of a model."""
    if kind not in KINDS:
        raise OptionError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    if kind != "everything":
        factors = model.factors if isinstance(model, Similarity) else model
        # as printed in the paper, and better here than what is never negative: differences are what counts
        return SentenceModel(factors.spaces, factors.factorisation, "least-squares", factors.measure)
    if not isinstance(model, Similarity):
        raise OptionError(
            "a judge of kind 'everything' needs a Similarity, got a SentenceModel; fit one, or choose another kind"
        )
    return model


def _shared(model: Similarity | SentenceModel, sources: Side, targets: Side) -> NDArray[np.int32]:
    """Return the features by which a source and a candidate can be compared."""
    assert isinstance(model, SentenceModel)  # for type checkers: `_needed` sees to it
    one, other = model.spaces
    shared = shared_features(one.encode(sources), other.encode(targets), (one.names(), other.names()))
    if not shared.size:
        raise InputError(
            "the two languages share no features that are in the text: a judge of kind 'shared' needs a model of such,"
            " like tags:2 with the same tags in both languages"
        )
    return shared


def _checked(aligner: Aligner | None, kind: str) -> Aligner | None:
    if aligner is not None and kind != "everything":
        raise OptionError(f"a judge of kind {kind!r} has no use for an aligner: leave it out")
    return aligner


def _classifier(kind: str) -> Classifier:
    """Return an untrained classifier; a row and its opposite are opposite cases, so that none needs a bias."""
    made: dict[str, Any] = {
        "everything": Regression,
        "shared": lambda: Regression(RIDGE),
        "perceptron": lambda: Perceptron(bias=False),
        "lvq": LVQ,
        "dimension": lambda: BestDimension(bias=False),
    }
    found: Classifier = made[kind]()
    return found
