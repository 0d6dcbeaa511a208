"""How much memory may be used, and what is said of it."""

import pytest

from cepts.errors import OptionError
from cepts.storage import memory as module
from cepts.storage.memory import PROGRAM, USUAL, wanted_memory


@pytest.mark.parametrize(
    ("free", "size", "said"),
    [
        (100 << 30, USUAL, "memory: 1.5 GB; everything stayed there"),
        (1 << 30, 1 << 29, "memory: 512 MB, half of what was free; everything stayed there"),
    ],
)
def test_half_of_what_is_free_is_used_but_no_more_than_usual(free, size, said, monkeypatch):
    monkeypatch.setattr(module, "free_memory", lambda: free)
    chosen = wanted_memory(None)
    assert chosen.size == size
    assert chosen.said(0) == said


def test_what_is_asked_for_is_used_whatever_is_free(monkeypatch):
    monkeypatch.setattr(module, "free_memory", lambda: 1)
    assert wanted_memory("4G").size == 4 << 30
    assert wanted_memory(PROGRAM).said(1 << 20) == "memory: 200 MB; 1 MB of arrays went to temporary files"


def test_less_than_the_program_takes_is_refused():
    with pytest.raises(
        OptionError, match=r"memory=.1 MB.: too little for the program itself; give at least 200M"
    ):
        wanted_memory("1M")
