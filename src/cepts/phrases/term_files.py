"""Lists of terms as files: TSV, CSV, TBX and JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import escape, quoteattr

from cepts.checking import checked
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cepts.phrases.terms import Term

COLUMNS = ("source", "target", "score", "count", "example")
BETWEEN = " ||| "  # the two sides of an example
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
UNNAMED = ("x-source", "x-target")  # languages, in the part of BCP 47 that is free for private use
TBX_BEGIN = """\
<?xml version="1.0" encoding="UTF-8"?>
<tbx style="dca" type="TBX-Basic" xml:lang={source} xmlns="urn:iso:std:iso:30042:ed-2">
  <tbxHeader>
    <fileDesc>
      <sourceDesc>
        <p>Terms found in translated text by Cepts.</p>
      </sourceDesc>
    </fileDesc>
  </tbxHeader>
  <text>
    <body>
"""
TBX_ENTRY = """\
      <conceptEntry id="term-{number}">
        <note>score {score}, count {count}</note>
        <langSec xml:lang={source_language}>
          <termSec>
            <term>{source}</term>
            <descrip type="context">{source_example}</descrip>
          </termSec>
        </langSec>
        <langSec xml:lang={target_language}>
          <termSec>
            <term>{target}</term>
            <descrip type="context">{target_example}</descrip>
          </termSec>
        </langSec>
      </conceptEntry>
"""
TBX_END = """\
    </body>
  </text>
</tbx>
"""


@checked
def write_terms(
    terms: Iterable[Term],
    stream: TextIO,
    format: str = "tsv",  # noqa: A002
    languages: tuple[str | None, str | None] = (None, None),
) -> None:
    """Write a list of terms: `tsv`, `csv` with a header, `tbx` or `json`; TBX names the languages."""
    if format not in FORMATS:
        raise OptionError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    FORMATS[format](terms, stream, languages)


def _columns(term: Term) -> tuple[str, str, str, str, str]:
    """Return the columns of a table, each on one line and without TAB."""
    texts = (" ".join(text.split()) for text in (term.source, term.target, BETWEEN.join(term.example)))
    source, target, example = texts
    return source, target, f"{term.score:.4f}", str(term.count), example


def _write_tsv(terms: Iterable[Term], stream: TextIO, _: tuple[str | None, str | None]) -> None:
    for term in terms:
        stream.write("\t".join(_columns(term)) + "\n")


def _write_csv(terms: Iterable[Term], stream: TextIO, _: tuple[str | None, str | None]) -> None:
    import csv

    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_columns, terms))


def _write_json(terms: Iterable[Term], stream: TextIO, _: tuple[str | None, str | None]) -> None:
    import json

    rows = [
        {
            "source": term.source,
            "target": term.target,
            "score": round(term.score, 4),
            "count": term.count,
            "example": {"source": term.example[0], "target": term.example[1]},
        }
        for term in terms
    ]
    stream.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")


def _write_tbx(terms: Iterable[Term], stream: TextIO, languages: tuple[str | None, str | None]) -> None:
    source, target = (quoteattr(name or unnamed) for name, unnamed in zip(languages, UNNAMED, strict=True))
    stream.write(TBX_BEGIN.format(source=source))
    for number, term in enumerate(terms, 1):
        stream.write(
            TBX_ENTRY.format(
                number=number,
                score=f"{term.score:.4f}",
                count=term.count,
                source_language=source,
                target_language=target,
                source=_xml(term.source),
                target=_xml(term.target),
                source_example=_xml(term.example[0]),
                target_example=_xml(term.example[1]),
            )
        )
    stream.write(TBX_END)


def _xml(text: str) -> str:
    """Escape a text; what XML cannot say becomes U+FFFD."""
    return escape(NOT_XML.sub("\ufffd", text))


FORMATS: dict[str, Callable[[Iterable[Term], TextIO, tuple[str | None, str | None]], None]] = {
    "tsv": _write_tsv,
    "csv": _write_csv,
    "tbx": _write_tbx,
    "json": _write_json,
}
