"""From sentences to rows of features: which n-grams a text has, what their numbers are, and what they weigh."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked, refusing
from cepts.errors import InputError
from cepts.sentences.features_families import (
    Family,
    Texts,
    finder_of,
    learn_families,
    lengths_of,
)
from cepts.sentences.features_options import FeatureOptions, parse_features
from cepts.sentences.features_units import split_tags, tag_lines
from cepts.sentences.matrices import Matrix
from cepts.sentences.ngrams import MOST_FEATURES, row_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Side
    from cepts.sentences.features_families import Arrays, LetterFinder, SequenceFinder

__all__ = ["FeatureOptions", "FeatureSpace", "parse_features", "split_tags", "tag_lines"]

TOKENS_AT_ONCE = 1 << 18  # while encoding; each may have some dozen character n-grams


@checked
@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """The features of one language that were learned from a text, in a fixed order.

    >>> from cepts.corpus import encode_lines
    >>> space = FeatureSpace.fit(encode_lines(["a b a", "b c"]), FeatureOptions(words=2, min_count=1))
    >>> space.names()
    ['words:a', 'words:b', 'words:c', 'words:a b', 'words:b a', 'words:b c']
    >>> matrix = space.encode(encode_lines(["b c unheard"]))
    >>> matrix.features.tolist(), matrix.values.tolist()
    ([1, 2, 5], [1.0, 1.0, 1.0])
    """

    options: FeatureOptions
    families: tuple[Family, ...]
    idf: NDArray[np.float32] | None = None

    @classmethod
    def fit(
        cls,
        side: Side,
        options: FeatureOptions | None = None,
        *,
        name: str = "text",
        limit: int = MOST_FEATURES,
    ) -> FeatureSpace:
        """Learn which features a text has; `name` is what messages call it.

        More than `limit` different n-grams of a family, rare ones included, are refused: they would fill the memory.
        """
        options = options or FeatureOptions()
        if not len(side.ids):
            raise InputError(f"{name} has no words: there is nothing to learn features from")
        texts = Texts.of(side, options, name)
        space = cls(options, learn_families(texts, options, limit))
        if not space.width:
            raise InputError(
                f"{name} has no features: none is there {options.min_count} times; lower min_count, or give more text"
            )
        if options.weighting == "count":
            return space
        return cls(options, space.families, _inverse_frequencies(space._counts(texts)))

    @cached_property
    def width(self) -> int:
        """The number of features."""
        return sum(family.ngrams.width for family in self.families)

    def names(self) -> list[str]:
        """Return a name of each feature: `words:the house`, `tags:DET NOUN`, `chars:^the`, `arcs:bark nsubj dogs`.

        In names of letters, ^ and $ are borders of a word.
        """
        return [name for family in self.families for name in family.feature_names()]

    def encode(self, side: Side, *, name: str = "text", lines_before: int = 0) -> Matrix:
        """Return a row for each sentence; features that were not learned are left out.

        For messages, `name` is what the text is called, `lines_before` how many lines of it come before these.
        """
        matrix = self._counts(Texts.of(side, self.options, name, lines_before))
        values = matrix.values if self.idf is None else matrix.values * self.idf[matrix.features]
        return _normalised(matrix._replace(values=values), self.options.norm)

    def packed(self, prefix: str = "") -> tuple[dict[str, Any], Arrays, dict[str, list[str]]]:
        """Return what a model folder needs: a description, arrays and texts, whose names begin with `prefix`."""
        arrays: Arrays = {} if self.idf is None else {f"{prefix}idf": self.idf}
        texts: dict[str, list[str]] = {}
        for family in self.families:
            more_arrays, more_texts = family.packed(prefix)
            arrays, texts = arrays | more_arrays, texts | more_texts
        return asdict(self.options), arrays, texts

    @classmethod
    def unpacked(
        cls,
        meta: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        texts: Mapping[str, Sequence[str]],
        prefix: str = "",
    ) -> FeatureSpace:
        """Make again what was packed; refuse what does not fit."""
        with refusing("a packed feature space"):
            return cls._unpacked(meta, arrays, texts, prefix)

    @classmethod
    def _unpacked(
        cls,
        meta: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        texts: Mapping[str, Sequence[str]],
        prefix: str,
    ) -> FeatureSpace:
        options = FeatureOptions(**meta)
        families = (
            Family.unpacked(name, lengths, arrays, texts, prefix)
            for name, lengths in lengths_of(options).items()
        )
        idf = np.array(arrays[f"{prefix}idf"]) if options.weighting == "tfidf" else None
        space = cls(options, tuple(families), idf)
        if not space.width:
            raise ValueError("it has no features")
        if idf is not None and (idf.dtype != np.float32 or idf.shape != (space.width,) or not _usable(idf)):
            raise ValueError("its features have no weights")
        return space

    @cached_property
    def _tables(self) -> list[dict[Any, int]]:
        """The number of each unit, by family."""
        return [{unit: number for number, unit in enumerate(family.units)} for family in self.families]

    def _counts(self, texts: Texts) -> Matrix:
        """Count the features of each sentence."""
        pairs = zip(self.families, self._tables, strict=True)
        finders = [finder_of(family, table, texts) for family, table in pairs]
        shifts = np.cumsum([0, *(family.ngrams.width for family in self.families)]).tolist()
        offsets = texts.words.offsets
        blocks = [
            _count_block(finders, shifts, first, end) for first, end in row_blocks(offsets, TOKENS_AT_ONCE)
        ]
        lengths, features, values = (
            np.concatenate([np.empty(0, kind), *(block[k] for block in blocks)])
            for k, kind in enumerate((np.int64, np.int32, np.float32))
        )
        starts = np.zeros(len(offsets), np.int64)
        np.cumsum(lengths, out=starts[1:])
        return Matrix(starts, features, values, self.width)


def _count_block(
    finders: Sequence[SequenceFinder | LetterFinder], shifts: Sequence[int], first: int, end: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    """Return how many different features each sentence of a block has, which, and how often each is there."""
    width = shifts[-1]
    keys = [
        rows * width + features + shift
        for finder, shift in zip(finders, shifts, strict=False)
        for rows, features in finder.block(first, end)
    ]
    different, counts = np.unique(np.concatenate(keys), return_counts=True)
    lengths = np.bincount(different // width, minlength=end - first)
    return lengths, (different % width).astype(np.int32), counts.astype(np.float32)


def _inverse_frequencies(matrix: Matrix) -> NDArray[np.float32]:
    """Return log((1 + sentences) / (1 + sentences that have it)) + 1 for each feature."""
    sentences = len(matrix.offsets) - 1
    having = np.bincount(matrix.features, minlength=matrix.width)
    return np.asarray(np.log((1 + sentences) / (1 + having)) + 1, np.float32)


def _normalised(matrix: Matrix, norm: str) -> Matrix:
    """Divide each row by its sum or its Euclidean length."""
    if norm == "none":
        return matrix
    lengths = np.diff(matrix.offsets)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    values = matrix.values.astype(np.float64)
    sizes = np.bincount(rows, values if norm == "sum" else values**2, len(lengths))
    sizes = sizes if norm == "sum" else np.sqrt(sizes)
    return matrix._replace(values=(values / sizes[rows]).astype(np.float32))


def _usable(weights: NDArray[np.float32]) -> bool:
    """Whether all are numbers that a count can be multiplied by."""
    return bool(np.all((weights > 0) & np.isfinite(weights)))
