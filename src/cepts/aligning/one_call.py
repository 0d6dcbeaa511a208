"""`align`: train on a text and align it, in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.aligning.aligner import Aligner
from cepts.aligning.reading import as_wanted, read_text
from cepts.checking import checked
from cepts.running.steps import watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.aligning.alignment import Alignment
    from cepts.corpus.adapting import BitextLike
    from cepts.links import Links


@checked
def align(
    text: BitextLike = None,
    target: BitextLike = None,
    *,
    source: BitextLike = None,
    method: str = "best",
    lexicon: Iterable[Sequence[str | float]] | None = None,
    known_links: Links | None = None,
    known_complete: bool = False,
    progress: bool = False,
    **options: Any,
) -> Alignment:
    """Link the words of parallel text, from the text alone: train an `Aligner` on it and align it.

    The text is two lists of sentences or of token lists, or pairs, or a table of which `source` and `target` name the
    columns, or a `Bitext`, or paths of files: see `as_bitext`. The other arguments are those of `Aligner` and `fit`.
    The more text there is, the better the links are: a few hundred pairs at least. To align more text later, keep the
    aligner: `Aligner(...).fit(text)`.

    >>> french, english = ["la maison", "la fleur", "une fleur"], ["the house", "the flower", "a flower"]
    >>> [(link.source, link.target) for link in align(french, english)[1]]
    [(0, 0), (1, 1)]
    """
    aligner = Aligner(method, **options)
    with watched(progress):
        bitext = read_text(aligner.text, text, target, source, known_links, keep_text=True)
        aligner.fit(bitext, lexicon=lexicon, known_links=known_links, known_complete=known_complete)
        return as_wanted(aligner.align(bitext), text, aligner.text)
