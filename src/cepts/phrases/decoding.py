"""`Decoder`: the best targets of a source by a log-linear model of phrases, read in order or out of it.

The score of a target is the weighted sum of its features: of the phrases that it is made of, the logarithms of their
probabilities and lexical weights, both ways; the log probability of the language model; how many ids it has; how many
phrases, negative; and for each id that no phrase knows, -10. Such an id is copied, as another id that the caller
names, or skipped. Where phrases may be read out of order there is one feature more: the ids between the end of a phrase
and the beginning of the next one, either way, negative.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import bounds
from cepts.errors import OptionError
from cepts.phrases.phrase_options import OPTION_FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.phrases.language_model import LanguageModel
    from cepts.phrases.language_model_kernels import NGrams
    from cepts.phrases.lattice_kernels import Options
    from cepts.phrases.phrase_options import PhraseOptions

FEATURES = (*OPTION_FEATURES, "language_model", "length", "phrases", "unknown")
FIRST_WEIGHTS = np.array([0.4, 0.7, 0.05, 0.0, 0.45, 0.1, 0.5, 1.0])  # near what dev sets of names lead to
REORDERING_FEATURES = (*FEATURES, "distortion")
SCORED_AT_ONCE = 1 << 20  # options; bounds what is held in double precision
MOST_NODES = 100_000  # the beam of a long source becomes narrower
SKIP = -1  # instead of an id that an unknown one is copied as


class Ragged(NamedTuple):
    """Sequences of ids, flat: number k is `ids[offsets[k]:offsets[k + 1]]`."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, sequences: Sequence[Sequence[int]]) -> Ragged:
        """Lay out sequences one behind the other."""
        lengths = np.array([len(sequence) for sequence in sequences], np.int64)
        ids = np.array([number for sequence in sequences for number in sequence], np.int32)
        return cls(ids, np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))))


class Targets(NamedTuple):
    """The best different targets of a source, best first, with their features (a row each) and scores."""

    targets: Ragged
    features: NDArray[np.float64]
    scores: NDArray[np.float64]


class Search(NamedTuple):
    """How many nodes a stack may keep, and how much worse than the best of them they may score.

    A phrase may begin at most `distortion_limit` ids away from the end of the last one, either way; with 0 all is read
    in order. With more, so many hypotheses are looked at for each that a stack may keep (`looks`).
    """

    beam: int = 50
    margin: float = 6.0
    distortion_limit: int = 0
    looks: int = 4


DEFAULT_SEARCH = Search()


@dataclass(frozen=True, eq=False)
class Decoder:
    """Phrases, a language model of target ids, and the weights of `FEATURES`."""

    options: PhraseOptions
    language_model: LanguageModel
    weights: NDArray[np.float64]
    search: Search = DEFAULT_SEARCH

    def __post_init__(self) -> None:
        """Refuse a search that cannot be."""
        bounds.BEAM.check("beam", self.search.beam)
        if not self.search.margin >= 0.0:
            raise OptionError(f"margin {self.search.margin}: expected a number from 0")
        bounds.DISTORTION_LIMIT.check("distortion_limit", self.search.distortion_limit)
        bounds.LOOKS.check("looks", self.search.looks)
        if self.weights.shape != (len(self.features),):
            names = ", ".join(self.features)
            raise OptionError(f"{self.weights.size} weights, expected {len(self.features)}: {names}")

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features; a model that may read out of order has one more, even if the search may not."""
        reorders = self.search.distortion_limit > 0 or self.weights.shape == (len(REORDERING_FEATURES),)
        return REORDERING_FEATURES if reorders else FEATURES

    def with_weights(self, weights: NDArray[np.float64]) -> Decoder:
        """Return the same decoder with other weights."""
        return replace(self, weights=np.array(weights, np.float64))

    def decode(
        self, source: NDArray[np.int32], n_best: int = 1, copies: NDArray[np.int32] | None = None
    ) -> Targets:
        """Return the best different targets of a source.

        `copies` names, for each of its ids, the target id that it is copied as if it is unknown, or SKIP.
        """
        bounds.TRANSLATIONS.check("n_best", n_best)
        if copies is None:
            copies = np.full(len(source), SKIP, np.int32)
        ids, offsets, features, scores = self._decoded(source, copies, n_best)
        return Targets(Ragged(ids, offsets), self._widened(features), scores)

    def _decoded(
        self, source: NDArray[np.int32], copies: NDArray[np.int32], n_best: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Let the kernel search that the search needs."""
        chosen = self.search
        beam = max(1, min(chosen.beam, MOST_NODES // max(len(source), 1)))
        model = source, copies, self._kernel_options, self._grams, self._limits
        found: tuple[Any, Any, Any, Any]
        if chosen.distortion_limit:
            from cepts.phrases.reordering_kernels import decode_reordered  # late: it brings numba

            width = beam, float(chosen.margin), beam * chosen.looks
            found = decode_reordered(*model, self.weights, *width, chosen.distortion_limit, n_best)
        else:
            from cepts.phrases.decoding_kernels import decode

            weights = self.weights[: len(FEATURES)]
            found = decode(*model, weights, beam, float(chosen.margin), n_best)
        return found

    def _widened(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give features of what was read in order a distortion of nought, if the model has a weight for it."""
        missing = len(self.weights) - features.shape[1]
        return np.pad(features, ((0, 0), (0, missing))) if missing else features

    def force(
        self, sources: Ragged, targets: Ragged, copies: NDArray[np.int32] | None = None
    ) -> NDArray[np.float64]:
        """Return the features of the best way in order from each source to its own target, a row each.

        Where no phrases lead there, ids of both sides may be passed by as unknown ones: the score is always finite.
        Ways between very long strings are not looked for; all their ids are passed by.
        """
        from cepts.phrases.forcing_kernels import force

        if len(sources.offsets) != len(targets.offsets):
            wrong = f"{len(sources.offsets) - 1} sources but {len(targets.offsets) - 1} targets"
            raise OptionError(f"{wrong}, expected as many")
        if copies is None:
            copies = np.full(len(sources.ids), SKIP, np.int32)
        features = np.zeros((len(sources.offsets) - 1, len(FEATURES)))
        force(*sources, copies, *targets, self._kernel_options, self.weights[: len(FEATURES)], features)
        features[:, FEATURES.index("language_model")] = self.language_model.log_probabilities(*targets)
        return self._widened(features)

    @cached_property
    def _kernel_options(self) -> Options:
        from cepts.phrases.lattice_kernels import Options

        own = self.options
        scores = own.target_lengths * self.weights[FEATURES.index("length")]
        for begin in range(0, len(own), SCORED_AT_ONCE):
            part = slice(begin, begin + SCORED_AT_ONCE)
            scores[part] += own.features[part].astype(np.float64) @ self.weights[: len(OPTION_FEATURES)]
        scores -= self.weights[FEATURES.index("phrases")]
        phrases = own.first_option, own.target_offsets, own.target_ids, own.features
        return Options(*own.trie, *phrases, scores)

    @property
    def _grams(self) -> NGrams:
        return self.language_model.grams

    @cached_property
    def _limits(self) -> NDArray[np.int64]:
        return np.array([self.language_model.start, self.language_model.size], np.int64)
