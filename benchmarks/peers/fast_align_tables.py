"""The links of each direction that fast_align's tables give: its last step, which the module keeps inside.

A link of target word j goes to the source word i with the largest t(target | source) h(i, j), where
h(i, j) = (1 - p0) exp(-tension |i / I - j / J|) / Z, and p0 for NULL (Dyer et al. 2013, section 2).
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

NULL_ID = 1
NULL_PROBABILITY = 0.08
UNSEEN = 1e-9


@dataclass(frozen=True)
class Table:
    """A trained direction: word ids, and for each given word the probabilities of generated words."""

    ids: dict[str, int]
    rows: dict[int, dict[int, float]]
    tension: float


def read_table(path: Path, tension: float) -> Table:
    """Read the module's file: version, vocabulary, then rows of (id, probability)."""
    data = path.read_bytes()
    _, size = struct.unpack_from("<ii", data)
    ids: dict[str, int] = {}
    place = 8
    for number in range(1, size + 1):
        end = data.index(b"\0", place)
        ids[data[place:end].decode("utf-8", "replace")] = number
        place = end + 1
    rows: dict[int, dict[int, float]] = {}
    place += 4  # the number of rows, which the file's end tells as well
    entry = np.dtype([("id", "<i4"), ("probability", "<f4")])
    while place < len(data):
        row, count = struct.unpack_from("<ii", data, place)
        entries = np.frombuffer(data, entry, count, place + 8)
        rows[row] = dict(zip(entries["id"].tolist(), entries["probability"].tolist(), strict=True))
        place += 8 + entry.itemsize * count
    return Table(ids, rows, tension)


def read_tensions(log: str) -> list[float]:
    """Return the last tension of each direction from what the module printed, forward first."""
    directions = log.split("ITERATION 1\n")[1:]
    return [float(re.findall(r"final tension: ([0-9.e+-]+)", part)[-1]) for part in directions]


def best_links(table: Table, given: list[str], generated: list[str]) -> list[tuple[int, int]]:
    """Return (given, generated) positions: each generated word's best given word, unless NULL is better."""
    rows = [table.rows.get(table.ids.get(word, -1), {}) for word in given]
    null = table.rows.get(NULL_ID, {})
    links = []
    for j, word in enumerate(generated, 1):
        number = table.ids.get(word, -1)
        near = [diagonal(i / len(given), j / len(generated), table.tension) for i in range(1, len(given) + 1)]
        scale = (1 - NULL_PROBABILITY) / sum(near)
        scores = [row.get(number, UNSEEN) * h * scale for row, h in zip(rows, near, strict=True)]
        best = max(range(len(given)), key=scores.__getitem__)
        if scores[best] > null.get(number, UNSEEN) * NULL_PROBABILITY:
            links.append((best, j - 1))
    return links


def diagonal(here: float, there: float, tension: float) -> float:
    """Weigh a link by its distance from the diagonal."""
    return math.exp(-tension * abs(here - there))


def write_directions(folder: Path, log: str, pairs: list[tuple[list[str], list[str]]]) -> None:
    """Write `forward.links` and `reverse.links` of the given pairs, both source-target."""
    tensions = read_tensions(log)
    forward = read_table(folder / "forward.table", tensions[0])
    reverse = read_table(folder / "reverse.table", tensions[1])
    forward_links = [best_links(forward, source, target) for source, target in pairs]
    reverse_links = [
        [(source_at, target_at) for target_at, source_at in best_links(reverse, target, source)]
        for source, target in pairs
    ]
    for name, links in (("forward", forward_links), ("reverse", reverse_links)):
        lines = (" ".join(f"{i}-{j}" for i, j in sorted(pair)) + "\n" for pair in links)
        (folder / f"{name}.links").write_text("".join(lines))
