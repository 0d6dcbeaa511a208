"""Kernels are compiled in other processes before they are needed, by a list that is true."""

import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module

import numba
import numpy as np
import pytest
from click.testing import CliRunner

import cepts
from cepts.cli import progress
from cepts.cli.main import cepts as commands
from cepts.running import compiling
from cepts.running.compiling import LIST, all_kernels, kernels_of, type_of
from tests.cli.command import refused
from tests.running.test_kernel import called_from_python
from tools import kernels as tool

# Only programs in Python call these, or workers of a cluster.
NOT_OF_COMMANDS = {
    "cepts.phrases.language_model_kernels.score_next",
    "cepts.sentences.classifier_kernels.lvq_epoch",
    "cepts.sentences.classifier_kernels.perceptron_epoch",
    "cepts.words.lane_kernels.scatter",
}
SMALL = ["cepts.words.decode_kernels.count_rows", "cepts.words.decode_kernels.place_rows"]
LISTS = json.loads(LIST.read_text("utf-8"))


def load(name):
    module, _, function = name.rpartition(".")
    return getattr(import_module(module), function)


def in_a_process(code, cache):
    """Run code with a cache of its own; return what it printed, and what it said on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"CEPTS_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split(), done.stderr


def test_the_list_has_all_kernels_that_python_calls():
    called = {
        f"{module}.{name}"
        for module, name in called_from_python()
        if hasattr(load(f"{module}.{name}"), "py_func")
    }
    assert set(all_kernels()) == called - NOT_OF_COMMANDS, "run tools/kernels.py"


@pytest.mark.parametrize("name", all_kernels())
def test_the_types_of_a_kernel_are_those_of_its_parameters(name):
    kinds = [type_of(kind) for kind in LISTS["kernels"][name]]
    assert len(kinds) == len(inspect.signature(load(name).py_func).parameters), "run tools/kernels.py"
    for kind in kinds:
        if isinstance(kind, numba.types.BaseNamedTuple):
            assert len(kind) == len(kind.instance_class._fields), "run tools/kernels.py"


@pytest.mark.parametrize(
    "value",
    [
        1,
        np.float32(1),
        True,
        np.zeros(2, np.int32),
        np.zeros((2, 3), np.float64),
        np.broadcast_to(np.zeros(1), 1),
        (1, np.zeros(2)),
        (1, 2),
        cepts.Link(1, 2),
    ],
    ids=repr,
)
def test_types_are_written_and_read(value):
    kind = numba.typeof(value)
    assert type_of(json.loads(json.dumps(tool.spelled(kind)))) == kind


def test_commands_of_the_list_have_kernels_of_the_list():
    assert set(LISTS["commands"]) == set(tool.COMMANDS)
    for command in LISTS["commands"]:
        assert set(kernels_of(command)) <= set(all_kernels())
    assert kernels_of("align --sample") == []


@pytest.mark.parametrize("command", ["align", "align fast", "phrases", "filter"])
def test_a_command_uses_the_kernels_of_its_list(command, tmp_path):
    tool.write_files(tmp_path)
    (tmp_path / "links").write_text("0-0\n" * 240)
    used = tool.recorded(tool.COMMANDS[command], tmp_path)
    assert list(used) == kernels_of(command), "run tools/kernels.py"
    assert used == {name: LISTS["kernels"][name] for name in used}, "run tools/kernels.py"


BESIDE = f"""
from cepts.running.compiling import compile_beside, missing, type_of
names = {SMALL}
print(len(missing(names)), end=" ")
for worker in compile_beside(names, 2):
    print(worker.wait(), end=" ")
print(len(missing(names)), end=" ")
from cepts.words.decode_kernels import count_rows
import numpy as np
count_rows(np.zeros((1, 3), np.int32), np.zeros(1, np.int64))
print(sum(count_rows.stats.cache_hits.values()))
"""


def test_processes_compile_into_the_cache_what_this_one_then_loads(tmp_path):
    out, err = in_a_process(BESIDE, tmp_path)
    assert (out, err) == (["2", "0", "0", "0", "1"], "")


UNSTOPPED = """
from cepts.running.compiling import all_kernels, compile_beside
print(compile_beside(all_kernels(), 1)[0].pid)
"""


def test_what_is_no_longer_needed_is_not_compiled(tmp_path):
    (number,), _ = in_a_process(UNSTOPPED, tmp_path)
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)


WARM = f"""
import cepts.running.compiling as compiling
compiling.all_kernels = lambda: {SMALL}
from cepts.cli.main import main
main(["warm", *{{options}}])
"""


def test_warm_compiles_what_is_missing_and_says_so(tmp_path):
    for compiled in ("2 kernels", "0 kernels"):
        out, err = in_a_process(WARM.format(options=[]), tmp_path)
        assert out == []
        assert re.fullmatch(f"cepts: done: {compiled} compiled of 2 in .* s, written to {tmp_path}\n", err)
    assert in_a_process(WARM.format(options=["--quiet"]), tmp_path) == ([], "")


def test_warm_compiles_itself_where_no_processes_can_be_started(tmp_path):
    code = "import sys; sys.executable = '/no/python'\n" + WARM.format(options=[])
    assert in_a_process(code, tmp_path)[1].startswith("cepts: done: 2 kernels compiled of 2 in ")


def test_warm_without_a_folder_is_refused(monkeypatch):
    monkeypatch.setattr("cepts.running.kernel.cache_folder", lambda: None)
    assert refused("warm") == (
        "cepts warm needs a folder for compiled kernels: set CEPTS_CACHE to one that you can write"
    )


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("align fr en", "align"),
        ("align fr en --method fast", "align fast"),
        ("align fr en --method mine", "align"),
        ("names train names --output model", "names train"),
        ("phrases fr en links --output table", "phrases"),
    ],
)
def test_a_command_is_looked_up_by_its_name_and_method(line, name, monkeypatch):
    seen = []

    def announce(_):
        seen.append(progress.this_command())
        raise KeyboardInterrupt

    words = shlex.split(line)
    module = import_module(compiling_module(words))
    monkeypatch.setattr(module, "announce_compilation", announce)
    CliRunner().invoke(commands, words)
    assert seen == [name]


def compiling_module(words):
    return {"names": "cepts.cli.names_train"}.get(words[0], f"cepts.cli.{words[0]}")


@pytest.mark.parametrize(
    ("workers", "said"),
    [
        (1, "16 that `cepts align fast` needs, about 5 s; kept in HERE\n"),
        (0, ""),
    ],
)
def test_what_is_compiled_is_said_with_how_long_it_takes_and_where_it_is_kept(
    workers, said, monkeypatch, capsys, tmp_path
):
    monkeypatch.setenv("CEPTS_CACHE", str(tmp_path))
    monkeypatch.setattr(compiling, "missing", list)
    monkeypatch.setattr(compiling, "cores", lambda: 1 + workers)
    monkeypatch.setattr(compiling, "compile_beside", lambda _, processes: [None] * processes)
    monkeypatch.setattr(progress, "this_command", lambda: "align fast")
    assert progress._compile_beside(quiet=False) == bool(workers)
    said = said and f"cepts: compiling kernels, once for this version: {said.replace('HERE', str(tmp_path))}"
    assert capsys.readouterr().err == said
