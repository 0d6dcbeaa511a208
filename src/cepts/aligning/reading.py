"""Text that somebody gives an aligner, and links as they are then wanted: of tokens, or of words between spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.corpus import Bitext, as_bitext
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning.alignment import Alignment
    from cepts.corpus import TextOptions
    from cepts.corpus.adapting import BitextLike
    from cepts.links import Links


def read_text(
    options: TextOptions,
    text: BitextLike,
    target: BitextLike,
    source: BitextLike,
    known_links: Links | None = None,
    keep_text: bool = False,
) -> Bitext:
    """Return a text that somebody gave as a bitext; refuse known links of which it is not clear what they link."""
    bitext = as_bitext(text, target, source=source, keep_text=keep_text, **options._asdict())
    if known_links is not None and text is not bitext and options.after(bitext).to_whitespace:
        raise OptionError(
            "known_links: this text is raw, so that words are cut; say what they link, with tokenize=True (tokens) or"
            " tokenize=False (what stands between spaces)"
        )
    return bitext


def as_wanted(found: Alignment, given: BitextLike, options: TextOptions) -> Alignment:
    """Return links of the words between spaces where a text that was given is raw; a bitext has words of its own.

    Cepts are of tokens.
    """
    if isinstance(given, Bitext) or not options.to_whitespace or found.cepts is not None:
        return found
    return found.between_spaces(options.keep_case)
