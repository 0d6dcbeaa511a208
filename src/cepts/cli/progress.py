"""What is said on stderr: progress where it is a terminal, notes, and a count of what was survived."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.errors import PREFIX, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.aligning import Aligner
    from cepts.corpus import Bitext
    from cepts.storage.memory import Memory
    from cepts.words import Monitor, Step


@contextmanager
def progress(quiet: bool) -> Iterator[Monitor]:
    """Give a monitor that draws stage, iteration, objective and time left."""
    if quiet or not sys.stderr.isatty():
        from cepts.words.training import ignore

        yield ignore
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description:<14}"),
        BarColumn(),
        TextColumn("{task.fields[objective]:>24}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    # What is written to stdout meanwhile stays there: redirected, it would come out where the bars are drawn.
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bars:
        tasks = {}

        def show(step: Step) -> None:
            if step.stage not in tasks:
                tasks[step.stage] = bars.add_task(step.stage, total=step.iterations, objective="")
            task, counter = tasks[step.stage], f" {step.iteration}/{step.iterations}"
            name = step.stage + (counter if step.iterations > 1 else "")
            bars.update(task, description=name, completed=step.iteration - 1 + step.done)
            if step.objective is not None:
                bars.update(task, objective=f"objective {step.objective:,.0f}")

        yield show


def note(text: str, quiet: bool = False) -> None:
    """Say something on stderr, on one line, unless all is to be quiet."""
    if not quiet:
        print(PREFIX + one_line(text), file=sys.stderr, flush=True)


_announcers: list[Any] = []


def announce_compilation(quiet: bool) -> None:
    """Say once, as soon as Numba begins to compile a kernel, why nothing else happens for a while.

    Where a process runs several commands, the last one's announcer alone is listening.
    """
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc]
        said = quiet

        def on_start(self, event: object) -> None:  # noqa: ARG002
            note("compiling kernels, once; this can take a minute", quiet=self.said)
            self.said = True

        def on_end(self, event: object) -> None:
            pass

    while _announcers:
        with suppress(ValueError):  # it was taken away by somebody else
            event.unregister("numba:compile", _announcers.pop())
    _announcers.append(Announcer())
    event.register("numba:compile", _announcers[0])


class Survived(NamedTuple):
    """How many pairs there were, with an empty side, cut into pieces, and too large for the model."""

    pairs: int = 0
    empty: int = 0
    cut: int = 0
    oversized: int = 0


def survived(bitext: Bitext, aligner: Aligner, before: Survived | None = None) -> Survived:
    """Count what was survived in a bitext that was aligned, and add what was survived before."""
    from cepts.words.layout import MAX_WORDS

    source, target = bitext.source.lengths, bitext.target.lengths
    empty = (source == 0) | (target == 0)
    cut = ((source > MAX_WORDS) | (target > MAX_WORDS)) & ~empty
    now = (len(bitext), int(empty.sum()), int(cut.sum()), aligner.oversized)
    return Survived(*(one + two for one, two in zip(before or Survived(), now, strict=True)))


def note_memory(memory: Memory, on_disk: int | None, quiet: bool) -> None:
    """Say how memory was bounded, if somebody asked for it or anything had to go to disk."""
    if memory.given or on_disk:
        note(memory.said(on_disk), quiet)


def note_pruning(aligner: Aligner, quiet: bool) -> None:
    """Say how many word pairs were dropped between models, if that was wanted."""
    if aligner.recipe.prune > 0 and aligner.word_pairs is not None:
        all_pairs, kept = aligner.word_pairs
        note(f"{kept:,} of {all_pairs:,} word pairs are kept behind IBM-1", quiet)


def note_certificates(aligner: Aligner, quiet: bool) -> None:
    """Say how many pairs have links that are proved best."""
    if aligner.dual is None or not len(aligner.dual.rounds):
        return
    certified, rounds = aligner.dual.certified, aligner.dual.rounds
    share, pairs = 100 * certified.mean(), f"{certified.sum()} of {len(certified)} pairs"
    note(f"{pairs} ({share:.1f} %) have a certificate; {rounds.mean():.1f} rounds on average", quiet)


def summarise(counts: Survived, quiet: bool, empty_pairs: str) -> None:
    """Say what was survived, and what came of pairs with an empty side."""
    from cepts.words.layout import MAX_WORDS

    pairs, empty, cut, oversized = counts
    if empty:
        note(f"{empty} of {pairs} pairs have an empty side: {empty_pairs}", quiet)
    if cut:
        note(f"{cut} of {pairs} pairs have more than {MAX_WORDS} words on a side: aligned in pieces", quiet)
    if oversized:
        note(f"{oversized} of {pairs} pairs are too long for this model: aligned by a simpler one", quiet)
