"""Arrays in memory and on disk."""

import mmap
from types import SimpleNamespace

import numpy as np
import pytest

from cepts.storage import scratch as module
from cepts.storage.scratch import Scratch, release


def test_what_is_above_the_limit_is_mapped_and_may_be_written():
    scratch = Scratch(100)
    first, second = np.arange(10, dtype=np.int64), np.arange(12, dtype=np.float32).reshape(3, 4)
    assert scratch.kept(first) is first
    assert not scratch.is_full
    kept = scratch.kept(second)
    assert scratch.is_full
    assert kept is not second
    np.testing.assert_array_equal(kept, second)
    kept[1] = 7
    assert kept.flags.c_contiguous
    release(kept)
    assert kept.tolist() == [[0, 1, 2, 3], [7, 7, 7, 7], [8, 9, 10, 11]]


@pytest.mark.parametrize("array", [np.zeros((0, 4)), np.arange(3)])
def test_what_is_in_memory_needs_no_release(array):
    release(array)
    assert Scratch(1000).kept(array) is array


def test_a_full_disk_leaves_arrays_in_memory(monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.tempfile, "TemporaryFile", full)
    array = np.arange(50)
    assert Scratch(0).kept(array) is array


def test_release_reaches_the_map_below_views(monkeypatch):
    kept = Scratch(0).kept(np.arange(4096, dtype=np.int64))
    monkeypatch.setattr(module, "mmap", SimpleNamespace(mmap=mmap.mmap, MADV_DONTNEED="no advice"))
    with pytest.raises(TypeError):  # madvise is asked, with what is no advice here
        release(kept[10:20])
    assert kept[4095] == 4095
