"""`cepts align` and `cepts train`."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TextIO

import click

from cepts.cli.options import (
    linking_options,
    recipe_options,
    running_options,
    text_options,
    training_options,
    with_options,
)
from cepts.cli.progress import announce_compilation, note, progress
from cepts.errors import OptionError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cepts.aligning import Aligner
    from cepts.corpus import Bitext
    from cepts.links import Links

TRAINED_ALREADY = ("method", "model_type", "iterations", "training", "null_probability", "prior", "jump_band", "jump_update")


@click.command(short_help="Link the words of two translated texts.")
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.option("--sample", is_flag=True, help="Align the built-in French-English sample and show it.")
@click.option("--model", default=None, help="A folder that `cepts train` wrote; without files, stdin is read.")
@with_options(training_options, linking_options, text_options)
@click.option("--scores", is_flag=True, help="Add each link's probability and each pair's score.")
@click.option("--output", default=None, help="Write the links here instead of stdout.")
@click.option("--offsets", default=None, help="With --tokenize: write each token's characters here, as JSON lines.")
@click.option("--timings", default=None, help="Write cells, iterations and seconds by stage here, as JSON.")
@with_options(running_options)
def align(source: str | None, target: str | None, **options: Any) -> None:
    """Link the words of two translated texts.

    SOURCE and TARGET are line-aligned files (also .gz, .xz). Without TARGET, SOURCE or `-` holds lines of
    `source ||| target`, or of source TAB target. One line of links per pair comes out: `i-j` says that word i
    of the source belongs to word j of the target, counted from 0.

    With --model and no files, pairs are read from stdin and answered line by line.

    --direction forward writes the best path of the model in which source words generate target words (each
    target word has at most one link), reverse the other one; both, combined, are nearly always better.
    """
    from cepts.storage import check_writable

    for name in ("output", "offsets", "timings"):
        if options[name]:
            check_writable(options[name])
    if options["offsets"] and not options["tokenize"] and not options["model"]:
        raise OptionError("--offsets needs --tokenize: without it tokens are what stands between spaces")
    if options["sample"]:
        align_sample(source, options)
    elif options["model"] and source is None:
        stream(options)
    elif source is None:
        raise OptionError("nothing to align: give SOURCE TARGET, or one file with both, or --sample")
    else:
        align_files(source, target, options)


def align_files(source: str, target: str | None, options: dict[str, Any]) -> None:
    """Train on two files, or open a model, and write the links."""
    announce_compilation(options["quiet"])
    with progress(options["quiet"]) as monitor:
        aligner = open_aligner(options, monitor)
        bitext = read(aligner, source, target, options)
        links = aligner.align(bitext) if options["model"] else aligner.fit(bitext).align(bitext)
    with destination(options["output"]) as stream:
        write_links(links, stream, options["scores"])
    if options["offsets"]:
        write_offsets(bitext, options["offsets"])
    if options["timings"]:
        write_timings(aligner, bitext, options["timings"])
    summarise(bitext, options["quiet"])


def open_aligner(options: dict[str, Any], monitor: Any) -> Aligner:
    """Make the aligner that the options ask for."""
    from cepts.aligning import Aligner

    if not options["model"]:
        text = {name: options[name] for name in ("tokenize", "keep_case")}
        running = {"threads": options["threads"], "monitor": monitor}
        return Aligner(options["method"] or "fast", **text, **running, **recipe_options(options))
    for name in TRAINED_ALREADY:
        if options[name] is not None:
            raise OptionError(f"--{name.replace('_', '-')} cannot change a model that is trained; drop it, or --model")
    linking = {name: options[name] for name in ("combine", "direction", "min_confidence")}
    return Aligner.load(options["model"], threads=options["threads"], monitor=monitor, **linking)


def read(aligner: Aligner, source: str, target: str | None, options: dict[str, Any]) -> Bitext:
    """Read the text as the aligner wants its words."""
    from cepts.corpus import read_bitext

    return read_bitext(source, target, errors=options["errors"], **aligner.text._asdict())


def destination(path: str | None) -> AbstractContextManager[TextIO]:
    """Open the output: a file that appears when it is complete, or stdout."""
    from cepts.storage import atomic_writer

    if path is None or path == "-":
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        return nullcontext(sys.stdout)
    return atomic_writer(path)


def write_links(links: Links, stream: TextIO, scores: bool) -> None:
    """Write Pharaoh lines."""
    from cepts.links import write_pharaoh

    write_pharaoh(links, stream, scores=scores)


def write_offsets(bitext: Bitext, path: str) -> None:
    """Write the characters of each token, one JSON object for each pair: {"source": [[0, 2], ...], "target": ...}."""
    with destination(path) as stream:
        for k in range(len(bitext)):
            spans = {
                name: spans.tolist()
                for name, spans in (
                    ("source", bitext.source.token_spans(k)),
                    ("target", bitext.target.token_spans(k)),
                )
                if spans is not None
            }
            stream.write(json.dumps(spans) + "\n")


def write_timings(aligner: Aligner, bitext: Bitext, path: str) -> None:
    """Write what a benchmark wants to know."""
    chosen = aligner.recipe
    timings = {
        "pairs": len(bitext),
        "words": [len(bitext.source.ids), len(bitext.target.ids)],
        "cells": bitext.cells,
        "iterations": {"ibm1": chosen.ibm1_iterations, "hmm": chosen.hmm_iterations},
        "seconds": {"read": bitext.seconds_to_read, **aligner.stopwatch.seconds},
        "signature": chosen.signature,
    }
    with destination(path) as stream:
        json.dump(timings, stream, indent=1)
        stream.write("\n")


def summarise(bitext: Bitext, quiet: bool) -> None:
    """Count what was survived."""
    from cepts.words.layout import MAX_WORDS

    source, target = bitext.source.lengths, bitext.target.lengths
    empty = int(((source == 0) | (target == 0)).sum())
    cut = int((((source > MAX_WORDS) | (target > MAX_WORDS)) & (source > 0) & (target > 0)).sum())
    if empty:
        note(f"{empty} of {len(bitext)} pairs have an empty side: empty lines", quiet)
    if cut:
        note(f"{cut} of {len(bitext)} pairs have more than {MAX_WORDS} words on a side: aligned in pieces", quiet)


def stream(options: dict[str, Any]) -> None:
    """Answer pairs on stdin line by line."""
    from cepts.corpus import bitext_from_pairs, split_pairs
    from cepts.links import format_pharaoh

    announce_compilation(options["quiet"])
    aligner = open_aligner(options, lambda step: None)
    with destination(options["output"]) as output:
        for pair in split_pairs(sys.stdin.buffer, errors=options["errors"]):
            links = aligner.align(bitext_from_pairs([pair], errors=options["errors"], **aligner.text._asdict()))
            score = float(links.scores[0]) if options["scores"] and links.scores is not None else None
            output.write(format_pharaoh(links[0], score) + "\n")
            output.flush()


def align_sample(source: str | None, options: dict[str, Any]) -> None:
    """Align the sample, draw some of it, and score it."""
    from cepts.cli.sample import show_sample

    if source is not None or options["model"]:
        raise OptionError("--sample brings its own text: drop the files and --model")
    announce_compilation(options["quiet"])
    with progress(options["quiet"]) as monitor:
        aligner = open_aligner(options, monitor)
        with destination(options["output"]) as stream:
            show_sample(aligner, stream)


@click.command(short_help="Train a model and save it in a folder.")
@click.argument("source")
@click.argument("target", required=False)
@click.option("--output", required=True, help="The folder to write.")
@with_options(training_options, linking_options, text_options, running_options)
def train(source: str, target: str | None, **options: Any) -> None:
    """Train a model on two translated texts and save it in a folder.

    `cepts align --model FOLDER` on the same text gives the links that `cepts align` gives.
    """
    from cepts.storage import check_folder_writable

    check_folder_writable(options["output"])
    announce_compilation(options["quiet"])
    with progress(options["quiet"]) as monitor:
        aligner = open_aligner({**options, "model": None}, monitor)
        bitext = read(aligner, source, target, options)
        aligner.fit(bitext).save(options["output"])
    summarise(bitext, options["quiet"])
