"""Features of sentences, one n-gram at a time, as tuples in dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cepts.sentences.features import FeatureOptions

BEGIN, END = "<begin>", "<end>"
Sentence = list[str]
Feature = tuple[str, tuple[str, ...]]  # its family, and the units that it is made of


class Space(NamedTuple):
    options: FeatureOptions
    features: list[Feature]
    idf: dict[Feature, float]


def features_of(sentence: Sentence, options: FeatureOptions) -> Iterator[Feature]:
    """Yield every feature of a sentence, as often as it is there."""
    words, tags = sentence, []
    if options.arcs:
        parts = [token.rsplit("_", 3) for token in sentence]
        words, tags = [part[0] for part in parts], [part[1] for part in parts]
        ends = [*(words if options.arcs == "words" else tags), "ROOT"]
        for number, (_, _, relation, head) in enumerate(parts):
            yield "arcs", (f"{ends[int(head) - 1]} {relation} {ends[number]}",)  # head 0: the last one
    elif options.tags:
        words = [token[: token.rindex("_")] for token in sentence]
        tags = [token[token.rindex("_") + 1 :] for token in sentence]
    for length in range(1, options.words + 1):
        yield from (("words", gram) for gram in grams(words, length))
    for length in range(1, options.tags + 1):
        yield from (("tags", gram) for gram in grams(tags, length))
    shortest, longest = options.characters or (1, 0)
    for word in words:
        for length in range(shortest, longest + 1):
            yield from (("chars", gram) for gram in grams([BEGIN, *word, END], length))


def grams(units: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(units) - length + 1):
        yield tuple(units[start : start + length])


def fit(sentences: list[Sentence], options: FeatureOptions) -> Space:
    """Keep the features that are frequent enough, in the order that the product numbers them in."""
    counts = Counter(feature for sentence in sentences for feature in features_of(sentence, options))
    place = places(sentences, options)

    def order(feature: Feature) -> tuple[int, list[int]]:
        family, units = feature
        return len(units), [place[family, unit] for unit in units]

    families = ["words", "tags", "chars", "arcs"]
    kept = [feature for feature in counts if counts[feature] >= options.min_count]
    kept.sort(key=lambda one: (-counts[one], len(one[1]), families.index(one[0]), order(one)))
    kept = kept[: options.max_features]
    kept.sort(key=lambda one: (families.index(one[0]), order(one)))
    having = Counter(feature for sentence in sentences for feature in {*features_of(sentence, options)})
    idf = {one: math.log((1 + len(sentences)) / (1 + having[one])) + 1 for one in kept}
    return Space(options, kept, idf)


def places(sentences: list[Sentence], options: FeatureOptions) -> dict[tuple[str, str], int]:
    """Number words, tags and triples by first appearance, letters by code point, borders last."""
    plain = units_alone(options)
    found: dict[tuple[str, str], int] = {}
    letters = set()
    for sentence in sentences:
        for family, units in features_of(sentence, plain):
            if family == "chars":
                letters.add(units[0])
            else:
                found.setdefault((family, units[0]), len(found))
    ordered = [*sorted(letters - {BEGIN, END}), BEGIN, END]
    return found | {("chars", letter): number for number, letter in enumerate(ordered)}


def units_alone(options: FeatureOptions) -> FeatureOptions:
    """Return options that give single units alone."""
    return replace(
        options,
        words=min(options.words, 1),
        tags=min(options.tags, 1),
        characters=options.characters and (1, 1),
    )


def encode(space: Space, sentence: Sentence) -> dict[int, float]:
    """Return the value of each feature of a sentence, by number."""
    numbers = {feature: number for number, feature in enumerate(space.features)}
    counts = Counter(feature for feature in features_of(sentence, space.options) if feature in numbers)
    tfidf = space.options.weighting == "tfidf"
    values = {numbers[one]: count * (space.idf[one] if tfidf else 1.0) for one, count in counts.items()}
    size = {
        "none": 1.0,
        "sum": sum(values.values()),
        "length": math.sqrt(sum(value**2 for value in values.values())),
    }[space.options.norm]
    return {number: value / size for number, value in sorted(values.items())}


def names(space: Space) -> list[str]:
    """Return the names of the features."""
    shown = {BEGIN: "^", END: "$"}
    return [
        f"{family}:" + ("" if family == "chars" else " ").join(shown.get(unit, unit) for unit in units)
        for family, units in space.features
    ]
