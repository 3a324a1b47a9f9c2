"""A child process that is sent one JSON line and answers with JSON lines, for an event loop that must never wait."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from burnish_analyzers.errors import BurnishError

_LINE_BYTES = 64 << 20
_POLL_SECONDS = 0.01
_REAP_SECONDS = 2.0


@asynccontextmanager
async def json_lines_process(
    command: Sequence[str], request: Mapping[str, Any], *, grace_seconds: float = 1.0
) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """Start `command` in a session of its own, send it `request`, and give what it answers, object by object.

    Its standard input stays open: end-of-file there tells the child that we are gone. Leaving the block normally gives
    it `grace_seconds` to end by itself. After that, or at once when the block is left by an exception or cancelled, it
    is asked to end (SIGTERM), and killed with its process group `grace_seconds` later. It is reaped on every way out.

    Raises BurnishError if it cannot be started or answers with something else than JSON objects.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=_LINE_BYTES, start_new_session=True
        )
    except OSError as error:
        raise BurnishError(f"{command[0]} does not start ({error.strerror}): install Burnish again.") from error
    try:
        await _send(process, request)
        yield _messages(process)
        await _exited(process, grace_seconds)  # having said all, it tidies up and ends by itself
    finally:
        await _end(process, grace_seconds)


async def _send(process: Process, request: Mapping[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(request).encode() + b"\n")
    with suppress(ConnectionError):  # a child that has ended already is noticed when it answers nothing
        await process.stdin.drain()


async def _messages(process: Process) -> AsyncIterator[dict[str, Any]]:
    assert process.stdout is not None
    try:
        async for line in process.stdout:
            message = json.loads(line)
            if not isinstance(message, dict):
                raise ValueError(f"{type(message).__name__} instead of an object")
            yield message
    except ValueError as error:  # from the JSON, its encoding, or a line without end
        raise BurnishError(f"Burnish's worker answered unintelligibly ({error}): report this as a bug.") from error


async def _end(process: Process, grace_seconds: float) -> None:
    """Reap the child; being cancelled meanwhile only cuts the grace short."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await _exited(process, grace_seconds)
    finally:
        with suppress(ProcessLookupError):  # the group outlives its leader for as long as it has members
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _REAP_SECONDS)


async def _exited(process: Process, seconds: float) -> None:
    # Not `process.wait`, which also waits for the pipes, and a child of the child may hold those open.
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while process.returncode is None:
                await asyncio.sleep(_POLL_SECONDS)
