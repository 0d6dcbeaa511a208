"""Files of corrections: the pairs of a text whose links somebody has put right, and nothing of the others.

JSON Lines: what it is and how many pairs the text has, then an object for each corrected pair, its line from 1.

{"corrections": 1, "pairs": 100000}
{"line": 17, "version": 3, "by": "Ann", "saved": "2026-01-31T12:00:00Z", "text": "9b1c47f06c1f2f4e",
 "links": [[0, 0, "S"], [1, 2, "P"]]}  (on one line)

`links` is null where a correction was taken back, `[]` where a pair has no links. `text` is a digest of its words,
so that a file of another text is noticed.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.corpus.encoding import LONE_SURROGATE
from cepts.errors import InputError
from cepts.links.fields import LARGEST_POSITION, parse_object, shorten
from cepts.links.links import Link
from cepts.links.naacl import MOST_SENTENCES, SURE
from cepts.links.rows import Collected, Rows, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cepts.links.rows import Complain

    Words = Sequence[str]

FORMAT = 1
KEYS = ("line", "version", "by", "saved", "text", "links")
SHOWN_LINES = 5
FIRST_LINE = re.compile(r'\s*+\{\s*+"corrections"\s*+:')
ENCODE = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Correction(NamedTuple):
    """The links of one pair as somebody wants them; None if they were corrected and are no more."""

    line: int
    links: tuple[tuple[int, int, bool], ...] | None
    version: int
    by: str
    saved: str
    digest: str

    def written(self) -> str:
        """Return it as a line without its end.

        >>> Correction(1, ((0, 0, True),), 2, "", "2026-01-31T12:00:00Z", "9b1c47f06c1f2f4e").written()[:37]
        '{"line": 1, "version": 2, "by": "", "'
        """
        links = None if self.links is None else [[i, j, "S" if sure else "P"] for i, j, sure in self.links]
        values = (self.line, self.version, self.by, self.saved, self.digest, links)
        return ENCODE(dict(zip(KEYS, values, strict=True)))


def first_line(pairs: int) -> str:
    """Return what stands above all corrections of a text of so many pairs, without its end."""
    return ENCODE({"corrections": FORMAT, "pairs": pairs})


def digest_of(source: Words, target: Words) -> str:
    """Return what tells the words of a pair from others, whether case was kept or not.

    >>> digest_of(["Le", "chat"], ["the", "cat"]) == digest_of(["le", "chat"], ["the", "cat"])
    True
    >>> digest_of(["le chat"], ["the", "cat"]) == digest_of(["le", "chat"], ["the", "cat"])
    False
    """
    text = "\0".join("\n".join(words) for words in (source, target)).lower()
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_corrections(lines: Sequence[str]) -> bool:
    """Whether a file begins as one of corrections does."""
    return bool(lines) and FIRST_LINE.match(lines[0]) is not None


def parse_corrections(
    lines: Sequence[str], name: str, complain: Complain = refuse
) -> tuple[int, list[tuple[int, Correction]]]:
    """Return the number of pairs of the text, and each correction with the line of the file that holds it."""
    found: dict[int, tuple[int, Correction]] = {}
    pairs = 0
    for number, line in enumerate(lines, 1):
        try:
            told = parse_object(line, "correction")
            if number == 1:
                pairs = _parse_first(told)
                continue
            correction = _parse(told, pairs)
            if correction.line in found:
                raise InputError(
                    f"line {correction.line} of the text is corrected here and in line"
                    f" {found[correction.line][0]}, expected once; remove the older one"
                )
            found[correction.line] = (number, correction)
        except InputError as error:
            complain(number, InputError(f"{name}, line {number}: {error}"))
    return pairs, list(found.values())


def corrections_rows(
    lines: Sequence[str], name: str, pairs: int | None = None, complain: Complain = refuse
) -> tuple[Rows, dict[int, str]]:
    """Parse corrections as links of `pairs` pairs, or of those of their text; and the digest of each corrected pair."""
    own, found = parse_corrections(lines, name, complain)
    most = own if pairs is None else pairs
    collected, digests = Collected(), dict[int, str]()
    for number, correction in found:
        if correction.line > most:
            message = f"line {correction.line} is corrected, but the text has {most}, expected one of these"
            complain(number, InputError(f"{name}, line {number}: {message}; is this for another text?"))
        elif correction.links is not None:
            digests[correction.line - 1] = correction.digest
            for i, j, sure in correction.links:
                collected.add(number, correction.line - 1, Link(i, j, 1.0, sure))
    return collected.rows(most), digests


def check_digests(
    digests: Iterable[tuple[int, str]], words: Callable[[int], tuple[Words, Words]], name: str, text: str
) -> None:
    """Refuse corrections of pairs, from 0, whose words are not those that were corrected; `text` is what has them."""
    known = sorted(digests)
    other = [k + 1 for k, digest in known if digest_of(*words(k)) != digest]
    if not other:
        return
    if len(other) == len(known):
        raise InputError(
            f"{name}: none of its {len(known)} corrected pairs has these words in {text}; give the text that was"
            " corrected, read in the same way (tokenized or not), or another file of corrections"
        )
    listed = ", ".join(map(str, other[:SHOWN_LINES])) + (", ..." if len(other) > SHOWN_LINES else "")
    raise InputError(
        f"{name}: of {len(known)} corrected pairs {len(other)} have other words in {text} (line {listed}); give the"
        " text that was corrected, or remove these lines' corrections from the file"
    )


def _parse_first(told: dict[str, Any]) -> int:
    """Return the number of pairs that the first line tells."""
    if "corrections" not in told:
        raise InputError(f'{shorten(json.dumps(told))}, expected {{"corrections": {FORMAT}, "pairs": ...}}')
    if told["corrections"] != FORMAT or type(told["corrections"]) is not int:
        raise InputError(
            f"corrections of format {shorten(json.dumps(told['corrections']))}, expected {FORMAT}; was it written by"
            " a later version of cepts?"
        )
    return _number(told, "pairs", 0)


def _parse(told: dict[str, Any], pairs: int) -> Correction:
    """Return the correction that an object holds."""
    for key in KEYS:
        if key not in told:
            raise InputError(f'no key "{key}", expected {", ".join(KEYS)}')
    if unknown := sorted(set(told) - set(KEYS)):
        raise InputError(f'unknown key "{shorten(unknown[0])}", expected {", ".join(KEYS)}')
    line = _number(told, "line", 1)
    if line > pairs:
        raise InputError(
            f"line {line} is corrected, but the text has {pairs} pairs, expected one of these; is the first line right?"
        )
    texts = [_string(told, key) for key in ("by", "saved", "text")]
    return Correction(line, _parse_links(told["links"]), _number(told, "version", 1), *texts)


def _number(told: dict[str, Any], key: str, least: int) -> int:
    """Return a whole number."""
    value = told.get(key)
    if type(value) is not int or not least <= value <= MOST_SENTENCES:
        raise InputError(f'"{key}" is {shorten(json.dumps(value))}, expected a whole number from {least}')
    return value


def _string(told: dict[str, Any], key: str) -> str:
    """Return a text."""
    value = told[key]
    if not isinstance(value, str) or LONE_SURROGATE.search(value):  # which no file can hold
        raise InputError(f'"{key}" is {shorten(json.dumps(value))}, expected a string')
    return value


def _parse_links(links: Any) -> tuple[tuple[int, int, bool], ...] | None:
    """Return the links of a pair, in their order."""
    if links is None:
        return None
    if not isinstance(links, list):
        raise InputError(f'"links" is {shorten(json.dumps(links))}, expected a list or null')
    found: dict[tuple[int, int], bool] = {}
    for link in links:
        if not _is_link(link) or (link[0], link[1]) in found:
            raise InputError(
                f'{shorten(json.dumps(link))} is not a link, expected [source, target, "S" or "P"], each place once'
            )
        found[link[0], link[1]] = SURE[link[2]]
    return tuple((i, j, found[i, j]) for i, j in sorted(found))


def _is_link(link: Any) -> bool:
    """Whether it is [source, target, kind]."""
    if not (isinstance(link, list) and len(link) == 3):
        return False
    places = all(type(place) is int and 0 <= place <= LARGEST_POSITION for place in link[:2])
    return places and isinstance(link[2], str) and link[2] in SURE
