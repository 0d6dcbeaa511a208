"""What commands read: a bitext in any of its formats, and a word on what was left out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cepts.cli.options import input_options, names_of
from cepts.cli.progress import note
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cepts.corpus import Bitext


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


def read_input(source: str, target: str | None, options: dict[str, Any], **text: Any) -> Bitext:
    """Read the bitext that a command was given."""
    from cepts.corpus import read_bitext

    return read_bitext(source, target, **input_arguments(options), **text)


def note_left_out(left_out: Mapping[str, int], source: str, quiet: bool) -> None:
    """Say what was left out of a file, and why."""
    if left_out:
        listed = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        note(f"{source}: {sum(left_out.values())} left out: {listed}", quiet)
