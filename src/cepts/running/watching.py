"""A bar for callers from Python: a line in a terminal, or below the cell of a notebook."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from html import escape
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

from rich.console import Console

from cepts.running.bars import Bar
from cepts.running.steps import listening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cepts.running.steps import Step

OFTEN = 0.2  # seconds between two drawings in a notebook


class NotebookBar(Bar):
    """Draws the line below the cell that runs, by the `display` and `HTML` of IPython."""

    def __init__(
        self, display: Callable[..., Any], html: Callable[[str], Any], clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__(clock=clock)
        self._display, self._html = display, html
        self._handle: Any = None
        self._shown = (0.0, "")  # when it was drawn last, and with what text

    def __call__(self, step: Step) -> None:
        """Show a step."""
        super().__call__(step)
        now = self._clock()
        if self._handle is not None and (now - self._shown[0] >= OFTEN or self.text != self._shown[1]):
            self._shown = now, self.text
            self._handle.update(self._html(self.page()))

    def page(self) -> str:
        """Return the line as HTML."""
        value = f' value="{self.share:.3f}"' if self.share else ""  # of an unknown share, the bar just moves
        parts = (part for part in (self.text, self.left()) if part)
        return f"<progress max='1'{value}></progress> {escape(', '.join(parts))}"

    def end(self) -> None:
        """Take the line away."""
        if self._handle is not None:
            self._handle.update(self._html(""))
            self._handle = None
        super().end()

    def _draw_new(self) -> None:
        """Begin the line."""
        if self._handle is None and not self._ended:
            self._handle = self._display(self._html(self.page()), display_id=True)


@contextmanager
def bar_drawn() -> Iterator[None]:
    """Draw how far the work is, where somebody can see it."""
    bar = _bar()
    if bar is None:
        yield
        return
    with bar, listening(bar):
        yield


def _bar() -> Bar | None:
    """Return a bar for the place where output goes; None where it would not be seen to move."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if hasattr(shell, "kernel"):
        drawing = import_module("IPython.display")
        return NotebookBar(drawing.display, drawing.HTML)
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    return Bar(Console(stderr=True))
