"""Cepts: words of both sides in groups that pair off, by factorising association matrices (goutte-2004).

Every word is in exactly one cept, or belongs to NULL. The number of cepts is the one of the best AIC or BIC. The
search begins with one cept; then, again and again, the cept from which most can be gained is split where it is
unstable as the temperature falls, or a new one is taken out of the noise. So one pass goes through all numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import check_position, check_positions, checked
from cepts.choices import CRITERIA, ORPHANS, SEARCHES, check_choice
from cepts.combine.shapes import Associations, without_null
from cepts.corpus.bitext import picked_rows
from cepts.errors import OptionError
from cepts.links import Links
from cepts.running import run
from cepts.showing import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.combine.assigning_kernels import Answer
    from cepts.combine.cepts_kernels import Room, Rules

# Steps, tolerance and patience of each search, unless they are given. Annealing begins each number of cepts near an
# optimum; a random start is far from one: EM must converge, and a number that is worse than others says nothing of
# the next.
ENDINGS = {"annealing": (12, 1e-5, 1), "restarts": (10_000, 1e-7, bounds.PATIENCE.most)}
CHUNK_WORK = 1 << 22  # cells times the smaller side


@checked
class CeptsOptions(NamedTuple):
    """How matrices are factorised.

    `criterion`: what chooses the number of cepts, aic or bic, unless `cepts` says how many (at most those that a
    matrix allows). `search`: annealing, or random `restarts` from `seed`. `powers`: those of tempered EM, multiples of
    1/8 below 1, each for `warm_steps` steps; then up to `steps` of plain EM, until the mean log probability of a count
    rises by less than `tolerance` in three steps. `patience`: how many numbers of cepts in a row may be worse than the
    best before the search ends. None of these three means 12, 1e-5 and 1 for annealing; for restarts 10,000, 1e-7 and
    no end before the last number: EM converges, and every number is tried (goutte-2004, section 4.1). `null`: words
    may be left to NULL. `noise`: uniform noise explains a part. `orphans`: what happens to a cept that has words on
    one side only; reassign gives them to the other cepts, retrain fits these again before.
    """

    criterion: str = "aic"
    cepts: int = 0
    search: str = "annealing"
    restarts: int = 10
    seed: int = 0
    powers: tuple[float, ...] = (0.75,)
    warm_steps: int = 3
    steps: int | None = None
    tolerance: float | None = None
    patience: int | None = None
    null: bool = True
    noise: bool = True
    orphans: str = "reassign"

    def check(self) -> None:
        """Refuse what makes no sense, in words."""
        for name, value, choices in (
            ("criterion", self.criterion, CRITERIA),
            ("search", self.search, SEARCHES),
            ("orphans", self.orphans, ORPHANS),
        ):
            check_choice(name, value, choices)
        for name, number, limits in (
            ("cepts", self.cepts, bounds.CEPTS._replace(least=0)),  # 0: as many as the criterion says
            ("restarts", self.restarts, bounds.RESTARTS),
            ("seed", self.seed, bounds.SEED),
            ("warm_steps", self.warm_steps, bounds.UPDATES),
            ("em_steps", self.steps, bounds.EM_STEPS),
            ("tolerance", self.tolerance, bounds.TOLERANCE),
            ("patience", self.patience, bounds.PATIENCE),
        ):
            if number is not None:
                limits.check(name, number)
        for power in self.powers:
            if not 0 < power < 1 or power * 8 != int(power * 8):
                raise OptionError(f"power {power}: expected a multiple of 1/8 between 0 and 1")

    def rules(self) -> Rules:
        """Return the options as kernels take them."""
        from cepts.combine.cepts_kernels import EIGHTHS, Rules

        powers = [*(int(power * EIGHTHS) for power in self.powers), EIGHTHS]
        given = self.steps, self.tolerance, self.patience
        steps, tolerance, patience = (
            usual if one is None else one for one, usual in zip(given, ENDINGS[self.search], strict=True)
        )
        return Rules(
            self.criterion == "bic",
            self.cepts,
            int(patience),
            self.restarts if self.search == "restarts" else 0,
            np.array(powers, np.int64),
            self.warm_steps,
            int(steps),
            float(tolerance),
            self.null,
            self.noise,
            self.orphans == "retrain",
            self.seed,
        )


DEFAULTS = CeptsOptions()


@checked
class Cept(NamedTuple):
    """Words of both sides that correspond, and the cept's probability."""

    source: list[int]
    target: list[int]
    probability: float


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Cepts(Shown):
    """The cepts of many pairs, flat: for each word its cept, from 0 within its pair, or -1 for NULL.

    A word's confidence is the share of its cept, or NULL, in all that explains the word, noise included.
    `probabilities` are those of the cepts, pair k's from `offsets[k]` on. `chosen` is the number of cepts before
    orphans were taken out, `noise` the share of noise.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    source_confidence: NDArray[np.float32]
    target_confidence: NDArray[np.float32]
    source_offsets: NDArray[np.int64]
    target_offsets: NDArray[np.int64]
    probabilities: NDArray[np.float32]
    offsets: NDArray[np.int64]
    chosen: NDArray[np.int32]
    log_likelihoods: NDArray[np.float64]
    noise: NDArray[np.float64]

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.offsets) - 1

    def _facts(self) -> dict[str, object]:
        """Return how many cepts there are."""
        return {"pairs": len(self), "cepts": int(self.offsets[-1])}

    def __getitem__(self, k: int) -> list[Cept]:
        """Return the cepts of pair k, in the order of their first source words."""
        check_position(k, len(self), "pair")
        k %= len(self)
        probabilities = self.probabilities[self.offsets[k] : self.offsets[k + 1]].tolist()
        found = [Cept([], [], probability) for probability in probabilities]
        for side, cepts, offsets in (
            (0, self.source, self.source_offsets),
            (1, self.target, self.target_offsets),
        ):
            for word, c in enumerate(cepts[offsets[k] : offsets[k + 1]].tolist()):
                if c >= 0:
                    found[c][side].append(word)
        return found

    def __iter__(self) -> Iterator[list[Cept]]:
        """Walk over the pairs."""
        return (self[k] for k in range(len(self)))

    def picked(self, numbers: NDArray[np.int64]) -> Cepts:
        """Return the cepts of the pairs with these numbers, in their order."""
        check_positions(numbers, len(self), "pair")
        source, source_offsets = picked_rows(self.source_offsets, numbers)
        target, target_offsets = picked_rows(self.target_offsets, numbers)
        rows, offsets = picked_rows(self.offsets, numbers)
        return Cepts(
            self.source[source],
            self.target[target],
            self.source_confidence[source],
            self.target_confidence[target],
            source_offsets,
            target_offsets,
            self.probabilities[rows],
            offsets,
            self.chosen[numbers],
            self.log_likelihoods[numbers],
            self.noise[numbers],
        )

    def aligned_share(self, min_confidence: float = 0.0) -> float:
        """Return the share of words in cepts, of those that are sure enough; 0 if there are no words."""
        words = np.concatenate([self.source, self.target])
        confidence = np.concatenate([self.source_confidence, self.target_confidence])
        return float(np.mean((words >= 0) & (confidence >= min_confidence))) if len(words) else 0.0

    def links(self, min_confidence: float = 0.0, sure_confidence: float = 0.0) -> Links:
        """Link all words of a cept with each other, if both are sure enough: closure holds at every threshold.

        A link's confidence is that of its less certain word; from `sure_confidence` on it is sure, below it possible.
        """
        from cepts.combine.assigning_kernels import collect_links

        offsets = np.zeros(len(self) + 1, np.int64)
        words = self._answer(), self.source_offsets, self.target_offsets, np.float32(min_confidence), offsets
        nothing = np.empty(0, np.int32)
        collect_links(*words, nothing, nothing, np.empty(0, np.float32))
        count = int(offsets[-1])
        source, target = np.empty(count, np.int32), np.empty(count, np.int32)
        confidence = np.empty(count, np.float32)
        collect_links(*words, source, target, confidence)
        return Links(source, target, confidence, confidence >= np.float32(sure_confidence), offsets)

    def _answer(self) -> Answer:
        from cepts.combine.assigning_kernels import Answer

        words = self.source, self.target, self.source_confidence, self.target_confidence
        return Answer(*words, np.empty(0), np.empty((0, 4)))


class Factors(NamedTuple):
    """What a matrix was factorised into: it is noise / cells + sum over c of P(c) P(source | c) P(target | c).

    `source` and `target` are [word][cept]; the NULLs' are joint probabilities. Words are not yet assigned.
    """

    probabilities: NDArray[np.float64]
    source: NDArray[np.float64]
    target: NDArray[np.float64]
    source_null: NDArray[np.float64]
    target_null: NDArray[np.float64]
    noise: float
    log_likelihood: float


@checked
def factorise(matrices: Associations, options: CeptsOptions = DEFAULTS, threads: int = 1) -> Cepts:
    """Find the cepts of each pair's association matrix.

    >>> from cepts.combine import from_matrices
    >>> found = factorise(from_matrices([[[90, 80, 0], [0, 0, 95]]]), CeptsOptions(null=False))
    >>> [(cept.source, cept.target) for cept in found[0]]
    [([0], [0, 1]), ([1], [2])]
    """
    work = _work(matrices, options)
    cells, source, target, room = work.offsets
    chunks = _chunks(np.diff(cells) * np.diff(room))
    for _ in run(partial(_factorise_chunk, work), chunks, threads):
        pass
    answer, smaller = work.answer, np.diff(room)
    kept = answer.numbers[:, 1].astype(np.int64)
    places = np.arange(room[-1]) - np.repeat(room[:-1], smaller)
    return Cepts(
        *answer[:4],
        source,
        target,
        answer.weights[places < np.repeat(kept, smaller)].astype(np.float32),
        np.concatenate(([0], np.cumsum(kept))),
        answer.numbers[:, 0].astype(np.int32),
        answer.numbers[:, 2],
        answer.numbers[:, 3],
    )


class Work(NamedTuple):
    """What a run needs: matrices, rows of offsets (cells, source and target words, weights), rules, and the answer."""

    matrices: Associations
    offsets: NDArray[np.int64]
    rules: Rules
    answer: Answer


def _work(matrices: Associations, options: CeptsOptions) -> Work:
    """Check the options, and prepare an answer in which all words are NULL's."""
    from cepts.combine.assigning_kernels import Answer

    options.check()
    if not options.null:
        matrices = without_null(matrices)
    source, target = matrices.shapes
    weights = np.zeros(len(matrices) + 1, np.int64)
    np.cumsum(np.minimum(np.diff(source), np.diff(target)), out=weights[1:])
    sources, targets = len(matrices.source_null), len(matrices.target_null)
    answer = Answer(
        np.full(sources, -1, np.int32),
        np.full(targets, -1, np.int32),
        np.zeros(sources, np.float32),
        np.zeros(targets, np.float32),
        np.zeros(int(weights[-1])),
        np.zeros((len(matrices), 4)),
    )
    offsets = np.stack([matrices.shapes.cells(), source, target, weights])
    return Work(matrices, offsets, options.rules(), answer)


def _chunks(work: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Cut pairs into runs of about equal work."""
    label = np.cumsum(work + 1) // CHUNK_WORK
    cuts = (np.flatnonzero(np.diff(label)) + 1).tolist()
    return list(zip([0, *cuts], [*cuts, len(work)], strict=True))


def _factorise_chunk(work: Work, chunk: tuple[int, int]) -> Room:
    """Factorise some pairs, each of which has its own places in the answer; returns the room they were worked on in."""
    from cepts.combine.assigning_kernels import factorise_pairs
    from cepts.combine.cepts_kernels import new_room

    lengths = np.diff(work.offsets[:3, chunk[0] : chunk[1] + 1])
    cells, sources, targets = lengths.max(axis=1, initial=1).tolist()
    room = new_room(sources, targets, cells)
    matrices = work.matrices.values, work.matrices.source_null, work.matrices.target_null
    factorise_pairs(*matrices, work.offsets, *chunk, work.rules, room, work.answer)
    return room


def factors(matrices: Associations, pair: int = 0, options: CeptsOptions = DEFAULTS) -> Factors:
    """Return the factors of one pair's matrix, from which its words are assigned."""
    from cepts.combine.cepts_kernels import BEST

    work = _work(matrices, options)
    sources, targets = (int(side[pair + 1] - side[pair]) for side in matrices.shapes)
    if min(sources, targets) == 0:
        raise OptionError(
            f"pair {pair} has {sources} source and {targets} target words: nothing to factorise"
        )
    room = _factorise_chunk(work, (pair, pair + 1))
    cepts, width = int(work.answer.numbers[pair, 0]), min(sources, targets)
    joint, target = (table[BEST].reshape(-1, width)[:, :cepts] for table in (room.source, room.target))
    weights = joint.sum(axis=0)
    source = np.divide(joint, weights, out=np.zeros(joint.shape), where=weights > 0)
    nulls = room.source_null[BEST], room.target_null[BEST]
    return Factors(
        weights, source, target, *nulls, float(room.noise[BEST]), float(work.answer.numbers[pair, 2])
    )
