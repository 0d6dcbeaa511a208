"""`Checkpoint`: a training run saves itself after every iteration, and goes on from there."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.errors import ModelError, OptionError, OutputError, said
from cepts.storage import load_folder, save_folder
from cepts.storage.atomic import check_name
from cepts.storage.schema import Field, Schema
from cepts.storage.scratch import release
from cepts.words.descending import LONGEST_STEP
from cepts.words.training import BEGINNING, Position

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words import ExtraCounts, WordModel
    from cepts.words.known import KnownLinks
    from cepts.words.past import Before

KIND = "checkpoint"
STEP = re.compile("step-([0-9]{6})")
UNFINISHED = re.compile(r"\.step-[0-9]{6}\.[0-9a-f]{8}\.(tmp|old)")  # what `save_folder` begins with
PART = 1 << 22  # numbers that are hashed at once
WHAT = {
    "text": "another text",
    "recipe": "another recipe",
    "model": "another model to begin with",
    "known": "other known links or another lexicon",
}


class Checkpoint:
    """A folder with the last iteration of a run: its parameters, and what run it is of."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        identity: dict[str, str],
        stages: Mapping[str, int],
        resume: bool = False,
    ) -> None:
        """Open a folder: a new one, or with `resume` also one that holds a checkpoint of the same run.

        `stages` are those of the run, in their order, and how many iterations each has.
        """
        self.folder = Path(folder)
        check_name(self.folder)
        self.identity = identity
        self.stages = stages
        self._stages: list[str] = []  # asked for so far, in their order
        self._steps = _steps_in(self.folder)
        self._meta: dict[str, Any] | None = None
        self._arrays: dict[str, NDArray[Any]] = {}
        if self._steps and not resume:
            raise OptionError(
                f"{folder} holds a checkpoint: add {said('resume', True)} to go on from there, or name another folder"
            )
        if self._steps:
            self._load()
        else:
            self._make()
        self._remove_leftovers()

    def _make(self) -> None:
        try:
            self.folder.mkdir(exist_ok=True)
            strange = next(self.folder.iterdir(), None)
        except OSError as error:
            raise OutputError(f"cannot write {self.folder}: {error.strerror}; name another place") from None
        if strange is not None and not STEP.match(strange.name.lstrip(".")):
            raise OutputError(
                f"cannot write {self.folder}: it holds {strange.name}, which is no checkpoint; name another place"
            )

    def _load(self) -> None:
        """Read the last step that is whole."""
        failed: ModelError | None = None
        for number in reversed(self._steps):
            try:
                meta, arrays, _ = load_folder(self._step(number), KIND)
            except ModelError as error:
                failed = failed or error
                continue
            self._loaded = self._step(number)
            self._check(meta)
            self._meta, self._arrays = meta, arrays
            self._remove_steps([old for old in self._steps if old < number])
            return
        raise failed or ModelError(f"{self.folder} holds no checkpoint")

    def _check(self, meta: dict[str, Any]) -> None:
        identity, position = meta.get("identity"), meta.get("position")
        if not isinstance(identity, dict):
            raise self._unusable("it does not say of which run it is")
        for name, what in WHAT.items():
            if identity.get(name, "") != self.identity[name]:
                raise OptionError(
                    f"{self.folder} is the checkpoint of a run with {what}: resume that one, or name another folder"
                )
        if isinstance(position, list) and len(position) != len(Position._fields):
            raise ModelError(
                f"{self.folder} is the checkpoint of another version of Cepts: resume it with that one, or name "
                "another folder"
            )
        most = self.stages.get(meta["stage"]) if isinstance(meta.get("stage"), str) else None
        if most is None or not isinstance(position, list) or not _is_position(position[0], position[1], most):
            raise self._unusable("it does not say how far the run has come")

    def _unusable(self, reason: object) -> ModelError:
        """Word what is wrong with the arrays or the description of a step."""
        return ModelError(
            f"{self._loaded} is no checkpoint that this run can go on from: {reason}; begin anew in another folder"
        )

    def again(self) -> Checkpoint:
        """Open the folder once more, to go on from what it holds now."""
        return Checkpoint(self.folder, self.identity, self.stages, resume=True)

    def position(self, stage: str) -> Position | None:
        """Tell where a stage begins; None if it is over. Stages ask in their order."""
        self._stages.append(stage)
        if self._meta is None:
            return BEGINNING
        if self._meta["stage"] == stage:
            iteration, (forward, reverse) = self._meta["position"]
            return Position(iteration, (forward, reverse))
        return BEGINNING if self._meta["stage"] in self._stages else None

    def state(self, model: WordModel, beside: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return the parameters of the stage that was saved, as `model` has them; refuse what it cannot have."""
        others = (Field(name, array.dtype.name, array.shape) for name, array in beside.items())
        return self._checked(Schema((*model.state_fields(), *others), exact=True))

    def kept(self, required: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        """Return which word pairs a later stage than the first has, if one was under way; some it must have."""
        if self._meta is None or self._meta["stage"] == next(iter(self.stages)):
            return None
        bits = self._checked(Schema((Field("kept", "uint8", (-(-len(required) // 8),)),)))["kept"]
        kept = np.unpackbits(bits, count=len(required)).view(np.bool_)
        if not np.all(kept[required]):
            raise self._unusable("kept leaves out word pairs that are needed")
        return kept

    def _checked(self, schema: Schema) -> dict[str, NDArray[Any]]:
        try:
            return schema.checked(self._arrays)
        except ValueError as error:
            raise self._unusable(error) from None

    def save(self, stage: str, beside: dict[str, NDArray[Any]], model: WordModel, position: Position) -> None:
        """Keep a model after an iteration, and what else is needed to go on, in place of the one before."""
        number = self._steps[-1] + 1 if self._steps else 1
        meta = {"identity": self.identity, "stage": stage, "position": list(position)}
        save_folder(self._step(number), KIND, meta, model.state() | beside, {})
        self._remove_steps(self._steps)
        self._steps, self._arrays = [number], {}

    def _remove_steps(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            shutil.rmtree(self._step(number), ignore_errors=True)

    def _remove_leftovers(self) -> None:
        """Remove what a run that was killed had begun to save: the folder is of one run at a time."""
        for entry in self.folder.iterdir():
            if UNFINISHED.fullmatch(entry.name):
                shutil.rmtree(entry, ignore_errors=True)

    def _step(self, number: int) -> Path:
        return self.folder / f"step-{number:06d}"


def _is_position(iteration: object, lengths: object, most: int) -> bool:
    """Whether an iteration and the lengths of two steps can have been saved; a length of zero is that of the end."""
    return (
        type(iteration) is int
        and 1 <= iteration <= most
        and isinstance(lengths, list)
        and [type(length) for length in lengths] == [float, float]
        and all(0 <= length <= LONGEST_STEP for length in lengths)
    )


def _steps_in(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    found = (STEP.fullmatch(entry.name) for entry in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


def identity_of(
    bitext: Bitext,
    recipe: str,
    extra: ExtraCounts | None,
    known: KnownLinks | None,
    before: Before | None = None,
) -> dict[str, str]:
    """Say which run it is: hashes of its text and of what is known beforehand, and its recipe."""
    text = hashlib.sha256()
    for side in (bitext.source, bitext.target):
        _add(text, (side.ids, side.offsets))
        text.update("\n".join(side.words).encode("utf-8", "surrogatepass"))
    given = hashlib.sha256()
    if extra is not None:
        _add(given, extra)
    if known is not None:
        _add(
            given,
            (known.links.source, known.links.target, known.links.sure, known.links.offsets, known.pairs),
        )
    model = ""
    if before is not None:
        digest = hashlib.sha256()
        _add(digest, (*before.counts, *before.seen))
        model = digest.hexdigest()
    return {"text": text.hexdigest(), "recipe": recipe, "model": model, "known": given.hexdigest()}


def _add(digest: hashlib._Hash, arrays: Iterable[NDArray[Any]]) -> None:
    for array in arrays:
        for first in range(0, len(array), PART):
            digest.update(np.ascontiguousarray(array[first : first + PART]).data)
            release(array)
