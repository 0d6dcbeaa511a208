"""What commands read: a bitext in any of its formats, and a word on what was left out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.cli.options import input_options, names_of
from cepts.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cepts.corpus import Bitext
    from cepts.storage.memory import Memory


def input_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what says how a bitext is read, for `read_bitext`."""
    return {name: options[name] for name in (*names_of(input_options), "errors")}


def read_input(source: str, target: str | None, options: dict[str, Any], **text: Any) -> Bitext:
    """Read the bitext that a command was given."""
    from cepts.corpus import read_bitext

    return read_bitext(source, target, **input_arguments(options), **text)


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
