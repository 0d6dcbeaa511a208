"""The page's files come from memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cepts.web.pages import TYPES

if TYPE_CHECKING:
    from tests.web.asking import Asking


def test_the_page(ask: Asking) -> None:
    answer = ask.request("GET", "/")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.text.startswith("<!doctype html>")
    assert ask.request("GET", "/static/index.html").text == answer.text
    head = ask.request("HEAD", "/")
    assert (head.status_code, head.content) == (200, b"")


def test_the_page_names_all_modules_that_it_begins_with(ask: Asking) -> None:
    named = re.findall('<link rel="modulepreload" href="/static/([^"]+)">', ask.request("GET", "/").text)
    assert len(named) == len(set(named))
    imported = {
        name
        for module in ("main.js", *named)
        for name in re.findall(
            r'from "\./(.*?)"|import "\./(.*?)"', ask.request("GET", f"/static/{module}").text
        )
    }
    assert {"".join(names) for names in imported} == set(named)
    assert "align.js" in named
    assert "corpus_list.js" not in named  # comes when it is wanted


def test_what_the_browser_has_is_not_sent_again(ask: Asking) -> None:
    first = ask.request("GET", "/")
    again = ask.request("GET", "/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = ask.request("GET", "/", headers={"if-none-match": '"other"'})
    assert other.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/index.html%00",
        "/static/index.html/",
        "/static/%ff",
        "/etc/passwd",
        "/app.py",
    ],
)
def test_nothing_else_is_sent(ask: Asking, path: str) -> None:
    assert "error" in ask.get(path, 404)


def test_types_are_of_text_or_pictures() -> None:
    assert all(kind.startswith(("text/", "image/", "application/json")) for kind in TYPES.values())
