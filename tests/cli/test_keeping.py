"""Memory and checkpoints on the command line: the same links, and what is refused."""

import gzip
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cepts
from tests.cli.command import refused, run, succeed


@pytest.fixture
def text():
    source, target, _ = cepts.sample()
    return str(source), str(target)


@pytest.fixture
def undisturbed(text):
    return succeed("align", *text, "--quiet")


def test_little_memory_gives_the_same_links_and_says_what_it_did(text, undisturbed):
    done = run("align", *text, "--memory", "201M")
    assert done.out == undisturbed
    assert "cepts: memory: 201 MB; 1 MB of arrays went to temporary files\n" in done.err
    done = run("align", *text, "--memory", "2G")
    assert done.out == undisturbed
    assert "cepts: memory: 2.0 GB; everything stayed there\n" in done.err


def test_memory_that_nothing_could_run_in_is_refused_before_anything_is_read(tmp_path):
    missing = str(tmp_path / "missing")
    commands = [("align", missing), ("train", missing, "--output", str(tmp_path / "model"))]
    commands.append(("similar", "train", missing, "--output", str(tmp_path / "model")))
    for command in commands:
        message = refused(*command, "--memory", "20M")
        assert message == "--memory 20 MB: too little for the program itself; 600M will do"


def test_memory_that_is_too_little_for_a_part_of_the_text_is_refused(text):
    message = refused("align", *text, "--memory", str((200 << 20) + 8000))
    assert message == "--memory 200 MB: too little for the largest part of this text; give at least 201M"


@pytest.mark.parametrize("packed", [False, True])
def test_memory_that_is_too_little_for_files_of_a_size_is_refused_before_they_are_read(packed, tmp_path):
    content = b"\xff not read\n" * 200_000
    for name in ("source", "target"):
        (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)
    files = tmp_path / "source", tmp_path / "target"
    for command in (("align",), ("train", "--output", tmp_path / "model")):
        message = refused(*command, *files, "--memory", "200M")
        size = re.fullmatch("--memory 200 MB: too little for a text of this size; ([0-9]+M) will do", message)
        assert size is not None
        assert "invalid UTF-8" in refused(*command, *files, "--memory", size[1])


@pytest.mark.parametrize("size", ["", "4X", "-1", "nan", "1e9"])
def test_sizes_that_are_none_are_refused(size, text):
    assert f"--memory {size}: expected a number of bytes, such as 256M" in refused(
        "align", *text, "--memory", size
    )


def test_a_checkpoint_is_resumed(text, undisturbed, tmp_path):
    folder = str(tmp_path / "run")
    assert succeed("align", *text, "--checkpoint", folder) == undisturbed
    assert "run holds a checkpoint: add --resume" in refused("align", *text, "--checkpoint", folder)
    assert succeed("align", *text, "--checkpoint", folder, "--resume") == undisturbed
    message = refused("align", *text, "--checkpoint", folder, "--resume", "--method", "fast")
    assert "run is the checkpoint of a run with another recipe" in message


def test_training_can_be_resumed_too(text, tmp_path):
    saving = ("--checkpoint", str(tmp_path / "run"), "--resume")
    succeed("train", *text, "--output", str(tmp_path / "one"), *saving)
    succeed("train", *text, "--output", str(tmp_path / "two"), *saving)
    links = [succeed("align", *text, "--model", str(tmp_path / name)) for name in ("one", "two")]
    assert links[0] == links[1]


def test_what_would_have_no_effect_is_refused(text, tmp_path):
    assert "--resume needs --checkpoint FOLDER" in refused("align", *text, "--resume")
    assert "--checkpoint is about training" in refused(
        "align", "--sample", "--checkpoint", str(tmp_path / "run")
    )


def test_a_process_that_is_killed_goes_on(text, undisturbed, tmp_path):
    folder, output = tmp_path / "run", tmp_path / "links"
    command = [sys.executable, "-m", "cepts", "align", *text, "--checkpoint", str(folder), "--resume"]
    command += ["--output", str(output), "--iterations", "ibm1=4,hmm=5", "--quiet"]
    kills = 0
    for _ in range(3):
        process = subprocess.Popen(command, env=os.environ)
        wait_for_another_step(folder, process)
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
    assert kills, "every run was over before it could be killed"
    subprocess.run(command, check=True)
    assert output.read_text() == undisturbed


def wait_for_another_step(folder: Path, process: subprocess.Popen) -> None:
    """Wait until a run has saved one more iteration, or is over."""
    before = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    while process.poll() is None:
        if folder.is_dir() and {entry.name for entry in folder.glob("step-*")} - before:
            return
        time.sleep(0.002)
