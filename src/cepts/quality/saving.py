"""A similarity model as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.corpus import TextOptions
from cepts.errors import ModelError, OptionError
from cepts.quality.gains import SCALE, GainTable, KnownWords
from cepts.quality.overlap import LexicalOverlap
from cepts.quality.retrieval import Weights
from cepts.quality.similar import PRODUCTS, Similarity
from cepts.sentences import SentenceModel
from cepts.storage import load_folder, save_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Packed = tuple[dict[str, Any], dict[str, NDArray[Any]], dict[str, list[str]]]

KIND = "similarity"
LARGEST_GAIN = 100 * SCALE
LARGEST_WEIGHT = 1e6


def save_similarity(folder: str | os.PathLike[str], model: Similarity) -> None:
    """Write a model and what is to be known about it."""
    meta, arrays, texts = packed_similarity(model)
    save_folder(Path(folder), KIND, {**meta, "cepts": __version__}, arrays, texts)


def load_similarity(folder: str | os.PathLike[str]) -> Similarity:
    """Read a model; refuse one that does not hold together."""
    meta, arrays, texts = load_folder(Path(folder), KIND)
    try:
        return unpacked_similarity(meta, arrays, texts)
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no similarity model that this version can use: {error}; train it again"
        ) from None


def packed_similarity(model: Similarity, prefix: str = "") -> Packed:
    """Return what a model folder needs: a description, arrays and texts, whose names begin with `prefix`."""
    meta, arrays, texts = model.factors.packed(f"{prefix}factors_")
    overlap = model.overlap
    for name, array in overlap.table._asdict().items():
        arrays[f"{prefix}overlap_{name}"] = array
    for name, known in (("source", overlap.source), ("target", overlap.target)):
        arrays[f"{prefix}overlap_{name}_counts"] = known.counts
        texts[f"{prefix}overlap_{name}_words"] = list(known.words)
    described = {
        "factors": meta,
        "sentences": overlap.source.sentences,
        "weights": list(model.weights),
        "text": model.text.described(),
    }
    return described, arrays, texts


def unpacked_similarity(
    meta: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    texts: Mapping[str, Sequence[str]],
    prefix: str = "",
) -> Similarity:
    """Make again what was packed; KeyError, TypeError, ValueError or OptionError tell of what does not fit."""
    factors = SentenceModel.unpacked(meta["factors"], arrays, texts, f"{prefix}factors_")
    if factors.measure not in PRODUCTS:
        raise ValueError(f"its measure is {factors.measure}, expected one of {', '.join(PRODUCTS)}")
    sentences = int(meta["sentences"])
    source, target = (
        KnownWords(
            texts[f"{prefix}overlap_{name}_words"],
            _checked_counts(
                arrays[f"{prefix}overlap_{name}_counts"],
                len(texts[f"{prefix}overlap_{name}_words"]),
                sentences,
            ),
            sentences,
        )
        for name in ("source", "target")
    )
    table = GainTable(*(np.array(arrays[f"{prefix}overlap_{name}"]) for name in GainTable._fields))
    _check_table(table, len(source.words), len(target.words))
    text = TextOptions.of_description(meta["text"])
    overlap = LexicalOverlap(table, source, target)
    return Similarity(factors, overlap, _checked_weights(meta["weights"]), text)


def _checked_counts(counts: NDArray[Any], words: int, sentences: int) -> NDArray[np.int64]:
    good = (
        counts.dtype == np.int64
        and counts.shape == (words,)
        and np.all((counts >= 0) & (counts <= sentences))
    )
    if not good:
        raise ValueError("its counts do not fit its words")
    return np.array(counts)


def _check_table(table: GainTable, sources: int, targets: int) -> None:
    """Refuse a table whose rows or columns point outside of it."""
    offsets, columns, gains = table
    good = (
        [str(array.dtype) for array in table] == ["int64", "int32", "int32"]
        and offsets.shape == (sources + 1,)
        and columns.ndim == 1
        and columns.shape == gains.shape
        and offsets[0] == 0
        and offsets[-1] == len(columns)
        and bool(np.all(offsets[1:] >= offsets[:-1]))
        and bool(np.all((columns >= 0) & (columns < targets)))
        and bool(np.all((gains > 0) & (gains <= LARGEST_GAIN)))
    )
    if not good:
        raise ValueError("its gains do not fit its words")


def _checked_weights(weights: Sequence[Any]) -> Weights:
    found = Weights(*(float(weight) for weight in weights))
    if not all(abs(weight) <= LARGEST_WEIGHT for weight in found):  # what is no number is not small either
        raise ValueError("its weights are none")
    return found
