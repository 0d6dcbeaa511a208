"""`PhraseSystem`: phrase-based statistical translation of characters, the rival of freitag-2007 (section 5.2).

Our word aligner links the characters of the training pairs, phrase pairs follow from the links, and an n-gram model
of target characters judges what they make. Names stand between marks, so that phrases know about their ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.characters import Candidate
from cepts.checking import checked
from cepts.errors import InputError
from cepts.names.alphabet import MarkedAlphabet, composed
from cepts.names.linked_characters import bitext_of, linked, marked
from cepts.names.systems import check_equal, check_n_best, checked_pairs, ranked
from cepts.phrases.decoding import FEATURES, FIRST_WEIGHTS, Decoder, Ragged, Search
from cepts.phrases.language_model import LanguageModel
from cepts.phrases.phrase_options import Extraction, PhraseOptions
from cepts.phrases.tuning import Judged, tune
from cepts.running import run
from cepts.showing import Shown
from cepts.words.training import Step, ignore

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from cepts.checking import Seed
    from cepts.names.systems import Pairs
    from cepts.phrases.decoding import Targets
    from cepts.words import Monitor

LANGUAGE_MODEL = FEATURES.index("language_model")
FREE = np.array(
    [name != "unknown" for name in FEATURES]
)  # dev has next to no unknown characters to learn from
PAIRS_AT_ONCE = 1 << 14
HELD_OUT = 10  # one of so many training pairs is kept to tune on where no others are given
MOST_HELD_OUT = 1000


@checked
@dataclass(frozen=True)
class PhraseSettings:
    """Everything that decides what comes out, apart from the names.

    `order` is that of the language model, `max_length` counts the characters of a phrase on either side, marks
    included, and `most_options` the target phrases of a source phrase. `model_type`, `training` and `combine` are the
    aligner's (`cepts.aligning.Recipe`), `n_best` and `rounds` are of tuning. Chosen on dev of three pairs of scripts;
    the paper has an order of 4.
    """

    order: int = 6
    max_length: int = 7
    most_options: int = 30
    smoothing: str = "kneser-ney"
    beam: int = 50
    margin: float = 6.0
    n_best: int = 100
    rounds: int = 3
    model_type: str = "ibm4"
    training: str = "independent"
    combine: str = "grow-diag-final-and"

    def extraction(self) -> Extraction:
        """Which phrase pairs are taken."""
        return Extraction(self.max_length, self.most_options, self.smoothing)

    def aligner(self) -> dict[str, str]:
        """How characters are linked."""
        return {"model_type": self.model_type, "training": self.training, "combine": self.combine}


@checked
@dataclass(frozen=True, eq=False, repr=False)
class PhraseSystem(Shown):
    """Two alphabets and a decoder of their ids; make one with `fit` or `load`."""

    source: MarkedAlphabet
    target: MarkedAlphabet
    decoder: Decoder

    def _facts(self) -> dict[str, object]:
        """Return how many characters there are."""
        return {
            "source characters": len(self.source.characters),
            "target characters": len(self.target.characters),
        }

    @classmethod
    def fit(
        cls,
        pairs: Iterable[tuple[str, str]],
        dev: Iterable[tuple[str, str]] | None = None,
        *,
        seed: Seed = 1,
        threads: int = 1,
        monitor: Monitor = ignore,
        **settings: Any,
    ) -> PhraseSystem:
        """Learn phrases and language model from pairs of names, and the weights of both from other pairs, dev.

        Without dev, one pair of ten is held out for that, drawn by the seed. `settings` are fields of
        `PhraseSettings`. A source that dev has with several targets may become any of them.
        """
        chosen = PhraseSettings(**settings)
        train = checked_pairs(pairs, "learn from")
        if dev is None:
            train, kept = _held_out(train, seed)
        else:
            kept = checked_pairs(dev, "tune on")
        system = cls._untuned(train, chosen, threads, monitor)
        return system._tuned(kept, chosen, threads, monitor)

    @classmethod
    def _untuned(cls, train: Pairs, chosen: PhraseSettings, threads: int, monitor: Monitor) -> PhraseSystem:
        """Learn phrases and language model; the weights are first guesses."""
        source, target = (MarkedAlphabet.of(names) for names in zip(*train, strict=True))
        links = linked(train, threads, monitor, **chosen.aligner())
        bitext = bitext_of(train, source, target)
        options = PhraseOptions.of(bitext, marked(links, bitext), chosen.extraction())
        sequences = (target.encode(name, {}) for _, name in train)
        model = LanguageModel.fit(sequences, size=len(target), order=chosen.order)
        search = Search(chosen.beam, chosen.margin)
        return cls(source, target, Decoder(options, model, FIRST_WEIGHTS.copy(), search))

    def _tuned(self, dev: Pairs, chosen: PhraseSettings, threads: int, monitor: Monitor) -> PhraseSystem:
        """Learn the weights."""
        right: dict[str, set[str]] = {}
        for source, target in dev:
            right.setdefault(source, set()).add(target)
        done = [0]

        def listed(weights: NDArray[np.float64]) -> list[Judged]:
            done[0] += 1
            system = PhraseSystem(self.source, self.target, self.decoder.with_weights(weights))
            lists = []
            for name, (texts, found) in zip(
                right, system._listed(right, chosen.n_best, threads), strict=True
            ):
                lists.append(Judged(texts, found.features, np.array([text in right[name] for text in texts])))
                monitor(Step("tuning", done[0], chosen.rounds, len(lists) / len(right)))
            return lists

        weights = tune(listed, self.decoder.weights, FREE, chosen.rounds)
        return PhraseSystem(self.source, self.target, self.decoder.with_weights(weights))

    def transcribe(self, names: Iterable[str], n_best: int = 5, *, threads: int = 1) -> list[list[Candidate]]:
        """Return the best different ways to write each name, best first; none of an empty name.

        A character that was never seen is copied if the other side has it too or it is no letter, else skipped.
        """
        wanted = [composed(name) for name in names]
        lists = []
        for name, (texts, found) in zip(wanted, self._listed(wanted, n_best, threads), strict=True):
            if len(texts) < n_best and name:  # an easy name: its other candidates are far behind
                texts, found = self._wider()._list(name, n_best)
            pairs = zip(texts, found.scores.tolist(), strict=True) if name else ()
            lists.append([Candidate(*pair) for pair in pairs])
        return lists

    def _wider(self) -> PhraseSystem:
        """Return the same system without a margin, so that lists become longer."""
        search = self.decoder.search._replace(margin=float("inf"))
        return replace(self, decoder=replace(self.decoder, search=search))

    def _listed(self, names: Iterable[str], n_best: int, threads: int) -> Iterable[tuple[list[str], Targets]]:
        """List the best targets of names as strings."""
        check_n_best(n_best)
        return run(lambda name: self._list(name, n_best), names, threads)

    def _list(self, name: str, n_best: int) -> tuple[list[str], Targets]:
        others: dict[str, int] = {}
        copies = np.array(self.target.copies(name, others), np.int32)
        source = np.array(self.source.encode(name, {}), np.int32)
        found = self.decoder.decode(source, n_best, copies)
        ids, offsets = found.targets
        cuts = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        return [self.target.decode(ids[begin:end], others) for begin, end in cuts], found

    def rank(
        self, names: Iterable[str], candidates: Sequence[str], n_best: int = 5, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """Return for each name the candidates that go best with it, best first; equals in the order of the list."""
        return ranked(self, names, candidates, n_best, threads)

    def scores(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        language_model: bool = True,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Return the score of each source and the target of the same number: that of the best phrases between them.

        It is what `transcribe` gives the target. Where no phrases lead there, characters of either side are
        passed by at -10 each, so that every pair has a score. Without `language_model`, its part is left out.
        """
        check_equal(sources, targets)
        weights = self.decoder.weights.copy()
        if not language_model:
            weights[LANGUAGE_MODEL] = 0.0
        scores = np.empty(len(sources))

        def score(begin: int) -> None:
            part = slice(begin, begin + PAIRS_AT_ONCE)
            scores[part] = self._features(sources[part], targets[part]) @ weights

        for _ in run(score, range(0, len(sources), PAIRS_AT_ONCE), threads):
            pass
        return scores

    def affinities(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.float32]:
        """Return `scores` as an edit model returns its own."""
        return self.scores(sources, targets, threads=threads).astype(np.float32)

    def _features(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        """Return the features of pairs, a row each; each different name is encoded once."""
        others: dict[str, int] = {}
        left = _Numbered(sources, lambda name: self.source.encode(name, {}))
        copies = _Numbered(sources, lambda name: self.target.copies(name, others))
        right = _Numbered(targets, lambda name: self.target.encode(name, others))
        return self.decoder.force(left.ragged(), right.ragged(), copies.ragged().ids)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the system into a folder; see `load`."""
        from cepts.names.saving import save_phrase_system

        save_phrase_system(folder, self)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> PhraseSystem:
        """Open a saved system."""
        from cepts.names.saving import load_phrase_system

        return load_phrase_system(folder)


class _Numbered:
    """Names with repetitions, each different one encoded once."""

    def __init__(self, names: Sequence[str], encode: Callable[[str], list[int]]) -> None:
        numbers: dict[str, int] = {}
        self._places = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
        self._different = Ragged.of([encode(composed(name)) for name in numbers])

    def ragged(self) -> Ragged:
        """Return the ids of all names, repetitions included."""
        ids, offsets = self._different
        lengths = np.diff(offsets)[self._places]
        ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        origin = np.repeat(offsets[self._places] - ends[:-1], lengths)
        return Ragged(ids[np.arange(ends[-1]) + origin], ends)


def _held_out(pairs: Pairs, seed: int) -> tuple[Pairs, Pairs]:
    """Cut pairs in two, for training and for tuning; those with one source stay together."""
    sources = list(dict.fromkeys(source for source, _ in pairs))
    number = min(len(sources) // HELD_OUT, MOST_HELD_OUT)
    if not number:
        raise InputError(f"{len(sources)} names are too few to hold some out for tuning: give dev pairs")
    order = np.random.default_rng(seed).permutation(len(sources))
    kept = {sources[place] for place in order[:number].tolist()}
    return [pair for pair in pairs if pair[0] not in kept], [pair for pair in pairs if pair[0] in kept]
