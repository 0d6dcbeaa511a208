"""The edit model: a learned affinity of strings, for names, rhymes and whatever else pairs of strings can teach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import bounds
from cepts.characters.affinity_kernels import affinities
from cepts.characters.development import score_on
from cepts.characters.examples import Left, Material, groups_to_learn, orders_to_learn, pairs_to_learn
from cepts.characters.explaining import Reader
from cepts.characters.letters import UNKNOWN, Strings, check_lengths, composed
from cepts.characters.options import TrainingOptions
from cepts.characters.saving import load_model, save_model
from cepts.characters.searching import MARGIN, UNLIMITED, find_best
from cepts.characters.training import epochs_of
from cepts.characters.weights import compacted, table_of
from cepts.checking import checked
from cepts.errors import InputError, OptionError
from cepts.running import run
from cepts.showing import Shown

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.characters.explaining import Edit, Weight
    from cepts.characters.letters import Alphabet
    from cepts.characters.options import Mode
    from cepts.characters.weights import Weights

BEAM = 10  # states of a layer, when names are transcribed
CELLS = 1 << 16  # letters that the names of a chunk and their results may have
LONGEST_NAME = 5_000  # letters of a name to transcribe: that takes seconds, by the square of its length
MOST_CELLS = 4 * 10**8  # of the table that a comparison fills
PAIRS = 1 << 16  # of strings that a thread scores at once


@checked
class Candidate(NamedTuple):
    """A target string and its affinity with a source string."""

    text: str
    score: float


@checked
class Epoch(NamedTuple):
    """How far training is: the number of the epoch from 1, of how many, what it lost, and the score on dev, if any."""

    number: int
    of: int
    loss: float
    dev: float | None


@checked
class History(NamedTuple):
    """How a model was trained: epochs, the one it is from, what was left out, how many of dev were in training."""

    epochs: list[Epoch]
    chosen: int
    left: Left
    overlap: int


@checked
class EditModel(Shown):
    """Learned edits: `affinity` of two strings, `transcribe` one, `rank` candidates, `explain` why.

    >>> pairs = [("abba", "ABBA"), ("cab", "CAB"), ("back", "BACK"), ("ack", "ACK")]
    >>> model = EditModel.fit(pairs, order=1, epochs=3)
    >>> [candidate.text for candidate in model.transcribe(["cabba"], 1)[0]]
    ['CABBA']
    """

    def __init__(
        self,
        weights: Weights,
        source_alphabet: Alphabet,
        target_alphabet: Alphabet,
        options: TrainingOptions,
        *,
        history: History | None = None,
        notes: dict[str, Any] | None = None,
    ) -> None:
        self.weights, self.options, self.history = weights, options, history
        self.source_alphabet, self.target_alphabet = source_alphabet, target_alphabet
        self.notes: dict[str, Any] = dict(
            notes or {}
        )  # kept with the model: what others have found out about it
        self._table = table_of(weights)

    def _facts(self) -> dict[str, object]:
        """Return how the model was trained, and how large it is."""
        sides = {"source letters": self.source_alphabet, "target letters": self.target_alphabet}
        return {
            "mode": self.options.mode,
            "order": self.order,
            **{name: len(alphabet.letters) for name, alphabet in sides.items()},
            "weights": len(self.weights.values),
        }

    @classmethod
    def fit(
        cls,
        data: Iterable[Sequence[str]],
        *,
        dev: Iterable[Sequence[str]] | None = None,
        options: TrainingOptions | None = None,
        progress: Callable[[Epoch], None] | None = None,
        **chosen: Any,
    ) -> EditModel:
        """Train a model on (source, target) pairs; mode `classify`: on groups; `affinity`: (source, better, worse).

        `chosen` are fields of `TrainingOptions`. With `dev`, data of the same kind, the epoch that does best there is
        kept.
        """
        options = _options(options, chosen)
        rows = [tuple(composed(row)) for row in _checked(data, options.mode)]
        dev_rows = None if dev is None else [tuple(composed(row)) for row in _checked(dev, options.mode)]
        material = _MATERIAL[options.mode](rows)
        _check_choice(material, options.mode)
        alphabets = material.source_alphabet, material.target_alphabet
        epochs: list[Epoch] = []
        best: EditModel | None = None
        if dev_rows is not None and not dev_rows:
            raise InputError("there is nothing to choose an epoch by: dev is empty")
        for number, (learner, loss) in enumerate(epochs_of(material, options), 1):
            score = None
            if dev_rows is not None or number == options.epoch_count:
                model = cls(compacted(learner.averaged()), *alphabets, options)
                score = None if dev_rows is None else score_on(model, dev_rows, options.mode)
                if best is None or score is None or score > max(epoch.dev or 0.0 for epoch in epochs):
                    best, chosen_epoch = model, number
            epochs.append(Epoch(number, options.epoch_count, loss, score))
            if progress is not None:
                progress(epochs[-1])
        assert best is not None  # there is at least one epoch
        best.history = History(epochs, chosen_epoch, material.left, len({*rows} & {*(dev_rows or ())}))
        return best

    @property
    def order(self) -> int:
        """The length of the longest grams."""
        return self.options.order

    def affinity(self, source: str, target: str) -> float:
        """Return how well two strings go together: the score of the best edits between them."""
        return float(self.affinities([source], [target])[0])

    def affinities(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.float32]:
        """Return the affinity of each source with the target at the same place."""
        if len(sources) != len(targets):
            raise InputError(
                f"{len(sources)} sources and {len(targets)} targets: give as many of one as of the other"
            )
        one, other = self._encoded(sources, targets)
        places = np.arange(len(sources))
        return self.affinities_of(one, other, places, places, threads=threads)

    def affinities_of(
        self,
        sources: Strings,
        targets: Strings,
        ones: NDArray[np.int64],
        others: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> NDArray[np.float32]:
        """Return the affinity of encoded strings, source ones[k] with target others[k]."""
        ones, others = _places("ones", ones, len(sources)), _places("others", others, len(targets))
        if len(ones) != len(others):
            raise OptionError(f"ones and others must be as many, got {len(ones)} and {len(others)}")
        longest = [int(np.diff(side.offsets).max(initial=0)) for side in (sources, targets)]
        if (longest[0] + 1) * (longest[1] + 1) > MOST_CELLS:
            raise InputError(
                f"strings of {longest[0]:,} and {longest[1]:,} letters are too long to compare:"
                f" their lengths may multiply to {MOST_CELLS:,}"
            )
        out = np.empty(len(ones), np.float32)

        def score(begin: int) -> None:
            part = slice(begin, begin + PAIRS)
            affinities(self._table, self.order, sources, targets, ones[part], others[part], out[part])

        for _ in run(score, range(0, len(ones), PAIRS), threads):
            pass
        return out

    def encode_sources(self, sources: Sequence[str]) -> Strings:
        """Return source strings as `affinities_of` takes them."""
        return self.source_alphabet.encode(composed(_listed(sources)))

    def encode_targets(self, targets: Sequence[str]) -> Strings:
        """Return target strings as `affinities_of` takes them."""
        return self.target_alphabet.encode(composed(_listed(targets)))

    def rank(
        self, names: Iterable[str], candidates: Sequence[str], n_best: int = 5, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """Return for each name the candidates of highest affinity, best first; equals in the order of the list."""
        bounds.CANDIDATES.check("n_best", n_best)
        names, candidates = composed(_listed(names)), composed(_listed(candidates))
        sources, targets = self._encoded(names, candidates)
        everyone = np.arange(len(candidates))

        def best(k: int) -> list[Candidate]:
            scores = self.affinities_of(sources, targets, np.full(len(candidates), k), everyone)
            first = np.argsort(-scores, kind="stable")[:n_best].tolist()
            return [Candidate(candidates[n], float(scores[n])) for n in first]

        return list(run(best, range(len(names)), threads))

    def transcribe(
        self, names: Iterable[str], n_best: int = 5, *, beam: int = BEAM, threads: int = 1
    ) -> list[list[Candidate]]:
        """Return for each name the target strings of highest affinity that are found, best first.

        A letter that was not in the training data is copied.
        """
        if not self.options.is_transduction:
            raise OptionError(
                f"a model of mode {self.options.mode} cannot transcribe; train one of mode generate on pairs"
            )
        bounds.CANDIDATES.check("n_best", n_best)
        bounds.NAME_BEAM.check("beam", beam)
        names = composed(_listed(names))
        check_lengths(names, LONGEST_NAME)
        chunks = _chunks(names, n_best)
        parts = run(lambda chunk: self._transcribe_chunk(chunk, n_best, max(beam, n_best)), chunks, threads)
        return [candidates for part in parts for candidates in part]

    def _transcribe_chunk(self, names: list[str], n_best: int, beam: int) -> list[list[Candidate]]:
        sources = self.source_alphabet.encode(names)
        margin = MARGIN if self.options.is_probabilistic else UNLIMITED
        found = find_best(self._table, self.order, sources, n_best, beam, margin)
        owners, ranks = np.nonzero(found.lengths >= 0)
        strangers = [self._strangers(sources, names, k) for k in range(len(names))]
        texts = composed(
            self.target_alphabet.decode(found.letters[k, rank, : found.lengths[k, rank]], strangers[k])
            for k, rank in zip(owners, ranks, strict=True)
        )
        # scored as they are read: a copied letter may be one of the target's, and two ways may spell one string
        targets = self.target_alphabet.encode(texts)
        scores = self.affinities_of(sources, targets, owners, np.arange(len(owners))).tolist()
        results: list[dict[str, float]] = [{} for _ in names]
        for owner, text, score in zip(owners.tolist(), texts, scores, strict=True):
            results[owner][text] = score
        return [
            sorted((Candidate(*item) for item in scored.items()), key=lambda candidate: -candidate.score)
            for scored in results
        ]

    @staticmethod
    def _strangers(sources: Strings, names: list[str], k: int) -> list[str]:
        """List the letters of a name that are not in the alphabet."""
        numbers = sources.letters[sources.offsets[k] : sources.offsets[k + 1]].tolist()
        return [letter for letter, number in zip(names[k], numbers, strict=True) if number == UNKNOWN]

    def explain(self, source: str, target: str) -> list[Edit]:
        """Return the best edits between two strings, with the grams that count for each of them."""
        return self._reader.edits(self._table, *composed([source, target]))

    def largest_weights(self, count: int = 20, source: str | None = None) -> list[Weight]:
        """Return the weights of largest magnitude, of edits of one source letter if given (``""``: of insertions)."""
        bounds.WEIGHTS.check("count", count)
        return self._reader.largest(count, source)

    @property
    def _reader(self) -> Reader:
        return Reader(self.weights, self.order, self.source_alphabet, self.target_alphabet)

    def scorer(self) -> Callable[..., float]:
        """Return a function of two strings for `rapidfuzz.process` and others that compare by one."""

        def score(source: str, target: str, *, score_cutoff: float | None = None, **_: object) -> float:
            affinity = self.affinity(source, target)
            return affinity if score_cutoff is None or affinity >= score_cutoff else 0.0

        return score

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model as a folder, whole or not at all."""
        save_model(folder, self.weights, self.source_alphabet, self.target_alphabet, self.options, self.notes)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> EditModel:
        """Read a model that was saved."""
        weights, sources, targets, options, notes = load_model(folder)
        return cls(weights, sources, targets, options, notes=notes)

    def _encoded(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[Strings, Strings]:
        return self.encode_sources(sources), self.encode_targets(targets)


_MATERIAL: dict[Mode, Callable[..., Material]] = {
    "generate": pairs_to_learn,
    "rank": pairs_to_learn,
    "classify": groups_to_learn,
    "affinity": orders_to_learn,
}


def _options(options: TrainingOptions | None, chosen: dict[str, Any]) -> TrainingOptions:
    if options is not None and chosen:
        raise OptionError("give either options or single fields, not both")
    return TrainingOptions(**chosen) if options is None else options


def _checked(rows: Iterable[Sequence[str]], mode: Mode) -> Iterator[Sequence[str]]:
    """Refuse rows that are not sequences of strings, or too short or too long for the mode."""
    least, most = {"classify": (1, None), "affinity": (3, None)}.get(mode, (2, 2))
    for number, row in enumerate(rows, 1):
        if isinstance(row, str):
            raise InputError(f"example {number} is not a row of strings: {row!r}")
        if len(row) < least or (most is not None and len(row) > most):
            raise InputError(f"example {number} has {len(row)} strings, expected {least}")
        yield row


def _check_choice(material: Material, mode: Mode) -> None:
    """Refuse examples in which nothing can ever compete."""
    if mode == "rank" and len(material.targets) < 2:
        raise InputError("there is nothing to rank: all examples have the same target")
    if mode == "classify":
        sizes = np.unique(material.rows[:, 1], return_counts=True)[1]
        if len(sizes) < 2 or sizes.max() < 2:
            raise InputError(
                "there is nothing to tell apart: expected at least two groups, and two different strings in one of them"
            )


def _listed(strings: Iterable[str]) -> list[str]:
    """Return strings as a list; one string alone is most likely a mistake."""
    if isinstance(strings, str):
        raise OptionError(f"give a list of strings, not one: [{strings!r}]")
    return list(strings)


def _places(name: str, places: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return numbers of strings as kernels take them; they may not point outside."""
    places = np.ascontiguousarray(places, np.int64)
    if len(places) and not 0 <= places.min() <= places.max() < count:
        raise OptionError(f"{name} must be from 0 to {count - 1}, got {places.min()} to {places.max()}")
    return places


def _chunks(names: list[str], n_best: int) -> Iterator[list[str]]:
    """Cut a list into pieces whose results are not too large; they depend on the names alone."""
    chunk: list[str] = []
    longest = 1
    for name in names:
        longest = max(longest, len(name) + 1)
        if chunk and (len(chunk) + 1) * longest * n_best > CELLS:
            yield chunk
            chunk, longest = [], len(name) + 1
        chunk.append(name)
    if chunk:
        yield chunk
