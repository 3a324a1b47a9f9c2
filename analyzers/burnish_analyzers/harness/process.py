"""Runs one command under limits and cancellation, and leaves no process behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SUPERVISOR = Path(__file__).with_name("supervisor.py")
POLL_SECONDS = 0.05
OUTPUT_BYTES = 1 << 20


class Cancelled(Exception):  # noqa: N818 - the field's word for it, and no error
    """The user or the editor ended the work."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one command may use; `memory_bytes` and `file_bytes` are for each process and each file."""

    seconds: float = 120.0
    memory_bytes: int = 4 << 30
    file_bytes: int = 256 << 20
    processes: int = 256


@dataclass(frozen=True, kw_only=True)
class Finished:
    """How a command ended. `exit_code` is negative for a signal, None where it was stopped by `reason`."""

    reason: Literal["exited", "time", "processes"]
    exit_code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    cpu_seconds: float
    peak_bytes: int

    @property
    def account(self) -> str:
        """Why it did not end by itself with 0, for people."""
        if self.reason == "time":
            return f"it was stopped after {self.seconds:.0f} s"
        if self.reason == "processes":
            return "it was stopped because it started too many processes"
        last = self.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"it ended with exit code {self.exit_code}" + (f": {last[0][:300]}" if last else "")


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    work: Path,
    limits: Limits,
    cancelled: Callable[[], bool],
    stdin: Path | None = None,
) -> Finished:
    """Run `argv` under the supervisor. `work` is a folder of ours that takes its output.

    Raises Cancelled when `cancelled()` turns true; the process tree is gone then, and on every other way out.
    """
    spec = {
        "argv": list(argv),
        "cwd": str(cwd),
        "env": dict(env),
        "stdin": str(stdin or "/dev/null"),
        "stdout": str(work / "stdout"),
        "stderr": str(work / "stderr"),
        "seconds": limits.seconds,
        "memory_bytes": limits.memory_bytes,
        "file_bytes": limits.file_bytes,
        "processes": limits.processes,
    }
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(SUPERVISOR), json.dumps(spec)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    try:
        while process.poll() is None:
            if cancelled():
                raise Cancelled
            try:
                process.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
    finally:
        process.stdin.close()  # the lifeline: the supervisor ends whatever still runs
        process.wait()
        assert process.stdout is not None
        with process.stdout:
            answer = process.stdout.read()
    outcome = json.loads(answer)
    return Finished(
        reason=outcome["reason"],
        exit_code=outcome.get("exit_code"),
        stdout=tail(work / "stdout"),
        stderr=tail(work / "stderr"),
        seconds=outcome["seconds"],
        cpu_seconds=outcome.get("cpu_seconds", outcome["seconds"]),
        peak_bytes=outcome.get("peak_bytes", 0),
    )


def tail(path: Path) -> bytes:
    """The last OUTPUT_BYTES of a file that may not exist."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - OUTPUT_BYTES))
            return file.read()
    except FileNotFoundError:
        return b""
