"""A model is a folder: `model.json`, memory-mapped `.npy` arrays and `.txt` lists of words; never pickle.

    model.json    {"format": 1, "kind": "words", "meta": {...},
                   "arrays": {"lexicon": {"dtype": "<f4", "shape": [7], "bytes": 156, "sha256": "..."}},
                   "texts": {"source_words": {"lines": 3, "bytes": 17, "sha256": "..."}}}
    lexicon.npy   one file for each array, named by its key
    source_words.txt   one text on each line, UTF-8

File names are made from keys of letters, digits, `_` and `-`, so that no model can point outside its folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.errors import ModelError, OptionError, OutputError
from cepts.storage.atomic import (
    beside,
    cannot_write,
    check_name,
    check_parent,
    exchange,
    left_beside,
    sync_folder,
)
from cepts.storage.description import (
    ARRAY_SUFFIX,
    ASIDE,
    DESCRIPTION,
    FORMAT,
    TEXT_SUFFIX,
    checksum,
    describe_folder,
    file_names,
    is_name,
    read_description,
    standing,
)
from cepts.storage.parts import load_array, load_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.checking import Encodable

__all__ = ["ModelFolder", "check_folder_writable", "describe_folder", "load_folder", "save_folder"]


@checked
class ModelFolder(NamedTuple):
    """What a model folder holds; the arrays are memory-mapped and read-only."""

    meta: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    texts: dict[str, list[str]]


@checked
def load_folder(path: str | Path, kind: str) -> ModelFolder:
    """Load a model of the given kind; everything that is not as it was saved raises `ModelError`."""
    path = standing(Path(path))
    description = read_description(path, kind)
    arrays = {name: load_array(path, name, entry) for name, entry in description["arrays"].items()}
    texts = {name: load_text(path, name, entry) for name, entry in description["texts"].items()}
    return ModelFolder(description["meta"], arrays, texts)


@checked
def save_folder(
    path: str | Path,
    kind: Encodable,
    meta: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    texts: Mapping[str, Sequence[str]],
    *,
    among: Collection[str] | None = None,
) -> None:
    """Write a model folder, whole or not at all; a model that is already there is replaced.

    With `among` it may have other files, which stay, apart from those with these names.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> save_folder(f"{folder.name}/m", "words", {"recipe": "fast"}, {"p": np.ones(2)}, {"words": ["a", "b"]})
    >>> load_folder(f"{folder.name}/m", "words").texts
    {'words': ['a', 'b']}
    >>> folder.cleanup()
    """
    path = Path(path)
    stay = among is not None and path.is_dir()
    if stay:
        _check_kind(path, kind)
    else:
        check_folder_writable(path)
    try:
        with _folder_beside(path) as temporary:
            description = {
                "format": FORMAT,
                "kind": kind,
                "meta": dict(meta),
                "arrays": {name: _save_array(temporary, name, array) for name, array in arrays.items()},
                "texts": {name: _save_text(temporary, name, lines) for name, lines in texts.items()},
            }
            text = json.dumps(description, ensure_ascii=False, indent=1, allow_nan=False)
            _write(temporary / DESCRIPTION, text.encode("utf-8"))
            sync_folder(temporary)
            if stay:
                _move_into(temporary, path, among or ())
            else:
                _put_in_place(temporary, path.resolve())
    except OSError as error:
        raise cannot_write(path, error) from error


@checked
def check_folder_writable(path: str | Path) -> None:
    """Raise `OutputError` now if a model could not be saved as the folder `path`."""
    path = Path(path)
    check_name(path)
    if path.exists():
        _check_replaceable(path)
    check_parent(path)


def _check_replaceable(path: Path) -> None:
    """Refuse to replace anything but an empty folder, or a model folder with nothing else in it."""
    if not path.is_dir():
        raise OutputError(f"cannot write {path}: it is a file, and a model is a folder; name another place")
    present = {entry.name for entry in path.iterdir()}
    if not present:
        return
    owned = file_names(path)
    if owned is None:
        raise OutputError(f"cannot write {path}: this folder is not a Cepts model; name another place")
    if foreign := sorted(present - owned):
        raise OutputError(
            f"cannot write {path}: beside the model it holds {foreign[0]}; move that away first"
        )


def _check_kind(path: Path, kind: str) -> None:
    """Refuse to write over a model of another kind."""
    if (path / DESCRIPTION).exists():
        try:
            read_description(path, kind)
        except ModelError as error:
            raise OutputError(f"cannot write {path}: {error}; name another place") from None


def _move_into(temporary: Path, final: Path, old: Collection[str]) -> None:
    """Rename files into a folder that has others: in between it has no description, and is read as nothing."""
    replaced = (file_names(final) or set()) | set(old)
    (final / DESCRIPTION).unlink(missing_ok=True)
    new = sorted(temporary.iterdir(), key=lambda file: file.name == DESCRIPTION)
    for name in sorted(replaced - {file.name for file in new}):
        (final / name).unlink(missing_ok=True)
    for file in new:
        file.rename(final / file.name)
    temporary.rmdir()
    sync_folder(final)


@contextlib.contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    temporary = beside(path)
    temporary.mkdir()
    try:
        yield temporary
    except BaseException:  # Ctrl-C too leaves nothing behind
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _put_in_place(temporary: Path, final: Path) -> None:
    """Rename the new folder into place; the old model goes only when the new one stands.

    At every moment one of them stands; where two names cannot be exchanged, `standing` finds it if we are killed.
    """
    if not final.exists() or not any(final.iterdir()):
        with contextlib.suppress(FileNotFoundError):
            final.rmdir()
        temporary.rename(final)
    elif not exchange(temporary, final):
        old = beside(final, ASIDE)
        final.rename(old)
        try:
            temporary.rename(final)
        except BaseException:
            old.rename(final)
            raise
    sync_folder(final.parent)
    for old in (temporary, *left_beside(final, ASIDE)):
        _remove_model(old)


def _remove_model(folder: Path) -> None:
    """Delete the files that a model folder owns, then the folder; whatever else is in it stays."""
    owned = file_names(folder) or set()
    for name in sorted(
        owned, key=lambda name: (name == DESCRIPTION, name)
    ):  # it tells the others: the last to go
        (folder / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()


def _save_array(folder: Path, name: str, array: NDArray[Any]) -> dict[str, Any]:
    file = folder / _file_name(name, ARRAY_SUFFIX)
    with file.open("wb") as stream:
        np.lib.format.write_array(
            stream, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False
        )
        stream.flush()
        os.fsync(stream.fileno())
    return {"dtype": array.dtype.str, "shape": list(array.shape), **checksum(file)}


def _save_text(folder: Path, name: str, lines: Sequence[str]) -> dict[str, Any]:
    if any("\n" in line for line in lines):
        raise OptionError(f"text {name} holds a line with a newline in it")
    file = folder / _file_name(name, TEXT_SUFFIX)
    _write(file, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"))
    return {"lines": len(lines), **checksum(file)}


def _file_name(name: str, suffix: str) -> str:
    if not is_name(name):
        raise OptionError(f"{name!r} cannot name a file of a model: use letters, digits, _ and -")
    return name + suffix


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
