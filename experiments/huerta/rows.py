"""What is run: tables, corpora, and the rows of each table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from huerta.paper import K

OWN = "judge-tatoeba"  # the table of judges of sentences from the corpus that was factorised
TABLES = ("figure", "judge", OWN, "retrieval", "cleaning")
RANDOM, TATOEBA = "random", "tatoeba"
CLEANED = (TATOEBA, "en-es", "de-en", "en-fr-hansards")
NEWS = ("news-test2008", "newstest2011", "newstest2013")
# What a judge may learn from: machines are Apertium in the news and Moses in WMT12. Rows that learn from no machine
# have the corpus NONE.
NONE, ALL_NEWS, WMT12, TOGETHER = "none", "newstest", "wmt12", "newstest+wmt12"
JUDGED = (*NEWS, ALL_NEWS, WMT12, TOGETHER)
# What judges of Tatoeba learn from: its dev part, or the last training pairs, which are not factorised then.
TATOEBA_DEV, HELD_OUT = "tatoeba-dev", "tatoeba-held-out"
JUDGED_OWN = (TATOEBA_DEV, HELD_OUT)
CORPORA = (RANDOM, *CLEANED, *JUDGED, *JUDGED_OWN, NONE)

SIZES = (4, 8, 16, 32, 64)  # k, in figure 1
ITERATIONS = 200  # in figure 1
SHARES = (10, 20, 30)  # percent of bad pairs
PAIRS = 30_000  # that are cleaned
HELD_PAIRS = 20_000  # training pairs of Tatoeba that a judge learns from


@dataclass(frozen=True)
class Row:
    """A row of a table, how it is called there, the corpora that it is run on, and what is chosen about it."""

    table: str
    name: str
    title: str
    corpora: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)


def _figure(name: str, title: str, **options: Any) -> Row:
    fixed = {"beta": 1.0, "iterations": ITERATIONS, "tolerance": 0.0}
    return Row("figure", name, title, (RANDOM,), {"k": K, **fixed, **options})


def _found(name: str, title: str, use: str, neighbours: int = 0, **options: Any) -> Row:
    return Row("retrieval", name, title, (TATOEBA,), {"use": use, "neighbours": neighbours, **options})


def _judged(name: str, title: str, kind: str, **options: Any) -> Row:
    return Row("judge", name, title, JUDGED, {"kind": kind, **options})


def _cleaned(name: str, title: str) -> Row:
    return Row("cleaning", name, title, CLEANED)


PRINTED = {"features": "words", "projection": "least-squares", "measure": "cosine"}
TAGS = {"features": "tags:3", "projection": "least-squares", "k": K}

FIGURE = (
    _figure("multiplicative", "multiplicative"),
    _figure("additive", "additive, the best step of each row", update="additive"),
    _figure("additive-0.5", "additive, step 0.5", update="additive", step=0.5),
    _figure("additive-0.1", "additive, step 0.1", update="additive", step=0.1),
    *(_figure(f"k-{k}", f"k = {k}", k=k) for k in SIZES),
    *(_figure(f"kl-{k}", f"k = {k}", k=k, beta=0.0) for k in SIZES),
)
RETRIEVAL = (
    _found("printed-16", "factors as printed, k = 16", "factors", k=K, **PRINTED),
    *(_found(f"factors-{k}", f"factors, k = {k}", "factors", k=k) for k in (16, 64, 128, 256)),
    _found("words-128", "factors of words alone, k = 128", "factors", k=128, features="words"),
    _found("tfidf", "TF-IDF through the lexicon", "tfidf"),
    _found("lexicon", "lexical overlap", "lexicon"),
    _found("both", "overlap and factors", "both"),
    _found("factors-128-usual", "factors, k = 128, above usual", "factors", 4, k=128),
    _found("lexicon-usual", "lexical overlap, above usual", "lexicon", 4),
    _found("both-usual", "overlap and factors, above usual (the default)", "both", 4),
)
JUDGES = (
    _judged("perceptron", "tags, k = 16, perceptron", "perceptron", **TAGS),
    _judged("lvq", "tags, k = 16, LVQ", "lvq", **TAGS),
    _judged("dimension", "tags, k = 16, best dimension", "dimension", **TAGS),
    *(
        _judged(f"perceptron-{k}", f"tags, k = {k}, perceptron", "perceptron", **(TAGS | {"k": k}))
        for k in (8, 32, 64)
    ),
    _judged(
        "shared",
        "tag 1-2-grams of both languages, logistic regression",
        "shared",
        **(TAGS | {"features": "tags:2"}),
    ),
    _judged("words", "words, k = 16, perceptron", "perceptron", **(TAGS | {"features": "words"})),
    _judged("words-64", "words, k = 64, perceptron", "perceptron", **(TAGS | {"features": "words", "k": 64})),
    _judged("tag-classifier", "Spanish tag n-grams, logistic regression", "tag-classifier"),
    Row(
        "judge",
        "model-of-words",
        "Spanish language model, words",
        (NONE,),
        {"kind": "language", "unit": "words"},
    ),
    Row(
        "judge",
        "model-of-tags",
        "Spanish language model, tags",
        (NONE,),
        {"kind": "language", "unit": "tags"},
    ),
    # Nothing is learned from translations here: what the paper expects, and its opposite, by one number each.
    Row("judge", "nearer", "tags, k = 16, the nearer to the source", (NONE,), {"kind": "nearer", **TAGS}),
    Row("judge", "less-literal", "the less probable alignment", (NONE,), {"kind": "alignment"}),
    _judged("everything", "everything that a judge has", "everything"),
    _judged("stacked", "everything, language models and tag n-grams", "stacked"),
)
JUDGES_OWN = tuple(
    replace(row, table=OWN, corpora=(NONE,) if row.corpora == (NONE,) else JUDGED_OWN)
    for row in JUDGES
    if row.name
    in (
        "perceptron",
        "lvq",
        "dimension",
        "words",
        "tag-classifier",
        "model-of-words",
        "model-of-tags",
        "nearer",
    )
)
CLEANING = (
    _cleaned("length-ratio", "length ratio, in words"),
    _cleaned("letter-ratio", "length ratio, in letters"),
    _cleaned("alignment-score", "alignment score"),
    _cleaned("similarity", "similarity, of the text itself"),
    _cleaned("filter", "filter (the default)"),
    _cleaned("filter-models", "filter, with models of other text"),
)
ROWS = (*FIGURE, *JUDGES, *JUDGES_OWN, *RETRIEVAL, *CLEANING)
BY_PLACE = {(row.table, row.name): row for row in ROWS}
NAMES = tuple(dict.fromkeys(row.name for row in ROWS))


def rows_of(table: str) -> tuple[Row, ...]:
    """Return the rows of a table."""
    return tuple(row for row in ROWS if row.table == table)


def signature(row: Row) -> str:
    """Write down all that decides a row's figures, besides the data.

    >>> signature(BY_PLACE["retrieval", "lexicon"])
    'row:lexicon|use:lexicon|neighbours:0'
    """
    fields = {"row": row.name} | settings(row)
    return "|".join(f"{name}:{value}" for name, value in fields.items())


def settings(row: Row) -> dict[str, Any]:
    """Return every setting of a row, defaults included."""
    if row.table == "figure":
        from cepts.sentences import FactorOptions  # not for --help

        return asdict(FactorOptions(**row.options))
    if row.options.get("use") in ("factors", "both"):
        return {**row.options, **model_options(row)}
    return dict(row.options)


def model_options(row: Row) -> dict[str, Any]:
    """Return the options of the sentence model that a row of retrieval needs: the usual ones, and the row's own."""
    from cepts.quality.similar import DEFAULTS, DIMENSIONS

    own = {name: value for name, value in row.options.items() if name not in ("use", "neighbours")}
    return {"k": DIMENSIONS, **DEFAULTS, **own}
