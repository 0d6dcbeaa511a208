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
from cepts.storage.schema import Field, Schema

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Packed = tuple[dict[str, Any], dict[str, NDArray[Any]], dict[str, list[str]]]

KIND = "similarity"
LARGEST_GAIN = 100 * SCALE
LARGEST_WEIGHT = 1e6
OVERLAP = Schema(
    (
        Field("row_offsets", "int64", ("source + 1",), cuts="entries"),
        Field("columns", "int32", ("entries",), 0, "target - 1"),
        Field("gains", "int32", ("entries",), 1, LARGEST_GAIN),
        Field("source_counts", "int64", ("source",), 0, "sentences"),
        Field("target_counts", "int64", ("target",), 0, "sentences"),
    )
)


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
    sizes = {name: len(texts[f"{prefix}overlap_{name}_words"]) for name in ("source", "target")}
    found = OVERLAP.checked(arrays, {**sizes, "sentences": sentences}, f"{prefix}overlap_")
    source, target = (
        KnownWords(
            texts[f"{prefix}overlap_{name}_words"],
            np.array(found[f"{name}_counts"]),
            sentences,
        )
        for name in ("source", "target")
    )
    table = GainTable(*(np.array(found[name]) for name in GainTable._fields))
    text = TextOptions.of_description(meta["text"])
    overlap = LexicalOverlap(table, source, target)
    return Similarity(factors, overlap, _checked_weights(meta["weights"]), text)


def _checked_weights(weights: Sequence[Any]) -> Weights:
    found = Weights(*(float(weight) for weight in weights))
    if not all(abs(weight) <= LARGEST_WEIGHT for weight in found):  # what is no number is not small either
        raise ValueError("its weights are none")
    return found
