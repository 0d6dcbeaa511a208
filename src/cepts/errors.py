"""What can go wrong, as one tree.

CeptsError
├── OptionError      an option or argument that cannot be used
│   ├── PositionError    a place in a sequence that is not there; also an IndexError, as Python expects
│   └── PackageError     an optional package that is not installed; also an ImportError
├── InputError       text or links that cannot be read: file, line, what to do
├── ModelError       a model folder that is damaged, foreign or of another version
├── OutputError      a place that cannot be written
└── ClusterError     a cluster that cannot be reached, or has gone

Every message is one line: what is wrong, where, what was expected, what to do.
The command line prints it and exits with status 2.
"""


class CeptsError(Exception):
    """Anything that a user can cause and cure."""


class OptionError(CeptsError):
    """An option or argument that cannot be used."""


class PositionError(OptionError, IndexError):
    """A place in a sequence that is not there."""


class PackageError(OptionError, ImportError):
    """An optional package that is not installed."""


class InputError(CeptsError):
    """Text or links that cannot be read."""


class ModelError(CeptsError):
    """A model folder that is damaged, foreign or of another version."""


class OutputError(CeptsError):
    """A place that cannot be written."""


class ClusterError(CeptsError):
    """A cluster that cannot be reached, or has gone."""
