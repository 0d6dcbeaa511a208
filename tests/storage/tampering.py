"""A stranger's hand in a folder: files and description changed in every way, with checksums that fit if wanted."""

import hashlib
import io
import json

import numpy as np

from cepts.errors import CeptsError

ODD_VALUES = [None, True, -1, 0, 1 << 40, 1e300, "", "many", [], [1], {}, {"a": 1}, "\ud800", 0.5]


def sign(folder):
    """Give each array and text of model.json the checksum, size, dtype and shape that its file has."""
    try:
        description = json.loads((folder / "model.json").read_text("utf-8"))
        entries = [("arrays", ".npy"), ("texts", ".txt")]
        for section, suffix in entries:
            for name, entry in description[section].items():
                content = (folder / (name + suffix)).read_bytes()
                entry |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                if suffix == ".txt":
                    entry["lines"] = content.count(b"\n")
                else:
                    array = np.load(io.BytesIO(content), allow_pickle=False)
                    entry |= {"dtype": array.dtype.str, "shape": list(array.shape)}
    except Exception:  # what nobody can read, nobody can sign
        return
    (folder / "model.json").write_text(json.dumps(description), "utf-8")


def believed(action, *about):
    """Do something that may be refused, by one line of ours; returns whether it was done."""
    try:
        action()
    except CeptsError as error:
        message = str(error)
    else:
        return True
    assert "\n" not in message, about
    assert message, about
    return False


def tamper(folder, rng):
    """Change one thing, and return what was done."""
    kinds = [flip, cut, append, remove, swap, describe, add, *[change_array] * 9]
    return kinds[rng.integers(len(kinds))](folder, rng)


def files(folder, pattern="*"):
    return sorted(file for file in folder.glob(pattern) if file.is_file())


def pick(rng, things):
    return things[rng.integers(len(things))]


def flip(folder, rng):
    file = pick(rng, files(folder))
    content = bytearray(file.read_bytes())
    if content:
        content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
    file.write_bytes(content)
    return f"a bit of {file.name}"


def cut(folder, rng):
    file = pick(rng, files(folder))
    content = file.read_bytes()
    file.write_bytes(content[: rng.integers(len(content) + 1)])
    return f"{file.name} truncated"


def append(folder, rng):
    file = pick(rng, files(folder))
    file.write_bytes(file.read_bytes() + rng.bytes(9))
    return f"{file.name} longer"


def remove(folder, rng):
    file = pick(rng, files(folder))
    file.unlink()
    return f"no {file.name}"


def swap(folder, rng):
    one, two = (pick(rng, files(folder)) for _ in range(2))
    contents = one.read_bytes(), two.read_bytes()
    two.write_bytes(contents[0])
    one.write_bytes(contents[1])
    return f"{one.name} and {two.name} exchanged"


def add(folder, rng):
    """Add an array that nobody has asked for, or take the entry of one away."""
    description = json.loads((folder / "model.json").read_text("utf-8"))
    name = pick(rng, [*description["arrays"], "extra"])
    np.save(folder / "extra.npy", rng.random(3))
    entry = description["arrays"].pop(name, {})
    if name == "extra":
        description["arrays"]["extra"] = entry
    (folder / "model.json").write_text(json.dumps(description), "utf-8")
    return f"{name} described, or not"


def describe(folder, rng):
    """Put something else somewhere into the description."""
    file = folder / "model.json"
    description = json.loads(file.read_text("utf-8"))
    inner = pick(rng, [description, *[description["meta"]] * 4])
    while True:
        key = pick(rng, list(inner)) if isinstance(inner, dict) else int(rng.integers(len(inner)))
        if not isinstance(inner[key], dict | list) or not inner[key] or rng.random() < 0.3:
            break
        inner = inner[key]
    if isinstance(inner, dict) and rng.random() < 0.2:
        del inner[key]
        value = "nothing"
    else:
        value = inner[key] = pick(rng, ODD_VALUES)
    file.write_text(json.dumps(description), "utf-8")
    return f"{key} is {value!r}"


def change_array(folder, rng):
    """Put another array in the place of one."""
    file = pick(rng, files(folder, "*.npy"))
    array = np.array(np.load(file))
    name, changed = pick(rng, list(CHANGES.items()))
    np.save(file, changed(array, rng))
    return f"{file.name}: {name}"


def put(value):
    """Write a value somewhere, as far as the array can hold it."""

    def change(array, rng):
        array = array.copy()
        if array.size:
            kind = array.dtype
            number = value
            if kind.kind in "iu":
                limits = np.iinfo(kind)
                number = max(limits.min, min(int(np.nan_to_num(value)), limits.max))
            with np.errstate(over="ignore"):
                array.flat[rng.integers(array.size)] = number
        return array

    return change


def exchanged(array, rng):
    array = array.copy()
    if array.size:
        one, two = rng.integers(array.size, size=2)
        array.flat[one], array.flat[two] = array.flat[two], array.flat[one]
    return array


CHANGES = {
    "a number out of range": put(1 << 30),
    "the largest number": put(1e300),
    "a negative number": put(-1),
    "the smallest number": put(-1e300),
    "no number": put(np.nan),
    "zero": put(0),
    "one more than there are": lambda array, rng: put(int(array.max(initial=0)) + 1)(array, rng),
    "two exchanged": exchanged,
    "wider": lambda array, _: array.astype(np.float64 if array.dtype.kind == "f" else np.int64),
    "narrower": lambda array, _: array.astype(np.float32 if array.dtype == np.float64 else np.int16),
    "another kind": lambda array, _: array.astype(np.int64 if array.dtype.kind == "f" else np.float64),
    "another byte order": lambda array, _: array.astype(array.dtype.newbyteorder(">")),
    "complex": lambda array, _: array.astype(np.complex64),
    "one less": lambda array, _: array[:-1],
    "one more": lambda array, _: np.concatenate([array, array[-1:]]) if array.ndim else array,
    "one dimension more": lambda array, _: array[None],
    "a number alone": lambda array, _: np.zeros((), array.dtype),
    "nothing": lambda array, _: array[:0],
    "the other way round": lambda array, _: array[::-1],
    "transposed": lambda array, _: array.T,
    "in another order of memory": lambda array, _: np.asfortranarray(array),
    "zeros": lambda array, _: np.zeros_like(array),
}
