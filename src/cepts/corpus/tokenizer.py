r"""A tokeniser for raw text in any script, by rules that need no knowledge of the language.

What makes a token:

- Words: letters with their marks and digits (`maison`, `naïve`, `mp3`). A middle dot between letters stays
  within (Catalan `col·lega`), and so do dots between single letters (`U.S.`, `e.g.`).
- Numbers keep `.` `,` `:` `/` between digits: `3.14`, `1,000`, `12:30`, `3/4`. Signs and units stand apart.
- Apostrophes between letters (`'` or `’`): an English ending (`'s 't 're 've 'll 'd 'm`) stays with its word
  (`don't`); otherwise a Latin beginning of one or two letters, or one that ends in `qu` or `ll`, is cut off
  with its apostrophe (`l'` `homme`, `jusqu'` `ici`, `dell'` `arte`), except `o'` (`o'clock`); all else stays
  together (`aujourd'hui`, `п'ять`). Any other apostrophe is a mark of its own.
- Hyphens and dashes stand apart, as parts of compounds translate apart: `vice` `-` `president`.
- Web and e-mail addresses stay whole, without the punctuation behind them.
- Punctuation and symbols are single tokens, except runs of the same mark (`...`, `--`). An emoji is one token
  with its joiners, skin tones and selectors; so is a flag.
- Han characters are single tokens; runs of Hiragana and of Katakana are tokens; Hangul goes by spaces.
- Thai, Lao, Khmer and Burmese, which do not mark words, are cut into written syllable parts: a letter with
  its marks, the vowel letters around it and what is stacked below it.

Whoever cuts text without spaces in another way (`segmenter.py`) asks for its runs whole: `Runs` says of which
scripts. A *unit* is what no cut goes through: a Han character or a Hiragana with its marks, a syllable part.

Combining marks never leave their base. White space is Unicode's, with the zero width space, the byte order
mark and the invisible marks of writing direction; it separates and belongs to no token.

The work is done on the *shape* of the line, the same line with each character replaced by a letter for its
class (punctuation stands for itself), on which one small regular expression finds the tokens.
"""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from itertools import pairwise

from cepts.checking import checked

INVISIBLE = "\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"

# Classes: a letter, d digit, m mark, j joiner, e symbol that stands alone, r half of a flag, h Han,
# i Hiragana, k Katakana, o lengthening of either; in South-East Asia t letter, v vowel before,
# w vowel behind, q stacker.
RANGES = (
    ("v", 0x0E40, 0x0E44), ("v", 0x0EC0, 0x0EC4),
    ("w", 0x0E30, 0x0E30), ("w", 0x0E32, 0x0E33), ("w", 0x0E45, 0x0E45), ("w", 0x0EB0, 0x0EB0),
    ("w", 0x0EB2, 0x0EB3), ("q", 0x1039, 0x1039), ("q", 0x17D2, 0x17D2),
    ("o", 0x30FC, 0x30FC), ("o", 0xFF70, 0xFF70), ("h", 0x3005, 0x3007),
    ("m", 0x1F3FB, 0x1F3FF), ("r", 0x1F1E6, 0x1F1FF), ("j", 0x200D, 0x200D),
)  # fmt: skip
LETTER_RANGES = (
    ("t", 0x0E00, 0x0EFF), ("t", 0x1000, 0x109F), ("t", 0x1780, 0x17FF), ("t", 0xA9E0, 0xA9FF),
    ("t", 0xAA60, 0xAA7F), ("i", 0x3041, 0x309F), ("k", 0x30A1, 0x30FF), ("k", 0x31F0, 0x31FF),
    ("k", 0xFF66, 0xFF9F), ("i", 0x1B001, 0x1B11F), ("i", 0x1B132, 0x1B152), ("k", 0x1B000, 0x1B000),
    ("k", 0x1B120, 0x1B131), ("k", 0x1B155, 0x1B167), ("k", 0x1AFF0, 0x1AFFF), ("h", 0x3400, 0x4DBF),
    ("h", 0x4E00, 0x9FFF), ("h", 0xF900, 0xFAFF), ("h", 0x20000, 0x3FFFF),
)  # fmt: skip


def _shape(code: int) -> str:
    """Return the class of a character, or the character itself where it is punctuation."""
    char = chr(code)
    if char.isspace() or char in INVISIBLE:
        return " "
    for name, first, last in RANGES:
        if first <= code <= last:
            return name
    category = unicodedata.category(char)
    if category[0] == "L":
        return next((name for name, first, last in LETTER_RANGES if first <= code <= last), "a")
    if category[0] == "M" or category == "Cf":
        return "m"
    if category[0] == "N":
        return "d" if category == "Nd" else "a"
    return char if category[0] == "P" or category in ("Sm", "Sc", "Sk") else "e"


class _Shapes(dict[int, str]):
    """The shapes of the characters seen so far."""

    def __missing__(self, code: int) -> str:
        shape = self[code] = _shape(code)
        return shape


SHAPES = _Shapes()

MARKS = "[mjq]*+"  # possessive: what has been taken as a mark is never given back
# Before a letter stand few vowels; where any number may, a line of nothing else would be read again from each.
SYLLABLE = rf"(?: v{{0,8}}+ t{MARKS} (?: (?<=q)t{MARKS} )*+ (?: w{MARKS} )*+ | [vw]{MARKS} )"


class Runs(Enum):
    """Which runs of text without spaces stay whole, as patterns of shapes; all others are as above."""

    NONE = rf"h{MARKS} | i[iomjq]*+ | [ko][komjq]*+ | {SYLLABLE}"
    SYLLABIC = rf"h{MARKS} | i[iomjq]*+ | [ko][komjq]*+ | {SYLLABLE}++"
    HAN = rf"h[hmjq]*+ | i[iomjq]*+ | [ko][komjq]*+ | {SYLLABLE}++"
    JAPANESE = rf"[hiko][hikomjq]*+ | {SYLLABLE}++"  # Han and kana in one


def _token(runs: Runs) -> re.Pattern[str]:
    """Make the regular expression of tokens."""
    return re.compile(
        rf"""
          a{MARKS} (?: \.a{MARKS}(?![ad]) )++ \.?+                           # U.S., e.g.
        | [ad][admjq]*+ (?: (?: (?<=d)[.,:/](?=d) | (?<!d)['’·](?=a) | (?<=d)['’](?=a) ) [admjq]*+ )*+
        | {runs.value}
        | rr?+{MARKS}
        | (?: e | ([^ a-z])\1*+ ){MARKS} (?: (?<=j)e{MARKS} )*+              # punctuation, emoji
        | [mjq]++
        """,
        re.VERBOSE,
    )


TOKENS = {runs: _token(runs) for runs in Runs}
UNIT = re.compile(rf"i[omjq]*+ | {SYLLABLE} | .{MARKS}", re.VERBOSE)

ADDRESS_HINT = re.compile(r"://|www\.|@", re.IGNORECASE)
ADDRESS = re.compile(
    r"""
      (?<!\w)(?:https?://|ftp://|www\.) [\wÀ-ɏ.~:/?\#\[\]@!$&'()*+,;=%-]* [\wÀ-ɏ/=&\#%~+-]
    | (?<![\w.%+-]) [\w.%+-]++ @ [a-z0-9-]++ (?:\.[a-z0-9-]++)++
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)

APOSTROPHE = re.compile("['’]")
ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "d", "m"))
ELIDED = re.compile(r"(?!o$)(?:[a-zà-öø-ɏ]{1,2}|[a-zà-öø-ɏ]*+(?<=qu|ll))")


@checked
def tokenize(line: str, runs: Runs = Runs.NONE) -> list[tuple[int, int]]:
    """Return where each token of a line begins and ends, counted in characters (code points) from 0.

    >>> line = "L'homme n'a pas payé 3,50 $..."
    >>> [line[start:end] for start, end in tokenize(line)]
    ["L'", 'homme', "n'", 'a', 'pas', 'payé', '3,50', '$', '...']
    """
    shape = line.translate(SHAPES)
    pattern = TOKENS[runs]
    if not ADDRESS_HINT.search(line):
        return _tokens(pattern, line, shape, 0, len(line))
    spans: list[tuple[int, int]] = []
    position = 0
    for address in ADDRESS.finditer(line):
        start, end = address.span()
        while end < len(line) and shape[end] in "mjq":
            end += 1
        spans += _tokens(pattern, line, shape, position, start)
        spans.append((start, end))
        position = end
    return spans + _tokens(pattern, line, shape, position, len(line))


def unit_ends(run: str) -> list[int]:
    """Return where the units of a run end.

    >>> unit_ends("らーめん"), unit_ends("ภาษาไทย")
    ([2, 3, 4], [2, 4, 6, 7])
    """
    return [match.end() for match in UNIT.finditer(run.translate(SHAPES))]


def _tokens(pattern: re.Pattern[str], line: str, shape: str, start: int, end: int) -> list[tuple[int, int]]:
    """Find the tokens of a stretch of a line without addresses."""
    spans = [match.span() for match in pattern.finditer(shape, start, end)]
    if "'" in line or "’" in line:
        return [part for start, end in spans for part in _cut_elisions(line, start, end)]
    return spans


def _cut_elisions(line: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut a word behind the apostrophe of each elided beginning."""
    spans = []
    begin = position = start
    for left, right in pairwise(APOSTROPHE.split(line[start:end])):
        whole = begin == position  # nothing that stayed together stands before
        position += len(left) + 1
        if whole and ELIDED.fullmatch(left.lower()) and right.lower() not in ENDINGS:
            spans.append((begin, position))
            begin = position
    spans.append((begin, end))
    return spans
