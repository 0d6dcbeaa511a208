"""`Alignment`: what `Aligner.align` returns, the links of a text and all that was found with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cepts.checking import checked
from cepts.corpus.bitext import sliced
from cepts.links import Link, Links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.combine import Cepts, DualLinks
    from cepts.corpus import Bitext


class PairLinks(list[Link]):
    """The links of one pair: a list of `Link` that also knows which pair of a text it is of, and its score."""

    def __init__(self, links: list[Link], bitext: Bitext, number: int, score: float | None) -> None:
        super().__init__(links)
        self.bitext, self.number, self.score = bitext, number, score


@checked
@dataclass(frozen=True, eq=False, kw_only=True)
class Alignment(Links):
    """The links of a text, as `Links` has them, with what else was found when the text was aligned.

    `bitext` is the text. With `combine="dual"`, `dual` has the answers of both directions and the certificates; with
    `combine="cepts"`, `cepts` has the groups of words; both are as they were before known links were put in. With
    `precision=`, `threshold` is the confidence from which links were kept. `oversized` has the numbers of the pairs
    that were too long for the model, so that a simpler one aligned them.
    """

    bitext: Bitext
    dual: DualLinks | None = None
    cepts: Cepts | None = None
    threshold: float | None = None
    oversized: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    @overload
    def __getitem__(self, k: int) -> PairLinks: ...

    @overload
    def __getitem__(self, k: slice) -> Alignment: ...

    def __getitem__(self, k: int | slice) -> PairLinks | Alignment:
        """Return the links of pair k, or the alignment of some pairs."""
        if isinstance(k, slice):
            return sliced(self, k)
        links, k = super().__getitem__(k), k % max(len(self), 1)
        return PairLinks(links, self.bitext, k, self.score_of(k))

    def __iter__(self) -> Iterator[PairLinks]:
        """Walk over the pairs."""
        return (self[k] for k in range(len(self)))

    def select(self, mask: NDArray[np.bool_]) -> Alignment:
        """Return the links whose row is True in `mask`, for the same pairs."""
        return self.with_links(super().select(mask))

    def part(self, first: int, end: int) -> Alignment:
        """Return the sentence pairs from `first` to `end`, or to the last."""
        links = super().part(first, end)
        return self._of_pairs(links, self.bitext.part(first, end), np.arange(first, first + len(links)))

    def picked(self, numbers: NDArray[np.int64]) -> Alignment:
        """Return the sentence pairs with these numbers, in their order."""
        return self._of_pairs(super().picked(numbers), self.bitext.picked(numbers), numbers)

    def swapped(self) -> Alignment:
        """Return the same links with source and target exchanged, without certificates and cepts."""
        return self.with_links(super().swapped(), bitext=self.bitext.swapped(), dual=None, cepts=None)

    def with_links(self, links: Links, **changes: Any) -> Alignment:
        """Return other links of the same text, with the rest as it is but for fields given by name."""
        return alignment_of(self, **{**vars(links), **changes})

    def _of_pairs(self, links: Links, bitext: Bitext, numbers: NDArray[np.int64]) -> Alignment:
        """Return the links of some pairs, with what was found for these."""
        return self.with_links(
            links,
            bitext=bitext,
            dual=None if self.dual is None else self.dual.picked(numbers),
            cepts=None if self.cepts is None else self.cepts.picked(numbers),
            oversized=np.flatnonzero(np.isin(numbers % max(len(self), 1), self.oversized)),
        )


def alignment_of(links: Links, **found: Any) -> Alignment:
    """Return links, which were checked when they were made, with the other fields of an alignment by name."""
    made = object.__new__(Alignment)
    vars(made).update({**vars(links), **found})
    return made
