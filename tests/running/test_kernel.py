"""`@kernel`: numba's stale-cache trap cannot bite, and each kernel that Python calls is compiled once.

Numba notices a change to the file of a cached function, but not to a helper in another file: the old helper lives
on inside the cached caller. The tests run a tiny package with our decorator, each time in a fresh process.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import cepts
from cepts.running import kernel as kernel_module

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
        for name in ("", "running"):
            (self.root / "cepts" / name / "__init__.py").write_text("")
        (self.root / "cepts" / "caller_kernels.py").write_text(CALLER)
        self.write_helper("x * 2")

    def write_helper(self, formula):
        (self.root / "cepts" / "helper_kernels.py").write_text(HELPER.format(formula=formula))

    def run(self, code=MAIN, **environment):
        """Run code in a fresh process; return what it printed, and what it said on stderr."""
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={
                **os.environ,
                "PYTHONPATH": str(self.root),
                "CEPTS_CACHE": str(self.cache),
                "NUMBA_CACHE_DIR": str(self.cache),
                "PYTHONDONTWRITEBYTECODE": "1",
                **environment,
            },
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip(), done.stderr

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
