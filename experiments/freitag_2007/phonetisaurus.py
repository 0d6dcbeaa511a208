"""Phonetisaurus, a joint n-gram model of letters and sounds, as another program: here sounds are letters, too."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cepts.characters import Candidate
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from freitag_2007.material import Pairs

PROGRAM = "phonetisaurus"


def find_program(given: Path | None) -> Path | None:
    """Return the program that was given, the one beside this Python, or the one on the path."""
    if given is not None:
        if not given.is_file():
            raise InputError(f"no program {given}; give --phonetisaurus where it is installed")
        return given
    beside = Path(sys.executable).with_name(PROGRAM)
    found = beside if beside.is_file() else shutil.which(PROGRAM)
    return None if found is None else Path(found)


class Phonetisaurus:
    """A trained model; everything is at its defaults."""

    def __init__(self, program: Path, model: bytes) -> None:
        self._program, self._model = program, model

    @classmethod
    def fit(cls, pairs: Pairs, program: Path) -> Phonetisaurus:
        """Train on names as words, and their letters on the other side as sounds."""
        lines = "".join(f"{source}\t{' '.join(target)}\n" for source, target in pairs)
        with tempfile.TemporaryDirectory(prefix="cepts-phonetisaurus-") as folder:
            lexicon, model = Path(folder) / "lexicon.txt", Path(folder) / "model.fst"
            lexicon.write_text(lines, encoding="utf-8")
            run(program, "train", "--model", str(model), "--lexicon-word-separator", r"\t+", str(lexicon))
            return cls(program, model.read_bytes())

    def transcribe(self, names: Iterable[str], n_best: int = 5) -> list[list[Candidate]]:
        """Return its best ways to write each name."""
        wanted = list(names)
        with tempfile.TemporaryDirectory(prefix="cepts-phonetisaurus-") as folder:
            model = Path(folder) / "model.fst"
            model.write_bytes(self._model)
            asked = ("predict", "--model", str(model), "--nbest", str(n_best), "--word-separator", "\t")
            text = run(self._program, *asked, given="".join(f"{name}\n" for name in wanted))
        found = read_answers(text.splitlines())
        return [found.get(name, []) for name in wanted]


def read_answers(lines: Sequence[str]) -> dict[str, list[Candidate]]:
    """Read lines of a name and spaced letters, best first; they have no scores.

    >>> read_answers(["x\\ta b", "x\\ta"])["x"]
    [Candidate(text='ab', score=0.0), Candidate(text='a', score=0.0)]
    """
    found: dict[str, list[Candidate]] = {}
    for line in lines:
        name, tab, letters = line.partition("\t")
        if tab:
            found.setdefault(name, []).append(Candidate(letters.replace(" ", ""), 0.0))
    return found


def run(program: Path, *arguments: str, given: str = "") -> str:
    """Run the program; what it says when it fails is the message."""
    done = subprocess.run(
        [program, *arguments], input=given, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(f"{program.name} {arguments[0]} failed: {last}")
    return done.stdout
