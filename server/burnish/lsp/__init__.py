"""The language server. Importing this package is cheap; `serve` imports the rest."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Sequence
from contextlib import suppress


def serve(tcp: tuple[str, int] | None = None, worker_command: Sequence[str] | None = None) -> int:
    """Serve one client over standard input and output, or over `tcp`, until it leaves.

    Gives the exit code: 0 if the client shut the server down properly first, else 1. Raises OSError where it cannot
    listen.
    """
    gc.disable()  # what the imports create stays: searching it for garbage would only delay `initialize`
    from burnish.lsp.connection import serve_stdio, serve_tcp
    from burnish.lsp.server import WORKER_COMMAND, create_language_server

    gc.freeze()
    gc.enable()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("burnish").setLevel(logging.INFO)
    # Below ERROR, pygls logs what it sends and receives, which is the user's code, and every late cancellation.
    logging.getLogger("pygls").setLevel(logging.ERROR)
    server = create_language_server(worker_command or WORKER_COMMAND)
    with suppress(SystemExit):  # how pygls ends at the client's `exit`
        asyncio.run(serve_stdio(server) if tcp is None else serve_tcp(server, *tcp))
    return 0 if server.was_shut_down else 1
