"""`Translator`: phrase-based translation of lines of text, learned from a bitext."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.corpus import TextOptions, encode_lines
from cepts.running import run
from cepts.words.training import ignore

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.checking import Seed
    from cepts.corpus import Bitext, Side
    from cepts.links import Links
    from cepts.phrases.decoding import Decoder, Targets
    from cepts.words import Monitor

UNKNOWN = -1


@checked
class Translation(NamedTuple):
    """A translation, its score, and the features that the score is made of, by name."""

    text: str
    score: float
    features: Mapping[str, float]


class Transcriber(Protocol):
    """What writes names: any system of `cepts.names`."""

    def transcribe(
        self, names: Iterable[str], n_best: int = 5, *, threads: int = 1
    ) -> Sequence[Sequence[Any]]:
        """Return the best ways to write each name, best first."""


class Decoded(NamedTuple):
    """What a sentence may become: ids, and the words that have ids beyond the model's own."""

    found: Targets
    others: Sequence[str]


@checked
@dataclass(frozen=True, eq=False)
class Translator:
    """Words of both sides, a decoder of their ids, and how lines become words; make one with `train` or `load`.

    `trained` says how it came about: pairs, settings, BLEU on dev of each round of tuning.
    """

    source_words: Sequence[str]
    target_words: Sequence[str]
    decoder: Decoder
    text: TextOptions = field(default_factory=TextOptions)
    trained: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def train(
        cls,
        bitext: Bitext,
        dev: Bitext | None = None,
        *,
        links: Links | None = None,
        more_target: Side | None = None,
        text: TextOptions | None = None,
        aligner: Mapping[str, Any] | None = None,
        seed: Seed = 1,
        threads: int = 1,
        monitor: Monitor = ignore,
        **settings: Any,
    ) -> Translator:
        """Learn phrases from a bitext and its links, a language model from its target, and weights from dev.

        Without `links` the words are aligned first, by an `Aligner` with the options in `aligner`. `more_target` is
        more text for the language model. Without dev the weights are those that are usual. `settings` are fields of
        `TranslationSettings`; `text` tells how the bitext was read, so that lines will be read alike.
        """
        from cepts.translation.training import train

        running = seed, threads, monitor
        return train(
            bitext, dev, links, more_target, text or TextOptions(), aligner or {}, *running, settings
        )

    def with_search(self, beam: int | None = None, distortion_limit: int | None = None) -> Translator:
        """Return the same translator with another search."""
        given = {"beam": beam, "distortion_limit": distortion_limit}
        search = self.decoder.search._replace(
            **{name: value for name, value in given.items() if value is not None}
        )
        return replace(self, decoder=replace(self.decoder, search=search))

    def translate(
        self, lines: Iterable[str], *, names: Transcriber | None = None, threads: int = 1
    ) -> list[str]:
        """Return the best translation of each line, its words joined by spaces; that of an empty line is empty.

        A word that no phrase knows is copied, or written by `names`, a system of `cepts.names`.
        """
        return [found[0].text for found in self.translate_n_best(lines, 1, names=names, threads=threads)]

    def translate_n_best(
        self, lines: Iterable[str], n_best: int, *, names: Transcriber | None = None, threads: int = 1
    ) -> list[list[Translation]]:
        """Return the best different translations of each line, best first; at least one."""
        bounds.TRANSLATIONS.check("n_best", n_best)
        side = encode_lines(lines, **self.text.of_side(source=True))
        return [self._worded(one) for one in self.decode_side(side, n_best, names=names, threads=threads)]

    def decode_side(
        self, side: Side, n_best: int, *, names: Transcriber | None = None, threads: int = 1
    ) -> Iterable[Decoded]:
        """Decode sentences that were read as words."""
        own = np.array([self._source_ids.get(word, UNKNOWN) for word in side.words], np.int32)
        copies = self._copies(side, names, threads)
        return run(lambda k: self._decode(side, k, own, copies, n_best), range(len(side)), threads)

    def _decode(
        self, side: Side, k: int, own: NDArray[np.int32], copies: Sequence[str], n_best: int
    ) -> Decoded:
        ids = side.ids[side.offsets[k] : side.offsets[k + 1]]
        others: dict[str, int] = {}
        size = len(self.target_words)
        copied = np.empty(len(ids), np.int32)
        for place, number in enumerate(ids.tolist()):
            word = copies[number]
            known = self._target_ids.get(word)
            copied[place] = others.setdefault(word, size + len(others)) if known is None else known
        return Decoded(self.decoder.decode(own[ids], n_best, copied), list(others))

    def _copies(self, side: Side, names: Transcriber | None, threads: int) -> Sequence[str]:
        """Return what each word would be copied as: itself, or what a system of names makes of an unknown one."""
        if names is None:
            return side.words
        unknown = [word for word in side.words if not self._is_known(word)]
        written = names.transcribe(unknown, 1, threads=threads)
        found = {word: best[0][0] for word, best in zip(unknown, written, strict=True) if best}
        return ["_".join(found[word].split()) if word in found else word for word in side.words]

    def _is_known(self, word: str) -> bool:
        """Whether a word may be translated alone; one without letters is as good as known: it is copied."""
        number = self._source_ids.get(word)
        if number is None:
            return not any(map(str.isalpha, word))
        trie = self.decoder.options.trie
        begin, end = trie.first_child[:2].tolist()
        place = begin + int(np.searchsorted(trie.ids[begin:end], number))
        first = self.decoder.options.first_option
        return bool(place < end and trie.ids[place] == number and first[place] < first[place + 1])

    def _worded(self, decoded: Decoded) -> list[Translation]:
        """Write translations as text."""
        found = decoded.found
        names = self.decoder.features
        ids, offsets = found.targets.ids.tolist(), found.targets.offsets.tolist()
        return [
            Translation(
                " ".join(self.word(number, decoded.others) for number in ids[begin:end]),
                score,
                dict(zip(names, values, strict=True)),
            )
            for begin, end, score, values in zip(
                offsets[:-1], offsets[1:], found.scores.tolist(), found.features.tolist(), strict=True
            )
        ]

    def word(self, number: int, others: Sequence[str]) -> str:
        """Return the word of an id; `others` have ids beyond the model's own."""
        size = len(self.target_words)
        return self.target_words[number] if number < size else others[number - size]

    def target_numbers(self, words: Iterable[str], others: Sequence[str]) -> NDArray[np.int32]:
        """Return the ids of target words, as `word` has them; one that is nowhere has the id UNKNOWN."""
        size, more = len(self.target_words), {word: number for number, word in enumerate(others)}
        return np.array(
            [self._target_ids.get(word, size + more[word] if word in more else UNKNOWN) for word in words],
            np.int32,
        )

    @cached_property
    def _source_ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.source_words)}

    @cached_property
    def _target_ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.target_words)}

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the translator into a folder; see `load`."""
        from cepts.translation.saving import save_translator

        save_translator(folder, self)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Translator:
        """Open a saved translator; its arrays stay on disk until they are used."""
        from cepts.translation.saving import load_translator

        return load_translator(folder)
