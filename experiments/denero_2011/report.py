"""The report: our tables beside the paper's, what reproduces, what it cost, how it was made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from denero_2011.claims import claims
from denero_2011.figures import CITATION, PAPER, Figures, share_certified
from denero_2011.rows import (
    BEST,
    BY_NAME,
    MODELS,
    PAPER_CORPUS,
    PHRASE_LENGTH,
    POSTERIOR,
    RELEASED,
    ROUNDS,
    ROWS,
    RUNS,
    SHOWN_ROUNDS,
)
from paper_tables.comparing import SIGNIFICANT
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
    from collections.abc import Callable
    from pathlib import Path

    from denero_2011.figures import Scores
    from denero_2011.results import Results, Sheet
    from denero_2011.rows import Row, Run
    from paper_tables.store import Record

    Table = Callable[[Figures], dict[Row, Scores]]

PAPER_COLUMN = f"{PAPER_CORPUS}, paper"


def columns(sheet: Sheet) -> list[str]:
    """Name the columns of a sheet's tables: the paper's comes first, then ours of the same sentences."""
    return [PAPER_COLUMN, *sheet.corpora]


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report of a sheet, and its plot where matplotlib is installed; returns the files."""
    from denero_2011.plots import write_plots  # which may do without matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    plots = write_plots(results, sheet, folder)
    return write_markdown(folder, sheet.stem, plots, partial(report, results, sheet))


def report(results: Results, sheet: Sheet, plots: dict[str, Path], remarks: str = "") -> str:
    """Put the report together; `remarks` is what a person has to say about it."""
    links = partial(scores_tables, results, sheet, lambda figures: figures.links, min)
    phrases = partial(scores_tables, results, sheet, lambda figures: figures.phrases, max)
    sections = [
        heading(results, sheet),
        section("What reproduces", claims_table(claims(results, sheet))),
        CLAIMS_NOTE,
        section("What dual decomposition does to the intersection", gains_table(results, sheet)),
        GAINS_NOTE,
        section("Remarks", remarks),
        section("Recipes", recipes_table()),
        RECIPES_NOTE,
        section("Table 1: links in both directions / in either (agreement)", overlap_table(results, sheet)),
        section("Certificates: percent of the pairs after so many rounds", certificates(results, sheet)),
        CERTIFICATES_NOTE,
        picture(
            plots,
            "certified",
            "Percent of the pairs that have a certificate, by rounds: scored ones (solid), all of the corpus (dotted)",
        ),
        section("Table 2: precision / recall / AER of links, percent", links()),
        section(
            f"Table 3: precision / recall / F1 of phrase pairs up to {PHRASE_LENGTH} words, percent",
            phrases(),
        ),
        PHRASES_NOTE,
        section(
            "Phrase F1 of the intersection by both rules for possible links, percent",
            both_rules(results, sheet),
        ),
        LOOSE_NOTE,
        *own_sections(results, sheet),
        section("CPU seconds: training, plain links / dual links of the whole text", costs(results, sheet)),
        section("How it was made", making(results.of_sheet(sheet), outdated)),
    ]
    return joined(sections)


CLAIMS_NOTE = (
    "The intersection is that of the bidirectional model's two answers. Where it is compared with several rules, the "
    "number is the difference to the best of them. The paper has union, intersection and grow-diag-final."
)
GAINS_NOTE = (
    "The intersection of the bidirectional model minus that of the directions, in points, with its 95 % interval by "
    "paired bootstrap over sentences (2,000 samples). In bold: p below 0.05, two-sided."
)
RECIPES_NOTE = (
    "p0 is the probability of a jump to NULL, alpha the cost of a link beside a direction's path. The paper does not "
    "print its alpha. Every alpha here, and all of the tuned recipe, was chosen on development gold only. All recipes "
    f"get {ROUNDS} rounds here, whatever their own number is."
)

CERTIFICATES_NOTE = f"A pair without a certificate counts as {ROUNDS} rounds in the mean."
PHRASES_NOTE = (
    "A phrase pair holds no word without a link. Possible gold links are both included and excluded: a word with sure "
    "links ignores its possible ones, a word with possible links alone needs all of them inside."
)
OWN_NOTE = (
    "Ours: from the links that the authors of the paper released, by `cepts evaluate`. "
    "Table 1 of the paper counts each link twice: 5,554 and 10,998, 7,620 and 10,262. Its F1 was made of rounded "
    "figures and may differ by 0.1."
)
LOOSE_NOTE = (
    "The first figure of a cell is by the rule of the paper (`--possible all`), the second by the looser one, with "
    "which all reports before this one were made (`--possible any`: one of a word's possible links inside is enough)."
)


def heading(results: Results, sheet: Sheet) -> str:
    """Say what this is, and what was scored on how much text."""
    about = (
        f"Tables 1 to 3 of {CITATION}, on our data. The baseline is the best path of each direction, the bidirectional "
        f"model the answers of both after at most {ROUNDS} rounds of dual decomposition on the same two HMMs. The "
        f"paper has Chinese-English only. Its test sentences and gold links are `{PAPER_CORPUS}`; its training text, "
        "FBIS newswire, is not here: they are trained with that of zh-en, of another domain. Compare the differences "
        "between rows, not their levels."
    )
    scored = f"Scored on **{sheet.part}**:"
    title = "# One model of both directions"
    return "\n".join(
        [title, "", about, "", scored, "", *corpus_lines(results.of_sheet(sheet), sheet.corpora)]
    )


def gains_table(results: Results, sheet: Sheet) -> str:
    """Write the gains of the intersection, with intervals, recipe after recipe."""
    rows = []
    for run in RUNS:
        records = results.of_run(sheet, run)
        for name, title in (("aer", "AER"), ("phrases", "phrase F1")):
            cells = [
                gain_cell(records[corpus]["gains"][name]) if corpus in records else "-"
                for corpus in sheet.corpora
            ]
            rows.append([f"`{run.name}`", title, *cells])
    return markdown(["recipe", "", *sheet.corpora], rows)


def gain_cell(gain: list[float]) -> str:
    """Write a gain with its interval, in bold where chance would hardly make it.

    >>> gain_cell([-0.94, -2.03, 0.13, 0.08]), gain_cell([1.0, 0.5, 1.5, 0.01])
    ('-0.9 (-2.0 to +0.1)', '**+1.0** (+0.5 to +1.5)')
    """
    mark = "**" if gain[3] < SIGNIFICANT else ""
    return f"{mark}{gain[0]:+.1f}{mark} ({gain[1]:+.1f} to {gain[2]:+.1f})"


def recipes_table() -> str:
    """Say what tells the recipes apart."""
    heads = ["", "iterations", "agreement training", "p0", "NULL", "step", "alpha", "own rounds"]
    return markdown(heads, [recipe_cells(run) for run in RUNS])


def recipe_cells(run: Run) -> list[str]:
    """Write the settings of a recipe."""
    made = run.recipe
    agreements = dict.fromkeys((made.ibm1_agreement, made.hmm_agreement))
    return [
        run.label,
        f"{made.ibm1_iterations} + {made.hmm_iterations}",
        ", ".join(agreements),
        f"{made.null_probability:g}",
        made.null_state,
        f"{made.step}, {made.step_size:g}",
        f"{made.alpha:g}",
        str(run.own_rounds),
    ]


def overlap_table(results: Results, sheet: Sheet) -> str:
    """Write how many links the directions share, before and after."""
    rows = []
    for run in RUNS:
        there = columns_of(run, results.figures(sheet, run))
        for model, title in MODELS.items():
            cells = [str(there[name].overlaps[model]) if name in there else "-" for name in columns(sheet)]
            rows.append([f"`{run.name}`", title, *cells])
    return markdown(["recipe", "model", *columns(sheet)], rows)


def columns_of(run: Run, figures: dict[str, Figures]) -> dict[str, Figures]:
    """Put the paper's figures beside ours, where they are about the same recipe."""
    return figures | ({PAPER_COLUMN: PAPER} if run.in_paper else {})


def certificates(results: Results, sheet: Sheet) -> str:
    """Write how many pairs have a certificate after how many rounds: of those that are scored, and of all."""
    unknown = ["-"] * (len(SHOWN_ROUNDS) - 1)
    paper = ["scored", "the paper", PAPER_CORPUS, *unknown, f"{PAPER.certified:.1f}", "-"]
    rows = [*certificate_rows(results, sheet, "scored"), paper, *certificate_rows(results, sheet, "all")]
    return markdown(["pairs", "recipe", "corpus", *map(str, SHOWN_ROUNDS), "mean rounds"], rows)


def certificate_rows(results: Results, sheet: Sheet, text: str) -> list[list[str]]:
    """Write the rows of the table of certificates that are about `scored` or `all` pairs."""
    rows = []
    for run in RUNS:
        for corpus, record in results.of_run(sheet, run).items():
            found = record["certificates"][text]
            shares = [f"{share_certified(found, after):.1f}" for after in SHOWN_ROUNDS]
            rows.append([text, f"`{run.name}`", corpus, *shares, f"{found['mean_rounds']:.1f}"])
    return rows


def scores_tables(results: Results, sheet: Sheet, table: Table, best: Callable[..., float]) -> str:
    """Write a table of scores for each recipe, the best of each column in bold."""
    return "\n\n".join(
        f"### {run.label}\n\n{scores_table(columns_of(run, results.figures(sheet, run)), run, table, best, names)}"
        for run in RUNS
        if (names := [name for name in columns(sheet) if run.in_paper or name != PAPER_COLUMN])
    )


def scores_table(
    figures: dict[str, Figures], run: Run, table: Table, best: Callable[..., float], names: list[str]
) -> str:
    """Write the scores of a recipe's rows, in the columns of some names."""
    scores = {name: table(figures[name]) for name in names if name in figures}
    champions = {name: best(one.whole for one in rows.values()) for name, rows in scores.items()}
    titles = {row: (MODELS[row[0]], row[1]) for row in ROWS}
    titles[POSTERIOR] = ("posterior", f"threshold {run.recipe.posterior_threshold:g}")
    lines = []
    for row, title in titles.items():
        cells = [cell(scores.get(name, {}).get(row), champions.get(name)) for name in names]
        lines.append([*title, *cells])
    return markdown(["model", "combined by", *names], lines)


def cell(scores: Scores | None, champion: float | None) -> str:
    """Write three scores, bold if the last is the best of its column.

    >>> cell(None, 33.4)
    '-'
    """
    if scores is None:
        return "-"
    return f"**{scores}**" if scores.whole == champion else str(scores)


def both_rules(results: Results, sheet: Sheet) -> str:
    """Write the phrase F1 of both intersections by either rule."""
    rows = []
    for run in RUNS:
        records = results.of_run(sheet, run)
        for model, title in MODELS.items():
            there = {name: one["scores"][model]["intersection"] for name, one in records.items()}
            cells = [rules_text(there[name]) if name in there else "-" for name in sheet.corpora]
            rows.append([f"`{run.name}`", title, *cells])
    return markdown(["recipe", "model", *sheet.corpora], rows)


def rules_text(scores: dict[str, dict[str, float]]) -> str:
    """Write a phrase F1 by the paper's rule and by the looser one.

    >>> rules_text({"phrases": {"f1": 0.518}, "phrases_any": {"f1": 0.5008}})
    '51.8 / 50.1'
    """
    return " / ".join(f"{100 * scores[name]['f1']:.1f}" for name in ("phrases", "phrases_any"))


def own_sections(results: Results, sheet: Sheet) -> list[str]:
    """Write the sections about the paper's own links, and about the default recipe beside the others."""
    sections = []
    released = results.figures(sheet, RELEASED).get(PAPER_CORPUS)
    if released is not None:
        rows = [
            [
                MODELS[model],
                rule,
                cells,
                str(PAPER.links[model, rule]),
                phrases,
                str(PAPER.phrases[model, rule]),
            ]
            for model, rule in PAPER.links
            if (cells := str(released.links[model, rule])) and (phrases := str(released.phrases[model, rule]))
        ]
        heads = ["model", "combined by", "links, ours", "links, printed", "phrases, ours", "phrases, printed"]
        counts = [f"{MODELS[model]} {one}" for model, one in released.overlaps.items()]
        text = f"{markdown(heads, rows)}\n\nLinks in both directions / in either: {', '.join(counts)}."
        sections += [section("The paper's own links, scored here", text), OWN_NOTE]
    best = results.figures(sheet, BEST)
    if best:
        rows = [[name, str(one.links[POSTERIOR]), str(one.phrases[POSTERIOR])] for name, one in best.items()]
        heads = ["corpus", "precision / recall / AER of links", "precision / recall / F1 of phrase pairs"]
        sections.append(section(f"Beside them: `{BEST.name}`, the default recipe", markdown(heads, rows)))
    return sections


def costs(results: Results, sheet: Sheet) -> str:
    """Write what training and both ways of linking have cost."""
    rows = []
    for run in RUNS:
        records = results.of_run(sheet, run)
        cells = [
            seconds_text(records[corpus]["seconds"]) if corpus in records else "-" for corpus in sheet.corpora
        ]
        rows.append([f"`{run.name}`", *cells])
    return markdown(["", *sheet.corpora], rows)


def seconds_text(seconds: dict[str, float]) -> str:
    """Write the seconds of a run.

    >>> seconds_text({"training": 9.0, "plain": 2.0, "dual": 7.0})
    '9.0, 2.0 / 7.0 (3.5 times)'
    """
    times = seconds["dual"] / max(seconds["plain"], 1e-3)
    return f"{seconds['training']:.1f}, {seconds['plain']:.1f} / {seconds['dual']:.1f} ({times:.1f} times)"


def outdated(records: list[Record]) -> list[str]:
    """Name the runs that were made with another recipe than they would be now."""
    old = [
        f"{one['run']} on {one['corpus']}"
        for one in records
        if not same_recipe(one["signature"], BY_NAME[one["run"]].signature)
    ]
    return [f"made with an older recipe than the table above has: {', '.join(old)}; run again"] if old else []
