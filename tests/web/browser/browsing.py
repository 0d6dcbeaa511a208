"""A real Chromium, a real server in a thread, and pages that are watched while a test uses them."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from tests.chromium import HEIGHT, WIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

    from cepts.web.service import Service

PATIENCE = 30  # seconds for a server to start, or for a page to show something


@contextmanager
def served(service: Service) -> Iterator[str]:
    """Serve at a free port, in a thread; yield the address."""
    import uvicorn

    from cepts.web.app import create_app
    from cepts.web.serving import configured, names_of, open_port

    listener = open_port("127.0.0.1", 0)
    port = listener.getsockname()[1]
    listener.listen()
    server = uvicorn.Server(configured(create_app(service, hosts=names_of("127.0.0.1", port))))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()


class Visitor:
    """Opens pages of a server, and notes what none of them may do: errors, and requests to other hosts."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.expected: list[str] = []  # parts of errors that a test provokes
        self._troubles: list[str] = []
        self._contexts: list[Any] = []

    def open(self, path: str = "", **query: str) -> Page:
        """Open an address such as `#align`, its query given by name."""
        context = self.browser.new_context(
            viewport={"width": WIDE, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
        )
        context.set_default_timeout(1000 * PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self._troubles.append(f"error: {error}"))
        page.on(
            "dialog", lambda dialog: self._troubles.append(f"dialog: {dialog.message}") or dialog.dismiss()
        )
        page.on("request", self._note_request)
        page.goto(f"{self.address}{path}{'?' + urlencode(query) if query else ''}")
        page.wait_for_selector("#main h1")
        return page

    def troubles(self) -> list[str]:
        """What happened that no test has expected."""
        return [trouble for trouble in self._troubles if not any(part in trouble for part in self.expected)]

    def leave(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._troubles.append(f"console {message.type}: {message.text}")

    def _note_request(self, request: Request) -> None:
        if urlsplit(request.url).scheme not in ("data", "blob") and not request.url.startswith(self.address):
            self._troubles.append(f"request to another host: {request.url}")
