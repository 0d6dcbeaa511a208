"""`Elsewhere`: chunks of sentences on the workers of a cluster.

Their features stay there. What sentences weigh goes there and comes back each time, so that nothing is lost with a
worker, and of the features' factors only those that a chunk uses, unless the divergence needs every cell.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cepts.sentences.factorising import Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.running.cluster import Cluster
    from cepts.sentences.matrices import Chunk
    from cepts.sentences.options import FactorOptions

    Array = NDArray[Any]
    Sides = tuple[Chunk, Chunk]

Result = TypeVar("Result")


class Elsewhere:
    """The pairs of a factorisation, on a cluster."""

    def __init__(self, cluster: Cluster, pairs: Sequence[Pair]) -> None:
        self._cluster, self._pairs = cluster, pairs
        self._kept = cluster.places(len(pairs)).keep([partial(_sides, pair) for pair in pairs])

    def each(
        self,
        function: Callable[..., Result],
        factors: list[Array],
        known: Array | None,
        options: FactorOptions,
    ) -> Iterator[Result]:
        """Yield `function(pair, factors, known, options)` for each pair; its sentences are what they become there."""

        def arguments(pair: Pair) -> tuple[Any, ...]:
            if known is None:
                return function, pair.rows, factors, known, options
            used = [each[chunk.used] for each, chunk in zip(factors, pair.sides, strict=True)]
            return function, pair.rows, used, known, options

        tasks = ((k, arguments(pair)) for k, pair in enumerate(self._pairs))
        results = self._cluster.each(_on_sides, [self._kept], tasks)
        for pair, (result, rows) in zip(self._pairs, results, strict=True):
            pair.rows[...] = rows
            yield result


def _sides(pair: Pair) -> Sides:
    return pair.sides


def _on_sides(
    sides: Sides,
    function: Callable[..., Result],
    rows: Array,
    factors: list[Array],
    known: Array | None,
    options: FactorOptions,
) -> tuple[Result, Array]:
    """Work on a pair where its features are; factors are those of its own features, or all."""
    if known is not None:
        source, target = (
            chunk._replace(used=np.arange(len(chunk.used), dtype=chunk.used.dtype)) for chunk in sides
        )
        sides = (source, target)
    pair = Pair(sides, rows.copy())
    return function(pair, factors, known, options), pair.rows
