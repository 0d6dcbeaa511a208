"""What commands read: a bitext in any of its formats, and a word on what was left out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.cli.options import input_options, names_of
from cepts.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cepts.corpus import Bitext


def input_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what says how a bitext is read, for `read_bitext`."""
    return {name: options[name] for name in (*names_of(input_options), "errors")}


def read_input(source: str, target: str | None, options: dict[str, Any], **text: Any) -> Bitext:
    """Read the bitext that a command was given."""
    from cepts.corpus import read_bitext

    return read_bitext(source, target, **input_arguments(options), **text)


def note_left_out(left_out: Mapping[str, int], source: str, quiet: bool) -> None:
    """Say what was left out of a file, and why."""
    if left_out:
        listed = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        note(f"{source}: {sum(left_out.values())} left out: {listed}", quiet)
