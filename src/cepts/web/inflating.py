"""Bodies that are sent compressed: unpacked as they come, and never more of them than is wanted."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from starlette.types import Message, Receive

PLAIN = (b"", b"identity")
PACKED = (b"gzip", b"x-gzip")
GZIP = 16 + zlib.MAX_WBITS  # with its header, and the checksum behind
CLOSE = {"Connection": "close"}
DAMAGED = "the body is not whole gzip, expected one member, as `gzip` writes"


def inflated(receive: Receive, most: int, too_large: HTTPException) -> Receive:
    """Unpack a body of gzip piece by piece; `too_large` is raised as soon as there are more than `most` bytes."""
    unpacker = zlib.decompressobj(GZIP)
    taken = 0

    async def receive_some() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] != "http.request" or (unpacker.eof and not message.get("body")):
            return message
        try:
            body = unpacker.decompress(
                message.get("body", b""), most - taken + 1
            )  # one more tells of the rest
        except zlib.error:
            raise HTTPException(400, DAMAGED, CLOSE) from None
        taken += len(body)
        if taken > most:
            raise too_large
        if unpacker.unused_data or not (unpacker.eof or message.get("more_body", False)):
            raise HTTPException(400, DAMAGED, CLOSE)
        return {**message, "body": body}

    return receive_some
