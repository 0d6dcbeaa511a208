"""Who may ask, how often, and what every answer says about itself."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from starlette.exceptions import HTTPException

from cepts.web import aligning
from cepts.web.guard import POLICY, Guard
from cepts.web.limits import USUAL, Limits, Workers
from tests.web.asking import PAIR, Asking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.web.service import Service

HOSTS = ["localhost:80", "127.0.0.1:80"]


@pytest.fixture
def guarded(plain: Service) -> Iterator[Asking]:
    """A service with a token, under some names alone."""
    with Asking.of(replace(plain, token="geheim"), hosts=HOSTS) as asking:
        yield asking


def test_headers(ask: Asking) -> None:
    for path in ("/", "/api/info", "/nowhere", "/static/nothing.js"):
        headers = ask.request("GET", path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize("host", ["evil.example", "localhost", "localhost:81", "127.0.0.1.evil:80", ""])
def test_other_hosts_are_refused(guarded: Asking, host: str) -> None:
    said = guarded.get("/api/info", 403, headers={"host": host})["error"]
    assert said == f"not served under the name {host!r}: use the address that `cepts serve` shows"


@pytest.mark.parametrize("host", [*HOSTS, "LocalHost:80"])
def test_own_names_are_not(guarded: Asking, host: str) -> None:
    guarded.get("/api/info", headers={"host": host})


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_sites_may_not_post(ask: Asking, site: str) -> None:
    headers = {"sec-fetch-site": site}
    assert ask.refused("/api/align", {"pairs": []}, 403, headers=headers) == (
        "pages of other sites may not ask here"
    )
    ask.get("/api/info", headers=headers)
    ask.post("/api/align", {"pairs": []}, headers={"sec-fetch-site": "same-origin"})


@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer falsch", "geheim", "Bearer gehei", "Basic geheim"]
)
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_writing_needs_the_token(guarded: Asking, given: str | None, method: str) -> None:
    headers = {"host": HOSTS[0]} | ({} if given is None else {"authorization": given})
    answer = guarded.request(method, "/api/corpus/1/correction", headers=headers)
    assert answer.status_code == 401
    assert answer.json() == {
        "error": "writing needs the token that `cepts serve` shows: Authorization: Bearer TOKEN"
    }
    assert answer.headers["www-authenticate"] == "Bearer"


def test_with_the_token(guarded: Asking) -> None:
    headers = {"host": HOSTS[0], "authorization": "Bearer geheim"}
    assert guarded.request("PUT", "/api/corpus/1/correction", headers=headers).status_code == 404
    assert guarded.get("/api/info", headers={"host": HOSTS[0]})["token_needed"] is True


def test_reading_and_aligning_need_none(guarded: Asking) -> None:
    guarded.post("/api/align", {"pairs": [PAIR]}, headers={"host": HOSTS[0]})


def test_unknown_paths_and_methods(ask: Asking) -> None:
    assert ask.get("/nowhere", 404) == {"error": "not found: GET /nowhere"}
    answer = ask.request("DELETE", "/api/info")
    assert (answer.status_code, answer.json()) == (405, {"error": "method not allowed: DELETE /api/info"})
    assert answer.headers["allow"] == "GET"
    assert ask.get("/api/align", 405)["error"] == "method not allowed: GET /api/align"
    assert ask.get("/api/info/", 404)["error"] == "not found: GET /api/info/"


def test_a_failure_of_ours(
    ask: Asking, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr(aligning, "encoded", fail)
    answer = ask.request("POST", "/api/align", json={"pairs": []})
    assert (answer.status_code, answer.json()) == (
        500,
        {"error": "a failure of ours: please report it, with what was asked"},
    )
    assert "a secret of ours" in caplog.text


def test_who_comes_when_all_places_are_taken(plain: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(*_: object) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(30)
        return {"combine": "posterior", "results": []}

    monkeypatch.setattr(aligning, "aligned", wait)
    with Asking.of(plain, Limits(working=1, waiting=1)) as ask:

        async def crowd() -> list[Any]:
            first = [asyncio.create_task(ask.client.post("/api/align", json={"pairs": []})) for _ in range(2)]
            while not begun.is_set():
                await asyncio.sleep(0.001)
            late = await ask.client.post("/api/align", json={"pairs": []})
            go_on.set()
            return [late, *await asyncio.gather(*first)]

        late, *first = ask.runner.run(crowd())
        assert late.json() == {"error": "too many requests at a time: try again in a second"}
        assert (late.status_code, late.headers["retry-after"]) == (429, "1")
        assert [answer.status_code for answer in first] == [200, 200]
        ask.post("/api/align", {"pairs": []})  # places are free again


def test_a_client_that_leaves_keeps_its_place_until_the_work_is_done() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go_on.wait(30)

    async def leave() -> None:
        workers = Workers(Limits(working=1, waiting=0))
        asked = asyncio.create_task(workers.run(work))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        with pytest.raises(HTTPException, match="too many requests"):
            await workers.run(work)
        go_on.set()
        while workers.taken:
            await asyncio.sleep(0.001)
        await workers.run(int)
        workers.close()

    asyncio.run(leave())


def test_a_body_that_never_comes() -> None:
    async def never() -> Any:
        await asyncio.sleep(60)

    async def take() -> None:
        guard = Guard(None, replace(USUAL, body_seconds=0.01), None, None)  # type: ignore[arg-type]
        with pytest.raises(HTTPException, match="the body took too long to arrive"):
            await guard.limited(never)()

    asyncio.run(take())
