"""A small corpus with all that a corpus can have, and what asks it."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.aligning import Aligner
from cepts.links import Links
from cepts.web.corpus import Corpus
from cepts.web.corrections import Corrections
from cepts.web.service import Service
from tests.web.asking import Asking
from tests.web.pairs import make_bitext

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

FIRST = [
    [(0, 0, 0.9), (1, 1, 0.8), (2, 2), (3, 3)],
    [(0, 0)],
    [],
    [(0, 0), (1, 1), (5, 5, 0.25)],
    [(0, 0)],
    [(0, 0), (1, 1), (2, 2)],
]
SECOND = [
    [(0, 0), (1, 1), (2, 2), (3, 3)],
    [(0, 0), (1, 1)],
    [],
    [(0, 0)],
    [(1, 1)],
    [(0, 0), (1, 2), (2, 1)],
]
GOLD = [
    [(0, 0), (1, 1), (2, 2), (3, 3, 1.0, False)],
    [(0, 0), (1, 1)],
    [],
    [(0, 0), (1, 1), (5, 5)],
    [],
    [(0, 0), (1, 2), (2, 1)],
]
SCORES = [-1.0, -3.5, np.nan, -2.0, -3.5, -2.5]


def make_corpus(
    path: Path | str | None = None, *, two: bool = True, gold: bool = True, scores: bool = True
) -> Corpus:
    """Make the corpus, with a file for corrections or without."""
    bitext = make_bitext()
    alignments = {"first": Links.from_pairs(FIRST)} | ({"second": Links.from_pairs(SECOND)} if two else {})
    return Corpus(
        bitext,
        alignments,
        Links.from_pairs(GOLD) if gold else None,
        np.array(SCORES) if scores else None,
        Corrections(path, bitext),
    )


class Client:
    """Asks a service of a corpus, in this process."""

    def __init__(self, asking: Asking) -> None:
        self.headers: dict[str, str] = {}
        self._asking = asking

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = self.headers | more.pop("headers", {})
        return self._asking.request(method, path, headers=headers, **more)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def put(self, path: str, **more: Any) -> httpx.Response:
        return self.request("PUT", path, **more)

    def delete(self, path: str, **more: Any) -> httpx.Response:
        return self.request("DELETE", path, **more)


@contextmanager
def asking(corpus: Corpus, token: str | None = None) -> Iterator[Client]:
    """Serve a corpus, until all is asked; then it is closed."""
    with closing(corpus), Asking.of(Service(Aligner(), corpus=corpus, token=token)) as open_service:
        yield Client(open_service)


def put(
    client: Client, line: int, links: list[list[Any]] | None, version: int = 0, by: str | None = None
) -> httpx.Response:
    """Correct a line."""
    body = {"links": links, "version": version} | ({} if by is None else {"by": by})
    return client.put(f"/api/corpus/{line}/correction", json=body)
