"""The figures of tables 1 to 4 in percent, whoever found them: the paper or we."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from goutte_2004.rows import FRENCH, ROMANIAN

if TYPE_CHECKING:
    from cepts.evaluation import Evaluation

CITATION = (
    "C. Goutte, K. Yamada and E. Gaussier: *Aligning words using matrix factorisation*. ACL 2004, section 6"
)


class Scores(NamedTuple):
    """The columns of the tables, in percent; against sure links, against possible ones, and AER."""

    precision_sure: float
    recall_sure: float
    f_sure: float
    precision_possible: float
    recall_possible: float
    f_possible: float
    aer: float

    @classmethod
    def of(cls, made: Evaluation) -> Scores:
        """Take them out of an evaluation."""
        shares = (
            share for one in (made.sure, made.possible) for share in (one.precision, one.recall, one.f1)
        )
        return cls(*(round(100.0 * share, 4) for share in (*shares, made.aer)))


COLUMNS = ("P_S", "R_S", "F_S", "P_P", "R_P", "F_P", "AER")


class Figures(NamedTuple):
    """What some links come to, without and with NULL, how many links a word has, and how many words have any."""

    plain: Scores
    null: Scores
    links_per_word: float
    aligned: float

    @classmethod
    def read(cls, made: dict[str, Any]) -> Figures:
        """Take them out of a record."""
        return cls(Scores(*made["plain"]), Scores(*made["null"]), made["links_per_word"], made["aligned"])


def only_sure(precision: float, recall: float, f1: float, aer: float) -> Scores:
    """Where all gold links are sure, they are the possible ones too.

    >>> only_sure(70.34, 65.54, 67.85, 32.15).f_possible
    67.85
    """
    return Scores(precision, recall, f1, precision, recall, f1, aer)


# As printed. Table 1: the trial sentences; 2 and 3: the test sentences, without and with NULL; 4: Romanian-English.
PAPER_CEPTS, PAPER_NOISE = 6, 0.00053  # of sentence 1023: K, and P(c = 0); section 5
AIC, BIC, INTERSECTION = "ONMF + AIC", "ONMF + BIC", "IBM4 intersection"
TABLE_1 = {
    AIC: Scores(45.26, 94.67, 61.24, 86.56, 34.30, 49.14, 10.81),
    BIC: Scores(42.69, 96.75, 59.24, 83.42, 35.82, 50.12, 12.50),
}
TABLE_2 = {
    AIC: Scores(49.86, 95.12, 65.42, 84.63, 37.39, 51.87, 11.76),
    BIC: Scores(46.50, 96.01, 62.65, 80.92, 38.69, 52.35, 14.16),
    INTERSECTION: Scores(71.46, 90.04, 79.68, 97.66, 28.44, 44.12, 5.71),
    "HLT-03 best F": Scores(72.54, 80.61, 76.36, 77.56, 38.19, 51.18, 18.50),
    "HLT-03 best AER": Scores(55.43, 93.81, 69.68, 90.09, 35.30, 50.72, 8.53),
}
TABLE_3 = {
    AIC: Scores(42.88, 95.12, 59.11, 75.17, 37.20, 49.77, 18.63),
    BIC: Scores(40.17, 96.01, 56.65, 72.20, 38.49, 50.21, 20.78),
    INTERSECTION: Scores(56.39, 90.04, 69.35, 81.14, 28.90, 42.62, 15.43),
    "HLT-03 best": Scores(72.54, 80.61, 76.36, 77.56, 36.79, 49.91, 18.50),
}
TABLE_4 = {
    AIC: only_sure(70.34, 65.54, 67.85, 32.15),
    BIC: only_sure(55.88, 67.70, 61.23, 38.77),
    "HLT-03 best": only_sure(82.65, 62.44, 71.14, 28.86),
}
TABLE_4_NULL = {
    AIC: only_sure(62.65, 62.10, 62.38, 37.62),
    BIC: only_sure(51.78, 64.07, 57.27, 42.73),
    "HLT-03 best": only_sure(82.65, 54.11, 65.40, 34.60),
}

# By corpus and part, without and with NULL; the paper has no other.
PAPER: dict[tuple[str, str], tuple[dict[str, Scores], dict[str, Scores]]] = {
    (FRENCH, "dev"): (TABLE_1, {}),
    (FRENCH, "test"): (TABLE_2, TABLE_3),
    (ROMANIAN, "test"): (TABLE_4, TABLE_4_NULL),
}
CRITERION_ROWS = {"aic": AIC, "bic": BIC}


def paper_aer(corpus: str, part: str, criterion: str) -> float | None:
    """The paper's AER of its cepts, without NULL, if it has one."""
    tables = PAPER.get((corpus, part))
    return None if tables is None else tables[0][CRITERION_ROWS[criterion]].aer


def pairs_per_second(record: dict[str, Any], with_matrices: bool) -> float:
    """Pairs in a CPU second of one thread.

    >>> record = {"factorised": 1000, "matrices_seconds": 0.3, "factorising_seconds": 0.2}
    >>> pairs_per_second(record, False), pairs_per_second(record, True)
    (5000.0, 2000.0)
    """
    seconds = record["factorising_seconds"] + (record["matrices_seconds"] if with_matrices else 0.0)
    return float(record["factorised"] / seconds) if seconds else 0.0
