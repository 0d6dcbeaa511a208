"""Match two lists of names: which of one is the same as which of the other, and how sure that is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.characters.letters import composed
from cepts.checking import checked
from cepts.errors import InputError, OptionError, worded
from cepts.names.calibration import Calibration, features_of, fit_calibration
from cepts.names.candidates import Candidates, Index, has_letters
from cepts.running.cluster import cluster_of
from cepts.storage.memory import PROGRAM, wanted_memory
from cepts.storage.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from distributed import Client
    from numpy.typing import NDArray

    from cepts.characters import EditModel
    from cepts.characters.letters import Strings
    from cepts.running.cluster import Cluster
    from cepts.storage.memory import Memory

    Floats = NDArray[np.float64]
    Progress = Callable[[int, int], None]

COMPANY = 64  # source names that say what is usual for a target name
LONGEST = 1000  # letters of a name that are looked at
CANDIDATES = 10  # of a name that it may get as its only partner
LEARNED = 3  # candidates of a name that calibration looks at
FEWEST = 20  # names to calibrate with
NAME = 400  # bytes that a name of a list takes: as strings, in lists, in tables and in the answer
LIKELY = 0.5  # the least score, if a calibrated model is not told otherwise


@checked
class Match(NamedTuple):
    """A name of the left list, one of the right, and how sure it is that they are the same."""

    left: str
    right: str
    score: float


class Names:
    """A list of names, the different ones that can be matched, and where they stand.

    Names are compared in normal form C. Empty ones, and those without any letter that the model knows, are not matched.
    """

    def __init__(self, names: Iterable[str], encode: Callable[[list[str]], Strings]) -> None:
        if isinstance(names, str):
            raise OptionError(f"give a list of names, not one: [{names!r}]")
        self.given = list(names)
        cut = [name[:LONGEST] for name in composed(self.given)]
        different = list(dict.fromkeys(cut))
        self.known = [different[n] for n in np.flatnonzero(has_letters(encode(different)))]
        self.lengths = np.array([len(name) for name in self.known], np.float64)
        numbers = {name: n for n, name in enumerate(self.known)}
        self.numbers = [numbers.get(name, -1) for name in cut]
        first = dict(zip(reversed(self.numbers), reversed(self.given), strict=True))
        self.spelling = [first[n] for n in range(len(self.known))]


@checked
def match(
    model: EditModel,
    left: Iterable[str],
    right: Iterable[str],
    *,
    min_score: float | None = None,
    precision: float | None = None,
    one_to_one: bool = False,
    n_best: int = 1,
    threads: int = 1,
    memory: int | str | Memory | None = None,
    progress: Progress | None = None,
    client: Client | Cluster | None = None,
) -> list[Match]:
    """Return for each name of the left list, in its order, its best partners of the right one, best first.

    Scores of a calibrated model are probabilities, and at least 0.5 if nothing else is asked for; those of others are
    affinities for each letter above what is usual, and not negative. `precision` takes the least score from the
    calibration. With `one_to_one`, a name has as many partners as places in its list, and the highest scores of all
    go first (which need not be the largest sum of scores). `memory`, bytes or "4G", may be used before the index
    of the right list goes to disk, half of what is free and at most 1.5 GB unless told; it changes nothing that is
    found. With `client`, a `Client` of `dask.distributed`, its cluster searches.
    """
    wanted, calibration = wanted_memory(memory), Calibration.of(model)
    least = _least_score(calibration, min_score, precision)
    _check_count(n_best, one_to_one)
    lefts, rights = Names(left, model.encode_sources), Names(right, model.encode_targets)
    if not (lefts.known and rights.known):
        return []
    count = max(n_best, CANDIDATES if one_to_one else 2)
    company = _spread(lefts.known) if calibration is None else calibration.company
    index = Index(model, rights.known, company, Scratch(wanted.room, wanted.resident))
    names = sum(len(side.given) for side in (lefts, rights))
    wanted.check(PROGRAM + NAME * names + threads * index.at_once, "these lists")
    found = _search(index, lefts.known, min(count, len(rights.known)), threads, progress, cluster_of(client))
    pairs = _pairs_above(least, found, _scores(calibration, found, lefts, rights))
    if one_to_one:
        return list(_placed(_one_to_one(pairs, lefts, rights), lefts, rights))
    partners = _by_left(pairs, n_best)
    return [
        Match(name, rights.spelling[pair.right], pair.score)
        for name, number in zip(lefts.given, lefts.numbers, strict=True)
        for pair in partners.get(number, ())
    ]


@checked
def calibrate(
    model: EditModel,
    pairs: Iterable[tuple[str, str]],
    distractors: Iterable[str] = (),
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Calibration:
    """Learn how sure matches are from pairs of names that the model was not trained on; the model's notes keep it.

    The sources are matched with their targets and with distractors, names that are nobody's partner; each of them
    twice: once as it is, once as if its partners were not in the list. So precision is promised for lists in which
    every other name has a partner.
    """
    rows = [(source, target) for source, target in pairs]
    lefts = Names([source for source, _ in rows], model.encode_sources)
    rights = Names([*(target for _, target in rows), *distractors], model.encode_targets)
    truth = {pair for pair in zip(lefts.numbers, rights.numbers, strict=False) if min(pair) >= 0}
    if len(truth) < FEWEST:
        raise InputError(
            f"{len(truth)} different pairs of names to calibrate with, expected at least {FEWEST}"
        )
    company = _spread(lefts.known)
    most = max(Counter(one for one, _ in truth).values())
    count = min(LEARNED + 1 + most, len(rights.known))
    found = _search(Index(model, rights.known, company), lefts.known, count, threads, progress)
    features, is_right = _examples(found, truth, lefts, rights)
    is_first = np.zeros(is_right.shape, np.bool_)
    is_first[:, 0] = True
    there = np.isfinite(features).all(axis=-1)
    calibration = fit_calibration(company, features[there], is_right[there], is_first[there])
    calibration.keep(model)
    return calibration


def _least_score(calibration: Calibration | None, min_score: float | None, precision: float | None) -> float:
    if min_score is not None and precision is not None:
        raise OptionError("give either a least score or a precision, not both")
    if precision is not None:
        if calibration is None:
            raise OptionError(
                "the model is not calibrated, so no precision can be promised; train it with"
                f" {worded('names train --dev', 'dev names')}, or give a least score"
            )
        return calibration.score_for(precision)
    if min_score is not None:
        return min_score
    return 0.0 if calibration is None else LIKELY


def _check_count(n_best: int, one_to_one: bool) -> None:
    bounds.CANDIDATES.check("n_best", n_best)
    if one_to_one and n_best > 1:
        raise OptionError(f"one to one, each name has one partner: n_best must be 1, got {n_best}")


def _spread(names: list[str]) -> list[str]:
    """Return some names from all over a list; none if there are too few to say what is usual."""
    return [] if len(names) < FEWEST else names[:: -(-len(names) // COMPANY)]


def _search(
    index: Index,
    names: list[str],
    count: int,
    threads: int,
    progress: Progress | None,
    cluster: Cluster | None = None,
) -> Candidates:
    done = 0

    def report(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, len(names))

    return index.search(names, count, threads=threads, progress=report, cluster=cluster)


def _scores(calibration: Calibration | None, found: Candidates, lefts: Names, rights: Names) -> Floats:
    """Return how sure each candidate is, [name][rank]."""
    strengths, lengths = found.strengths.astype(np.float64), _lengths(found.names, lefts, rights)
    if calibration is None:
        return strengths / lengths
    return calibration.sure(features_of(strengths, lengths))


def _lengths(names: NDArray[np.int64], lefts: Names, rights: Names) -> Floats:
    """Return the letters of the longer name of each pair, [name][rank]."""
    return np.maximum(lefts.lengths[:, None], rights.lengths[names])


def _examples(
    found: Candidates, truth: set[tuple[int, int]], lefts: Names, rights: Names
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return features and rightness of candidates, those of each name, and then those without its partners."""
    everyone = np.arange(len(found.names))[:, None]
    numbers = everyone * len(rights.known) + found.names
    is_right = np.isin(numbers, [one * len(rights.known) + other for one, other in truth])
    lengths = _lengths(found.names, lefts, rights)
    strengths = found.strengths.astype(np.float64)
    others = np.argsort(is_right, axis=1, kind="stable")  # the partners behind all others
    withheld = np.where(is_right, -np.inf, strengths)[everyone, others]
    both = [
        features_of(strengths, lengths)[:, :LEARNED],
        features_of(withheld, lengths[everyone, others])[:, :LEARNED],
    ]
    nobody = np.zeros_like(is_right)
    return np.concatenate(both), np.concatenate([is_right, nobody])[:, :LEARNED]


class Pair(NamedTuple):
    """Numbers of a left and a right name, and their score."""

    left: int
    right: int
    score: float


def _pairs_above(least: float, found: Candidates, scores: Floats) -> list[Pair]:
    """List the candidates that score enough, by left name, best first."""
    owners, ranks = np.nonzero((scores >= least) & (found.names >= 0))
    chosen = found.names[owners, ranks], scores[owners, ranks]
    return [Pair(*row) for row in zip(owners.tolist(), *(array.tolist() for array in chosen), strict=True)]


def _by_left(pairs: list[Pair], n_best: int) -> dict[int, list[Pair]]:
    """Return the first partners of each left name."""
    partners: dict[int, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: (pair.left, -pair.score)):
        mine = partners.setdefault(pair.left, [])
        if len(mine) < n_best:
            mine.append(pair)
    return partners


def _one_to_one(pairs: list[Pair], lefts: Names, rights: Names) -> dict[int, list[Pair]]:
    """Give partners away, the highest scores first; equals in the order of the lists."""
    free, wanted = Counter(rights.numbers), Counter(lefts.numbers)
    partners: dict[int, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.left, pair.right)):
        count = min(free[pair.right], wanted[pair.left])
        free[pair.right] -= count
        wanted[pair.left] -= count
        partners.setdefault(pair.left, []).extend([pair] * count)
    return partners


def _placed(partners: dict[int, list[Pair]], lefts: Names, rights: Names) -> Iterator[Match]:
    """Give each place of the left list its partner."""
    waiting = {number: iter(mine) for number, mine in partners.items()}
    for name, number in zip(lefts.given, lefts.numbers, strict=True):
        pair = next(waiting.get(number, iter(())), None)
        if pair is not None:
            yield Match(name, rights.spelling[pair.right], pair.score)
