"""Files in many formats, written by the shortest code that is right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import pytest

from cepts.corpus import read_bitext
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cepts.corpus import Bitext

    Pairs = Iterable[tuple[str, str]]


def put(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def sentences(bitext: Bitext) -> list[tuple[str, str]]:
    """Return the words of each pair, with spaces between them."""
    return [
        (" ".join(bitext.source.sentence(k)), " ".join(bitext.target.sentence(k))) for k in range(len(bitext))
    ]


def refused(path: Path, **options: Any) -> str:
    """Read what must be refused, and return what is said, in one line."""
    with pytest.raises(InputError) as error:
        read_bitext(path, **options)
    message = str(error.value)
    assert "\n" not in message
    return message.replace(str(path), "FILE")


def originals(bitext: Bitext) -> list[tuple[str, str]]:
    """Return what was kept of each pair."""
    assert bitext.source.originals is not None
    assert bitext.target.originals is not None
    return list(zip(bitext.source.originals, bitext.target.originals, strict=True))


def tuv(language: str, segment: str) -> str:
    return f'<tuv xml:lang="{language}"><seg>{segment}</seg></tuv>'


def tu(*versions: tuple[str, str]) -> str:
    """Write a unit of (language, segment in XML) versions."""
    return "<tu>" + "".join(tuv(*version) for version in versions) + "</tu>\n"


def tmx(*units: str, srclang: str = "en", head: str = '<?xml version="1.0"?>\n') -> str:
    """Write a memory of units."""
    return f'{head}<tmx version="1.4"><header srclang="{srclang}"/><body>\n{"".join(units)}</body></tmx>\n'


def tmx_of(pairs: Pairs) -> str:
    """Write pairs of plain texts."""
    return tmx(*(tu(("en", escape(source)), ("fr", escape(target))) for source, target in pairs))


def xliff(*units: str, languages: str = 'source-language="en" target-language="fr"') -> str:
    """Write a file of version 1.2."""
    body = f"<body>\n{''.join(units)}</body>"
    return f'<?xml version="1.0"?>\n<xliff version="1.2"><file {languages}>{body}</file></xliff>\n'


def trans_unit(source: str, target: str | None, state: str = "") -> str:
    """Write a unit of version 1.2."""
    written = "" if target is None else f"<target{state}>{target}</target>"
    return f"<trans-unit id='1'><source>{source}</source>{written}</trans-unit>\n"


def xliff_of(pairs: Pairs) -> str:
    """Write pairs of plain texts in version 1.2."""
    return xliff(*(trans_unit(escape(source), escape(target)) for source, target in pairs))


def xliff_2(*segments: str) -> str:
    """Write a file of version 2.0, all segments in one unit."""
    root = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="fr">'
    unit = f'<unit id="u">{"".join(segments)}</unit>'
    return f'<?xml version="1.0"?>\n{root}\n<file id="f">{unit}</file></xliff>\n'


def xliff_2_of(pairs: Pairs) -> str:
    """Write pairs of plain texts in version 2.0."""
    return xliff_2(
        *(f"<segment><source>{escape(s)}</source><target>{escape(t)}</target></segment>" for s, t in pairs)
    )


def quoted(text: str) -> str:
    """Write a string of PO."""
    for char, code in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(char, code)
    return f'"{text}"'


def po_of(pairs: Pairs) -> str:
    """Write pairs of plain texts as entries behind a header."""
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: fr\\n"\n\n'
    return head + "".join(f"msgid {quoted(s)}\nmsgstr {quoted(t)}\n\n" for s, t in pairs)


def jsonl_of(pairs: Pairs) -> str:
    """Write rows of Hugging Face."""
    return "".join(json.dumps({"translation": {"en": s, "fr": t}}) + "\n" for s, t in pairs)


def sides_of(pairs: Pairs) -> str:
    """Write rows with source and target."""
    return "".join(json.dumps({"source": s, "target": t}, ensure_ascii=False) + "\n" for s, t in pairs)
