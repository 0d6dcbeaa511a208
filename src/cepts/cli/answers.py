"""What `cepts align` writes: links, cepts, or lists of the best alignments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from cepts.cli.known import Given
from cepts.cli.opening import lists_wanted
from cepts.cli.output import destination
from cepts.cli.progress import Survived, survived
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from cepts.aligning import Aligner, Alignment
    from cepts.aligning.stopwatch import Stopwatch
    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.words import Step

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
    aligner: Aligner,
    bitext: Bitext,
    alignment: Alignment | None,
    given: Given,
    options: dict[str, Any],
    stopwatch: Stopwatch,
) -> Survived:
    """Write the answers to all pairs, and say what was survived.

    Without an alignment, lists of the best ones are written: they are made on the way, a part at a time, and timed.
    """
    from cepts.combine.cepts_lines import write_cepts
    from cepts.links.formats import NEED_TEXT

    with destination(options["output"]) as stream:
        if alignment is None:
            with stopwatch("links"):
                return write_lists(aligner, bitext, options["n_best"], stream, given)
        if options["format"] == "cepts" and alignment.cepts is not None:
            write_cepts(alignment.cepts, stream, aligner.recipe.min_confidence or 0.0)
        else:
            lines = _lines_of(bitext) if options["format"] in NEED_TEXT else None
            write_formatted(
                alignment, stream, options, bitext, lines, to_whitespace=aligner.text.to_whitespace
            )
    return survived(bitext, alignment.oversized)


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
    to_whitespace: bool = False,
) -> None:
    """Write links in the format that is wanted, of tokens or of words between spaces; pairs count from `first`."""
    from cepts.links import links_to_whitespace, write_links

    if to_whitespace:
        links = links_to_whitespace(links, bitext)
    chosen = options["format"] or "pharaoh"
    languages = bitext.languages or (options.get("source_language"), options.get("target_language"))
    write_links(
        links,
        stream,
        "pharaoh-scores" if options["scores"] else chosen,
        None if lines is None or to_whitespace else bitext,
        texts=lines,
        first=first,
        languages=languages,
    )


def write_lists(
    aligner: Aligner, bitext: Bitext, n: int, stream: TextIO, given: Given = NOTHING_KNOWN
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
        aligner.monitor = partial(_tell, first / len(bitext), len(part) / len(bitext))
        known = given.part(first, end)
        lists = aligner.best_lists(part, n, **known._asdict())
        write_best_lists(lists, stream, first)
        counts = survived(part, lists.oversized, counts)
    return counts


def _tell(before: float, share: float, step: Step) -> None:
    """Tell of a step in a part of the text as one in the whole."""
    from cepts.running.steps import ignore

    ignore(step._replace(done=before + share * step.done))


def write_answer(
    kind: str,
    aligner: Aligner,
    bitext: Bitext,
    number: int,
    stream: TextIO,
    options: dict[str, Any],
    pair: tuple[str, str],
) -> Sized:
    """Write the answer to one pair, the line of the input with this number; return which pairs were oversized."""
    from cepts.combine.cepts_lines import format_cepts
    from cepts.links import write_best_lists
    from cepts.links.formats import NEED_TEXT

    if kind == "lists":
        lists = aligner.best_lists(bitext, aligner.recipe.n_best)
        write_best_lists(lists, stream, number)
        return lists.oversized
    found = aligner.align(bitext)
    if kind == "cepts" and found.cepts is not None:
        stream.write(format_cepts(found.cepts, 0, aligner.recipe.min_confidence or 0.0) + "\n")
    else:
        lines = ([pair[0]], [pair[1]]) if options["format"] in NEED_TEXT else None
        write_formatted(found, stream, options, bitext, lines, number, aligner.text.to_whitespace)
    return found.oversized


def check_single(kind: str, aligner: Aligner, options: dict[str, Any]) -> None:
    """Refuse to answer pair by pair what is counted in a whole text, or written as a whole."""
    from cepts.links.formats import ONE_PIECE

    if options["format"] in ONE_PIECE:
        raise OptionError(
            f"--format {options['format']} is one document, and pairs on stdin are answered one by one; give files"
        )
    from cepts.aligning.changing import check_single as check_precision

    check_precision(aligner.recipe)
    chosen = aligner.recipe
    factorised = kind != "lists" and (chosen.combine, chosen.direction) == ("cepts", "both")
    if factorised and chosen.association in WHOLE_TEXT:
        raise OptionError(
            f"--association {chosen.association} counts in the whole text, and pairs on stdin are answered one by one;"
            " give files, or use another --association"
        )
