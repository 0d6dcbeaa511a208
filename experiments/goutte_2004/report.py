"""The report: tables 1 to 4 beside the paper's, what reproduces, the curves, the pictures, every row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cepts.combine.cepts import CRITERIA
from goutte_2004.choosing import choices
from goutte_2004.claims import claims
from goutte_2004.figures import CITATION, PAPER_CEPTS, PAPER_NOISE, pairs_per_second
from goutte_2004.grids import curve_table, rows_table, rules_table, weights_table
from goutte_2004.results import sentence_criteria, speed_place
from goutte_2004.rows import (
    BY_NAME,
    CORPORA,
    COUNTED,
    COUNTING,
    COVERED,
    CURVED,
    FRENCH,
    OURS,
    PAPERS,
    ROMANIAN,
    RUNS,
    SMALL,
)
from goutte_2004.sentence import NUMBER
from goutte_2004.tables import both_table, one_table
from paper_tables.markdown import (
    claims_table,
    corpus_lines,
    joined,
    making,
    markdown,
    picture,
    section,
    write_markdown,
)
from paper_tables.store import same_recipe

if TYPE_CHECKING:
    from pathlib import Path

    from goutte_2004.results import Results, Sheet
    from paper_tables.store import Record

    Plots = dict[str, Path]


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report of a sheet, and its pictures where matplotlib is installed; returns the files."""
    from goutte_2004.plots import write_plots  # which may do without matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    plots = write_plots(results, sheet, folder)
    return write_markdown(folder, sheet.stem, plots, partial(report, results, sheet))


def report(results: Results, sheet: Sheet, plots: Plots, remarks: str = "") -> str:
    """Put the report together; `remarks` is what a person has to say about it."""
    sections = [
        heading(results, sheet),
        tables(results, sheet),
        TABLES_NOTE,
        section("What reproduces", claims_table(claims(results, sheet))),
        section("Chosen on dev", chosen_table(results, sheet)),
        CHOICE_NOTE,
        section("Remarks", remarks),
        section(f"Figures 5 and 6: sentence {NUMBER}", sentence_section(results, sheet, plots)),
        section("Confidence", confidence_section(results, sheet, plots)),
        section("Speed", speed_text(results, sheet)),
        section("Appendix: every row", appendix(results, sheet)),
        section("How it was made", making(results.of_sheet(sheet), more)),
    ]
    return joined(sections)


TABLES_NOTE = (
    "P, R and F in percent against sure (S) and possible (P) links; the lowest AER of a table in bold. With NULL, each "
    "word without a link counts as one link to NULL, in gold and answer; where the gold has possible links these are "
    "possible, else sure. Links per word: twice the links, by the words of both sides. Aligned: percent of the words "
    "of both sides that have a link, which for cepts are those in ordinary cepts. Restarts: the paper's search, EM "
    "from random places until it converges, for every number of cepts; other rows of cepts are found by annealing."
)
CHOICE_NOTE = (
    "One choice for both corpora: the lowest mean AER on dev, without NULL. For AIC and BIC it is among all models, "
    f"measures, scales and weights of NULL, by annealing, that align {COVERED:g} % of the words or more on each "
    f"dev part, for the confidence among those of `{OURS.name}` with {', '.join(CURVED)}, AIC, and all weights of NULL."
)
APPENDIX_NOTE = (
    f"Measures that count in the text ({', '.join(COUNTING)}) do so in the first {COUNTED:,} pairs, the scored ones "
    "among them. Cooccurrence and information need no model. Posterior: links from a threshold on posteriors."
)


def heading(results: Results, sheet: Sheet) -> str:
    """Say what this is, and what was scored on how much text."""
    about = (
        f"Tables 1 to 4, and figures 5 and 6, of {CITATION}, on our data. The paper trains on 20 million words of the "
        "Hansards, ours are fewer and shorter sentences; the scored ones are the same. The Romanian-English training "
        "text is another one."
    )
    models = [f"- `{run.name}`: {run.title}" for run in RUNS]
    scored = f"Scored on **{sheet.part}**:"
    lines = ["# Cepts", "", about, "", scored, "", *corpus_lines(results.of_sheet(sheet), CORPORA)]
    return "\n".join([*lines, "", "Models:", "", *models])


def tables(results: Results, sheet: Sheet) -> str:
    """Write tables 1 to 4; on dev, what they are there."""
    dev = sheet.dev
    first = section(
        "Table 1: English-French, 37 trial sentences, without NULL", one_table(results, dev, FRENCH, False)
    )
    if sheet.part == "dev":
        others = [
            section("English-French, 37 trial sentences, with NULL", one_table(results, dev, FRENCH, True)),
            section("Romanian-English, development sentences", both_table(results, dev, ROMANIAN)),
        ]
    else:
        others = [
            section(
                "Table 2: English-French, 447 test sentences, without NULL",
                one_table(results, sheet, FRENCH, False),
            ),
            section(
                "Table 3: English-French, 447 test sentences, with NULL",
                one_table(results, sheet, FRENCH, True),
            ),
            section("Table 4: Romanian-English, 248 test sentences", both_table(results, sheet, ROMANIAN)),
        ]
    return "\n\n".join([first, *others])


def chosen_table(results: Results, sheet: Sheet) -> str:
    """Write what dev has chosen, with its AER and coverage there."""
    lines = []
    for kind, choice in choices(results, sheet).items():
        made = [results.chosen(sheet.dev, choice, corpus) for corpus in CORPORA]
        cells = ["-" if one is None else f"{one.plain.aer:.2f} / {one.aligned:.1f}" for one in made]
        lines.append([kind.upper() if kind in ("aic", "bic") else kind, choice.label, *cells])
    heads = ["for", "chosen", *(f"{corpus}, dev: AER / aligned" for corpus in CORPORA)]
    return markdown(heads, lines) if lines else "Nothing: dev has not been run on all corpora and recipes."


def sentence_section(results: Results, sheet: Sheet, plots: Plots) -> str:
    """Show the sentence, as each model sees it, and how the number of its cepts is chosen."""
    shown = [
        picture(
            plots,
            f"{NUMBER}-{run.name}",
            f"Sentence {NUMBER} of the trial set, `{run.name}`: reference (large: sure, small: possible), counts of "
            "both directions' 100 best alignments, how likely each word is in each cept (the likeliest one dark), and "
            "what comes of it",
        )
        for run in RUNS
    ]
    return "\n\n".join(one for one in (*shown, criteria_text(results, sheet, plots)) if one)


def criteria_text(results: Results, sheet: Sheet, plots: Plots) -> str:
    """Write what each number of cepts comes to in the sentence, by the paper's model and search, and the noise."""
    found = sentence_criteria(results, sheet)
    if not found:
        return ""
    best = {name: max(range(len(found)), key=lambda at: found[at][name]) for name in CRITERIA}
    lines = []
    for at, one in enumerate(found):
        values = [f"**{one[name]:.1f}**" if best[name] == at else f"{one[name]:.1f}" for name in CRITERIA]
        lines.append([str(at + 1), f"{one['likelihood']:.1f}", *values, f"{one['noise']:.6f}"])
    shown = picture(
        plots,
        f"{NUMBER}-criteria",
        f"AIC and BIC of sentence {NUMBER} by the number of cepts, `{PAPERS.name}`",
    )
    said = (
        f"The log likelihood, in nats, of sentence {NUMBER} for each number of cepts K, less what AIC and BIC take for "
        f"it (largest in bold), and the noise P(c = 0), by `{PAPERS.name}` and the paper's search. In the paper both "
        f"are largest at K = {PAPER_CEPTS}, where P(c = 0) is {PAPER_NOISE}."
    )
    heads = ["K", "log likelihood", "AIC", "BIC", "P(c = 0)"]
    return "\n\n".join(part for part in (shown, said, markdown(heads, lines)) if part)


def confidence_section(results: Results, sheet: Sheet, plots: Plots) -> str:
    """Show what is left, and how good it is, when words below a confidence are left out."""
    parts = []
    for corpus in CORPORA:
        shown = picture(
            plots,
            f"curve-{corpus}",
            f"{corpus}, model `{OURS.name}`: AER, precision and words aligned by confidence, and AER by words aligned "
            "(grey: heuristics; ring: chosen on dev)",
        )
        numbers = curve_table(results, sheet, corpus)
        parts += [f"### {corpus}", shown, numbers] if numbers else []
    return "\n\n".join(part for part in parts if part)


def speed_text(results: Results, sheet: Sheet) -> str:
    """Say how fast the factorisation was."""
    record = results.at(speed_place(sheet.pairs))
    if record is None:
        return ""
    alone, whole = (pairs_per_second(record, with_matrices) for with_matrices in (False, True))
    return (
        f"The first {record['factorised']:,} training pairs of {FRENCH}, the HMM of `{SMALL.name}`, one thread, all "
        f"defaults: the factorisation takes {record['factorising_seconds']:.1f} CPU seconds ({alone:,.0f} pairs a "
        f"second), the matrices {record['matrices_seconds']:.1f} ({whole:,.0f} pairs a second with both). Median of "
        f"{len(record['rounds'])} rounds, {record['machine']}."
    )


def appendix(results: Results, sheet: Sheet) -> str:
    """Write every row of every model."""
    parts = [APPENDIX_NOTE]
    for corpus in CORPORA:
        for run in RUNS:
            if results.record(sheet, run, corpus) is not None:
                parts += [f"### {corpus}, `{run.name}`", rows_table(results, sheet, run, corpus)]
                parts += [
                    weights_table(results, sheet, run, corpus),
                    rules_table(results, sheet, run, corpus),
                ]
    return "\n\n".join(parts) if len(parts) > 1 else ""


def more(records: list[Record]) -> list[str]:
    """Say which models were not trained in this run's time, and which rows are old."""
    loaded = [f"{one['run']} on {one['corpus']}" for one in records if one["loaded"]]
    old = [
        f"{one['run']} on {one['corpus']}"
        for one in records
        if not same_recipe(one["signature"], BY_NAME[one["run"]].recipe.signature)
    ]
    return [
        *(
            [f"models that had been trained before, which is not in these minutes: {', '.join(loaded)}"]
            if loaded
            else []
        ),
        *([f"made with an older recipe than there is now: {', '.join(old)}; run again"] if old else []),
    ]
