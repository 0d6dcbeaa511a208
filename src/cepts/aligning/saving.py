"""A trained word model as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.aligning.pasts import checked_past, past_arrays
from cepts.aligning.recipes import Recipe
from cepts.corpus import TextOptions
from cepts.errors import ModelError, OptionError
from cepts.storage import load_folder, save_folder
from cepts.words import Distances, Doubles, Finished, Ibm3, Ibm4, Jumps, KnownPairs, Lexicon, Vocabularies
from cepts.words.classes import MOST_CLASSES, count_classes
from cepts.words.fertility import NULL_BOUNDS, Fertilities
from cepts.words.fertility_kernels import FERTILITIES, ROW
from cepts.words.finished import Fertile
from cepts.words.jumps import MOST_JUMP_CLASSES
from cepts.words.pairs import BAND

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from cepts.words.classes import Classes
    from cepts.words.past import Past

    Arrays = dict[str, NDArray[Any]]

KIND = "word-aligner"
WAYS = ("forward", "reverse")


def save_model(
    folder: str | os.PathLike[str],
    model: Finished,
    words: Vocabularies,
    meta: dict[str, Any],
    past: Past | None = None,
) -> None:
    """Write a model, its vocabularies, what is to be known about it, and what it expects of its text."""
    lexicon = model.lexicon
    arrays: Arrays = {
        "row_offsets": lexicon.row_offsets,
        "columns": lexicon.columns,
        "values": lexicon.values,
    }
    if model.jumps is not None:
        for way, jumps in zip(WAYS, model.jumps, strict=True):
            arrays[f"{way}_jumps"] = np.append(jumps.weights, jumps.far)
            arrays[f"{way}_starts"] = jumps.starts
            arrays[f"{way}_null"] = np.array([jumps.null])
    if model.jumps is not None and model.classes is not None:
        for way, jumps, classes in zip(WAYS, model.jumps, model.classes, strict=True):
            assert jumps.of_class is not None
            arrays |= {f"{way}_jumps_of_class": jumps.of_class, f"{way}_jump_classes": classes}
    if model.doubles is not None:
        for way, pairs, distances in zip(WAYS, *model.doubles, strict=True):
            arrays[f"{way}_distances"] = distances.weights
            if pairs is not None:
                arrays |= {f"{way}_pair_{name}": array for name, array in pairs._asdict().items()}
    if model.fertile is not None:
        for way, one, classes in zip(WAYS, *model.fertile[:2], strict=True):
            arrays |= {
                f"{way}_fertility": one.fertility,
                f"{way}_moves": one.moves,
                f"{way}_classes": classes,
            }
            arrays[f"{way}_brings_null"] = np.array([one.null])
    if past is not None:
        arrays |= past_arrays(past)
    texts = {"source_words": list(words.source), "target_words": list(words.target)}
    save_folder(Path(folder), KIND, {**meta, "cepts": __version__}, arrays, texts)


def load_model(
    folder: str | os.PathLike[str],
) -> tuple[Finished, Vocabularies, dict[str, Any], Past | None]:
    """Read a model, its vocabularies, what is known about it (its recipe as a `Recipe`), and its past if it has one."""
    meta, arrays, texts = load_folder(Path(folder), KIND)
    try:
        chosen = Recipe(**meta["recipe"])
        text = TextOptions.of_description(meta["text"])
        words = Vocabularies(texts["source_words"], texts["target_words"])
        lexicon = _checked_lexicon(arrays, words)
        model = _model(chosen, lexicon, arrays, words)
        about = {"recipe": chosen, "text": text, "pairs": int(meta["pairs"])}
        return model, words, about, checked_past(arrays, model, words)
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(
            f"{folder} is no word model that this version can use: {error}; train it again"
        ) from None


def _model(chosen: Recipe, lexicon: Lexicon, arrays: Arrays, words: Vocabularies) -> Finished:
    null = None if chosen.null_as_word or chosen.bi_word else chosen.null_probability
    jumps, doubles = None, None
    if chosen.jumps:
        forward, reverse = (_checked_jumps(arrays, way, chosen) for way in WAYS)
        jumps = (forward, reverse)
    if chosen.bi_word:
        doubles = _checked_doubles(chosen, arrays, words)
    fertile = _checked_fertile(chosen, arrays, words) if chosen.fertile else None
    classes = None
    if jumps is not None and chosen.jump_classes > 1:
        classes = _checked_classes(arrays, "jump_classes", words, (jumps[0].classes, jumps[1].classes))
    return Finished(lexicon, null, jumps, doubles, chosen.null_state == "remembers", fertile, classes)


def _checked_fertile(chosen: Recipe, arrays: Arrays, words: Vocabularies) -> Fertile:
    """Read fertilities, distances and classes; refuse those that do not fit the words or each other."""
    kind = Ibm4 if chosen.model_type == "ibm4" else Ibm3
    classes = _checked_classes(arrays, "classes", words, (MOST_CLASSES, MOST_CLASSES))
    sizes = (len(words.source), len(words.target))
    kinds = count_classes(classes)
    found = []
    for way, size, (states, steps) in zip(WAYS, sizes, (kinds, kinds[::-1]), strict=True):
        fertility, moves = (_probabilities(arrays[f"{way}_{name}"], 2) for name in ("fertility", "moves"))
        rows = (states + 2) * steps if kind is Ibm4 else 1
        if fertility.shape != (size, FERTILITIES) or moves.shape != (rows, ROW):
            raise ValueError("its fertilities or distances do not fit its words and classes")
        null = float(_probabilities(arrays[f"{way}_brings_null"], 1)[0])
        if not NULL_BOUNDS[0] <= null <= NULL_BOUNDS[1]:
            raise ValueError("its probability of a NULL word is out of bounds")
        found.append(Fertilities(fertility, moves, null))
    return Fertile((found[0], found[1]), classes, kind)


def _checked_classes(arrays: Arrays, name: str, words: Vocabularies, most: tuple[int, int]) -> Classes:
    """Read the classes of both sides' words, at most so many; refuse those that do not fit the words."""
    source, target = (np.ascontiguousarray(arrays[f"{way}_{name}"]) for way in WAYS)
    sizes = (len(words.source), len(words.target))
    for part, size, kinds in zip((source, target), sizes, most, strict=True):
        if part.dtype != np.int32 or part.shape != (size,) or part.min() < 0 or part.max() >= kinds:
            raise ValueError("its word classes do not fit its words")
    return source, target


def _checked_doubles(chosen: Recipe, arrays: Arrays, words: Vocabularies) -> Doubles:
    """Read the pairs of each direction that was trained."""
    sides = (len(words.source), len(words.target))
    forward, reverse = (
        _checked_pairs(arrays, way, *sizes) if trained else None
        for way, sizes, trained in zip(WAYS, (sides, sides[::-1]), chosen.trained, strict=True)
    )
    before, after = (
        Distances(_probabilities(arrays[f"{way}_distances"], 1), chosen.double_probability) for way in WAYS
    )
    if any(len(distances.weights) != BAND + 1 for distances in (before, after)):
        raise ValueError("its distances inside a pair are not 1..5 and one for longer ones")
    return Doubles((forward, reverse), (before, after))


def _checked_pairs(arrays: Arrays, way: str, states: int, steps: int) -> KnownPairs:
    """Refuse pairs whose rows or words point outside of the table or the vocabularies."""
    pairs = KnownPairs(*(arrays[f"{way}_pair_{name}"] for name in KnownPairs._fields))
    good = (
        [str(array.dtype) for array in pairs] == ["int64", "int64", "int32", "float32"]
        and all(array.ndim == 1 for array in pairs)
        and _rows_fit(pairs.row_offsets, len(pairs.keys), len(pairs.words))
        and len(pairs.words) == len(pairs.values)
        and bool(np.all(pairs.keys[1:] > pairs.keys[:-1]))
        and bool(np.all((pairs.keys >= 0) & (pairs.keys >> 32 < states) & (pairs.keys & 0xFFFFFFFF < states)))
        and bool(np.all((pairs.words >= 0) & (pairs.words < steps)))
        and bool(np.all((pairs.values >= 0) & (pairs.values <= 1)))
    )
    if not good:
        raise ValueError("its pairs of words do not fit its words")
    return pairs


def _rows_fit(offsets: NDArray[Any], rows: int, entries: int) -> bool:
    """Whether offsets cut so many entries into so many rows."""
    inside = offsets.shape == (rows + 1,) and offsets[0] == 0 and offsets[-1] == entries
    return inside and bool(np.all(offsets[1:] >= offsets[:-1]))


def _checked_lexicon(arrays: Arrays, words: Vocabularies) -> Lexicon:
    """Refuse a table whose rows or columns point outside of it."""
    offsets, columns, values = arrays["row_offsets"], arrays["columns"], arrays["values"]
    good = (
        offsets.dtype == np.int64
        and columns.dtype == np.int32
        and columns.ndim == 1
        and _rows_fit(offsets, len(words.source) + 1, len(columns))
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


def _checked_jumps(arrays: Arrays, way: str, chosen: Recipe) -> Jumps:
    """Read the jumps of a direction; models of version 0.1 have no NULL of their own."""
    jumps = _probabilities(arrays[f"{way}_jumps"], 1)
    null = _probabilities(arrays.get(f"{way}_null", np.array([chosen.null_probability])), 1)
    if len(jumps) < 4 or len(jumps) % 2 or jumps.sum() <= 0:
        raise ValueError("its jump weights are not -band..band and one for longer jumps")
    starts, of_class = _probabilities(arrays[f"{way}_starts"], 1), None
    if chosen.jump_classes > 1:
        of_class = np.array(_probabilities(arrays[f"{way}_jumps_of_class"], 2), np.float64)
        if (
            of_class.shape[1] != len(jumps)
            or len(of_class) > MOST_JUMP_CLASSES
            or np.any(of_class.sum(axis=1) <= 0)
        ):
            raise ValueError("its jump weights of classes do not fit those of all words")
    return Jumps(jumps[:-1], float(jumps[-1]), starts, float(null[0]), of_class)


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
