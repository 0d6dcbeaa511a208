"""An edit model as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.characters.letters import BITS, Alphabet
from cepts.characters.options import TrainingOptions
from cepts.characters.table_kernels import KINDS, LARGEST_ORDER
from cepts.characters.weights import GRAM, Weights, parts_of_gram
from cepts.errors import ModelError, OptionError
from cepts.storage import load_folder, save_folder

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

KIND = "edit-model"
LARGEST = 1e12  # magnitude of a weight
Kept = tuple[Weights, Alphabet, Alphabet, TrainingOptions, dict[str, Any]]


def save_model(
    folder: str | os.PathLike[str],
    weights: Weights,
    sources: Alphabet,
    targets: Alphabet,
    options: TrainingOptions,
    notes: dict[str, Any],
) -> None:
    """Write a model and what is to be known about it."""
    letters = {"source_letters": sources.letters, "target_letters": targets.letters}
    arrays = {name: np.array([ord(letter) for letter in some], np.int32) for name, some in letters.items()}
    meta = {"options": asdict(options), "notes": notes, "cepts": __version__}
    save_folder(Path(folder), KIND, meta, {**weights._asdict(), **arrays}, {})


def load_model(folder: str | os.PathLike[str]) -> Kept:
    """Read a model; refuse one that does not hold together."""
    meta, arrays, _ = load_folder(Path(folder), KIND)
    try:
        options, notes = TrainingOptions(**meta["options"]), dict(meta["notes"])
        sources, targets = (_alphabet(arrays[f"{side}_letters"]) for side in ("source", "target"))
        weights = Weights(*(np.array(arrays[name], order="C") for name in Weights._fields))
        _check(weights, len(sources), len(targets), options.order)
        return weights, sources, targets, options, notes
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no edit model that this version can use: {error}; train it again"
        ) from None


def _alphabet(codes: NDArray[Any]) -> Alphabet:
    if codes.dtype != np.int32 or codes.ndim != 1 or len(np.unique(codes)) != len(codes):
        raise ValueError("its letters are not different code points")
    return Alphabet([chr(code) for code in codes.tolist()])


def _check(weights: Weights, sources: int, targets: int, order: int) -> None:
    """Refuse weights whose keys point outside of the alphabets or the grams."""
    plain, allowed, grams, keys, values = weights
    kinds = [str(array.dtype) for array in weights]
    if kinds != ["float32", "bool", "int64", "int64", "float32"] or len(keys) != len(values):
        raise ValueError("its weights are of the wrong kind")
    if plain.shape != (sources, targets) or allowed.shape != plain.shape or allowed[0, 0]:
        raise ValueError("its edits do not fit its letters")
    if any(array.ndim != 1 for array in (grams, keys, values)) or any(
        np.any(array[1:] <= array[:-1]) for array in (grams, keys)
    ):
        raise ValueError("its weights are not in order")
    source, target, gram = keys >> (32 + BITS), keys >> 32 & (1 << BITS) - 1, keys & GRAM
    if np.any((keys < 0) | (source >= sources) | (target >= targets) | (gram >= len(grams))):
        raise ValueError("its weights point outside of its letters or grams")
    # sums of larger ones would leave float32, and what is no number cannot be compared
    if not (np.all(np.abs(plain) <= LARGEST) and np.all(np.abs(values) <= LARGEST)):
        raise ValueError("it holds something else where weights are expected")
    if len(grams):
        _check_grams(grams, (sources, targets), order)


def _check_grams(grams: NDArray[np.int64], sizes: tuple[int, int], order: int) -> None:
    if grams[0] <= 0 or int(grams[-1]) >> LARGEST_ORDER * BITS >= KINDS * (LARGEST_ORDER + 1):
        raise ValueError("its grams are no grams")
    for gram in grams.tolist():
        kind, letters = parts_of_gram(gram)
        if kind not in (1, 2, 3) or len(letters) > order or max(letters) >= sizes[kind == 3]:
            raise ValueError("its grams do not fit its letters")
