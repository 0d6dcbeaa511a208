"""What the report of Huerta says, and what ours has to say to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huerta import paper as printed
from huerta.claims import accuracy, claims
from huerta.results import Results, Sheet
from huerta.rows import CORPORA, HELD_OUT, JUDGED_OWN, NAMES, NONE, OWN, TATOEBA_DEV, TOGETHER
from paper_tables.judging import Judge
from paper_tables.statements import Paper, Report, Statement, Untestable, compared

if TYPE_CHECKING:
    from pathlib import Path

    from paper_tables.judging import Claim

TEST = Sheet("test")
JUDGES, JUDGES_OWN = "--tables judge", f"--tables {OWN}"
# Where judges are asked: what learned them, by name, and how it is run. Of the news they learn from all there is.
PLACES = (
    ("Tatoeba", JUDGES_OWN, TATOEBA_DEV),
    ("Tatoeba, 20,000 pairs", JUDGES_OWN, HELD_OUT),
    ("news", JUDGES, TOGETHER),
)
TITLES = {
    "perceptron": "the accuracy of the perceptron, from tags alone, within chance",
    "lvq": "the same for LVQ",
    "dimension": "the same for the best single dimension",
}


def paper(folder: Path) -> Paper:
    """Put the statements together, with the results in a folder."""
    results = Results(folder / f"{TEST.stem}.json")
    judge = Judge(results, TEST, ".3f")
    figure = "--tables figure"
    statements = (
        Statement(
            "figure 1",
            "multiplicative updates converge faster than additive ones, of three steps",
            "Figure 1: after",
            "`multiplicative`, `additive`, `additive-0.5`, `additive-0.1`",
            f"{figure} --rows multiplicative,additive,additive-0.5,additive-0.1",
        ),
        Statement(
            "figure 1",
            "a larger k explains more",
            "Figure 1: a larger k",
            "`k-4` to `k-64`, `kl-4` to `kl-64`",
            figure,
        ),
        *(
            Statement(
                "section 5",
                f"{title}, {text}",
                f"Human or machine, learned from {corpus}, tags alone: `{name}`",
                f"`{name}`, `{corpus}`",
                f"{tables} --rows {name} --corpora {corpus}",
            )
            for name, title in TITLES.items()
            for text, tables, corpus in PLACES
        ),
        *(
            statement
            for text, tables, corpus in PLACES
            for statement in (
                Statement(
                    "section 5",
                    f"the perceptron is the best of the three, {text}",
                    best_of_three(judge, corpus),
                    f"`perceptron`, `lvq`, `dimension`, `{corpus}`",
                    f"{tables} --rows perceptron,lvq,dimension --corpora {corpus}",
                ),
                Statement(
                    "section 5",
                    f"it is better than a language model of long spans, {text}",
                    above_language_model(judge, corpus),
                    "`perceptron`, `model-of-words`, `model-of-tags`",
                    f"{tables} --rows perceptron,model-of-words,model-of-tags",
                ),
                Statement(
                    "section 6",
                    f"word information improves it further, {text}",
                    more_evidence(judge, corpus),
                    f"`words`, `perceptron`, `{corpus}`",
                    f"{tables} --rows words,perceptron --corpora {corpus}",
                ),
            )
        ),
        *(
            Statement(
                "section 5",
                f"the human translation is nearer to its source in the common space, {text}",
                f"Human or machine{where}: human translations are nearer",
                "`nearer`",
                f"{tables} --rows nearer",
            )
            for text, tables, where in (("news", JUDGES, ""), ("Tatoeba", JUDGES_OWN, ", Tatoeba"))
        ),
        Statement(
            "section 5",
            "the paper's own sentences and machine",
            Untestable("neither is named; its 17,000 and 1,400 features are of language-specific tags"),
        ),
    )
    report = Report(
        TEST.stem, "python experiments/sentences.py --part test", claims(results, TEST), (*NAMES, *CORPORA)
    )
    return Paper("huerta", printed.CITATION, {TEST.stem: report}, statements)


def table_of(corpus: str) -> str:
    """Name the table that has judges who learned from a corpus."""
    return OWN if corpus in JUDGED_OWN else "judge"


def best_of_three(judge: Judge, corpus: str) -> Claim:
    """Judge the order of the paper's classifiers."""
    values = {name: accuracy(judge, name, corpus, table_of(corpus)) for name in printed.ACCURACY}
    beside = ", ".join(f"{name} {value:.3f}" for name, value in printed.ACCURACY.items())
    return compared("best", values, lambda one, *others: one > max(others), beside, ".3f")


def above_language_model(judge: Judge, corpus: str) -> Claim:
    """Judge the perceptron beside language models of words and of tags."""
    table = table_of(corpus)
    values = {"perceptron": accuracy(judge, "perceptron", corpus, table)}
    values |= {name: accuracy(judge, name, NONE, table) for name in ("model-of-words", "model-of-tags")}
    return compared("language model", values, lambda one, *others: one > max(others), "significantly", ".3f")


def more_evidence(judge: Judge, corpus: str) -> Claim:
    """Judge whether words tell more than tags alone, in as many dimensions."""
    values = {name: accuracy(judge, name, corpus, table_of(corpus)) for name in ("perceptron", "words")}
    return compared("words", values, lambda tags, words: words > tags, "expected", ".3f")
