"""Arrays in memory and on disk."""

import mmap
import pickle
import sys
import threading
from time import monotonic, sleep
from types import SimpleNamespace

import numpy as np
import pytest

from cepts.storage import scratch as module
from cepts.storage.scratch import Scratch, release, resident_size


def test_what_is_above_the_limit_is_mapped_and_may_be_written():
    scratch = Scratch(100)
    first, second = np.arange(10, dtype=np.int64), np.arange(12, dtype=np.float32).reshape(3, 4)
    assert scratch.kept(first) is first
    assert not scratch.on_disk
    kept = scratch.kept(second)
    assert scratch.on_disk == second.nbytes
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


def test_a_lower_limit_leaves_what_is_in_memory_there():
    scratch = Scratch(1000)
    kept = scratch.zeros((100,), np.int64)
    scratch.limit = 900
    assert scratch.fits(100)
    assert not scratch.fits(101)
    scratch.limit = 0
    assert not scratch.fits(1)
    del kept
    assert not scratch.fits(1)
    scratch.limit = 10
    assert scratch.fits(10)


def within_seconds(holds, seconds=30):
    """Wait until something holds that another thread does."""
    end = monotonic() + seconds
    while not holds() and monotonic() < end:
        sleep(0.01)
    return holds()


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much is in memory")


@LINUX
def test_pages_of_files_are_given_back_when_too_much_is_in_memory():
    scratch = Scratch(0, resident=0)
    array, size = scratch.zeros((64 << 20,), np.uint8), 64 << 20
    before = resident_size()
    array[:] = 1
    assert within_seconds(lambda: resident_size() < before + module.WINDOW + (8 << 20))
    assert array.sum() == size


@LINUX
def test_files_that_others_have_mapped_are_watched_too(tmp_path):
    np.save(tmp_path / "ones.npy", np.ones(64 << 20, np.uint8))
    array = np.load(tmp_path / "ones.npy", mmap_mode="r")
    scratch = Scratch(0, resident=0)
    scratch.watch(array[:10])
    scratch.watch(np.zeros(3))
    before = resident_size()
    assert array.sum() == 64 << 20
    assert within_seconds(lambda: resident_size() < before + module.WINDOW + (8 << 20))
    assert array.sum() == 64 << 20


@LINUX
def test_nobody_watches_for_a_scratch_that_has_gone():
    def watchers():
        return [thread for thread in threading.enumerate() if thread.name == "cepts-scratch"]

    assert within_seconds(lambda: not watchers())
    scratch = Scratch(0, resident=1 << 40)
    kept = scratch.zeros((10,), np.int64)
    assert len(watchers()) == 1
    scratch.zeros((10,), np.int64)
    assert len(watchers()) == 1
    del scratch
    assert within_seconds(lambda: not watchers())
    assert kept.sum() == 0


def test_a_scratch_can_be_sent_to_a_worker():
    scratch = Scratch(70, resident=1 << 40)
    scratch.zeros((100,), np.int64)
    sent = pickle.loads(pickle.dumps(scratch))
    assert (sent.limit, sent.on_disk) == (70, 0)
    assert sent.fits(70)


def test_a_full_disk_leaves_arrays_in_memory(monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.tempfile, "TemporaryFile", full)
    array = np.arange(50)
    assert Scratch(0).kept(array) is array


def test_zeros_are_counted_as_long_as_somebody_has_them():
    scratch = Scratch(100)
    first = scratch.zeros((10,), np.int64)
    second = scratch.zeros((5, 3), np.float32)
    assert (scratch.on_disk, second.shape, second.sum()) == (60, (5, 3), 0)
    second[4] = 1
    release(second)
    assert second.sum() == 3
    part = first[2:4]
    del first
    scratch.zeros((5, 3), np.float32)
    assert scratch.on_disk == 120, "a view still holds the first array"
    del part
    scratch.zeros((5, 3), np.float32)
    assert scratch.on_disk == 120


def test_zeros_on_a_full_disk_stay_in_memory(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "posix_fallocate", full)
    scratch = Scratch(0)
    assert scratch.zeros((3,), np.int32).tolist() == [0, 0, 0]
    assert not scratch.on_disk


def test_release_reaches_the_map_below_views(monkeypatch):
    kept = Scratch(0).kept(np.arange(4096, dtype=np.int64))
    monkeypatch.setattr(module, "mmap", SimpleNamespace(mmap=mmap.mmap, MADV_DONTNEED="no advice"))
    with pytest.raises(TypeError):  # madvise is asked, with what is no advice here
        release(kept[10:20])
    assert kept[4095] == 4095


def test_bytes_are_counted_as_long_as_somebody_has_their_owner():
    scratch, owner = Scratch(1000), np.zeros(3)
    assert scratch.fits(900)
    scratch.count(500, owner)
    assert not scratch.fits(900)
    assert scratch.fits(500)
    del owner
    assert scratch.fits(900)
