"""The server on a TCP port: one client, and nothing is left when it goes."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from tests.end_to_end.language_server.conftest import FAKE_WORKER, PATIENCE_SECONDS, Editor, capabilities, is_running

pytestmark = pytest.mark.end_to_end

SERVE = "import sys; from burnish.lsp import serve; sys.exit(serve(('127.0.0.1', int(sys.argv[1])), sys.argv[2:]))"
URI = "file:///work/code.py"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def connected(editor: Editor, port: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                return await editor.start_tcp("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("leaves", ["politely", "at once"])
async def test_serves_one_client_and_ends_with_it(tmp_path: Path, leaves: str) -> None:
    port, editor = free_port(), Editor()
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", SERVE, str(port), sys.executable, str(FAKE_WORKER), cwd=tmp_path
    )
    try:
        await connected(editor, port)
        await editor.open_session(capabilities())
        editor.settings = lambda uri: {"fake": {"hang": "burn", "pids": str(tmp_path / "pids")}}
        editor.open(URI, "def f(x):\n    return x\n")
        job = await editor.refine(URI, (0, 5))
        await editor.until(lambda: len(editor.progress[job]) > 1)
        workers = [int(line) for line in (tmp_path / "pids").read_text().split()]
        if leaves == "politely":
            await editor.shutdown_async(None)
            editor.exit(None)
        else:
            editor.protocol.writer.transport.abort()
        async with asyncio.timeout(3):
            assert await server.wait() == (0 if leaves == "politely" else 1)
            while any(map(is_running, workers)):
                await asyncio.sleep(0.01)
        await editor.stop()
    finally:
        if server.returncode is None:
            server.kill()
            await server.wait()
