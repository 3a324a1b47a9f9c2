"""Standard input and output as the server's connection, without pygls' thread that blocks in `readline`.

That thread would keep the process alive after SIGTERM until the editor writes one more line, and each of its wake-ups
delays a request.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from threading import Event

from pygls.io_ import StdoutWriter, run_async
from pygls.server import JsonRPCServer

_CHUNK_BYTES = 1 << 16


def start_stdio(server: JsonRPCServer) -> None:
    """Serve until the client closes standard input; SystemExit at its `exit`. Every task is over then."""
    asyncio.run(_serve(server))


async def _serve(server: JsonRPCServer) -> None:
    server.protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    with suppress(asyncio.IncompleteReadError):  # the client died within a message
        await run_async(
            stop_event=Event(),
            reader=open_reader(sys.stdin.fileno()),
            protocol=server.protocol,
            error_handler=server.report_server_error,
        )


def open_reader(descriptor: int) -> asyncio.StreamReader:
    """What comes in at a pipe, a socket or a terminal, read by the running loop."""
    # Not `connect_read_pipe`: it makes the descriptor non-blocking, and with it whatever shares it, maybe our output.
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()

    def read() -> None:
        try:
            data = os.read(descriptor, _CHUNK_BYTES)
        except OSError:  # a socket whose other end died before it had read everything
            data = b""
        if data:
            reader.feed_data(data)
        else:
            loop.remove_reader(descriptor)
            reader.feed_eof()

    loop.add_reader(descriptor, read)
    return reader
