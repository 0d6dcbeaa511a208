"""What is said where memory does not suffice: what was done, how much was asked for, and what needs less."""

from __future__ import annotations

import subprocess
import sys
from errno import ENOMEM

import numpy as np
import pytest

import cepts
from cepts.corpus import encoding
from cepts.phrases import table
from cepts.words import model
from tests.cli.command import run

PAIRS = tuple(str(path) for path in cepts.sample()[:2])


def too_large(*_, **__):
    np.empty((1 << 30, 1 << 26), np.int8)


def said(*arguments):
    """Run a command for which memory does not suffice; return what it says."""
    result = run(*arguments)
    assert (result.status, result.out) == (1, "")
    return result.err.removeprefix("cepts: out of memory while ").rstrip("\n")


@pytest.mark.parametrize(
    ("given", "cures"),
    [
        ((), "--memory a size, such as 500M, or "),
        (("--threads", "2"), "--threads 1, or --memory a size, such as 500M, or "),
        (("--threads=2", "--memory", "3G"), "--threads 1, or --memory less than 3G, or "),
        (
            ("--classes", "900", "--memory=2G"),
            "a smaller --classes than 900, or --memory less than 2G, or ",
        ),
    ],
)
def test_training_that_needs_too_much_names_the_options_that_need_less(monkeypatch, given, cures):
    monkeypatch.setattr(model, "load_block", too_large)
    ends = "fewer pairs at a time, or shorter lines"
    assert said("align", *PAIRS, *given) == f"training and linking (64.0 PiB at once): give {cures}{ends}"


def test_no_option_helps_while_text_is_read(monkeypatch):
    monkeypatch.setattr(encoding, "decoded", too_large)
    cure = "a smaller text, or shorter lines"
    assert said("align", *PAIRS, "--threads", "2") == f"reading text (64.0 PiB at once): give {cure}"


def test_a_phrase_table_has_advice_of_its_own(monkeypatch, tmp_path):
    links = tmp_path / "links"
    assert run("align", *PAIRS, "--output", links).status == 0
    monkeypatch.setattr(table, "make_lines", too_large)
    found = said("phrases", *PAIRS, links, "--max-length", "30", "--output", tmp_path / "table")
    assert "a smaller --max-length than 30, or --memory a size, such as 500M, or a smaller text" in found
    assert [path.name for path in tmp_path.iterdir()] == ["links"]


@pytest.mark.parametrize(
    "error", [OSError(ENOMEM, "Cannot allocate memory"), RuntimeError("can't start new thread")]
)
def test_whatever_says_that_memory_is_used_up_is_said_alike(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(model, "load_block", fail)
    assert said("align", *PAIRS).startswith("training and linking: give ")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of addresses is Linux'")
def test_a_process_with_too_little_memory_says_so_in_one_line(tmp_path):
    """The kernels of reading are compiled before there is a limit."""
    program = (
        "import resource; from cepts.cli.main import main; from cepts.corpus import bitext_from_pairs;"
        "import cepts.aligning; bitext_from_pairs([('a', 'b')]);"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize();"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2); main()"
    )
    text = tmp_path / "text"
    text.write_text(" ".join(f"w{n}" for n in range(3 << 20)) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", program, "align", str(text), str(text)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("cepts: out of memory while reading text")
    assert done.stderr.count("\n") == 1
