"""`model.json`: read, and trusted in nothing."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from cepts.checking import checked
from cepts.errors import ModelError
from cepts.storage.atomic import left_beside

FORMAT = 1  # raised whenever an older Cepts could not read what this one writes
DESCRIPTION = "model.json"
ARRAY_SUFFIX = ".npy"
TEXT_SUFFIX = ".txt"
ASIDE = "old"  # the ending of a model that is being replaced, where that takes two steps

_ENTRY_FIELDS: dict[str, dict[str, type]] = {
    "arrays": {"dtype": str, "shape": list, "bytes": int, "sha256": str},
    "texts": {"lines": int, "bytes": int, "sha256": str},
}


@checked
def describe_folder(path: str | Path) -> dict[str, Any]:
    """Return `model.json` of a model folder of any kind, checked in form; arrays and texts are not read."""
    return read_description(standing(Path(path)))


def standing(path: Path) -> Path:
    """Return where a model is: at `path`, or set aside by a process that was killed before the new one stood there."""
    try:
        if path.exists():
            return path
    except OSError as error:  # a name that is too long
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    with contextlib.suppress(OSError):
        aside = [old for old in left_beside(path, ASIDE) if (old / DESCRIPTION).is_file()]
        return max(aside, key=lambda old: old.stat().st_mtime, default=path)
    return path


def read_description(path: Path, kind: str | None = None) -> dict[str, Any]:
    """Read and check `model.json`; with `kind`, insist on it."""
    description = _parse(path, _read(path))
    _check_format(path, description)
    _check_kind(path, description, kind)
    if not isinstance(description.get("meta"), dict):
        raise _damaged(path, "meta is missing or not an object")
    for section, fields in _ENTRY_FIELDS.items():
        _check_section(path, section, description.get(section), fields)
    return description


def file_names(path: Path) -> set[str] | None:
    """Name the files that belong to the model in `path`, or None if there is no readable model."""
    try:
        description = read_description(path)
    except ModelError:
        return None
    arrays = {name + ARRAY_SUFFIX for name in description["arrays"]}
    return {DESCRIPTION} | arrays | {name + TEXT_SUFFIX for name in description["texts"]}


def is_name(name: str) -> bool:
    """Tell whether `name` can be the key of an array or a text: never a path.

    >>> is_name("source_words"), is_name("../../etc/passwd"), is_name("")
    (True, False, False)
    """
    return re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) is not None


def checksum(file: Path) -> dict[str, Any]:
    """Return the size and the SHA-256 of a file, as `model.json` records them."""
    # SHA-256 runs at about 1 GB/s on processors with SHA instructions: 0.1 s for a model of 100 MB
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return {"bytes": stream.tell(), "sha256": digest}


def _read(path: Path) -> str:
    if not path.exists():
        raise ModelError(f"there is no model {path}")
    if not path.is_dir():
        raise ModelError(f"{path} is a file; a model is a folder, made by: cepts train --output FOLDER")
    file = path / DESCRIPTION
    if not file.is_file():
        raise ModelError(f"{path} is not a model folder: {DESCRIPTION} is missing")
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise ModelError(f"cannot read {file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise _damaged(path, f"not UTF-8 at byte {error.start}") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        description = json.loads(text)
    except json.JSONDecodeError as error:
        raise _damaged(path, f"line {error.lineno}: {error.msg}") from error
    except (RecursionError, ValueError) as error:  # nested without end; a number of thousands of digits
        raise _damaged(path, "not the JSON that Cepts writes") from error
    if not isinstance(description, dict):
        raise _damaged(path, "expected an object")
    return description


def _check_format(path: Path, description: dict[str, Any]) -> None:
    found = description.get("format")
    if type(found) is not int:
        raise ModelError(f"{path} is not a Cepts model: {DESCRIPTION} has no format number")
    if found != FORMAT:
        cure = "upgrade Cepts" if found > FORMAT else "train the model again"
        raise ModelError(f"model {path} has format {found}, this Cepts reads format {FORMAT}; {cure}")


def _check_kind(path: Path, description: dict[str, Any], kind: str | None) -> None:
    found = description.get("kind")
    if not isinstance(found, str):
        raise _damaged(path, "kind is missing or not a string")
    if kind is not None and found != kind:
        raise ModelError(f"model {path} is of kind {found!r}, expected {kind!r}")


def _check_section(path: Path, section: str, entries: Any, fields: dict[str, type]) -> None:
    if not isinstance(entries, dict):
        raise _damaged(path, f"{section} is missing or not an object")
    for name, entry in entries.items():
        if not is_name(name):
            raise _damaged(path, f"{name!r} in {section} cannot name a file of a model")
        if not isinstance(entry, dict) or any(
            type(entry.get(key)) is not kind for key, kind in fields.items()
        ):
            raise _damaged(path, f"{name} in {section} needs {', '.join(fields)}")


def _damaged(path: Path, why: str) -> ModelError:
    return ModelError(f"{path / DESCRIPTION} is damaged: {why}")
