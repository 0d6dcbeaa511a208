"""How subwords are marked: which pieces begin a word, and what a line of pieces says without the marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CONTINUES, BEGINS, BLANK, ENDS = 0, 1, 2, 3
LINES_LOOKED_AT = 1000


def _byte_letters() -> dict[int, int]:
    """Map the letters that byte-level BPE writes for bytes to the bytes: printable ones stand for themselves."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: byte for byte in plain} | {0x100 + n: byte for n, byte in enumerate(others)}


BYTES = _byte_letters()
SPACE = "Ġ"  # the letter of the space's byte


class Markers(NamedTuple):
    """One way to mark subwords.

    `kind` says whether a piece BEGINS a word or CONTINUES one, is a BLANK mark without letters, or, where marks
    stand at ends, leaves the word open (CONTINUES) or ENDS it. `bare` is a piece without its mark, `joined` a line.
    """

    kind: Callable[[str], int]
    bare: Callable[[str], str]
    joined: Callable[[str], str]


def _prefixed(mark: str) -> Callable[[str], int]:
    """Tell kinds of pieces whose mark stands before the first one of a word."""
    return lambda piece: CONTINUES if not piece.startswith(mark) else BEGINS if piece.strip(mark) else BLANK


def _bytes_as_text(piece: str) -> str:
    """Return the bytes that a piece of letters for bytes stands for, each as one character.

    >>> _bytes_as_text("Ã©Ġa")
    'Ã© a'
    """
    return piece.translate(BYTES)


def _decoded(line: str) -> str:
    """Return a line of byte-level pieces as the text that its bytes say."""
    text = _bytes_as_text(line.replace(" ", ""))
    try:
        return text.encode("latin-1").decode("utf-8", "replace")
    except UnicodeEncodeError:  # letters that stand for no byte
        return text


MARKERS = {
    "sentencepiece": Markers(
        _prefixed("▁"),
        lambda piece: piece.replace("▁", ""),
        lambda line: line.replace(" ", "").replace("▁", " "),
    ),
    "wordpiece": Markers(
        lambda piece: CONTINUES if piece.startswith("##") and len(piece) > 2 else BEGINS,
        lambda piece: piece[2:] if piece.startswith("##") and len(piece) > 2 else piece,
        lambda line: line.replace(" ##", ""),
    ),
    "bpe": Markers(
        lambda piece: CONTINUES if piece.endswith("@@") and len(piece) > 2 else ENDS,
        lambda piece: piece[:-2] if piece.endswith("@@") and len(piece) > 2 else piece,
        lambda line: f"{line} ".replace("@@ ", ""),
    ),
    "bytelevel": Markers(
        _prefixed(SPACE), lambda piece: _bytes_as_text(piece).replace(" ", ""), _decoded
    ),
}  # fmt: skip
MARKED = {
    "sentencepiece": lambda piece: "▁" in piece,
    "wordpiece": lambda piece: piece.startswith("##") and len(piece) > 2,
    "bpe": lambda piece: piece.endswith("@@") and len(piece) > 2,
    "bytelevel": lambda piece: SPACE in piece,
}


def check_markers(name: str) -> None:
    """Refuse a name that is none."""
    if name not in MARKERS:
        raise OptionError(f"no markers {name!r}; there are {', '.join(MARKERS)}")


def detect_markers(lines: Sequence[str]) -> str | None:
    """Name the marks that most pieces of the first lines have, None where there are none.

    >>> detect_markers(["▁un break able"]), detect_markers(["un@@ break@@ able"]), detect_markers(["a b"])
    ('sentencepiece', 'bpe', None)
    """
    pieces = [piece for line in lines[:LINES_LOOKED_AT] for piece in line.split()]
    counts = {name: sum(map(marked, pieces)) for name, marked in MARKED.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else None
