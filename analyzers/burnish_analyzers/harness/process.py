"""Runs one command under limits and cancellation, and leaves no process behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from burnish_analyzers.errors import JobError

# Isolated and without site-packages: it starts at once, and nothing of the project's can reach it.
SUPERVISOR = (
    *(sys.executable, "-I", "-S", "-c"),
    f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r}); "
    "from burnish_analyzers.harness.supervisor.main import main; main()",
)
POLL_SECONDS = 0.05
OUTPUT_BYTES = 256 << 20  # as much as a file may hold
TOO_MUCH = {
    "processes": "it started too many processes",
    "memory": "it took too much memory",
    "disk": "it wrote too much",
}


class Cancelled(Exception):  # noqa: N818 - the field's word for it, and no error
    """The user or the editor ended the work."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one command may use; `memory_bytes` and `file_bytes` are for each process and each file."""

    seconds: float = 120.0
    memory_bytes: int = 4 << 30
    total_memory_bytes: int = 8 << 30
    file_bytes: int = 256 << 20
    disk_bytes: int = 2 << 30
    processes: int = 256


@cache
def protections() -> tuple[str, ...]:
    """What this machine grants to keep commands in bounds, beside limits: "namespaces", "landlock", "seccomp"."""
    finished = subprocess.run(
        SUPERVISOR, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, start_new_session=True
    )
    return tuple(json.loads(finished.stdout))


@dataclass(frozen=True, kw_only=True)
class Finished:
    """How a command ended. `exit_code` is 128 and the number for a signal, None where it was stopped by `reason`."""

    reason: Literal["exited", "time", "processes", "memory", "disk", "cancelled"]
    exit_code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    cpu_seconds: float
    peak_bytes: int

    @property
    def account(self) -> str:
        """Why it did not end by itself with 0, for people."""
        if self.reason == "cancelled":
            return "it did not answer any more"
        if self.reason == "time":
            return f"it was stopped after {self.seconds:.0f} s"
        if self.reason != "exited":
            return f"it was stopped because {TOO_MUCH[self.reason]}"
        last = self.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"it ended with exit code {self.exit_code}" + (f": {last[0][:300]}" if last else "")


@dataclass(frozen=True, kw_only=True)
class Command:
    """What to run, and what it may touch. `work` is a folder of ours that takes its output, and all that it may write.

    Beside it and the system's own programs it reads only `readable`, where this machine grants that. `places` show a
    folder under `work` at another path too, where namespaces are granted: (the folder, the path).
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    work: Path
    limits: Limits
    readable: tuple[Path, ...]
    places: tuple[tuple[Path, Path], ...] = ()
    stdin: Path | None = None


def run(command: Command, cancelled: Callable[[], bool]) -> Finished:
    """Run a command under the supervisor to its end. The process tree is gone on every way out.

    Raises Cancelled when `cancelled()` turns true, JobError if somebody ended the supervisor.
    """
    with Supervised(command) as supervised:
        while not supervised.has_ended(POLL_SECONDS):
            if cancelled():
                raise Cancelled
        return supervised.finished()


class Supervised:
    """A command under its supervisor; a context manager that leaves no process behind.

    `channel` is a socket that the command inherits, for a runner to be spoken with.
    """

    def __init__(self, command: Command, channel: int | None = None) -> None:
        self.work = command.work
        self.answer: bytes | None = None
        spec = {
            "argv": command.argv,
            "cwd": str(command.cwd),
            "env": dict(command.env),
            "stdin": str(command.stdin or "/dev/null"),
            "stdout": str(command.work / "stdout"),
            "stderr": str(command.work / "stderr"),
            "channel": channel,
            "protections": protections(),
            "readable": with_targets(command.readable),
            "writable": with_targets([command.work]),
            "places": [[str(folder), str(path)] for folder, path in command.places],
            **asdict(command.limits),
        }
        self.process = subprocess.Popen(
            [*SUPERVISOR, json.dumps(spec)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a terminal's Ctrl-C is ours to act on
            pass_fds=[] if channel is None else [channel],
        )

    def __enter__(self) -> Supervised:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def has_ended(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """End whatever still runs."""
        if self.answer is None:
            assert self.process.stdin is not None and self.process.stdout is not None
            self.process.stdin.close()  # the lifeline
            self.process.wait()
            with self.process.stdout:
                self.answer = self.process.stdout.read()

    def finished(self) -> Finished:
        """How it ended, or was ended now. Raises JobError if somebody ended the supervisor."""
        self.end()
        if not self.answer:
            raise JobError("The process that watched over a run was ended from outside; try again.")
        outcome = json.loads(self.answer)
        return Finished(
            reason=outcome["reason"],
            exit_code=outcome.get("exit_code"),
            stdout=tail(self.work / "stdout"),
            stderr=tail(self.work / "stderr"),
            seconds=outcome["seconds"],
            cpu_seconds=outcome.get("cpu_seconds", outcome["seconds"]),
            peak_bytes=outcome.get("peak_bytes", 0),
        )


def with_targets(paths: Iterable[Path]) -> list[str]:
    """The paths, and what they lead to where they are links."""
    return list(dict.fromkeys(str(each) for path in paths for each in (path, path.resolve())))


def tail(path: Path) -> bytes:
    """The last OUTPUT_BYTES of a file that may not exist."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - OUTPUT_BYTES))
            return file.read()
    except FileNotFoundError:
        return b""
