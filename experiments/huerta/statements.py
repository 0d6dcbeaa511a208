"""What the report of Huerta says, and what ours has to say to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huerta import paper as printed
from huerta.claims import accuracy, claims
from huerta.results import Results, Sheet
from huerta.rows import CORPORA, NAMES, NONE
from paper_tables.judging import Judge
from paper_tables.statements import Paper, Report, Statement, Untestable, compared

if TYPE_CHECKING:
    from pathlib import Path

    from paper_tables.judging import Claim

TEST = Sheet("test")
JUDGED_ON = "newstest+wmt12"  # what the judges learn from: all there is
TITLES = {
    "perceptron": "the perceptron tells human from machine translations, from tags alone",
    "lvq": "the same, LVQ",
    "dimension": "the same, the best single dimension",
}


def paper(folder: Path) -> Paper:
    """Put the statements together, with the results in a folder."""
    results = Results(folder / f"{TEST.stem}.json")
    judge = Judge(results, TEST, ".3f")
    figure, judged = "--tables figure", "--tables judge"
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
                title,
                f"Human or machine, learned from {JUDGED_ON}, tags alone: `{name}`",
                f"`{name}`, `{JUDGED_ON}`",
                f"{judged} --rows {name} --corpora {JUDGED_ON}",
            )
            for name, title in TITLES.items()
        ),
        Statement(
            "section 5",
            "the perceptron is the best of the three",
            best_of_three(judge),
            f"`perceptron`, `lvq`, `dimension`, `{JUDGED_ON}`",
            f"{judged} --rows perceptron,lvq,dimension --corpora {JUDGED_ON}",
        ),
        Statement(
            "section 5",
            "it is better than a language model of long spans",
            above_language_model(judge),
            "`perceptron`, `model-of-words`, `model-of-tags`",
            f"{judged} --rows perceptron,model-of-words,model-of-tags",
        ),
        Statement(
            "section 5",
            "the human translation is nearer to its source in the common space",
            "Human or machine: human translations are nearer",
            "`nearer`",
            f"{judged} --rows nearer",
        ),
        Statement(
            "section 6",
            "word information improves it further",
            more_evidence(judge),
            "`words`, `perceptron`",
            f"{judged} --rows words,perceptron",
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


def best_of_three(judge: Judge) -> Claim:
    """Judge the order of the paper's classifiers."""
    values = {name: accuracy(judge, name, JUDGED_ON) for name in printed.ACCURACY}
    beside = ", ".join(f"{name} {value:.3f}" for name, value in printed.ACCURACY.items())
    return compared("best", values, lambda one, *others: one > max(others), beside, ".3f")


def above_language_model(judge: Judge) -> Claim:
    """Judge the perceptron beside language models of words and of tags."""
    values = {"perceptron": accuracy(judge, "perceptron", JUDGED_ON)}
    values |= {name: accuracy(judge, name, NONE) for name in ("model-of-words", "model-of-tags")}
    return compared("language model", values, lambda one, *others: one > max(others), "significantly", ".3f")


def more_evidence(judge: Judge) -> Claim:
    """Judge whether words tell more than tags alone, in as many dimensions."""
    values = {name: accuracy(judge, name, JUDGED_ON) for name in ("perceptron", "words")}
    return compared("words", values, lambda tags, words: words > tags, "expected", ".3f")
