"""`@kernel`: numba's stale-cache trap cannot bite, and each kernel that Python calls is compiled once.

Numba notices a change to the file of a cached function, but not to a helper in another file: the old helper lives
on inside the cached caller. The tests run a tiny package with our decorator, each time in a fresh process.
"""

import ast
import json
import os
import shutil
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import cepts
from cepts.running import kernel as kernel_module
from cepts.running.kernel import fcntl, foreign

PACKAGE = Path(cepts.__file__).parent

CALLER = """
from cepts.running.kernel import kernel
from cepts.helper_kernels import helper

@kernel
def caller(x):
    return helper(x) + 1
"""
HELPER = """
from cepts.running.kernel import kernel

@kernel
def helper(x):
    return {formula}
"""
PLAIN = """
import numba

def kernel(function):
    return numba.njit(cache=True)(function)
"""
MAIN = """
from cepts.caller_kernels import caller

print(caller(10), sum(caller.stats.cache_hits.values()))
"""


class Package:
    """A package called cepts with our decorator and two kernel files, one calling into the other."""

    def __init__(self, folder):
        self.root, self.cache = folder / "source", folder / "cache"
        (self.root / "cepts" / "running").mkdir(parents=True)
        shutil.copy(PACKAGE / "running" / "kernel.py", self.root / "cepts" / "running")
        shutil.copy(PACKAGE / "errors.py", self.root / "cepts")
        for name in ("", "running"):
            (self.root / "cepts" / name / "__init__.py").write_text("")
        (self.root / "cepts" / "caller_kernels.py").write_text(CALLER)
        self.write_helper("x * 2")

    def write_helper(self, formula):
        (self.root / "cepts" / "helper_kernels.py").write_text(HELPER.format(formula=formula))

    def run(self, code=MAIN, **environment):
        """Run code in a fresh process; return what it printed, and what it said on stderr."""
        process = self.start(code, **environment)
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out.strip(), err

    def start(self, code, stdin=None, **environment):
        """Start a fresh process that runs code."""
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={
                **os.environ,
                "PYTHONPATH": str(self.root),
                "CEPTS_CACHE": str(self.cache),
                "NUMBA_CACHE_DIR": str(self.cache),
                "PYTHONDONTWRITEBYTECODE": "1",
                **environment,
            },
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def compiled(self):
        return sorted(self.cache.rglob("*.nbc"))


@pytest.fixture
def package(tmp_path):
    return Package(tmp_path)


def test_a_changed_helper_is_seen_and_an_unchanged_one_is_not_compiled_again(package):
    assert package.run() == ("21 0", "")
    first = package.compiled()
    assert first
    assert package.run() == ("21 1", ""), "the second run finds the machine code of the first"
    assert package.compiled() == first
    package.write_helper("x * 3")
    assert package.run() == ("31 0", ""), "the caller's own file has not changed, and yet it is compiled anew"
    package.write_helper("x * 2")
    assert package.run() == ("21 1", ""), "the way back finds the first folder again"


def test_plain_numba_would_be_bitten(package):
    # Why the decorator is there: with numba's own caching the caller keeps the old helper.
    (package.root / "cepts" / "running" / "kernel.py").write_text(PLAIN)
    assert package.run()[0] == "21 0"
    package.write_helper("x * 3")
    assert package.run()[0] == "21 1"


def test_where_no_folder_can_be_written_one_line_is_said_and_all_works(package, tmp_path):
    (tmp_path / "file").write_text("no folder")
    out, err = package.run(CEPTS_CACHE=str(tmp_path / "file" / "cache"))
    assert out == "21 0"
    assert len(err.splitlines()) == 1
    assert err.startswith("cepts: compiled kernels cannot be kept (")
    assert err.endswith("each run compiles anew. Set CEPTS_CACHE to a folder that can be written.\n")
    assert package.compiled() == []


TWO = """
from cepts.caller_kernels import caller
from cepts.helper_kernels import helper

print(caller(10), helper(4), *(sum(kernel.stats.cache_hits.values()) for kernel in (caller, helper)))
"""
DAMAGE = {
    "empty": lambda file: file.write_bytes(b""),
    "truncated": lambda file: os.truncate(file, file.stat().st_size // 2),
    "cut in its checksum": lambda file: os.truncate(file, 7),
    "first byte flipped": lambda file: flip(file, 0),
    "byte of the pickle flipped": lambda file: flip(file, 40),
    "byte of the machine code flipped": lambda file: flip(file, file.stat().st_size // 2),
    "last byte flipped": lambda file: flip(file, -1),
    "garbage": lambda file: file.write_bytes(bytes(range(256)) * 9),
}


def flip(file, place):
    content = bytearray(file.read_bytes())
    content[place] ^= 0x10
    file.write_bytes(content)


def test_damaged_files_are_compiled_anew_and_replaced(package):
    assert package.run(TWO) == ("21 8 0 0", "")
    whole = package.compiled()
    assert len(whole) * len(DAMAGE) == 16
    for name, damage in DAMAGE.items():
        for file in whole:
            damage(file)
        assert package.run(TWO) == ("21 8 0 0", ""), name
        assert package.run(TWO) == ("21 8 1 1", ""), f"{name}: they have been replaced"
        assert package.compiled() == whole


def test_machine_code_under_the_name_of_other_code_is_not_loaded(package):
    package.run(TWO)
    caller, helper = package.compiled()
    caller.write_bytes(helper.read_bytes())
    assert package.run(TWO) == ("21 8 0 1", "")


def test_what_can_neither_be_read_nor_replaced_is_compiled_in_silence_or_with_one_line(package):
    package.run(TWO)
    caller, _ = package.compiled()
    caller.unlink()
    (caller / "folder").mkdir(parents=True)
    out, err = package.run(TWO)
    assert out == "21 8 0 1"
    assert err.startswith("cepts: compiled kernels cannot be kept (")
    assert len(err.splitlines()) == 1
    assert not list(package.cache.rglob("tmp*")), "nothing is left behind"


def test_pickles_that_name_what_is_gone_are_compiled_anew(package):
    # A checksum that is right, of something that cannot be loaded: as after a change outside the kernel files.
    package.run()
    (file,) = [file for file in package.compiled() if "caller" in file.name]
    code = f"""
    from pathlib import Path
    from cepts.running import kernel
    real = kernel.dumps
    kernel.dumps = lambda data: b"cno_such_module\\nname\\n."
    Path({str(file)!r}).unlink()
    from cepts.caller_kernels import caller
    print(caller(10))
    """
    assert package.run(code) == ("21", "")
    assert file.stat().st_size < 100
    assert package.run() == ("21 0", "")
    assert package.run() == ("21 1", "")


def test_processes_that_begin_together_do_not_disturb_each_other(package):
    started = [package.start(TWO) for _ in range(4)]
    found = [process.communicate() for process in started]
    assert {(out.rsplit(None, 2)[0], err) for out, err in found} == {("21 8", "")}
    assert package.run(TWO) == ("21 8 1 1", "")


needs_modes = pytest.mark.skipif(os.name == "nt", reason="who may write means nothing on Windows")


@needs_modes
def test_the_folder_and_what_is_in_it_are_the_users_alone_whatever_the_umask(package):
    before = os.umask(0o002)
    try:
        package.run()
    finally:
        os.umask(before)
    modes = {file: file.stat().st_mode & 0o777 for file in (package.cache, *package.cache.rglob("*"))}
    assert set(modes.values()) == {0o700, 0o600}
    assert package.run() == ("21 1", "")


@needs_modes
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
@pytest.mark.parametrize("which", ["the folder", "the one in it"])
def test_a_folder_that_others_may_write_to_is_not_used(package, mode, which):
    package.run()
    folder = package.cache if which == "the folder" else next(package.cache.iterdir())
    folder.chmod(mode)
    out, err = package.run()
    assert out == "21 0"
    assert err == (
        f"cepts: compiled kernels not kept in {folder}, which others may write to (chmod go-w would end that);"
        " each run compiles anew. Set CEPTS_CACHE to a folder of your own.\n"
    )
    folder.chmod(0o700)
    assert package.run() == ("21 1", "")


@needs_modes
def test_a_file_that_others_may_write_to_is_replaced(package):
    package.run()
    (file,) = [file for file in package.compiled() if "caller" in file.name]
    file.chmod(0o622)
    assert package.run() == ("21 0", "")
    assert file.stat().st_mode & 0o777 == 0o600
    assert package.run() == ("21 1", "")


@needs_modes
def test_a_folder_of_another_user_is_not_used_and_one_of_root_is(package, monkeypatch):
    package.cache.mkdir(mode=0o700)
    status, owner = list(package.cache.stat()), os.geteuid()
    status[stat.ST_UID] = 12345
    assert foreign(os.stat_result(status)) == "which belongs to another user"
    status[stat.ST_UID] = 0
    assert foreign(os.stat_result(status)) is None
    status[stat.ST_UID] = owner
    assert foreign(os.stat_result(status)) is None
    monkeypatch.setattr(os, "name", "nt")
    status[stat.ST_UID] = 12345
    assert foreign(os.stat_result(status)) is None


@needs_modes
@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives folders away")
def test_root_runs_nothing_from_the_folder_of_a_user(package):
    package.run()
    os.chown(package.cache, 12345, 12345)
    out, err = package.run()
    assert out == "21 0"
    assert err == (
        f"cepts: compiled kernels not kept in {package.cache}, which belongs to another user; each run compiles anew."
        " Set CEPTS_CACHE to a folder of your own.\n"
    )


HOLD = """
import sys
from cepts.caller_kernels import caller
from cepts.running.kernel import cache_folder, kernel_locks

with kernel_locks(cache_folder()).held("cepts.caller_kernels.caller") as ours:
    print(ours, flush=True)
    sys.stdin.readline()
    print(caller(10))
"""
TRY = """
from cepts.running.kernel import cache_folder, kernel_locks

for name in ("caller", "another"):
    with kernel_locks(cache_folder()).held(f"cepts.caller_kernels.{name}", wait=False) as ours:
        print(ours)
"""
WAIT = """
from cepts.caller_kernels import caller

print("begin", flush=True)
print(caller(10), sum(caller.stats.cache_hits.values()))
"""


@pytest.mark.skipif(fcntl is None, reason="no locks here: both would compile")
def test_a_kernel_that_another_process_compiles_is_awaited_and_loaded(package):
    first = package.start(HOLD, stdin=subprocess.PIPE)
    assert first.stdout.readline() == "True\n"
    assert package.run(TRY) == ("False\nTrue", "")
    second = package.start(WAIT)
    assert second.stdout.readline() == "begin\n"
    assert first.communicate("go on\n") == ("21\n", "")
    assert second.communicate() == ("21 1\n", "")
    assert package.run(TRY) == ("True\nTrue", "")


def test_where_there_can_be_no_locks_all_works(package):
    package.run()
    (lock,) = package.cache.rglob("lock")
    lock.unlink()
    lock.mkdir()
    assert package.run(TRY) == ("True\nTrue", "")
    assert package.run() == ("21 1", "")


COLLECTED = """
import gc
from numba.core import event
from cepts.caller_kernels import caller

class Listener(event.Listener):
    def on_start(self, event):
        print(gc.isenabled())
    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
caller(10)
print(gc.isenabled())
gc.disable()
caller(10.0)
print(gc.isenabled())
"""


def test_garbage_is_not_collected_while_kernels_are_compiled(package):
    (package.root / "cepts" / "caller_kernels.py").write_text(CALLER.replace("helper(x) + 1", "x + 1"))
    assert package.run(COLLECTED)[0].split() == ["False", "True", "False", "False"]


def test_a_helper_is_compiled_once_for_a_variable_and_a_number_that_is_written_out(package):
    (package.root / "cepts" / "caller_kernels.py").write_text(
        CALLER.replace("helper(x) + 1", "helper(x) + helper(1) - 1")
    )
    assert package.run()[0] == "21 0"
    assert len(package.compiled()) == 2


def test_every_kernel_file_decides_about_the_cache():
    files = kernel_module.kernel_files()
    names = {file.relative_to(PACKAGE).as_posix() for file in files}
    assert {"words/hmm_kernels.py", "combine/heuristics_kernels.py"} <= names
    users = {file for file in PACKAGE.rglob("*.py") if "@kernel\n" in file.read_text("utf-8")}
    assert {file for file in users if file.name != "kernel.py"} <= set(files), "kernels live in *_kernels.py"


def test_no_kernel_escapes_the_decorator():
    for file in PACKAGE.rglob("*.py"):
        if file.relative_to(PACKAGE).as_posix() != "running/kernel.py":
            assert not names_in(file) & {"jit", "njit", "vectorize", "guvectorize", "stencil", "cfunc"}, file
    assert "njit" in names_in(PACKAGE / "running" / "kernel.py")


def names_in(file):
    """Every name that a file uses, alone or behind a dot, or imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found


def called_from_python():
    """The kernels (module, name) that ordinary modules import: the others are only called by kernels."""
    found = set()
    for file in PACKAGE.rglob("*.py"):
        if file.name.endswith("_kernels.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("_kernels"):
                found |= {(node.module, alias.name) for alias in node.names}
    return sorted(found)


ALIGN_EVERYTHING = """
import importlib, json, sys, tempfile
import cepts
from cepts.corpus import Bitext, bitext_from_pairs

sample = cepts.sample_bitext()
other = bitext_from_pairs([("le chat 1,000 zorg .", "the cat 1.000 zorg ."), ("", "a"), ("un", "one")])
with tempfile.TemporaryDirectory() as folder:
    for number, options in enumerate([
        {"model_type": "ibm1"},
        {"model_type": "hmm"},
        {"model_type": "hmm", "training": "independent", "combine": "grow-diag-final-and"},
        {"model_type": "hmm", "training": "independent", "direction": "reverse", "jump_update": "renormalised"},
        {"model_type": "hmm", "hmm_prior": 0.01, "combine": "union", "threads": 2},
    ]):
        aligner = cepts.Aligner(**options).fit(sample)
        aligner.align(sample), aligner.align(other)
        aligner.save(f"{folder}/{number}")
        loaded = cepts.Aligner.load(f"{folder}/{number}")
        loaded.align(sample), loaded.align(("le chat", "the cat"))
    sample.save(f"{folder}/bitext")
    mapped = Bitext.load(f"{folder}/bitext")
    cepts.Aligner().fit(mapped).align(mapped)
counts = {}
for module, name in json.loads(sys.stdin.read()):
    dispatcher = getattr(importlib.import_module(module), name)
    if hasattr(dispatcher, "signatures"):
        counts[f"{module}.{name}"] = [str(signature) for signature in dispatcher.signatures]
print(json.dumps(counts))
"""


def test_each_kernel_that_python_calls_is_compiled_for_one_signature():
    done = subprocess.run(
        [sys.executable, "-c", ALIGN_EVERYTHING],
        input=json.dumps(called_from_python()),
        capture_output=True,
        text=True,
        check=True,
    )
    signatures = json.loads(done.stdout)
    several = {name: found for name, found in signatures.items() if len(found) > 1}
    assert several == {}
    used = {name for name, found in signatures.items() if found}
    assert len(used) >= 10, "the run above uses the kernels that this test is about"
