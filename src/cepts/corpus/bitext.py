"""`Side` and `Bitext`: parallel text as flat arrays of word ids."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, Self, TypeVar, overload

import numpy as np

from cepts.checking import check_part, check_position, check_positions, checked, refusing
from cepts.showing import Shown, table

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.corpus.originals import Originals
    from cepts.corpus.segmenter import Segmenter

SHOWN = 5  # pairs
Int32 = np.dtype(np.int32)
Int64 = np.dtype(np.int64)


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Side(Shown):
    """One language of a bitext: sentence k holds the words `ids[offsets[k]:offsets[k + 1]]`.

    `words[id]` is the (lower-cased, unless case was kept) word of an id; ids count from 0 in order of
    first appearance. `spans` holds, where Cepts tokenised the text or its lines were kept, the first and the end
    character of each token in its original line; `originals` are these lines as they were read, where they were kept;
    `segmenter` is how text without spaces was cut, with what was learned.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: Sequence[str]
    spans: NDArray[np.int32] | None = None
    segmenter: Segmenter | None = None
    originals: Originals | None = None

    def __len__(self) -> int:
        """Count the sentences."""
        return len(self.offsets) - 1

    def _facts(self) -> dict[str, object]:
        """Return how much text there is."""
        return {"sentences": len(self), "words": len(self.ids), "types": len(self.words)}

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each sentence."""
        return np.diff(self.offsets)

    @property
    def cut(self) -> bool:
        """Whether two tokens of a sentence are known to stand side by side, without a space between them."""
        if self.spans is None:
            return False
        owner = np.repeat(np.arange(len(self)), self.lengths)
        touching = (self.spans[1:, 0] == self.spans[:-1, 1]) & (owner[1:] == owner[:-1])
        return bool(touching.any())

    def sentence(self, k: int) -> list[str]:
        """Return the words of sentence k as they are in the vocabulary."""
        check_position(k, len(self), "sentence")
        k %= len(self)
        return [self.words[i] for i in self.ids[self.offsets[k] : self.offsets[k + 1]]]

    def part(self, first: int, end: int) -> Side:
        """Return the sentences from `first` to `end`, with the same words."""
        check_part(first, end, len(self))
        offsets = self.offsets[first : end + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        spans = None if self.spans is None else self.spans[rows]
        originals = None if self.originals is None else self.originals.part(first, end)
        return Side(self.ids[rows], offsets - offsets[0], self.words, spans, self.segmenter, originals)

    def picked(self, numbers: NDArray[np.int64]) -> Side:
        """Return the sentences with these numbers, in their order, with the same words.

        >>> chosen = side_from_tokens([["a", "b"], [], ["c"]]).picked(np.array([2, 0, 2]))
        >>> [chosen.sentence(k) for k in range(3)]
        [['c'], ['a', 'b'], ['c']]
        """
        check_positions(numbers, len(self), "sentence")
        places, offsets = picked_rows(self.offsets, numbers)
        spans = None if self.spans is None else self.spans[places]
        originals = None if self.originals is None else self.originals.picked(numbers)
        return Side(self.ids[places], offsets, self.words, spans, self.segmenter, originals)

    def token_spans(self, k: int) -> NDArray[np.int32] | None:
        """Return where each token of sentence k stands in its original line, where that is known."""
        check_position(k, len(self), "sentence")
        k %= len(self)
        return None if self.spans is None else self.spans[self.offsets[k] : self.offsets[k + 1]]


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Bitext(Shown):
    """Sentence pairs: sentence k of `source` and sentence k of `target` translate each other.

    What is known of the file that they were read from: `units`, for each pair the number of its unit (a TMX `tu`, a PO
    entry, a row), from 1, where pairs are not simply lines; `left_out`, how many units were left out, by reason;
    `languages`, the codes of both sides, where the file has them; `found_raw`, where words were cut because the text
    is raw, though nobody had asked for it: the name of its format, `text` for plain text.
    """

    source: Side
    target: Side
    seconds_to_read: float = field(default=0.0, compare=False)
    units: NDArray[np.int64] | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    languages: tuple[str, str] | None = None
    found_raw: str | None = None

    def __len__(self) -> int:
        """Count the sentence pairs."""
        return len(self.source)

    def _facts(self) -> dict[str, object]:
        """Return how much text there is."""
        facts: dict[str, object] = {"pairs": len(self)}
        for name, side in (("source", self.source), ("target", self.target)):
            facts |= {f"{name} words": len(side.ids), f"{name} types": len(side.words)}
        return facts if self.languages is None else {**facts, "languages": " and ".join(self.languages)}

    def _repr_html_(self) -> str:
        """Show the first pairs, for notebooks."""
        first = [
            (
                k,
                *(
                    " ".join(side.sentence(k)) if side.originals is None else side.originals[k]
                    for side in sides
                ),
            )
            for sides in [(self.source, self.target)]
            for k in range(min(len(self), SHOWN))
        ]
        return super()._repr_html_() + table(("pair", "source", "target"), first)

    @overload
    def __getitem__(self, k: int) -> tuple[list[str], list[str]]: ...

    @overload
    def __getitem__(self, k: slice) -> Bitext: ...

    def __getitem__(self, k: int | slice) -> tuple[list[str], list[str]] | Bitext:
        """Return the words of both sides of pair k, or some of the pairs."""
        return sliced(self, k) if isinstance(k, slice) else self.words_of(k)

    def __iter__(self) -> Iterator[tuple[list[str], list[str]]]:
        """Walk over the pairs."""
        return (self.words_of(k) for k in range(len(self)))

    def part(self, first: int, end: int) -> Bitext:
        """Return the pairs from `first` to `end`, with the same words."""
        check_part(first, end, len(self))
        end = min(end, len(self))
        units = None if self.units is None else self.units[first:end]
        sides = self.source.part(first, end), self.target.part(first, end)
        return Bitext(*sides, units=units, languages=self.languages)

    def picked(self, numbers: NDArray[np.int64]) -> Bitext:
        """Return the pairs with these numbers, in their order, with the same words."""
        check_positions(numbers, len(self), "pair")
        units = None if self.units is None else self.units[numbers]
        sides = self.source.picked(numbers), self.target.picked(numbers)
        return Bitext(*sides, units=units, languages=self.languages)

    def words_of(self, k: int) -> tuple[list[str], list[str]]:
        """Return the source and the target words of pair k as they are in the vocabularies."""
        return self.source.sentence(k), self.target.sentence(k)

    def swapped(self) -> Bitext:
        """Return the same pairs with source and target exchanged."""
        languages = None if self.languages is None else self.languages[::-1]
        return replace(self, source=self.target, target=self.source, languages=languages)

    def between_spaces(self, keep_case: bool = False) -> Bitext:
        """Return the same pairs with the words between spaces of their sentences, which must have been kept."""
        from cepts.corpus.encoding import spaced_side  # late: it is made of what is here

        source, target = (spaced_side(side, keep_case) for side in (self.source, self.target))
        return replace(self, source=source, target=target, found_raw=None)

    @property
    def cells(self) -> int:
        """The number of possible links: source words times target words, over all pairs."""
        return int(np.dot(self.source.lengths, self.target.lengths))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the pairs into a folder, as arrays that `load` maps into memory; other files in it stay."""
        from cepts.corpus.bitext_folder import save_bitext  # late: it is made of what is here

        save_bitext(folder, self)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Bitext:
        """Open the pairs that `save` wrote; the arrays stay on disk until they are used."""
        from cepts.corpus.bitext_folder import load_bitext  # late: it is made of what is here

        return load_bitext(folder)


class Pairs(Protocol):
    """A sequence of sentence pairs, of which some can be chosen."""

    def __len__(self) -> int: ...

    def part(self, first: int, end: int) -> Self:
        """Return the pairs from `first` to `end`."""
        ...

    def picked(self, numbers: NDArray[np.int64]) -> Self:
        """Return the pairs with these numbers."""
        ...


SomePairs = TypeVar("SomePairs", bound=Pairs)


def sliced(pairs: SomePairs, chosen: slice) -> SomePairs:
    """Return the pairs that a slice chooses.

    >>> from cepts.corpus import bitext_from_pairs
    >>> letters = bitext_from_pairs([("a", "A"), ("b", "B"), ("c", "C")])
    >>> [source for source, _ in sliced(letters, slice(None, None, -2))]
    [['c'], ['a']]
    """
    with refusing("a slice"):
        numbers = range(*chosen.indices(len(pairs)))
    if numbers.step == 1:
        return pairs.part(numbers.start, max(numbers.start, numbers.stop))
    return pairs.picked(np.array(numbers, np.int64))


def picked_rows(
    offsets: NDArray[np.int64], numbers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of some pairs, in their order, and the offsets of these; pair k has rows from offsets[k] on.

    >>> rows, offsets = picked_rows(np.array([0, 2, 2, 3]), np.array([2, 0]))
    >>> rows.tolist(), offsets.tolist()
    ([2, 0, 1], [0, 1, 3])
    """
    numbers = numbers % max(len(offsets) - 1, 1)  # negative ones count from the end
    lengths = np.diff(offsets)[numbers]
    own = np.zeros(len(numbers) + 1, np.int64)
    np.cumsum(lengths, out=own[1:])
    return np.repeat(offsets[numbers] - own[:-1], lengths) + np.arange(own[-1]), own


@checked
def side_from_tokens(sentences: Iterable[Sequence[str]]) -> Side:
    """Encode sentences that are already lists of words."""
    table: dict[str, int] = {}
    ids: list[int] = []
    offsets = [0]
    for words in sentences:
        ids.extend(table.setdefault(word, len(table)) for word in words)
        offsets.append(len(ids))
    return Side(np.array(ids, Int32), np.array(offsets, Int64), list(table))
