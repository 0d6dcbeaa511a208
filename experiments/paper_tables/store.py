"""Results on disk: one JSON file, one line for a run, rewritten whole after each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

from cepts.aligning.recipes import RECIPES
from cepts.errors import InputError
from cepts.storage import atomic_writer

if TYPE_CHECKING:
    from pathlib import Path

Record = dict[str, Any]
Place = tuple[object, ...]


class Store:
    """The records of an experiment, by their places: the fields that tell a record from all others."""

    fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: dict[Place, Record] = {}
        self.read()

    def read(self) -> None:
        """Take over what is on disk."""
        if not self.path.exists():
            return
        try:
            records = json.loads(self.path.read_text(encoding="utf-8"))
            self.records = {self.place_of(record): record for record in records}
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(
                f"{self.path} holds no results of this experiment: {error}; move it away"
            ) from None

    def add(self, record: Record) -> None:
        """Keep a record, in the place of an older one; what another process has added meanwhile stays."""
        self.read()
        self.records[self.place_of(record)] = record
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = ",\n".join(json.dumps(one) for one in self.records.values())
        with atomic_writer(self.path) as file:
            file.write(f"[\n{lines}\n]\n")

    def at(self, place: Record) -> Record | None:
        """Return the record of a place, whatever its recipe was."""
        return self.records.get(self.place_of(place))

    def done(self, place: Record, signature: str) -> bool:
        """Tell whether a run was done with the very recipe that it has now."""
        record = self.at(place)
        return record is not None and same_recipe(record["signature"], signature)

    @classmethod
    def place_of(cls, record: Record) -> Place:
        """Return what tells a record from all others, as a key."""
        return tuple(record[name] for name in cls.fields)


def same_recipe(done: str, wanted: str) -> bool:
    """Tell whether two signatures mean one recipe: a field that was not known then must be as in `fast` now.

    >>> same_recipe("method:fast|doubt:5.0", "method:fast|doubt:5.0|null_state:remembers")
    True
    """
    return not changes(done, wanted) and fields_of(done).keys() <= fields_of(wanted).keys()


def changes(base: str, other: str) -> str:
    """Name the fields of a recipe that differ from those of another one; what a signature leaves out is as usual.

    >>> changes("a:1|b:2", "a:1|b:3")
    'b:3'
    >>> changes("method:fast|doubt:5.0|families:endings", "method:fast|doubt:5.0|null_state:remembers")
    'families:off'
    """
    before, now = fields_of(base), fields_of(other)
    usual = {name: str(value) for name, value in RECIPES["fast"].to_dict().items()}
    names = dict.fromkeys([*now, *(name for name in before if name in usual)])
    values = {name: now.get(name, usual.get(name)) for name in names}
    return "|".join(
        f"{name}:{value}" for name, value in values.items() if before.get(name, usual.get(name)) != value
    )


def fields_of(signature: str) -> dict[str, str]:
    """Read a signature; what has no name is no field.

    >>> fields_of("one line|a:1|b:x:y")
    {'a': '1', 'b': 'x:y'}
    """
    return dict(part.split(":", 1) for part in signature.split("|") if ":" in part)


def total_minutes(records: list[Record]) -> float:
    """Wall minutes of runs: training, scoring, and each corpus read once."""
    reading = {record["corpus"]: float(record["text"]["read_seconds"]) for record in records}
    return (sum(float(record["wall_seconds"]) for record in records) + sum(reading.values())) / 60
