"""The cost model in words and tables: what one run takes, and what a thousand million pairs would."""

from __future__ import annotations

from typing import Any

from cepts.aligning import recipe
from cepts.words.layout import LARGEST_SHARD
from goals import joined, markdown, section
from signature import one_line

Row = dict[str, Any]
# Assumptions, not measurements: machines that can be rented, and what they cost.
MACHINES = {
    "machines": 100,
    "cores": 16,
    "memory_gb": 64,
    "network_bytes_per_second": 1.25e9,
    "disk_bytes_per_second": 1e9,
    "dollars_per_machine_hour": 0.8,
    "share_of_time_at_work": 0.7,
}
PAIRS = 1_000_000_000
VALUE, COUNT = 8, 8  # bytes of a word pair: two probabilities, two counts
NUMBER = 4  # bytes of the number of a word pair, of a place, of a word
WORD = 200  # bytes of a word as a string, with what finds it
MOST_ENTRIES = 2**31  # what numbers of 32 bits can tell apart


def per_iteration(fit: Row, cells: float, entries: float) -> dict[str, float]:
    """CPU seconds of an iteration of each stage."""
    seconds = fit["seconds"]
    return {
        stage: cells * seconds[f"{stage}_expect"] + entries * seconds["maximise"] for stage in ("ibm1", "hmm")
    }


def entries_of(fit: Row, cells: float) -> float:
    """How many different word pairs so many cells have."""
    factor, exponent = fit["entries"]
    return float(factor * cells**exponent)


def one_run(fit: Row, pairs: int) -> float:
    """CPU seconds of `cepts align --method fast` without starting, from the number of pairs alone."""
    words, cells = (pairs * fit["per_pair"][name] for name in ("words", "cells"))
    seconds, chosen = fit["seconds"], recipe("fast")
    steps = per_iteration(fit, cells, entries_of(fit, cells))
    training = sum(chosen.iterations[stage] * spent for stage, spent in steps.items())
    return float(words * seconds["read"] + cells * (seconds["index"] + seconds["link"]) + training)


def extended(fit: Row, pairs: int = PAIRS) -> Row:
    """Work out on paper what a text of so many pairs takes on the machines that are assumed."""
    machines, cores = MACHINES["machines"], MACHINES["cores"]
    words, cells, places = (pairs * fit["per_pair"][name] for name in ("words", "cells", "places"))
    entries, chosen = entries_of(fit, cells), recipe("fast")
    shards = cells / LARGEST_SHARD
    shard_entries = min(entries, entries_of(fit, LARGEST_SHARD))
    merged = min(entries, entries_of(fit, cells / machines))
    iterations = sum(chosen.iterations.values())
    work = one_run(fit, pairs) / (machines * cores * MACHINES["share_of_time_at_work"])
    network = {
        "by_shards": shards * shard_entries * (VALUE + COUNT) / machines,
        "merged": merged * (VALUE + COUNT),
    }
    seconds = {
        name: iterations * size / MACHINES["network_bytes_per_second"] for name, size in network.items()
    }
    hours = (work + seconds["merged"]) / 3600
    factor, exponent = fit["types"]
    return {
        "pairs": pairs,
        "words": words,
        "cells": cells,
        "entries": entries,
        "types": factor * words**exponent,
        "work_hours": work / 3600,
        "network_bytes": network,
        "network_hours": {name: spent / 3600 for name, spent in seconds.items()},
        "hours": hours,
        "dollars": hours * machines * MACHINES["dollars_per_machine_hour"],
        "disk_bytes": (NUMBER * places + NUMBER * words + entries * (VALUE + COUNT + NUMBER)) / machines,
        "lexicon_bytes": entries * (VALUE + COUNT + NUMBER) / machines,
        "vocabulary_bytes": factor * words**exponent * WORD,
        "whole_lexicon_bytes": entries * (VALUE + COUNT + NUMBER),
        "client_seconds": entries * fit["seconds"]["maximise"] / cores,
        "checkpoint_seconds": entries * VALUE / MACHINES["disk_bytes_per_second"],
        "pairs_at_limit": pairs_with(fit, MOST_ENTRIES),
    }


def pairs_with(fit: Row, entries: float) -> float:
    """How many pairs of sentences have so many different word pairs."""
    factor, exponent = fit["entries"]
    return float((entries / factor) ** (1 / exponent) / fit["per_pair"]["cells"])


def report(result: Row) -> str:
    """Write the report beside the figures."""
    return joined(
        [
            "# What a text costs, by its size",
            "CPU seconds on one thread; see `benchmarks/cost_model.py` and [docs/scale.md](../../docs/scale.md).",
            section("Measured", measured_table(result["rows"])),
            section("Fitted, checked, extended", figures(result)),
            section("How it was made", one_line(result["signature"])),
        ]
    )


def figures(result: Row) -> str:
    """Write what goes into the documentation."""
    fit = result["fit"]
    return "\n\n".join(
        [
            "**Fitted**",
            fit_table(fit, result["rows"]),
            "**Checked**",
            check_table(result["checks"]),
            f"**On paper: {PAIRS:,} pairs**, on the machines assumed above",
            paper_table(result["paper"]),
        ]
    )


def measured_table(rows: list[Row]) -> str:
    """Show what was measured."""
    names = list(rows[0]["seconds"])
    lines = [
        [
            f"{row['pairs']:,}",
            f"{row['cells'] / 1e6:.1f}",
            f"{row['entries'] / 1e6:.2f}",
            *(f"{row['seconds'][name]:.2f}" for name in names),
        ]
        for row in rows
    ]
    return markdown(["pairs", "million cells", "million word pairs", *names], lines)


def fit_table(fit: Row, rows: list[Row]) -> str:
    """Show the fitted numbers."""
    seconds, (factor, exponent), (types, growth) = fit["seconds"], fit["entries"], fit["types"]
    last = rows[-1]
    lines = [
        ["reading", f"{1e9 * seconds['read']:.0f} ns for each word"],
        ["indexing", f"{1e9 * seconds['index']:.1f} ns for each cell"],
        ["an E step of IBM-1, both directions", f"{1e9 * seconds['ibm1_expect']:.1f} ns for each cell"],
        ["an E step of the HMM, both directions", f"{1e9 * seconds['hmm_expect']:.1f} ns for each cell"],
        ["an M step", f"{1e9 * seconds['maximise']:.1f} ns for each word pair"],
        ["an M step with families (`best`)", f"{1e9 * seconds['families']:.0f} ns for each word pair"],
        ["links", f"{1e9 * seconds['link']:.1f} ns for each cell"],
        ["cells of a pair", f"{fit['per_pair']['cells']:.0f}"],
        ["word pairs", f"{factor:.2f} * cells^{exponent:.3f}"],
        ["different words, both sides", f"{types:.2f} * words^{growth:.3f}"],
        ["bytes of a cell (its place)", f"{NUMBER * last['places'] / last['cells']:.2f}"],
        ["bytes of a word pair (column, values, counts)", f"{NUMBER + VALUE + COUNT}"],
    ]
    return markdown(["what", "cost"], lines)


def check_table(checks: list[Row]) -> str:
    """Show what was predicted and what was found."""
    lines = [
        [
            row["corpus"],
            f"{row['pairs']:,}",
            f"{row['predicted']:.1f}",
            f"{row['cpu_seconds']:.1f}",
            f"{row['predicted'] / row['cpu_seconds'] - 1:+.0%}",
        ]
        for row in checks
    ]
    return markdown(["corpus", "pairs", "predicted CPU s", "measured CPU s", "error"], lines)


def paper_table(paper: Row) -> str:
    """Show what a large text would take."""
    giga, network, hours = 1 << 30, paper["network_bytes"], paper["network_hours"]
    minutes = {name: f"{60 * spent:.1f} minutes in all" for name, spent in hours.items()}
    lines = [
        ["words", f"{paper['words'] / 1e9:.0f} thousand million"],
        ["cells", f"{paper['cells'] / 1e12:.2f} million million"],
        ["word pairs", f"{paper['entries'] / 1e9:.1f} thousand million"],
        ["different words", f"{paper['types'] / 1e6:.0f} million"],
        ["computing, in all", f"{60 * paper['work_hours']:.1f} minutes"],
        [
            "network, sent shard by shard",
            f"{network['by_shards'] / giga:.0f} GB a machine and iteration, {minutes['by_shards']}",
        ],
        [
            "the same, all through the network of one machine",
            f"{hours['by_shards'] * MACHINES['machines']:.1f} hours in all",
        ],
        [
            "network, shards of a machine added up before",
            f"{network['merged'] / giga:.0f} GB a machine and iteration, {minutes['merged']}",
        ],
        ["time, the second way", f"{60 * paper['hours']:.1f} minutes"],
        ["money", f"{paper['dollars']:,.0f} dollars"],
        ["disk of a machine: cells, words, its share of the lexicon", f"{paper['disk_bytes'] / giga:.0f} GB"],
        ["a machine's share of the lexicon", f"{paper['lexicon_bytes'] / giga:.1f} GB"],
        ["the whole lexicon, where one machine has it", f"{paper['whole_lexicon_bytes'] / giga:.0f} GB"],
        ["words as strings, where they are needed", f"{paper['vocabulary_bytes'] / giga:.1f} GB"],
        [
            "an M step and a checkpoint, where one machine makes them",
            f"{paper['client_seconds'] / 60:.1f} and {paper['checkpoint_seconds'] / 60:.1f} minutes, each iteration",
        ],
        [
            "numbers of word pairs of 32 bits are used up at",
            f"{paper['pairs_at_limit'] / 1e6:,.0f} million pairs",
        ],
    ]
    return markdown(["what", "how much"], lines)
