"""A small corpus with all that a corpus can have, and what asks it."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np

from cepts.aligning import Aligner
from cepts.links import Links
from cepts.web.app import create_app
from cepts.web.corpus import Corpus
from cepts.web.corrections import Corrections
from cepts.web.service import Service
from tests.web.pairs import make_bitext

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi import FastAPI

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
    """Asks an application in this process; what it raises is raised here."""

    def __init__(self, app: FastAPI) -> None:
        self.headers: dict[str, str] = {}
        self._loop = asyncio.new_event_loop()
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver")

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = self.headers | more.pop("headers", {})
        return self._loop.run_until_complete(self._client.request(method, path, headers=headers, **more))

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def put(self, path: str, **more: Any) -> httpx.Response:
        return self.request("PUT", path, **more)

    def delete(self, path: str, **more: Any) -> httpx.Response:
        return self.request("DELETE", path, **more)

    def close(self) -> None:
        self._loop.run_until_complete(self._client.aclose())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


@contextmanager
def asking(corpus: Corpus, token: str | None = None) -> Iterator[Client]:
    """Give a client of a server of the corpus, in this process."""
    client = Client(create_app(Service(Aligner(), corpus=corpus, token=token)))
    try:
        yield client
    finally:
        client.close()
        corpus.close()


def put(
    client: Client, line: int, links: list[list[Any]] | None, version: int = 0, by: str | None = None
) -> httpx.Response:
    """Correct a line."""
    body = {"links": links, "version": version} | ({} if by is None else {"by": by})
    return client.put(f"/api/corpus/{line}/correction", json=body)
