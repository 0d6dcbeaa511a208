"""A stranger's hand in a model folder: what is changed has checksums that say that all is well."""

import hashlib
import json

import numpy as np
import pytest

from cepts import Aligner
from cepts.errors import ModelError


def describe(model, change):
    """Change model.json."""
    file = model / "model.json"
    description = json.loads(file.read_text("utf-8"))
    change(description)
    file.write_text(json.dumps(description), "utf-8")


def forge(model, name, array):
    """Put another array in the place of one, with a checksum that says that all is well."""
    file = model / f"{name}.npy"
    np.save(file, array)
    entry = {
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "bytes": file.stat().st_size,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }
    describe(model, lambda description: description["arrays"].update({name: entry}))


def refusal(model):
    with pytest.raises(ModelError) as error:
        Aligner.load(model)
    message = str(error.value)
    assert "\n" not in message
    assert f"/{model.name}" in message  # whose folders are left out of a long message
    return message


def changed(array, place, value):
    array = np.array(array)
    array[place] = value
    return array


def set_meta(key, value):
    return lambda description: description["meta"].update({key: value})


def set_recipe(key, value):
    return lambda description: description["meta"]["recipe"].update({key: value})


# What is said of an array whose file is as recorded, but that does not make sense; a few words of it.
KIND, SHAPE, RANGE = "is of ", "has the shape ", "expected a number from "
RISES, ORDER, WEIGHT = "does not rise from 0 to ", "before it", "has no weight"


def unusable(model, reason):
    """What is said of a model whose files are as recorded, but do not make sense."""
    return f"{model} is no word model that this version can use: {reason}; train it again"


def assert_unusable(model, reason):
    """The model is refused for what its arrays are; `reason` is a part of what is said."""
    message = refusal(model)
    beginning, end = unusable(model, "|").split("|")
    assert message.startswith(beginning), message
    assert message.endswith(end), message
    assert reason in message, message
