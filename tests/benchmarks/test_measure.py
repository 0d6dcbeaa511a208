import sys
import textwrap

import pytest

from measure import CommandFailedError, measure

MEGABYTE = 1024**2


def python(program: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(program)]


def test_memory_of_the_command() -> None:
    assert 200 <= measure(python(f"block = b'x' * (200 * {MEGABYTE})")).peak_mb < 300


def test_memory_of_the_benchmark_is_not_counted() -> None:
    block = b"x" * (300 * MEGABYTE)
    assert measure(python("pass")).peak_mb < 100
    del block


def test_seconds_of_children_are_counted() -> None:
    used = measure(
        python("""
        import subprocess, sys
        program = "import time\\nwhile time.process_time() < 0.3: pass"
        subprocess.run([sys.executable, "-c", program], check=True)
        """)
    )
    assert used.cpu_seconds >= 0.3


def test_the_environment_is_passed_on(tmp_path) -> None:
    program = "import os; print(os.environ['OMP_NUM_THREADS'])"
    measure(python(program), {"OMP_NUM_THREADS": "7"}, tmp_path / "log")
    assert (tmp_path / "log").read_text() == "7\n"


def test_a_failure_is_told_with_its_last_words() -> None:
    with pytest.raises(CommandFailedError, match=r"the cache is full$"):
        measure(python("import sys; sys.exit('the cache is full')"))


def test_a_killed_command_has_failed() -> None:
    with pytest.raises(CommandFailedError, match=r"no output$"):
        measure(python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
