"""Reading standard input by the event loop."""

from __future__ import annotations

import asyncio
import os
import socket

from burnish.lsp.connection import open_reader


async def test_reads_what_comes_until_the_end_and_leaves_the_descriptor_blocking() -> None:
    ours, theirs = os.pipe()
    reader = open_reader(ours)
    reading = asyncio.create_task(reader.readexactly(200_000))
    await asyncio.to_thread(os.write, theirs, b"x" * 200_000)
    os.close(theirs)
    assert await reading == b"x" * 200_000
    assert await reader.read() == b""
    assert os.get_blocking(ours)
    os.close(ours)


async def test_a_connection_that_is_reset_has_ended() -> None:
    ours, theirs = socket.socketpair()
    ours.send(b"never read")
    theirs.close()
    assert await open_reader(ours.fileno()).read() == b""
    ours.close()
