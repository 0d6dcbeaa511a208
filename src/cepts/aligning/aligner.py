"""`Aligner`: train on a bitext, align it or any other, save and load."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, overload

import numpy as np

from cepts import bounds
from cepts.aligning.alignment import Alignment, PairLinks, alignment_of
from cepts.aligning.changing import (
    check_directions,
    check_linking,
    check_single,
    check_updatable,
    why_not_updatable,
    with_options,
)
from cepts.aligning.checkpoints import Checkpoint, identity_of
from cepts.aligning.history import History, TrainingCurve
from cepts.aligning.posteriors import Posterior, posteriors_of
from cepts.aligning.priors import LexiconUse, known_of, lexicon_counts, spelling_counts
from cepts.aligning.reading import as_wanted, read_text
from cepts.aligning.recipes import SETTINGS, Recipe, recipe
from cepts.aligning.saving import load_model, save_model
from cepts.aligning.stages import Work, trained
from cepts.aligning.stopwatch import Stopwatch
from cepts.aligning.unknown_words import UnknownWords, unknown_words
from cepts.checking import checked, unknown_option
from cepts.combine import cepts_of_text, combine, dual_links
from cepts.corpus import Bitext, TextOptions, bitext_from_pairs
from cepts.corpus.adapting import BitextLike, is_one_pair
from cepts.corpus.segmenter import segmenters
from cepts.errors import InputError, ModelError, OptionError, said
from cepts.running.cluster import cluster_of
from cepts.running.steps import watched
from cepts.showing import Shown
from cepts.storage.memory import wanted_memory
from cepts.storage.scratch import Scratch
from cepts.words import ExtraCounts, Finished, Vocabularies, index_bitext, link
from cepts.words.best import best_lists
from cepts.words.confidence import threshold_for
from cepts.words.known import Clamps
from cepts.words.linking import score_pairs
from cepts.words.memory import least_memory
from cepts.words.pairs import memory_of_pairs
from cepts.words.past import before_text, grown_index, grown_text, past_of, seen_of_text, seen_so_far
from cepts.words.training import ignore
from cepts.words.trust import weigher

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from distributed import Client
    from numpy.typing import NDArray

    from cepts.corpus import Segmenters
    from cepts.corpus.text_options import Tokenize
    from cepts.links import BestLists, Links
    from cepts.running.cluster import Cluster
    from cepts.storage.memory import Memory
    from cepts.words import IndexedBitext, Lexicon, Monitor, WordModel
    from cepts.words.confidence import Calibration
    from cepts.words.families import Seen
    from cepts.words.known import KnownLinks
    from cepts.words.past import Before, Past
    from cepts.words.trust import Weigh


# Arguments of an aligner that are no settings of its recipe.
RUNNING = ("threads", "memory", "progress", "monitor", "client")
OWN_OPTIONS = (*TextOptions._fields, *RUNNING)
Method = TypeVar("Method", bound=Callable[..., Any])


def shows_progress(method: Method) -> Method:
    """Draw a bar while a method of an aligner is at work, if the aligner was asked for that."""

    @wraps(method)
    def call(self: Aligner, *arguments: Any, **named: Any) -> Any:
        with watched(self.progress):
            return method(self, *arguments, **named)

    return cast("Method", call)


class Given(NamedTuple):
    """What was known before a text was learned from: counts of its word pairs, and what a model knew."""

    extra: ExtraCounts | None = None
    before: Before | None = None


@checked
class Aligner(Shown):
    """A word aligner: `fit` it to a bitext, `align` that bitext or another one.

    >>> import cepts
    >>> bitext = cepts.sample_bitext()
    >>> aligner = cepts.Aligner().fit(bitext)
    >>> links = aligner.align(bitext)
    >>> len(links) == len(bitext)
    True
    >>> [link[:2] for link in aligner.align(("le chat noir .", "the black cat ."))]
    [(0, 0), (1, 2), (2, 1), (3, 3)]

    `tokenize` says whether strings are raw text, which is cut into tokens; "auto" is as the text that is fitted: of raw
    text, links of strings are then links of the words between spaces, as `to_whitespace` asks for.
    `method` names a recipe and `options` change single fields of it: see `cepts.aligning.Recipe`. Results do not
    depend on `threads`, nor on `memory`: the bytes (or "4G") that may be used before large arrays go to disk, half of
    what is free and at most 1.5 GB unless told. With `progress`, a bar shows how far the work is, in a terminal or a
    notebook; or `monitor` is called with a `Step` as the work goes on. With `client`, a
    `Client` of `dask.distributed`, chunks are worked on by its cluster, with the same result.
    """

    def __init__(
        self,
        method: str = "best",
        *,
        tokenize: Tokenize = "auto",
        keep_case: bool = False,
        segmenter: str | Segmenters = "auto",
        to_whitespace: bool = False,
        threads: int = 1,
        memory: int | str | Memory | None = None,
        progress: bool = False,
        monitor: Monitor = ignore,
        client: Client | Cluster | None = None,
        **options: Any,
    ) -> None:
        for name in options:
            if name not in SETTINGS:
                raise unknown_option("", name, [*SETTINGS, *OWN_OPTIONS])
        self.recipe: Recipe = recipe(method, **options)
        self.memory = wanted_memory(memory)
        self.scratch = Scratch(0, self.memory.resident)
        self.text = TextOptions(tokenize, keep_case, segmenters(segmenter), to_whitespace)
        bounds.THREADS.check("threads", threads)
        self.threads = threads
        self.cluster = cluster_of(client)
        self.monitor = monitor
        self.progress = progress
        self.stopwatch = Stopwatch()
        # How the objective fell in the last training.
        self.curves: list[TrainingCurve] = []
        # The numbers of the pairs of the text of training that were too long for the model.
        self.oversized: NDArray[np.int64] = np.empty(0, np.int64)
        # How many word pairs the first model of the last training had in its table, and how many the last one.
        self.word_pairs: tuple[int, int] | None = None
        # What became of the entries of the lexicon that was given to `fit`.
        self.lexicon_use: LexiconUse | None = None
        self._pairs = 0
        self._given = Given()
        self._past: Past | None = None
        self._seen_words: Seen | None = None  # of training: made when they are first needed
        self._words: Vocabularies | None = None
        self._model: Finished | None = None
        self._fitted: tuple[Bitext, IndexedBitext, WordModel] | None = None
        self._known: KnownLinks | None = None  # of the text that was fitted

    def _facts(self) -> dict[str, object]:
        """Return the main settings, and what the aligner was trained on."""
        chosen = self.recipe
        facts: dict[str, object] = {
            "method": chosen.method,
            "model": chosen.model_type,
            "combine": chosen.combine,
        }
        if chosen.direction != "both":
            facts["direction"] = chosen.direction
        if self._words is None:
            return {**facts, "trained": False}
        return facts | {
            "pairs": self._pairs,
            "source types": len(self._words.source),
            "target types": len(self._words.target),
        }

    def _repr_html_(self) -> str:
        """Return the facts and the whole recipe, for notebooks."""
        signature = escape(self.recipe.signature.replace("|", ", "))
        return (
            f"{super()._repr_html_()}<details><summary>recipe</summary><small>{signature}</small></details>"
        )

    @shows_progress
    def fit(
        self,
        bitext: BitextLike = None,
        target: BitextLike = None,
        *,
        source: BitextLike = None,
        lexicon: Iterable[Sequence[str | float]] | None = None,
        known_links: Links | None = None,
        known_complete: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
    ) -> Aligner:
        """Train on parallel text, without any gold links; returns the aligner itself. A second `fit` is refused.

        The text is all that `cepts.as_bitext` takes: two lists of sentences or of token lists, pairs, a table of which
        `source` and `target` name the columns, a `Bitext`, or paths of files.

        What is known already helps: `lexicon`, (source, target[, weight]) entries of a bilingual dictionary, and
        `known_links`, sure links of some of the pairs. With `known_complete` a pair that has any has no others.

        With `checkpoint`, a folder, the run is saved there after every iteration; with `resume` it goes on from there.
        """
        if self._words is not None:
            raise ModelError(
                "the aligner is trained already: make a new Aligner for another text, or add text with updated(...)"
            )
        bitext = read_text(self.text, bitext, target, source, known_links)
        if not bitext.cells:
            raise InputError("nothing to learn from: no sentence pair has words on both sides")
        known = known_of(bitext, known_links, known_complete)
        with self.stopwatch("index"):
            indexed = self._indexed(bitext)
        self._learn(bitext, indexed, None, lexicon, known, (checkpoint, resume))
        self._pairs = len(bitext)
        self.text = self.text.after(bitext)
        return self

    @shows_progress
    def updated(
        self,
        bitext: BitextLike = None,
        target: BitextLike = None,
        *,
        source: BitextLike = None,
        lexicon: Iterable[Sequence[str | float]] | None = None,
        known_links: Links | None = None,
        known_complete: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
    ) -> Aligner:
        """Return an aligner that has learned from more text, without the text that this one has learned from.

        What was expected of the old text counts as it did, and only the new one is walked over. A text without words
        changes nothing. The arguments are those of `fit`.
        """
        model, words, past = self._with_past()
        bitext = read_text(self.text, bitext, target, source, known_links)
        known = known_of(bitext, known_links, known_complete)
        more = copy(self)
        more.stopwatch, more.curves = Stopwatch(), []
        more._model, more._past, more._fitted, more._seen_words = model, past, None, past.seen
        if not bitext.cells:
            return more
        with more.stopwatch("index"):
            text = grown_text(bitext, words)
            lexicon_before, past = past.counted(model.lexicon)
            indexed, entries = grown_index(more._indexed(text), lexicon_before, text)
        before = before_text(past, entries, model, text, indexed.longest)
        more._learn(text, indexed, before, lexicon, known, (checkpoint, resume))
        more._pairs = self._pairs + len(bitext)
        return more

    def _learn(
        self,
        bitext: Bitext,
        indexed: IndexedBitext,
        before: Before | None,
        lexicon: Iterable[Sequence[str | float]] | None,
        known: KnownLinks | None,
        keeping: tuple[str | os.PathLike[str] | None, bool],
    ) -> None:
        """Go through all stages, from the beginning or from what is known before; `keeping` is about checkpoints."""
        with self.stopwatch("index"):
            extra = self._extra_counts(bitext, indexed, before, lexicon)
            clamps = None if known is None else Clamps.of(known, bitext, indexed)
        saved = None
        if keeping[0] is not None:
            identity = identity_of(bitext, self.recipe.signature, extra, known, before)
            saved = Checkpoint(keeping[0], identity, self.recipe.stages, keeping[1])
        history = History(len(bitext.source.ids), len(bitext.target.ids), self.monitor)
        work = Work(self.threads, history, self.stopwatch, saved)
        trainer = trained(self.recipe, bitext, indexed, extra, work, clamps, before, history.forget)
        self.curves = history.curves
        self._fitted, self._known = (bitext, trainer.indexed, trainer.model.settled()), known
        assert trainer.training is not None
        self._given = Given(trainer.training.extra, before)
        self.oversized = trainer.model.oversized(trainer.indexed)
        self.word_pairs = len(indexed.columns), len(trainer.indexed.columns)
        self._model, self._past, self._seen_words = None, None, None
        self._words = Vocabularies(bitext.source.words, bitext.target.words)

    def check_updatable(self) -> None:
        """Refuse a model that no text can be added to (see `updated`), before any is read."""
        check_updatable(self.recipe)
        self._finished()
        if self._past is None and self._fitted is None:
            raise ModelError(
                "the model does not keep what it expects of its text, as those of older versions do not: train it again"
                " on all text"
            )

    def _with_past(self) -> tuple[Finished, Vocabularies, Past]:
        """Return the model, its words, and what it expects of all text so far."""
        self.check_updatable()
        model, words = self._finished()
        if self._past is None and self._fitted is not None:
            bitext, indexed, trained = self._fitted
            with self.stopwatch("past"):
                training = self.recipe.training_of(self.recipe.last_stage)
                training = training._replace(extra=self._given.extra)
                self._past = past_of(trained, bitext, indexed, training, self._given.before, self.threads)
        assert self._past is not None
        return model, words, self._past

    def _indexed(self, bitext: Bitext) -> IndexedBitext:
        """Lay out a bitext, on a cluster if there is one.

        One that no part of could be worked on in the memory that was given is refused.
        """
        self.scratch.limit = self.memory.beside(least_memory(bitext, None, self.threads))
        for side in (bitext.source, bitext.target):
            self.scratch.watch(side.ids)
        indexed = index_bitext(bitext, self.threads, self.scratch, self.cluster)
        least = least_memory(bitext, indexed, self.threads)
        if self.recipe.bi_word:
            least += memory_of_pairs(indexed.pieces, self.recipe.directions)
            self.memory.check(least, f"{self.recipe.model_type} and the pairs of words of this text")
        self.memory.check(least, "the largest part of this text")
        self.scratch.limit = self.memory.beside(least)
        return indexed

    def unknown_words(self, bitext: Bitext) -> UnknownWords:
        """Say which shares of a text's words the model does not know, as it is and with its sides exchanged.

        `wrong_way_round` and `other_languages` of what is returned draw the conclusion, from 20 pairs on.
        """
        return unknown_words(bitext, self._finished()[1])

    def _extra_counts(
        self,
        bitext: Bitext,
        indexed: IndexedBitext,
        before: Before | None,
        lexicon: Iterable[Sequence[str | float]] | None,
    ) -> ExtraCounts | None:
        """Put together what is known of words beforehand."""
        self.lexicon_use, parts = None, []
        if self.recipe.same_spelling > 0:
            parts.append(spelling_counts(bitext, indexed, self.recipe.same_spelling))
        if before is not None:  # what is spelled alike has been counted in the old text
            parts = [before.counts, *(part.without(before.counts.entries) for part in parts)]
        if lexicon is not None:
            counts, self.lexicon_use = lexicon_counts(
                lexicon, bitext, indexed, self.recipe.lexicon_weight, self.text.after(bitext)
            )
            parts.append(counts)
        return ExtraCounts.joined(parts)

    @overload
    def align(
        self,
        text: tuple[str, str],
        target: None = None,
        *,
        source: None = None,
        known_links: Links | None = None,
        known_complete: bool = False,
        recipe: Recipe | None = None,
    ) -> PairLinks: ...
    @overload
    def align(
        self,
        text: BitextLike = None,
        target: BitextLike = None,
        *,
        source: BitextLike = None,
        known_links: Links | None = None,
        known_complete: bool = False,
        recipe: Recipe | None = None,
    ) -> Alignment: ...
    @shows_progress
    def align(
        self,
        text: BitextLike = None,
        target: BitextLike = None,
        *,
        source: BitextLike = None,
        known_links: Links | None = None,
        known_complete: bool = False,
        recipe: Recipe | None = None,
    ) -> Alignment | PairLinks:
        """Link the words of parallel text, which is all that `fit` takes; of a tuple of two strings, list the links.

        Links of a bitext are of its own words; `cepts.links.links_to_whitespace` makes links between spaces of them.
        Of the bitext that was fitted, links that were known then are known still, unless others are given. All
        known links come out, with confidence 1. With `recipe`, links are made as that recipe says: it may differ from
        the aligner's own in what `load` can change.
        """
        chosen = self._chosen(recipe)
        single = is_one_pair(text, target)
        if single:
            check_single(chosen)
        given = [text] if single else text
        bitext = read_text(self.text, given, target, source, known_links, keep_text=True)
        indexed, model, known = self._prepared(bitext, known_of(bitext, known_links, known_complete))
        found = self._linked(chosen, model, bitext, indexed)
        if known is not None:
            found = found.with_links(known.respected(found))
        found = as_wanted(found, text, self.text)
        return found[0] if single else found

    def _chosen(self, recipe: Recipe | None) -> Recipe:
        """Return how links are made: as the aligner's recipe says, or another one that its model allows."""
        if recipe is None:
            return self.recipe
        check_linking(recipe, self.recipe)
        return recipe

    @shows_progress
    def scores(self, bitext: Bitext) -> NDArray[np.float64]:
        """Return each pair's natural log probability per word, the mean of the directions, without making links.

        Not a number for a pair with an empty side.
        """
        indexed, model, _ = self._prepared(bitext, None)
        return score_pairs(model, bitext, indexed, self.recipe.directions, self.threads, self.monitor)

    def _linked(self, chosen: Recipe, model: WordModel, text: Bitext, indexed: IndexedBitext) -> Alignment:
        """Link a text, make one set of links of two directions' as a recipe says, and leave out unlikely ones."""
        running, both = (self.threads, self.monitor), chosen.direction == "both"
        dual = cepts = threshold = None
        if both and chosen.combine == "dual":
            dual = dual_links(model, text, indexed, chosen.dual, *running)
            links = combine(dual.forward, dual.reverse, chosen.remainder)
        elif both and chosen.combine == "cepts":
            scores = score_pairs(model, text, indexed, chosen.directions, *running)
            cepts = cepts_of_text(model, text, indexed, chosen.associations, chosen.cepts, *running)
            links = replace(cepts.links(chosen.min_confidence or 0.0, chosen.sure_confidence), scores=scores)
        else:
            probabilities = self._probabilities(chosen, text)
            forward, reverse = link(
                model, text, indexed, chosen.directions, chosen.threshold, *running, *probabilities
            )
            if both and chosen.threshold == 0:
                links = combine(forward, reverse, chosen.combine)
            else:
                links = reverse if chosen.direction == "reverse" else forward
        least = chosen.min_confidence
        if chosen.precision is not None:
            threshold = least = threshold_for(links.confidence, chosen.precision)
        return alignment_of(
            links if least is None else links.select(links.confidence >= least),
            bitext=text,
            dual=dual,
            cepts=cepts,
            threshold=threshold,
            oversized=model.oversized(indexed),
        )

    def _probabilities(self, chosen: Recipe, text: Bitext) -> tuple[Calibration | None, Weigh | None]:
        """Return what makes probabilities of posteriors, and better ones of these for the words of a text."""
        calibration, trust = chosen.calibration, chosen.trust
        seen = None if trust is None else self._seen(text)
        weigh = None
        if trust is not None and seen is not None:
            weigh = weigher(trust, text, seen, self._pairs, self.threads)
        return None if calibration is None else calibration.of_text(self._pairs), weigh

    def _seen(self, text: Bitext) -> Seen | None:
        """How often the words of a text were there in training, if that is known."""
        if self._fitted is not None and self._seen_words is None:
            self._seen_words = seen_so_far(self._fitted[0], self._given.before)
        if self._seen_words is None or (self._fitted is not None and self._fitted[0] is text):
            return self._seen_words
        assert self._words is not None
        return seen_of_text(text, self._words, self._seen_words)

    @overload
    def posteriors(self, text: Bitext, *, recipe: Recipe | None = None) -> list[Posterior]: ...
    @overload
    def posteriors(self, text: tuple[str, str], *, recipe: Recipe | None = None) -> Posterior: ...
    @shows_progress
    def posteriors(
        self, text: Bitext | tuple[str, str], *, recipe: Recipe | None = None
    ) -> list[Posterior] | Posterior:
        """Return the probabilities of all possible links, for each pair of a bitext, or of one pair of strings.

        Matrices take room: 4 bytes for each cell, three times. So give a large text in parts. For `recipe` see `align`.
        """
        chosen = self._chosen(recipe)
        if isinstance(text, tuple):
            return self.posteriors(bitext_from_pairs([text], **self.text._asdict()), recipe=recipe)[0]
        indexed, model, _ = self._prepared(text, None)
        return posteriors_of(model, text, indexed, chosen.directions, *self._probabilities(chosen, text))

    @shows_progress
    def best_lists(
        self,
        text: Bitext,
        n: int = 100,
        direction: str | None = None,
        *,
        known_links: Links | None = None,
        known_complete: bool = False,
    ) -> BestLists:
        """List the n most probable alignments of each pair in one direction, forward or reverse.

        Without `direction`, that of the recipe. Pairs with an empty side have none. Known links are as in `align`; of
        several known partners of a word, an alignment that can have one has one.
        """
        chosen = replace(self.recipe, direction=direction or self.recipe.direction)
        if chosen.direction == "both":
            raise OptionError(
                f"{said('n_best')} needs {said('direction', 'forward')} or {said('direction', 'reverse')}; add one"
                " of them"
            )
        check_directions(chosen, self.recipe)
        indexed, model, _ = self._prepared(text, known_of(text, known_links, known_complete))
        way = 0 if chosen.direction == "forward" else 1
        lists = best_lists(model, text, indexed, way, n, self.threads, self.monitor)
        return lists._replace(oversized=model.oversized(indexed))

    def _prepared(
        self, bitext: Bitext, known: KnownLinks | None
    ) -> tuple[IndexedBitext, WordModel, KnownLinks | None]:
        """Return the bitext's index, a model of its words, and which of its links are known.

        Those of training, if that was on this very bitext; of links, if no others are given.
        """
        if self._fitted is not None and self._fitted[0] is bitext:
            _, indexed, model = self._fitted
            if known is None:
                return indexed, model, self._known
        else:
            finished, words = self._finished()
            indexed = self._indexed(bitext)
            text = Vocabularies(bitext.source.words, bitext.target.words)
            model = finished.for_text(bitext, indexed, text, words)
        clamps = None if known is None else Clamps.of(known, bitext, indexed)
        return indexed, replace(model, clamps=clamps), known

    def _finished(self) -> tuple[Finished, Vocabularies]:
        """Return the model for any text, with only the word pairs that matter, and its words."""
        if self._model is None and self._fitted is not None:  # made when it is first needed
            bitext, indexed, model = self._fitted
            self._model = Finished.of(model, bitext, indexed)
        if self._model is None or self._words is None:
            raise ModelError("the aligner has not been trained: call fit(bitext), or Aligner.load(folder)")
        return self._model, self._words

    def lexicon(self) -> tuple[Lexicon, Vocabularies]:
        """Return the trained probabilities of word pairs in both directions, and the words that they are of."""
        model, words = self._finished()
        return model.lexicon.normalised() if self.recipe.tied else model.lexicon, words

    @shows_progress
    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the trained model into a folder; see `Aligner.load`.

        Where more text can be added later (`updated`), the text is walked over once more for what is kept of it.
        A wanted precision is kept as the threshold that gave it on the text of training.
        """
        model, words = self._finished()
        chosen = self.recipe
        if chosen.precision is not None and self._fitted is not None:
            threshold = self.align(self._fitted[0]).threshold
            chosen = replace(chosen, precision=None, min_confidence=threshold)
        meta = {"recipe": chosen.to_dict(), "text": self.text.described(), "pairs": self._pairs}
        if self._fitted is not None and why_not_updatable(self.recipe) is None:
            self._with_past()
        save_model(folder, model, words, meta, self._past)

    @classmethod
    def load(
        cls,
        folder: str | os.PathLike[str],
        *,
        threads: int = 1,
        memory: int | str | Memory | None = None,
        progress: bool = False,
        monitor: Monitor = ignore,
        client: Client | Cluster | None = None,
        **options: Any,
    ) -> Aligner:
        """Open a saved model; its arrays stay on disk until they are used.

        `options` may change how links are made (`combine`, `direction`, `min_confidence`, and with `combine="dual"`
        `rounds`, `alpha`, `step`, `step_size`, `remainder`, and with `combine="cepts"` `association`, `n_best`,
        `null_weight`, `scale`, `criterion`, `search`, `restarts`, `seed`, `em_steps`, `tolerance`, `patience`,
        `orphans`, `sure_confidence`), not what was trained.
        """
        model, words, meta, past = load_model(folder)
        aligner = cls(
            threads=threads,
            memory=memory,
            progress=progress,
            monitor=monitor,
            client=client,
            **meta["text"]._asdict(),
        )
        aligner.recipe = with_options(folder, meta["recipe"], options)
        aligner._model, aligner._words, aligner._pairs = model, words, meta["pairs"]
        aligner._past, aligner._seen_words = past, None if past is None else past.seen
        return aligner
