"""One model on one corpus: trained or loaded, its links made in every way, and scored."""

from __future__ import annotations

import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import Aligner
from cepts.evaluation import evaluate
from goutte_2004.figures import Figures, Scores
from goutte_2004.rows import ANNEALING, CONFIDENCES, COUNTED, COUNTING, OURS, PAPERS, RESTARTS, RULES
from goutte_2004.sentence import sentence_of
from paper_tables.meter import Moment
from paper_tables.setting import made_with

if TYPE_CHECKING:
    from cepts import Bitext, Links
    from goutte_2004.results import Sheet
    from goutte_2004.rows import Row, Run
    from paper_tables.setting import Corpus
    from paper_tables.store import Record


NOTHING: Record = {"rows": {}, "rules": {}, "curves": {}, "wall_seconds": 0.0, "cpu_seconds": 0.0}


class Scorer(NamedTuple):
    """The scored pairs and their gold links."""

    head: Bitext
    gold: Links

    def figures(self, links: Links) -> Figures:
        """Score links, of which those behind the scored pairs do not count."""
        links = links.head(len(self.gold))
        lengths = self.head.source.lengths, self.head.target.lengths
        words = int(lengths[0].sum() + lengths[1].sum())
        plain = evaluate(links, self.gold, resamples=1)
        with_null = evaluate(links, self.gold, resamples=1, null="auto", lengths=lengths)
        per_word = round(2 * len(links.source) / max(words, 1), 4)
        aligned = round(100.0 * linked_words(links) / max(words, 1), 4)
        return Figures(Scores.of(plain), Scores.of(with_null), per_word, aligned)


def linked_words(links: Links) -> int:
    """Count the words, on both sides, that have a link.

    >>> from cepts import Links
    >>> linked_words(Links.from_pairs([[(0, 0), (0, 1)], [(0, 0)]]))
    5
    """
    pairs = links.row_pairs()
    return sum(len(np.unique(np.stack([pairs, side]), axis=1).T) for side in (links.source, links.target))


class Trained(NamedTuple):
    """A saved model and the text that it was trained on, the scored pairs first."""

    folder: Path
    bitext: Bitext
    scored: int
    threads: int

    def aligner(self, **options: Any) -> Aligner:
        """Open the model, to make links in another way."""
        return Aligner.load(self.folder, threads=self.threads, **options)

    def text(self, measure: str = "") -> Bitext:
        """The scored pairs, and what stands behind them as far as a measure counts in it."""
        pairs = max(self.scored, COUNTED) if measure in COUNTING else self.scored
        return self.bitext.part(0, pairs)


def measure_run(
    sheet: Sheet,
    run: Run,
    name: str,
    corpus: Corpus,
    threads: int,
    models: Path | None,
    known: Record | None = None,
) -> Record:
    """Run a model on a corpus and put all that is to be kept into a record; rows that are known are not run again."""
    begin = Moment.now()
    with tempfile.TemporaryDirectory(prefix="cepts-models-") as folder:
        place = (models or Path(folder)) / model_name(sheet, run, name)
        loaded = place.exists()
        if not loaded:
            place.parent.mkdir(parents=True, exist_ok=True)
            Aligner(run.name, threads=threads).fit(corpus.bitext).save(place)
        trained = Trained(place, corpus.bitext, len(corpus.gold), threads)
        measured = measure(run, trained, corpus.gold, known)
    used = Moment.now().since(begin)
    return {
        **sheet.place(run.name, name),
        "signature": run.recipe.signature,
        **made_with(threads),
        "text": corpus.facts,
        "loaded": loaded,
        "wall_seconds": round(used.wall + (known or NOTHING)["wall_seconds"], 3),
        "cpu_seconds": round(used.cpu + (known or NOTHING)["cpu_seconds"], 3),
        **measured,
    }


def model_name(sheet: Sheet, run: Run, corpus: str) -> str:
    """Name the folder of a trained model by all that it depends on."""
    place = sheet.place(run.name, corpus)
    mark = sha256(run.recipe.signature.encode()).hexdigest()[:8]
    return "-".join(str(value) for value in (*place.values(), mark))


def measure(run: Run, trained: Trained, gold: Links, known: Record | None = None) -> Record:
    """Make links in every way that is not known, and score them."""
    scorer = Scorer(trained.text(), gold)
    rows, rules, curves = (dict((known or NOTHING)[name]) for name in ("rows", "rules", "curves"))
    for row in run.rows:
        if row.key not in rows:
            figures, curve = measure_row(row, trained, scorer, run is OURS and row.has_curve)
            rows[row.key] = figures._asdict()
            if curve:
                curves[row.key] = [one._asdict() for one in curve]
    for rule in RULES:
        if rule not in rules:
            rules[rule] = scorer.figures(trained.aligner(combine=rule).align(trained.text()))._asdict()
    search = RESTARTS if run.name == PAPERS.name else ANNEALING
    return {"rows": rows, "rules": rules, "curves": curves, "sentence": sentence_of(trained, gold, search)}


def measure_row(row: Row, trained: Trained, scorer: Scorer, curved: bool) -> tuple[Figures, list[Figures]]:
    """Score a row of cepts, and, where asked for, what is left of it from each confidence on."""
    aligner = trained.aligner(**row.options)
    links = aligner.align(trained.text(row.measure))
    cepts = links.cepts
    assert cepts is not None
    curve = [scorer.figures(cepts.links(least)) for least in CONFIDENCES] if curved else []
    return scorer.figures(links), curve
