"""A trained word model as a folder, and back: every array is checked before a kernel may touch it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts import bounds
from cepts._version import __version__
from cepts.aligning.pasts import checked_past, past_arrays
from cepts.aligning.recipes import Recipe
from cepts.corpus import TextOptions
from cepts.errors import ModelError, OptionError
from cepts.storage import load_folder, save_folder
from cepts.storage.schema import LARGEST, PROBABILITY, Field, Schema
from cepts.words import Distances, Doubles, Finished, Ibm3, Ibm4, Jumps, KnownPairs, Lexicon, Vocabularies
from cepts.words.classes import count_classes
from cepts.words.fertility import NULL_BOUNDS, Fertilities
from cepts.words.fertility_kernels import FERTILITIES, ROW
from cepts.words.finished import Fertile
from cepts.words.pairs import BAND

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.words.classes import Classes
    from cepts.words.past import Past

    Arrays = dict[str, NDArray[Any]]

KIND = "word-aligner"
WAYS = ("forward", "reverse")
FLOAT32 = ("float32",)  # which somebody may prefer
LEXICON = Schema(
    (
        Field("row_offsets", "int64", ("sources + 2",), cuts="entries"),
        Field("columns", "int32", ("entries",), 0, "targets"),
        Field("values", "float32", ("entries", 2), *PROBABILITY),
    ),
    {"entries": (1, LARGEST)},
)
# Of each direction: `words` are those of its source.
JUMPS = Schema(
    (
        Field("jumps", "float64", ("2 band + 2",), *PROBABILITY, weighs=True, also=FLOAT32),
        Field("starts", "float64", ("longest",), *PROBABILITY, also=FLOAT32),
        Field("null", "float64", (1,), *PROBABILITY, also=FLOAT32, group="null"),
    ),
    {"band": (1, LARGEST), "longest": (1, LARGEST), "classes": (1, bounds.JUMP_CLASSES.most)},
)
CLASS_JUMPS = Schema(
    (
        *JUMPS.fields,
        Field(
            "jumps_of_class", "float64", ("classes", "2 band + 2"), *PROBABILITY, weighs=True, also=FLOAT32
        ),
        Field("jump_classes", "int32", ("words",), 0, "classes - 1"),
    ),
    JUMPS.sizes,
)
DISTANCES = Schema((Field("distances", "float64", (BAND + 1,), *PROBABILITY, also=FLOAT32),))
PAIRS = Schema(
    (
        Field("keys", "int64", ("rows",), 0, rising=True),
        Field("row_offsets", "int64", ("rows + 1",), cuts="entries"),
        Field("words", "int32", ("entries",), 0, "steps - 1"),
        Field("values", "float32", ("entries",), *PROBABILITY),
    )
)
CLASSES = Schema((Field("classes", "int32", ("words",), 0, bounds.CLASSES.most - 1),))
FERTILE = Schema(
    (
        Field("fertility", "float64", ("words", FERTILITIES), *PROBABILITY, also=FLOAT32),
        Field("moves", "float64", ("rows", ROW), *PROBABILITY, also=FLOAT32),
        Field("brings_null", "float64", (1,), *NULL_BOUNDS, also=FLOAT32),
    )
)


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
        chosen = Recipe.of_dict(meta["recipe"])
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
    jumps, classes = _checked_jumps(chosen, arrays, words) if chosen.jumps else (None, None)
    doubles = _checked_doubles(chosen, arrays, words) if chosen.bi_word else None
    fertile = _checked_fertile(chosen, arrays, words) if chosen.fertile else None
    return Finished(lexicon, null, jumps, doubles, chosen.null_state == "remembers", fertile, classes)


def _checked_lexicon(arrays: Arrays, words: Vocabularies) -> Lexicon:
    found = LEXICON.checked(arrays, {"sources": len(words.source), "targets": len(words.target)})
    return Lexicon(found["row_offsets"], found["columns"], found["values"])


def _by_way(schema: Schema, arrays: Arrays, words: Vocabularies) -> Iterator[Arrays]:
    """Yield the checked arrays of each direction, which is named after its source."""
    for way, size in zip(WAYS, (len(words.source), len(words.target)), strict=True):
        yield schema.checked(arrays, {"words": size}, f"{way}_")


def _checked_jumps(
    chosen: Recipe, arrays: Arrays, words: Vocabularies
) -> tuple[tuple[Jumps, Jumps], Classes | None]:
    """Read jumps, and where they depend on classes, these; models of version 0.1 have no NULL of their own."""
    found = list(_by_way(CLASS_JUMPS if chosen.jump_classes > 1 else JUMPS, arrays, words))
    forward, reverse = (
        Jumps(
            np.array(one["jumps"][:-1]),
            float(one["jumps"][-1]),
            np.array(one["starts"]),
            float(one["null"][0]) if "null" in one else chosen.null_probability,
            np.array(one["jumps_of_class"]) if "jumps_of_class" in one else None,
        )
        for one in found
    )
    if chosen.jump_classes == 1:
        return (forward, reverse), None
    return (forward, reverse), (np.asarray(found[0]["jump_classes"]), np.asarray(found[1]["jump_classes"]))


def _checked_fertile(chosen: Recipe, arrays: Arrays, words: Vocabularies) -> Fertile:
    """Read fertilities, distances and classes."""
    kind = Ibm4 if chosen.model_type == "ibm4" else Ibm3
    source, target = (np.asarray(one["classes"]) for one in _by_way(CLASSES, arrays, words))
    kinds, sizes = count_classes((source, target)), (len(words.source), len(words.target))
    found = []
    for way, size, (states, steps) in zip(WAYS, sizes, (kinds, kinds[::-1]), strict=True):
        rows = (states + 2) * steps if kind is Ibm4 else 1
        one = FERTILE.checked(arrays, {"words": size, "rows": rows}, f"{way}_")
        found.append(Fertilities(one["fertility"], one["moves"], float(one["brings_null"][0])))
    return Fertile((found[0], found[1]), (source, target), kind)


def _checked_doubles(chosen: Recipe, arrays: Arrays, words: Vocabularies) -> Doubles:
    """Read the pairs of each direction that was trained."""
    sides = (len(words.source), len(words.target))
    forward, reverse = (
        _checked_pairs(arrays, way, *sizes) if trained else None
        for way, sizes, trained in zip(WAYS, (sides, sides[::-1]), chosen.trained, strict=True)
    )
    before, after = (
        Distances(np.array(one["distances"]), chosen.double_probability)
        for one in _by_way(DISTANCES, arrays, words)
    )
    return Doubles((forward, reverse), (before, after))


def _checked_pairs(arrays: Arrays, way: str, states: int, steps: int) -> KnownPairs:
    """Refuse pairs whose rows or words point outside of the table or the vocabularies."""
    pairs = KnownPairs(**PAIRS.checked(arrays, {"steps": steps}, f"{way}_pair_"))
    if not np.all((pairs.keys >> 32 < states) & (pairs.keys & 0xFFFFFFFF < states)):
        raise ValueError(f"{way}_pair_keys has words that are none")
    return pairs
