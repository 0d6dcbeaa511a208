"""Where pictures go: a file that is SVG or PNG by its ending, or stdout, which is SVG."""

from __future__ import annotations

import sys
from pathlib import PurePath

from cepts.cli.output import STDOUT, check_outputs, destination
from cepts.errors import OptionError

ENDINGS = (".svg", ".png")


def check_picture(output: str | None) -> None:
    """Refuse, before any work is done, a place for a picture that cannot be used."""
    if output is None or output == STDOUT:
        if sys.stdout is not None and sys.stdout.isatty():
            raise OptionError(
                "a picture is nothing for a terminal: add --output FILE, with .svg or .png at the end"
            )
        return
    if ending_of(output) not in ENDINGS:
        raise OptionError(f"--output {output}: expected a name with .svg or .png at the end")
    check_outputs(output)


def ending_of(path: str) -> str:
    """Return the ending of a name, in small letters."""
    return PurePath(path).suffix.lower()


def write_picture(svg: str, output: str | None) -> None:
    """Write a picture where it is wanted, whole or not at all."""
    if output is None or output == STDOUT or ending_of(output) == ".svg":
        with destination(output) as stream:
            stream.write(svg)
        return
    from cepts.storage import atomic_writer
    from cepts.views.raster import to_png

    picture = to_png(svg)
    with atomic_writer(output, binary=True) as file:
        file.write(picture)
