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
    before, now = (
        dict(part.split(":", 1) for part in line.split("|") if ":" in part) for line in (done, wanted)
    )
    usual = dict(part.split(":", 1) for part in RECIPES["fast"].signature.split("|"))
    return (
        all(before.get(name, usual.get(name)) == value for name, value in now.items())
        and before.keys() <= now.keys()
    )


def total_minutes(records: list[Record]) -> float:
    """Wall minutes of runs: training, scoring, and each corpus read once."""
    reading = {record["corpus"]: float(record["text"]["read_seconds"]) for record in records}
    return (sum(float(record["wall_seconds"]) for record in records) + sum(reading.values())) / 60
