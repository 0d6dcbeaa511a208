"""A server that listens: on which address, to whom, and until when."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx
import pytest
import uvicorn

from cepts.errors import ModelError, OptionError
from cepts.web import serving
from cepts.web.app import create_app
from cepts.web.limits import USUAL
from cepts.web.opening import Places, open_service
from cepts.web.serving import Impatient, configured, names_of, open_port
from tests.cli.command import start
from tests.web.asking import PAIR

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cepts.web.service import Service

ADDRESS = re.compile(rb"^serving on (http://(?:127\.0\.0\.1|localhost):\d+/)$", re.M)


@contextmanager
def served(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[bytes], str, str]]:
    """Start `cepts serve` on a free port; give the process, the address, and what was said before."""
    process = start("serve", *arguments, "--port", "0", "--quiet", stdin=subprocess.DEVNULL)
    said = b""
    try:
        assert process.stderr is not None
        while (found := ADDRESS.search(said)) is None:
            line = process.stderr.readline()
            assert line, said
            said += line
        yield process, found[1].decode(), said.decode()
    finally:
        process.kill()
        process.communicate()


def stopped(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """Stop a server, which says nothing more."""
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, b"", b"")


def test_a_server_answers_and_stops_in_good_order(model: Path) -> None:
    with served(model) as (process, address, said):
        assert said == f"serving on {address}\n"
        answer = httpx.post(f"{address}api/align", json={"pairs": [PAIR]}, timeout=60)
        assert [link[:2] for link in answer.json()["results"][0]["links"]] == [[0, 0], [1, 2], [2, 1], [3, 3]]
        assert httpx.get(address).status_code == 200
        assert httpx.get(f"{address}api/info", headers={"host": "evil.example"}).status_code == 403
        assert "server" not in answer.headers
        stopped(process, signal.SIGINT)


def test_elsewhere_than_on_loopback_writing_needs_a_token(model: Path) -> None:
    with served(model, "--host", "0.0.0.0") as (process, address, said):
        first, _ = said.splitlines()
        token = first.removeprefix("writing needs this token: ")
        assert len(token) == 32
        path = f"{address}api/corpus/1/correction"
        assert httpx.put(path, timeout=60).status_code == 401
        assert httpx.put(path, headers={"authorization": f"Bearer {token}"}).status_code == 404
        assert httpx.get(f"{address}api/info", headers={"host": "any.example"}).json()["token_needed"] is True
        stopped(process, signal.SIGTERM)


def test_a_port_in_use() -> None:
    with closing(open_port("127.0.0.1", 0)) as first:
        first.listen()
        port = first.getsockname()[1]
        with pytest.raises(
            OptionError, match=f"cannot serve on 127.0.0.1:{port}: address already in use; give"
        ):
            open_port("127.0.0.1", port)


def test_ports_and_hosts_that_cannot_be() -> None:
    for port in (-1, 65536):
        with pytest.raises(OptionError, match=f"port={port}: expected a number from 0 to 65535"):
            open_port("127.0.0.1", port)
    with pytest.raises(
        OptionError, match=r"host='not a name': .*; give a name or an address of this machine"
    ):
        open_port("not a name", 0)
    with pytest.raises(OptionError, match=r"host=.x{36}\.\.\.: "):
        open_port("x" * 70, 0)
    with pytest.raises(OptionError, match=r"cannot serve on 192.0.2.1:0: "):
        open_port("192.0.2.1", 0)


def test_nobody_can_connect_before_everything_is_loaded() -> None:
    with closing(open_port("127.0.0.1", 0)) as listener, pytest.raises(ConnectionRefusedError):
        socket.create_connection(listener.getsockname(), timeout=5)


def test_names_of_loopback_alone_are_checked() -> None:
    assert names_of("0.0.0.0", 80) is None
    assert sorted(names_of("127.0.0.2", 80) or ()) == sorted(
        name + port for name in ("localhost", "127.0.0.1", "127.0.0.2", "[::1]") for port in ("", ":80")
    )


def test_what_belongs_to_a_text_needs_one(model: Path) -> None:
    for name, value in (("target", "x"), ("links", ("x",)), ("gold", "x"), ("corrections", "x")):
        with pytest.raises(OptionError, match=f"--{name} belongs to a text: give --source"):
            open_service(str(model), Places(**{name: value}))  # type: ignore[arg-type]


def test_models_that_are_none(model: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        open_service(str(tmp_path))
    with pytest.raises(ModelError, match="expected one of names"):
        open_service(str(model), Places(names=str(model)))
    with pytest.raises(ModelError):
        open_service(str(model), Places(similar=str(model)))


def test_everything_is_opened(model: Path, full: Service, tmp_path: Path) -> None:
    assert full.names is not None
    assert full.similar is not None
    full.names.save(tmp_path / "russian")
    full.similar.save(tmp_path / "sentences")
    places = Places(names=str(tmp_path / "russian"), similar=str(tmp_path / "sentences"))
    service = open_service(f"{model}/", places, token="t")
    assert (service.name, service.names_name, service.similar_name) == (
        "sample-model",
        "russian",
        "sentences",
    )
    assert service.token == "t"


def test_who_is_slow_to_ask_is_not_waited_for(plain: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PATIENCE", 0.05)
    app = create_app(plain, replace(USUAL, body_seconds=0.1))
    config = configured(app)
    config.load()

    async def talk(*parts: bytes) -> bytes:
        state = uvicorn.server.ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Impatient(config, state, {}), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        for part in parts:
            writer.write(part)
            await asyncio.sleep(0.02)
        answer = await asyncio.wait_for(reader.read(), 20)
        writer.close()
        server.close()
        return answer

    assert asyncio.run(talk(b"GET /api/info HTTP/1.1\r\n", b"Host: x\r\n")) == b""
    slow = (
        b"POST /api/align HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    )
    answer = asyncio.run(talk(slow))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(b'{"error":"the body took too long to arrive"}')


def test_the_event_loop_need_not_wait_long_for_threads(
    plain: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, seen = sys.getswitchinterval(), []
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: seen.append(sys.getswitchinterval()))
    serving.serve(plain, open_port("127.0.0.1", 0))
    assert seen == [pytest.approx(0.0005)]
    assert sys.getswitchinterval() == before
