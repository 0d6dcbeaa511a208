"""Why an edit model thinks so: the edits between two strings with their weights, and the largest weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.characters.affinity_kernels import DELETE, INSERT, best_edits
from cepts.characters.letters import BITS, BOUNDARY
from cepts.characters.table_kernels import AFTER, BEFORE, TARGET
from cepts.characters.weights import gram_of_parts, key_of_parts, parts_of_gram, parts_of_key
from cepts.checking import checked
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.characters.letters import Alphabet
    from cepts.characters.table_kernels import Table
    from cepts.characters.weights import Weights

NOTHING, NO_GRAM, STRANGER = "ε", "∅", "?"
MOST_CELLS = 10**8  # of the table of two strings whose edits are asked for


@checked
class Feature(NamedTuple):
    """A gram beside an edit, as in the paper: `s,it_` stands before the source's cursor, `s,_in` behind it.

    `t,TR_` stands before the target's cursor, and `∅` is the empty gram. `<b>` and `<e>` are the ends of a string.
    """

    name: str
    weight: float


@checked
class Edit(NamedTuple):
    """An edit: what it takes and gives (`ε`: nothing), at which cursors, its score, and what that is the sum of."""

    source: str
    target: str
    source_cursor: int
    target_cursor: int
    score: float
    features: list[Feature]


@checked
class Weight(NamedTuple):
    """A weight of a model: an edit beside a gram."""

    source: str
    target: str
    feature: str
    weight: float


class Reader:
    """Puts what weights say into words."""

    def __init__(
        self, weights: Weights, order: int, source_alphabet: Alphabet, target_alphabet: Alphabet
    ) -> None:
        self._weights, self._order = weights, order
        self._sources, self._targets = source_alphabet, target_alphabet

    def edits(self, table: Table, source: str, target: str) -> list[Edit]:
        """Return the best edits that turn a string into another one, from the start."""
        if (len(source) + 1) * (len(target) + 1) > MOST_CELLS:
            raise OptionError(
                f"strings of {len(source)} and {len(target)} letters are too long to explain:"
                f" their lengths may multiply to {MOST_CELLS:,}"
            )
        one, other = self._sources.encode([source]), self._targets.encode([target])
        rows = np.zeros((len(source) + len(target), 3), np.int32)
        count = best_edits(table, self._order, one, other, rows)
        steps = rows[:count][::-1].tolist()
        numbers = one.letters.tolist(), other.letters.tolist()
        return [self._edit((source, target), numbers, *step) for step in steps]

    def largest(self, count: int, source: str | None = None) -> list[Weight]:
        """Return the weights of largest magnitude, of edits of one source letter if given (``""``: of insertions)."""
        plain, _, _, keys, values = self._weights
        if source is not None and len(source) > 1:
            raise OptionError(f"give one letter, got {source!r}")
        if source is None:
            rows, chosen = np.arange(len(plain)), np.arange(len(keys))
        else:
            letter = int(self._sources.encode([source]).letters[0]) if source else 0
            rows, chosen = np.array([letter]), np.flatnonzero(keys >> (32 + BITS) == letter)
        flat = plain[rows].ravel()
        both = np.concatenate([flat, values[chosen]])
        first = np.argsort(-np.abs(both), kind="stable")[:count].tolist()
        width = plain.shape[1]
        return [
            self._weight_of_edit(int(rows[n // width]), n % width)
            if n < len(flat)
            else self._weight_beside_gram(int(chosen[n - len(flat)]))
            for n in first
            if both[n] != 0
        ]

    def _weight_of_edit(self, source: int, target: int) -> Weight:
        return Weight(*self._letters(source, target), NO_GRAM, float(self._weights.plain[source, target]))

    def _weight_beside_gram(self, at: int) -> Weight:
        source, target, gram = parts_of_key(int(self._weights.keys[at]))
        name = self._name(int(self._weights.grams[gram]))
        return Weight(*self._letters(source, target), name, float(self._weights.values[at]))

    def _letters(self, source: int, target: int) -> tuple[str, str]:
        def show(alphabet: Alphabet, number: int) -> str:
            return NOTHING if number == BOUNDARY else alphabet.letter(number) or STRANGER

        return show(self._sources, source), show(self._targets, target)

    def _edit(
        self, texts: tuple[str, str], numbers: tuple[list[int], list[int]], step: int, i: int, j: int
    ) -> Edit:
        source, target = (0 if step == INSERT else numbers[0][i]), (0 if step == DELETE else numbers[1][j])
        features = [Feature(NO_GRAM, float(self._weights.plain[source, target]))]
        for gram in self._grams_at(numbers, i, j):
            weight = self._weight(source, target, gram)
            if weight != 0:
                features.append(Feature(self._name(gram), weight))
        return Edit(
            NOTHING if step == INSERT else texts[0][i],
            NOTHING if step == DELETE else texts[1][j],
            i,
            j,
            sum(feature.weight for feature in features),
            features,
        )

    def _grams_at(self, numbers: tuple[list[int], list[int]], i: int, j: int) -> list[int]:
        """List the keys of the grams at two cursors."""
        source, target = ([BOUNDARY, *side, BOUNDARY] for side in numbers)
        sizes = range(1, self._order + 1)
        before = [gram_of_parts(BEFORE, source[i + 1 - n : i + 1]) for n in sizes if n <= i + 1]
        after = [gram_of_parts(AFTER, source[i + 1 : i + 1 + n]) for n in sizes if i + n < len(source)]
        return (
            before + after + [gram_of_parts(TARGET, target[j + 1 - n : j + 1]) for n in sizes if n <= j + 1]
        )

    def _weight(self, source: int, target: int, gram: int) -> float:
        """Return the weight of an edit beside a gram; 0 if it has none."""
        _, _, grams, keys, values = self._weights
        number = int(np.searchsorted(grams, gram))
        if number == len(grams) or grams[number] != gram:
            return 0.0
        key = key_of_parts(source, target, number)
        at = int(np.searchsorted(keys, key))
        return float(values[at]) if at < len(keys) and keys[at] == key else 0.0

    def _name(self, gram: int) -> str:
        kind, letters = parts_of_gram(gram)
        alphabet = self._targets if kind == TARGET else self._sources
        shown = [
            self._boundary(kind, at) if n == BOUNDARY else alphabet.letter(n) or STRANGER
            for at, n in enumerate(letters)
        ]
        text = "".join(shown)
        return f"s,_{text}" if kind == AFTER else f"{'t' if kind == TARGET else 's'},{text}_"

    @staticmethod
    def _boundary(kind: int, at: int) -> str:
        return "<e>" if kind == AFTER else "<b>" if at == 0 else "<e>"
