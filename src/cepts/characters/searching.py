"""Generating target strings: the room that the search needs, and its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.characters.best_kernels import Agenda
from cepts.characters.generation_kernels import generate
from cepts.characters.lattice_kernels import INSERTIONS, LAYERS, Lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.characters.letters import Strings
    from cepts.characters.table_kernels import Table

MARGIN = np.float32(
    10
)  # how much worse than the best one of its cursor a state may be, if scores are log-odds
UNLIMITED = np.float32(1e29)  # if they are of any size
FIRST_ARCS, FIRST_NODES = 1 << 16, 1 << 12


def new_lattice(longest: int, width: int, order: int, arcs: int = FIRST_ARCS) -> Lattice:
    """Return room for the lattices of source strings of at most so many letters."""
    states = (longest + 1) * LAYERS * width + width
    return Lattice(
        layers=np.zeros((longest + 1) * LAYERS + 1, np.int64),
        tails=np.zeros(states, np.int64),
        totals=np.zeros(states, np.float32),
        grams=np.zeros(states * order, np.int32),
        first_arcs=np.zeros(2 * states, np.int64),
        last_arcs=np.zeros(2 * states, np.int64),
        starts=np.zeros(arcs, np.int32),
        ends=np.zeros(arcs, np.int32),
        marks=np.zeros(arcs, np.int32),
        scores=np.zeros(arcs, np.float32),
        offered=np.zeros(arcs, np.int64),
        offered_total=np.zeros(arcs, np.float32),
        offered_state=np.zeros(arcs, np.int32),
        places=np.zeros(arcs, np.int64),
        ranked=np.zeros(width, np.float32),
        counts=np.zeros(3, np.int64),
    )


def new_agenda(nodes: int = FIRST_NODES) -> Agenda:
    """Return room for so many beginnings of strings."""
    return Agenda(
        heap=np.zeros(nodes, np.int64),
        promise=np.zeros(nodes, np.float32),
        scores=np.zeros(nodes, np.float32),
        states=np.zeros(nodes, np.int32),
        parents=np.zeros(nodes, np.int32),
        marks=np.zeros(nodes, np.int32),
        digests=np.zeros(nodes, np.uint64),
        lengths=np.zeros(nodes, np.int32),
        visited=np.zeros(2 * nodes, np.uint64),
        counts=np.zeros(2, np.int64),
    )


class Found(NamedTuple):
    """The best target strings of source strings, [string][rank]; a length of -1 where there are no more."""

    scores: NDArray[np.float32]
    lengths: NDArray[np.int64]
    letters: NDArray[np.int32]  # [string][rank][at]


def find_best(
    table: Table, order: int, sources: Strings, wanted: int, width: int, margin: np.float32
) -> Found:
    """Search for the best target strings of each source string; `width` and `margin` limit the states of a layer."""
    count, longest = len(sources), int(np.diff(sources.offsets).max(initial=0))
    found = Found(
        np.zeros((count, wanted), np.float32),
        np.full((count, wanted), -1, np.int64),
        np.zeros((count, wanted, longest * (INSERTIONS + 1) + INSERTIONS), np.int32),
    )
    arcs, nodes, at = FIRST_ARCS, FIRST_NODES, 0
    while at < count:
        lattice, agenda = new_lattice(longest, width, order, arcs), new_agenda(nodes)
        at = generate(table, order, sources, at, width, margin, lattice, agenda, *found)
        arcs, nodes = 2 * arcs, 2 * nodes
    return found
