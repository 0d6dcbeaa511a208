"""`Segmenter`: how text in scripts without spaces is cut into words, by name, and what it has learned.

- `auto`: Han characters one by one; Hiragana, Thai, Lao, Khmer and Burmese by pieces learned from the text itself.
  On Chinese-English, single characters were aligned better than all words tried (experiments/segmentation.py).
- `characters`: nothing is learned; `cepts.tokenize` alone.
- `learned`: learned pieces of Han characters, too.
- `jieba`, `sudachi`: words of a Chinese, of a Japanese dictionary (the extra `segment`); the rest as with `auto`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.checking import checked, refusing
from cepts.corpus.dictionaries import DICTIONARIES, dictionary
from cepts.corpus.pieces import Pieces
from cepts.corpus.tokenizer import SHAPES, Runs, unit_ends
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# For each name, what runs stay whole at first, and by the shape of its first character how a run is cut then.
LEARNED = "learned"
SYLLABIC = dict.fromkeys("itvw", LEARNED)
RULES: dict[str, tuple[Runs, dict[str, str]]] = {
    "auto": (Runs.SYLLABIC, SYLLABIC),
    "characters": (Runs.NONE, {}),
    "learned": (Runs.HAN, {**SYLLABIC, "h": LEARNED}),
    "jieba": (Runs.HAN, {**SYLLABIC, "h": "jieba"}),
    "sudachi": (Runs.JAPANESE, {**SYLLABIC, **dict.fromkeys("hiko", "sudachi")}),
}
NAMES = tuple(RULES)


@checked
@dataclass(frozen=True)
class Segmenter:
    """How one language is cut; `pieces` is None before anything was learned."""

    name: str = "auto"
    pieces: Pieces | None = None

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise OptionError(f"segmenter {self.name!r} is unknown; expected one of {', '.join(NAMES)}")
        if self.name in DICTIONARIES:
            dictionary(self.name)  # refuses now what is not installed

    @property
    def runs(self) -> Runs:
        """What the tokeniser leaves whole."""
        return RULES[self.name][0]

    def rules(self, words: Sequence[str]) -> dict[int, str]:
        """Say which of these tokens are to be cut, by their numbers, and how: as learned, or by which dictionary."""
        rule_of = RULES[self.name][1]
        if not rule_of:
            return {}
        found = [rule_of.get(SHAPES[ord(word[0])]) for word in words]
        return {number: rule for number, rule in enumerate(found) if rule is not None}

    def cut(self, run: str, rule: str) -> list[int]:
        """Return where the words end that a run is made of."""
        if rule == LEARNED:
            return (self.pieces or Pieces({})).cut(run)
        if rule not in DICTIONARIES:
            known = ", ".join([LEARNED, *DICTIONARIES])
            raise OptionError(f"rule {rule!r}: expected one of {known}")
        return _at_units(run, dictionary(rule)(run))

    def taught(self, runs: Mapping[str, int]) -> Segmenter:
        """Return a segmenter that has learned from runs, and how often each is there, unless it had before."""
        if self.pieces is not None:
            return self
        if not runs:
            return replace(self, pieces=Pieces({}))
        from cepts.corpus.piece_learning import learn_pieces  # late: most texts have spaces

        return replace(self, pieces=learn_pieces(list(runs), list(runs.values())))

    def described(self) -> dict[str, Any]:
        """Return all of it as what JSON can hold."""
        return {"name": self.name, "pieces": None if self.pieces is None else self.pieces.scores}

    @classmethod
    def of_description(cls, found: Mapping[str, Any]) -> Segmenter:
        """Make again what was described; refuse what does not fit."""
        with refusing("the description of a segmenter"):
            name, scores = str(found["name"]), found["pieces"]
            if scores is None:
                return cls(name)
            if not isinstance(scores, dict) or not all(_is_score(piece, scores[piece]) for piece in scores):
                raise ValueError("its pieces of words are none")
            return cls(name, Pieces({piece: float(score) for piece, score in scores.items()}))


def _is_score(piece: str, score: object) -> bool:
    return bool(piece) and isinstance(score, int | float) and -1e6 < score <= 0


def _at_units(word: str, lengths: Sequence[int]) -> list[int]:
    """Return the ends of words of these lengths, but for those within a unit: a mark stays with its base."""
    ends, end = set(), 0
    for length in lengths:
        end += length
        ends.add(end)
    units = unit_ends(word)
    return [end for end in units[:-1] if end in ends] + units[-1:]


@checked
class Segmenters(NamedTuple):
    """How each side of a bitext is cut."""

    source: Segmenter = Segmenter()
    target: Segmenter = Segmenter()

    @property
    def name(self) -> str:
        """What an option calls them."""
        names = [side.name for side in self]
        return names[0] if names[0] == names[1] else ",".join(names)


def segmenters(given: str | Segmenters) -> Segmenters:
    """Read one name for both sides, or two with a comma between them.

    >>> segmenters("learned,auto").target.name
    'auto'
    """
    if isinstance(given, Segmenters):
        return given
    names = [name.strip() for name in given.split(",")]
    if len(names) > 2:
        raise OptionError(f"segmenter {given!r}: expected a name, or two with a comma, for source and target")
    return Segmenters(Segmenter(names[0]), Segmenter(names[-1]))
