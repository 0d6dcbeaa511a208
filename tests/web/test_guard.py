"""Who may ask, how often, and what every answer says about itself."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from starlette.exceptions import HTTPException

from cepts.web import aligning, limits
from cepts.web.guard import POLICY, Guard
from cepts.web.limits import USUAL, Job, Limits, Workers, sent_bytes
from tests.web.asking import PAIR, Asking

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

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


OTHERS = [
    "http://evil.example",
    "null",
    "",
    "http://service:81",
    "https://service",
    "http://service.evil.example",
]


@pytest.mark.parametrize("origin", OTHERS)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_page_of_another_site_is_known_by_its_origin(ask: Asking, method: str, origin: str) -> None:
    answer = ask.request(method, "/api/align", json={"pairs": []}, headers={"origin": origin})
    assert (answer.status_code, answer.json()) == (403, {"error": "pages of other sites may not ask here"})
    assert ask.request("GET", "/api/info", headers={"origin": origin}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://service"},
        {"origin": "HTTP://Service"},
        {"origin": "https://service", "x-forwarded-proto": "https"},
        {"origin": "https://a.example", "x-forwarded-proto": "https", "x-forwarded-host": "a.example"},
        {"origin": "https://a.example", "sec-fetch-site": "same-origin"},  # behind a proxy that says nothing
    ],
)
def test_our_own_page_and_programs_may_ask(ask: Asking, headers: dict[str, str]) -> None:
    ask.post("/api/align", {"pairs": []}, headers=headers)


def test_bodies_may_be_compressed(ask: Asking) -> None:
    question = json.dumps({"pairs": [PAIR]}).encode()
    plain = ask.post("/api/align", question)
    for encoding in ("gzip", "GZip", "x-gzip"):
        packed = ask.post("/api/align", gzip.compress(question), headers={"content-encoding": encoding})
        assert packed == plain
    assert ask.post("/api/align", question, headers={"content-encoding": "identity"}) == plain


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_compressed_body_may_come_in_pieces(ask: Asking, size: int) -> None:
    lines = "le chat noir . ||| the black cat .\n" * 20
    packed = gzip.compress(lines.encode())
    headers = {"content-encoding": "gzip", "content-type": "text/plain"}

    async def pieces() -> AsyncIterator[bytes]:
        for first in range(0, len(packed), size):
            yield packed[first : first + size]

    answer = ask.request("POST", "/api/align/text", content=pieces(), headers=headers)
    assert (answer.status_code, answer.text.count("\n")) == (200, 20)


@pytest.mark.parametrize("encoding", ["br", "deflate", "zstd", "gzip, gzip", "\xe9"])
def test_other_encodings_are_refused(ask: Asking, encoding: str) -> None:
    headers = {"content-encoding": encoding.encode("latin-1"), "content-type": "application/json"}
    answer = ask.request("POST", "/api/align", content=b"{}", headers=headers)
    assert answer.json() == {
        "error": f"a body in Content-Encoding {encoding!r}: send it as it is, or in gzip"
    }
    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "gzip")


PACKED = gzip.compress(b'{"pairs": []}', mtime=0)


@pytest.mark.parametrize(
    "body",
    [b"", b'{"pairs": []}', PACKED[:-1], PACKED[:12], PACKED + b"x", PACKED + PACKED, PACKED[:-8] + bytes(8)],
)
def test_damaged_gzip_is_refused(ask: Asking, body: bytes) -> None:
    said = ask.refused("/api/align", body, 400, headers={"content-encoding": "gzip"})
    assert said == "the body is not whole gzip, expected one member, as `gzip` writes"


def test_a_bomb_is_not_unpacked(plain: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    most, unpacked, sizes = 100_000, zlib.decompressobj, []

    class Counted:
        """An unpacker that notes how much came out."""

        def __init__(self, *arguments: int) -> None:
            self.real = unpacked(*arguments)

        def decompress(self, *arguments: Any) -> bytes:
            sizes.append(len(out := self.real.decompress(*arguments)))
            return out

        def __getattr__(self, name: str) -> Any:
            return getattr(self.real, name)

    bomb = gzip.compress(bytes(50_000_000))
    monkeypatch.setattr(zlib, "decompressobj", Counted)
    with Asking.of(plain, replace(USUAL, body_bytes=most)) as ask:
        assert len(bomb) < most
        said = ask.refused("/api/align", bomb, 413, headers={"content-encoding": "gzip"})
    assert said == "the body is larger than 100,000 bytes: send less at a time"
    assert sum(sizes) == most + 1


def test_long_answers_are_compressed_for_those_who_want_it(ask: Asking) -> None:
    question = {"pairs": [PAIR] * 300}
    for pairs, wanted, found in ((300, "gzip", "gzip"), (300, "identity", None), (1, "gzip", None)):
        body = {"pairs": question["pairs"][:pairs]}
        answer = ask.request("POST", "/api/align", json=body, headers={"accept-encoding": wanted})
        assert answer.headers.get("content-encoding") == found
        assert len(answer.json()["results"]) == pairs


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


class Held:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.end = threading.Event()

    def __call__(self) -> None:
        assert self.end.wait(30)


async def queued(workers: Workers, count: int, work: Held) -> list[asyncio.Task[None]]:
    """Let so many requests of 1000 bytes come."""
    sent_bytes.set(1000)
    tasks = [asyncio.create_task(workers.run(work.__call__)) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


def test_who_would_wait_for_too_long_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "monotonic", lambda: 100.0)

    async def crowd() -> None:
        workers = Workers(Limits(working=2, waiting=64, wait_seconds=0.375))
        work = Held()
        kind = ("__call__", (1000).bit_length())
        workers._means[kind] = 0.125  # it took so long of late
        tasks = await queued(workers, 7, work)
        assert workers.taken == 7
        assert workers.expected_wait() == 0.375  # three for one thread, four for the other
        workers._means[kind] = 1.0
        tasks += await queued(workers, 1, work)
        assert workers.busy
        with pytest.raises(HTTPException, match="too many requests at a time"):
            await workers.run(int)
        work.end.set()
        await asyncio.gather(*tasks)
        assert not workers.busy
        assert workers.expected_wait() == 0
        assert workers._means[kind] < 1.0  # learned from what it took now
        workers.close()

    asyncio.run(crowd())


def test_threads_are_not_idle_however_long_requests_take() -> None:
    async def crowd() -> None:
        workers = Workers(Limits(working=2, waiting=64, wait_seconds=0.3))
        work = Held()
        workers._means["__call__", (1000).bit_length()] = 100.0
        tasks = await queued(workers, 3, work)
        assert not workers.busy
        tasks += await queued(workers, 1, work)
        assert workers.busy
        work.end.set()
        await asyncio.gather(*tasks)
        workers.close()

    asyncio.run(crowd())


def test_what_is_late_is_expected_to_take_as_long_again() -> None:
    job = Job(2.0)
    assert job.left(now=50.0) == 2.0
    job.begun = 10.0
    assert [job.left(now) for now in (10.0, 11.5, 12.0, 15.0)] == [2.0, 0.5, 0.0, 3.0]


def test_who_is_sent_away_is_told_before_the_body_is_read(
    plain: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workers, "busy", True)
    with Asking.of(plain) as ask:

        async def never() -> AsyncIterator[bytes]:
            raise AssertionError
            yield b""

        answer = ask.request("POST", "/api/align", content=never())
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
        assert answer.json() == {"error": "too many requests at a time: try again in a second"}
        ask.get("/api/info")


def test_a_mean_is_of_requests_of_about_one_size(plain: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    known = []
    monkeypatch.setattr(Workers, "close", lambda self: known.append(self._means))
    with Asking.of(plain) as ask:
        for pairs in (1, 1, 100):
            ask.post("/api/align", {"pairs": [PAIR] * pairs})
        ask.post("/api/explain", PAIR)
    assert [name for name, _ in known[0]] == ["aligned", "aligned", "explained"]
    assert len({size for _, size in known[0]}) == 3


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
