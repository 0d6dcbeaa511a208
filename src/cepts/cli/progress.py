"""What is said on stderr: progress where it is a terminal, notes, and a count of what was survived."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cepts.cli.help import BEGUN
from cepts.errors import PREFIX, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sized

    from cepts.aligning import Aligner, Recipe
    from cepts.combine import DualLinks
    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.storage.memory import Memory


@contextmanager
def watched(quiet: bool) -> Iterator[None]:
    """Draw on stderr, where that is a terminal, how far a command is."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from cepts.running.watching import bar_drawn

    with bar_drawn():
        yield


def end_bar() -> None:
    """Take the bar away for good, before answers are written to the same terminal."""
    from cepts.running.steps import current_listener

    end = getattr(current_listener(), "end", None)
    if end is not None:
        end()


def note(text: str, quiet: bool = False) -> None:
    """Say something on stderr, on one line, unless all is to be quiet."""
    if not quiet:
        print(PREFIX + one_line(text), file=sys.stderr, flush=True)


def finished(quiet: bool, *counts: str, output: str | None = None) -> None:
    """Say last what was done, how long it took, and where it was written, if that is not stdout."""
    seconds = perf_counter() - click.get_current_context().meta[BEGUN]
    place = "" if output in (None, "-") else f", written to {output}"
    end_bar()
    note(f"done: {', '.join(counts)} in {seconds:.1f} s{place}", quiet)


def counted(number: int, name: str, several: str | None = None) -> str:
    """Say how many there are.

    >>> counted(1, "pair"), counted(1973, "link"), counted(0, "match", "matches")
    ('1 pair', '1,973 links', '0 matches')
    """
    return f"{number:,} {name if number == 1 else several or name + 's'}"


_announcers: list[Any] = []
COMPILE_SECONDS = 0.6  # of one processor, for a kernel that Python calls, on average


def announce_compilation(quiet: bool) -> None:
    """Compile in other processes, too, what the command needs; say so, or as soon as anything else is compiled.

    Where a process runs several commands, the last one's announcer alone is listening.
    """
    from numba.core import event

    from cepts.running.steps import tell

    tell("starting")

    class Announcer(event.Listener):  # type: ignore[misc]
        said = _compile_beside(quiet) or quiet

        def on_start(self, event: object) -> None:  # noqa: ARG002
            note(compiling("what is needed for the first time, up to a minute"), quiet=self.said)
            self.said = True

        def on_end(self, event: object) -> None:
            pass

    while _announcers:
        with suppress(ValueError):  # it was taken away by somebody else
            event.unregister("numba:compile", _announcers.pop())
    _announcers.append(Announcer())
    event.register("numba:compile", _announcers[0])


def _compile_beside(quiet: bool) -> bool:
    """Start processes that compile the kernels of this command that nobody has compiled yet; say whether we did."""
    from cepts.running.compiling import WORKERS, WORTH, compile_beside, cores, kernels_of, missing

    command = this_command()
    needed = missing(kernels_of(command))
    workers = compile_beside(needed, min(cores() - 1, WORKERS)) if len(needed) >= WORTH else []
    if not workers:
        return False
    seconds = round(COMPILE_SECONDS * len(needed) / (1 + len(workers)))
    note(compiling(f"{len(needed)} that `cepts {command}` needs, about {seconds} s"), quiet)
    return True


def this_command() -> str:
    """Name the command that runs as the list of kernels does: `names train`, or with its method `align fast`."""
    context = click.get_current_context(silent=True)
    if context is None:
        return ""
    command, method = context.command_path.partition(" ")[2], context.params.get("method")
    from cepts.running.compiling import kernels_of

    return named if kernels_of(named := f"{command} {method}") else command


def compiling(what: str) -> str:
    """Say what is compiled, that this happens once, and where it is kept."""
    from cepts.running.kernel import cache_folder, cache_root

    kept = "" if cache_folder() is None else f"; kept in {cache_root()}"
    return f"compiling kernels, once for this version: {what}{kept}"


class Survived(NamedTuple):
    """How many pairs there were, with an empty side, cut into pieces, and too large for the model."""

    pairs: int = 0
    empty: int = 0
    cut: int = 0
    oversized: int = 0


def survived(bitext: Bitext, oversized: Sized = (), before: Survived | None = None) -> Survived:
    """Count what was survived in a bitext, of which some pairs were oversized, and add what was survived before."""
    from cepts.words.layout import MAX_WORDS

    source, target = bitext.source.lengths, bitext.target.lengths
    empty = (source == 0) | (target == 0)
    cut = ((source > MAX_WORDS) | (target > MAX_WORDS)) & ~empty
    now = (len(bitext), int(empty.sum()), int(cut.sum()), len(oversized))
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


def note_strength(recipe: Recipe, links: Links | None, quiet: bool) -> None:
    """Say so if no pair has a link, which a regularity term brings about that is too strong for a small text."""
    given = recipe.regularity
    if links is None or len(links) == 0 or len(links.source) or isinstance(given, str) or not given:
        return
    if recipe.min_confidence is None:
        note(
            f"no pair has a link: --regularity {given:g} is a high price for rare words, and in this text nearly all "
            "are rare; use --regularity auto or off",
            quiet,
        )


def note_certificates(dual: DualLinks | None, quiet: bool) -> None:
    """Say how many pairs have links that are proved best."""
    if dual is None or not len(dual.rounds):
        return
    certified, rounds = dual.certified, dual.rounds
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
