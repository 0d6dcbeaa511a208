"""The links of a corpus, with what was corrected, as a file in any format."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from cepts.links.formats import ONE_PIECE, write
from cepts.links.links import Links, links_from_rows
from cepts.links.text import Text, TextSide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.web.corpus import Corpus

WHAT = ("corrections", "all")
ENDINGS = {"jsonl": "jsonl", "tsv": "tsv", "tmx": "tmx", "xliff": "xlf"}
TYPES = {"jsonl": "application/jsonl", "tmx": "application/xml", "xliff": "application/xliff+xml"}
AT_ONCE = 2000  # pairs


def links_to_export(corpus: Corpus, what: str) -> Links:
    """Return the links of corrected pairs, and for `what="all"` of the others those of the main alignment."""
    right, corrected = corpus.corrections.links_and_pairs()
    if what == "corrections":
        return right
    main = corpus.main
    kept = main.select(~corrected[main.row_pairs()])
    both = (kept, right)
    return links_from_rows(
        np.concatenate([links.row_pairs() for links in both]),
        np.concatenate([links.source for links in both]),
        np.concatenate([links.target for links in both]),
        np.concatenate([links.confidence for links in both]),
        np.concatenate([links.sure for links in both]),
        len(main),
        corpus.table.scores,
    )


def exported(corpus: Corpus, what: str, format: str) -> Iterator[bytes]:  # noqa: A002
    """Write the links, piece by piece; what cannot be written is refused before the first."""
    links = links_to_export(corpus, what)
    if format in ONE_PIECE:
        return iter([_written(corpus, links, format, 0, len(links))])
    return (
        _written(corpus, links, format, first, min(first + AT_ONCE, len(links)))
        for first in range(0, len(links), AT_ONCE)
    )


def file_name(what: str, format: str) -> str:  # noqa: A002
    """Return what a browser shall call the file.

    >>> file_name("corrections", "pharaoh"), file_name("all", "xliff")
    ('corrections.pharaoh.txt', 'links.xlf')
    """
    name = "corrections" if what == "corrections" else "links"
    return f"{name}.{ENDINGS[format]}" if format in ENDINGS else f"{name}.{format}.txt"


def media_type(format: str) -> str:  # noqa: A002
    """Return what a browser shall take the file for.

    >>> media_type("naacl")
    'text/plain; charset=utf-8'
    """
    return TYPES.get(format, "text/plain; charset=utf-8")


def _written(corpus: Corpus, links: Links, format: str, first: int, end: int) -> bytes:  # noqa: A002
    """Write some pairs."""
    stream = io.StringIO()
    languages = corpus.bitext.languages or (None, None)
    write(format, links.part(first, end), stream, _part(corpus, first, end), first, languages)
    return stream.getvalue().encode("utf-8", "replace")


def _part(corpus: Corpus, first: int, end: int) -> Text:
    """Return the text of some pairs."""
    sides = zip(corpus.text, (corpus.bitext.source, corpus.bitext.target), strict=True)
    return Text(
        *(TextSide(text.lines[first:end], side.spans, side.offsets[first : end + 1]) for text, side in sides)
    )
