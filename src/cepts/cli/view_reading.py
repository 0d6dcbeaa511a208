"""What `cepts view` shows: text, links of a file, of a model or of n-best lists, and gold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.cli.options import check_text, linked_text, linking_options, names_of, refuse
from cepts.cli.progress import note
from cepts.cli.reading import check_model, note_left_out, read_input, split_links
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from cepts.corpus import Bitext
    from cepts.links import BestLists, Links
    from cepts.links.formats import Parsed
    from cepts.links.text import Text

FIRST = 10  # pairs that are drawn if nothing is said
PART = re.compile("([0-9]{1,12})(?:(-)([0-9]{1,12})?)?")


class Gold(NamedTuple):
    """Gold links, if there are any, and the pairs that they are about, if not simply those that they have."""

    links: Links | None = None
    compared: Container[int] | None = None


class Shown(NamedTuple):
    """Alignments to show: row r of the links is one of pair `numbers[r]` of the text."""

    text: Text
    links: Links
    gold: Gold
    numbers: Sequence[int]
    notes: Sequence[str] | None = None


class Files(NamedTuple):
    """What the arguments name: text in two files, or in one; links in one of their own, or from a model."""

    source: str | None
    target: str | None
    links: str | None


def arranged(source: str, target: str | None, links: str | None, model: str | None) -> Files:
    """Say what each argument is.

    >>> arranged("a.tmx", "links", None, None)
    Files(source='a.tmx', target=None, links='links')
    """
    if model is not None:
        if links is not None:
            raise OptionError("LINKS and --model are two ways to get links: drop one of them")
        return Files(source, target, None)
    if links is None and target is not None:
        return Files(*split_links(source, target, None))
    return Files(None, None, source) if links is None else Files(source, target, links)


def read_shown(files: Files, options: dict[str, Any], whole: bool) -> Shown:
    """Read or make everything that is shown; `whole` if all pairs are wanted unless lines are chosen."""
    shown = _read_shown(files, options, whole)
    pairs, gold = len(shown.text), shown.gold.links
    if options["lines"] is None and not whole and pairs > FIRST:
        note(f"the first {FIRST} of {pairs} pairs; --lines 1-{pairs} would be all", options["quiet"])
    if gold is not None and max(shown.numbers, default=-1) >= len(gold):
        name = options["gold"]
        note(f"{name} ends after {len(gold)} of {pairs} pairs: those behind have no gold", options["quiet"])
    return shown


def _read_shown(files: Files, options: dict[str, Any], whole: bool) -> Shown:
    if options["model"] is not None:
        return _from_model(files, options, whole)
    names = [name for name in names_of(linking_options) if name != "min_confidence"]
    refuse(names, options, "is about the links of a model: add --model FOLDER, or drop it")
    if files.source is None:
        return _from_links_alone(files, options, whole)
    try:
        bitext = _read_text(files, options, linked_text(options))
        return _from_links(files, _as_read(bitext), options, whole)
    except InputError as error:
        if files.target is not None:
            raise
        raise InputError(f"{error} (of two files without --model the second is LINKS)") from None


def _read_text(files: Files, options: dict[str, Any], text: dict[str, Any]) -> Bitext:
    """Read the text, with its lines as they stand."""
    assert files.source is not None
    bitext = read_input(files.source, files.target, options, keep_text="decoded", **text)
    note_left_out(bitext.left_out, files.source, options["quiet"])
    return bitext


def _as_read(bitext: Bitext) -> Text:
    from cepts.links.text import text_as_read

    return text_as_read(bitext)


def _from_model(files: Files, options: dict[str, Any], whole: bool) -> Shown:
    """Align the chosen pairs; with a wanted precision all of them, since these choose the threshold."""
    import numpy as np

    from cepts.aligning import Aligner
    from cepts.links import links_to_whitespace

    refuse(("links_format", "lists"), options, "is about LINKS; drop it, or --model")
    linking = {name: options[name] for name in names_of(linking_options)}
    aligner = Aligner.load(options["model"], threads=options["threads"], **linking)
    check_text(aligner.text, options)
    bitext = _read_text(files, options, aligner.text._asdict())
    check_model(aligner, bitext, options["model"], options)
    numbers = chosen_pairs(options, len(bitext), whole)
    rows = np.array(numbers, np.int64)
    links: Links
    if aligner.recipe.precision is not None:
        links = aligner.align(bitext).picked(rows)
    else:
        links = aligner.align(bitext.picked(rows))
    if aligner.text.to_whitespace:
        links, bitext = links_to_whitespace(links, bitext.picked(rows)), bitext.between_spaces()
    text = _as_read(bitext)
    return Shown(text, links, _read_gold(options, text, files), numbers)


def _from_links_alone(files: Files, options: dict[str, Any], whole: bool) -> Shown:
    """Read links of a format that holds words itself."""
    from cepts.links.reading import read_parsed_or_lists

    name, parsed = read_parsed_or_lists(str(files.links), options["links_format"])
    text = getattr(parsed, "text", None)
    if text is None:
        raise OptionError(
            f"{name} holds no words beside links: give SOURCE TARGET LINKS, or SOURCE TARGET --model FOLDER"
        )
    refuse(("tokenize", "segmenter"), options, f"is about text: {name} has its words already; drop it")
    return _shown(files, text, name, parsed, options, whole)


def _from_links(files: Files, text: Text, options: dict[str, Any], whole: bool) -> Shown:
    """Read links of the text."""
    from cepts.links.reading import read_parsed_or_lists
    from cepts.links.text import other_words

    name, found = read_parsed_or_lists(str(files.links), options["links_format"], len(text))
    own = getattr(found, "text", None)
    for pair, message in () if own is None else other_words(own, text):
        raise InputError(f"{name}, pair {pair + 1}: {message}")
    return _shown(files, text, name, found, options, whole)


def _shown(
    files: Files, text: Text, name: str, found: Parsed | BestLists, options: dict[str, Any], whole: bool
) -> Shown:
    """Check that links fit, and choose the pairs."""
    import numpy as np

    from cepts.links import BestLists
    from cepts.links.fitting import check_rows

    numbers = chosen_pairs(options, len(text), whole)
    gold = _read_gold(options, text, files)
    if isinstance(found, BestLists):
        return _from_lists(found, text, name, gold, numbers, options)
    refuse(("lists",), options, f"is about n-best lists, which {name} has none of; drop it")
    called = files.source or name
    check_rows(found.rows, text.source.lengths, text.target.lengths, name, called, found.first)
    links = found.rows.links().picked(np.array(numbers, np.int64))
    return Shown(text, _confident(links, options), gold, numbers)


def _confident(links: Links, options: dict[str, Any]) -> Links:
    """Leave out links of less confidence than is wanted."""
    least = options["min_confidence"]
    return links if least is None else links.select(links.confidence >= least)


def _from_lists(
    lists: BestLists,
    text: Text,
    name: str,
    gold: Gold,
    numbers: Sequence[int],
    options: dict[str, Any],
) -> Shown:
    """Show the alignments of each list as one, with shares, or one after the other."""
    import numpy as np

    from cepts.links.fitting import check_fit

    if int(lists.owner.max(initial=-1)) >= len(text):
        raise InputError(
            f"{name}: a list of pair {int(lists.owner.max())} (from 0), but the text has {len(text)} pairs;"
            " do lists and text belong together?"
        )
    lengths = text.source.lengths[lists.owner], text.target.lengths[lists.owner]
    check_fit(lists.links, *lengths, name, "the text", "alignment")
    if options["lists"] != "apart":
        links = lists.shares(len(text)).picked(np.array(numbers, np.int64))
        return Shown(text, _confident(links, options), gold, numbers)
    refuse(("min_confidence",), options, "is about shares; drop it, or --lists apart")
    rows, notes = list[int](), list[str]()
    for number in numbers:
        first, end = np.searchsorted(lists.owner, [number, number + 1]).tolist()
        rows += range(first, end)
        notes += [
            f"alignment {row - first + 1} of {end - first}, log probability {lists.log_probability[row]:.2f}"
            for row in range(first, end)
        ]
    picked = np.array(rows, np.int64)
    return Shown(text, lists.links.picked(picked), gold, lists.owner[picked].tolist(), notes)


def _read_gold(options: dict[str, Any], text: Text, files: Files) -> Gold:
    """Read gold links of the text, or of its first pairs; of corrections, those of corrected pairs."""
    from cepts.links.corrections import check_digests
    from cepts.links.fitting import check_rows
    from cepts.links.reading import read_parsed

    if options["gold"] is None:
        return Gold()
    name, parsed = read_parsed(options["gold"])
    there = min(parsed.rows.pairs, len(text))
    lengths = text.source.lengths[:there], text.target.lengths[:there]
    check_rows(parsed.rows, *lengths, name, files.source or "the text", parsed.first)
    if parsed.digests is not None:
        check_digests(parsed.digests.items(), text.words, name, files.source or "the text")
    return Gold(parsed.rows.links(), parsed.digests)


def chosen_pairs(options: dict[str, Any], pairs: int, whole: bool) -> Sequence[int]:
    """Return the numbers of the pairs that are shown, from 0."""
    if options["lines"] is not None:
        return parse_lines(options["lines"], pairs)
    return range(pairs if whole else min(pairs, FIRST))


def parse_lines(text: str, pairs: int) -> list[int]:
    """Read `1-10` or `3,7-9,20-` as numbers of pairs, from 0, in the order in which they are named.

    >>> parse_lines("3,1-2,2", 9), parse_lines("8-", 9)
    ([2, 0, 1], [7, 8])
    """
    chosen: dict[int, None] = {}
    for part in text.split(","):
        match = PART.fullmatch(part.strip())
        first = int(match[1]) if match else 0
        last = first if match is None or not match[2] else int(match[3]) if match[3] else max(first, pairs)
        if not 1 <= first <= last:
            raise OptionError(
                f"--lines {text}: expected lines and ranges of them from 1, such as 1-10 or 3,7-9"
            )
        if last > pairs:
            raise OptionError(f"--lines {text}: line {last} is not there, the text has {pairs} pairs")
        chosen |= dict.fromkeys(range(first - 1, last))
    return list(chosen)
