"""`as_bitext`: parallel text in whatever form somebody has it, as a `Bitext`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cepts.checking import checked, described, refusing
from cepts.corpus.bitext import Bitext, Side
from cepts.corpus.cleaning import Cleaner
from cepts.corpus.encoding import LINES_AT_ONCE, WORD
from cepts.corpus.files import STDIN
from cepts.corpus.originals import Originals
from cepts.corpus.raw_text import LOOKED_AT
from cepts.corpus.readers import Text, read_bitext
from cepts.corpus.segmenter import Segmenters, segmenters
from cepts.corpus.text_options import PLAIN, Tokenize
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Sentences, pairs of sentences, a table, paths, or a `Bitext`: see `as_bitext`.
BitextLike: TypeAlias = Any

SIDES = ("source", "target")
PAIR = 2
NESTED = "translation"  # the column of dicts that data sets of the Hugging Face Hub have
MISSING = ("NAType", "NaTType")  # what pandas has where there is nothing
EXPECTED = (
    "two lists of sentences or of token lists, a list of (source, target) pairs, a table with a column for each"
    " language, a Bitext, or paths of files"
)


@checked
def as_bitext(
    text: BitextLike = None,
    target: BitextLike = None,
    *,
    source: BitextLike = None,
    tokenize: Tokenize = "auto",
    keep_case: bool = False,
    segmenter: str | Segmenters = "auto",
    to_whitespace: bool = False,
    keep_text: bool = True,
) -> Bitext:
    """Return parallel text as a `Bitext`, whatever form it has.

    The text is two lists of strings, or of token lists (also arrays, columns of tables, generators); or one iterable of
    (source, target) pairs of these; or a table (a DataFrame of pandas or polars, a Hugging Face `Dataset`, a dict of
    columns, dicts row by row) of which `source` and `target` name the columns, if it has more than two; or the path of
    a file with both languages, or two paths; or a `Bitext`. Strings are cut into words as `read_bitext` cuts lines,
    with the same `tokenize`, `keep_case`, `segmenter` and `to_whitespace`; token lists are taken as they are. With
    `keep_text`, strings are kept as they were given.

    >>> as_bitext(["La maison"], ["The house"])[0]
    (['la', 'maison'], ['the', 'house'])
    >>> as_bitext({"id": [1], "fr": [["La", "maison"]], "en": ["The house"]}, source="fr", target="en")[0]
    (['la', 'maison'], ['the', 'house'])
    """
    if text is None:
        text, source = source, None
    if text is None:
        raise OptionError(f"text is missing: expected {EXPECTED}")
    options = Text(tokenize, keep_case, "strict", segmenters(segmenter), keep_text, to_whitespace)
    if isinstance(text, Bitext):
        if source is not None or target is not None:
            raise OptionError("a Bitext has both sides: drop source and target")
        return text
    if _is_path(text) and (target is None or source is not None or _is_path(target)):
        return _from_files(text, target, source, options)
    return _encoded(*_sides(text, target, source), options)


def is_one_pair(text: BitextLike, target: BitextLike) -> bool:
    """Tell whether a text is a single pair: a tuple of a source and a target sentence.

    >>> is_one_pair(("le chat", "the cat"), None), is_one_pair([("le chat", "the cat")], None)
    (True, False)
    """
    return (
        target is None
        and isinstance(text, tuple)
        and len(text) == PAIR
        and all(isinstance(side, str | list | tuple) for side in text)
    )


def _is_path(given: BitextLike) -> bool:
    """Tell whether something is a path, as every string alone is; refuse a string that names no file."""
    if isinstance(given, str) and given != STDIN:
        try:
            there = Path(given).exists()
        except (OSError, ValueError):  # a name that is too long, or that no file can have
            there = False
        if not there:
            raise InputError(
                f"{described(given)}: no such file; a string alone is a path: sentences go into lists, as in"
                " align([source], [target])"
            )
    return isinstance(given, str | os.PathLike)


def _from_files(text: Any, target: BitextLike, source: BitextLike, options: Text) -> Bitext:
    """Read one file, of which `source` and `target` name the languages or columns if need be, or two files."""
    languages = {} if source is None else {"source_language": source, "target_language": target}
    return read_bitext(
        text,
        target if source is None else None,
        tokenize=options.tokenize,
        keep_case=options.keep_case,
        segmenter=options.segmenters,
        to_whitespace=options.to_whitespace,
        keep_text="decoded" if options.keep_text else False,
        **languages,
    )


def _sides(
    text: BitextLike, target: BitextLike, source: BitextLike
) -> tuple[Sequence[Any], Sequence[Any], tuple[str, str]]:
    """Return the sentences of both sides, and what messages call them."""
    names = _column_names(text)
    if names is not None or source is not None:
        return _columns(text, names, source, target)
    if target is None:
        return *_split(text), SIDES
    for side, name in ((text, SIDES[0]), (target, SIDES[1])):
        if _is_path(side):
            raise OptionError(
                f"{name} is the path of a file, and the other side is not: give two paths or two lists"
            )
    return _values(text, SIDES[0]), _values(target, SIDES[1]), SIDES


def _values(column: BitextLike, name: str) -> Sequence[Any]:
    """Return the values of a list, an array, a column of a table or anything that yields them."""
    for convert in ("to_pylist", "tolist", "to_list"):  # of pyarrow; of pandas and NumPy; of polars
        if callable(getattr(column, convert, None)) and not isinstance(column, type):
            column = getattr(column, convert)()
            break
    if _is_unordered(column) or isinstance(column, Bitext) or _column_names(column) is not None:
        raise OptionError(f"{name} must be a list of sentences or of token lists, got {described(column)}")
    return column if isinstance(column, list | tuple) else list(column)


def _split(pairs: BitextLike) -> tuple[list[Any], list[Any]]:
    """Take pairs apart."""
    if is_one_pair(pairs, None):
        raise OptionError("a tuple of two is one pair: give a list of pairs, or two lists as two arguments")
    if _is_unordered(pairs):
        raise OptionError(f"text must be {EXPECTED}; got {described(pairs)}")
    sides: tuple[list[Any], list[Any]] = ([], [])
    for number, pair in enumerate(_rows(pairs)):
        if isinstance(pair, Mapping):
            raise OptionError(
                f"pair {number} is a dict with {', '.join(map(str, pair))}: name two of them with source= and target="
            )
        if not isinstance(pair, list | tuple) or len(pair) != PAIR:
            size = f" of {len(pair)}" if isinstance(pair, list | tuple) else ""
            raise InputError(
                f"pair {number} must be (source, target), got {described(pair)}{size}; two lists are two"
                " arguments, as in align(source, target)"
            )
        for side, sentence in zip(sides, pair, strict=True):
            side.append(sentence)
    return sides


def _rows(rows: Iterable[Any]) -> Iterator[Any]:
    """Yield rows; those of arrays as lists."""
    return (row.tolist() if hasattr(row, "tolist") else row for row in rows)


def _is_unordered(given: BitextLike) -> bool:
    """Tell whether something is no sequence of sentences or pairs."""
    if isinstance(given, str | bytes | bytearray | memoryview | set | frozenset | type):
        return True
    return not isinstance(given, Iterable) or getattr(given, "shape", None) == ()


# Tables.


def _column_names(table: BitextLike) -> list[str] | None:
    """Return the names of a table's columns; None for what is no table."""
    if callable(getattr(table, "collect", None)):
        raise OptionError(f"a {type(table).__name__} has not been computed: call its collect() first")
    names: Any
    if isinstance(table, Mapping):
        names = list(table)
    elif hasattr(table, "column_names"):  # data sets and Arrow tables
        names = table.column_names
    else:
        names = getattr(table, "columns", None)
    if names is None or isinstance(table, type):
        return None
    if isinstance(names, Mapping) or (
        isinstance(table, Mapping) and any(_column_names(part) is not None for part in table.values())
    ):
        raise OptionError(
            f"the data has parts ({', '.join(map(str, names))}): give one of them, as data[{next(iter(names))!r}]"
        )
    with refusing("a table"):
        return [str(name) for name in names]


def _columns(
    table: BitextLike, names: list[str] | None, source: BitextLike, target: BitextLike
) -> tuple[Sequence[Any], Sequence[Any], tuple[str, str]]:
    """Return two columns of a table, or of rows that are dicts."""
    if source is None and target is None and names is not None:
        source, target = _usual_columns(names)
    for name, given in zip(SIDES, (source, target), strict=True):
        if given is None:
            raise OptionError(f"{name} is missing: name both columns, with source= and target=")
        if not isinstance(given, str):
            raise OptionError(f"{name} must be the name of a column, as a string, got {described(given)}")
    if names is None:
        return *_of_records(table, source, target), (f"column {source!r}", f"column {target!r}")
    left, right = (_column(table, names, name) for name in (source, target))
    return left, right, (f"column {source!r}", f"column {target!r}")


def _usual_columns(names: list[str]) -> tuple[str, str]:
    """Choose two columns where nobody has named them: `source` and `target`, or the only two that there are."""
    if {*SIDES} <= {*names}:
        return SIDES
    if len(names) == PAIR:
        return names[0], names[1]
    if len(names) < PAIR:
        raise OptionError(
            f"the table has {len(names)} column{'s' * (len(names) != 1)}, expected one for each language"
        )
    raise OptionError(
        f"the table has the columns {', '.join(names)}: name two of them with source= and target="
    )


def _column(table: Any, names: list[str], name: str) -> Sequence[Any]:
    """Return the values of a column, or those of a language in the column of translations."""
    said = f"column {name!r}"
    if name not in names and NESTED in names:
        return [_field(row, name, number) for number, row in enumerate(_column(table, names, NESTED))]
    if name not in names:
        raise OptionError(f"the table has no {said}: there are {', '.join(names)}")
    if names.count(name) > 1:
        raise OptionError(f"the table has {names.count(name)} columns {name!r}: give each a name of its own")
    with refusing(said):
        column = table[name]
    return _values(column, said)


def _of_records(rows: BitextLike, source: str, target: str) -> tuple[list[Any], list[Any]]:
    """Return two fields of dicts that come row by row."""
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise OptionError(f"source names a column, but the text is no table: got {described(rows)}")
    sides: tuple[list[Any], list[Any]] = ([], [])
    for number, row in enumerate(rows):
        for side, name in zip(sides, (source, target), strict=True):
            nested = isinstance(row, Mapping) and name not in row and NESTED in row
            side.append(_field(row[NESTED] if nested else row, name, number))
    return sides


def _field(row: Any, name: str, number: int) -> Any:
    """Return a field of a row."""
    if not isinstance(row, Mapping):
        raise InputError(f"row {number} must be a dict with {name!r}, got {described(row)}")
    if name not in row:
        raise InputError(f"row {number} has no {name!r}: it has {', '.join(map(str, row))}")
    return row[name]


# Sentences.


def _encoded(source: Sequence[Any], target: Sequence[Any], names: tuple[str, str], options: Text) -> Bitext:
    """Encode sentences of two sides."""
    if len(source) != len(target):
        raise InputError(
            f"{names[0]} has {len(source)} sentences, {names[1]} has {len(target)}: expected as many of both,"
            " sentence k of one translating sentence k of the other"
        )
    are_tokens = [_are_tokens(sentences) for sentences in (source, target)]
    lines = [
        _lines(sentences, name, tokens)
        for sentences, name, tokens in zip((source, target), names, are_tokens, strict=True)
    ]
    if any(are_tokens):  # who cuts one side into words has cut the other one, too
        options = options._replace(tokenize=options.tokenize is True)
    options, found = options.decided(PLAIN, *(islice(side, LOOKED_AT) for side in lines))
    as_it_is = options._replace(tokenize=False)
    left, right = (
        _side(lines[place], names[place], place, as_it_is if are_tokens[place] else options)
        for place in (0, 1)
    )
    return Bitext(left, right, found_raw=found)


def _are_tokens(sentences: Sequence[Any]) -> bool:
    """Tell whether sentences are token lists, by the first one."""
    return len(sentences) > 0 and (isinstance(sentences[0], list | tuple) or hasattr(sentences[0], "tolist"))


def _lines(sentences: Sequence[Any], name: str, tokens: bool) -> Sequence[str]:
    """Return strings as they are, and token lists as lines; refuse what is neither."""
    if tokens:
        return _joined(sentences, name)
    if not {*map(type, sentences)} <= {str}:
        for number, line in enumerate(sentences):
            if not isinstance(line, str):
                raise _no_sentence(line, _place(name, number), "text")
    return sentences


def _side(lines: Sequence[str], name: str, place: int, options: Text) -> Side:
    """Encode lines."""
    # Of lines that are not cut, words stand where spaces say: no need for the places that the encoder would keep.
    cheap = options.keep_text is True and not options.tokenize
    encoder = options._replace(keep_text=options.keep_text and not cheap).encoders((name, name), Cleaner())[
        place
    ]
    for first in range(0, len(lines), LINES_AT_ONCE):
        encoder.add_lines(lines[first : first + LINES_AT_ONCE])
    side = encoder.side()
    return replace(side, originals=Originals.of(line.rstrip("\r\n") for line in lines)) if cheap else side


def _joined(sentences: Sequence[Any], name: str) -> list[str]:
    """Write token lists as lines."""
    lines = []
    for number, sentence in enumerate(_rows(sentences)):
        if not isinstance(sentence, list | tuple):
            raise _no_sentence(sentence, _place(name, number), "a list of tokens")
        for place, token in enumerate(sentence):
            if not isinstance(token, str) or WORD.fullmatch(token) is None:
                where = f"{_place(name, number)}[{place}]"
                raise _no_sentence(token, where, "a token without white space")
        lines.append(" ".join(sentence))
    return lines


def _place(name: str, number: int) -> str:
    """Return what messages call a sentence of a side, or a row of a column."""
    return f"{name}[{number}]" if name in SIDES else f"{name}, row {number}"


def _no_sentence(value: Any, where: str, expected: str) -> InputError:
    """Say what stands where a sentence or a token is wanted, and what can be done."""
    missing = value is None or type(value).__name__ in MISSING or (isinstance(value, float) and isnan(value))
    cure = ""
    if missing:
        cure = "; drop such pairs first, as with dropna() of a DataFrame"
    elif isinstance(value, bytes):
        cure = "; decode it first"
    elif isinstance(value, str) and WORD.search(value):
        cure = "; two lists of sentences are two arguments, as in align(source, target)"
    what = f"a missing value, {value}" if missing else described(value)
    return InputError(f"{where} must be {expected}, got {what}{cure}")
