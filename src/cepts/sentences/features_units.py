"""What features are made of: words, tags and dependencies of sentences, letters of words; and a tagger from outside."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.corpus import Side
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

BEGIN, END = 0x110000, 0x110001  # borders of a word: beyond the last code point of any text
ROOT = "ROOT"  # the head of a word that has none
HEAD = re.compile("[0-9]{1,9}")
WHITE = re.compile(r"[ \t\n\r\f\v]+")  # what separates words in files


class Letters(NamedTuple):
    """The code points of words between their borders: word k has those of `offsets[k]` to `offsets[k + 1]`."""

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]


def compacted(side: Side) -> Side:
    """Return the same sentences with only those words in the vocabulary that they use."""
    used = np.bincount(side.ids, minlength=len(side.words)) > 0
    if used.all():
        return side
    numbers = np.cumsum(used, dtype=np.int32) - np.int32(1)
    words = [side.words[k] for k in np.flatnonzero(used).tolist()]
    return Side(numbers[side.ids], side.offsets, words, side.spans)


def split_tags(side: Side, name: str = "text", lines_before: int = 0) -> tuple[Side, Side]:
    """Return the words and the tags of a text of `word_TAG` tokens; the last `_` splits.

    `name` is what messages call the text, `lines_before` how many lines of it come before these.

    >>> from cepts.corpus import encode_lines
    >>> words, tags = split_tags(encode_lines(["the_DET house_NOUN", "a_b_X"], keep_case=True))
    >>> words.words, tags.sentence(0)
    (['the', 'house', 'a_b'], ['DET', 'NOUN'])
    """
    side = compacted(side)
    parts = [token.rpartition("_") for token in side.words]
    for number, (_, _, tag) in enumerate(parts):
        if not tag or "_" not in side.words[number]:
            raise _untagged(side, number, name, lines_before)
    words, tags = (_relabelled(side, [part[k] for part in parts]) for k in (0, 2))
    return words, tags


def split_arcs(
    side: Side, of: str = "words", name: str = "text", lines_before: int = 0
) -> tuple[Side, Side, Side]:
    """Return words, tags and dependency triples of a text of `word_TAG_relation_head` tokens; the last three `_` split.

    A head is the number of another token of the line, counted from 1, or 0. A token's triple is its head, ROOT for 0,
    its relation and itself, as words or tags (`of`). `name` and `lines_before` are for messages, as in `split_tags`.

    >>> from cepts.corpus import encode_lines
    >>> side = encode_lines(["dogs_NOUN_nsubj_2 bark_VERB_root_0"])
    >>> [split_arcs(side, of)[2].sentence(0) for of in ("words", "tags")]
    [['bark nsubj dogs', 'ROOT root bark'], ['verb nsubj noun', 'ROOT root verb']]
    """
    side = compacted(side)
    parts = [token.rsplit("_", 3) for token in side.words]
    for number, part in enumerate(parts):
        if len(part) < 4 or not all(part[1:]) or not HEAD.fullmatch(part[3]):
            raise _without_head(side, np.flatnonzero(side.ids == number)[0], name, lines_before)
    words, tags, relations = (_relabelled(side, [part[k] for part in parts]) for k in range(3))
    heads = np.array([int(part[3]) for part in parts], np.int64)[side.ids]
    starts = np.repeat(side.offsets[:-1], side.lengths)
    outside = heads > np.repeat(side.lengths, side.lengths)
    own = starts + heads - 1 == np.arange(len(heads))
    if len(wrong := np.flatnonzero(outside | own)):
        raise _wrong_head(side, wrong[0], name, lines_before)
    return words, tags, _triples(words if of == "words" else tags, relations, heads, starts)


def _triples(units: Side, relations: Side, heads: NDArray[np.int64], starts: NDArray[np.int64]) -> Side:
    """Put head, relation and dependent of each token together; triples are numbered as they first appear."""
    count, kinds = len(units.words), len(relations.words)
    above = np.full(len(heads), count)
    above[heads > 0] = units.ids[(starts + heads - 1)[heads > 0]]
    keys = (above * kinds + relations.ids) * count + units.ids
    different, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    names = [*units.words, ROOT]
    labels = [
        f"{names[key // count // kinds]} {relations.words[key // count % kinds]} {names[key % count]}"
        for key in different[order].tolist()
    ]
    return _relabelled(Side(rank[numbers], units.offsets, labels, units.spans), labels)


def letters_of(words: Sequence[str]) -> Letters:
    """Return the letters of each word, with a mark before and behind."""
    codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.int32)
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    offsets = np.zeros(len(words) + 1, np.int64)
    np.cumsum(lengths + 2, out=offsets[1:])
    marked = np.empty(offsets[-1], np.int32)
    marked[offsets[:-1]] = BEGIN
    marked[offsets[1:] - 1] = END
    marked[np.arange(len(codes)) + 2 * np.repeat(np.arange(len(words)), lengths) + 1] = codes
    return Letters(marked, offsets)


@checked
def tag_lines(lines: Iterable[str], tagger: Callable[[list[str]], Sequence[str]]) -> Iterator[str]:
    """Yield each line as `word_TAG` tokens, with the tags that `tagger` gives to the list of its words.

    >>> list(tag_lines(["the house"], lambda words: ["DET", "NOUN"]))
    ['the_DET house_NOUN']
    """
    for number, line in enumerate(lines, 1):
        words = [word for word in WHITE.split(line) if word]
        found = tagger(words) if words else []
        tags = list(found) if isinstance(found, Iterable) else []
        if len(tags) != len(words):
            raise InputError(
                f"line {number}: the tagger gave {len(tags)} tags to {len(words)} words; it must give one to each word"
            )
        for tag in tags:
            if not isinstance(tag, str) or not tag or "_" in tag or WHITE.search(tag):
                raise InputError(
                    f"line {number}: the tagger gave the tag {tag!r}, expected letters without space and without _"
                )
        yield " ".join([f"{word}_{tag}" for word, tag in zip(words, tags, strict=True)])


def _relabelled(side: Side, labels: list[str]) -> Side:
    """Return the sentences with a label in the place of each word; words may share one."""
    table: dict[str, int] = {}
    numbers = np.array([table.setdefault(label, len(table)) for label in labels], np.int32)
    return Side(numbers[side.ids], side.offsets, list(table), side.spans)


def _untagged(side: Side, number: int, name: str, lines_before: int) -> InputError:
    """Say where a token without a tag first stands."""
    where = _place(side, np.flatnonzero(side.ids == number)[0], name, lines_before)
    return InputError(
        f"{where} has no tag, expected word_TAG; tag the text, or leave tags out of the features"
    )


def _without_head(side: Side, place: np.int64, name: str, lines_before: int) -> InputError:
    """Say where a token stands that lacks one of its parts."""
    return InputError(
        f"{_place(side, place, name, lines_before)} has no tag, relation and head, expected word_TAG_relation_head; "
        "parse the text, or leave arcs out of the features"
    )


def _wrong_head(side: Side, place: np.int64, name: str, lines_before: int) -> InputError:
    """Say where a token stands whose head is no other token of its line."""
    length = int(side.lengths[np.searchsorted(side.offsets, place, "right") - 1])
    return InputError(
        f"{_place(side, place, name, lines_before)}: its head must be another of the line's {length} tokens, counted "
        "from 1, or 0 for the root"
    )


def _place(side: Side, place: np.int64, name: str, lines_before: int) -> str:
    """Name a token and its line."""
    line = lines_before + int(np.searchsorted(side.offsets, place, "right"))
    return f"{name}, line {line}: token {side.words[side.ids[place]]!r}"
