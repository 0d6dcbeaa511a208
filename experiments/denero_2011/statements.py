"""What denero-2011 says, and what its report and that of translation have to say to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denero_2011.claims import OWN, OWN_LINKS, claims
from denero_2011.figures import CITATION, PAPER, figures_of
from denero_2011.results import Results, Sheet
from denero_2011.rows import ALL_RUNS, CORPORA, PAPER_CORPUS, PAPERS, ROUNDS
from paper_tables.judging import Claim, all_above
from paper_tables.statements import Paper, Report, Statement, Untestable, compared
from translating import statements as translation

if TYPE_CHECKING:
    from pathlib import Path

    from denero_2011.figures import Figures

SHEET = Sheet("test")
FEW = 10.0  # percent of certificates; the paper has 6.2
BOTH = ("baseline", "dual")
ALIKE = ("union", "grow-diag-final")  # the rules by which precision and recall rise in the paper


def paper(folder: Path) -> Paper:
    """Put the statements together, with the results in a folder."""
    results = Results(folder / f"{SHEET.stem}.json")
    record = results.record(SHEET, PAPERS, PAPER_CORPUS)
    here = None if record is None else figures_of(record)
    judged = f"{PAPERS.label}, {OWN}"
    everywhere = {"rows": f"`{PAPERS.name}`", "options": f"--recipes {PAPERS.name}"}
    own = {
        "rows": f"`{PAPERS.name}`, `{PAPER_CORPUS}`",
        "options": f"--recipes {PAPERS.name} --corpora {PAPER_CORPUS}",
    }
    released = {"rows": "`released`", "options": f"--recipes released --corpora {PAPER_CORPUS}"}
    unions = {"rows": "`bidirectional-union`, `baseline-union`", "reports": (translation.REPORT,)}
    statements = (
        Statement(
            "tables 1 to 3",
            "the figures, made from the links that the authors released",
            OWN_LINKS,
            **released,
        ),
        Statement("table 1", "the share of links that both directions have rises", agreement(here), **own),
        Statement("section 5.2", "after 250 rounds few sentences have converged", certified(here), **own),
        Statement("table 2", "AER of the intersection falls", f"{judged}: AER of", **own),
        Statement("table 2", "the same, on other texts too", f"{PAPERS.label}: AER of", **everywhere),
        Statement(
            "table 2",
            "the intersection of the bidirectional model has the lowest AER",
            f"{PAPERS.label}: the intersection has a lower AER",
            **everywhere,
        ),
        Statement(
            "section 5.3",
            "precision and recall of links rise, combined by union or grow-diag-final",
            both_rise(here),
            **own,
        ),
        Statement("table 3", "phrase F1 of the intersection rises", f"{judged}: phrase F1", **own),
        Statement("table 3", "the same, on other texts too", f"{PAPERS.label}: phrase F1 of", **everywhere),
        Statement(
            "section 5.3",
            "more correct phrase pairs are found than by the best of the directions' combinations",
            recall(here),
            **own,
        ),
        Statement(
            "section 6",
            f"it costs a constant factor, at most {ROUNDS}, of linking by the directions alone",
            cost(results),
            **everywhere,
        ),
        Statement(
            "section 5.3",
            "union translates best",
            union_is_best(folder),
            "`baseline-union`, `baseline-gdfa`, `baseline-intersection`, and of `bidirectional-union`",
            reports=(translation.REPORT,),
        ),
        Statement(
            "section 5.3",
            "the bidirectional model translates better, combined by union",
            translation.differences(
                folder, ("bidirectional-union", "baseline-union"), all_above(0.0), "+0.23 (29.59 to 29.82)"
            ),
            **unions,
        ),
        Statement(
            "tables 1 to 3",
            "the levels of the figures",
            Untestable("the training text, FBIS newswire, is not free", "AER 23.6, phrase F1 55.3"),
        ),
    )
    reports = {
        SHEET.stem: Report(
            SHEET.stem,
            "python experiments/both_directions.py --part test",
            claims(results, SHEET),
            (*(run.name for run in ALL_RUNS), *CORPORA),
        ),
        translation.REPORT: translation.report_of(),
    }
    return Paper("denero-2011", CITATION, reports, statements)


def agreement(here: Figures | None) -> Claim:
    """Judge the agreement of the directions, in percent."""
    before, after = (PAPER.overlaps[model].agreement for model in BOTH)
    ours = {model: None if here is None else here.overlaps[model].agreement for model in BOTH}
    return compared("agreement", named(ours), lambda one, other: other > one, f"{before:.1f} to {after:.1f}")


def certified(here: Figures | None) -> Claim:
    """Judge the share of certificates, in percent."""
    value = None if here is None else here.certified
    return compared("certified", {"certified": value}, lambda one: one < FEW, f"{PAPER.certified:.1f}")


def both_rise(here: Figures | None) -> Claim:
    """Judge precision and recall of the same rule, before and after."""
    if here is None:
        return Claim("both rise", "-", "-")
    changes = [
        f"{rule} {here.links['dual', rule][k] - here.links['baseline', rule][k]:+.1f} ({name})"
        for rule in ALIKE
        for k, name in enumerate(("precision", "recall"))
    ]
    printed = [
        f"{rule} {PAPER.links['dual', rule][k] - PAPER.links['baseline', rule][k]:+.1f} ({name})"
        for rule in ALIKE
        for k, name in enumerate(("precision", "recall"))
    ]
    holds = all(
        here.links["dual", rule][k] > here.links["baseline", rule][k] for rule in ALIKE for k in (0, 1)
    )
    return Claim("both rise", "yes" if holds else "no", ", ".join(changes), ", ".join(printed))


def recall(here: Figures | None) -> Claim:
    """Judge the recall of phrase pairs, that of the directions by the best of the paper's rules."""
    values = dict.fromkeys(("directions", "both in one"), 0.0) if here else {}
    rules = [rule for model, rule in PAPER.phrases if model == "baseline"]
    if here is not None:
        values["directions"] = max(here.phrases["baseline", rule].recall for rule in rules)
        values["both in one"] = here.phrases["dual", "intersection"].recall
    return compared("recall", values, lambda one, other: other > one, "43.4, 53.6")


def cost(results: Results) -> Claim:
    """Judge how many times the seconds of plain links dual ones take."""
    records = results.of_run(SHEET, PAPERS)
    times = {
        corpus: one["seconds"]["dual"] / max(one["seconds"]["plain"], 1e-3) for corpus, one in records.items()
    }
    return compared("times", times, lambda *values: max(values) <= ROUNDS)


def union_is_best(folder: Path) -> Claim:
    """Judge whether union translates better than the other rules, of the directions and of the bidirectional model."""
    found = translation.bleu(folder)
    gains: dict[str, float | None] = {}
    for task in translation.TASKS:
        for model in ("baseline", "bidirectional"):
            union, *others = (found(task, f"{model}-{rule}") for rule in ("union", "gdfa", "intersection"))
            known = [value for value in others if value is not None]
            gains[f"{task} {model}"] = None if union is None or not known else union - max(known)
    return compared("union", gains, lambda *values: min(values) > 0, "yes", "+.2f")


def named(values: dict[str, float | None]) -> dict[str, float | None]:
    """Name what was before, and what is after."""
    return dict(zip(("before", "after"), values.values(), strict=True))
