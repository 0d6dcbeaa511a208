"""`Finished`: a trained model without its text, ready for any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cepts.words.biword import Bi1, BiHmm, BiWord
from cepts.words.forgetful import ForgetfulHmm
from cepts.words.hmm import Hmm
from cepts.words.ibm1 import Ibm1
from cepts.words.pairs import known_pairs, table_for_text

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.words.indexed import IndexedBitext
    from cepts.words.jumps import Jumps
    from cepts.words.lexicon import Lexicon, Vocabularies
    from cepts.words.model import WordModel
    from cepts.words.pairs import Distances, KnownPairs


class Doubles(NamedTuple):
    """What a bi-word model knows beyond a mono-word model: pairs and distances of each direction."""

    pairs: tuple[KnownPairs | None, KnownPairs | None]
    distances: tuple[Distances, Distances]


@dataclass(frozen=True, eq=False)
class Finished:
    """The parameters of a trained model; an IBM-1 has no jumps, a mono-word model no doubles.

    `remembers` tells which kind of NULL an HMM has.
    """

    lexicon: Lexicon
    null: float | None = None
    jumps: tuple[Jumps, Jumps] | None = None
    doubles: Doubles | None = None
    remembers: bool = True

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
        heads = model.heads if isinstance(model, BiWord) else model
        jumps = heads.jumps if isinstance(heads, Hmm) else None
        null = heads.null if isinstance(heads, Ibm1) else None
        remembers = heads.remembers if isinstance(heads, Hmm) else True
        return cls(model.lexicon.pruned(), null, jumps, doubles, remembers)

    def for_text(
        self, bitext: Bitext, indexed: IndexedBitext, text: Vocabularies, known: Vocabularies
    ) -> WordModel:
        """Return the model of a text: `text` are its words, `known` those that the model was trained on."""
        lexicon = self.lexicon.for_text(indexed, text, known)
        chain = Hmm if self.remembers else ForgetfulHmm
        heads = (
            Ibm1(lexicon, self.null) if self.jumps is None else chain(lexicon, self.jumps, indexed.longest)
        )
        if self.doubles is None:
            return heads
        forward, reverse = (
            None if pairs is None else table_for_text(pairs, bitext, indexed, way, text, known)
            for way, pairs in enumerate(self.doubles.pairs)
        )
        kind = Bi1 if self.jumps is None else BiHmm
        return kind.of(heads, indexed, (forward, reverse), self.doubles.distances)
