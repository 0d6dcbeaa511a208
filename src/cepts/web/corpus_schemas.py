"""What goes over the wire about a corpus."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from cepts.web.schemas import WHOLE, Answer, ConfidentLink, Failure, Question, Text

MOST_LINKS = 200_000  # of one pair
MOST_ITEMS = 500
MOST = 2**31 - 1  # of what counts pairs, words or versions
FormatName = Literal[
    "pharaoh", "pharaoh-scores", "naacl", "talp", "giza", "jsonl", "tsv", "marian", "tmx", "xliff"
]
Kind = Annotated[Literal["S", "P"], Field(description="Sure or possible.")]
Place = Annotated[StrictInt, Field(ge=0, le=MOST), WHOLE]
MarkedLink = Annotated[tuple[Place, Place, Kind], Field(strict=False)]  # JSON has lists for tuples
Number = Annotated[float, Field(allow_inf_nan=False)]
Words = Annotated[int, Field(ge=0, le=MOST)]


class CorpusQuestion(BaseModel):
    """Which pairs are wanted, in which order."""

    model_config = ConfigDict(extra="forbid")

    order: Literal["worst", "best", "line", "longest"] = Field(
        "worst",
        description="Worst: by error against gold, falling, where there is gold; then by score, rising.",
    )
    word: str = Field(
        "", max_length=1000, description="All these words, each on either side, whole and in any case."
    )
    min_score: Number | None = None
    max_score: Number | None = None
    min_words: Words | None = Field(None, description="Of the longer side.")
    max_words: Words | None = Field(None, description="Of the longer side.")
    show: Literal["all", "corrected", "uncorrected", "different"] = "all"
    offset: Annotated[int, Field(ge=0, le=MOST)] = 0
    limit: Annotated[int, Field(ge=0, le=MOST_ITEMS)] = 50


class ExportQuestion(BaseModel):
    """Which links are wanted, in which format."""

    model_config = ConfigDict(extra="forbid")

    what: Literal["corrections", "all"] = Field(
        "corrections",
        description="Links of corrected pairs alone, or of all, the main ones where uncorrected.",
    )
    format: FormatName = "pharaoh"


class TakeBackQuestion(BaseModel):
    """Which version of a correction is taken back."""

    model_config = ConfigDict(extra="forbid")

    version: Annotated[int, Field(ge=0, le=MOST)]


class CorrectionQuestion(Question):
    """The links of a pair as they should be."""

    links: list[MarkedLink] = Field(
        max_length=MOST_LINKS, description="[source, target, S or P]; words from 0."
    )
    version: Place = Field(description="The version that was corrected; 0 for none.")
    by: Annotated[Text, Field(max_length=100)] = ""


class CorrectionAnswer(Answer):
    """A correction that is there."""

    links: list[MarkedLink]
    version: int
    by: str
    saved: str


class CorpusItem(Answer):
    """A pair in a list."""

    line: int
    source: str
    target: str
    score: float | None
    links: int
    aer: float | None = Field(description="Against gold, or against the correction where there is no gold.")
    different: int | None = Field(description="Links that differ between both alignments, or from gold.")
    corrected: bool


class CorpusAnswer(Answer):
    """Some of the pairs that were found."""

    pairs: int
    matching: int
    offset: int
    items: list[CorpusItem]


class Neighbours(Answer):
    """The lines before and after."""

    previous: int | None
    next: int | None


class PairAnswer(Answer):
    """All that there is to see of a pair."""

    line: int
    pairs: int
    source_words: list[str]
    target_words: list[str]
    score: float | None
    alignments: dict[str, list[ConfidentLink]]
    gold: list[MarkedLink] | None
    correction: CorrectionAnswer | None
    version: int
    aer: dict[str, float] | None
    neighbours: Neighbours


class SavedAnswer(Answer):
    """A correction was saved."""

    line: int
    version: int
    saved: str


class TakenBackAnswer(Answer):
    """A correction was taken back."""

    line: int
    version: int


class Conflict(Failure):
    """Somebody else was faster: what is there now, and its version."""

    current: CorrectionAnswer | None
    version: int
