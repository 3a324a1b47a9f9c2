"""One runner in the project's interpreter, on one copy of the project: asked for one task after the other."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.process import POLL_SECONDS, Cancelled, Command, Supervised
from burnish_analyzers.harness.tasks import Answer

ANSWER_SECONDS = 15.0
LINE_BYTES = 1 << 16
RESULT_BYTES = 512 << 20


class Session:
    """A running runner; a context manager that ends it. `hello` is what it said of the tests that it collected."""

    def __init__(self, command: Command, job: Mapping[str, Any], *, cancelled: Callable[[], bool]) -> None:
        self.work = command.work
        self.cancelled = cancelled
        self.count = 0
        self.waiting = b""
        self.socket, theirs = socket.socketpair()
        with theirs:
            job_file = command.work / "job.json"
            job_file.write_text(json.dumps({**job, "channel": theirs.fileno()}), encoding="utf-8")
            self.supervised = Supervised(command, channel=theirs.fileno())
        self.hello: dict[str, Any] = {}

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """End it with all that it started."""
        self.socket.close()
        self.supervised.end()

    def greet(self, seconds: float) -> None:
        """Wait until the tests are collected. Raises JobError and Cancelled."""
        self.hello = self.receive(seconds)

    def ask(self, task: Mapping[str, Any], seconds: float) -> tuple[Answer, str]:
        """What a task found, as documents, and why it did not end well, or "". Raises JobError and Cancelled.

        `seconds` is how long its own process may take.
        """
        self.count += 1
        result = self.work / f"result{self.count}.jsonl"
        line = json.dumps({**task, "limit": seconds, "result": str(result)}) + "\n"
        try:
            self.socket.sendall(line.encode())
            ended = self.receive(seconds + ANSWER_SECONDS)
            return list(documents(result)), ended["ended"]
        except OSError:
            raise JobError(f"The run in the project's interpreter gave no result: {self.account()}.") from None
        finally:
            result.unlink(missing_ok=True)

    def receive(self, seconds: float) -> dict[str, Any]:
        """The runner's next line."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.waiting:
            if self.cancelled():
                raise Cancelled
            ready, _, _ = select.select([self.socket], [], [], POLL_SECONDS)
            more = self.socket.recv(LINE_BYTES) if ready else None
            if more == b"" or time.monotonic() > deadline:
                raise JobError(f"The run in the project's interpreter gave no result: {self.account()}.")
            self.waiting += more or b""
        line, _, self.waiting = self.waiting.partition(b"\n")
        found = json.loads(line)
        if not isinstance(found, dict):
            raise JobError("The run in the project's interpreter answered unintelligibly; report this as a bug.")
        return found

    def account(self) -> str:
        """Why the runner is gone, for people; ends it if it only is silent."""
        self.supervised.has_ended(1.0)
        return self.supervised.finished().account


def documents(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects in a file, one a line, up to the first line that is none: its writer may have been stopped."""
    if not path.is_file() or path.is_symlink() or path.stat().st_size > RESULT_BYTES:
        return
    with path.open("rb") as file:
        for line in file:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                return
            if not isinstance(found, dict):
                return
            yield found
