"""`TextOptions`: how lines become words; what a model must know of it to read more text alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cepts.checking import checked, refusing
from cepts.corpus.segmenter import Segmenter, Segmenters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cepts.corpus.bitext import Bitext

Tokenize = bool | Literal["auto"] | None
PLAIN = "text"  # the format of plain text
BEFORE = "characters"  # the segmenter of models that do not name one


@checked
class TextOptions(NamedTuple):
    """How lines become words, and whether links are then wanted of the words between spaces.

    `tokenize` may be left open (see `read_bitext`) until a bitext has been read.
    """

    tokenize: Tokenize = False
    keep_case: bool = False
    segmenter: Segmenters = Segmenters()
    to_whitespace: bool = False

    def after(self, bitext: Bitext) -> TextOptions:
        """Return the options with what was decided and learned when a bitext was read."""
        source, target = bitext.source.segmenter, bitext.target.segmenter
        tokenized = source is not None and target is not None
        decided = self if isinstance(self.tokenize, bool) else self._replace(tokenize=tokenized)
        if not decided.tokenize or source is None or target is None:
            return decided if decided.tokenize else decided.of_words()
        to_whitespace = self.to_whitespace or bitext.found_raw == PLAIN
        return decided._replace(segmenter=Segmenters(source, target), to_whitespace=to_whitespace)

    def of_words(self) -> TextOptions:
        """Return what words depend on, without a wish for links."""
        return self._replace(to_whitespace=False)

    def of_side(self, source: bool) -> dict[str, Any]:
        """Return what `read_side` takes."""
        segmenter = self.segmenter.source if source else self.segmenter.target
        return {"tokenize": self.tokenize, "keep_case": self.keep_case, "segmenter": segmenter}

    def described(self) -> dict[str, Any]:
        """Return all of it as what JSON can hold."""
        said: dict[str, Any] = {"tokenize": self.tokenize, "keep_case": self.keep_case}
        if self.tokenize:
            said["segmenter"] = [side.described() for side in self.segmenter]
        if self.to_whitespace:
            said["to_whitespace"] = True
        return said

    @classmethod
    def of_description(cls, found: Mapping[str, Any]) -> TextOptions:
        """Make again what was described; refuse what does not fit."""
        with refusing("the description of a text"):
            tokenize, keep_case = bool(found["tokenize"]), bool(found["keep_case"])
            if not tokenize:
                return cls(False, keep_case)
            if "segmenter" not in found:
                return cls(True, keep_case, Segmenters(Segmenter(BEFORE), Segmenter(BEFORE)))
            source, target = (Segmenter.of_description(side) for side in found["segmenter"])
            return cls(True, keep_case, Segmenters(source, target), found.get("to_whitespace") is True)
