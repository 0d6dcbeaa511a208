"""`run`: results in order, lazily, whoever does the work; and what happens when it fails."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.running import run
from cepts.running.run import AHEAD


@given(chunks=st.lists(st.integers(), max_size=40), threads=st.integers(1, 4))
def test_results_come_in_the_order_of_the_chunks(chunks, threads):
    assert list(run(lambda chunk: (chunk, chunk + 1), chunks, threads)) == [(k, k + 1) for k in chunks]


def test_a_slow_first_chunk_is_waited_for():
    others_done = threading.Event()

    def work(chunk):
        if chunk == 0:
            assert others_done.wait(10)
        if chunk == 1:
            others_done.set()
        return chunk

    assert list(run(work, range(6), threads=2)) == list(range(6))


def test_threads_work_at_the_same_time():
    meeting = threading.Barrier(3, timeout=10)  # passes only if three chunks are under way together
    assert len(list(run(lambda chunk: meeting.wait(), range(3), threads=3))) == 3  # noqa: ARG005


def test_no_thread_outlives_the_last_result():
    results = run(lambda chunk: chunk, range(9), threads=2)
    assert [next(results) for _ in range(9)] == list(range(9))  # and nobody asks for the end
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cepts")]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_error_arrives_in_its_turn_with_its_own_type(threads):
    def work(chunk):
        if chunk == 3:
            raise ZeroDivisionError("chunk 3")
        return chunk

    results = run(work, range(100), threads)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ZeroDivisionError, match="chunk 3"):
        next(results)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_stops_the_work(threads):
    begun = []

    def work(chunk):
        begun.append(chunk)
        if chunk == 0:
            raise ZeroDivisionError
        time.sleep(0.001)

    with pytest.raises(ZeroDivisionError):
        list(run(work, range(10_000), threads))
    after = len(begun)
    assert after <= AHEAD * threads + 1
    time.sleep(0.01)
    assert len(begun) == after, "nothing goes on in the background"


@pytest.mark.parametrize("threads", [1, 2])
def test_whoever_stops_listening_stops_the_work(threads):
    begun = []
    results = run(lambda chunk: begun.append(chunk) or chunk, range(10_000), threads)
    assert next(results) == 0
    if threads > 1:
        results.close()
    assert len(begun) <= AHEAD * threads + 1
    assert not any(thread.name.startswith("cepts") for thread in threading.enumerate())


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_chunks_are_taken_as_they_are_needed(threads):
    taken = []

    def chunks():
        for k in range(1_000):
            taken.append(k)
            yield k

    results = run(lambda chunk: chunk, chunks(), threads)
    assert taken == []
    for k in range(20):
        assert next(results) == k
        assert len(taken) <= k + 1 + AHEAD * threads


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_while_chunks_are_made_is_not_swallowed(threads):
    def chunks():
        yield 1
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        list(run(lambda chunk: chunk, chunks(), threads))


@pytest.mark.parametrize("threads", [0, -1])
def test_fewer_than_one_thread_is_refused_at_once(threads):
    with pytest.raises(OptionError, match=f"^threads={threads}: expected a number from 1 to 1024$"):
        run(lambda chunk: chunk, [1], threads)


def test_nothing_gives_nothing():
    assert list(run(lambda chunk: chunk, [], 1)) == list(run(lambda chunk: chunk, [], 2)) == []
