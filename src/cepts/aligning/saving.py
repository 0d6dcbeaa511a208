"""A trained word model as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.aligning.recipes import Recipe
from cepts.errors import ModelError, OptionError
from cepts.storage import load_folder, save_folder
from cepts.words import Hmm, Ibm1, Jumps, Lexicon, Vocabularies

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

KIND = "word-aligner"
WAYS = ("forward", "reverse")


def save_model(
    folder: str | os.PathLike[str], model: Ibm1 | Hmm, words: Vocabularies, meta: dict[str, Any]
) -> None:
    """Write a model, its vocabularies and what is to be known about it."""
    lexicon = model.lexicon
    arrays: Arrays = {
        "row_offsets": lexicon.row_offsets,
        "columns": lexicon.columns,
        "values": lexicon.values,
    }
    if isinstance(model, Hmm):
        for way, jumps in zip(WAYS, model.jumps, strict=True):
            arrays[f"{way}_jumps"] = np.append(jumps.weights, jumps.far)
            arrays[f"{way}_starts"] = jumps.starts
    texts = {"source_words": list(words.source), "target_words": list(words.target)}
    save_folder(Path(folder), KIND, {**meta, "cepts": __version__}, arrays, texts)


def load_model(folder: str | os.PathLike[str]) -> tuple[Ibm1 | Hmm, Vocabularies, dict[str, Any]]:
    """Read a model, its vocabularies and what is known about it, with its recipe as a `Recipe`."""
    meta, arrays, texts = load_folder(Path(folder), KIND)
    try:
        chosen = Recipe(**meta["recipe"])
        text = {name: bool(meta["text"][name]) for name in ("tokenize", "keep_case")}
        words = Vocabularies(texts["source_words"], texts["target_words"])
        lexicon = _checked_lexicon(arrays, words)
        model = _model(chosen, lexicon, arrays)
        return model, words, {"recipe": chosen, "text": text, "pairs": int(meta["pairs"])}
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no word model that this version can use: {error}; train it again"
        ) from None


def _model(chosen: Recipe, lexicon: Lexicon, arrays: Arrays) -> Ibm1 | Hmm:
    null = chosen.null_probability
    if chosen.model_type == "ibm1":
        return Ibm1(lexicon, (null, null))
    forward, reverse = (
        Jumps(*_checked_jumps(arrays[f"{way}_jumps"]), _probabilities(arrays[f"{way}_starts"], 1), null)
        for way in WAYS
    )
    return Hmm(lexicon, (forward, reverse), longest=1)


def _checked_lexicon(arrays: Arrays, words: Vocabularies) -> Lexicon:
    """Refuse a table whose rows or columns point outside of it."""
    offsets, columns, values = arrays["row_offsets"], arrays["columns"], arrays["values"]
    good = (
        offsets.dtype == np.int64
        and columns.dtype == np.int32
        and offsets.shape == (len(words.source) + 2,)
        and offsets[0] == 0
        and offsets[-1] == len(columns)
        and bool(np.all(offsets[1:] >= offsets[:-1]))
        and columns.ndim == 1
        and len(columns) > 0
        and columns.min() >= 0
        and columns.max() <= len(words.target)
        and values.shape == (len(columns), 2)
        and values.flags.c_contiguous
    )
    if not good:
        raise ValueError("its lexicon does not fit its words")
    if values.dtype != np.float32:
        raise ValueError("its probabilities are not float32")
    _probabilities(values, 2)
    return Lexicon(offsets, columns, values)


def _checked_jumps(array: NDArray[Any]) -> tuple[NDArray[np.float64], float]:
    jumps = _probabilities(array, 1)
    if len(jumps) < 4 or len(jumps) % 2 or jumps.sum() <= 0:
        raise ValueError("its jump weights are not -band..band and one for longer jumps")
    return jumps[:-1], float(jumps[-1])


def _probabilities(array: NDArray[Any], dimensions: int) -> NDArray[np.float64]:
    """Return a writable copy of an array that must hold numbers from 0 to 1."""
    if (
        not array.size
        or array.ndim != dimensions
        or array.dtype.kind != "f"
        or not np.all((array >= 0) & (array <= 1))
    ):
        raise ValueError("it holds something else where probabilities are expected")
    return np.array(array, np.float64) if dimensions == 1 else array
