"""From a bitext to a `Translator`: align, extract, count n-grams, tune."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import count, pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.errors import InputError
from cepts.links.fitting import check_fit
from cepts.phrases.decoding import Decoder
from cepts.phrases.language_model import LanguageModel
from cepts.phrases.phrase_options import PhraseOptions
from cepts.translation.bleu import id_statistics
from cepts.translation.settings import FIRST_WEIGHTS, FREE, TranslationSettings
from cepts.translation.translator import Translator
from cepts.translation.tuning import Listed, tune
from cepts.words.training import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side, TextOptions
    from cepts.links import Links
    from cepts.words import Monitor


class _Running(NamedTuple):
    """How the work is done, and who is told of it."""

    seed: int
    threads: int
    monitor: Monitor


def train(
    bitext: Bitext,
    dev: Bitext | None,
    links: Links | None,
    more_target: Side | None,
    text: TextOptions,
    aligner: Mapping[str, Any],
    seed: int,
    threads: int,
    monitor: Monitor,
    settings: Mapping[str, Any],
) -> Translator:
    """See `Translator.train`."""
    chosen = checked_settings(settings)
    running = _Running(seed, threads, monitor)
    seconds = {}
    if not bitext.cells:
        raise InputError("nothing to learn from: no sentence pair has words on both sides")
    if dev is not None and not dev.cells:
        raise InputError("nothing to tune on: no sentence pair of dev has words on both sides")
    begin = perf_counter()
    if links is None:
        links = _aligned(bitext, aligner, running)
    else:
        check_fit(links, bitext.source.lengths, bitext.target.lengths, "the links", "the text", "pair")
    seconds["align"] = perf_counter() - begin
    translator, more = _untuned(bitext, links, more_target, text.after(bitext), chosen, monitor)
    seconds |= more
    trained: dict[str, Any] = {"pairs": len(bitext), "settings": asdict(chosen), "seed": seed}
    trained |= {
        "phrases": len(translator.decoder.options),
        "n_grams": len(translator.decoder.language_model.trie),
    }
    if dev is not None:
        trained |= {"dev_pairs": len(dev), "overlap": overlap(bitext, dev)}
        begin = perf_counter()
        ((translator, trained["dev_bleu"]),) = tuned(translator, dev, chosen, (seed,), threads, monitor)
        seconds["tune"] = perf_counter() - begin
    return replace(translator, trained=trained | {"seconds": seconds})


def checked_settings(settings: Mapping[str, Any]) -> TranslationSettings:
    """Make settings of what is given; refuse names that are none."""
    return TranslationSettings(**settings)


def _aligned(bitext: Bitext, options: Mapping[str, Any], running: _Running) -> Links:
    """Link the words of a bitext."""
    from cepts.aligning import Aligner

    aligner = Aligner(threads=running.threads, monitor=running.monitor, **options)
    return aligner.fit(bitext).align(bitext)


def _untuned(
    bitext: Bitext,
    links: Links,
    more_target: Side | None,
    text: TextOptions,
    chosen: TranslationSettings,
    monitor: Monitor,
) -> tuple[Translator, dict[str, float]]:
    """Learn phrases and the language model; the weights are the usual ones."""
    begin = perf_counter()
    monitor(Step("phrases", 1, 1, 0.0))
    options = PhraseOptions.of(bitext, links, chosen.extraction())
    middle = perf_counter()
    monitor(Step("phrases", 1, 1, 1.0))
    monitor(Step("language model", 1, 1, 0.0))
    words, ids, offsets = joined_text(bitext.target, more_target)
    model = LanguageModel.fit_flat(ids, offsets, size=len(words), order=chosen.order)
    monitor(Step("language model", 1, 1, 1.0))
    decoder = Decoder(options, model, FIRST_WEIGHTS.copy(), chosen.search())
    seconds = {"extract": middle - begin, "language_model": perf_counter() - middle}
    return Translator(list(bitext.source.words), words, decoder, text), seconds


def joined_text(side: Side, more: Side | None) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """Return the words of two texts, those of the first with their own ids, and the ids and offsets of both."""
    words = list(side.words)
    if more is None:
        return words, side.ids, side.offsets
    numbers = {word: number for number, word in enumerate(words)}
    own = np.array([numbers.setdefault(word, len(numbers)) for word in more.words], np.int32)
    ids = np.concatenate((side.ids, own[more.ids] if len(own) else more.ids))
    return list(numbers), ids, np.concatenate((side.offsets, side.offsets[-1] + more.offsets[1:]))


def overlap(bitext: Bitext, dev: Bitext) -> int:
    """Count the pairs of dev that are in the training text, too."""
    known = {_key(dev, k) for k in range(len(dev))} - {((), ())}
    lengths = {len(source) for source, _ in known}
    kept = np.flatnonzero(np.isin(bitext.source.lengths, list(lengths)))
    there = {_key(bitext, k) for k in kept.tolist()}
    return sum(_key(dev, k) in there for k in range(len(dev)) if _key(dev, k) in known)


def _key(bitext: Bitext, k: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(bitext.source.sentence(k)), tuple(bitext.target.sentence(k))


def tuned(
    translator: Translator,
    dev: Bitext,
    chosen: TranslationSettings,
    seeds: Sequence[int] = (1,),
    threads: int = 1,
    monitor: Monitor = lambda _: None,
) -> list[tuple[Translator, list[float]]]:
    """Return, for each seed, a translator with tuned weights and the BLEU on dev of each round.

    All runs begin with the same weights, so that their first lists are made once.
    """
    first = translator.decoder.weights
    decode = _dev_decoder(translator, dev, chosen, threads, monitor)
    beginning = decode(first)

    def decode_others(weights: NDArray[np.float64]) -> list[Listed]:
        return beginning if weights is first else decode(weights)

    runs = [
        tune(decode_others, first, FREE, tuner=chosen.tuner, rounds=chosen.rounds, seed=seed)
        for seed in seeds
    ]
    return [
        (replace(translator, decoder=translator.decoder.with_weights(found.weights)), found.history)
        for found in runs
    ]


def _dev_decoder(
    translator: Translator, dev: Bitext, chosen: TranslationSettings, threads: int, monitor: Monitor
) -> Callable[[NDArray[np.float64]], list[Listed]]:
    """Return what lists translations of dev by given weights, and judges them."""
    dev = dev.picked(np.flatnonzero((dev.source.lengths > 0) & (dev.target.lengths > 0)))
    rounds = count(1)

    def decode(weights: NDArray[np.float64]) -> list[Listed]:
        number = next(rounds)
        here = replace(translator, decoder=translator.decoder.with_weights(weights))
        lists: list[Listed] = []
        for decoded in here.decode_side(dev.source, chosen.n_best, threads=threads):
            (ids, offsets), features, _ = decoded.found
            reference = here.target_numbers(dev.target.sentence(len(lists)), decoded.others)
            texts = [ids[a:b].tobytes() for a, b in pairwise(offsets.tolist())]
            lists.append(Listed(texts, features, id_statistics(ids, offsets, reference)))
            monitor(Step("tuning", number, chosen.rounds + 1, len(lists) / len(dev)))
        return lists

    return decode
