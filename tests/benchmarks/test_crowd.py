from __future__ import annotations

import asyncio
from collections import Counter

import crowd

PAIRS = [(f"a{number} b", f"c{number} d") for number in range(300)]


def test_every_client_asks_for_everything_and_times_are_by_status() -> None:
    async def ask() -> tuple[crowd.Times, Counter[str]]:
        seen: Counter[str] = Counter()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while not reader.at_eof():
                try:
                    head = (await reader.readuntil(b"\r\n\r\n")).decode()
                    await reader.readexactly(int(head.partition("Content-Length: ")[2].split("\r")[0]))
                except asyncio.IncompleteReadError:
                    break
                assert f"Host: {address}\r\n" in head
                path = head.split(" ")[1]
                seen[path] += 1
                status = b"429 Too" if path == "/api/explain" else b"200 OK"
                writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 2\r\n\r\n{}")
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            return await crowd.crowd(f"http://{address}/", list(crowd.requests(PAIRS)), 20, 0.5, 0.0), seen

    times, seen = asyncio.run(ask())
    assert set(seen) == {"/api/align", "/api/align/text", "/api/explain", "/api/info"}
    assert {what for what, _ in times.of} == set(crowd.MIX)
    assert (len(times.answered(good=False)), times.failed) == (seen["/api/explain"], 0)
    assert len(times.answered(good=True)) == seen.total() - seen["/api/explain"]
    assert "answered " in crowd.told(times, 0.5)
