"""`write_phrase_table`: phrase pairs with probabilities, lexical weights, links and counts, as Moses reads them.

Phrase pairs are counted by sorting, with files beside the output for what does not fit into memory (see `sorting`):
by target phrase, which gives the counts of phrase pairs and target phrases, then by source phrase, which gives those
of source phrases and the order of the lines.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager, nullcontext
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError
from cepts.phrases.extraction import check_options
from cepts.phrases.pieces import cut_pieces, read_pieces
from cepts.phrases.tabulating import Wanted, find_phrase_pairs, make_lines
from cepts.storage import atomic_writer, check_writable
from cepts.storage.atomic import beside, cannot_write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from cepts.corpus import Bitext
    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.links import Links
    from cepts.phrases.pieces import Piece

MEMORY = 256 << 20
LEAST_MEMORY = 64 << 10


@checked
class TableCounts(NamedTuple):
    """What a phrase table was made of, and how many entries it has.

    Of the `pairs`, `empty` have no words on a side, and `unwritable` have a word that would break the format: they
    give no phrases. `phrase_pairs` counts each phrase pair as often as it was found, `entries` the lines written.
    `left_out` counts, by reason, what was no pair in the file that was read.
    """

    pairs: int
    empty: int
    unwritable: int
    phrase_pairs: int
    entries: int
    left_out: Mapping[str, int]


@checked
def write_phrase_table(
    bitext: Bitext,
    links: Links,
    output: FilePath | IO[bytes],
    *,
    max_length: int = 7,
    unaligned: str = "edges",
    min_count: int = 1,
    memory: int = MEMORY,
) -> TableCounts:
    """Write the phrase pairs of a bitext and its links for Moses, to a path (also .gz, .xz) or a binary stream.

    `max_length` and `unaligned` are those of `extract`. Phrase pairs that were found less than `min_count` times are
    left out, but counted in all probabilities. `memory` is how many bytes the phrase pairs may take while they are
    counted; what goes beyond is put into files beside the output, which are removed in the end.

    >>> import io
    >>> from cepts.corpus import bitext_from_pairs
    >>> from cepts.links import Links
    >>> bitext = bitext_from_pairs([("la maison", "the house"), ("la", "it")])
    >>> output = io.BytesIO()
    >>> write_phrase_table(bitext, Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)]]), output).entries
    4
    >>> print(output.getvalue().decode().splitlines()[1])
    la ||| it ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1
    """
    wanted = Wanted(max_length, unaligned, min_count, memory)
    return _write(cut_pieces(bitext, links), output, wanted)


@checked
def write_phrase_table_from_files(
    source: FilePath,
    target: FilePath | None,
    links: FilePath,
    output: FilePath | IO[bytes],
    *,
    max_length: int = 7,
    unaligned: str = "edges",
    min_count: int = 1,
    memory: int = MEMORY,
    errors: Errors = "strict",
    tokenize: bool | None = None,
    **reading: Any,
) -> TableCounts:
    """Write the phrase table of two line-aligned files and their links, none of which is ever whole in memory.

    Words have their capitals; the rest is as in `write_phrase_table`. Without a target, the source holds both
    languages; `tokenize` and `reading` (`input_format`, ...) are as in `cepts.read_bitext`. A text that is tokenised is
    in memory as word ids.
    """
    wanted = Wanted(max_length, unaligned, min_count, memory)
    left_out: Counter[str] = Counter()
    counts = _write(read_pieces(source, target, links, errors, left_out, tokenize, **reading), output, wanted)
    return counts._replace(left_out=dict(left_out))


def _write(pieces: Iterator[Piece], output: FilePath | IO[bytes], wanted: Wanted) -> TableCounts:
    """Make the table of pieces that have not been read yet."""
    _check(wanted)
    with _folder_for(output) as folder:
        found = find_phrase_pairs(pieces, folder, wanted)
        entries = 0
        with _opened(output) as stream:
            for text, lines in make_lines(found, folder, wanted):
                stream.write(text)
                entries += lines
    pairs, empty, unwritable, phrase_pairs = found.counts.tolist()
    return TableCounts(pairs, empty, unwritable, phrase_pairs, entries, {})


def _check(wanted: Wanted) -> None:
    """Refuse what cannot be."""
    check_options(wanted.max_length, wanted.unaligned)
    bounds.MIN_COUNT.check("min_count", wanted.min_count)
    if wanted.memory < LEAST_MEMORY:
        raise OptionError(f"memory of {wanted.memory} bytes: expected at least {LEAST_MEMORY} (64K)")


@contextmanager
def _folder_for(output: FilePath | IO[bytes]) -> Iterator[Path]:
    """Make a folder for temporary files, beside the output where that is a file, and remove it always."""
    folder = _beside(Path(output)) if isinstance(output, str | PathLike) else None
    folder = folder or Path(tempfile.mkdtemp(prefix="cepts-"))
    try:
        yield folder
    finally:  # also on Ctrl-C
        shutil.rmtree(folder, ignore_errors=True)


def _beside(path: Path) -> Path | None:
    """Make a folder beside a file that is going to be written; not beside a device or a pipe."""
    check_writable(path)
    if path.exists() and not path.is_file():
        return None
    folder = beside(path)
    try:
        folder.mkdir()
    except OSError as error:
        raise cannot_write(path, error) from error
    return folder


def _opened(output: FilePath | IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    """Open a path so that it appears when it is complete; leave a stream as it is."""
    return atomic_writer(Path(output), True) if isinstance(output, str | PathLike) else nullcontext(output)
