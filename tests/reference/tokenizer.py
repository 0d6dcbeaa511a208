"""The tokeniser, slow and obvious: one character after the other, classes by Unicode's character names.

Web and e-mail addresses are left out; lines that hold any are not for this twin.
"""

import unicodedata

MARKS = ("mark", "joiner", "stacker")
STACKERS = ("KHMER SIGN COENG", "MYANMAR SIGN VIRAMA")
INVISIBLE = ("ZERO WIDTH SPACE", "ZERO WIDTH NO-BREAK SPACE", "ARABIC LETTER MARK")
DIRECTIONS = ("LEFT-TO-RIGHT", "RIGHT-TO-LEFT", "FIRST STRONG", "POP DIRECTIONAL")
VOWELS_BEFORE = "เแโใไເແໂໃໄ"
VOWELS_BEHIND = "ะาำๅະາຳ"
SYLLABIC = ("THAI ", "LAO ", "KHMER ", "MYANMAR ")


def kind(char: str) -> str:
    name, category = unicodedata.name(char, ""), unicodedata.category(char)
    if char.isspace() or name in INVISIBLE or (category == "Cf" and name.startswith(DIRECTIONS)):
        return "space"
    if name == "ZERO WIDTH JOINER":
        return "joiner"
    if name in STACKERS:
        return "stacker"
    if category.startswith("M") or category == "Cf" or name.startswith("EMOJI MODIFIER"):
        return "mark"
    if name.startswith("REGIONAL INDICATOR SYMBOL"):
        return "flag half"
    if char in "々〆〇" or (category == "Lo" and name.startswith("CJK ")):
        return "han"
    if category.startswith("L"):
        return letter_kind(char, name)
    if category.startswith("N"):
        return "digit" if category == "Nd" else "letter"
    return "punctuation" if category.startswith("P") or category in ("Sm", "Sc", "Sk") else "symbol"


def letter_kind(char: str, name: str) -> str:
    if char in "ーｰ":
        return "lengthening"
    if char in VOWELS_BEFORE:
        return "vowel before"
    if char in VOWELS_BEHIND:
        return "vowel behind"
    if name.startswith(SYLLABIC):
        return "syllabic"
    for script in ("hiragana", "katakana", "hentaigana"):
        if name.startswith((script.upper(), "HALFWIDTH " + script.upper())):
            return "katakana" if script == "katakana" else "hiragana"
    return "letter"


class Scanner:
    def __init__(self, line: str) -> None:
        self.line = line
        self.kinds = [kind(char) for char in line] + ["end", "end", "end"]

    def skip(self, at: int, kinds: tuple[str, ...]) -> int:
        while self.kinds[at] in kinds:
            at += 1
        return at

    def char(self, at: int) -> str:
        return self.line[at : at + 1]

    def token_end(self, at: int) -> int:
        first = self.kinds[at]
        if first in ("letter", "digit"):
            return self.abbreviation_end(at) or self.word_end(at)
        if first in ("hiragana", "katakana", "lengthening"):
            script = "hiragana" if first == "hiragana" else "katakana"
            return self.skip(at, (script, "lengthening", *MARKS))
        if first in ("syllabic", "vowel before"):
            return self.syllable_end(at)
        if first in ("punctuation", "symbol"):
            return self.symbol_end(at)
        if first == "flag half" and self.kinds[at + 1] == "flag half":
            return self.skip(at + 2, MARKS)
        return self.skip(at + 1, MARKS)

    def abbreviation_end(self, at: int) -> int:
        """Find the end of single letters with dots between them; 0 if there are not at least two."""
        if self.kinds[at] != "letter":
            return 0
        end = self.skip(at + 1, MARKS)
        letters = 1
        while self.char(end) == "." and self.kinds[end + 1] == "letter":
            behind = self.skip(end + 2, MARKS)
            if self.kinds[behind] in ("letter", "digit"):
                break
            end = behind
            letters += 1
        if letters == 1:
            return 0
        return end + 1 if self.char(end) == "." else end

    def word_end(self, at: int) -> int:
        end = self.skip(at, ("letter", "digit", *MARKS))
        inner, before, behind = self.char(end), self.kinds[end - 1], self.kinds[end + 1]
        if inner and inner in ".,:/" and before == behind == "digit":
            return self.word_end(end + 1)
        if inner and inner in "'’" and behind == "letter":
            return self.word_end(end + 1)
        if inner == "·" and before != "digit" and behind == "letter":
            return self.word_end(end + 1)
        return end

    def syllable_end(self, at: int) -> int:
        base = self.skip(at, ("vowel before",))
        if self.kinds[base] != "syllabic":
            return self.skip(at + 1, MARKS)
        end = self.skip(base + 1, MARKS)
        while self.kinds[end - 1] == "stacker" and self.kinds[end] == "syllabic":
            end = self.skip(end + 1, MARKS)
        while self.kinds[end] == "vowel behind":
            end = self.skip(end + 1, MARKS)
        return end

    def symbol_end(self, at: int) -> int:
        end = at + 1
        while self.kinds[at] == "punctuation" and self.char(end) == self.line[at]:
            end += 1
        end = self.skip(end, MARKS)
        while self.kinds[end - 1] == "joiner" and self.kinds[end] == "symbol":
            end = self.skip(end + 1, MARKS)
        return end


def is_elided(text: str) -> bool:
    text = text.lower()
    latin = all("a" <= char <= "z" or ("à" <= char <= "ɏ" and char != "÷") for char in text)
    return latin and text != "o" and (len(text) in (1, 2) or text.endswith(("qu", "ll")))


def cut_elision(token: str) -> int:
    """Return how long the elided beginning of a word is, with its apostrophe; 0 if there is none."""
    places = [k for k, char in enumerate(token) if char in "'’"]
    if not places or not is_elided(token[: places[0]]):
        return 0
    ending = token[places[0] + 1 : places[1] if len(places) > 1 else len(token)]
    return 0 if ending.lower() in ("s", "t", "re", "ve", "ll", "d", "m") else places[0] + 1


def tokenize(line: str) -> list[tuple[int, int]]:
    scanner = Scanner(line)
    spans = []
    at = 0
    while at < len(line):
        if scanner.kinds[at] == "space":
            at += 1
            continue
        end = scanner.token_end(at)
        while cut := cut_elision(line[at:end]):
            spans.append((at, at + cut))
            at += cut
        if at < end:
            spans.append((at, end))
        at = end
    return spans
