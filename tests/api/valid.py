"""Right arguments for every public function: what a walk over the interface varies one at a time."""

from __future__ import annotations

import copy
import io
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import cepts

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable
    from pathlib import Path

# Calls that are right, and would never return.
ENDLESS = {("cepts.web.serve", "say", "a function")}

# Keyword arguments that are caught by **options, and looked at by a class of their own.
OPTIONS = {
    "cepts.Aligner.__init__": ("hmm_iterations", "combine", "min_confidence", "regularity", "classes"),
    "cepts.Aligner.load": ("combine", "min_confidence"),
    "cepts.aligning.recipe": ("model_type", "precision", "seed", "optimizer", "training"),
    "cepts.EditModel.fit": ("mode", "order", "epochs", "seed"),
    "cepts.JointNMF.__init__": ("iterations", "start", "tolerance", "batch"),
    "cepts.Similarity.fit": ("k", "iterations", "features", "measure"),
    "cepts.names.PhraseSystem.fit": ("order", "smoothing", "margin"),
    "cepts.names.WordScores.fit": ("hmm_iterations",),
    "cepts.sentences.SentenceModel.fit": ("k", "iterations", "beta"),
    "cepts.translation.Translator.train": ("order", "margin", "tuner"),
    "cepts.phrases.write_phrase_table_from_files": ("segmenter",),
}

PAIRS = [
    ("la petite maison", "the small house"),
    ("le chat noir", "the black cat"),
    ("la maison noire", "the black house"),
    ("le petit chat", "the small cat"),
    ("une maison", "a house"),
    ("un chat", "a cat"),
]
NAMES = [
    ("anna", "ана"),
    ("ivan", "иван"),
    ("olga", "олга"),
    ("ada", "ада"),
    ("nina", "нина"),
    ("vera", "вера"),
]
BIO = "Anna B-PER\nsleeps O\n\nThe O\ncat O\n"
MEASURED = ("sample", "test", 10, "best", 20.0, 1.0, 1.0, 10.0)


class World:
    """Small texts, links and models of each kind, made when they are first needed, and files of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = iter(range(10**9))

    def example(self, owner: type) -> Any:
        """Return an object of a public class, a copy: methods may change it."""
        try:
            make = EXAMPLES[owner.__name__ if owner.__module__ != "cepts.names.systems" else "System"]
        except KeyError:
            raise AssertionError(
                f"{owner.__module__}.{owner.__name__} is public and new: add an example of it to tests/api/valid.py"
            ) from None
        return copy.copy(make(self))

    def argument(self, name: str, parameter: inspect.Parameter) -> Any:
        """Return a right value for a parameter."""
        words = str(getattr(parameter.annotation, "__forward_arg__", parameter.annotation))
        for table, key in (
            (BY_PLACE, f"{name}.{parameter.name}"),
            (BY_NAME, parameter.name),
            (BY_KIND, words),
        ):
            if key in table:
                return table[key](self)
        raise AssertionError(
            f"{name}: its parameter {parameter.name}: {words} is new: "
            "say in tests/api/valid.py what is right for it"
        )

    def new(self) -> Path:
        """Return a path of which there is nothing yet."""
        return self.folder / f"new-{next(self._numbers)}"

    def file(self, name: str, content: str) -> Path:
        """Return the path of a file."""
        path = self.folder / name
        if not path.exists():
            path.write_text(content, encoding="utf-8")
        return path

    def close(self) -> None:
        """Close what is open."""
        if "listener" in vars(self):
            self.listener.close()

    @cached_property
    def listener(self) -> Any:
        from cepts.web import open_port

        return open_port("127.0.0.1", 0)

    @cached_property
    def bitext(self) -> cepts.Bitext:
        return cepts.bitext_from_pairs(PAIRS, keep_text=True)

    @cached_property
    def aligner(self) -> cepts.Aligner:
        return cepts.Aligner("fast").fit(self.bitext)

    @cached_property
    def links(self) -> cepts.Links:
        return self.aligner.align(self.bitext)

    @cached_property
    def edits(self) -> cepts.EditModel:
        return cepts.EditModel.fit(NAMES, order=1, epochs=1)

    @cached_property
    def joint(self) -> cepts.JointNMF:
        return cepts.JointNMF(2, iterations=3).fit(TABLE, TABLE)

    @cached_property
    def similarity(self) -> cepts.Similarity:
        return cepts.Similarity.fit(self.bitext, k=2, iterations=3, features="words:1", aligner=self.aligner)

    @cached_property
    def judge(self) -> cepts.Judge:
        side = self.bitext
        return cepts.Judge.fit(self.similarity, side.source, side.target, swapped_words(side.target))

    @cached_property
    def evaluation(self) -> cepts.Evaluation:
        return cepts.evaluate(self.links, self.links, resamples=10, phrases=3)

    @cached_property
    def model(self) -> Path:
        self.aligner.save(path := self.folder / "model")
        return path

    def saved(self, name: str) -> Path:
        """Return the folder of a saved model or text."""
        path = self.folder / f"saved-{name}"
        if not path.exists():
            getattr(self, name).save(path)
        return path

    @cached_property
    def phrase_system(self) -> Any:
        from cepts.names import PhraseSystem

        return PhraseSystem.fit(NAMES, NAMES, order=2, rounds=1, model_type="hmm")

    @cached_property
    def word_scores(self) -> Any:
        from cepts.names import WordScores

        return WordScores.fit(NAMES, "ibm1")

    @cached_property
    def combination(self) -> Any:
        from cepts.names import Combination

        return Combination.fit({"one": self.edits, "other": self.word_scores}, NAMES)

    @cached_property
    def translator(self) -> Any:
        from cepts.translation import Translator

        return Translator.train(self.bitext, links=self.links, order=2)

    @cached_property
    def service(self) -> Any:
        from cepts.web import Service

        return Service(self.aligner)

    @cached_property
    def name_scores(self) -> Any:
        from cepts.evaluation import evaluate_names

        return evaluate_names([["a", "b"], ["c"]], [["a"], ["d"]], resamples=10)

    @cached_property
    def dictionary(self) -> Any:
        from cepts.phrases import dictionary

        return dictionary(self.bitext, self.links)

    @cached_property
    def tables(self) -> Any:
        from cepts.phrases import lexical_tables

        return lexical_tables(self.bitext, self.links)

    @cached_property
    def tagged(self) -> Any:
        from cepts.phrases import split_tags

        return split_tags(cepts.bitext_from_pairs([("la_DET maison_NOUN", "")]).source)

    @cached_property
    def indexed(self) -> Any:
        from cepts.words import index_bitext

        return index_bitext(self.bitext)

    @cached_property
    def word_model(self) -> Any:
        fitted = self.aligner._fitted
        assert fitted is not None
        return fitted[2]

    @cached_property
    def associations(self) -> Any:
        from cepts.combine import from_matrices

        return from_matrices([[[3.0, 0.0], [0.0, 2.0]]] * 3)

    @cached_property
    def cepts(self) -> Any:
        from cepts.combine import factorise

        return factorise(self.associations)

    @cached_property
    def space(self) -> Any:
        from cepts.sentences import FeatureSpace

        return FeatureSpace.fit(self.bitext.source)

    @cached_property
    def drawn(self) -> list[Any]:
        from cepts.views import aligned_pairs

        return list(aligned_pairs(self.bitext, self.links))

    @cached_property
    def lexicon(self) -> Any:
        return self.aligner.lexicon()[0]

    @cached_property
    def line(self) -> Any:
        from cepts.phrases import split_line

        return split_line("Anna dort")

    @cached_property
    def bio(self) -> Any:
        from cepts.phrases import read_bio

        return read_bio(self.file("bio.txt", BIO))

    @cached_property
    def conllu(self) -> Any:
        from cepts.phrases import read_conllu

        return read_conllu(self.file("conllu.txt", CONLLU))[0]

    @cached_property
    def marked(self) -> Any:
        from cepts.phrases import parse_markup

        return parse_markup("a <b>bold</b> word")

    @cached_property
    def span(self) -> Any:
        from cepts.phrases.projection import Span

        return Span(0, 1)

    @cached_property
    def best(self) -> Any:
        from cepts.phrases.projection import Best

        return Best(0, 1.0)

    @cached_property
    def best_lists(self) -> Any:
        return self.aligner.best_lists(self.bitext, 3, "forward")


CONLLU = "1\tAnna\tAnna\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tsleeps\tsleep\tVERB\t_\t_\t0\troot\t_\t_\n\n"
TABLE = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, 1.0, 0.0], [1.0, 1.0, 1.0]])


def swapped_words(side: Any) -> Any:
    """Return another text of as many sentences."""
    return side.picked(np.arange(len(side))[::-1].copy())


def _lazy(path: str, *arguments: Any, **more: Any) -> Callable[[World], Any]:
    """Make an object of a public class from plain arguments."""
    package, name = path.rsplit(".", 1)

    def make(_: World) -> Any:
        import importlib

        return getattr(importlib.import_module(f"cepts.{package}"), name)(*arguments, **more)

    return make


EXAMPLES: dict[str, Callable[[World], Any]] = {
    "Aligner": lambda world: world.aligner,
    "Alignment": lambda world: world.links,
    "Bitext": lambda world: world.bitext,
    "Side": lambda world: world.bitext.source,
    "EditModel": lambda world: world.edits,
    "Evaluation": lambda world: world.evaluation,
    "JointNMF": lambda world: world.joint,
    "Judge": lambda world: world.judge,
    "Link": lambda _: cepts.Link(0, 0),
    "Links": lambda world: world.links,
    "Recipe": lambda _: cepts.Recipe(),
    "Similarity": lambda world: world.similarity,
    "Posterior": lambda world: world.aligner.posteriors(("le chat", "the cat")),
    "Candidate": _lazy("characters.Candidate", "a", 0.5),
    "Edit": lambda world: world.edits.explain("anna", "ана")[0],
    "Epoch": _lazy("characters.Epoch", 1, 2, 0.5, None),
    "Feature": _lazy("characters.Feature", "a", 0.5),
    "History": lambda world: world.edits.history,
    "Left": _lazy("characters.Left"),
    "TrainingOptions": _lazy("characters.TrainingOptions"),
    "Weight": _lazy("characters.Weight", "a", "b", "c", 0.5),
    "AssociationOptions": _lazy("combine.AssociationOptions"),
    "Associations": lambda world: world.associations,
    "Cept": _lazy("combine.Cept", [0], [0], 0.5),
    "Cepts": lambda world: world.cepts,
    "CeptsOptions": _lazy("combine.CeptsOptions"),
    "DualLinks": lambda world: dual_links(world),
    "DualOptions": _lazy("combine.DualOptions"),
    "Originals": lambda world: world.bitext.source.originals,
    "Segmenter": _lazy("corpus.Segmenter"),
    "Segmenters": _lazy("corpus.Segmenters"),
    "TextOptions": _lazy("corpus.TextOptions"),
    "Bin": _lazy("evaluation.Bin", 3, 0.5, 1),
    "Comparison": _lazy("evaluation.Comparison", 0.0, 0.0, 0.0, 0.5),
    "Estimate": _lazy("evaluation.Estimate", 0.5, 0.4, 0.6),
    "NameScores": lambda world: world.name_scores,
    "PhraseScores": lambda world: world.evaluation.phrases,
    "SetScores": _lazy("evaluation.SetScores", 0.5, 0.5, 0.5),
    "BestLists": lambda world: world.best_lists,
    "Problem": _lazy("links.Problem", "a", 1, "b"),
    "Validation": _lazy("links.Validation", "a", "pharaoh", 0, 0, [], {}),
    "Combination": lambda world: world.combination,
    "Match": _lazy("names.Match", "a", "b", 0.5),
    "PhraseSettings": _lazy("names.PhraseSettings"),
    "PhraseSystem": lambda world: world.phrase_system,
    "WordScores": lambda world: world.word_scores,
    "Dictionary": lambda world: world.dictionary,
    "Entry": lambda world: world.dictionary[0],
    "LexicalTable": lambda world: world.tables[0],
    "PhrasePairs": lambda world: phrase_pairs(world),
    "ProjectionCounts": _lazy("phrases.ProjectionCounts"),
    "ProjectionOptions": _lazy("phrases.ProjectionOptions"),
    "Pruning": _lazy("phrases.Pruning"),
    "TableCounts": _lazy("phrases.TableCounts", 1, 0, 0, 1, 1, {}),
    "TaggedSide": lambda world: world.tagged,
    "Term": _lazy("phrases.Term", "a", "b", 0.5, 1, 0, ("a", "b")),
    "LexicalOverlap": lambda world: world.similarity.overlap,
    "Ranked": lambda world: next(world.similarity.rank(world.bitext.source, world.bitext.target)),
    "FactorOptions": _lazy("sentences.FactorOptions"),
    "FeatureOptions": _lazy("sentences.FeatureOptions"),
    "FeatureSpace": lambda world: world.space,
    "Matrix": lambda world: world.space.encode(world.bitext.source),
    "SentenceModel": lambda world: world.similarity.factors,
    "ModelFolder": _lazy("storage.ModelFolder", {}, {}, {}),
    "Translation": _lazy("translation.Translation", "a", 0.5, {}),
    "TranslationSettings": _lazy("translation.TranslationSettings"),
    "Translator": lambda world: world.translator,
    "AlignedPair": lambda world: world.drawn[0],
    "Curve": _lazy("views.Curve", "hmm", "both", "loss", [3.0, 2.0]),
    "Measured": _lazy("views.Measured", *MEASURED),
    "Limits": _lazy("web.Limits"),
    "Places": _lazy("web.Places"),
    "Service": lambda world: world.service,
}


def phrase_pairs(world: World) -> Any:
    from cepts.phrases import extract

    return extract(world.links, world.bitext.source.lengths, world.bitext.target.lengths)


def dual_links(world: World) -> Any:
    """Return the links of two directions that bargained."""
    return cepts.Aligner("fast", combine="dual").fit(world.bitext).align(world.bitext).dual


def matrices_file(world: World) -> Path:
    """Return a file of matrices."""
    path = world.folder / "matrices.npy"
    np.save(path, TABLE[None])
    return path


def measured_file() -> str:
    """Return rows of systems, as benchmarks write them."""
    names = ("corpus", "part", "pairs", "system", "aer", "cpu_seconds", "wall_seconds", "peak_mb")
    return json.dumps([dict(zip(names, MEASURED, strict=True))])


def saved_factors(world: World) -> Path:
    """Return the folder of a sentence model."""
    path = world.folder / "saved-factors"
    if not path.exists():
        world.similarity.factors.save(path)
    return path


def _read(name: str) -> Callable[[World], Any]:
    return lambda world: getattr(world, name)


BY_PLACE: dict[str, Callable[[World], Any]] = {
    "cepts.Aligner.load.folder": _read("model"),
    "cepts.Bitext.load.folder": lambda world: world.saved("bitext"),
    "cepts.EditModel.__init__.weights": lambda world: world.edits.weights,
    "cepts.EditModel.load.folder": lambda world: world.saved("edits"),
    "cepts.EditModel.affinities_of.sources": lambda world: world.edits.encode_sources(["anna"]),
    "cepts.EditModel.affinities_of.targets": lambda world: world.edits.encode_targets(["ана"]),
    "cepts.JointNMF.fit_blocks.blocks": lambda world: [(EXAMPLES["Matrix"](world),) * 2],
    "cepts.JointNMF.fit_blocks.widths": lambda world: (EXAMPLES["Matrix"](world).width,) * 2,
    "cepts.JointNMF.check_size.widths": lambda _: (3, 3),
    "cepts.JointNMF.fit_stream.batches": lambda world: lambda: [(EXAMPLES["Matrix"](world),) * 2],
    "cepts.Judge.load.folder": lambda world: world.saved("judge"),
    "cepts.Links.from_pairs.pairs": lambda _: [[(0, 0, 0.5, True)], []],
    "cepts.align.text": lambda _: PAIRS,
    "cepts.as_bitext.text": lambda _: PAIRS,
    "cepts.Aligner.align.text": lambda _: PAIRS,
    "cepts.Aligner.fit.bitext": lambda _: PAIRS,
    "cepts.Aligner.updated.bitext": lambda _: PAIRS,
    "cepts.Alignment.select.mask": lambda world: world.links.source > 0,
    "cepts.Alignment.write.path": lambda world: world.new(),
    "cepts.Links.select.mask": lambda world: world.links.source > 0,
    "cepts.Similarity.load.folder": lambda world: world.saved("similarity"),
    "cepts.Recipe.training_of.stage": lambda _: "hmm",
    "cepts.Recipe.of_dict.values": lambda _: {"seed": 3},
    "cepts.read_bitext.source": lambda world: world.file("both.tsv", "la maison\tthe house\n"),
    "cepts.read_lexicon.path": lambda world: world.file("lexicon.tsv", "la\tthe\n"),
    "cepts.combine.from_matrices.matrices": lambda _: [TABLE],
    "cepts.combine.read_matrices.path": matrices_file,
    "cepts.combine.combine.method": lambda _: "union",
    "cepts.corpus.Originals.joined.parts": lambda world: [world.bitext.source.originals] * 2,
    "cepts.corpus.Originals.cut.text": lambda _: np.frombuffer(b"abc", np.uint8),
    "cepts.corpus.Originals.cut.lengths": lambda _: np.array([1, 2]),
    "cepts.corpus.Originals.__init__.text": lambda _: np.frombuffer(b"abc", np.uint8),
    "cepts.corpus.Originals.__init__.first": lambda _: np.array([0, 1]),
    "cepts.corpus.Originals.__init__.end": lambda _: np.array([1, 3]),
    "cepts.corpus.Segmenter.of_description.found": lambda _: {"name": "auto", "pieces": None},
    "cepts.corpus.Segmenter.cut.run": lambda _: "ねこはさかな",
    "cepts.corpus.Segmenter.cut.rule": lambda _: "learned",
    "cepts.corpus.Segmenter.taught.runs": lambda _: {"ねこは": 3, "ねこ": 2},
    "cepts.corpus.TextOptions.of_description.found": lambda world: world.aligner.text.described(),
    "cepts.corpus.TextOptions.of_side.source": lambda _: True,
    "cepts.corpus.read_bitext_in_pieces.path": lambda world: world.file("both.tsv", "la maison\tthe house\n"),
    "cepts.corpus.read_pairs.path": lambda world: world.file("both.tsv", "la maison\tthe house\n"),
    "cepts.corpus.read_side.path": lambda world: world.file("side.txt", "la maison\n"),
    "cepts.corpus.side_from_tokens.sentences": lambda _: [["a", "b"], []],
    "cepts.corpus.split_pairs.lines": lambda _: [b"a ||| b\n"],
    "cepts.evaluation.calibration_error.bins": lambda world: [EXAMPLES["Bin"](world)],
    "cepts.evaluation.groups_right.groups": lambda _: [["anna", "ана"], ["ivan", "иван"]],
    "cepts.evaluation.orders_right.orders": lambda _: [("anna", "ана", "иван")],
    "cepts.evaluation.break_even.relevant": lambda _: [True, False, True],
    "cepts.evaluation.with_null_links.source_lengths": lambda world: world.bitext.source.lengths,
    "cepts.evaluation.with_null_links.target_lengths": lambda world: world.bitext.target.lengths,
    "cepts.evaluation.score_tests.name": lambda _: "ranks",
    "cepts.evaluation.score_tests.right": lambda _: [1.0, 0.0, 1.0],
    "cepts.evaluation.NameScores.label.name": lambda world: next(iter(world.name_scores.scores)),
    "cepts.evaluation.NameScores.compare.other": _read("name_scores"),
    "cepts.links.BestLists.shares.pairs": lambda _: len(PAIRS),
    "cepts.links.BestLists.replaced.lists": lambda _: {0: [(-1.0, [cepts.Link(0, 0)])]},
    "cepts.links.write_best_lists.lists": _read("best_lists"),
    "cepts.links.read_best_lists.path_or_stream": lambda _: io.StringIO("0 ||| 0-0 ||| -1.0\n"),
    "cepts.names.Combination.fit.systems": lambda world: {"one": world.edits, "other": world.word_scores},
    "cepts.names.Combination.__init__.systems": lambda world: {"one": world.edits},
    "cepts.names.Combination.load.folder": lambda world: world.saved("combination"),
    "cepts.names.PhraseSystem.load.folder": lambda world: world.saved("phrase_system"),
    "cepts.names.WordScores.load.folder": lambda world: world.saved("word_scores"),
    "cepts.names.WordScores.__init__.aligner": lambda world: world.word_scores.aligner,
    "cepts.names.load_system.folder": lambda world: world.saved("edits"),
    "cepts.names.PhraseSystem.fit.pairs": lambda _: NAMES,
    "cepts.names.WordScores.fit.pairs": lambda _: NAMES,
    "cepts.names.Combination.fit.dev": lambda _: NAMES,
    "cepts.phrases.lookup.table": lambda world: world.tables[0],
    "cepts.phrases.lookup.given": lambda _: np.array([0, 1]),
    "cepts.phrases.lookup.generated": lambda _: np.array([0, 1]),
    "cepts.phrases.dictionary_of_tables.tables": _read("tables"),
    "cepts.phrases.dictionary_of_tables.words": lambda world: (
        world.bitext.source.words,
        world.bitext.target.words,
    ),
    "cepts.phrases.tables_of_model.row_offsets": lambda world: world.lexicon.row_offsets,
    "cepts.phrases.tables_of_model.columns": lambda world: world.lexicon.columns,
    "cepts.phrases.tables_of_model.values": lambda world: world.lexicon.values,
    "cepts.phrases.tables_of_model.targets": lambda world: len(world.bitext.target.words),
    "cepts.phrases.Pruning.enough.counts": lambda _: np.array([1, 2]),
    "cepts.phrases.Pruning.enough.scores": lambda _: np.array([0.1, 0.2]),
    "cepts.phrases.parse_markup.text": lambda _: "a <b>bold</b> word",
    "cepts.phrases.project_annotations.sentences": lambda world: world.bio,
    "cepts.phrases.project_annotations.targets": lambda world: [world.line, world.line],
    "cepts.phrases.project_annotations.links": lambda _: cepts.Links.from_pairs([[(0, 0)], [(1, 1)]]),
    "cepts.phrases.project_conllu.sentence": lambda world: world.conllu,
    "cepts.phrases.project_entities.entities": lambda world: world.bio[0].entities,
    "cepts.phrases.project_heads.heads": lambda _: [1, None],
    "cepts.phrases.project_markup.elements": lambda world: world.marked.elements,
    "cepts.phrases.project_spans.spans": lambda world: [world.span],
    "cepts.phrases.read_annotated.path": lambda world: world.file("bio.txt", BIO),
    "cepts.phrases.read_bio.path": lambda world: world.file("bio.txt", BIO),
    "cepts.phrases.read_conllu.path": lambda world: world.file("conllu.txt", CONLLU),
    "cepts.phrases.read_markup.path": lambda world: world.file("markup.txt", "a <b>bold</b> word\n"),
    "cepts.phrases.split_tags.side": lambda _: cepts.bitext_from_pairs([("la_DET maison_NOUN", "")]).source,
    "cepts.phrases.write_phrase_table.output": lambda world: world.new(),
    "cepts.phrases.write_phrase_table_from_files.source": lambda world: world.file("fr", "la maison\n"),
    "cepts.phrases.write_phrase_table_from_files.target": lambda world: world.file("en", "the house\n"),
    "cepts.phrases.write_phrase_table_from_files.links": lambda world: world.file("links", "0-0 1-1\n"),
    "cepts.phrases.write_phrase_table_from_files.output": lambda world: world.new(),
    "cepts.phrases.write_lexicon.given_words": lambda world: world.bitext.source.words,
    "cepts.phrases.write_lexicon.generated_words": lambda world: world.bitext.target.words,
    "cepts.phrases.write_terms.terms": lambda world: [EXAMPLES["Term"](world)],
    "cepts.phrases.write_dictionary.found": _read("dictionary"),
    "cepts.quality.LexicalOverlap.scores_of.first": lambda _: 0,
    "cepts.quality.LexicalOverlap.scores_of.end": lambda _: 2,
    "cepts.running.run.function": lambda _: lambda chunk: chunk,
    "cepts.running.run.chunks": lambda _: [1, 2],
    "cepts.sentences.FeatureSpace.unpacked.meta": lambda world: world.space.packed()[0],
    "cepts.sentences.FeatureSpace.unpacked.arrays": lambda world: world.space.packed()[1],
    "cepts.sentences.FeatureSpace.unpacked.texts": lambda world: world.space.packed()[2],
    "cepts.sentences.SentenceModel.unpacked.meta": lambda world: world.similarity.factors.packed()[0],
    "cepts.sentences.SentenceModel.unpacked.arrays": lambda world: world.similarity.factors.packed()[1],
    "cepts.sentences.SentenceModel.unpacked.texts": lambda world: world.similarity.factors.packed()[2],
    "cepts.sentences.SentenceModel.__init__.spaces": lambda world: world.similarity.factors.spaces,
    "cepts.sentences.SentenceModel.load.folder": saved_factors,
    "cepts.sentences.parse_features.text": lambda _: "words:1",
    "cepts.sentences.project.matrix": lambda world: EXAMPLES["Matrix"](world),
    "cepts.sentences.project.factors": lambda world: world.similarity.factors.factorisation.source_factors,
    "cepts.sentences.project.projection": lambda _: "non-negative",
    "cepts.sentences.similarities.one": lambda _: TABLE,
    "cepts.sentences.similarities.other": lambda _: TABLE,
    "cepts.sentences.tag_lines.tagger": lambda _: lambda words: ["X" for _ in words],
    "cepts.storage.describe_folder.path": _read("model"),
    "cepts.storage.load_folder.path": _read("model"),
    "cepts.storage.load_folder.kind": lambda _: "word-aligner",
    "cepts.storage.save_folder.kind": lambda _: "words",
    "cepts.storage.save_folder.meta": lambda _: {"a": 1},
    "cepts.storage.save_folder.arrays": lambda _: {"a": np.arange(3)},
    "cepts.storage.save_folder.texts": lambda _: {"b": ["a"]},
    "cepts.translation.bleu.statistics": lambda _: np.ones((2, 10)),
    "cepts.translation.Translator.load.folder": lambda world: world.saved("translator"),
    "cepts.translation.Translator.word.number": lambda _: 0,
    "cepts.views.plot_reliability.curves": lambda world: {"a": [EXAMPLES["Bin"](world)]},
    "cepts.views.plot_training.runs": lambda world: {"a": [EXAMPLES["Curve"](world)]},
    "cepts.views.read_measured.path": lambda world: world.file("rows.json", measured_file()),
    "cepts.views.read_training.path": lambda world: world.file(
        "losses.tsv", "k\titeration\tloss\n2\t0\t1.0\n"
    ),
    "cepts.views.curves_of.training": lambda world: world.aligner.curves,
    "cepts.web.open_port.host": lambda _: "127.0.0.1",
    "cepts.web.open_port.port": lambda _: 0,
    "cepts.web.serve.listener": _read("listener"),
    "cepts.web.open_service.model": lambda world: str(world.model),
    "cepts.web.Service.called.combine": lambda _: "union",
    "cepts.web.Service.check_combiner.combine": lambda _: "union",
}
BY_NAME: dict[str, Callable[[World], Any]] = {
    "factorisation": lambda world: world.similarity.factors.factorisation,
    "weights": lambda world: world.edits.weights,
    "source_alphabet": lambda world: world.edits.source_alphabet,
    "target_alphabet": lambda world: world.edits.target_alphabet,
    "coefficients": lambda _: np.array([1.0, 1.0]),
    "direction": lambda _: "both",
    "first": lambda _: 0,
    "end": lambda _: 3,
    "k": lambda _: 1,
    "numbers": lambda _: np.array([2, 0]),
    "ones": lambda _: np.array([0]),
    "others": lambda _: np.array([0]),
}
BY_KIND: dict[str, Callable[[World], Any]] = {
    "int": lambda _: 2,
    "str": lambda _: "anna",
    "float": lambda _: 0.5,
    "Any": lambda _: TABLE,
    "Row": lambda _: [0.5, 0.25, 0.75],
    "ArrayLike": lambda _: [0.5, 0.25, 0.75],
    "Sequence[str]": lambda _: ["anna", "ivan"],
    "Iterable[str]": lambda _: ["anna", "ivan"],
    "Iterable[Sequence[str]]": lambda _: NAMES,
    "Iterable[tuple[str, str]]": lambda _: PAIRS,
    "Bitext": _read("bitext"),
    "Bitext | Text": _read("bitext"),
    "Bitext | tuple[str, str]": lambda _: ("le chat", "the cat"),
    "Links": _read("links"),
    "Iterable[Link]": lambda _: [cepts.Link(0, 0), cepts.Link(1, 1)],
    "Sequence[Link]": lambda _: [cepts.Link(0, 0), cepts.Link(1, 1)],
    "Side": lambda world: world.bitext.source,
    "Aligner": _read("aligner"),
    "EditModel": _read("edits"),
    "Similarity | SentenceModel": _read("similarity"),
    "Service": _read("service"),
    "WordModel": _read("word_model"),
    "IndexedBitext": _read("indexed"),
    "Associations": _read("associations"),
    "TextIO": lambda _: io.StringIO(),
    "Input": lambda _: io.StringIO("0-0 1-1\n"),
    "str | os.PathLike[str]": lambda world: world.new(),
    "str | Path": lambda world: world.new(),
    "Answers": lambda _: [["a", "b"], ["c"]],
    "References": lambda _: [["a"], ["d"]],
    "Scorer": _read("edits"),
    "NDArray[np.integer]": lambda world: world.bitext.source.lengths,
    "LexicalTable": lambda world: world.tables[0],
    "Line": _read("line"),
    "Sequence[Best | None]": lambda world: [world.best, None],
    "Pruning": lambda world: EXAMPLES["Pruning"](world),
    "FactorOptions": lambda world: EXAMPLES["FactorOptions"](world),
    "TrainingOptions": lambda world: EXAMPLES["TrainingOptions"](world),
    "Iterable[AlignedPair]": _read("drawn"),
    "Sequence[Measured]": lambda world: [EXAMPLES["Measured"](world)],
    "MarkedAlphabet": lambda world: world.phrase_system.source,
    "Decoder": lambda world: world.phrase_system.decoder,
}
