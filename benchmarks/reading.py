"""How fast text is read: TMX beside lxml's plain streaming parse of the same file, and the other formats.

Everything is made up by a seeded generator: words as frequent as in real text, some segments with codes and entities.
A rate is that of the least CPU time of some runs on one thread; ours includes the encoded words. lxml (of the extra
`bench`) parses unit by unit and clears what it has seen, and takes no text out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus import encode_lines, read_bitext
from goals import Row, add_output, row, speed_report, write_results
from measure import measure
from signature import signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEED = 9
WORDS = 50_000
MARKED = 0.05  # share of pairs with codes and an entity
RUNS = 3
GOAL_TMX, GOAL_WORDS = 50.0, 2.0  # MB and millions of words in a CPU second
PAIRS_IN_A_MEGABYTE = 3000  # about
SMALLER = 5  # the other formats' files are so many times smaller
READ = "import sys; from cepts.corpus import read_bitext; read_bitext(sys.argv[1])"
ABOUT = (
    "Text made up by a seeded generator, words as frequent as in real text; codes and an entity in one of twenty pairs."
    " A rate is bytes, or words, by the least CPU seconds of three runs, on one thread; ours includes encoding the"
    " words. lxml's `iterparse` goes from `tu` to `tu` and clears them, without taking out any text. Peak memory is"
    " that of a fresh process."
)


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write figures and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200, help="of TMX (default: %(default)s)")
    add_output(parser)
    asked = parser.parse_args(arguments)
    encode_lines(["compiled before"])
    with tempfile.TemporaryDirectory() as folder:
        rows = [*tmx_rows(Path(folder), asked.megabytes), *other_rows(Path(folder), asked.megabytes)]
    result = {"rows": rows, "signature": signature(f"{asked.megabytes} MB, seed {SEED}", 1)}
    write_results(asked.output, "reading", result, speed_report("Reading: how fast", ABOUT, result))


def sentences(marked: bool) -> Iterator[tuple[str, str]]:
    """Yield pairs of sentences without end, in XML if they are to be `marked`."""
    random = np.random.default_rng(SEED)
    letters = np.array(list("etaoinshrdlucmfwypvbgkqjxzéèàçüößñ"))
    words = ["".join(random.choice(letters, size)) for size in random.integers(1, 12, WORDS)]
    shares = 1 / np.arange(2, WORDS + 2)
    while True:
        ids = random.choice(WORDS, 1 << 16, p=shares / shares.sum())
        lengths = random.integers(4, 40, 4096)
        ends = np.cumsum(lengths)
        lines = [
            " ".join([words[k] for k in ids[end - size : end]])
            for size, end in zip(lengths, ends, strict=True)
            if end <= len(ids)
        ]
        codes = random.random(len(lines)) < (MARKED if marked else 0)
        lines = [
            f"<bpt i='1'>&lt;b></bpt>{line}<ept i='1'>&lt;/b></ept> &amp; co" if code else line
            for line, code in zip(lines, codes, strict=True)
        ]
        yield from zip(lines[::2], lines[1::2], strict=False)


def write(path: Path, megabytes: float, head: str, pair: str, end: str, marked: bool = False) -> Path:
    """Write pairs, as `pair` has places for them, until a file is as large as wanted."""
    with path.open("w", encoding="utf-8") as file:
        file.write(head)
        pairs = sentences(marked)
        while file.tell() < megabytes * 1e6:
            file.writelines(pair.replace("SOURCE", s).replace("TARGET", t) for s, t in islice(pairs, 1000))
        file.write(end)
    return path


def rate(function: Callable[[], object], amount: float) -> float:
    """Return how much is done in a CPU second: the best of some runs."""
    seconds = []
    for _ in range(RUNS):
        begin = time.process_time()
        function()
        seconds.append(time.process_time() - begin)
    return amount / min(seconds)


def tmx_rows(folder: Path, megabytes: int) -> list[Row]:
    """Measure TMX, ours and lxml's."""
    versions = "".join(
        f'    <tuv xml:lang="{code}"><seg>{side}</seg></tuv>\n'
        for code, side in (("en", "SOURCE"), ("fr", "TARGET"))
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n<header srclang="en"/>\n<body>\n'
    path = write(
        folder / "x.tmx", megabytes, head, f"  <tu>\n{versions}  </tu>\n", "</body>\n</tmx>\n", marked=True
    )
    size = path.stat().st_size / 1e6
    theirs = None
    if importlib.util.find_spec("lxml"):
        theirs = rate(lambda: parse_with_lxml(path), size)
    ours = rate(lambda: read_bitext(path), size)
    goal = GOAL_TMX if theirs is None else min(GOAL_TMX, theirs)
    rows = [row("TMX, read and encoded", ours, "MB in a CPU second", at_least=goal)]
    if theirs is not None:
        rows.append(row("TMX, plain streaming parse by lxml", theirs, "MB in a CPU second"))
        rows.append(row("lxml's CPU seconds by ours", ours / theirs, "times"))
    used = measure([sys.executable, "-c", READ, path])
    rows.append(row(f"peak memory, {size:,.0f} MB of TMX", used.peak_mb, "MB"))
    return rows


def parse_with_lxml(path: Path) -> int:
    """Go through all units and forget them."""
    from lxml import etree

    units = 0
    for _, unit in etree.iterparse(str(path), tag="tu"):
        units += 1
        unit.clear()
        while unit.getprevious() is not None:
            del unit.getparent()[0]
    return units


def other_rows(folder: Path, megabytes: int) -> list[Row]:
    """Measure plain text, and the other formats, on less text."""
    size = megabytes / SMALLER
    sides = [folder / side for side in ("SOURCE", "TARGET")]
    with sides[0].open("w", encoding="utf-8") as left, sides[1].open("w", encoding="utf-8") as right:
        for source, target in islice(sentences(marked=False), int(size * PAIRS_IN_A_MEGABYTE)):
            left.write(source + "\n")
            right.write(target + "\n")
    bitext = read_bitext(*sides)
    words = (len(bitext.source.ids) + len(bitext.target.ids)) / 1e6
    speed = rate(lambda: read_bitext(*sides), words)
    rows = [row("two plain files", speed, "million words in a CPU second", at_least=GOAL_WORDS)]
    xliff = '<xliff version="1.2"><file source-language="en" target-language="fr"><body>\n'
    unit = "<trans-unit><source>SOURCE</source><target>TARGET</target></trans-unit>\n"
    json_pair = json.dumps({"translation": {"en": "SOURCE", "fr": "TARGET"}}) + "\n"
    for name, head, pair, end in (
        ("source ||| target", "", "SOURCE ||| TARGET\n", ""),
        ("JSONL", "", json_pair, ""),
        ("XLIFF", xliff, unit, "</body></file></xliff>\n"),
        ("PO", 'msgid ""\nmsgstr ""\n\n', 'msgid "SOURCE"\nmsgstr "TARGET"\n\n', ""),
    ):
        path = write(folder / "other", size, head, pair, end)
        amount = path.stat().st_size / 1e6
        rows.append(row(name, rate(lambda path=path: read_bitext(path), amount), "MB in a CPU second"))
    return rows


if __name__ == "__main__":
    main()
