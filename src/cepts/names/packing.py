"""A combination as one folder: its coefficients, and the folders of all its systems, packed.

Each system is saved as it saves itself, and its arrays and texts enter the combination's folder under a number. So
one model is one folder, written whole or not at all.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cepts._version import __version__
from cepts.errors import ModelError, OptionError
from cepts.names.combination import Combination
from cepts.names.saving import checked_weights
from cepts.storage import describe_folder, load_folder, save_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from cepts.names.systems import Judge
    from cepts.storage import ModelFolder

KIND = "name-combination"


def save_combination(folder: str | os.PathLike[str], combination: Combination) -> None:
    """Write a combination and its systems."""
    members: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {"coefficients": combination.coefficients}
    texts: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="cepts-", ignore_cleanup_errors=True) as place:
        for number, (name, system) in enumerate(combination.systems.items()):
            own = Path(place) / str(number)
            _saving(name, system)(own)
            kind = describe_folder(own)["kind"]
            packed = load_folder(own, kind)
            members.append({"name": name, "kind": kind, "meta": packed.meta})
            arrays |= {f"system{number}_{key}": array for key, array in packed.arrays.items()}
            texts |= {f"system{number}_{key}": lines for key, lines in packed.texts.items()}
        meta = {"systems": members, "n_best": combination.n_best, "cepts": __version__}
        save_folder(Path(folder), KIND, meta, arrays, texts)


def load_combination(folder: str | os.PathLike[str]) -> Combination:
    """Read a combination and its systems."""
    packed = load_folder(Path(folder), KIND)
    try:
        members = packed.meta["systems"]
        systems = {str(one["name"]): _unpacked(packed, number, one) for number, one in enumerate(members)}
        coefficients = checked_weights(packed.arrays["coefficients"], len(members))
        return Combination(systems, coefficients, int(packed.meta["n_best"]))
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no combination that this version can use: {error}; train it again"
        ) from None


def _saving(name: str, system: Judge) -> Callable[[Path], None]:
    save: Callable[[Path], None] | None = getattr(system, "save", None)
    if save is None:
        raise OptionError(f"system {name!r} cannot be saved: it has no method save(folder)")
    return save


def _unpacked(packed: ModelFolder, number: int, member: dict[str, Any]) -> Judge:
    """Make the folder of one system again, and let it load itself."""
    loaders, kind, meta = _loaders(), str(member["kind"]), dict(member["meta"])
    if kind not in loaders:
        raise ValueError(f"a system of kind {kind}, expected one of {', '.join(loaders)}")
    arrays = _own(packed.arrays, number)
    texts = _own(packed.texts, number)
    with tempfile.TemporaryDirectory(prefix="cepts-", ignore_cleanup_errors=True) as place:
        save_folder(Path(place) / "system", kind, meta, arrays, texts)
        return loaders[kind](Path(place) / "system")


def _own(parts: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the parts of one system, by the names that it gave them."""
    prefix = f"system{number}_"
    return {name.removeprefix(prefix): part for name, part in parts.items() if name.startswith(prefix)}


def _loaders() -> dict[str, Callable[[Path], Judge]]:
    """Who loads which kind of folder."""
    from cepts.aligning.saving import KIND as WORDS
    from cepts.characters import EditModel
    from cepts.characters.saving import KIND as EDITS
    from cepts.names.phrase_system import PhraseSystem
    from cepts.names.saving import KIND as PHRASES
    from cepts.names.word_scores import WordScores

    return {WORDS: WordScores.load, EDITS: EditModel.load, PHRASES: PhraseSystem.load}
