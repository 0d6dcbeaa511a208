"""What a run starts from: a corpus with gold links in front, and the machine that it runs on."""

from __future__ import annotations

import os
import sys
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from cepts import Bitext, Links, __version__, read_bitext, read_links
from cepts.errors import InputError
from paper_tables.meter import Moment

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))  # corpora and machine are as there

from corpora import build_corpus, data_home
from signature import processor


class Corpus(NamedTuple):
    """Scored pairs first, then training pairs; gold links of the first; sizes, and the seconds of reading."""

    bitext: Bitext
    gold: Links
    facts: dict[str, Any]


def data_folder(name: str) -> Path:
    """Return a folder of the data."""
    folder = data_home() / name
    if not folder.is_dir():
        raise InputError(f"no data in {folder}; set CEPTS_DATA to the folder that holds {name}/")
    return folder


def read_corpus(name: str, part: str, pairs: int | None) -> Corpus:
    """Read a part and the first training pairs behind it (None: all)."""
    begin = Moment.now()
    with tempfile.TemporaryDirectory(prefix="cepts-experiment-") as folder:
        made = build_corpus(name, part, pairs, Path(folder))
        bitext = read_bitext(made.source, made.target)
    gold = read_links(StringIO(made.gold), made.scored)
    facts = {
        "scored": made.scored,
        "pairs": made.pairs,
        "source_words": made.source_words,
        "target_words": made.target_words,
        "read_seconds": round(Moment.now().since(begin).wall, 3),
    }
    return Corpus(bitext, gold, facts)


def made_with(threads: int) -> dict[str, Any]:
    """Say which version ran, on what."""
    return {
        "cepts": __version__,
        "threads": threads,
        "machine": f"{processor()}, {os.cpu_count()} cores",
    }
