"""The server's connection: standard input and output, or one client on a TCP port.

pygls' own reads standard input in a thread, which delays each request and would keep the process alive after SIGTERM
until the editor writes one more line. On TCP it goes on for ever when the client dies at the wrong moment.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import closing, suppress
from threading import Event
from typing import TYPE_CHECKING

from pygls.io_ import StdoutWriter, run_async
from pygls.server import JsonRPCServer

if TYPE_CHECKING:
    from pygls.io_ import AsyncReader, AsyncWriter, Writer

logger = logging.getLogger(__name__)

_CHUNK_BYTES = 1 << 16


async def serve_stdio(server: JsonRPCServer) -> None:
    """Serve until the client closes standard input; SystemExit at its `exit`."""
    await _serve(server, open_reader(sys.stdin.fileno()), StdoutWriter(sys.stdout.buffer))


async def serve_tcp(server: JsonRPCServer, host: str, port: int) -> None:
    """Serve the first client that connects until it leaves; SystemExit at its `exit`. Raises OSError."""
    client: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    client = asyncio.get_running_loop().create_future()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if client.done():
            writer.close()
        else:
            client.set_result((reader, writer))

    listener = await asyncio.start_server(connected, host, port)
    logger.info("Listening on %s port %s.", *listener.sockets[0].getsockname()[:2])
    reader, writer = await client
    listener.close()
    with closing(writer):
        await _serve(server, reader, writer)


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


async def _serve(server: JsonRPCServer, reader: AsyncReader, writer: AsyncWriter | Writer) -> None:
    server.protocol.set_writer(writer)
    with suppress(asyncio.IncompleteReadError, ConnectionError):  # the client died
        await run_async(
            stop_event=Event(),
            reader=reader,
            protocol=server.protocol,
            error_handler=server.report_server_error,
        )
