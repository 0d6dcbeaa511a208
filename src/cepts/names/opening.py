"""A saved system of names, whichever it is: an edit model, a phrase system, or a combination."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cepts.characters import EditModel
from cepts.characters.saving import KIND as EDITS
from cepts.checking import checked
from cepts.errors import ModelError
from cepts.names.combination import Combination
from cepts.names.packing import KIND as COMBINATION
from cepts.names.phrase_system import PhraseSystem
from cepts.names.saving import KIND as PHRASES
from cepts.storage import describe_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

NameSystem = EditModel | PhraseSystem | Combination
LOADERS: dict[str, Callable[[Path], NameSystem]] = {
    EDITS: EditModel.load,
    PHRASES: PhraseSystem.load,
    COMBINATION: Combination.load,
}


@checked
def load_system(folder: str | os.PathLike[str]) -> NameSystem:
    """Open a system that transcribes and ranks names."""
    kind = describe_folder(Path(folder))["kind"]
    if kind not in LOADERS:
        raise ModelError(f"{folder} is a model of kind {kind!r}, expected one of names: {', '.join(LOADERS)}")
    return LOADERS[kind](Path(folder))
