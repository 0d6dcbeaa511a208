"""`Setting`: what is declared of a recipe's field, once.

It is the field's metadata. The checks of `Recipe`, the options of the command line with their help, and the table of
docs/settings.md are made of it.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.choices import MODEL_TYPES, listed
from cepts.errors import OptionError, said

if TYPE_CHECKING:
    from dataclasses import Field

    from cepts.bounds import Bounds

# What fields are about, by group. Those of training belong to a trained model; how links are made can be changed.
GROUPS = {
    "training": "how the word model is trained",
    "links": "how links are made",
    "dual": "how `dual` makes one model of both directions",
    "cepts": "how `cepts` puts words into groups that pair off",
}
UNKNOWN = object()


class Setting(NamedTuple):
    """What is known of a field, apart from its name, type and default.

    `help` is a phrase without a full stop. A value is one of `choices`, or a number within `range`. `models` are the
    types of models that the field is about. `option` is its name on the command line, if that is not its own. Where it
    is `rare`, `--help` does not list its option. `before` is what versions without the field did: signatures leave that
    out, so that figures of these versions stay comparable.
    """

    help: str
    group: str
    choices: tuple[str, ...] = ()
    range: Bounds | None = None
    models: tuple[str, ...] = MODEL_TYPES
    option: str | None = None
    rare: bool = True
    before: Any = UNKNOWN

    @classmethod
    def of(cls, field: Field[Any]) -> Setting:
        """Return what was declared of a field."""
        return cls(**field.metadata)

    @property
    def values(self) -> str:
        """Say what values there are.

        >>> Setting("", "", ("auto", "off")).values
        'one of auto, off'
        """
        if self.range is None:
            return f"one of {', '.join(self.choices)}"
        return " or ".join([*filter(None, [", ".join(self.choices)]), str(self.range)])

    def sentence(self, default: object) -> str:
        """Say what the field is about, which values there are, and for which models.

        >>> Setting("Word classes", "training", ("few", "many"), models=("ibm4",)).sentence("few")
        'Word classes: few or many (default few; for ibm4)'
        """
        values = f": {listed(self.choices)}" if self.choices else ""
        limits = f"{self.range}, ".removeprefix("a number ") if self.range else ""
        models = f"; for {listed(self.models, 'and')}" if self.models != MODEL_TYPES else ""
        return f"{self.help}{values} ({limits}default {default}{models})"

    def check(self, name: str, value: object) -> None:
        """Refuse a value that the field with this name cannot have."""
        if value is None or not (self.choices or self.range):
            return
        within = self.range is not None and self.range.holds(value)
        if not within and value not in self.choices:
            raise OptionError(f"{said(name, value, self.option)}: expected {self.values}")


def setting(default: Any, help: str, group: str, **more: Any) -> Any:  # noqa: A002
    """Declare a field of a recipe; `more` are further fields of `Setting`."""
    return field(default=default, metadata=Setting(help, group, **more)._asdict())
