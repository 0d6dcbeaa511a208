"""`extract_terms`: a bilingual list of terms, from a text and its links."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.corpus import Bitext, Side
from cepts.phrases.function_words import find_border, function_words
from cepts.phrases.term_pairs import Half, TermPairs, pair_terms
from cepts.phrases.term_phrases import number_phrases
from cepts.phrases.term_scores import score_terms
from cepts.phrases.term_tags import TaggedSide, noun_phrases
from cepts.phrases.term_text import TermSide, folded, term_side
from cepts.running.steps import tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.links import Links

MORE_TARGET_WORDS = 3  # than source words that a term may have: mot de passe, password
LEAST = 2  # finds, of what is nowhere a whole segment


@checked
@dataclass(frozen=True)
class Term:
    """A term and its translation, a score from 0 to 1, and the number of pairs of segments that have both.

    `pair` is the number, from 0, of the shortest pair that says more than the term, and `example` its two segments.
    """

    source: str
    target: str
    score: float
    count: int
    pair: int
    example: tuple[str, str]


class TermOptions(NamedTuple):
    """What is listed."""

    min_count: int | None = None
    min_score: float = 0.1
    max_words: int = 4
    variants: int = 1
    limit: int | None = None


@checked
def extract_terms(
    bitext: Bitext,
    links: Links,
    *,
    min_count: int | None = None,
    min_score: float = 0.1,
    max_words: int = 4,
    variants: int = 1,
    limit: int | None = None,
    source_tags: TaggedSide | None = None,
    target_tags: TaggedSide | None = None,
) -> list[Term]:
    """Return the terms of a text, best first, each with its best translation, or its best `variants`.

    Read the text with `keep_case=True`, and align it `without_capitals`: terms are written as they mostly stand there.
    Left out is what occurs in fewer than `min_count` pairs of segments (None: 2, or 1 where it is a whole segment),
    has a lower score, or more words; a target may have three words more. Tags come from `split_tags`.

    >>> from cepts.corpus import bitext_from_pairs
    >>> from cepts.links import Links
    >>> bitext = bitext_from_pairs([("File name", "Nom de fichier"), ("The file name", "Le nom de fichier")])
    >>> links = Links.from_pairs([[(0, 2), (1, 0)], [(0, 0), (1, 3), (2, 1)]])
    >>> [(term.source, term.target, term.count) for term in extract_terms(bitext, links, limit=1)]
    [('file name', 'nom de fichier', 2)]
    """
    options = TermOptions(min_count, min_score, max_words, variants, limit)
    check_options(options)
    tell("finding terms")
    source, target = _prepared(bitext, links, options.max_words, source_tags, target_tags)
    terms = pair_terms(source, target, links)
    scores = score_terms(source, target, terms, len(bitext)).score
    return list(_listed(source, target, terms, scores, options))


@checked
def without_capitals(bitext: Bitext) -> Bitext:
    """Return the same text for an aligner, which finds more where *File* and *file* are one word."""
    return Bitext(_lowered(bitext.source), _lowered(bitext.target))


def _lowered(side: Side) -> Side:
    """Return one side without capitals."""
    ids, words = folded(side)
    return Side(ids, side.offsets, words)


BOUNDS = {
    "min_count": bounds.MIN_COUNT,
    "max_words": bounds.TERM_WORDS,
    "variants": bounds.VARIANTS,
    "limit": bounds.LISTED_TERMS,
    "min_score": bounds.PROBABILITY,
}


def check_options(options: TermOptions) -> None:
    """Refuse numbers that make no sense."""
    for name, limits in BOUNDS.items():
        value = getattr(options, name)
        if value is not None:
            limits.check(name, value)


def _prepared(
    bitext: Bitext, links: Links, most: int, source_tags: TaggedSide | None, target_tags: TaggedSide | None
) -> tuple[Half, Half]:
    """Look at both sides' words, and number their phrases."""
    source, target = (
        replace(side, border=find_border(side)) for side in map(term_side, (bitext.source, bitext.target))
    )
    function = function_words(source, target, links)
    source = noun_phrases(source, source_tags) if source_tags else _content(source, function[0])
    target = noun_phrases(target, target_tags) if target_tags else _content(target, function[1])
    more = most + MORE_TARGET_WORDS
    return Half(source, number_phrases(source, most), most), Half(target, number_phrases(target, more), more)


def _content(side: TermSide, function: NDArray[np.bool_]) -> TermSide:
    """Let terms begin and end with content words."""
    content = side.word & ~function[side.ids]
    return replace(side, edge=content, core=content)


def _listed(
    source: Half, target: Half, terms: TermPairs, scores: NDArray[np.float64], options: TermOptions
) -> Iterator[Term]:
    """Yield terms by falling score, without those that differ from better ones in capitals and marks alone."""
    least = np.where(terms.whole > 0, 1, LEAST) if options.min_count is None else options.min_count
    kept = np.flatnonzero((terms.count >= least) & (scores >= options.min_score))
    order = np.lexsort((terms.target[kept], terms.source[kept], -terms.count[kept], -scores[kept]))
    targets: dict[str, set[str]] = {}
    number = 0
    for k in kept[order].tolist():
        if number == options.limit:
            break
        left, right = _written(source, target, terms, k)
        known = targets.setdefault(_letters(left), set())
        if len(known) < options.variants and _letters(right) not in known:
            known.add(_letters(right))
            number += 1
            pair = _example(source, target, terms, k)
            example = source.side.segment(pair), target.side.segment(pair)
            yield Term(left, right, float(scores[k]), int(terms.count[k]), pair, example)


def _written(source: Half, target: Half, terms: TermPairs, k: int) -> tuple[str, str]:
    """Return both terms in the form that is most frequent; of several the one with fewer capitals."""
    rows = slice(int(terms.offsets[k]), int(terms.offsets[k + 1]))
    lengths = int(source.phrases.length[terms.source[k]]), int(target.phrases.length[terms.target[k]])
    begins = terms.finds.source_begin[rows].tolist(), terms.finds.target_begin[rows].tolist()
    forms = Counter(
        (source.side.text(left, left + lengths[0]), target.side.text(right, right + lengths[1]))
        for left, right in zip(*begins, strict=True)
    )
    return min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, "".join(form))), form))


def _letters(text: str) -> str:
    """Return letters and digits alone, without capitals."""
    return "".join(filter(str.isalnum, text)).casefold() or text


def _example(source: Half, target: Half, terms: TermPairs, k: int) -> int:
    """Return the shortest pair of segments that has both terms, if possible one that has more than these."""
    rows = slice(int(terms.offsets[k]), int(terms.offsets[k + 1]))
    pairs, whole = terms.finds.pair[rows], terms.finds.whole[rows]
    pairs = pairs if whole.all() else pairs[~whole]
    ends = [half.side.offsets[pairs + 1] - half.side.offsets[pairs] for half in (source, target)]
    return int(pairs[np.argmin(ends[0] + ends[1])])
