"""The report: every table, what holds, how it was made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from huerta.claims import claims
from huerta.paper import CITATION
from huerta.plots import write_plots
from huerta.rows import CLEANED, HELD_PAIRS, JUDGED, JUDGED_OWN, OWN, TATOEBA
from huerta.tables import (
    cleaning_table,
    comparison_table,
    figure_table,
    found_table,
    judge_table,
    plain_table,
    retrieval_table,
)
from paper_tables.markdown import claims_table, joined, picture, section, write_markdown
from paper_tables.table_rows import LITTLE_DATA, making

if TYPE_CHECKING:
    from pathlib import Path

    from huerta.results import Results, Sheet
    from paper_tables.markdown import Plots

ABOUT = (
    f"Figure 1 and the classification task of {CITATION}, on our data; then what the factorisation is worth beside "
    "our other evidence: for finding translations, and for cleaning parallel text."
)
FIGURE_NOTE = (
    "Two random matrices as in the paper, 500 sentences of 100 features each, drawn evenly from 0 to 1. The norm is "
    "that of both residuals together, the loss of KL rows the divergence. An additive step goes along the "
    "interior-point gradient (Cichocki et al. 2006, equation 16): of fixed length, where 1 would be the multiplicative "
    "update itself, or the one that is best for each row, short of the border. One iteration updates everything once."
)
FIGURE_TEXT = "Loss against iterations on logarithmic scales: rules of updating, and several k"
JUDGE_NOTES = {
    "dev": "Scored on the last third of WMT12's training part; WMT12 to learn from is the rest of it.",
    "test": "Scored on WMT12's test part; WMT12 to learn from is its training part.",
}
JUDGE_NOTE = (
    "Share of sentences whose human translation is found, of two; guessing has 0.5. The space is that of Tatoeba's "
    "116,240 pairs; language models (modified Kneser-Ney) are of its Spanish side. The machine is Apertium in the news "
    "sets and a Moses system in WMT12: judges that learned from news meet another machine than they know. No set to "
    "learn from shares sources with WMT12's test part, which is from newstest 2012. The paper's corpora and its "
    "machine are not known: its figures are of another test. `nearer` and `less-literal` learn from no translations, "
    "and show what judges live on: who knows both languages may find a machine by how literally it translates, not by "
    "its mistakes. Language models call the more probable translation human."
)
OWN_NOTES = {
    "dev": "Scored on the last third of Tatoeba's dev part; the rest of it is what `tatoeba-dev` learns from.",
    "test": "Scored on Tatoeba's test part.",
}
OWN_NOTE = (
    "As above, on sentences from the corpus that was factorised, as the paper's are; the machine is Apertium. Judges "
    f"learn from the dev part, or from {HELD_PAIRS:,} training pairs, which are left out of the factorisation then. "
    "The language models learned from all training pairs. The paper does not say what its classifiers learned from."
)
PLAIN_NOTE = (
    "Apertium never writes the marks ¿ and ¡ that open a Spanish question or exclamation, and people do: these tell "
    "without anything else. The accuracies above are of all sentences, as the paper's; those below of the sentences in "
    "which both translations or none have such a mark, by the same judges."
)
RETRIEVAL_NOTE = (
    "For each of 1,000 English sentences its Spanish translation is looked for among 1,000. Accuracy: share of those "
    "that rank first; MRR: mean reciprocal rank; an equal score ranks above the right one. *Above usual*: less what "
    "is usual for both sentences, by their best neighbours. CPU seconds are those of training and scoring; what "
    "several rows share is counted in the first of them."
)
STS_NOTE = (
    "STS is Pearson's correlation with the scores of people (SemEval 2017, tracks 4a and 4b), on which nothing was "
    "chosen."
)
CLEANING_NOTES = {
    "dev": "Of each corpus the first pairs, on which choices may have been made.",
    "test": "Of each corpus the last training pairs, on which no choice was made.",
}
CLEANING_NOTE = (
    "A share of the pairs is spoiled, the same number in each way; area under the curve: the probability that a bad "
    "pair scores below a clean one. Shuffled: the target of another pair of equal length. Truncated: a third to a half "
    "of one side is cut off. Mistranslated: a fifth to a half of the target words become others of like frequency. "
    "Machine: Apertium's translation, which may be right. All scores but those of `filter-models` are learned from the "
    "spoiled text itself."
)
BOOTSTRAP_NOTE = (
    "Paired bootstrap, 2,000 samples: of sentences or of blocks of bad pairs, 50 of them. "
    "In bold: better, with a two-sided p below 0.05."
)


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report of a sheet and its plots; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    plots = write_plots(results, sheet, folder)
    return write_markdown(folder, sheet.stem, plots, partial(report, results, sheet))


def report(results: Results, sheet: Sheet, plots: Plots | None = None, remarks: str = "") -> str:
    """Put the report together; `remarks` is what a person has to say about it."""
    little = LITTLE_DATA if sheet.size else ""
    return joined(
        [
            "# Sentences",
            ABOUT,
            f"Scored on **{sheet.part}**.",
            little,
            tables(results, sheet, plots),
            section("What holds", claims_table(claims(results, sheet))),
            section("Remarks", remarks),
            section("How it was made", making(results, sheet)),
        ]
    )


def tables(results: Results, sheet: Sheet, plots: Plots | None = None) -> str:
    """Write all tables, each with its notes and comparisons."""
    drawn = picture(plots or {}, "figure-1", FIGURE_TEXT)
    between = partial(comparison_table, results, sheet)
    judged = JUDGE_NOTES[sheet.part]
    found = f"{RETRIEVAL_NOTE} {STS_NOTE}" if sheet.part == "test" else RETRIEVAL_NOTE
    return joined(
        [
            titled("Figure 1: loss against iterations", figure_table(results, sheet), drawn, FIGURE_NOTE),
            titled(
                "Human or machine?",
                judge_table(results, sheet, "judge", JUDGED),
                f"{judged} {JUDGE_NOTE}",
                between("judge", JUDGED),
                BOOTSTRAP_NOTE,
            ),
            titled(
                "Human or machine? The corpus that was factorised",
                judge_table(results, sheet, OWN, JUDGED_OWN),
                f"{OWN_NOTES[sheet.part]} {OWN_NOTE}",
                PLAIN_NOTE,
                plain_table(results, sheet, JUDGED_OWN),
                between(OWN, JUDGED_OWN),
                BOOTSTRAP_NOTE,
            ),
            titled(
                "Retrieval",
                retrieval_table(results, sheet),
                found,
                between("retrieval", (TATOEBA,)),
                BOOTSTRAP_NOTE,
            ),
            cleaning(results, sheet),
        ]
    ).rstrip("\n")


def cleaning(results: Results, sheet: Sheet) -> str:
    """Write the tables of all corpora that were cleaned."""
    made = {corpus: cleaning_table(results, sheet, corpus) for corpus in CLEANED}
    parts = [f"### {corpus}\n\n{table}" for corpus, table in made.items() if table]
    return titled(
        "Cleaning",
        "\n\n".join(parts),
        f"{CLEANING_NOTES[sheet.part]} {CLEANING_NOTE}",
        dropped(found_table(results, sheet)),
        comparison_table(results, sheet, "cleaning", CLEANED),
        BOOTSTRAP_NOTE,
    )


def dropped(table: str) -> str:
    """Put a title above what is dropped."""
    return f"### Dropped at the suggested threshold\n\n{table}" if table else ""


def titled(title: str, table: str, *notes: str) -> str:
    """Write a table with what belongs to it, or nothing."""
    return section(title, "\n\n".join(part for part in (table, *notes) if part)) if table else ""
