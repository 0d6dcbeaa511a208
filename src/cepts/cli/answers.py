"""What `cepts align` writes: links, cepts, or lists of the best alignments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from cepts.cli.known import Given
from cepts.cli.opening import lists_wanted
from cepts.cli.output import STDOUT, destination
from cepts.cli.progress import Survived, progress, survived
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.aligning import Aligner
    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.words import Monitor, Step

# Kinds of answers, and what is said of pairs with an empty side.
EMPTY = {
    "links": "their lines of links are empty",
    "cepts": "all of their words are NULL's",
    "lists": "they have no lines",
}
NOTHING_KNOWN = Given()
LISTED = 1 << 20  # links of the alignments that are listed at once, about
LINK = 128  # bytes that each of them takes meanwhile
WHOLE_TEXT = ("tables", "cooccurrence", "information")  # measures that count in all of the text


def kind_of(aligner: Aligner, options: dict[str, Any]) -> str:
    """Say what is wanted: links, cepts or lists."""
    if lists_wanted(aligner.recipe, options):
        return "lists"
    return "cepts" if options["format"] == "cepts" else "links"


def write_answers(
    kind: str, aligner: Aligner, bitext: Bitext, links: Links | None, given: Given, options: dict[str, Any]
) -> Survived:
    """Write the answers to all pairs, and say what was survived; lists are made on the way, a part at a time."""
    from cepts.combine.cepts_lines import write_cepts

    with destination(options["output"]) as stream:
        if links is None:
            on_screen = options["output"] in (None, STDOUT) and stream.isatty()
            with progress(options["quiet"] or on_screen) as monitor:
                return write_lists(aligner, bitext, options["n_best"], stream, monitor, given)
        if kind == "cepts" and aligner.cepts is not None:
            write_cepts(aligner.cepts, stream, aligner.recipe.min_confidence or 0.0)
        else:
            write_formatted(links, stream, options, bitext, _lines_of(bitext))
    return survived(bitext, aligner)


def _lines_of(bitext: Bitext) -> tuple[Sequence[str], Sequence[str]] | None:
    """Return the lines as they stood, where they were kept."""
    source, target = bitext.source.originals, bitext.target.originals
    return None if source is None or target is None else (source, target)


def write_formatted(
    links: Links,
    stream: TextIO,
    options: dict[str, Any],
    bitext: Bitext,
    lines: tuple[Sequence[str], Sequence[str]] | None,
    first: int = 0,
) -> None:
    """Write links in the format that is wanted; pairs count from `first`."""
    from cepts.links import write_links

    chosen = options["format"] or "pharaoh"
    languages = bitext.languages or (options.get("source_language"), options.get("target_language"))
    write_links(
        links,
        stream,
        "pharaoh-scores" if options["scores"] else chosen,
        None if lines is None else bitext,
        texts=lines,
        first=first,
        languages=languages,
    )


def write_lists(
    aligner: Aligner, bitext: Bitext, n: int, stream: TextIO, monitor: Monitor, given: Given = NOTHING_KNOWN
) -> Survived:
    """Write lists of the n best alignments, for so many pairs at a time that memory stays bounded."""
    import numpy as np

    from cepts.links import write_best_lists
    from cepts.words.layout import runs_of

    links = n * np.maximum(bitext.source.lengths, bitext.target.lengths)
    parts = runs_of((np.cumsum(links) - links) // LISTED)
    counts = Survived()
    for first, end in parts:
        part = bitext.part(first, end) if len(parts) > 1 else bitext
        aligner.monitor = partial(_tell, monitor, first / len(bitext), len(part) / len(bitext))
        known = given.part(first, end)
        write_best_lists(aligner.best_lists(part, n, **known._asdict()), stream, first)
        counts = survived(part, aligner, counts)
    return counts


def _tell(monitor: Monitor, before: float, share: float, step: Step) -> None:
    """Tell of a step in a part of the text as one in the whole."""
    monitor(step._replace(done=before + share * step.done))


def write_answer(
    kind: str,
    aligner: Aligner,
    bitext: Bitext,
    number: int,
    stream: TextIO,
    options: dict[str, Any],
    pair: tuple[str, str],
) -> None:
    """Write the answer to one pair, the line of the input with this number."""
    from cepts.combine.cepts_lines import format_cepts
    from cepts.links import write_best_lists
    from cepts.links.formats import NEED_TEXT

    if kind == "lists":
        write_best_lists(aligner.best_lists(bitext, aligner.recipe.n_best), stream, number)
        return
    links = aligner.align(bitext)
    if kind == "cepts" and aligner.cepts is not None:
        stream.write(format_cepts(aligner.cepts, 0, aligner.recipe.min_confidence or 0.0) + "\n")
        return
    lines = ([pair[0]], [pair[1]]) if options["format"] in NEED_TEXT else None
    write_formatted(links, stream, options, bitext, lines, number)


def check_single(kind: str, aligner: Aligner, options: dict[str, Any]) -> None:
    """Refuse to answer pair by pair what is counted in a whole text, or written as a whole."""
    from cepts.links.formats import ONE_PIECE

    if options["format"] in ONE_PIECE:
        raise OptionError(
            f"--format {options['format']} is one document, and pairs on stdin are answered one by one; give files"
        )
    aligner.check_single()
    chosen = aligner.recipe
    factorised = kind != "lists" and (chosen.combine, chosen.direction) == ("cepts", "both")
    if factorised and chosen.association in WHOLE_TEXT:
        raise OptionError(
            f"--association {chosen.association} counts in the whole text, and pairs on stdin are answered one by one;"
            " give files, or use another --association"
        )
