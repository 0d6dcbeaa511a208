"""What a model expects of its text, as arrays of its folder, and back: checked, as everything that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.words.hmm_kernels import JumpCounts
from cepts.words.past import Past

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.words import Finished, Vocabularies
    from cepts.words.jumps import Jumps

    Arrays = dict[str, NDArray[Any]]

WAYS = ("forward", "reverse")
SIDES = ("source", "target")


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
    counts = arrays["counts"]
    source, target = (arrays[f"{side}_seen"] for side in SIDES)
    sizes = (len(words.source), len(words.target))
    good = (
        counts.dtype == np.float32
        and counts.shape == (len(model.lexicon.columns),)
        and all(
            seen.dtype == np.int64 and seen.shape == (size,) and bool(np.all(seen >= 0))
            for seen, size in zip((source, target), sizes, strict=True)
        )
        and _are_counts(counts)
    )
    if not good:
        raise ValueError("its counts do not fit its word pairs")
    jumps = None
    if model.jumps is not None:
        forward, reverse = (
            _checked_jumps(arrays, way, one) for way, one in zip(WAYS, model.jumps, strict=True)
        )
        jumps = (forward, reverse)
    return Past(counts, jumps, (source, target))


def _checked_jumps(arrays: Arrays, way: str, jumps: Jumps) -> JumpCounts:
    """Read expected jumps; models once had departures by length and position, and no classes."""
    counts = JumpCounts(*(arrays[f"{way}_counted_{name}"] for name in JumpCounts._fields))
    longest = counts.starts.shape[-1]
    if counts.jumps.ndim == 1 and counts.departures.shape == counts.starts.shape == (longest + 1, longest):
        departures = jumps.by_context(counts.departures.astype(np.float64))
        counts = counts._replace(jumps=counts.jumps[:, None], departures=departures)
    zero = jumps.new_counts(longest)
    if longest < 1 or any(
        array.dtype != np.float64 or array.shape != wanted.shape or not _are_counts(array)
        for array, wanted in zip(counts, zero, strict=True)
    ):
        raise ValueError("its counts of jumps do not fit its jumps")
    return counts


def _are_counts(array: NDArray[Any]) -> bool:
    return bool(np.all((array >= 0) & (array < np.inf)))
