"""`Corpus`: aligned text that people look at and correct, pair by pair."""

from __future__ import annotations

import os
from collections import Counter
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.corpus import read_bitext
from cepts.corpus.files import STDIN, shown
from cepts.errors import OptionError
from cepts.evaluation.counting import count
from cepts.links.fitting import check_fit
from cepts.links.links import Links
from cepts.links.reading import read_fitting
from cepts.links.text import text_of
from cepts.links.whitespace import links_to_whitespace
from cepts.web.browsing import Table, Wanted
from cepts.web.corrections import Corrections

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.aligning import Aligner
    from cepts.corpus import Bitext
    from cepts.corpus.files import FilePath
    from cepts.links import Link
    from cepts.links.text import Text
    from cepts.web.corrections import Correction

MOST_ALIGNMENTS = 2
MODEL = "model"
LONGEST_SHOWN = 1000  # characters of a line in a list of many


class Found(NamedTuple):
    """The pairs that a query found: how many, and some of them."""

    matching: int
    items: list[dict[str, Any]]


class Corpus:
    """A bitext that was read with its text kept, one or two alignments of it, and perhaps gold links and scores.

    All that queries need is made once, as arrays; corrections are kept in `corrections`. The first alignment is the
    main one, which is corrected. Lines count from 1.
    """

    def __init__(
        self,
        bitext: Bitext,
        alignments: Mapping[str, Links],
        gold: Links | None = None,
        scores: NDArray[np.float64] | None = None,
        corrections: Corrections | None = None,
    ) -> None:
        lengths = bitext.source.lengths, bitext.target.lengths
        for title, links in [*alignments.items(), *([] if gold is None else [("gold", gold)])]:
            check_fit(links, *lengths, title)
        self.bitext = bitext
        self.text = kept_text(bitext)
        self.alignments = dict(alignments)
        self.main = next(iter(self.alignments.values()))
        self.gold = gold
        self._in_gold = np.zeros(len(bitext), np.bool_) if gold is None else np.diff(gold.offsets) > 0
        self.table = Table(bitext, scores, self._errors(), self._different())
        self.corrections = Corrections(None, bitext) if corrections is None else corrections

    @classmethod
    def open(
        cls,
        source: FilePath,
        target: FilePath | None,
        aligner: Aligner,
        *,
        links: Sequence[FilePath] = (),
        gold: FilePath | None = None,
        corrections: FilePath | None = None,
        **reading: Any,
    ) -> Corpus:
        """Open a text as the aligner wants its words, and what belongs to it; without `links`, the aligner makes them.

        Gold may end before the text does. `reading` is what `read_bitext` takes besides. Where the main links have no
        scores, the aligner scores the text.
        Corrections are kept in a file beside the source, unless they have a file of their own or there is no room.
        """
        if len(links) > MOST_ALIGNMENTS:
            raise OptionError(
                f"--links: {len(links)} alignments, expected at most {MOST_ALIGNMENTS} to compare"
            )
        bitext = read_bitext(source, target, keep_text="decoded", **aligner.text._asdict(), **reading)
        name = shown(source)
        tokens, spaced = bitext, aligner.text.to_whitespace
        bitext = tokens.between_spaces() if spaced else tokens
        found = {
            title: read_fitting(os.fspath(path), bitext, name)
            for title, path in zip(titles(links), links, strict=True)
        }
        if not found:
            linked = aligner.align(tokens)
            found = {MODEL: links_to_whitespace(linked, tokens) if spaced else linked}
        right = None if gold is None else read_fitting(os.fspath(gold), bitext, name, beginning=True)
        kept = open_corrections(corrections, source, bitext, name)
        scores = next(iter(found.values())).scores
        return cls(bitext, found, right, aligner.scores(tokens) if scores is None else scores, kept)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.bitext)

    def close(self) -> None:
        """Let other processes write the file of corrections."""
        self.corrections.close()

    def info(self) -> dict[str, Any]:
        """Describe the corpus in short."""
        return {
            "pairs": len(self),
            "gold": self.gold is not None,
            "alignments": list(self.alignments),
            "writable": self.corrections.writable,
            "corrected": len(self.corrections),
        }

    def find(self, order: str, wanted: Wanted, offset: int, limit: int) -> Found:
        """Return some of the pairs that are wanted, in an order."""
        found = self.table.found(order, wanted, self.corrections.corrected)
        return Found(len(found), [self._item(k) for k in found[offset : offset + limit].tolist()])

    def pair(self, line: int) -> dict[str, Any]:
        """Return all that there is to see of a line."""
        k = line - 1
        correction = self.corrections.get(line)
        return {
            "line": line,
            "pairs": len(self),
            "source_words": self.text.source.words(k),
            "target_words": self.text.target.words(k),
            "score": self._score(k),
            "alignments": {name: _confident(links[k]) for name, links in self.alignments.items()},
            "gold": self._gold(k),
            "correction": None if correction is None else told(correction),
            "version": self.corrections.version(line),
            "aer": self._pair_errors(k, correction),
            "neighbours": {
                "previous": line - 1 if line > 1 else None,
                "next": line + 1 if line < len(self) else None,
            },
        }

    def _item(self, k: int) -> dict[str, Any]:
        """Return what a list shows of a pair."""
        correction = self.corrections.get(k + 1)
        different = -1 if self.table.different is None else int(self.table.different[k])
        return {
            "line": k + 1,
            "source": shortened(self.text.source.lines[k]),
            "target": shortened(self.text.target.lines[k]),
            "score": self._score(k),
            "links": int(self.main.offsets[k + 1] - self.main.offsets[k]),
            "aer": self._main_error(k, correction),
            "different": None if different < 0 else different,
            "corrected": correction is not None,
        }

    def _score(self, k: int) -> float | None:
        """Return a pair's score, if it has one."""
        return None if self.table.scores is None else rounded(float(self.table.scores[k]))

    def _gold(self, k: int) -> list[list[Any]] | None:
        """Return the gold links of a pair, if it has any."""
        if self.gold is None or not self._in_gold[k]:
            return None
        return [[link.source, link.target, "S" if link.sure else "P"] for link in self.gold[k]]

    def _main_error(self, k: int, correction: Correction | None) -> float | None:
        """Return the error rate of a pair's main alignment."""
        if self.table.errors is not None:
            return rounded(float(self.table.errors[k]))
        errors = self._pair_errors(k, correction)
        return None if errors is None else next(iter(errors.values()))

    def _pair_errors(self, k: int, correction: Correction | None) -> dict[str, float] | None:
        """Return the error rates of a pair's alignments, against gold or what was put right."""
        if self.gold is not None and self._in_gold[k]:
            right = self.gold.part(k, k + 1)
        elif self.gold is None and correction is not None and correction.links is not None:
            right = Links.from_pairs([[(i, j, 1.0, sure) for i, j, sure in correction.links]])
        else:
            return None
        errors = {name: count(links.part(k, k + 1), right).aer() for name, links in self.alignments.items()}
        return {name: round(float(error[0]), 4) for name, error in errors.items()}

    def _errors(self) -> NDArray[np.float64] | None:
        """Return the error rate of each pair that has gold links."""
        if self.gold is None:
            return None
        return np.where(self._in_gold, count(self.main, self.gold).aer(), np.nan)

    def _different(self) -> NDArray[np.int32] | None:
        """Count, for each pair, the links that one of two alignments has; or too many and missing ones against gold.

        -1 for a pair without gold links.
        """
        if len(self.alignments) > 1:
            first, second = self.alignments.values()
            counts = count(first, second)
            return (counts.links + counts.possible - 2 * counts.links_in_possible).astype(np.int32)
        if self.gold is None:
            return None
        counts = count(self.main, self.gold)
        wrong = counts.links - counts.links_in_possible + counts.sure - counts.links_in_sure
        return np.where(self._in_gold, wrong, -1).astype(np.int32)


def kept_text(bitext: Bitext) -> Text:
    """Return a bitext's lines and words as they stand."""
    source, target = bitext.source.originals, bitext.target.originals
    text = text_of(bitext, None if source is None or target is None else (source, target))
    assert text is not None
    return text


def titles(paths: Iterable[FilePath]) -> list[str]:
    """Name files by the last part of their paths, or by more where that is the same.

    >>> titles(["a/links", "b/links", "c"]), titles(["x", "x"])
    (['a/links', 'b/links', 'c'], ['x', 'x (2)'])
    """
    given = [shown(path) for path in paths]
    last = [Path(path).name or path for path in given]
    names = [short if last.count(short) == 1 else path for short, path in zip(last, given, strict=True)]
    seen: Counter[str] = Counter()
    for place, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[place] = f"{name} ({seen[name]})"
    return names


def open_corrections(path: FilePath | None, source: FilePath, bitext: Bitext, name: str) -> Corrections:
    """Open corrections in a file, or beside the source file; there are none to save for standard input alone."""
    if path is not None:
        return Corrections(os.fspath(path), bitext, name)
    if os.fspath(source) == STDIN:
        return Corrections(None, bitext, name)
    return Corrections.beside(os.fspath(source), bitext, name)


def told(correction: Correction) -> dict[str, Any]:
    """Return a correction as it is sent."""
    links = [[i, j, "S" if sure else "P"] for i, j, sure in correction.links or ()]
    return {
        "links": links,
        "version": correction.version,
        "by": correction.by,
        "saved": correction.saved,
    }


def rounded(number: float) -> float | None:
    """Return a number as it is sent, None if JSON has no such number."""
    return round(number, 4) if isfinite(number) else None


def shortened(line: str) -> str:
    """Cut a line that no list could show."""
    return line if len(line) <= LONGEST_SHOWN else line[:LONGEST_SHOWN] + "…"


def _confident(links: Iterable[Link]) -> list[list[float]]:
    """Return links with their confidences."""
    return [[link.source, link.target, round(link.confidence, 4)] for link in links]
