"""Parallel text in every form that `as_bitext` takes, with stand-ins for the tables of other libraries."""

from collections import UserDict

import numpy as np

from cepts import bitext_from_pairs
from cepts.corpus.encoding import WORD

NAMED = {"source": "fr", "target": "en"}


class Column:
    """A column of values, as libraries of tables have them: `convert` makes a list of it."""

    def __init__(self, values, convert):
        self.values = values
        setattr(self, convert, lambda: list(values))

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)


class Table:
    """A table whose columns have names, `columns` or `column_names`."""

    def __init__(self, data, names="columns", convert="tolist"):
        self.data, self.convert = data, convert
        setattr(self, names, list(data))

    def __getitem__(self, name):
        return Column(self.data[name], self.convert)


def forms_of(source, target):
    """Return functions that give (arguments, named arguments), by the name of the form."""
    two = {"fr": source, "en": target}
    three = {"id": list(range(len(source))), **two}
    pairs = list(zip(source, target, strict=True))
    tokens = [WORD.findall(line) for line in source]
    nested = [{"fr": one, "en": other} for one, other in pairs]

    def rows():
        return ({"id": k, "fr": one, "en": other} for k, (one, other) in enumerate(pairs))

    return {
        "lists": lambda: ((source, target), {}),
        "lists by name": lambda: ((), {"source": source, "target": target}),
        "tuples": lambda: ((tuple(source), tuple(target)), {}),
        "generators": lambda: ((iter(source), (line for line in target)), {}),
        "arrays": lambda: ((np.array(source), np.array(target, object)), {}),
        "columns": lambda: ((Column(source, "to_list"), Column(target, "to_pylist")), {}),
        "lines with ends": lambda: (
            ([f"{line}\n" for line in source], [f"{line}\r\n" for line in target]),
            {},
        ),
        "tokens and text": lambda: ((tokens, target), {}),
        "arrays of tokens": lambda: (([np.array(words, str) for words in tokens], target), {}),
        "pairs": lambda: ((pairs,), {}),
        "a generator of pairs": lambda: ((iter(pairs),), {}),
        "pairs as lists": lambda: (([list(pair) for pair in pairs],), {}),
        "an array of pairs": lambda: ((np.array(pairs),), {}),
        "pairs of tokens and text": lambda: ((list(zip(tokens, target, strict=True)),), {}),
        "a table with two columns": lambda: ((Table(two),), {}),
        "a table with named columns": lambda: ((Table(three, convert="to_list"),), NAMED),
        "a table with usual names": lambda: (
            (Table({"n": three["id"], "target": target, "source": source}),),
            {},
        ),
        "a data set": lambda: ((Table(three, "column_names", "to_pylist"),), NAMED),
        "a data set of translations": lambda: (
            (Table({"id": three["id"], "translation": nested}, "column_names"),),
            NAMED,
        ),
        "rows": lambda: ((rows(),), NAMED),
        "rows of translations": lambda: (([{"translation": row} for row in nested],), NAMED),
        "a dict": lambda: ((two,), {}),
        "another mapping": lambda: ((UserDict(three),), NAMED),
        "a bitext": lambda: ((bitext_from_pairs(pairs),), {}),
    }
