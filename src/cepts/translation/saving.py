"""A translator as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.corpus import TextOptions
from cepts.errors import ModelError, OptionError
from cepts.phrases.decoding import REORDERING_FEATURES, Decoder, Search
from cepts.phrases.language_model import LanguageModel
from cepts.phrases.phrase_options import PhraseOptions
from cepts.storage import describe_folder, load_folder, save_folder
from cepts.storage.parts import changeable
from cepts.translation.translator import Translator

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

KIND = "translator"
MADE_BY = "cepts translate train SRC TGT --output FOLDER"
PARTS = ("options", "language_model")


def save_translator(folder: str | os.PathLike[str], translator: Translator) -> None:
    """Write words, phrases, language model and weights."""
    decoder = translator.decoder
    arrays: dict[str, NDArray[Any]] = {"weights": decoder.weights}
    for part, of_part in zip(PARTS, (decoder.options.arrays(), decoder.language_model.arrays()), strict=True):
        arrays |= {f"{part}_{name}": array for name, array in of_part.items()}
    meta = {
        "search": decoder.search._asdict(),
        "weights": dict(zip(decoder.features, decoder.weights.tolist(), strict=True)),
        "text": translator.text.described(),
        "trained": dict(translator.trained),
        "cepts": __version__,
    }
    texts = {"source_words": list(translator.source_words), "target_words": list(translator.target_words)}
    save_folder(Path(folder), KIND, meta, arrays, texts)


def load_translator(folder: str | os.PathLike[str]) -> Translator:
    """Read a translator; its arrays are mapped."""
    kind = describe_folder(Path(folder))["kind"]
    if kind != KIND:
        raise ModelError(f"{folder} is a model of kind {kind!r}, expected a translator, made by: {MADE_BY}")
    meta, arrays, texts = load_folder(Path(folder), KIND)
    try:
        source, target = texts["source_words"], texts["target_words"]
        options, model = (
            {
                name.removeprefix(f"{part}_"): changeable(array)
                for name, array in arrays.items()
                if name.startswith(part)
            }
            for part in PARTS
        )
        search = meta["search"]
        decoder = Decoder(
            PhraseOptions.from_arrays(options, len(source), len(target)),
            _fitting(LanguageModel.from_arrays(model), len(target)),
            _checked_weights(arrays["weights"]),
            Search(
                int(search["beam"]),
                float(search["margin"]),
                int(search["distortion_limit"]),
                int(search["looks"]),
            ),
        )
        return Translator(
            source,
            target,
            decoder,
            TextOptions.of_description(meta["text"]),
            _checked_trained(meta["trained"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no translator that this version can use: {error}; train it again"
        ) from None


def _checked_trained(trained: Any) -> dict[str, Any]:
    """Return what is known of the training, if it can be read as that."""
    numbers = [trained.get("pairs", 0), *trained.get("dev_bleu", [])] if isinstance(trained, dict) else [None]
    if not all(isinstance(number, int | float) for number in numbers):
        raise ValueError("its training is none")
    return dict(trained)


def _checked_weights(weights: NDArray[Any]) -> NDArray[np.float64]:
    """Return a copy of weights that a model may have."""
    shape = (len(REORDERING_FEATURES),)
    if weights.dtype != np.float64 or weights.shape != shape or not np.all(np.abs(weights) < 1e6):
        raise ValueError("its weights are none")
    return np.array(weights)


def _fitting(model: LanguageModel, words: int) -> LanguageModel:
    """Refuse a language model of other words."""
    if model.size != words:
        raise ValueError("its language model has other words")
    return model
