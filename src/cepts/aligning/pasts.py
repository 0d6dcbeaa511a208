"""What a model expects of its text, as arrays of its folder, and back: checked, as everything that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.storage.schema import LARGEST, Field, Schema
from cepts.words.hmm_kernels import JumpCounts
from cepts.words.past import Past

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.words import Finished, Vocabularies
    from cepts.words.jumps import Jumps

    Arrays = dict[str, NDArray[Any]]

WAYS = ("forward", "reverse")
SIDES = ("source", "target")
LARGEST_COUNT = 1e30
RANGE = (0.0, LARGEST_COUNT)
NOTHING = np.empty((0, 0))
COUNTS = Schema(
    (
        Field("counts", "float32", ("entries",), *RANGE),
        Field("source_seen", "int64", ("sources",), 0),
        Field("target_seen", "int64", ("targets",), 0),
    )
)
STARTS = Field("starts", "float64", ("longest + 1", "longest"), *RANGE)
NUMBER = Field("words", "float64", (1,), *RANGE)
JUMPS = Schema(
    (
        Field("jumps", "float64", ("2 band + 2", "classes"), *RANGE),
        Field("departures", "float64", ("contexts", "classes"), *RANGE),
        STARTS,
        NUMBER,
    ),
    {"longest": (1, LARGEST)},
)
OLD_JUMPS = Schema(
    (
        Field("jumps", "float64", ("2 band + 2",), *RANGE),
        Field("departures", "float64", ("longest + 1", "longest"), *RANGE),
        STARTS,
        NUMBER,
    ),
    {"longest": (1, LARGEST)},
)


def past_arrays(past: Past) -> Arrays:
    """Name the arrays that are saved."""
    arrays: Arrays = {"counts": past.counts}
    arrays |= {f"{side}_seen": seen for side, seen in zip(SIDES, past.seen, strict=True)}
    for way, counts in zip(WAYS, past.jumps or (), strict=False):
        arrays |= {f"{way}_counted_{name}": array for name, array in counts._asdict().items()}
    return arrays


def checked_past(arrays: Arrays, model: Finished, words: Vocabularies) -> Past | None:
    """Read what was saved, if it was; refuse what does not fit the model."""
    if "counts" not in arrays:
        return None
    sizes = {
        "entries": len(model.lexicon.columns),
        "sources": len(words.source),
        "targets": len(words.target),
    }
    found = COUNTS.checked(arrays, sizes)
    jumps = None
    if model.jumps is not None:
        forward, reverse = (
            _checked_jumps(arrays, way, one) for way, one in zip(WAYS, model.jumps, strict=True)
        )
        jumps = (forward, reverse)
    return Past(found["counts"], jumps, (found["source_seen"], found["target_seen"]))


def _checked_jumps(arrays: Arrays, way: str, jumps: Jumps) -> JumpCounts:
    """Read expected jumps; models once had departures by length and position, and no classes."""
    sizes = {"band": jumps.band, "classes": jumps.classes, "contexts": (jumps.band + 2) ** 2}
    prefix = f"{way}_counted_"
    old = jumps.of_class is None and arrays.get(f"{prefix}jumps", NOTHING).ndim == 1
    counts = JumpCounts(**(OLD_JUMPS if old else JUMPS).checked(arrays, sizes, prefix))
    if not old:
        return counts
    departures = jumps.by_context(counts.departures.astype(np.float64))
    return counts._replace(jumps=counts.jumps[:, None], departures=departures)
