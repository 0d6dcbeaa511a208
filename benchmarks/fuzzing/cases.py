"""Cases: what is tried, drawn from a seed, and what is wrong with how it ended."""

from __future__ import annotations

import hashlib
import random
import re
import shlex
import shutil
import tempfile
from contextlib import chdir
from inspect import Parameter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

import numpy as np

from cepts import Bitext
from cepts.errors import LONGEST_LINE, PREFIX, CeptsError
from fuzzing.commands import COMMANDS, path_of, random_options
from fuzzing.material import save_bitext
from fuzzing.mutating import mutated
from fuzzing.watching import Ended
from tests.aligning import test_hostile_checkpoints as hostile_checkpoints
from tests.aligning.test_checkpoints import stopped
from tests.api.calls import called, public, right
from tests.api.valid import ENDLESS, World
from tests.api.wrong import WRONG
from tests.cli.command import run
from tests.corpus.test_hostile_bitexts import use
from tests.storage import tampering

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzzing.material import Material
    from tests.cli.command import Result

UNFINISHED = re.compile(r"\..*\.[0-9a-f]{8}\.(tmp|old)")  # names of what is being written
VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
SAID = (PREFIX, "serving on ", "writing needs this token: ")
REPORTING = ("validate",)  # says with status 2 what is wrong with links, one line for each thing


class Case(NamedTuple):
    """What a case is made of: its number, chance, and an empty folder."""

    number: int
    rng: random.Random
    folder: Path


class Cases:
    """Runs cases of all kinds, each told by its number."""

    def __init__(self, material: Material, seed: int, place: Path) -> None:
        """Make cases of some material; `place` is a folder for what they need besides."""
        self.material, self.seed, self.place = material, seed, place
        self.others = material.contents()
        self.functions = list(public())
        self.world: World | None = None

    def run(self, kind: str, number: int) -> Ended:
        """Run a case in a new folder, which goes at the end."""
        rng = random.Random(f"{self.seed} {kind} {number}")
        folder, before = self.place / f"{kind}-{number}", self.material.state()
        temporary = folder / "temporary"
        temporary.mkdir(parents=True)
        method: Callable[[Case], Ended] = getattr(self, kind)
        try:
            with mock.patch.object(tempfile, "tempdir", str(temporary)), chdir(folder):
                ended = method(Case(number, rng, folder))
        except Exception as error:
            return Ended("", refused=False, wrong=f"{type(error).__name__}: {error}")
        else:
            left = [
                *temporary.iterdir(),
                *(path for path in folder.rglob(".*") if UNFINISHED.fullmatch(path.name)),
            ]
            if left and ended.wrong is None:
                ended = ended._replace(wrong=f"left behind: {left[0].name}")
            if self.material.state() != before and ended.wrong is None:
                ended = ended._replace(wrong="it changed its input")
            return ended
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def commands(self, case: Case) -> Ended:
        """Run a command as it stands, which must succeed: the others are changes of it."""
        ended = self._commanded(COMMANDS[case.number].split(), case, there=0.0)
        return ended._replace(wrong="refused") if ended.refused and ended.wrong is None else ended

    def files(self, case: Case) -> Ended:
        """Run a command on files of which one or two are changed."""
        return self._on_changed(lambda word: self.material.path(word).is_file(), case)

    def folders(self, case: Case) -> Ended:
        """Run a command on a folder that a stranger has tampered with."""
        return self._on_changed(lambda word: word.endswith("/"), case)

    def options(self, case: Case) -> Ended:
        """Run a command with options, right and wrong ones, or with other arguments."""
        rng, words = case.rng, case.rng.choice(COMMANDS).split()
        end = words.index("<") if "<" in words else len(words)
        first = len(path_of(words))
        given = [place for place in range(first, end) if is_material(words[place])]
        if rng.random() < 0.2 and given:
            place = rng.choice(given)
            if rng.random() < 0.7:
                words[place] = str(rng.choice(self.material.paths()))
            else:
                del words[place]
                end -= 1
        words[end:end] = random_options(words, rng, self.material, str(case.folder / "out"))
        return self._commanded(words, case)

    def api(self, case: Case) -> Ended:
        """Call a public function with one or two arguments that are wrong."""
        if self.world is None:
            self.world = World(Path(tempfile.mkdtemp(dir=self.place)))
        rng, one = case.rng, case.rng.choice(self.functions)
        arguments = right(one, self.world)
        named = [parameter.name for parameter in one.parameters if parameter.kind not in VARIABLE]
        chosen = {
            name: rng.choice(list(WRONG)) for name in rng.sample(named, min(len(named), rng.choice((1, 2))))
        }
        what = f"{one.name}({', '.join(f'{name}={said}' for name, said in chosen.items())})"
        if any((one.name, name, said) in ENDLESS for name, said in chosen.items()):
            return Ended(what, refused=True)
        arguments |= {name: WRONG[said]() for name, said in chosen.items()}
        error = called(one, self.world, arguments)
        return Ended(what, refused=True, wrong=None if error is None else f"{type(error).__name__}: {error}")

    def bitexts(self, case: Case) -> Ended:
        """Load a saved bitext that a stranger has tampered with, and use it."""
        saved = case.folder / "bitext"
        save_bitext(saved, case.folder / "text.jsonl")
        what = tampered(saved, case.rng)
        return believed(what, lambda: use(Bitext.load(saved)))

    def checkpoints(self, case: Case) -> Ended:
        """Go on from a checkpoint that a stranger has tampered with."""
        name = case.rng.choice(list(hostile_checkpoints.KINDS))
        honest = self.place / f"run-{name}"
        if not honest.exists():
            options, after = hostile_checkpoints.KINDS[name]
            stopped(honest, options, after, hostile_checkpoints.TEXT)
        saved = shutil.copytree(honest, case.folder / "run")
        (step,) = saved.iterdir()
        what = f"{name}: {tampered(step, case.rng)}"
        return believed(what, lambda: hostile_checkpoints.resumed(name, saved))

    def _on_changed(self, suits: Callable[[str], bool], case: Case) -> Ended:
        """Run a command with changed copies in the place of one or two of the words that suit."""
        rng, found = case.rng, list[int]()
        while not found:
            words = rng.choice(COMMANDS).split()
            found = [place for place, word in enumerate(words) if is_material(word) and suits(word)]
        notes = []
        for place in rng.sample(found, min(len(found), rng.choice((1, 1, 2)))):
            name = words[place]
            copy, what = self._changed_copy(name, case)
            words[place] = str(copy)
            notes.append(f"{name}: {what}")
        return self._commanded(words, case, "; ".join(notes))

    def _changed_copy(self, name: str, case: Case) -> tuple[Path, str]:
        """Return a changed copy of a file or folder, and what was changed."""
        original = self.material.path(name)
        copy = case.folder / original.name
        if original.is_file():
            content, what = mutated(original.read_bytes(), case.rng, self.others)
            copy.write_bytes(content)
            return copy, what
        shutil.copytree(original, copy, dirs_exist_ok=True)
        return copy, tampered(case.rng.choice(sorted(copy.rglob("model.json"))).parent, case.rng)

    def _commanded(self, words: list[str], case: Case, notes: str = "", there: float = 0.3) -> Ended:
        """Run a command, and look at how it ended and what it has left; `there`: how often its output exists."""
        folder, out = case.folder, case.folder / "out"
        (folder / "out-folder").mkdir()
        for path in (folder / "out-folder" / "mine", folder / "out-file"):
            path.write_text("before")
        if case.rng.random() < there:
            out.write_text("before")
        stdin = b""
        if "<" in words:
            *words, _, given = words
            stdin = self.material.read(given)
        arguments = [self.material.word(word.replace("OUT", str(out))) for word in words]
        before = state_of(folder)
        with mock.patch("uvicorn.Server.run"):
            result = run(*arguments, stdin=stdin)
        changed = {path for path, content in state_of(folder).items() if before.get(path) != content}
        changed |= before.keys() - state_of(folder).keys()
        what = f"cepts {shlex.join(arguments)}{f'  ({notes})' if notes else ''}"
        return Ended(what, result.status == 2, judged(result, arguments, changed))


def is_material(word: str) -> bool:
    """Whether a word of a command stands for a file or a folder that is read."""
    return word != "OUT" and word.upper() == word and word[0].isalpha()


def state_of(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder and below, but for what is temporary."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if not name.startswith("temporary"):
            found[name] = hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""
    return found


def judged(result: Result, arguments: list[str], changed: set[str]) -> str | None:
    """Say what is wrong with how a command has ended; `changed` are files that it has written or removed."""
    if result.status not in (0, 2):
        return f"status {result.status}: {result.err[-500:]}"
    said = result.err.splitlines()
    if not all(line.startswith(SAID) and len(line) <= LONGEST_LINE for line in said):
        return f"on stderr: {result.err[-500:]}"
    if result.status == 2:
        if not said and arguments[0] not in REPORTING:
            return "refused without a word"
        places = (after for before, after in pairwise(arguments) if before == "--checkpoint")
        kept = {Path(place).name for place in places}  # with which a run goes on that was refused late
        if wrong := sorted(name for name in changed if name.partition("/")[0] not in kept):
            return f"refused, and yet it wrote {wrong[0]}: {said[-1:]}"
    return None


def tampered(folder: Path, rng: random.Random) -> str:
    """Change one thing in a folder, give it checksums that fit or not, and say what was done."""
    chance = np.random.default_rng(rng.getrandbits(64))
    if rng.random() < 0.1:
        shutil.rmtree(folder)
        if rng.random() < 0.5:
            folder.write_bytes(rng.choice((b"", b"{}")))
            return "a file instead"
        return "gone"
    try:
        what = tampering.tamper(folder, chance)
    except (ValueError, KeyError):  # nothing is there that could be changed so
        what = tampering.flip(folder, chance)
    if rng.random() < 0.5:
        tampering.sign(folder)
        return f"{what}, signed"
    return str(what)


def believed(what: str, action: Callable[[], object]) -> Ended:
    """Do something that may be refused by an error of ours."""
    try:
        action()
    except CeptsError:
        return Ended(what, refused=True)
    except Exception as error:
        return Ended(what, refused=False, wrong=f"{type(error).__name__}: {error}")
    return Ended(what, refused=False)
