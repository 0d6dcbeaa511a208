"""The page's files: read once, answered from memory. No path of a request reaches the file system."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FOLDERS = ("cepts.views", "cepts.web")  # each has a folder `static`; of equal names the last one's is taken
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
}
INDEX, MAIN = "index.html", "main.js"
MAIN_TAG = b'  <script type="module"'
IMPORTED = re.compile(rb'^import (?:[^"\n]* from )?"\./([^"\n]+)";', re.MULTILINE)


class Page(NamedTuple):
    """A file as it is sent."""

    content: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, content: bytes, kind: str) -> Page:
        """Make a page, tagged by its content."""
        return cls(content, kind, f'"{hashlib.sha256(content).hexdigest()[:20]}"')

    def answer(self, request: Request) -> Response:
        """Send the file, or say that the browser has it already."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.content, media_type=self.kind, headers=headers)


def router() -> APIRouter:
    """Serve the page at / and what belongs to it under /static/."""
    pages: dict[str, Page] = {}
    for package in FOLDERS:
        pages |= _read(files(package) / "static")
    pages[INDEX] = Page.of(_with_modules(pages), pages[INDEX].kind)
    routes = APIRouter(include_in_schema=False)

    @routes.api_route("/", methods=["GET", "HEAD"])
    async def index(request: Request) -> Response:
        return found(INDEX, request)

    @routes.api_route("/static/{name:path}", methods=["GET", "HEAD"])
    async def static(name: str, request: Request) -> Response:
        return found(name, request)

    def found(name: str, request: Request) -> Response:
        if name not in pages:
            raise HTTPException(404, f"there is no page {name!r}")
        return pages[name].answer(request)

    return routes


def _read(folder: Traversable, before: str = "") -> dict[str, Page]:
    """Read all files of a folder and of those within, by their path below it."""
    pages: dict[str, Page] = {}
    for entry in folder.iterdir() if folder.is_dir() else ():
        name = f"{before}{entry.name}"
        if entry.is_dir():
            pages |= _read(entry, f"{name}/")
        elif (kind := TYPES.get(name.rpartition(".")[2])) is not None:
            pages[name] = Page.of(entry.read_bytes(), kind)
    return pages


def _with_modules(pages: dict[str, Page]) -> bytes:
    """Name in the page all modules that it begins with: a browser then asks for all at once, not level by level."""
    modules = [MAIN]
    for name in modules:
        found = (each.decode() for each in IMPORTED.findall(pages[name].content))
        modules += [each for each in dict.fromkeys(found) if each not in modules]
    links = "".join(f'  <link rel="modulepreload" href="/static/{name}">\n' for name in modules[1:])
    return pages[INDEX].content.replace(MAIN_TAG, links.encode() + MAIN_TAG)
