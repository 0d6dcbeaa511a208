"""Files changed at random: bits, lines, numbers, encodings, nesting, and the insides of compressed files."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

LONGEST = 200_000  # bytes that a mutation adds
TIMES = (1, 1, 1, 2, 3)  # mutations of one file
NUMBER = re.compile(rb"-?\d++(?:\.\d++)?")

# What formats, encodings and parsers treat specially.
TOKENS = (
    b"\x00", b"\x01", b"\x1a", b"\x1f", b"\x85", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xc0\x80",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "\u2028".encode(), "\u200f".encode(), "\u00a0".encode(), "\u3000".encode(),
    "\u0301".encode() * 50, "\ufffd".encode(), "\U0001f600".encode(), "ß".encode(), "İ".encode(), "漢字かな".encode(),
    b"\r", b"\n", b"\n\n", b"\r\n", b"\t", b"\t\t", b" ", b"   ", b"|||", b"|", b"#", b"\\", b'"', b"'", b"%s", b"%(",
    b"{", b"}", b"[", b"]", b"<", b">", b"&", b"</seg>", b"<seg>", b"</", b"/>", b"<!--", b"-->", b"]]>", b"<![CDATA[",
    b"<?xml version='1.0' encoding='utf-7'?>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#0;", b"&#xD800;",
    b"&#x110000;", b"&amp;", b"<x/>", b"<g id='1'>", b' xml:lang=""', b' xmlns="u"', b'msgid "', b'msgstr[1] "',
    b"#~ ", b'\\x"', b"\\u0000", b"\\ud800", b'{"a":', b"[[[[", b"null", b"true", b"NaN", b"Infinity", b"1e999",
    b"0-0", b"-0", b"0-", b"0-0-0", b"1?1", b"0-0:nan", b"0-0:2", b"({ 1 })", b"NULL", b"P", b"S", b"B-", b"I-X",
    b"1-2\t", b"1.1\t", b"_", b"</b>", b"<b>", b"-1", b"9" * 20, b"9" * 5000,
)  # fmt: skip
NUMBERS = (
    b"-1", b"0", b"1", b"2", b"1.5", b"-0.0", b"1e-400", b"1e999", b"nan", b"inf", b"2147483648", b"16777216",
    b"1000000000", b"9223372036854775808", b"9" * 5000, b"", b"x", b"0x10", b"1_0", "٣".encode(), b"007", b"+1",
)  # fmt: skip
ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "utf-7")
NESTS = (
    (b"<b>", b"</b>"),
    (b"<g id='1'>", b"</g>"),
    (b"[", b"]"),
    (b'{"a":', b"}"),
    (b"(", b")"),
    (b"<!--", b""),
)


def mutated(content: bytes, rng: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """Return a file changed in one to three ways, and the names of these; `others` are files to take parts of."""
    names = []
    for _ in range(rng.choice(TIMES)):
        mutation = rng.choice(PACKED if content[:2] in HEADS and rng.random() < 0.7 else PLAIN)
        content = mutation(content, rng, others)
        names.append(mutation.__name__)
    return content, " ".join(names)


def stretch(content: bytes, rng: Random) -> tuple[int, int]:
    """Draw a part of a file, seldom a long one."""
    first = rng.randint(0, len(content))
    return first, min(len(content), first + int(rng.choice((1, 8, 64, 1024)) * rng.random()) + 1)


def flip(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Flip a bit."""
    if not content:
        return content
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << rng.randrange(8))]) + content[place + 1 :]


def cut(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """End it somewhere."""
    return content[: rng.randint(0, len(content))]


def empty(_: bytes, rng: Random, __: Sequence[bytes]) -> bytes:
    """Leave nothing, or nearly."""
    return rng.choice((b"", b"\n", b"\n" * 60, b" ", b"\xef\xbb\xbf", b"\x00" * 100))


def delete(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Leave out a part."""
    first, end = stretch(content, rng)
    return content[:first] + content[end:]


def insert(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Put in something that is special somewhere."""
    place = rng.randint(0, len(content))
    return content[:place] + rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 60)) + content[place:]


def replace(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Put something special in the place of a part."""
    first, end = stretch(content, rng)
    return content[:first] + rng.choice(TOKENS) + content[end:]


def repeat(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Write a part many times."""
    first, end = stretch(content, rng)
    part = content[first:end]
    times = min(rng.choice((2, 30, 1000, 20_000)), LONGEST // max(len(part), 1))
    return content[:end] + part * times + content[end:]


def splice(content: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Put in a part of another file."""
    other, place = rng.choice(others), rng.randint(0, len(content))
    first = rng.randint(0, len(other))
    return content[:place] + other[first : first + rng.randint(1, 500)] + content[place:]


def exchange(_: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Take another file altogether."""
    return rng.choice(others)


def change_line(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Leave out, double, move or join lines."""
    lines = content.split(b"\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(5)
    if how == 0:
        del lines[place]
    elif how == 1:
        lines.insert(place, lines[other])
    elif how == 2:
        lines[place], lines[other] = lines[other], lines[place]
    elif how == 3:
        lines[place : place + 2] = [b"".join(lines[place : place + 2])]
    else:
        lines[place] = rng.choice((b"", b" ", b"a" * 100_000, b"a " * 20_000))
    return b"\n".join(lines)


def change_number(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Put another number in the place of one."""
    found = list(NUMBER.finditer(content[:LONGEST]))
    if not found:
        return content
    one = rng.choice(found)
    return content[: one.start()] + rng.choice(NUMBERS) + content[one.end() :]


def nest(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Open something many times, and close it as often or never."""
    (begin, end), place = rng.choice(NESTS), rng.randint(0, len(content))
    times = rng.choice((2, 200, 5000))
    closing = end * rng.choice((0, times, times - 1))
    return content[:place] + begin * times + closing + content[place:]


def encode(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Write it in another encoding, or with other ends of lines."""
    if rng.random() < 0.3:
        return content.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", "\u2028".encode(), b"")))
    return content.decode("utf-8", "replace").encode(rng.choice(ENCODINGS), "replace")


def compress(content: bytes, rng: Random, _: Sequence[bytes]) -> bytes:
    """Pack it, whatever its name says."""
    return rng.choice((gzip.compress, lzma.compress, zipped))(content)


def zipped(content: bytes) -> bytes:
    """Return an archive with one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("text.en", content)
    return packed.getvalue()


def inside(content: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Change what is packed, and pack it again."""
    try:
        if content.startswith(b"\x1f\x8b"):
            return gzip.compress(rng.choice(PLAIN)(gzip.decompress(content), rng, others))
        if content.startswith(b"\xfd7"):
            return lzma.compress(rng.choice(PLAIN)(lzma.decompress(content), rng, others))
        return inside_archive(content, rng, others)
    except Exception:  # what was damaged before
        return content


def inside_archive(content: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Change a file of an archive, or the name of one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            data = old.read(name)
            if name == chosen and rng.random() < 0.7:
                data = rng.choice(PLAIN)(data, rng, others)
            elif name == chosen:
                name = rng.choice(
                    ("", "/", "..", "../x.en", "a\\b", "x", "x" * 300, name + ".en", "\u202e.fr")
                )
            new.writestr(name, data, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))
    return packed.getvalue()


PLAIN = (
    flip, cut, empty, delete, insert, insert, insert, replace, replace, repeat, splice, exchange, change_line,
    change_line, change_number, change_number, nest, encode, compress,
)  # fmt: skip
PACKED = (inside, inside, inside, flip, cut, delete, replace)
HEADS = (b"\x1f\x8b", b"\xfd7", b"PK")
