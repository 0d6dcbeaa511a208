"""Classifiers of rows of numbers: averaged perceptron, logistic regression, vector quantisation, best dimension.

All have the same verbs: `fit(rows, labels, seed)` learns from rows [rows, columns] and a label of each, `margin(rows)`
is positive for rows that look like those labelled true and negative for others, and `packed` and `unpacked` are for a
model folder. Columns are divided by their root mean square first, so that none counts more for its unit alone; they are
not centred, so that a row of zeros, of which nothing is known, stays one. A column that is zero throughout counts for
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np

from cepts.errors import InputError, OptionError
from cepts.sentences.logistic import RIDGE, fit_logistic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Labels = NDArray[np.bool_]
    Arrays = dict[str, NDArray[Any]]

LARGEST = 1e12  # magnitude of a value that may be learned from, and of what is learned
SMALLEST = 1e-12  # root mean square of a column that says anything


class Classifier(Protocol):
    """What all classifiers do."""

    kind: ClassVar[str]

    @property
    def width(self) -> int:
        """The number of columns that it learned from."""

    def fit(self, rows: NDArray[np.floating], labels: Labels, seed: int = 1) -> Self:
        """Learn from rows [rows, columns] and their labels."""

    def margin(self, rows: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return a number for each row: positive for those that look like the ones labelled true."""

    def packed(self, prefix: str = "") -> Arrays:
        """Return what was learned as arrays, whose names begin with `prefix`."""


class Linear:
    """What the linear classifiers share: margin = rows . weights + bias."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.weights: Floats = np.zeros(0)
        self.bias = 0.0

    @property
    def width(self) -> int:
        """The number of columns that it learned from."""
        return len(self.weights)

    def margin(self, rows: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return rows . weights + bias; a row's margin depends on no other row."""
        rows = fitting_rows(rows, len(self.weights))
        # a sum by columns: a matrix product may add in another order for another number of rows
        total = np.full(len(rows), self.bias)
        for column, weight in enumerate(self.weights.tolist()):
            total += rows[:, column] * weight
        return total.astype(np.float32)

    def packed(self, prefix: str = "") -> Arrays:
        """Return what was learned as arrays, whose names begin with `prefix`."""
        return {f"{prefix}weights": np.append(self.weights, self.bias)}

    @classmethod
    def unpacked(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> Self:
        """Make again what was packed; KeyError or ValueError tell of what does not fit."""
        weights = checked_numbers(arrays[f"{prefix}weights"], 1)
        if not len(weights):
            raise ValueError("its classifier has no weights")
        made = cls()
        made.weights, made.bias = weights[:-1], float(weights[-1])
        return made


class Perceptron(Linear):
    """The averaged perceptron: each mistake adds the row or takes it away; the answer is the mean of all weights.

    Rows come in another order in each of the `epochs`. Without `bias`, a row and its opposite have opposite margins.

    >>> rows = np.array([[2.0, 1], [1, 2], [-1, 1], [-2, 0]])
    >>> model = Perceptron().fit(rows, np.array([True, True, False, False]))
    >>> (model.margin(rows) > 0).tolist()
    [True, True, False, False]
    """

    kind: ClassVar[str] = "perceptron"

    def __init__(self, epochs: int = 20, *, bias: bool = True) -> None:
        """Set how often all rows are seen."""
        super().__init__()
        self.epochs = at_least_one("epochs", epochs)
        self.has_bias = bias

    def fit(self, rows: NDArray[np.floating], labels: Labels, seed: int = 1) -> Self:
        """Learn from rows [rows, columns] and their labels."""
        from cepts.sentences.classifier_kernels import perceptron_epoch  # late: it brings numba

        table, signs, spread = prepared(rows, labels)
        if self.has_bias:
            table = np.column_stack([table, np.ones(len(table))])
        weights, total = np.zeros(table.shape[1]), np.zeros(table.shape[1])
        random = np.random.default_rng(seed)
        for _ in range(self.epochs):
            perceptron_epoch(table, signs, random.permutation(len(table)), weights, total)
        mean = total / (self.epochs * len(table))
        self.weights = mean[: len(spread)] / spread
        self.bias = float(mean[-1]) if self.has_bias else 0.0
        return self


class Regression(Linear):
    """Logistic regression with a ridge: the margin is the log odds of true.

    >>> rows = np.array([[2.0], [1], [-1], [-2]])
    >>> model = Regression().fit(rows, np.array([True, False, True, False]))
    >>> (model.margin(rows) > 0).tolist()
    [True, True, False, False]
    """

    kind: ClassVar[str] = "regression"

    def __init__(self, ridge: float = RIDGE) -> None:
        """Set what the square of a weight costs."""
        super().__init__()
        if not 0 < ridge < LARGEST:
            raise OptionError(f"ridge must be a number above 0, got {ridge}")
        self.ridge = ridge

    def fit(self, rows: NDArray[np.floating], labels: Labels, seed: int = 1) -> Self:
        """Learn from rows [rows, columns] and their labels; nothing here is random."""
        del seed
        table, signs, spread = prepared(rows, labels)
        model = fit_logistic(table, signs > 0, np.ones(len(table)), self.ridge)
        self.weights = model.weights / model.spread / spread
        self.bias = model.bias - float(np.sum(model.weights * model.middle / model.spread))
        return self


class BestDimension(Linear):
    """The one column, with a threshold and a direction, that puts most rows on the right side.

    Of equally good ones the first column, and of its thresholds, which are in the middle between two values, the one
    in the widest gap. Without `bias`, the threshold is 0.

    >>> rows = np.array([[5.0, 0], [3, 4], [4, 1], [4, 9]])
    >>> model = BestDimension().fit(rows, np.array([True, False, True, False]))
    >>> model.dimension, model.margin(np.array([[9.0, 2], [0, 3]])).tolist()
    (1, [0.5, -0.5])
    """

    kind: ClassVar[str] = "dimension"

    def __init__(self, *, bias: bool = True) -> None:
        """Set whether the threshold is free."""
        super().__init__()
        self.has_bias = bias

    @property
    def dimension(self) -> int:
        """The column that decides."""
        return int(np.argmax(np.abs(self.weights)))

    def fit(self, rows: NDArray[np.floating], labels: Labels, seed: int = 1) -> Self:
        """Learn from rows [rows, columns] and their labels; nothing here is random."""
        del seed
        table, signs, _ = prepared(rows, labels)
        raw = np.asarray(rows, np.float64)
        found = [_best_cut(raw[:, column], signs, self.has_bias) for column in range(table.shape[1])]
        column = max(range(len(found)), key=lambda k: (found[k][0], -k))
        _, direction, threshold = found[column]
        self.weights = np.zeros(table.shape[1])
        self.weights[column] = direction
        self.bias = -direction * threshold
        return self


class LVQ:
    """Learning vector quantisation (LVQ1): prototypes of both classes; a row is what its nearest prototype is.

    Each row draws its nearest prototype near if they are of one class, else pushes it away, by steps that shrink to 0.
    Prototypes begin at means of a class's rows, dealt out at random. The margin is the squared distance to the nearest
    false prototype less that to the nearest true one.

    >>> rows = np.array([[0.0, 1], [0, 2], [3, 0], [4, 0]])
    >>> model = LVQ().fit(rows, np.array([True, True, False, False]))
    >>> (model.margin(rows) > 0).tolist()
    [True, True, False, False]
    """

    kind: ClassVar[str] = "lvq"

    def __init__(self, prototypes: int = 1, epochs: int = 20, rate: float = 0.05) -> None:
        """Set how many prototypes a class has, how often all rows are seen, and the first step."""
        self.count = at_least_one("prototypes", prototypes)
        self.epochs = at_least_one("epochs", epochs)
        if not 0 < rate < 1:
            raise OptionError(f"rate must be a number between 0 and 1, got {rate}")
        self.rate = rate
        self.spread: Floats = np.ones(0)
        self.prototypes: Floats = np.zeros((0, 0))  # the first half are true

    @property
    def width(self) -> int:
        """The number of columns that it learned from."""
        return len(self.spread)

    def fit(self, rows: NDArray[np.floating], labels: Labels, seed: int = 1) -> Self:
        """Learn from rows [rows, columns] and their labels."""
        from cepts.sentences.classifier_kernels import lvq_epoch  # late: it brings numba

        table, signs, self.spread = prepared(rows, labels)
        random = np.random.default_rng(seed)
        halves = [_means(table[signs == sign], self.count, random) for sign in (1, -1)]
        self.prototypes = np.concatenate(halves)
        rates = self.rate * (1 - np.arange(self.epochs * len(table)) / (self.epochs * len(table)))
        for epoch in np.split(rates, self.epochs):
            lvq_epoch(table, signs, random.permutation(len(table)), epoch, self.prototypes)
        return self

    def margin(self, rows: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return how much nearer the true prototypes are; a row's margin depends on no other row."""
        table = fitting_rows(rows, len(self.spread)) / self.spread
        distances = [np.sum((table - prototype) ** 2, axis=1) for prototype in self.prototypes]
        half = len(distances) // 2
        nearest = [np.min(some, axis=0) for some in (distances[:half], distances[half:])]
        margins: NDArray[np.float32] = (nearest[1] - nearest[0]).astype(np.float32)
        return margins

    def packed(self, prefix: str = "") -> Arrays:
        """Return what was learned as arrays, whose names begin with `prefix`."""
        return {f"{prefix}spread": self.spread, f"{prefix}prototypes": self.prototypes}

    @classmethod
    def unpacked(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> Self:
        """Make again what was packed; KeyError or ValueError tell of what does not fit."""
        spread = checked_numbers(arrays[f"{prefix}spread"], 1)
        prototypes = checked_numbers(arrays[f"{prefix}prototypes"], 2)
        if not len(prototypes) or len(prototypes) % 2 or prototypes.shape[1] != len(spread):
            raise ValueError("its prototypes do not fit each other")
        if not np.all(spread >= SMALLEST):
            raise ValueError("its columns have no spread")
        made = cls(len(prototypes) // 2)
        made.spread, made.prototypes = spread, prototypes
        return made


def prepared(rows: NDArray[np.floating], labels: Labels) -> tuple[Floats, Floats, Floats]:
    """Check rows and labels; return rows divided by their columns' spread, labels as 1 and -1, and the spread."""
    table, labels = np.asarray(rows, np.float64), np.asarray(labels)
    if table.ndim != 2 or labels.shape != table.shape[:1]:
        raise InputError(
            f"rows of shape {table.shape} with labels of shape {labels.shape}: expected a table and a label of each row"
        )
    if not np.all(np.abs(table) <= LARGEST):
        raise InputError("the rows to learn from hold values that are too large or no numbers")
    signs = np.where(labels.astype(np.bool_), 1.0, -1.0)
    if not (signs > 0).any() or not (signs < 0).any():
        raise InputError(
            f"{len(signs)} rows of which {int((signs > 0).sum())} are true: there must be some of both kinds"
        )
    spread = np.sqrt(np.mean(table**2, axis=0))
    spread[spread < SMALLEST] = 1.0
    return np.ascontiguousarray(table / spread), signs, spread


def fitting_rows(rows: NDArray[np.floating], columns: int) -> Floats:
    """Return rows as a table, or refuse those that were not learned from."""
    table = np.asarray(rows, np.float64)
    if table.ndim != 2 or table.shape[1] != columns:
        raise InputError(
            f"rows of shape {table.shape}: this classifier learned from rows of {columns} columns"
        )
    return table


def at_least_one(name: str, value: int) -> int:
    """Return a whole number from 1 on, or refuse it."""
    if value != int(value) or value < 1:
        raise OptionError(f"{name} must be a whole number of at least 1, got {value}")
    return int(value)


def checked_numbers(array: NDArray[Any], dimensions: int) -> Floats:
    """Return a copy of an array that must hold numbers of a usual size."""
    if array.dtype != np.float64 or array.ndim != dimensions or not np.all(np.abs(array) <= LARGEST):
        raise ValueError("its classifier holds something else where numbers are expected")
    return np.array(array)


def _best_cut(values: Floats, signs: Floats, free: bool) -> tuple[float, float, float]:
    """Return the rows that are right by one column less those that are wrong, its direction (1 or -1) and threshold."""
    if not free:
        balance = float(np.sum(np.sign(values) * signs))  # a 0 is neither right nor wrong
        return abs(balance), 1.0 if balance >= 0 else -1.0, 0.0
    order = np.argsort(values, kind="stable")
    ranked, sums = values[order], np.append(0.0, np.cumsum(signs[order]))
    gaps = np.append(0.0, np.diff(ranked))
    cuts = np.flatnonzero(gaps > 0) if gaps.any() else np.zeros(1, np.int64)
    balances = sums[-1] - 2 * sums[cuts]
    best = max(range(len(cuts)), key=lambda k: (abs(balances[k]), gaps[cuts[k]], -k))
    threshold = ranked[max(cuts[best] - 1, 0)] / 2 + ranked[cuts[best]] / 2
    return float(abs(balances[best])), 1.0 if balances[best] >= 0 else -1.0, float(threshold)


def _means(rows: Floats, count: int, random: np.random.Generator) -> Floats:
    """Deal rows out at random into so many heaps, and return the mean of each; of too few rows some twice."""
    order = random.permutation(len(rows))
    heaps = [order[k % len(order) :: count] for k in range(count)]
    return np.stack([rows[heap].mean(axis=0) for heap in heaps])
