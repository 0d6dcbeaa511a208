"""From a recipe to a trained model: one stage after the other, each starting from the lexicon of the one before."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.choices import FERTILE
from cepts.running.cluster import TRIES
from cepts.running.flow import GoneError
from cepts.words import (
    Bi1,
    BiHmm,
    BiWord,
    Distances,
    ForgetfulHmm,
    Hmm,
    Ibm1,
    Ibm3,
    Ibm4,
    Jumps,
    Lexicon,
    PairTable,
    Trainer,
)
from cepts.words.classes import word_classes
from cepts.words.families import Families
from cepts.words.fertility import no_classes
from cepts.words.lexicon_elsewhere import LexiconElsewhere, is_elsewhere
from cepts.words.pruning import probable_pairs, values_of_kept, without_others
from cepts.words.regularity import automatic_strength, regularity_of
from cepts.words.training import BEGINNING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from cepts.aligning.checkpoints import Checkpoint
    from cepts.aligning.recipes import Recipe
    from cepts.aligning.stopwatch import Stopwatch
    from cepts.corpus import Bitext
    from cepts.words import ExtraCounts, IndexedBitext, Monitor, Step, Training, WordModel
    from cepts.words.classes import Classes
    from cepts.words.hmm_kernels import JumpCounts
    from cepts.words.known import Clamps
    from cepts.words.past import Before
    from cepts.words.regularity import Regularity


class Known(NamedTuple):
    """What all stages know beforehand of the text's word pairs."""

    extra: ExtraCounts | None
    regularity: Regularity | None
    families: Families | None
    jump_counts: tuple[JumpCounts, JumpCounts] | None = None


def strength_of(recipe: Recipe, bitext: Bitext) -> float:
    """The strength of the regularity term; `auto` follows from the text."""
    if recipe.regularity == "auto":
        return automatic_strength(bitext, recipe.bi_word)
    return 0.0 if recipe.regularity == "off" else float(recipe.regularity)


class Work(NamedTuple):
    """How the stages are run: on what, who is told, and where they are kept."""

    threads: int
    monitor: Monitor
    stopwatch: Stopwatch
    checkpoint: Checkpoint | None = None
    beside: Mapping[str, NDArray[np.uint8]] = {}  # what a checkpoint keeps beside a model


def trained(
    recipe: Recipe,
    bitext: Bitext,
    indexed: IndexedBitext,
    extra: ExtraCounts | None,
    work: Work,
    clamps: Clamps | None,
    before: Before | None,
    begin_anew: Callable[[], None],
) -> Trainer:
    """Go through all stages, see `trained_stages`.

    If a cluster has lost its part of the model, go on from the last checkpoint; without any, begin anew.
    """
    for _ in range(TRIES):
        try:
            *_, trainer = trained_stages(recipe, bitext, indexed, extra, work, clamps, before)
            return trainer
        except GoneError as error:
            gone = error
            if work.checkpoint is None:
                begin_anew()
            else:
                work = work._replace(checkpoint=work.checkpoint.again())
    raise gone


def trained_stages(
    recipe: Recipe,
    bitext: Bitext,
    indexed: IndexedBitext,
    extra: ExtraCounts | None,
    work: Work,
    clamps: Clamps | None = None,
    before: Before | None = None,
) -> Iterator[Trainer]:
    """Train what the recipe says: IBM-1, then perhaps the HMM, IBM-3 and IBM-4; or Bi-1, then perhaps the Bi-HMM.

    The trainer is given out after each stage, to look at its model; the last stage's model is what the recipe wants.
    `extra` and `clamps` are what is known beforehand, of words and of links. `before` is what a model that the text is
    added to knows: training begins with what follows from that, and with its jumps.
    """
    known = _known(recipe, bitext, indexed, extra, before, work.threads)
    # nobody but the trainer has a model: its table is large, and goes with the next one
    trainer = Trainer(_first(recipe, bitext, indexed, known), indexed, work.threads, work.monitor)
    trainer.model = replace(trainer.model, clamps=clamps)
    if before is not None:
        trainer.begin(_training(recipe, "ibm1", known))
    _run(trainer, "ibm1", recipe, known, work)
    yield trainer
    if recipe.jumps:
        if recipe.prune > 0:
            with work.stopwatch("prune"):
                known, work = _pruned(recipe, bitext, trainer, known, before, work)
            indexed = trainer.indexed
        second = _second(recipe, trainer.model, indexed, None if before is None else before.jumps)
        if recipe.jump_classes > 1 and isinstance(second, Hmm):
            with work.stopwatch("classes"):
                classes = _jump_classes(recipe, bitext, before, work.monitor)
                second = second.of_classes(classes, bitext, indexed)
        trainer.model = replace(second, clamps=clamps)
        _run(trainer, "hmm", recipe, known, work)
        yield trainer
    for stage in (name for name in recipe.stages if name in FERTILE):
        with work.stopwatch("classes"):
            fertile = _fertile(recipe, stage, trainer.model, bitext, indexed, work.monitor)
            trainer.model = replace(fertile, clamps=clamps)
        _run(trainer, stage, recipe, known, work)
        yield trainer


def _counted(monitor: Monitor, before: int, in_all: int, step: Step) -> None:
    """Tell of an iteration which one of the whole training it is."""
    monitor(step._replace(before=before, in_all=in_all))


def _run(trainer: Trainer, stage: str, recipe: Recipe, known: Known, work: Work) -> None:
    """Run a stage, or what is left of it after what a checkpoint holds."""
    training, iterations = _training(recipe, stage, known), recipe.iterations[stage]
    stages = [*recipe.stages]
    before = sum(recipe.stages[name] for name in stages[: stages.index(stage)])
    trainer.monitor = partial(_counted, work.monitor, before, sum(recipe.stages.values()))
    with work.stopwatch(stage):
        if work.checkpoint is None:
            trainer.run(iterations, training)
            return
        begin = work.checkpoint.position(stage)
        if begin is None:  # a later stage has begun
            return
        if begin != BEGINNING:
            trainer.model = trainer.model.with_state(work.checkpoint.state(trainer.model, work.beside))
        save = partial(work.checkpoint.save, stage, dict(work.beside))
        trainer.run(iterations, training, save, begin)


def _pruned(
    recipe: Recipe, bitext: Bitext, trainer: Trainer, known: Known, before: Before | None, work: Work
) -> tuple[Known, Work]:
    """Take the word pairs out of the trainer's table that its model has found improbable.

    Returns what is known of the others, and work whose checkpoints say which these are.
    """
    indexed, values = trainer.indexed, trainer.model.lexicon.whole_values()
    entries = None if known.extra is None else known.extra.entries
    kept = None
    if work.checkpoint is not None:
        kept = work.checkpoint.kept(probable_pairs(indexed, values, np.inf, entries))
    if kept is None:  # no later stage was under way
        kept = probable_pairs(indexed, values, recipe.prune, entries)
    smaller, new = without_others(indexed, kept)
    extra = known.extra
    if extra is not None:
        extra = extra._replace(entries=new[extra.entries].astype(np.int64))
    known = _known(recipe, bitext, smaller, extra, before, work.threads)
    lexicon = Lexicon(smaller.row_offsets, smaller.columns, values_of_kept(indexed, values, kept))
    if is_elsewhere(smaller):
        lexicon = LexiconElsewhere.spread(smaller, known.families, even=False).with_values(lexicon.values)
    trainer.indexed, trainer.model = smaller, trainer.model.with_lexicon(lexicon)
    return known, work._replace(beside={"kept": np.packbits(kept)})


def _training(recipe: Recipe, stage: str, known: Known) -> Training:
    return recipe.training_of(stage)._replace(**known._asdict())


def _known(
    recipe: Recipe,
    bitext: Bitext,
    indexed: IndexedBitext,
    extra: ExtraCounts | None,
    before: Before | None,
    threads: int,
) -> Known:
    """Put together what is known of a table of word pairs: counts, the price of rare words, families and spelling."""
    regularity, families = None, None
    seen, jump_counts = (None, None) if before is None else (before.seen, before.jump_counts)
    if not recipe.bi_word and (strength := strength_of(recipe, bitext)) > 0:
        regularity = regularity_of(bitext, indexed, strength, None if extra is None else extra.entries)
    if recipe.tied:
        families = Families.of(bitext, indexed, recipe.families, recipe.spelling, seen, threads)
    return Known(extra, regularity, families, jump_counts)


def _uniform(recipe: Recipe, indexed: IndexedBitext, known: Known) -> Lexicon:
    """The lexicon of which nothing is known but which words meet; where it is large, and may be, on a cluster."""
    if recipe.optimizer == "em" and not recipe.bi_word and is_elsewhere(indexed):
        return LexiconElsewhere.spread(indexed, known.families, recipe.training != "agreement")
    return Lexicon.uniform(indexed) if recipe.training == "agreement" else Lexicon.even(indexed)


def _first(recipe: Recipe, bitext: Bitext, indexed: IndexedBitext, known: Known) -> WordModel:
    """The first stage's model."""
    lexicon = _uniform(recipe, indexed, known)
    if not recipe.bi_word:
        return Ibm1(lexicon, None if recipe.null_as_word else recipe.null_probability)
    strength = strength_of(recipe, bitext)
    forward, reverse = (
        PairTable.uniform(bitext, indexed, way, strength) if wanted else None
        for way, wanted in enumerate(recipe.trained)
    )
    distances = Distances.initial(recipe.double_probability)
    return Bi1.of(Ibm1(lexicon, None), indexed, (forward, reverse), (distances, distances))


def _second(
    recipe: Recipe, first: WordModel, indexed: IndexedBitext, known: tuple[Jumps, Jumps] | None
) -> WordModel:
    """The second stage's model, with the lexicon of the first, and with jumps that are known or the usual ones."""
    jumps = Jumps.initial(recipe.jump_band, indexed.longest, recipe.null_probability)
    kind = ForgetfulHmm if recipe.null_state == "forgets" else Hmm
    chain = kind(first.lexicon, known or (jumps, jumps), indexed.longest)
    return BiHmm.of(chain, indexed, first.pairs, first.distances) if isinstance(first, BiWord) else chain


def _jump_classes(recipe: Recipe, bitext: Bitext, before: Before | None, monitor: Monitor) -> Classes:
    """The classes of the text's words that jumps depend on; a model that text is added to has its own."""
    if before is not None and before.classes is not None:
        return before.classes
    return classes_of_sides(bitext, recipe.jump_classes, monitor)


def _fertile(
    recipe: Recipe, stage: str, before: WordModel, bitext: Bitext, indexed: IndexedBitext, monitor: Monitor
) -> WordModel:
    """The model with fertilities, which climbs from the HMM's best paths; IBM-4 may go on from IBM-3."""
    heads = before.heads if isinstance(before, Ibm3) else before
    assert isinstance(heads, Hmm)
    if stage == "ibm3":
        return Ibm3.of(heads, bitext, indexed, no_classes(bitext))
    fertile = Ibm4.of(heads, bitext, indexed, classes_of_sides(bitext, recipe.classes, monitor))
    return fertile.going_on(before) if isinstance(before, Ibm3) else fertile


def classes_of_sides(bitext: Bitext, number: int, monitor: Monitor) -> Classes:
    """Put the words of each side into so many classes."""
    source, target = (word_classes(side, number, monitor=monitor) for side in (bitext.source, bitext.target))
    return source, target
