"""What commands read: a bitext in any of its formats, and a word on what was left out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cepts.cli.options import input_options, names_of
from cepts.cli.progress import note
from cepts.errors import EmptyTextError, InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cepts.aligning import Aligner
    from cepts.aligning.unknown_words import UnknownWords
    from cepts.corpus import Bitext
    from cepts.storage.memory import Memory


def input_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what says how a bitext is read, for `read_bitext`."""
    return {name: options[name] for name in (*names_of(input_options), "errors")}


def split_links(source: str, target: str | None, links: str | None) -> tuple[str, str | None, str]:
    """Say which argument is which where SOURCE LINKS, or SOURCE TARGET LINKS, can be given."""
    if links is not None:
        return source, target, links
    if target is None or not _holds_links(target):
        had = "" if target is None else f": {target} holds text, not links"
        raise OptionError(
            f"LINKS is missing{had}; give SOURCE TARGET LINKS, or a file with both languages and LINKS"
        )
    return source, None, target


def _holds_links(path: str) -> bool:
    """Tell whether a file can hold links, going by its first line with text; one that can be read once only can."""
    from pathlib import Path

    from cepts.corpus.files import read_blocks
    from cepts.links.formats import detect

    if not Path(path).is_file():
        return True
    beginning = next((block.text for block in read_blocks(path)), b"").decode("utf-8", "replace")
    lines = beginning.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    return (
        not first
        or detect(lines) != "pharaoh"
        or re.match(r"\s*(\d+\s*\|\|\||\d+[-?]\d+)", first) is not None
    )


def read_or_nothing(source: str, target: str | None, **reading: Any) -> Bitext:
    """Read a bitext; a text without pairs is one of no pairs."""
    from cepts.corpus import bitext_from_pairs, read_bitext

    try:
        return read_bitext(source, target, **reading)
    except EmptyTextError:
        return bitext_from_pairs([], keep_text=reading.get("keep_text", False))


def read_input(
    source: str, target: str | None, options: dict[str, Any], or_nothing: bool = False, **text: Any
) -> Bitext:
    """Read the bitext that a command was given; say so if it is tokenised though nobody has asked for it.

    With `or_nothing` it may be one of no pairs.
    """
    from cepts.corpus import read_bitext
    from cepts.corpus.files import shown
    from cepts.running.steps import tell

    tell("reading")
    read = read_or_nothing if or_nothing else read_bitext
    bitext = read(source, target, **input_arguments(options), **text)
    if bitext.found_raw is not None:
        note_raw(bitext.found_raw, shown(source), options["quiet"])
    return bitext


def note_raw(found: str, source: str, quiet: bool) -> None:
    """Say that a text is tokenised because it is raw, and what ends that."""
    if found != "text":
        note(
            f"{source}: tokenised, as {found} holds raw text; --no-tokenize takes the words between spaces",
            quiet,
        )
    else:
        note(
            f"{source}: raw text, as punctuation stands at its words: it is tokenised, and links are those of the words"
            " between spaces; --tokenize writes links of tokens, --no-tokenize takes words as they stand",
            quiet,
        )


def check_model(aligner: Aligner, bitext: Bitext, model: str, options: dict[str, Any]) -> None:
    """Refuse a text whose sides are exchanged for a model; say so if the model is of other languages."""
    if options["no_check"]:
        return
    found = aligner.unknown_words(bitext)
    said = said_of_unknown(found, model)
    if found.wrong_way_round:
        raise InputError(said)
    if said:
        note(said, options["quiet"])


def said_of_unknown(found: UnknownWords, model: str) -> str:
    """Say what unknown words tell of a model, and what to do; nothing if all is well.

    >>> from cepts.aligning.unknown_words import UnknownWords
    >>> said_of_unknown(UnknownWords(0.9, 0.8, 0.1, 0.2), "m")
    'm is the wrong way round for this text: it does not know 90 % of its source and 80 % of its target words, with the
     sides exchanged 10 % and 20 %; exchange source and target, or say --no-check'
    """
    shares = f"{found.source:.0%} of its source and {found.target:.0%} of its target words".replace("%", " %")
    if found.wrong_way_round:
        exchanged = f"{found.exchanged_source:.0%} and {found.exchanged_target:.0%}".replace("%", " %")
        return (
            f"{model} is the wrong way round for this text: it does not know {shares}, with the sides exchanged"
            f" {exchanged}; exchange source and target, or say --no-check"
        )
    if found.raw and found.enough:
        return (
            f"{model} is of tokens, and this text is raw, as punctuation stands at its words; tokenise it as the text"
            " of the model was, or train a model with --tokenize"
        )
    if not found.other_languages:
        return ""
    return (
        f"{model} does not know {shares}: is it a model of these languages, and of text that was cut into words and"
        " lower-cased alike?"
    )


def memory_for(options: dict[str, Any], *paths: str | None) -> Memory:
    """Return how much memory a command may use; refuse what is too little for a text, as far as its files tell."""
    from cepts.corpus.files import size_of_text
    from cepts.storage.memory import wanted_memory
    from cepts.words.memory import memory_for_bytes

    given = [path for path in paths if path is not None]
    sizes = [size_of_text(path) for path in given] if options["memory"] is not None else []
    known = [size for size in sizes if size is not None]
    if len(known) < len(given):
        return wanted_memory(options["memory"])
    least, enough = memory_for_bytes(sum(known), options["threads"])
    return wanted_memory(options["memory"], least, enough, "a text of this size")


def note_left_out(left_out: Mapping[str, int], source: str, quiet: bool) -> None:
    """Say what was left out of a file, and why."""
    if left_out:
        listed = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        note(f"{source}: {sum(left_out.values())} left out: {listed}", quiet)
