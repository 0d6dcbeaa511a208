"""What is run: tables, corpora, and the rows of each table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from freitag_2007.paper import ARABIC, MANDARIN, RUSSIAN

TABLES = ("consonants", "rhymes", "data", "weights", "transcription", "ranking")
FOLDED = ("consonants", "rhymes")  # tables of three folds, which have no dev and no test
CORPORA = (ARABIC, RUSSIAN, MANDARIN, "ar-en-wikidata", "ar-en-arabic-origin")
RANKED = (ARABIC, MANDARIN)  # corpora of table 8
WORDS = "words"  # the place of a corpus in records of folded tables
LETTER = "ة"  # the tah marbuta of table 6


@dataclass(frozen=True)
class System:
    """Something that writes or judges names: its kind, what is chosen about it, and the systems that it is made of."""

    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    members: tuple[str, ...] = ()


def _edits(order: int, **options: Any) -> System:
    return System("edits", {"order": order, **options})


# Plain transliteration has the fewest character errors on dev, of four corpora together, with these links.
SYSTEMS = {
    "plain": System("plain", {"model_type": "hmm", "training": "agreement", "combine": "grow-diag"}),
    "phonetisaurus": System("phonetisaurus"),
    "smt-4gram": System("phrases", {"order": 4}),
    "smt": System("phrases"),
    "ptem": _edits(3, update="perceptron", epochs=10),
    "ptem-zero": _edits(3, update="perceptron", epochs=10, start="zero"),
    "edits": System("edits"),
    "combination-printed": System("combination", {"task": "transcribe"}, ("smt-4gram", "ptem")),
    "combination": System("combination", {"task": "transcribe"}, ("smt", "edits")),
    "ibm4": System("words", {"model_type": "ibm4"}),
    "hmm": System("words", {"model_type": "hmm"}),
    "smt+ibm4": System("combination", {"task": "rank"}, ("smt", "ibm4")),
    **{f"g-{order}": _edits(order, update="perceptron", epochs=20) for order in (1, 2, 3)},
    "g-3-zero": _edits(3, update="perceptron", epochs=20, start="zero"),
    **{f"e-{order}": _edits(order) for order in (1, 2, 3)},
    **{f"r-{order}": _edits(order, mode="rank", decoys=200, epochs=20) for order in (1, 2, 3)},
    "r-1+ibm4": System("combination", {"task": "rank"}, ("r-1", "ibm4")),
}


@dataclass(frozen=True)
class Row:
    """A row of a table, and how it is called there."""

    table: str
    name: str
    title: str
    only: tuple[str, ...] = ()  # the corpora, where it is not run on all of its table

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora that it may be run on."""
        if self.only:
            return self.only
        if self.table in FOLDED:
            return (WORDS,)
        return {"ranking": RANKED, "weights": (ARABIC,)}.get(self.table, CORPORA)


ROWS = (
    Row("consonants", "edits-0", "PTEM, order 0"),
    Row("consonants", "levenshtein", "Levenshtein"),
    Row("rhymes", "chance", "Chance"),
    Row("rhymes", "levenshtein", "Levenshtein"),
    Row("rhymes", "levenshtein-share", "Levenshtein, divided by the longer word"),
    Row("rhymes", "suffix", "Longest common suffix"),
    Row("rhymes", "suffix-share", "Longest common suffix, divided by the longer word"),
    *(Row("rhymes", f"edits-{order}", f"PTEM, order {order}") for order in (0, 1, 2, 3)),
    Row("data", "sizes", "Sizes and lengths"),
    Row("weights", "ptem", "PTEM, order 3"),
    Row("weights", "edits", "Edit model, defaults"),
    Row("transcription", "plain", "Plain transliteration"),
    Row("transcription", "phonetisaurus", "Phonetisaurus, defaults"),
    Row("transcription", "smt-4gram", "SMT, 4-gram"),
    Row("transcription", "ptem", "PTEM, order 3, from a model of order 0"),
    Row(
        "transcription",
        "ptem-zero",
        "PTEM, order 3, from zero weights, all edits",
        (ARABIC, MANDARIN, "ar-en-arabic-origin"),
    ),
    Row("transcription", "combination-printed", "Linear combination of `smt-4gram` and `ptem`"),
    Row("transcription", "smt", "SMT, defaults"),
    Row("transcription", "edits", "Edit model, defaults"),
    Row("transcription", "combination", "Linear combination of `smt` and `edits`"),
    Row("ranking", "smt", "SMT"),
    Row("ranking", "smt-no-lm", "SMT w/o LM"),
    Row("ranking", "ibm4", "IBM 4"),
    Row("ranking", "hmm", "HMM"),
    Row("ranking", "smt+ibm4", "SMT + IBM 4"),
    *(Row("ranking", f"g-{order}", f"PTEM_G, order {order}, from a model of order 0") for order in (1, 2, 3)),
    Row("ranking", "g-3-zero", "PTEM_G, order 3, from zero weights, all edits"),
    *(Row("ranking", f"e-{order}", f"Edit model for generation, order {order}") for order in (1, 2, 3)),
    *(Row("ranking", f"r-{order}", f"PTEM_R, order {order}") for order in (1, 2, 3)),
    Row("ranking", "r-1+ibm4", "PTEM_R, order 1 + IBM 4"),
)
BY_PLACE = {(row.table, row.name): row for row in ROWS}
NAMES = tuple(dict.fromkeys(row.name for row in ROWS))


def rows_of(table: str) -> tuple[Row, ...]:
    """Return the rows of a table."""
    return tuple(row for row in ROWS if row.table == table)


def system_of(row: Row) -> str:
    """Name the system of a row: "smt-no-lm" is the SMT system, asked otherwise."""
    return row.name.removesuffix("-no-lm")


def signature(row: Row) -> str:
    """Write down all that decides a row's figures, besides the data.

    >>> signature(BY_PLACE["rhymes", "suffix"])
    'row:suffix'
    """
    if row.table == "data":
        return "row:sizes"
    if row.table in FOLDED:
        order = order_of(row)
        fields = {} if order is None else settings("edits", folded_options(row.table, order))
    else:
        fields = system_settings(system_of(row))
    return "|".join(f"{name}:{value}" for name, value in ({"row": row.name} | fields).items())


def order_of(row: Row) -> int | None:
    """Return the order of an edit model that is trained on folds; None for what is not learned."""
    return int(row.name.removeprefix("edits-")) if row.name.startswith("edits-") else None


def folded_options(table: str, order: int) -> dict[str, Any]:
    """How a model learns consonants or rhymes."""
    if table == "consonants":
        return {"mode": "affinity", "order": order}
    return {"mode": "classify", "order": order}


def system_settings(name: str) -> dict[str, Any]:
    """Return every setting of a system and of those that it is made of."""
    system = SYSTEMS[name]
    fields = settings(system.kind, system.options)
    for member in system.members:
        fields |= {f"{member}.{key}": value for key, value in system_settings(member).items()}
    return fields


def settings(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return every setting of a kind of system, defaults included."""
    if kind == "edits":
        from cepts.characters import TrainingOptions  # compiled kernels: not for --help

        fields = asdict(TrainingOptions(**options))
        if fields["start"] == "order-0":
            del fields["start"]  # as in records that were made before it could be chosen
        return fields
    if kind == "phrases":
        from cepts.names import PhraseSettings

        return asdict(PhraseSettings(**options))
    return dict(options)
