"""`Finished`: a trained model without its text, ready for any other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words.biword import Bi1, BiHmm, BiWord
from cepts.words.classes import classes_of, count_classes, usual_class
from cepts.words.fertility import FertilityModel
from cepts.words.forgetful import ForgetfulHmm
from cepts.words.hmm import Hmm
from cepts.words.ibm1 import Ibm1
from cepts.words.pairs import known_pairs, table_for_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.classes import Classes
    from cepts.words.fertility import Fertilities
    from cepts.words.indexed import IndexedBitext
    from cepts.words.jumps import Jumps
    from cepts.words.lexicon import Lexicon, Vocabularies
    from cepts.words.model import WordModel
    from cepts.words.pairs import Distances, KnownPairs


class Fertile(NamedTuple):
    """What a fertility model knows beyond the HMM: parameters of each direction, classes of each side's words."""

    parameters: tuple[Fertilities, Fertilities]
    classes: Classes
    kind: type[FertilityModel]

    def for_words(self, maps: tuple[NDArray[np.int32], NDArray[np.int32]]) -> Fertile:
        """Return the same for other words; `maps` lead from their numbers to ours, both from 1, or to -1."""
        source, target = (
            classes_of(part[1:], classes, usual_class(classes))
            for part, classes in zip(maps, self.classes, strict=True)
        )
        forward, reverse = (
            one._replace(fertility=rows_of(part[1:], one.fertility))
            for part, one in zip(maps, self.parameters, strict=True)
        )
        return Fertile((forward, reverse), (source, target), self.kind)


def rows_of(known: NDArray[np.int32], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Look up the rows of words, from 1; new ones, -1, have the mean of all rows.

    >>> rows_of(np.array([2, -1]), np.array([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    found: NDArray[np.float64] = np.where((known > 0)[:, None], rows[known - 1], rows.mean(axis=0))
    return found


class Doubles(NamedTuple):
    """What a bi-word model knows beyond a mono-word model: pairs and distances of each direction."""

    pairs: tuple[KnownPairs | None, KnownPairs | None]
    distances: tuple[Distances, Distances]


@dataclass(frozen=True, eq=False)
class Finished:
    """The parameters of a trained model; an IBM-1 has no jumps, a mono-word model no doubles.

    `remembers` tells which kind of NULL an HMM has, `classes` in which class each word is where jumps depend on that.
    """

    lexicon: Lexicon
    null: float | None = None
    jumps: tuple[Jumps, Jumps] | None = None
    doubles: Doubles | None = None
    remembers: bool = True
    fertile: Fertile | None = None
    classes: Classes | None = None

    @classmethod
    def of(cls, model: WordModel, bitext: Bitext, indexed: IndexedBitext) -> Finished:
        """Take from a model that was trained on a bitext what matters for others."""
        doubles = None
        if isinstance(model, BiWord):
            forward, reverse = (
                None if table is None else known_pairs(table, bitext, indexed, way)
                for way, table in enumerate(model.pairs)
            )
            doubles = Doubles((forward, reverse), model.distances)
        fertile = None
        if isinstance(model, FertilityModel):
            fertile = Fertile(model.parameters, model.classes, type(model))
        heads = model.heads if isinstance(model, BiWord | FertilityModel) else model
        jumps = heads.jumps if isinstance(heads, Hmm) else None
        null = heads.null if isinstance(heads, Ibm1) else None
        remembers = heads.remembers if isinstance(heads, Hmm) else True
        classes = heads.classes if isinstance(heads, Hmm) else None
        return cls(model.lexicon.pruned(), null, jumps, doubles, remembers, fertile, classes)

    @cached_property
    def _usual_classes(self) -> tuple[int, ...]:
        """Where new words of either side belong: looked for once, not for each text."""
        return () if self.classes is None else tuple(map(usual_class, self.classes))

    def for_text(
        self, bitext: Bitext, indexed: IndexedBitext, text: Vocabularies, known: Vocabularies
    ) -> WordModel:
        """Return the model of a text: `text` are its words, `known` those that the model was trained on."""
        lexicon = self.lexicon.for_text(indexed, text, known)
        chain = Hmm if self.remembers else ForgetfulHmm
        heads = (
            Ibm1(lexicon, self.null) if self.jumps is None else chain(lexicon, self.jumps, indexed.longest)
        )
        if self.classes is not None and isinstance(heads, Hmm):
            source, target = (
                classes_of(part[1:], classes, usual)
                for part, classes, usual in zip(
                    known.maps_of(text), self.classes, self._usual_classes, strict=True
                )
            )
            heads = heads.of_classes((source, target), bitext, indexed)
        if self.fertile is not None and isinstance(heads, Hmm):
            fertile = self.fertile.for_words(known.maps_of(text))
            kinds = count_classes(self.fertile.classes)  # the text may lack some
            return fertile.kind.of(heads, bitext, indexed, fertile.classes, fertile.parameters, kinds)
        if self.doubles is None:
            return heads
        forward, reverse = (
            None if pairs is None else table_for_text(pairs, bitext, indexed, way, text, known)
            for way, pairs in enumerate(self.doubles.pairs)
        )
        kind = Bi1 if self.jumps is None else BiHmm
        return kind.of(heads, indexed, (forward, reverse), self.doubles.distances)
