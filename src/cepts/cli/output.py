"""Where commands write: a file that appears when it is complete, or stdout."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, cast

from cepts.cli.progress import end_bar
from cepts.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from cepts.aligning import Aligner
    from cepts.combine import DualLinks
    from cepts.corpus import Bitext

STDOUT = "-"


def check_outputs(*paths: str | None) -> None:
    """Refuse, before any work is done, what could not be written after it."""
    from cepts.storage import check_writable

    for path in paths:
        if path is not None and path != STDOUT:
            check_writable(path)


def destination(path: str | None) -> AbstractContextManager[TextIO]:
    """Open the output: a file that appears when it is complete, or stdout for None and `-`."""
    if path is None or path == STDOUT:
        return _standard_output()
    from cepts.storage import atomic_writer

    return cast("AbstractContextManager[TextIO]", atomic_writer(path))


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Give stdout as UTF-8 with plain newlines; a full disk behind it is not a failure of ours."""
    if sys.stdout is None:
        raise OutputError("cannot write to standard output: it is closed; use --output FILE")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    if sys.stdout.isatty():
        end_bar()
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        raise
    except OSError as error:
        discard_stdout()
        raise OutputError(f"cannot write to standard output: {error.strerror or error}") from error


def discard_stdout() -> None:
    """Send what is still buffered for stdout nowhere, so that Python's own flush at the end cannot fail."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_offsets(bitext: Bitext, path: str) -> None:
    """Write where each token stands, an object for each pair: {"source": [[0, 2], ...], "target": ...}."""
    with destination(path) as stream:
        for k in range(len(bitext)):
            sides = (("source", bitext.source), ("target", bitext.target))
            spans = {name: side.token_spans(k) for name, side in sides}
            stream.write(json.dumps({name: s.tolist() for name, s in spans.items() if s is not None}) + "\n")


def write_certificates(dual: DualLinks, path: str) -> None:
    """Write a line for each pair, TAB-separated: 1 if it has a certificate, else 0; the rounds; the bound."""
    _, _, certified, rounds, bounds = dual
    with destination(path) as stream:
        for row in zip(certified.tolist(), rounds.tolist(), bounds.tolist(), strict=True):
            stream.write(f"{row[0]:d}\t{row[1]}\t{row[2]:.4f}\n")


def write_timings(aligner: Aligner, bitext: Bitext, seconds: Mapping[str, float], path: str) -> None:
    """Write what a benchmark and `cepts plot training` want to know; `seconds` are those after training, by stage."""
    chosen = aligner.recipe
    timings = {
        "pairs": len(bitext),
        "words": [len(bitext.source.ids), len(bitext.target.ids)],
        "cells": bitext.cells,
        "iterations": chosen.iterations,
        "seconds": {"read": bitext.seconds_to_read, **aligner.stopwatch.seconds, **seconds},
        "training": [curve._asdict() for curve in aligner.curves],
        "signature": chosen.signature,
    }
    with destination(path) as stream:
        stream.write(json.dumps(timings, indent=1) + "\n")
