"""A bitext as a folder, and back: described and checked as a model is, so that no word id points outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.corpus.bitext import Bitext, Side
from cepts.corpus.originals import Originals
from cepts.corpus.segmenter import Segmenter
from cepts.errors import InputError, ModelError, OptionError, OutputError
from cepts.storage import load_folder, save_folder
from cepts.storage.description import DESCRIPTION
from cepts.storage.parts import changeable, map_array
from cepts.storage.schema import Field, Schema

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]
    Packed = tuple[Mapping[str, Any], Arrays, dict[str, list[str]]]

KIND = "bitext"
SIDES = ("source", "target")
SIDE = Schema(
    (
        Field("offsets", "int64", ("pairs + 1",), cuts="tokens"),
        Field("ids", "int32", ("tokens",), 0, "types - 1"),
        Field("spans", "int32", ("tokens", 2), 0, group="spans"),
        Field("originals", "uint8", ("bytes",), group="originals"),
        Field("original-lengths", "int64", ("pairs",), 0, "bytes", total="bytes", group="originals"),
    )
)
UNITS = Schema((Field("units", "int64", ("pairs",), 0, group="units"),))
# What earlier versions wrote beside the arrays, instead of a description.
OLD_TEXTS = ("origin.json", *(f"{name}-{part}.json" for name in SIDES for part in ("words", "segmenter")))
LINES_AT_ONCE = 1 << 12


def save_bitext(folder: str | os.PathLike[str], bitext: Bitext) -> None:
    """Write a bitext; what the folder has of another one goes, all else stays."""
    arrays: Arrays = {} if bitext.units is None else {"units": bitext.units}
    for name, side in zip(SIDES, (bitext.source, bitext.target), strict=True):
        arrays |= {f"{name}-{part}": array for part, array in _arrays(side).items() if array is not None}
    # words as JSON: one that somebody else has cut may hold anything, newlines as well
    texts = {
        f"{name}-words": [json.dumps(word, ensure_ascii=False) for word in side.words]
        for name, side in zip(SIDES, (bitext.source, bitext.target), strict=True)
    }
    segmenters = (bitext.source.segmenter, bitext.target.segmenter)
    meta = {
        "left_out": dict(bitext.left_out),
        "languages": bitext.languages,
        "segmenters": [None if known is None else known.described() for known in segmenters],
        "cepts": __version__,
    }
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write a bitext to {folder}: {error.strerror or error}") from None
    save_folder(Path(folder), KIND, meta, arrays, texts, among=OLD_TEXTS)


def load_bitext(folder: str | os.PathLike[str]) -> Bitext:
    """Read a bitext; refuse one that does not hold together. Its arrays are mapped."""
    place = Path(folder)
    try:
        meta, arrays, texts = load_folder(place, KIND) if (place / DESCRIPTION).exists() else _old(place)
        source, target = (
            _side(name, arrays, _words(texts[f"{name}-words"]), known)
            for name, known in zip(SIDES, meta["segmenters"], strict=True)
        )
        if len(source) == len(target):
            units = UNITS.checked(arrays, {"pairs": len(source)}).get("units")
            left_out, languages = _origin(meta)
            found = None if units is None else changeable(units)
            return Bitext(source, target, units=found, left_out=left_out, languages=languages)
    except (
        OSError,
        ValueError,
        TypeError,
        LookupError,
        OverflowError,
        EOFError,
        ModelError,
        OptionError,
    ) as error:
        raise InputError(f"{folder} holds no saved bitext, or a damaged one: {error}") from None
    raise InputError(f"{folder}: {len(source)} source but {len(target)} target sentences; save it again")


def _arrays(side: Side) -> dict[str, NDArray[Any] | None]:
    """Name the arrays of a side."""
    kept = None if side.originals is None else side.originals.compact()
    return {
        "ids": side.ids,
        "offsets": side.offsets,
        "spans": side.spans,
        "originals": None if kept is None else kept.text,
        "original-lengths": None if kept is None else kept.end - kept.first,
    }


def _side(name: str, arrays: Arrays, words: list[str], segmenter: Mapping[str, Any] | None) -> Side:
    """Make one side of arrays that are checked."""
    found = SIDE.checked(arrays, {"types": len(words)}, f"{name}-")
    own = {part: changeable(array) for part, array in found.items()}
    originals = None
    if "originals" in own:
        originals = Originals.cut(own["originals"], own["original-lengths"])
        _check_utf8(originals)
    known = None if segmenter is None else Segmenter.of_description(segmenter)
    return Side(own["ids"], own["offsets"], words, own.get("spans"), known, originals)


def _words(lines: list[str]) -> list[str]:
    """Read words that were written as JSON, all at once."""
    words: list[str] = _parsed(f"[{','.join(lines)}]", "words")
    if len(words) != len(lines) or not all(isinstance(word, str) for word in words):
        raise ValueError("its words are none")
    return words


def _check_utf8(originals: Originals) -> None:
    """Refuse sentences that cannot be read: decoded many at once, and none may begin within a character."""
    text, first, end = originals.text, originals.first, originals.end
    inside = first[first < end]
    good = not np.any(text[inside] & 0xC0 == 0x80)
    for k in range(0, len(first), LINES_AT_ONCE):
        last = min(k + LINES_AT_ONCE, len(first)) - 1
        text[first[k] : end[last]].tobytes().decode("utf-8", "surrogatepass")
    if not good:
        raise ValueError("its sentences are not UTF-8")


def _origin(meta: Mapping[str, Any]) -> tuple[dict[str, int], tuple[str, str] | None]:
    """Return what is known of the file that a bitext was read from."""
    left_out, languages = meta["left_out"], meta["languages"]
    good = isinstance(left_out, dict) and all(
        type(number) is int and number >= 0 for number in left_out.values()
    )
    if languages is not None:
        good = good and isinstance(languages, list) and [type(code) for code in languages] == [str, str]
    if not good:
        raise ValueError("what it says of its file is nothing that was known")
    return left_out, None if languages is None else (languages[0], languages[1])


def _old(folder: Path) -> Packed:
    """Read what earlier versions wrote: files without a description."""
    names = [*(f"{name}-{one.name}" for name in SIDES for one in SIDE.fields), "units"]
    arrays: Arrays = {}
    for name in names:
        file = folder / f"{name}.npy"
        if file.exists() or name.endswith(("ids", "offsets")):
            arrays[name] = map_array(file)
    texts, segmenters = {}, []
    for name in SIDES:
        words = _json(folder / f"{name}-words.json")
        if not isinstance(words, list):
            raise ValueError("its words are none")
        texts[f"{name}-words"] = [json.dumps(word) for word in words]
        file = folder / f"{name}-segmenter.json"  # version 0.1 did not say how a side was cut
        segmenters.append(_json(file) if file.exists() else None)
    origin = folder / "origin.json"  # nor earlier ones what they read
    known = _json(origin) if origin.exists() else {"left_out": {}, "languages": None}
    return {**known, "segmenters": segmenters}, arrays, texts


def _json(file: Path) -> Any:
    """Read what JSON can hold."""
    return _parsed(file.read_text(encoding="utf-8"), file.name)


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"{name}: not the JSON that Cepts writes") from None
