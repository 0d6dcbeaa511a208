"""The report: every table beside the paper's, what reproduces, what may be chance, how it was made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from freitag_2007.claims import claims
from freitag_2007.paper import CITATION
from freitag_2007.rows import WORDS, rows_of
from freitag_2007.tables import (
    comparison_table,
    consonants_table,
    corpora_of,
    data_table,
    letter_table,
    ranking_table,
    readings_table,
    rhymes_table,
    transcription_table,
    weights_table,
)
from paper_tables.markdown import claims_table, joined, section, write_markdown
from paper_tables.table_rows import LITTLE_DATA, making

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from freitag_2007.results import Results, Sheet
    from paper_tables.store import Record

ABOUT = (
    f"The figure of section 3.2 and tables 3 to 8 of {CITATION}, on our data. The paper's names are from lists of the "
    "Linguistic Data Consortium, ours are open ones: names of persons and places of many origins in `ar-en-google`, "
    "where a spelling is much harder to guess than that of Arabic names, and single names, not full ones, in pinyin in "
    "`zh-en-dict`. So the order of the rows is what can reproduce in tables 7 and 8, not the figures."
)
FOLD_NOTE = (
    "Three folds; each held-out word is compared with {}. Not contradicted: the share of all pairs of these whose true "
    "order is not turned round, so that what is equal in truth or in score is no mistake. The paper does not say how "
    "it counts; of the readings tried this one brings Levenshtein nearest to its figure. Right order: of the pairs "
    "that differ in truth alone, equal scores counting half. Consonants are all letters but a, e, i, o, u."
)
RHYME_NOTE = (
    "Three folds of the words; every third held-out word ranks those of its fold that rhyme with it, and others, {:,} "
    "in all. Precision is that among the first R, if R words rhyme, summed over all words; of equal scores each is as "
    "likely inside as any other. Beside it the mean of the words' own precisions: most rhyming pairs are of few large "
    "groups. Rhymes here are equal from the last stressed vowel on."
)
READING_NOTE = (
    "Table 4 by other readings of the paper's text. Of equal scores, those of words that do not rhyme first. Equal "
    "scores found together: the score is taken at which precision and recall are nearest, with a rhyming word found; "
    "what rhymes is summed over all words and divided by the sum of what is found. All words in one ranking: "
    "affinities of different words are compared with each other."
)
NAMES_NOTE = (
    "1-best and 5-best: share of names whose target is the first, or among the first five, by the one target of "
    "the list, and by all acceptable ones (of all). Character errors: letters to change in the first candidate, over "
    "the letters of the target. The weights of SMT and the coefficients of combinations are learned on dev. CPU "
    "seconds are those of all threads, of the compiler too where a kernel was not in the cache. The paper's model "
    "starts from zero weights and may use all edits, as `ptem-zero` does. `ptem` starts from the weights of a model of "
    "order 0 that ranks, and uses the edits on the best paths of the training pairs alone. Both write at most three "
    "letters in a row without a letter of the source; the paper names no such limit."
)
RANKING_NOTE = (
    "ACC: share of names whose target ranks first among all targets of the part; MRR: mean reciprocal rank. An equal "
    "score ranks above the right one. With all acceptable targets beside it (of all)."
)
BOOTSTRAP_NOTE = (
    "Paired bootstrap, 2,000 samples: of names, or of 100 blocks of words. In bold: p below 0.05, two-sided."
)


def write_report(results: Results, sheet: Sheet, folder: Path) -> list[Path]:
    """Write the report of a sheet; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    return write_markdown(folder, sheet.stem, {}, partial(report, results, sheet))


def report(results: Results, sheet: Sheet, _: object = None, remarks: str = "") -> str:
    """Put the report together; `remarks` is what a person has to say about it."""
    scored = f"Names are scored on **{sheet.part}**."
    quick = LITTLE_DATA if sheet.quick else ""
    return joined(
        [
            "# Names, rhymes, consonants",
            ABOUT,
            scored,
            quick,
            tables(results, sheet),
            section("What reproduces", claims_table(claims(results, sheet))),
            section("Remarks", remarks),
            section("How it was made", making(results, sheet)),
        ]
    )


def tables(results: Results, sheet: Sheet) -> str:
    """Write all tables, each with its notes and comparisons."""
    fold = partial(folded, results, sheet)
    return joined(
        [
            fold("Consonants (section 3.2)", "consonants", consonants_table, consonant_note(results, sheet)),
            section("Table 3: the largest weights, one fold", weights_table(results, sheet)),
            fold("Table 4: rhymes", "rhymes", rhymes_table, rhyme_note(results, sheet)),
            other_readings(results, sheet),
            section("Table 5: the names", data_table(results, sheet)),
            section("Table 6: the tah marbuta, ة", letter_table(results, sheet)),
            named(results, sheet, "Table 7: transcription", "transcription", transcription_table, NAMES_NOTE),
            named(results, sheet, "Table 8: ranking", "ranking", ranking_table, RANKING_NOTE),
        ]
    ).rstrip("\n")


def folded(
    results: Results,
    sheet: Sheet,
    title: str,
    table: str,
    write: Callable[[Results, Sheet], str],
    note: str,
) -> str:
    """Write a table of three folds, if any row of it is there."""
    if all(results.record(sheet, row, WORDS) is None for row in rows_of(table)):
        return ""
    compared = comparison_table(results, sheet, table, WORDS)
    parts = [write(results, sheet), note, compared, BOOTSTRAP_NOTE if compared else ""]
    return section(title, "\n\n".join(part for part in parts if part))


def other_readings(results: Results, sheet: Sheet) -> str:
    """Write table 4 by other readings, if any row of it is there."""
    table = readings_table(results, sheet)
    return section("Table 4 by other readings", f"{table}\n\n{READING_NOTE}") if table else ""


def named(
    results: Results,
    sheet: Sheet,
    title: str,
    table: str,
    write: Callable[[Results, Sheet, str], str],
    note: str,
) -> str:
    """Write a table of names, corpus after corpus, as far as they are there."""
    parts = []
    for corpus in corpora_of(table):
        if any(results.record(sheet, row, corpus) for row in rows_of(table)):
            compared = comparison_table(results, sheet, table, corpus)
            parts += [f"### {corpus}", write(results, sheet, corpus), compared]
    return (
        section(title, "\n\n".join([part for part in parts if part] + [note, BOOTSTRAP_NOTE]))
        if parts
        else ""
    )


def consonant_note(results: Results, sheet: Sheet) -> str:
    """Say how words were compared."""
    record = first_record(results, sheet, "consonants")
    return (
        "" if record is None else FOLD_NOTE.format(f"{record['competing']:,} others of {record['words']:,}")
    )


def rhyme_note(results: Results, sheet: Sheet) -> str:
    """Say how rhymes were ranked."""
    record = first_record(results, sheet, "rhymes")
    if record is None:
        return ""
    return f"{record['words']:,} words in {record['groups']:,} groups. {RHYME_NOTE.format(record['ranked'])}"


def first_record(results: Results, sheet: Sheet, table: str) -> Record | None:
    """Return a record of a folded table."""
    records = (results.record(sheet, row, WORDS) for row in rows_of(table))
    return next((record for record in records if record is not None), None)
