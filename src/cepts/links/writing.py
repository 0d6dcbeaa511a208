"""`write_links`: links in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from cepts.checking import checked
from cepts.errors import OptionError
from cepts.links.fitting import check_fit
from cepts.links.formats import NEED_TEXT, check_format, write
from cepts.links.text import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.corpus import Bitext
    from cepts.links.links import Links


@checked
def write_links(
    links: Links,
    stream: TextIO,
    format: str = "pharaoh",  # noqa: A002
    bitext: Bitext | None = None,
    *,
    texts: tuple[Sequence[str], Sequence[str]] | None = None,
    first: int = 0,
    languages: tuple[str | None, str | None] = (None, None),
) -> None:
    """Write links in one of `FORMATS`.

    Formats with words need the text: `bitext`, whose words are then written as it has them, or `texts`, the source
    and the target lines as they stand, or both, where words are the bitext's and the writing is the lines'. Pairs
    are numbered from `first` on. `languages` are the codes that TMX and XLIFF have.

    >>> import sys
    >>> from cepts.links import Links
    >>> write_links(Links.from_pairs([[(0, 0), (1, 2, 0.9, False)]]), sys.stdout, "naacl")
    1 1 1 S
    1 2 3 P 0.9
    """
    check_format(format)
    text = text_of(bitext, texts)
    if text is not None:
        check_fit(links, text.source.lengths, text.target.lengths)
    elif format in NEED_TEXT:
        raise OptionError(f"the format {format} holds words: give bitext, or texts")
    write(format, links, stream, text, first, languages)
