"""PO: the catalogues of gettext.

Each `msgid` with its `msgstr` is a pair. Of an entry with plural forms, `msgstr[0]` belongs to `msgid` and every
further form to `msgid_plural`; where there is one form only, it belongs to `msgid_plural`, as it must serve for any
number.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, ClassVar

from cepts.corpus.files import cut_blocks
from cepts.corpus.formats.batches import PAIRS_AT_ONCE, Batch, Gathered, Reader
from cepts.errors import EmptyTextError, InputError, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cepts.corpus.encoding import Errors

LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d{1,3})\])?)?\s*"((?:[^"\\]|\\.)*+)"\s*')
CHARSET = re.compile(rb"charset=([A-Za-z0-9._-]+)", re.IGNORECASE)
LANGUAGE = re.compile(r"^Language:[^\S\n]*+(\S++)", re.MULTILINE)
ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9A-Fa-f]{2}|.)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
OBSOLETE = "#~"


class Entry:
    """An entry while it is read: its strings by keyword, its flags, whether it is obsolete."""

    def __init__(self) -> None:
        self.strings: dict[str, list[str]] = {}
        self.fuzzy = False
        self.obsolete = False

    def string(self, keyword: str) -> str:
        """Return a string, empty if it is not there."""
        return "".join(self.strings.get(keyword, ()))

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of an entry, also those that are not translated."""
        single, plural = self.string("msgid"), self.string("msgid_plural")
        if "msgid_plural" not in self.strings:
            return [(single, self.string("msgstr"))]
        forms = [name for name in self.strings if name.startswith("msgstr")]
        only = len(forms) == 1
        return [(single if name == "msgstr[0]" and not only else plural, self.string(name)) for name in forms]


class PoReader(Reader):
    """Reads entries; what is fuzzy, obsolete or untranslated is counted and left out, and the header is no pair."""

    markup: ClassVar[bool] = True
    keys: ClassVar[bool] = True

    def __init__(self, pieces: Iterable[bytes], name: str, errors: Errors) -> None:
        super().__init__(name, errors)
        self._blocks = cut_blocks(pieces, name)
        self._encoding = ""
        self._entry = Entry()
        self._keyword = ""  # that strings on further lines belong to
        self._number = 0  # of the line
        self._gathered = Gathered()

    def batches(self) -> Iterator[Batch]:
        """Yield the pairs, some at a time."""
        for block in self._blocks:
            self._encoding = self._encoding or self._charset(block.text)
            for raw in block.text[:-1].split(b"\n"):
                self._number += 1
                self._read(self._decoded(raw).strip())
            if len(self._gathered) >= PAIRS_AT_ONCE:
                yield self._gathered.take()
        self._finish_entry()
        yield self._gathered.take()
        if not self.unit:
            raise EmptyTextError(f"no sentence pairs: {self.name} has no entry")

    def _charset(self, head: bytes) -> str:
        """Return the encoding that the header names, else UTF-8."""
        found = CHARSET.search(head[: 1 << 14])
        name = found[1].decode() if found else "utf-8"
        if name.upper() == "CHARSET":  # of a template that nobody has filled in
            return "utf-8"
        try:
            codecs.lookup(name)
        except LookupError:
            raise InputError(
                f"{self.name}: its header names the charset {name}, which is unknown; convert it to UTF-8"
            ) from None
        return name

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode(self._encoding, self.errors)
        except UnicodeDecodeError as error:
            byte = raw[error.start]
            raise InputError(
                f"{self.name}, line {self._number}: invalid {self._encoding}, byte 0x{byte:02x}; convert the file to"
                f" UTF-8, or read it with {said('errors', 'replace')}"
            ) from None

    def _read(self, line: str) -> None:
        """Take in one line."""
        obsolete = line.startswith(OBSOLETE)
        if obsolete:
            line = line.removeprefix(OBSOLETE).strip()
            if line.startswith("|"):
                return
        if not line or line[0] == "#":
            self._read_comment(line)
            return
        match = LINE.fullmatch(line)
        if match is None or not (match[1] or self._keyword):
            raise InputError(
                f"{self.name}, line {self._number}: expected a comment, a keyword such as msgid with a string in"
                f" quotes, or a string; got {line[:40]!r}"
            )
        if match[1]:
            self._begin(match[1])
        self._entry.obsolete |= obsolete
        self._entry.strings[self._keyword].append(unescaped(match[3]))

    def _read_comment(self, line: str) -> None:
        """Take in flags; an empty line, or a comment behind a translation, ends an entry."""
        if self._keyword.startswith("msgstr"):
            self._finish_entry()
        if line.startswith("#,") and "fuzzy" in [flag.strip() for flag in line[2:].split(",")]:
            self._entry.fuzzy = True

    def _begin(self, keyword: str) -> None:
        """Begin a string; an entry ends before the next one's first string."""
        if keyword in ("msgctxt", "msgid") and self._keyword.startswith("msgstr"):
            self._finish_entry()
        if keyword in self._entry.strings:
            raise InputError(
                f"{self.name}, line {self._number}: {keyword} twice in one entry; repair the file"
            )
        if keyword.startswith("msgstr") and "msgid" not in self._entry.strings:
            raise InputError(f"{self.name}, line {self._number}: {keyword} without a msgid; repair the file")
        self._keyword = keyword
        self._entry.strings[keyword] = []

    def _finish_entry(self) -> None:
        """Take the pairs of the entry that is complete, or count why there are none."""
        entry, self._entry, self._keyword = self._entry, Entry(), ""
        if "msgid" not in entry.strings:
            return
        if not entry.string("msgid") and not entry.obsolete and "msgctxt" not in entry.strings:
            found = LANGUAGE.search(entry.string("msgstr"))
            self.languages = ("en", found[1]) if found and self.languages is None else self.languages
            return
        self.unit += 1
        reason = "obsolete" if entry.obsolete else "fuzzy" if entry.fuzzy else ""
        for source, target in entry.pairs():
            if reason or not target or not source:
                self.left_out[reason or "untranslated"] += 1
            else:
                place = f"line {self._number}"
                self._gathered.add(self.encoded(source, place), self.encoded(target, place), self.unit)


def unescaped(text: str) -> str:
    r"""Read the escapes of a string in C.

    >>> unescaped(r'a\tb\"c\\n\x41\101\?')
    'a\tb"c\\nAA?'
    """
    return ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code[0] == "x" and len(code) == 3:
        return chr(int(code[1:], 16))
    return ESCAPES.get(code, code)
