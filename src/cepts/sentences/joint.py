"""`JointNMF`: two matrices whose rows are the same sentences in two languages, factorised into one space."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError, OptionError
from cepts.running.cluster import cluster_of
from cepts.sentences.elsewhere import Elsewhere
from cepts.sentences.factorising import Pair, iterations_of, objective
from cepts.sentences.matrices import Chunk, Matrix, as_matrix, chunk_of, paired_blocks, row_blocks
from cepts.sentences.online import Stream
from cepts.sentences.options import FactorOptions
from cepts.sentences.projection import project
from cepts.sentences.similarity import similarities
from cepts.sentences.starting import feature_means, random_factors, random_rows, start_near_singular
from cepts.storage.scratch import LIMIT, Scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from distributed import Client
    from numpy.typing import NDArray

    from cepts.running.cluster import Cluster

    Array = NDArray[Any]
    Blocks = Iterable[tuple[Matrix, Matrix]]

SIDES = ("source", "target")


@checked
class JointNMF:
    """Finds factors A1, A2 and X, none negative, with Y1 near X A1' and Y2 near X A2': rows of X are sentences.

    `fit` it to two matrices (rows are the same sentences in two languages, columns each language's features: arrays,
    sparse matrices of SciPy, or `Matrix`), then `transform` sentences of either language into the common space.

    >>> random = np.random.default_rng(3)
    >>> topics = random.random((40, 2))
    >>> source, target = topics @ random.random((2, 9)), topics @ random.random((2, 7))
    >>> model = JointNMF(k=2, beta=1, tolerance=0).fit(source, target)
    >>> model.losses[-1] < 0.01 * model.losses[0]
    True
    >>> model.score(source, target).min() > 0.9
    np.True_

    The arguments are the fields of `cepts.sentences.FactorOptions`. After `fit`, `source_factors` and `target_factors`
    [features, k] are A1 and A2, and `losses` what the objective was at the start and after each iteration (with
    `batch`: of a sentence of each batch). Results do not depend on `threads`.
    """

    def __init__(
        self,
        k: int = 16,
        *,
        threads: int = 1,
        progress: Callable[[int, float], None] | None = None,
        memory: int = LIMIT,
        client: Client | Cluster | None = None,
        **options: Any,
    ) -> None:
        """Check the options; `progress` is called with the number of an iteration and the objective before it.

        With `client`, a `Client` of `dask.distributed`, its cluster does the iterations; batches of a stream stay here.
        """
        self.options = FactorOptions(k=k, **options)
        self.threads, self.progress, self.memory = threads, progress, memory
        self.cluster = cluster_of(client)
        self.factors: list[Array] = []
        self.losses: list[float] = []
        self.on_disk = 0  # bytes of the last text that had to go there
        self._stream: Stream | None = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 (there is nothing deeper)
        """Return the options, as scikit-learn asks for them."""
        return {**asdict(self.options), "threads": self.threads}

    @property
    def source_factors(self) -> NDArray[np.float32]:
        """What each source feature weighs in each dimension."""
        return self._fitted()[0]

    @property
    def target_factors(self) -> NDArray[np.float32]:
        """What each target feature weighs in each dimension."""
        return self._fitted()[1]

    def fit(self, source: Any, target: Any) -> JointNMF:
        """Factorise two matrices whose rows are the same sentences."""
        one, other = as_matrix(source, "the source matrix"), as_matrix(target, "the target matrix")
        if one.rows != other.rows:
            raise InputError(
                f"{one.rows} source and {other.rows} target rows: each row is a pair of sentences"
            )
        batch = self.options.batch
        if batch is None:
            return self.fit_blocks(paired_blocks(one, other), (one.width, other.width))
        self.check_size(one.rows, (one.width, other.width))
        return self.fit_stream(
            lambda: ((one.part(*rows), other.part(*rows)) for rows in row_blocks(one.rows, batch))
        )

    def fit_blocks(self, blocks: Blocks, widths: tuple[int, int]) -> JointNMF:
        """Factorise sentences that come in blocks; of these, what is above the limit of memory waits on disk."""
        options = self.options
        random = np.random.default_rng(options.seed)
        self._stream = None
        scratch = Scratch(self.memory)
        pairs = [_kept(block, options.k, random, scratch) for block in _of_widths(blocks, widths)]
        self.on_disk = scratch.on_disk
        self.check_size(sum(len(pair.rows) for pair in pairs), widths)
        if options.start == "svd":
            factors = start_near_singular(pairs, widths, options.k, random, self.threads)
        else:
            factors = [random_factors(means, options.k, random) for means in feature_means(pairs, widths)]
        self.losses = self._converge(pairs, factors)
        self.factors = factors
        return self

    def _converge(self, pairs: list[Pair], factors: list[Array]) -> list[float]:
        losses: list[float] = []
        tolerance = self.options.tolerance
        elsewhere = None if self.cluster is None else Elsewhere(self.cluster, pairs)
        iterations = iterations_of(pairs, factors, self.options, self.threads, elsewhere)
        for number, loss in enumerate(islice(iterations, self.options.iterations)):
            losses.append(loss)
            if self.progress is not None:
                self.progress(number, loss)
            if number and tolerance and losses[-2] - loss < tolerance * losses[0]:
                break
        return [*losses, objective(pairs, factors, self.options, self.threads, elsewhere)]

    def partial_fit(self, source: Any, target: Any) -> JointNMF:
        """Learn from one more batch, and forget its sentences."""
        one, other = as_matrix(source, "the source matrix"), as_matrix(target, "the target matrix")
        if one.rows != other.rows:
            raise InputError(
                f"{one.rows} source and {other.rows} target rows: each row is a pair of sentences"
            )
        if self._stream is None:
            self.options.check_batches()
            self._stream = Stream(self.options)
        self._add(self._stream, one, other)
        return self

    def _add(self, stream: Stream, source: Matrix, target: Matrix, is_new: bool = True) -> None:
        for name, matrix, factors in zip(SIDES, (source, target), stream.factors, strict=False):
            if matrix.width != len(factors):
                raise InputError(
                    f"the {name} matrix has {matrix.width} features, the batches before it {len(factors)}"
                )
        if source.rows:
            stream.add(source, target, is_new)
        self.factors, self.losses = stream.factors, stream.losses

    def fit_stream(self, batches: Callable[[], Blocks]) -> JointNMF:
        """Factorise sentences that come in batches, each seen once in every epoch and never kept."""
        self.options.check_batches()
        self._stream = Stream(self.options)
        for epoch in range(self.options.epochs):
            for source, target in _batches_of(batches):
                self._add(self._stream, source, target, is_new=epoch == 0)
                if self.progress is not None and self.losses:
                    self.progress(len(self.losses), self.losses[-1])
        return self

    def transform(
        self, matrix: Any, side: str = "source", projection: str = "non-negative"
    ) -> NDArray[np.float32]:
        """Return sentences of one language in the common space [rows, k]; all zeros if no feature is known."""
        if side not in SIDES:
            raise OptionError(f"side must be source or target, got {side!r}")
        factors = self._fitted()[SIDES.index(side)]
        rows = as_matrix(matrix)
        if rows.width != len(factors):
            raise InputError(
                f"the matrix has {rows.width} features, the model {len(factors)} on the {side} side"
            )
        return project(rows, factors, projection, self.options, self.threads)

    def score(
        self, source: Any, target: Any, measure: str = "cosine", projection: str = "non-negative"
    ) -> NDArray[np.float32]:
        """Return how near each source sentence is to the target sentence in the same row; 0 if one is unknown."""
        return similarities(
            self.transform(source, "source", projection),
            self.transform(target, "target", projection),
            measure,
        )

    def _fitted(self) -> list[Array]:
        if not self.factors:
            raise InputError("this model has not been fitted: call fit or partial_fit first")
        return self.factors

    def check_size(self, rows: int, widths: tuple[int, int]) -> None:
        """Refuse more dimensions than so many pairs of sentences and features can have."""
        most = min(rows, sum(widths))
        if most < 1:
            raise InputError("there is nothing to factorise: no sentences, or no features")
        if self.options.k > most:
            raise OptionError(
                f"k {self.options.k} is more than these data allow: {rows} pairs of sentences and"
                f" {sum(widths)} features give at most {most}"
            )


def _of_widths(blocks: Blocks, widths: tuple[int, int]) -> Iterator[tuple[Matrix, Matrix]]:
    """Yield blocks; refuse those that have other features than are expected."""
    for block in blocks:
        if (found := tuple(matrix.width for matrix in block)) != tuple(widths):
            raise InputError(
                f"a block of {found[0]} and {found[1]} features, expected {widths[0]} and {widths[1]}"
            )
        yield block


def _batches_of(batches: Callable[[], Blocks]) -> Iterator[tuple[Matrix, Matrix]]:
    """Yield what a function makes; refuse what are no pairs of matrices."""
    found = batches()
    for block in found if isinstance(found, Iterable) else (None,):
        if (
            not isinstance(block, tuple)
            or len(block) != 2
            or not all(isinstance(one, Matrix) for one in block)
        ):
            raise InputError("batches must be a function that returns an iterable of pairs of `Matrix`")
        yield block


def _kept(block: tuple[Matrix, Matrix], k: int, random: np.random.Generator, scratch: Scratch) -> Pair:
    rows = scratch.kept(random_rows(block[0].rows, k, random))
    return Pair((_chunk(block[0], scratch), _chunk(block[1], scratch)), rows)


def _chunk(matrix: Matrix, scratch: Scratch) -> Chunk:
    rows, used = chunk_of(matrix)
    offsets, features, values = (scratch.kept(array) for array in rows[:3])
    return Chunk(Matrix(offsets, features, values, rows.width), used)
