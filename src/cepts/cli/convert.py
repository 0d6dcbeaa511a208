"""`cepts convert`: links from one format to another, from subwords to words, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts.cli.help import command
from cepts.cli.options import (
    LINK_FORMATS,
    MARKERS,
    errors_option,
    input_format_option,
    language_options,
    quiet_option,
    refuse,
    tokenize_option,
    with_options,
)
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import counted, finished, note
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.links import Links
    from cepts.links.formats import Parsed
    from cepts.links.text import Text

    Lines = tuple[list[str] | None, list[str] | None]

SIDES = ("source", "target")


@command()
@click.argument("links")
@click.option(
    "--format",
    type=click.Choice(LINK_FORMATS),
    required=True,
    metavar="NAME",
    help=f"What to write: {', '.join(LINK_FORMATS)}.",
)
@with_options((input_format_option,))
@click.option("--source", metavar="FILE", help="The source text, for formats that hold words.")
@click.option("--target", metavar="FILE", help="The target text.")
@click.option("--to-words", is_flag=True, help="LINKS are between subwords: make them links between words.")
@click.option(
    "--to-subwords", is_flag=True, help="LINKS are between words: make them links between subwords."
)
@click.option("--source-subwords", metavar="FILE", help="The source text cut into subwords.")
@click.option("--target-subwords", metavar="FILE", help="The target text cut into subwords.")
@click.option(
    "--markers",
    type=click.Choice(MARKERS),
    metavar="NAME",
    help=f"How subwords are marked: {', '.join(MARKERS)}. If not given, seen from the text.",
)
@click.option("--swap", is_flag=True, help="Exchange source and target of LINKS first.")
@with_options((tokenize_option, errors_option, *language_options))
@click.option("--output", metavar="FILE", help="Write here instead of stdout (also .gz, .xz).")
@quiet_option
def convert(links: str, **options: Any) -> None:
    """Write links in another format.

    LINKS is a file in any of the formats, or - for stdin; which one is seen from its text. Pharaoh and TALP look alike:
    say --input-format talp for positions from 1.

    --source and --target are needed for formats that hold words, unless LINKS holds them itself; where they are given,
    all links must fit.

    --to-words links two words where any of their subwords are linked; --to-subwords links each subword of a word with
    each of the other's, as Marian's guided alignment wants it. Where --source and --target are given too, subwords must
    join to these words.
    """
    from cepts.corpus.files import shown
    from cepts.links.corrections import check_digests
    from cepts.links.fitting import check_rows
    from cepts.links.reading import read_parsed
    from cepts.running.steps import tell

    tell("reading")
    _check(options)
    check_outputs(options["output"])
    text, subwords = _read_text(options), _read_subwords(options)
    known = [len(side) for side in (text, *subwords) if side is not None]
    name, parsed = read_parsed(links, options["input_format"], known[0] if known else None)
    parsed = _swapped(parsed) if options["swap"] else parsed
    if text is not None and parsed.text is not None:
        _compare_words(parsed, text, name)
    if text is not None and parsed.digests is not None and not options["to_words"]:
        check_digests(
            parsed.digests.items(),
            (text.swapped() if options["swap"] else text).words,
            name,
            shown(options["source"]),
        )
    if text is None and not options["to_words"] and not options["to_subwords"]:
        text = parsed.text
    if text is not None and not options["to_words"]:
        file = options["source"] or links
        check_rows(parsed.rows, text.source.lengths, text.target.lengths, name, shown(file), parsed.first)
    found = parsed.rows.links()
    if (options["to_words"] or options["to_subwords"]) and (len(found) or any(subwords)):
        found, text = _converted(found, parsed, name, text, subwords, options)
    _write(found, text, options)


def _check(options: dict[str, Any]) -> None:
    """Refuse options that miss something, or would have no effect."""
    if (options["source"] is None) != (options["target"] is None):
        raise OptionError("--source and --target go together: give both, or none")
    if options["to_words"] and options["to_subwords"]:
        raise OptionError("--to-words and --to-subwords are two ways: choose one")
    of_subwords = ("source_subwords", "target_subwords", "markers")
    if not options["to_words"] and not options["to_subwords"]:
        refuse(of_subwords, options, "needs --to-words or --to-subwords; add one of them")
    elif not options["source_subwords"] and not options["target_subwords"]:
        way = "--to-words" if options["to_words"] else "--to-subwords"
        raise OptionError(
            f"{way} needs the text in subwords: add --source-subwords FILE, --target-subwords FILE or both"
        )
    if options["source"] is None:
        refuse(("tokenize",), options, "is about the text: add --source FILE and --target FILE")
    if options["format"] not in ("tmx", "xliff"):
        names = ("source_language", "target_language")
        refuse(names, options, "is for --format tmx and xliff; drop it")


def _read_text(options: dict[str, Any]) -> Text | None:
    """Read the text of words, if it is given."""
    from cepts.cli.reading import read_or_nothing
    from cepts.links.text import text_of

    if options["source"] is None:
        return None
    reading = {"tokenize": options["tokenize"], "errors": options["errors"], "keep_text": True}
    bitext = read_or_nothing(options["source"], options["target"], **reading)
    source, target = bitext.source.originals, bitext.target.originals
    assert source is not None
    assert target is not None
    return text_of(bitext, (source, target))


def _read_subwords(options: dict[str, Any]) -> Lines:
    """Read the text of subwords, of the sides that have them."""
    from cepts.corpus.readers import read_lines

    paths = [options[f"{side}_subwords"] for side in SIDES]
    source, target = (None if path is None else read_lines(path, options["errors"]) for path in paths)
    return source, target


def _swapped(parsed: Parsed) -> Parsed:
    """Return what was read with source and target exchanged."""
    rows = parsed.rows._replace(source=parsed.rows.target, target=parsed.rows.source)
    return parsed._replace(rows=rows, text=None if parsed.text is None else parsed.text.swapped())


def _compare_words(parsed: Parsed, text: Text, name: str) -> None:
    """Refuse links whose own words are not those of the text."""
    from cepts.errors import InputError
    from cepts.links.text import other_words

    assert parsed.text is not None
    for pair, message in other_words(parsed.text, text):
        raise InputError(f"{name}, pair {pair + 1}: {message}")


def _converted(
    found: Links, parsed: Parsed, name: str, text: Text | None, subwords: Lines, options: dict[str, Any]
) -> tuple[Links, Text | None]:
    """Go from subwords to words or back, and return the links with the text that they are then about."""
    from cepts.corpus.files import shown
    from cepts.links.fitting import check_rows
    from cepts.links.subwords import expanded, lengths_of, merged, segmentations

    words: list[list[list[str]] | None] = [None, None]
    if text is not None:
        words = [[side.words(k) for k in range(len(side))] for side in text]
    names = [shown(options[f"{side}_subwords"] or side) for side in SIDES]
    sides = segmentations(subwords, options["markers"], (words[0], words[1]), (names[0], names[1]))
    to_words = options["to_words"]
    lengths = lengths_of(sides, parsed.rows, words=not to_words)
    check_rows(parsed.rows, *lengths, name, "the text in subwords", parsed.first)
    if not to_words:
        return expanded(found, sides), _subword_text(subwords, text)
    links, dropped = merged(found, sides)
    if dropped:
        note(
            f"{dropped} links of marks without letters belong to no word; they are left out", options["quiet"]
        )
    return links, text or _word_text(subwords, options["markers"])


def _subword_text(subwords: Lines, text: Text | None) -> Text | None:
    """Return the subwords as a text; a side without them is the text's."""
    from cepts.links.text import Text, TextSide

    sides = [
        TextSide(lines) if lines is not None else other
        for lines, other in zip(subwords, text or (None, None), strict=True)
    ]
    return None if sides[0] is None or sides[1] is None else Text(sides[0], sides[1])


def _word_text(subwords: Lines, markers: str | None) -> Text | None:
    """Return the words that subwords join to, if both sides have subwords."""
    from cepts.links.subwords import joined_lines, marks_of
    from cepts.links.text import Text, TextSide

    source, target = subwords
    if source is None or target is None:
        return None
    styles = marks_of(subwords, markers)
    return Text(TextSide(joined_lines(source, styles[0])), TextSide(joined_lines(target, styles[1])))


def _write(links: Links, text: Text | None, options: dict[str, Any]) -> None:
    """Write the links, unless words are missing."""
    from cepts.links.formats import NEED_TEXT, write
    from cepts.links.text import Text, TextSide

    if text is None and not len(links):
        text = Text(TextSide([]), TextSide([]))  # of no pairs no words are missing
    if text is None and options["format"] in NEED_TEXT:
        raise OptionError(f"--format {options['format']} holds words: add --source FILE and --target FILE")
    languages = (options["source_language"], options["target_language"])
    with destination(options["output"]) as stream:
        write(options["format"], links, stream, text, languages=languages)
    said = counted(len(links), "pair"), counted(len(links.confidence), "link")
    finished(options["quiet"], *said, output=options["output"])
