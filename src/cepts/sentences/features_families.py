"""Families of features: n-grams of words, of tags and of the letters of words, and dependency triples.

They are counted in one text and found in another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.sentences.features_units import BEGIN, END, compacted, letters_of, split_arcs, split_tags
from cepts.sentences.ngrams import Counted, NGrams, count_ngrams

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Side
    from cepts.sentences.features_options import FeatureOptions

    Arrays = dict[str, NDArray[Any]]
    Found = tuple[
        NDArray[np.int64], NDArray[np.int64]
    ]  # the row of each feature that is there, and the feature

CHARS = "chars"
BORDERS = {BEGIN: "^", END: "$"}


class Texts(NamedTuple):
    """A text as families want it: its words and, if they are asked for, its tags and its dependency triples."""

    words: Side
    tags: Side | None = None
    arcs: Side | None = None

    @classmethod
    def of(cls, side: Side, options: FeatureOptions, name: str, lines_before: int = 0) -> Texts:
        """Take apart what was read."""
        if options.arcs:
            return cls(*split_arcs(side, options.arcs, name, lines_before))
        return cls(*split_tags(side, name, lines_before)) if options.tags else cls(compacted(side))

    def of_family(self, family: str) -> Side:
        """Return the side that a family looks at."""
        found: Side = getattr(self, "words" if family == CHARS else family)
        return found


class Family(NamedTuple):
    """Features of one kind: `units` are words, tags, triples or code points, and n-grams those of their numbers."""

    name: str
    units: list[Any]
    ngrams: NGrams

    def feature_names(self) -> Iterator[str]:
        """Yield a name of each feature, for people."""
        shown = [BORDERS.get(unit) or chr(unit) for unit in self.units] if self.name == CHARS else self.units
        space = "" if self.name == CHARS else " "
        for gram in self.ngrams.spelled():
            yield f"{self.name}:{space.join([shown[number] for number in gram])}"

    def packed(self, prefix: str) -> tuple[Arrays, dict[str, list[str]]]:
        """Return what a model folder needs to know of it."""
        arrays = {f"{prefix}{self.name}_{order}": keys for order, keys in enumerate(self.ngrams.keys, 2)}
        if self.name != CHARS:
            return arrays, {prefix + self.name: self.units}
        return arrays | {prefix + self.name: np.array(self.units, np.int32)}, {}

    @classmethod
    def unpacked(
        cls,
        name: str,
        lengths: tuple[int, int],
        arrays: Mapping[str, NDArray[Any]],
        texts: Mapping[str, Sequence[str]],
        prefix: str,
    ) -> Family:
        """Make again what was packed, or say by ValueError what does not fit."""
        units = arrays[prefix + name].tolist() if name == CHARS else list(texts[prefix + name])
        if len(set(units)) != len(units):
            raise ValueError("its words or letters are not different")
        if name == CHARS and (units != sorted(units) or not all(0 <= code <= END for code in units)):
            raise ValueError("its letters are none")
        keys = tuple(np.array(arrays[f"{prefix}{name}_{order}"]) for order in range(2, lengths[1] + 1))
        return cls(name, units, NGrams(lengths[0], len(units), keys).checked())


def lengths_of(options: FeatureOptions) -> dict[str, tuple[int, int]]:
    """Name the families that are asked for, each with its shortest and its longest n-gram."""
    lengths = {
        "words": (1, options.words),
        "tags": (1, options.tags),
        CHARS: options.characters or (1, 0),
        "arcs": (1, 1 if options.arcs else 0),
    }
    return {name: (shortest, longest) for name, (shortest, longest) in lengths.items() if longest}


def learn_families(texts: Texts, options: FeatureOptions, limit: int) -> tuple[Family, ...]:
    """Find the n-grams of a text that are frequent enough to be kept."""
    found = [
        _counted(name, texts, ends, options.min_count, limit) for name, ends in lengths_of(options).items()
    ]
    if options.max_features is not None:
        masks = _most_frequent([counted for _, _, counted in found], options.max_features)
        found = [
            (name, units, _pruned(counted, mask))
            for (name, units, counted), mask in zip(found, masks, strict=True)
        ]
    return tuple(
        Family(name, [units[k] for k in np.flatnonzero(counted.units).tolist()], counted.ngrams)
        for name, units, counted in found
    )


def _counted(
    name: str, texts: Texts, lengths: tuple[int, int], min_count: int, limit: int
) -> tuple[str, Sequence[Any], Counted]:
    """Count the n-grams of one family; return also the units that they are made of."""
    side = texts.of_family(name)
    if name != CHARS:
        counted = count_ngrams(
            side.ids, side.offsets, len(side.words), lengths, min_count, limit=limit, what=name[:-1]
        )
        return name, side.words, counted
    letters = letters_of(side.words)
    codes, units = np.unique(letters.codes, return_inverse=True)
    often = np.repeat(np.bincount(side.ids, minlength=len(side.words)), np.diff(letters.offsets))
    counted = count_ngrams(
        units.astype(np.int32),
        letters.offsets,
        len(codes),
        lengths,
        min_count,
        often.astype(np.int64),
        limit,
        "letter",
    )
    return name, codes.tolist(), counted


def _most_frequent(found: list[Counted], most: int) -> list[list[NDArray[np.bool_]]]:
    """Mark the most frequent features of all families; of equals the shortest, then the first.

    Whatever an n-gram begins with is at least as frequent and shorter: it is always marked, too.
    """
    features = [
        (order, family)
        for order in range(1, max(len(one.counts) for one in found) + 1)
        for family, one in enumerate(found)
        if one.ngrams.shortest <= order <= len(one.counts)
    ]
    counts = [found[family].counts[order - 1] for order, family in features]
    chosen = np.zeros(sum(map(len, counts)), bool)
    chosen[np.argsort(-np.concatenate(counts), kind="stable")[:most]] = True
    masks = [[np.zeros(len(some), bool) for some in one.counts] for one in found]
    parts = np.split(chosen, np.cumsum([len(some) for some in counts])[:-1])
    for (order, family), part in zip(features, parts, strict=True):
        masks[family][order - 1] = part
    return masks


def _pruned(counted: Counted, masks: list[NDArray[np.bool_]]) -> Counted:
    """Keep what is marked, and the units that it needs."""
    ngrams, kept = counted.ngrams.pruned(masks)
    units = counted.units.copy()
    units[np.flatnonzero(units)[~kept]] = False
    return Counted(ngrams, [], units)


class SequenceFinder:
    """Finds the features of a family of words, tags or triples in blocks of sentences."""

    def __init__(self, family: Family, table: dict[Any, int], side: Side) -> None:
        numbers = np.array([table.get(word, -1) for word in side.words], np.int32)
        self._units: NDArray[np.int32] = numbers[side.ids]
        self._offsets = side.offsets
        self._ngrams = family.ngrams

    def block(self, first: int, end: int) -> Iterator[Found]:
        """Yield rows, counted from `first`, and features of some sentences, in parts."""
        near = self._offsets[first : end + 1]
        rows = np.repeat(np.arange(end - first), np.diff(near))
        for places, features in self._ngrams.features(self._units[near[0] : near[-1]], near):
            yield rows[places], features


class LetterFinder:
    """Finds the features of a family of letters in blocks of sentences; each different word is looked at once."""

    def __init__(self, family: Family, table: dict[Any, int], side: Side) -> None:
        letters = letters_of(side.words)
        codes, which = np.unique(letters.codes, return_inverse=True)
        numbers = np.array([table.get(code, -1) for code in codes.tolist()], np.int32)
        parts = list(family.ngrams.features(numbers[which], letters.offsets))
        words = np.repeat(np.arange(len(side.words)), np.diff(letters.offsets))[
            np.concatenate([places for places, _ in parts])
        ]
        self._features = np.concatenate([features for _, features in parts])[np.argsort(words, kind="stable")]
        self._lengths = np.bincount(words, minlength=len(side.words))
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._side = side

    def block(self, first: int, end: int) -> Iterator[Found]:
        """Yield rows, counted from `first`, and features of some sentences."""
        near = self._side.offsets[first : end + 1]
        words = self._side.ids[near[0] : near[-1]]
        lengths = self._lengths[words]
        rows = np.repeat(np.repeat(np.arange(end - first), np.diff(near)), lengths)
        begins = self._starts[words] - (np.cumsum(lengths) - lengths)
        yield rows, self._features[np.repeat(begins, lengths) + np.arange(len(rows))]


def finder_of(family: Family, table: dict[Any, int], texts: Texts) -> SequenceFinder | LetterFinder:
    """Return who finds the features of a family in a text; `table` has the number of each of its units."""
    finder = LetterFinder if family.name == CHARS else SequenceFinder
    return finder(family, table, texts.of_family(family.name))
