"""What can go wrong, as one tree.

CeptsError
├── OptionError      an option or argument that cannot be used
│   ├── PositionError    a place in a sequence that is not there; also an IndexError, as Python expects
│   └── PackageError     an optional package that is not installed; also an ImportError
├── InputError       text or links that cannot be read: file, line, what to do
│   └── EmptyTextError   a text without a single pair, where at least one is needed
├── ModelError       a model folder that is damaged, foreign or of another version
├── OutputError      a place that cannot be written
└── ClusterError     a cluster that cannot be reached, or has gone

Every message is one line: what is wrong, where, what was expected, what to do. The command line prints it and exits
with status 2. `one_line` cuts what would be longer than `LONGEST_LINE`.

A message names what was given as its reader gave it, an argument of Python or an option of the command line: `said`.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

SHOWN = 40  # characters of a value that a message shows
_on_command_line: ContextVar[bool] = ContextVar("on_command_line", default=False)
PREFIX = "cepts: "  # of every line that a command says
LONGEST_LINE = 300  # characters, with this prefix
CUT = " ... "
LONG_WORD = 40  # characters of a path that is left as it is
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


class PackageError(OptionError, ImportError):
    """An optional package that is not installed."""


class InputError(CeptsError):
    """Text or links that cannot be read."""


class EmptyTextError(InputError):
    """A text without a single pair, where at least one is needed."""


class ModelError(CeptsError):
    """A model folder that is damaged, foreign or of another version."""


class OutputError(CeptsError):
    """A place that cannot be written."""


class ClusterError(CeptsError):
    """A cluster that cannot be reached, or has gone."""


@contextmanager
def speaking_of_options() -> Iterator[None]:
    """Let messages name options of the command line instead of arguments of Python."""
    before = _on_command_line.set(True)
    try:
        yield
    finally:
        _on_command_line.reset(before)


def said(name: str, value: object = ..., option: str | None = None) -> str:
    """Name an argument, and perhaps a value of it, as whoever reads the message gives it.

    `option` is its name on the command line, if that is another one; a value follows `=` where it ends with that. What
    is True there is a flag.

    >>> said("jump_band"), said("jump_band", 5), said("step", "harmonic")
    ('jump_band', 'jump_band=5', "step='harmonic'")
    >>> with speaking_of_options():
    ...     said("jump_band"), said("step", "harmonic"), said("hmm_iterations", 9, "--iterations hmm=")
    ('--jump-band', '--step harmonic', '--iterations hmm=9')
    """
    if not _on_command_line.get():
        return name if value is ... else f"{name}={_shortened(repr(value))}"
    option = option or f"--{name.replace('_', '-')}"
    if option.endswith("="):
        return option[:-1] if value is ... else f"{option}{_shortened(str(value))}"
    return option if value is ... or value is True else f"{option} {_shortened(str(value))}"


def worded(on_command_line: str, from_python: str) -> str:
    """Return the text that tells whoever reads a message what to do, where both have their own ways."""
    return on_command_line if _on_command_line.get() else from_python


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def one_line(text: str) -> str:
    """Put a message on one line; one that is too long loses folders of its paths, then what is before its last words.

    >>> one_line("line 2:\\n no  text")
    'line 2: no text'
    >>> one_line(f"{'/folder' * 50}/links: {'word ' * 20}")[:26]
    '.../links: word word word '
    """
    words, most = text.split(), LONGEST_LINE - len(PREFIX)
    line = " ".join(words)
    if len(line) > most:
        line = " ".join(map(_without_folders, words))
    if len(line) <= most:
        return line
    return line[: most - END - len(CUT)].rstrip() + CUT + line[-END:].lstrip()


def _without_folders(word: str) -> str:
    """Leave the folders of a long path out."""
    folders, _, name = word.rpartition("/")
    return f".../{name}" if len(folders) > LONG_WORD else word


def listed(names: Collection[str]) -> str:
    """Name the first of some things, and say how many more there are.

    >>> listed(["de", "en"]), listed([f"x{n}" for n in range(50_000)]), listed([])
    ('de, en', 'x0, x1, x2, x3, x4 and 49,995 more', 'none')
    """
    first = [name for _, name in zip(range(LISTED), names, strict=False)]
    more = len(names) - len(first)
    return ", ".join(first) + (f" and {more:,} more" if more else "") if first else "none"
