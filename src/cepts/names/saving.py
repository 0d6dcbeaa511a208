"""A phrase system as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.errors import ModelError, OptionError
from cepts.names.alphabet import MarkedAlphabet
from cepts.names.phrase_system import PhraseSystem
from cepts.phrases.decoding import FEATURES, Decoder, Search
from cepts.phrases.language_model import LanguageModel
from cepts.phrases.phrase_options import PhraseOptions
from cepts.storage import load_folder, save_folder

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

KIND = "name-phrases"
PARTS = ("options", "language_model")


def save_phrase_system(folder: str | os.PathLike[str], system: PhraseSystem) -> None:
    """Write a system's alphabets, phrases, language model and weights."""
    decoder = system.decoder
    arrays: Arrays = {
        "source_characters": system.source.array(),
        "target_characters": system.target.array(),
        "weights": decoder.weights,
    }
    for part, of_part in zip(PARTS, (decoder.options.arrays(), decoder.language_model.arrays()), strict=True):
        arrays |= {f"{part}_{name}": array for name, array in of_part.items()}
    weights = dict(zip(FEATURES, decoder.weights.tolist(), strict=True))
    meta = {"search": decoder.search._asdict(), "weights": weights, "cepts": __version__}
    save_folder(Path(folder), KIND, meta, arrays, {})


def load_phrase_system(folder: str | os.PathLike[str]) -> PhraseSystem:
    """Read a system."""
    meta, arrays, _ = load_folder(Path(folder), KIND)
    try:
        source, target = (
            MarkedAlphabet.from_array(arrays[f"{side}_characters"]) for side in ("source", "target")
        )
        options, model = (
            {name.removeprefix(f"{part}_"): array for name, array in arrays.items() if name.startswith(part)}
            for part in PARTS
        )
        decoder = Decoder(
            PhraseOptions.from_arrays(options, len(source), len(target)),
            _fitting(LanguageModel.from_arrays(model), target),
            checked_weights(arrays["weights"], len(FEATURES)),
            Search(int(meta["search"]["beam"]), float(meta["search"]["margin"])),
        )
        return PhraseSystem(source, target, decoder)
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no phrase system that this version can use: {error}; train it again"
        ) from None


def checked_weights(weights: NDArray[Any], size: int) -> NDArray[np.float64]:
    """Return a copy of so many weights that a model may have."""
    if weights.dtype != np.float64 or weights.shape != (size,) or not np.all(np.abs(weights) < 1e6):
        raise ValueError("its weights are none")
    return np.array(weights)


def _fitting(model: LanguageModel, target: MarkedAlphabet) -> LanguageModel:
    """Refuse a language model of another alphabet."""
    if model.size != len(target):
        raise ValueError("its language model has another alphabet")
    return model
