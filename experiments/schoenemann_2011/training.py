"""One training run: its stages trained, timed and scored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts import Bitext, Links, sample_bitext
from cepts.aligning.stages import Work, classes_of_sides, strength_of, trained_stages
from cepts.aligning.stopwatch import Stopwatch
from cepts.words import Finished, Hmm, Ibm4, IndexedBitext, Vocabularies, index_bitext, link
from cepts.words.regularity import regularity_of
from paper_tables.meter import Moment, forget_peak, peak_mb
from paper_tables.setting import made_with, read_corpus
from schoenemann_2011.rows import recipe_of, shortened, signature_of
from schoenemann_2011.scoring import scores_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cepts.aligning import Recipe
    from cepts.words import Step, Trainer, Training, WordModel
    from paper_tables.store import Record
    from schoenemann_2011.results import Sheet, Stage
    from schoenemann_2011.rows import Column, Run

CLASSES = "classes"  # how the search for word classes, which is before IBM-4, calls itself


class Text(NamedTuple):
    """A corpus that is ready for training: scored pairs first, then training pairs."""

    bitext: Bitext
    indexed: IndexedBitext
    gold: Links
    facts: dict[str, Any]


class Diary:
    """A monitor that writes down objectives and clocks whenever an iteration of a model reports."""

    def __init__(self) -> None:
        self.entries: list[tuple[Step, Moment]] = []

    def __call__(self, step: Step) -> None:
        """Hear of a step."""
        if step.objective is not None and step.stage != CLASSES:
            self.entries.append((step, Moment.now()))


def read_text(sheet: Sheet, corpus: str, threads: int) -> Text:
    """Read and index a corpus."""
    bitext, gold, facts = read_corpus(corpus, sheet.part, sheet.training_pairs(corpus))
    begin = Moment.now()
    indexed = index_bitext(bitext, threads)
    facts["read_seconds"] = round(facts["read_seconds"] + Moment.now().since(begin).wall, 3)
    return Text(bitext, indexed, gold, facts)


def train_run(sheet: Sheet, run: Run, columns: Sequence[Column], text: Text, threads: int) -> list[Record]:
    """Train a run in one direction, or in both at once; put all that is to be kept of each into a record.

    Directions have nothing in common but the walk over the text: each is charged with its share of the seconds.
    """
    recipes = [recipe_of(run, column.direction, sheet.iterations) for column in columns]
    begin = Moment.now()
    warm_up(run, recipes, threads)
    stages = list(measured_stages(run, recipes, text, threads))
    used = Moment.now().since(begin)
    return [
        {
            **sheet.place(run, column),
            "signature": signature_of(run, recipe),
            **made_with(threads),
            "text": text.facts,
            "strength": strength_of(recipe, text.bitext),
            "together": len(columns),
            "wall_seconds": round(used.wall / len(columns), 3),
            "cpu_seconds": round(used.cpu / len(columns), 3),
            "stages": [None if stage is None else stage[n] for stage in stages],
        }
        for n, (column, recipe) in enumerate(zip(columns, recipes, strict=True))
    ]


def warm_up(run: Run, recipes: Sequence[Recipe], threads: int) -> None:
    """Run all of it on a few pairs: what kernels need to be compiled or loaded is not to be timed."""
    bitext = sample_bitext()
    text = Text(bitext, index_bitext(bitext, threads), Links.from_pairs([[(0, 0)]]), {})
    list(measured_stages(run, [shortened(recipe, 1) for recipe in recipes], text, threads))


def measured_stages(
    run: Run, recipes: Sequence[Recipe], text: Text, threads: int
) -> Iterator[list[Stage] | None]:
    """Train stage after stage; nothing but the training is within a stage's seconds. None: it fills no row.

    The recipes are one, or those of both directions, forward first. Word classes are part of the stage that needs them.
    """
    diary = Diary()
    recipe = recipes[0] if len(recipes) == 1 else replace(recipes[0], direction="both")
    last = recipe if run.last_term is None else replace(recipe, regularity=run.last_term)
    stages = trainers(recipe, last, text, Work(threads, diary, Stopwatch()))
    for name, row in zip(recipe.iterations, run.rows, strict=True):
        diary.entries.clear()
        forget_peak()
        begin = Moment.now()
        trainer = next(stages)
        end, peak = Moment.now(), peak_mb()
        if row is None:
            yield None
            continue
        finals = objectives_of(trainer, last if name == recipe.last_stage else recipe, name, text)
        scored = of_scored_pairs(trainer.model, text, threads)
        yield [
            {
                "model": trainer.model.name,
                **curve(entries_of(diary, one), begin, end, final, recipe.optimizer, len(recipes)),
                "peak_mb": round(peak, 1),
                "oversized": len(trainer.model.oversized(text.indexed)),
                "scores": score(scored, one, text.gold, threads),
            }
            for one, final in zip(recipes, finals, strict=True)
        ]


def trainers(recipe: Recipe, last: Recipe, text: Text, work: Work) -> Iterator[Trainer]:
    """Train stage after stage by a recipe; its last one, IBM-4, by `last`, if that has another term."""
    same = last.regularity == recipe.regularity
    first = recipe if same else replace(recipe, model_type="hmm")
    for trainer in trained_stages(first, text.bitext, text.indexed, None, work):
        yield trainer
    if not same:
        classes = classes_of_sides(text.bitext, recipe.classes, work.monitor)
        assert isinstance(trainer.model, Hmm)
        trainer.model = Ibm4.of(trainer.model, text.bitext, text.indexed, classes)
        trainer.run(recipe.iterations["ibm4"], training_of(last, "ibm4", text))
        yield trainer


def entries_of(diary: Diary, recipe: Recipe) -> list[tuple[float, Moment]]:
    """Return what a diary has of a recipe's direction, which reports alone or with the other one."""
    place = -1 if recipe.direction == "reverse" else 0
    return [
        (step.parts[place], moment)
        for step, moment in diary.entries
        if step.direction in ("both", recipe.direction)
    ]


def objectives_of(trainer: Trainer, recipe: Recipe, stage: str, text: Text) -> tuple[float, ...]:
    """Return the objectives of a trainer's model: one E step more than its training had."""
    training = training_of(recipe, stage, text)
    return trainer.objectives(trainer.expect(training), training)


def training_of(recipe: Recipe, stage: str, text: Text) -> Training:
    """Return how a stage is trained, with the regularity term of the text."""
    strength = strength_of(recipe, text.bitext)
    training = recipe.training_of(stage)
    if strength > 0 and not recipe.bi_word:  # bi-word models carry their own
        training = training._replace(regularity=regularity_of(text.bitext, text.indexed, strength))
    return training


def curve(
    entries: list[tuple[float, Moment]],
    begin: Moment,
    end: Moment,
    final: float,
    optimizer: str,
    together: int = 1,
) -> dict[str, Any]:
    """Return objective and seconds after 0, 1, .. iterations; the seconds are shared by so many directions.

    Every iteration reports the objective that it starts from: EM when it ends, PGD, whose line search has done the
    next E step already, when it begins.
    """
    objectives = [objective for objective, _ in entries] + [final]
    reports = [moment.since(begin) for _, moment in entries]
    done = reports if optimizer == "em" else [*reports[1:], end.since(begin)]
    whole = end.since(begin)
    return {
        "iterations": len(entries),
        "objective": final,
        "wall_seconds": round(whole.wall / together, 3),
        "cpu_seconds": round(whole.cpu / together, 3),
        "objectives": [round(objective, 3) for objective in objectives],
        "wall_after": [0.0, *(round(moment.wall / together, 3) for moment in done)],
        "cpu_after": [0.0, *(round(moment.cpu / together, 3) for moment in done)],
    }


def of_scored_pairs(model: WordModel, text: Text, threads: int) -> tuple[WordModel, Bitext, IndexedBitext]:
    """Return a trained model for the scored pairs alone, and these: the rest need not be linked."""
    bitext = text.bitext.part(0, len(text.gold))
    indexed = index_bitext(bitext, threads)
    scored, known = (Vocabularies(part.source.words, part.target.words) for part in (bitext, text.bitext))
    finished = Finished.of(model, text.bitext, text.indexed)
    return finished.for_text(bitext, indexed, scored, known), bitext, indexed


def score(
    scored: tuple[WordModel, Bitext, IndexedBitext], recipe: Recipe, gold: Links, threads: int
) -> dict[str, float]:
    """Score the best paths of the direction that was trained."""
    directed = link(*scored, recipe.directions, recipe.threshold, threads)
    return scores_of(directed.forward if recipe.direction == "forward" else directed.reverse, gold)
