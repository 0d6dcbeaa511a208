"""How much memory may be used, and what is said of it."""

import platform
import subprocess
import sys

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


def test_less_than_the_program_takes_is_refused_with_a_size_that_will_do():
    with pytest.raises(OptionError, match=r"memory=.1 MB.: too little for the program itself; 600M will do"):
        wanted_memory("1M")
    assert wanted_memory("600M").room == 0


def test_what_large_arrays_may_take_is_what_nothing_else_needs():
    memory = wanted_memory("1G")
    assert memory.beside(300 << 20) == (1 << 30) - (300 << 20)
    assert memory.beside(2 << 30) == 0
    with pytest.raises(OptionError, match=r"memory=.1\.0 GB.: too little for a text; give at least 1025M"):
        memory.check((1 << 30) + 1, "a text")
    memory.check(1 << 30, "a text")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="it is asked of GNU's library alone")
def test_freed_arrays_are_given_back_though_others_stay():
    """In a process of its own, as nothing takes this back."""
    program = """if True:
        import numpy as np
        from cepts.storage.memory import wanted_memory
        from cepts.storage.scratch import resident_size
        wanted_memory("1G")
        np.ones(1 << 22)  # freed: from here on, the library would keep 32 MB of smaller arrays
        before = resident_size()
        arrays = [np.ones(3 << 16) for _ in range(100)]
        there = resident_size() - before
        del arrays[:-1]
        print(there >> 20, (resident_size() - before) >> 20)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    there, left = map(int, done.stdout.split())
    assert there > 100
    assert left < 20
