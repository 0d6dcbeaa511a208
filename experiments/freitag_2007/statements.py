"""What freitag-2007 says, and what its report has to say to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freitag_2007 import paper as printed
from freitag_2007.claims import claims
from freitag_2007.paper import ARABIC, MANDARIN
from freitag_2007.results import Results, Sheet
from freitag_2007.rows import CORPORA, NAMES, WORDS
from paper_tables.judging import Judge
from paper_tables.statements import Paper, Report, Statement, Untestable, compared

if TYPE_CHECKING:
    from pathlib import Path

    from paper_tables.judging import Claim

TEST = Sheet("test")
POORLY = 0.2  # break-even precision


def paper(folder: Path) -> Paper:
    """Put the statements together, with the results in a folder."""
    results = Results(folder / f"{TEST.stem}.json")
    judge = Judge(results, TEST)
    consonants, rhymes = "--tables consonants", "--tables rhymes"
    names = "--tables transcription --corpora ar-en-google"
    ranking = {corpus: f"--tables ranking --corpora {corpus}" for corpus in (ARABIC, MANDARIN)}
    as_printed = "As printed, Arabic 1-best:"
    statements = (
        Statement(
            "section 3.2",
            "order 0 ranks 99.3 % of the pairs right by a known affinity",
            "Consonants: order 0",
            "`edits-0`",
            consonants,
        ),
        Statement(
            "section 3.2", "Levenshtein 76.4 %", "Consonants: Levenshtein", "`levenshtein`", consonants
        ),
        Statement(
            "table 3",
            "the heaviest edits keep the five consonants that count most",
            "Table 3:",
            "`edits-0`",
            consonants,
        ),
        Statement(
            "table 4",
            "break-even precision of order 3",
            "Rhymes: break-even precision of order 3",
            "`edits-3`",
            rhymes,
        ),
        Statement(
            "table 4",
            "break-even precision of order 0",
            "Rhymes: break-even precision of order 0",
            "`edits-0`",
            rhymes,
        ),
        Statement(
            "table 4",
            "performance increases with the order",
            "Rhymes: each order",
            "`edits-0`, `edits-1`, `edits-2`, `edits-3`",
            rhymes,
        ),
        Statement(
            "table 4",
            f"Levenshtein and the longest common suffix fare poorly, below {POORLY}",
            poorly(judge),
            "`levenshtein`, `suffix`",
            rhymes,
        ),
        Statement(
            "table 4",
            "the same, equal scores found together: both are below order 0",
            "Rhymes, equal scores found together:",
            "`levenshtein`, `suffix`, `edits-0`",
            rhymes,
        ),
        Statement(
            "section 3.4",
            "plain transliteration gets a quarter of the letters wrong",
            "Plain transliteration of Arabic",
            "`plain`",
            f"{names} --rows plain",
        ),
        Statement(
            "table 7",
            "the edit model is better than the phrase-based system, 1-best",
            f"{as_printed} `ptem-zero`",
            "`ptem-zero`, `smt-4gram`",
            f"{names} --rows ptem-zero,smt-4gram",
        ),
        Statement(
            "table 7",
            "the same, started from a model of order 0",
            f"{as_printed} `ptem`",
            "`ptem`, `smt-4gram`",
            f"{names} --rows ptem,smt-4gram",
        ),
        Statement(
            "table 7",
            "and worse, 5-best",
            five_best(judge),
            "`smt-4gram`, `ptem-zero`",
            f"{names} --rows ptem-zero,smt-4gram",
        ),
        Statement(
            "table 7",
            "the linear combination is better than either",
            f"{as_printed} `combination-printed`",
            "`combination-printed`, `ptem`, `smt-4gram`",
            f"{names} --rows combination-printed,ptem,smt-4gram",
        ),
        *(
            Statement(
                f"table 8, {corpus}",
                "the best edit model ranks nearly every name right",
                f"Ranking {corpus}: the best edit model has",
                "`g-1` to `g-3`, `g-3-zero`, `r-1` to `r-3`",
                options,
            )
            for corpus, options in ranking.items()
        ),
        *(
            Statement(
                f"table 8, {corpus}",
                "the best edit model is above SMT with IBM-4, within chance",
                f"Ranking {corpus}: the best edit model is better",
                "`g-1` to `r-3`, `smt`, `smt-no-lm`, `ibm4`, `smt+ibm4`",
                options,
            )
            for corpus, options in ranking.items()
        ),
        *(
            Statement(
                f"table 8, {corpus}",
                text if model == "g-3-zero" else "the same, started from a model of order 0",
                f"Ranking {corpus}: `{pair[0]}` is better than `{pair[1]}`",
                f"`{pair[0]}`, `{pair[1]}`",
                f"{ranking[corpus]} --rows {','.join(pair)}",
            )
            for corpus, text in (
                (ARABIC, "trained for ranking it ranks better than trained for generation"),
                (MANDARIN, "and worse in Mandarin"),
            )
            for model in ("g-3-zero", "g-3")
            for pair in [("r-1", model) if corpus == ARABIC else (model, "r-1")]
        ),
        Statement(
            "table 7",
            "levels of transcription",
            Untestable(
                "the paper's list of the LDC is not free; ours has more spellings of a name", "1-best 0.588"
            ),
        ),
    )
    report = Report(
        TEST.stem, "python experiments/names.py --part test", claims(results, TEST), (*NAMES, *CORPORA)
    )
    return Paper("freitag-2007", printed.CITATION, {TEST.stem: report}, statements)


def poorly(judge: Judge) -> Claim:
    """Judge the simple baselines of rhymes."""
    names = ("levenshtein", "suffix")
    values = {name: judge.figure("rhymes", name, "precision", WORDS) for name in names}
    beside = ", ".join(f"{name} {printed.RHYMES[name]:.3f}" for name in names)
    return compared("poorly", values, lambda *both: max(both) < POORLY, beside, ".3f")


def five_best(judge: Judge) -> Claim:
    """Judge whether one of five is right more often by the phrase-based system."""
    names = ("smt-4gram", "ptem-zero")
    values = {name: judge.figure("transcription", name, "5-best", ARABIC) for name in names}
    beside = ", ".join(f"{name} {printed.TRANSCRIPTION[name][1]:.3f}" for name in names)
    return compared("5-best", values, lambda one, other: one > other, beside, ".3f")
