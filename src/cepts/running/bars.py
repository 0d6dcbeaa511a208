"""`Bar`: a monitor that draws one line, with what is done and about how long it takes yet."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from cepts.running.steps import Step

# What stages are called that have no plain name.
SAID = {"links": "linking", "classes": "sorting words into classes", "training": "training"}
LONG_ENOUGH = 1.0  # seconds, after which one can tell how long it takes yet


class Bar:
    """Draws a line for the stage that is at work; the line goes when all is done.

    >>> from rich.console import Console
    >>> from cepts.running.steps import Step
    >>> with Bar(Console(quiet=True)) as bar:
    ...     bar(Step("hmm", 2, 5, 0.5, before=4, in_all=9))
    >>> bar.text, bar.share
    ('training 6 of 9', 0.6111111111111112)
    """

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._console, self._clock = console, clock
        self._drawn: Progress | None = None
        self._ended = False
        self._task = TaskID(0)
        self._key: tuple[str, str] | None = None  # of what is at work
        self._begun = (0.0, 0.0)  # when the stage began, and how far all was then
        self.text, self.share = "", 0.0
        self.ends: float | None = None  # when it is expected to be done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def __call__(self, step: Step) -> None:
        """Show a step."""
        now, before = self._clock(), self.text
        self.text, self.share = said(step), share_of(step)
        key = ("training" if step.in_all else step.stage, step.stage)
        if key != self._key:
            self._begun = (now, self.share)
            new = self._key is None or key[0] != self._key[0]
            self._key = key
            if new:
                self.ends = None
                self._draw_new()
        began, share = self._begun
        if now - began > LONG_ENOUGH and self.share > share:
            self.ends = now + (now - began) * (1.0 - self.share) / (self.share - share)
        if self._drawn is not None:
            total = None if self.share == 0.0 else 1.0  # of an unknown share, the bar just moves
            self._drawn.update(self._task, description=self.text, completed=self.share, total=total)
            if self.text != before:
                self._drawn.refresh()

    def end(self) -> None:
        """Take the line away, and draw none any more."""
        if self._drawn is not None:
            self._drawn.stop()
        self._drawn, self._ended = None, True

    def _draw_new(self) -> None:
        """Begin the line of a stage."""
        if self._ended:
            return
        if self._drawn is None:
            # What is written to stdout meanwhile stays there: redirected, it would come out where the bar is drawn.
            columns = (TextColumn("{task.description}"), BarColumn(), Left(self))
            self._drawn = Progress(
                *columns, console=self._console, transient=True, redirect_stdout=False, expand=False
            )
            self._drawn.start()
        else:
            self._drawn.remove_task(self._task)
        self._task = self._drawn.add_task(self.text, total=None)

    def left(self) -> str:
        """Say about how long it takes yet; nothing as long as that cannot be known."""
        return "" if self.ends is None else about(self.ends - self._clock())


class Left(ProgressColumn):
    """The time that is left, which goes down between steps, too; before it is known, how long it has taken."""

    def __init__(self, bar: Bar) -> None:
        super().__init__()
        self._bar = bar

    def render(self, task: Task) -> Text:
        """Return the text."""
        elapsed = task.elapsed or 0.0
        return Text(self._bar.left() or (f"{elapsed:.0f} s" if elapsed >= LONG_ENOUGH else ""))


def said(step: Step) -> str:
    """Say in words what is at work.

    >>> from cepts.running.steps import Step
    >>> steps = (Step("hmm", 2, 5, 0.5, before=4, in_all=9), Step("tuning", 2, 5, 0.5), Step("links", 1, 1, 0.5))
    >>> [said(step) for step in steps]
    ['training 6 of 9', 'tuning 2 of 5', 'linking']
    """
    if step.in_all:
        return f"training {step.before + step.iteration} of {step.in_all}"
    name = SAID.get(step.stage, step.stage)
    return f"{name} {step.iteration} of {step.iterations}" if step.iterations > 1 else name


def share_of(step: Step) -> float:
    """Return how much of the stage, or of the whole training, is done."""
    done = step.before + step.iteration - 1 + step.done
    return min(1.0, done / (step.in_all or step.iterations))


def about(seconds: float) -> str:
    """Say about how long something takes yet.

    >>> about(3.2), about(17.0), about(130.0), about(7200.0), about(0.2)
    ('about 3 s left', 'about 15 s left', 'about 2 min left', 'about 2 h left', 'nearly done')
    """
    if seconds < 0.5:
        return "nearly done"
    if seconds < 10:
        return f"about {seconds:.0f} s left"
    if seconds < 90:
        return f"about {5 * round(seconds / 5)} s left"
    if seconds < 90 * 60:
        return f"about {seconds / 60:.0f} min left"
    return f"about {seconds / 3600:.0f} h left"
