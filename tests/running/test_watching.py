"""Bars for callers from Python: drawn in terminals and notebooks where that is wanted, and taken away at the end."""

from __future__ import annotations

import io
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import cepts
from cepts.running.steps import Step, current_listener, listening, watched
from cepts.running.watching import NotebookBar

BITEXT = cepts.sample_bitext()[:30]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Cell:
    """What is displayed below a cell of a notebook."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.count = 0

    def display(self, page: str, display_id: bool) -> Cell:
        assert display_id
        self.count += 1
        self.shown.append(page)
        return self

    def update(self, page: str) -> None:
        self.shown.append(page)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Cell:
    """Pretend to be a notebook."""
    cell = Cell()
    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")
    vars(ipython)["get_ipython"] = lambda: SimpleNamespace(kernel=object())
    vars(display).update(display=cell.display, HTML=str)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return cell


def test_a_line_below_the_cell() -> None:
    cell, now = Cell(), [0.0]
    with NotebookBar(cell.display, str, lambda: now[0]) as bar:
        for done in range(5):
            bar(Step("training", 1, 2, done / 5))
            now[0] += 1.0
        bar(Step("training", 2, 2, 0.5))
        bar(Step("a <b> & c", 1, 1, 0.0))
    assert cell.count == 1
    assert cell.shown[0] == "<progress max='1'></progress> training 1 of 2"
    assert cell.shown[3] == "<progress max='1' value=\"0.200\"></progress> training 1 of 2, about 8 s left"
    assert cell.shown[-2] == "<progress max='1'></progress> a &lt;b&gt; &amp; c"
    assert cell.shown[-1] == "", "taken away"


def test_it_is_not_drawn_all_the_time() -> None:
    cell, now = Cell(), [0.0]
    with NotebookBar(cell.display, str, lambda: now[0]) as bar:
        for done in range(1000):
            now[0] += 0.001
            bar(Step("links", 1, 1, done / 1000))
    assert 5 <= len(cell.shown) <= 8


def test_a_notebook_sees_training_and_linking(notebook: Cell) -> None:
    alignment = cepts.align(BITEXT, method="fast", progress=True)
    assert len(alignment) == 30
    said = " ".join(notebook.shown)
    assert "training 9 of 9" in said
    assert "linking" in said
    assert (notebook.count, notebook.shown[-1]) == (1, "")
    before = len(notebook.shown)
    aligner = cepts.Aligner("fast", progress=True).fit(BITEXT)
    assert notebook.count == 2
    aligner.align(BITEXT)
    assert notebook.count == 3
    assert len(notebook.shown) > before
    cepts.align(BITEXT, method="fast")
    assert notebook.count == 3, "nobody asked for it"


def test_a_terminal_sees_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    cepts.align(BITEXT, method="fast", progress=True)
    assert "training" in stream.getvalue()
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    cepts.align(BITEXT, method="fast")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_nothing_is_drawn_where_nobody_would_see_it(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setattr(sys, "stderr", stream)
    cepts.align(BITEXT, method="fast", progress=True)
    assert stream is None or stream.getvalue() == ""


def test_who_listens_already_goes_on(notebook: Cell) -> None:
    heard: list[Step] = []
    with listening(heard.append):
        cepts.align(BITEXT, method="fast", progress=True)
    assert {step.stage for step in heard} >= {"ibm1", "hmm", "links"}
    assert notebook.count == 0


def test_an_error_takes_the_bar_away(notebook: Cell) -> None:
    def breaking() -> None:
        with watched(True):
            listener = current_listener()
            assert listener is not None
            listener(Step("links", 1, 1, 0.5))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        breaking()
    assert notebook.shown[-1] == ""
    assert current_listener() is None
