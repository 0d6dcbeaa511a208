"""The paper's task: of two Spanish translations of an English sentence, find the human's."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.aligning import Aligner
from cepts.corpus import Bitext
from cepts.evaluation import estimate
from cepts.quality import Judge, Similarity
from cepts.sentences import FeatureSpace, SentenceModel
from cepts.sentences.classifiers import Regression
from huerta.language import NGRAMS, ORDERS, Fluency, TagClassifier
from huerta.material import (
    Judged,
    encoded,
    only_tags,
    read_news,
    read_tagged,
    read_tatoeba_judged,
    read_wmt12,
    side,
    without_tags,
)
from huerta.rows import ALL_NEWS, BY_PLACE, HELD_OUT, HELD_PAIRS, NEWS, NONE, TOGETHER, WMT12
from paper_tables.records import rounded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Side
    from huerta.results import Sheet
    from huerta.rows import Row

    Floats = NDArray[np.floating[Any]]

SCORED_SHARE = 3  # one line in so many of what a judge may learn from is scored on dev: the last ones
FOLDS = 5
LINES = {"tagged": list, "words": without_tags, "tags": only_tags}


class Case(NamedTuple):
    """Sources, human and machine translations as sides of a text."""

    sources: Side
    humans: Side
    machines: Side


class Court:
    """The texts, and what was learned from Tatoeba, each once."""

    def __init__(self, sheet: Sheet, threads: int) -> None:
        self.threads, self.size, self.part = threads, sheet.size, sheet.part
        self._models: dict[str, SentenceModel] = {}

    @cached_property
    def scored(self) -> Judged:
        """What is judged: WMT12's test part or, on dev, the last lines of its training part."""
        if self.part == "test":
            return read_wmt12("test")
        return cut_off(read_wmt12("train"))[1]

    def learned(self, corpus: str) -> Judged:
        """Return what a judge learns from; none of its sources is among those of WMT12's test part."""
        if corpus in NEWS:
            return read_news(corpus).part(0, self.size)
        if corpus == ALL_NEWS:
            return self.learned(NEWS[0]) + self.learned(NEWS[1]) + self.learned(NEWS[2])
        if corpus == TOGETHER:
            return self.learned(ALL_NEWS) + self.learned(WMT12)
        known = read_wmt12("train")
        return (cut_off(known)[0] if self.part == "dev" else known).part(0, self.size)

    @cached_property
    def tatoeba(self) -> list[tuple[str, str]]:
        """The parallel text, tagged."""
        return read_tagged()[: self.size]

    @cached_property
    def tagged(self) -> Bitext:
        """The parallel text as `word_TAG`."""
        return encoded(self.tatoeba)

    @cached_property
    def plain(self) -> Bitext:
        """The parallel text as words."""
        sides = (without_tags(lines) for lines in zip(*self.tatoeba, strict=True))
        return encoded(list(zip(*sides, strict=True)))

    @cached_property
    def aligner(self) -> Aligner:
        """A word aligner of the parallel text."""
        return Aligner("fast", threads=self.threads).fit(self.plain)

    @cached_property
    def similarity(self) -> Similarity:
        """The usual similarity model of the parallel text."""
        return Similarity.fit(self.plain, aligner=self.aligner, threads=self.threads)

    @cached_property
    def fluencies(self) -> dict[str, Fluency]:
        """Language models of the parallel text's Spanish side, of words and of tags."""
        spanish = [target for _, target in self.tatoeba]
        return {unit: Fluency.fit(side(LINES[unit](spanish)), order) for unit, order in ORDERS.items()}

    @cached_property
    def ngrams(self) -> FeatureSpace:
        """The most frequent tag n-grams of the parallel text's Spanish side."""
        return FeatureSpace.fit(self.tagged.target, NGRAMS)

    def model(self, row: Row) -> SentenceModel:
        """Return the sentence model of a row."""
        options = {name: value for name, value in row.options.items() if name != "kind"}
        if str(options) not in self._models:
            text = self.tagged if "tags" in row.options["features"] else self.plain
            self._models[str(options)] = SentenceModel.fit(text, **options, threads=self.threads)
        return self._models[str(options)]


class OwnCourt(Court):
    """Judges of sentences from the corpus that was factorised, as in the paper: Tatoeba, and Apertium's translations.

    If pairs are `held_out`, nothing but judges learns from the last training pairs.
    """

    def __init__(self, sheet: Sheet, threads: int, *, held_out: bool) -> None:
        super().__init__(sheet, threads)
        self.held_out = held_out

    @cached_property
    def scored(self) -> Judged:
        """What is judged: Tatoeba's test part or, on dev, the last lines of its dev part."""
        return read_tatoeba_judged("test") if self.part == "test" else cut_off(read_tatoeba_judged("dev"))[1]

    def learned(self, corpus: str) -> Judged:
        """Return what a judge learns from: the rest of the dev part, or the pairs that are held out."""
        if corpus == HELD_OUT:
            known = read_tatoeba_judged("train").part(0, self.size)
            return known.part(first_held_out(len(known.sources)), None)
        known = read_tatoeba_judged("dev")
        return (cut_off(known)[0] if self.part == "dev" else known).part(0, self.size)

    @cached_property
    def tatoeba(self) -> list[tuple[str, str]]:
        """The parallel text, tagged, without the pairs that are held out."""
        known = read_tagged()[: self.size]
        return known[: first_held_out(len(known))] if self.held_out else known


def first_held_out(pairs: int) -> int:
    """Return the number of the first of so many pairs that only judges learn from.

    >>> first_held_out(116_240), first_held_out(300)
    (96240, 200)
    """
    return pairs - min(HELD_PAIRS, pairs // SCORED_SHARE)


def cut_off(known: Judged) -> tuple[Judged, Judged]:
    """Cut lines in two: what a judge learns from on dev, and what is scored."""
    end = len(known.sources) - len(known.sources) // SCORED_SHARE
    return known.part(0, end), known.part(end, None)


def case_of(judged: Judged, unit: str) -> Case:
    """Make sides of lines: `tagged`, or only their `words` or `tags`."""
    return Case(*(side(LINES[unit](lines)) for lines in judged))


def measure_judge(row: Row, corpus: str, court: Court) -> dict[str, Any]:
    """Judge all scored sentences; equal margins are right in half of the cases."""
    learned = Judged([], [], []) if corpus == NONE else court.learned(corpus)
    margins = MARGINS[row.options["kind"]](row, court, learned, court.scored)
    right = np.where(margins > 0, 1.0, np.where(margins < 0, 0.0, 0.5))
    plain = ~(inverted(court.scored.humans) ^ inverted(court.scored.machines))
    figures = {
        "accuracy": rounded(estimate(right)),
        "plain accuracy": rounded(estimate(right[plain])),
        "plain": int(plain.sum()),
        "right": right.tolist(),
        "learned": len(learned.sources),
        "scored": len(court.scored.sources),
    }
    return figures | {"said": f"accuracy {figures['accuracy'][0]:.3f}"}


def inverted(lines: Sequence[str]) -> NDArray[np.bool_]:
    """Mark lines with Spanish's inverted marks, which Apertium never writes: where they differ, they tell enough.

    >>> inverted(["¿_PUNCT Quién_PRON ?_PUNCT", "Quién_PRON ?_PUNCT"]).tolist()
    [True, False]
    """
    return np.array([any(mark in line for mark in "¿¡") for line in lines], np.bool_)


def projected(row: Row, court: Court, learned: Judged, scored: Judged) -> Floats:
    """Judge by the three sentences in the common space, as the paper does."""
    unit = "tagged" if "tags" in row.options["features"] else "words"
    judge = Judge.fit(
        court.model(row), *case_of(learned, unit), kind=row.options["kind"], threads=court.threads
    )
    return judge.margins(*case_of(scored, unit))


def everything(_: Row, court: Court, learned: Judged, scored: Judged) -> Floats:
    """Judge by all that the product's judge looks at."""
    judge = Judge.fit(
        court.similarity, *case_of(learned, "words"), aligner=court.aligner, threads=court.threads
    )
    return judge.margins(*case_of(scored, "words"))


def tag_classifier(_: Row, court: Court, learned: Judged, scored: Judged) -> Floats:
    """Judge by the Spanish side's tag n-grams alone."""
    known, asked = case_of(learned, "tagged"), case_of(scored, "tagged")
    return TagClassifier.fit(court.ngrams, *known[1:]).margins(*asked[1:])


def language(row: Row, court: Court, _: Judged, scored: Judged) -> Floats:
    """Judge by a language model of human Spanish alone."""
    return more_fluent(court, scored, row.options["unit"])


def more_fluent(court: Court, scored: Judged, unit: str) -> Floats:
    """Return how much more fluent the first of two translations is."""
    asked, fluency = case_of(scored, unit), court.fluencies[unit]
    return fluency.scores(asked.humans) - fluency.scores(asked.machines)


def nearer(row: Row, court: Court, _: Judged, scored: Judged) -> Floats:
    """Judge as the paper expects it: the human translation is nearer to the source in the common space."""
    asked, model = case_of(scored, "tagged"), court.model(row)
    human, machine = (model.similarity(Bitext(asked.sources, one)) for one in (asked.humans, asked.machines))
    return human - machine


def less_literal(_: Row, court: Court, __: Judged, scored: Judged) -> Floats:
    """Judge by one number: the translation whose alignment with the source is less probable is the human's.

    Machines translate more literally; that it is this way round was seen on dev.
    """
    asked = case_of(scored, "words")
    texts = (Bitext(asked.sources, one) for one in (asked.humans, asked.machines))
    human, machine = (np.nan_to_num(court.aligner.align(text).scores) for text in texts)
    return machine - human


def stacked(_: Row, court: Court, learned: Judged, scored: Judged) -> Floats:
    """Judge by the margins of all kinds of judges together; how much each counts is learned on folds held out."""
    members: list[Callable[[Judged, Judged], Floats]] = [
        lambda known, asked: everything(BY_PLACE["judge", "everything"], court, known, asked),
        lambda known, asked: projected(BY_PLACE["judge", "perceptron"], court, known, asked),
        lambda known, asked: tag_classifier(BY_PLACE["judge", "tag-classifier"], court, known, asked),
        *(lambda _, asked, unit=unit: more_fluent(court, asked, unit) for unit in ORDERS),
    ]
    held = [[member(*cut) for member in members] for cut in cuts(learned)]
    rows = np.concatenate([np.stack(fold, axis=1) for fold in held])
    labels = np.repeat([True, False], len(rows))
    weights = Regression().fit(np.concatenate([rows, -rows]), labels)
    return weights.margin(np.stack([member(learned, scored) for member in members], axis=1))


def cuts(learned: Judged) -> list[tuple[Judged, Judged]]:
    """Cut lines into folds of neighbours: what is learned from, and what is held out, for each."""
    ends = [len(learned.sources) * fold // FOLDS for fold in range(FOLDS + 1)]
    return [
        (learned.part(0, first) + learned.part(end, None), learned.part(first, end))
        for first, end in pairwise(ends)
    ]


MARGINS: dict[str, Callable[[Row, Court, Judged, Judged], Floats]] = {
    "perceptron": projected,
    "shared": projected,
    "lvq": projected,
    "dimension": projected,
    "everything": everything,
    "tag-classifier": tag_classifier,
    "language": language,
    "nearer": nearer,
    "alignment": less_literal,
    "stacked": stacked,
}
