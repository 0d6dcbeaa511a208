"""`Alignment`: what `Aligner.align` returns, the links of a text and all that was found with them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from cepts.checking import checked
from cepts.corpus.bitext import sliced
from cepts.errors import PackageError
from cepts.links import Link, Links, links_to_whitespace, write_links
from cepts.links.pharaoh import format_pharaoh
from cepts.links.text import text_as_read
from cepts.showing import line_of
from cepts.storage import atomic_writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from numpy.typing import NDArray
    from pandas import DataFrame
    from pyarrow import Table

    from cepts.combine import Cepts, DualLinks
    from cepts.corpus import Bitext
    from cepts.corpus.files import FilePath
    from cepts.views import AlignedPair

NO_PAIRS = np.empty(0, np.int64)
FIRST = 3  # pairs that are drawn of an alignment
WIDEST = 60  # words of a pair that is drawn as a matrix, or among the first
LONGEST = 100  # characters of links that are printed
PHARAOH = "pharaoh"
ENDINGS = {".tsv": "tsv", ".jsonl": "jsonl", ".tmx": "tmx", ".xliff": "xliff", ".xlf": "xliff"}


class PairLinks(list[Link]):
    """The links of one pair: a list of `Link` that also knows which pair of a text it is of, and its score.

    It is drawn by `print`, and in a notebook.
    """

    def __init__(self, links: list[Link], bitext: Bitext, number: int, score: float | None) -> None:
        super().__init__(links)
        self.bitext, self.number, self.score = bitext, number, score

    def __repr__(self) -> str:
        """Return the links as `cepts align` writes them, the first ones of many."""
        links = format_pharaoh(self)
        facts: dict[str, object] = {
            "links": repr(links if len(links) <= LONGEST else f"{links[:LONGEST]}...")
        }
        return line_of(self, facts if self.score is None else {**facts, "score": self.score})

    def __str__(self) -> str:
        """Draw the pair for a terminal."""
        from cepts.views import draw_lines, draw_pairs  # late: few want to see them

        drawn = self.drawn()
        return draw_lines(drawn.source, drawn.target, self) or draw_pairs(drawn.source, drawn.target, self)

    def _repr_html_(self) -> str:
        """Draw the pair for a notebook, as a matrix and as lines between words; one that is too wide, as lines."""
        from cepts.views import draw_svg

        drawn = self.drawn()
        small = max(len(drawn.source), len(drawn.target)) <= WIDEST
        return draw_svg([drawn], "both" if small else "bipartite")

    def drawn(self) -> AlignedPair:
        """Return the pair as `cepts.views` draws it."""
        from cepts.views import AlignedPair

        words = text_as_read(self.bitext.part(self.number, self.number + 1)).words(0)
        return AlignedPair(self.number + 1, *words, self, score=self.score)


@checked
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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
    oversized: NDArray[np.int64] = field(default_factory=lambda: NO_PAIRS)

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

    def _facts(self) -> dict[str, object]:
        """Return how many pairs and links there are, and what else was found."""
        facts = super()._facts()
        if self.dual is not None:
            facts["certificates"] = int(self.dual.certified.sum())
        if self.threshold is not None:
            facts["threshold"] = self.threshold
        return facts | ({"oversized": len(self.oversized)} if len(self.oversized) else {})

    def __str__(self) -> str:
        """Draw the first pairs for a terminal."""
        return "\n\n".join([repr(self), *map(str, self._first())])

    def _repr_html_(self) -> str:
        """Draw the first pairs for a notebook."""
        from cepts.views import draw_svg

        first = [pair.drawn() for pair in self._first()]
        return super()._repr_html_() + (draw_svg(first, "bipartite") if first else "")

    def _first(self) -> list[PairLinks]:
        """Return the first pairs that can be drawn: those with words on both sides, and not too many."""
        lengths = np.stack([self.bitext.source.lengths, self.bitext.target.lengths])
        fit = np.flatnonzero((lengths.min(axis=0) > 0) & (lengths.max(axis=0) <= WIDEST))
        return [self[k] for k in fit[:FIRST].tolist()]

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

    def to_pandas(self) -> DataFrame:
        """Return a DataFrame with a row for each link: its pair, positions, words and probability."""
        return _package("pandas").DataFrame(self._columns())

    def to_arrow(self) -> Table:
        """Return a table of Arrow with the rows and columns of `to_pandas`."""
        return _package("pyarrow").table(self._columns())

    def _columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns of a table of links."""
        pair, text = self.row_pairs(), text_as_read(self.bitext)
        return {
            "pair": pair,
            "source": self.source,
            "target": self.target,
            "source_word": text.source.words_at(0, len(self), pair, self.source),
            "target_word": text.target.words_at(0, len(self), pair, self.target),
            "probability": self.confidence,
        }

    def write(self, path: FilePath | TextIO, format: str | None = None) -> None:  # noqa: A002
        """Write the links into a file, or to a stream of text, in one of `cepts.links.FORMATS`.

        Without `format`, the name of the file tells: .tsv, .jsonl, .tmx, .xliff and .xlf, and Pharaoh otherwise.
        """
        if isinstance(path, str | os.PathLike):
            with atomic_writer(Path(path)) as stream:
                self._write(cast("TextIO", stream), format or _format_of(path))
        else:
            self._write(path, format or PHARAOH)

    def _write(self, stream: TextIO, format: str) -> None:  # noqa: A002
        """Write the links to a stream."""
        source, target = self.bitext.source.originals, self.bitext.target.originals
        texts = None if source is None or target is None else (source, target)
        languages = self.bitext.languages or (None, None)
        write_links(self, stream, format, self.bitext, texts=texts, languages=languages)

    def between_spaces(self, keep_case: bool = False) -> Alignment:
        """Return links of the words between spaces, for those of the tokens of raw text, which has no cepts then."""
        dual = self.dual
        if dual is not None:
            forward, reverse = (links_to_whitespace(one, self.bitext) for one in dual[:2])
            dual = dual._replace(forward=forward, reverse=reverse)
        bitext = self.bitext.between_spaces(keep_case)
        return self.with_links(links_to_whitespace(self, self.bitext), bitext=bitext, dual=dual, cepts=None)

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


def _package(name: str) -> Any:
    """Return a package that tables are made with, or say how it can be had."""
    try:
        return import_module(name)
    except ImportError:
        raise PackageError(f"this needs {name}: pip install {name}") from None


def _format_of(path: FilePath) -> str:
    """Return the format that the name of a file stands for.

    >>> _format_of("links.TSV.gz"), _format_of("links"), _format_of("links.xlf")
    ('tsv', 'pharaoh', 'xliff')
    """
    name = os.fspath(path).lower().removesuffix(".gz").removesuffix(".xz")
    return ENDINGS.get(Path(name).suffix, PHARAOH)


def alignment_of(links: Links, **found: Any) -> Alignment:
    """Return links, which were checked when they were made, with the other fields of an alignment by name."""
    made = object.__new__(Alignment)
    vars(made).update({"oversized": NO_PAIRS, **vars(links), **found})
    return made
