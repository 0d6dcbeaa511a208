"""What can go wrong, as one tree.

CeptsError
├── OptionError      an option or argument that cannot be used
│   └── PositionError    a place in a sequence that is not there; also an IndexError, as Python expects
├── InputError       text or links that cannot be read: file, line, what to do
├── ModelError       a model folder that is damaged, foreign or of another version
├── OutputError      a place that cannot be written
└── ClusterError     a cluster that cannot be reached, or has gone

Every message is one line: what is wrong, where, what was expected, what to do. The command line prints it and exits
with status 2. `one_line` cuts what would be longer than `LONGEST_LINE`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

PREFIX = "cepts: "  # of every line that a command says
LONGEST_LINE = 300  # characters, with this prefix
CUT = " ... "
END = 90  # characters of what is cut that are kept of its end, where a message says what to do
LISTED = 5


class CeptsError(Exception):
    """Anything that a user can cause and cure."""

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(str(message)))


class OptionError(CeptsError):
    """An option or argument that cannot be used."""


class PositionError(OptionError, IndexError):
    """A place in a sequence that is not there."""


class InputError(CeptsError):
    """Text or links that cannot be read."""


class ModelError(CeptsError):
    """A model folder that is damaged, foreign or of another version."""


class OutputError(CeptsError):
    """A place that cannot be written."""


class ClusterError(CeptsError):
    """A cluster that cannot be reached, or has gone."""


def one_line(text: str) -> str:
    """Put a message on one line; one that is too long loses what is before its last words.

    >>> one_line("line 2:\\n no  text")
    'line 2: no text'
    """
    line, most = " ".join(text.split()), LONGEST_LINE - len(PREFIX)
    if len(line) <= most:
        return line
    return line[: most - END - len(CUT)].rstrip() + CUT + line[-END:].lstrip()


def listed(names: Collection[str]) -> str:
    """Name the first of some things, and say how many more there are.

    >>> listed(["de", "en"]), listed([f"x{n}" for n in range(50_000)]), listed([])
    ('de, en', 'x0, x1, x2, x3, x4 and 49,995 more', 'none')
    """
    first = [name for _, name in zip(range(LISTED), names, strict=False)]
    more = len(names) - len(first)
    return ", ".join(first) + (f" and {more:,} more" if more else "") if first else "none"
