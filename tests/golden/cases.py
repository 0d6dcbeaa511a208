"""Trainings whose results are pinned: every method, every model type, and what else changes the arithmetic.

A case is a text, a recipe, and what is known beforehand. `tools/golden.py` writes the results into `expected/`.
"""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import cepts
from tests.data import find_data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE_PAIRS, REAL_PAIRS = 120, 300  # of the built-in sample, of each corpus in the data folder
SHOWN = 40  # pairs whose links are pinned: the last ones
CORPORA = ("ro-en", "zh-en")

RECIPES: dict[str, dict[str, Any]] = {
    "best": {},
    "fast": {"method": "fast"},
    "bidirectional": {"method": "bidirectional"},
    "cepts": {"method": "cepts"},
    "goutte-2004": {"method": "goutte-2004"},
    "denero-2011": {"method": "denero-2011"},
    "schoenemann-2011": {"method": "schoenemann-2011"},
    "ibm1": {"method": "fast", "model_type": "ibm1"},
    "bi1": {"method": "fast", "model_type": "bi1", "training": "independent"},
    "bihmm": {"method": "fast", "model_type": "bihmm", "training": "independent"},
    "ibm3": {"method": "fast", "model_type": "ibm3", "combine": "grow-diag"},
    "ibm4": {"method": "fast", "model_type": "ibm4", "combine": "grow-diag-final-and"},
    "ibm4-independent": {
        "method": "fast",
        "model_type": "ibm4",
        "training": "independent",
        "combine": "union",
    },
    "hmm-independent": {"method": "fast", "training": "independent", "null_update": "learned"},
    "hmm-pgd": {"method": "fast", "training": "independent", "optimizer": "pgd", "hmm_prior": 0.0},
    "hmm-regularity": {"method": "fast", "training": "independent", "regularity": 0.5, "hmm_prior": 0.0},
    "bihmm-pgd-regularity": {
        "method": "fast",
        "model_type": "bihmm",
        "training": "independent",
        "optimizer": "pgd",
        "regularity": "auto",
        "hmm_prior": 0.0,
    },
    "hmm-forgets": {"method": "fast", "null_state": "forgets"},
    "hmm-renormalised": {"method": "fast", "jump_update": "renormalised"},
    "hmm-gradient": {"method": "fast", "jump_update": "gradient"},
    "hmm-pruned": {"method": "fast", "prune": 1e-3},
    "best-endings": {"families": "endings", "spelling": 0.0, "jump_classes": 1},
    "best-precision": {"precision": 0.9},
    "best-forward": {"direction": "forward"},
    "best-reverse": {"direction": "reverse"},
    "best-intersection": {"combine": "intersection"},
}
REAL = ("best", "fast", "ibm4", "bihmm", "bidirectional", "cepts")


class Case(NamedTuple):
    """A text by its name, and the name of a recipe."""

    text: str
    recipe: str

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"{self.text}-{self.recipe}"


class Result(NamedTuple):
    """What came out: for each pair the links as (source, target, confidence), and its score."""

    links: list[list[tuple[int, int, float]]]
    scores: list[float]


def cases() -> list[Case]:
    """Return all cases, also those whose text is not there."""
    return [
        *(Case("sample", name) for name in (*RECIPES, "best-known", "best-updated", "best-loaded")),
        *(Case(text, name) for text in CORPORA for name in REAL),
    ]


def is_there(case: Case) -> bool:
    """Whether the text of a case is on this machine."""
    return case.text == "sample" or find_data_folder() is not None


def run(case: Case, folder: Path) -> Result:
    """Train and align; `folder` is a place for models."""
    pairs = list(text_of(case.text))
    bitext = cepts.bitext_from_pairs(pairs)
    if case.recipe == "best-known":
        known = cepts.Links.from_pairs([[(0, 0)] if k % 3 == 0 else [] for k in range(len(bitext))])
        aligner = cepts.Aligner().fit(
            bitext, lexicon=[("chat", "cat", 2.0), ("maison", "house")], known_links=known
        )
        found = aligner.align(bitext)
    elif case.recipe == "best-updated":
        half = len(pairs) // 2
        first = cepts.Aligner().fit(cepts.bitext_from_pairs(pairs[:half]))
        aligner = first.updated(cepts.bitext_from_pairs(pairs[half:]))
        found = aligner.align(bitext)
    elif case.recipe == "best-loaded":
        cepts.Aligner().fit(cepts.bitext_from_pairs(pairs[: len(pairs) // 2])).save(folder / "model")
        found = cepts.Aligner.load(folder / "model").align(bitext)
    else:
        found = cepts.Aligner(**RECIPES[case.recipe]).fit(bitext).align(bitext)
    first = len(found.offsets) - 1 - SHOWN
    rows = [range(int(found.offsets[k]), int(found.offsets[k + 1])) for k in range(first, first + SHOWN)]
    links = [
        [(int(found.source[i]), int(found.target[i]), float(found.confidence[i])) for i in row]
        for row in rows
    ]
    assert found.scores is not None
    return Result(links, found.scores[first:].tolist())


def text_of(name: str) -> Iterator[tuple[str, str]]:
    """Return the pairs of a text."""
    if name == "sample":
        source, target, _ = cepts.sample()
        return read_pairs(source, target, SAMPLE_PAIRS)
    data = find_data_folder()
    assert data is not None
    folder = data / "words" / name
    return read_pairs(folder / "train.src.xz", folder / "train.tgt.xz", REAL_PAIRS)


def read_pairs(source: Path, target: Path, most: int) -> Iterator[tuple[str, str]]:
    """Return the first pairs of two files, as they stand."""
    opened = lzma.open if Path(source).suffix == ".xz" else open
    with opened(source, "rt", encoding="utf-8") as left, opened(target, "rt", encoding="utf-8") as right:
        for _, pair in zip(range(most), zip(left, right, strict=True), strict=False):
            yield pair[0].strip(), pair[1].strip()


def written(result: Result) -> str:
    """Write a result, a line for each pair: links with their probability, a TAB, the score.

    >>> written(Result([[(0, 1, 0.5)]], [-1.25]))
    '0-1:0.5\\t-1.25\\n'
    """
    lines = (
        " ".join(f"{source}-{target}:{confidence:.9g}" for source, target, confidence in links)
        + f"\t{score:.9g}\n"
        for links, score in zip(*result, strict=True)
    )
    return "".join(lines)


def parsed(text: str) -> Result:
    """Read what `written` wrote.

    >>> parsed("0-1:0.5\\t-1.25\\n")
    Result(links=[[(0, 1, 0.5)]], scores=[-1.25])
    """
    links, scores = [], []
    for line in text.splitlines():
        row, score = line.split("\t")
        pairs = (field.replace("-", ":", 1).split(":") for field in row.split())
        links.append([(int(source), int(target), float(confidence)) for source, target, confidence in pairs])
        scores.append(float(score))
    return Result(links, scores)
