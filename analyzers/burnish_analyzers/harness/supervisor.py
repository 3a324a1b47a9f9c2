"""Runs one command and leaves nothing of it behind. A script: standard library only, imported by nobody.

    python -I -S supervisor.py SPEC

SPEC is JSON: ``argv``, ``cwd``, ``env``, ``stdin``, ``stdout``, ``stderr`` (paths), ``seconds``, ``memory_bytes``,
``file_bytes``, ``processes``. Standard input is the lifeline: when it closes, everything ends. The one line on standard
output says how it ended.

On Linux the supervisor is a child subreaper, so that a grandchild that left its session is still its own to end
(prctl(2), PR_SET_CHILD_SUBREAPER). Elsewhere the process group is what can be ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

POLL_SECONDS = 0.05
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def prctl(option: int, value: int) -> None:
    """prctl(2) where there is one."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def limit(kind: int, value: int) -> None:
    """Lower one soft and hard limit, never above the hard one that is in force."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def start(spec: dict[str, Any]) -> int:
    """Fork, confine and exec the command; its process id, which is also its session and group."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(spec["stdin"], os.O_RDONLY), 0)
        os.dup2(os.open(spec["stdout"], flags, 0o600), 1)
        os.dup2(os.open(spec["stderr"], flags, 0o600), 2)
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_AS, spec["memory_bytes"])
        limit(resource.RLIMIT_FSIZE, spec["file_bytes"])
        limit(resource.RLIMIT_CPU, int(spec["seconds"]) + 5)
        os.chdir(spec["cwd"])
        os.execve(spec["argv"][0], spec["argv"], spec["env"])
    except OSError as error:
        os.write(2, f"cannot start {spec['argv'][0]}: {error}\n".encode())
    finally:
        os._exit(127)


def descendants(root: int) -> list[int]:
    """Every process below `root`, on Linux; elsewhere none is found and the group alone is ended."""
    found: list[int] = []
    queue = [root]
    while queue:
        parent = queue.pop()
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                pids = [int(pid) for pid in children.read_text().split()]
            except OSError:  # it ended while we looked
                continue
            found += pids
            queue += pids
    return found


def end(pid: int) -> None:
    """Kill the group and every descendant, again until none is left."""
    while True:
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        for child in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def watch(pid: int, spec: dict[str, Any]) -> dict[str, Any]:
    """Wait for the end, the clock, the lifeline or too many processes, whichever is first."""
    began = time.monotonic()
    watched = [0]
    if hasattr(os, "pidfd_open"):
        watched.append(os.pidfd_open(pid))
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        seconds = time.monotonic() - began
        if done:
            return {
                "reason": "exited",
                "exit_code": os.waitstatus_to_exitcode(status),
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
                "seconds": seconds,
                "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            }
        if seconds > spec["seconds"]:
            return {"reason": "time", "seconds": seconds}
        if len(descendants(os.getpid())) > spec["processes"]:
            return {"reason": "processes", "seconds": seconds}
        ready, _, _ = select.select(watched, [], [], min(POLL_SECONDS, spec["seconds"] - seconds + 0.001))
        if 0 in ready and not os.read(0, 1):
            return {"reason": "cancelled", "seconds": seconds}


def main() -> None:
    """Run SPEC and print how it ended."""
    spec = json.loads(sys.argv[1])
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    pid = start(spec)
    try:
        outcome = watch(pid, spec)
    finally:
        end(pid)
    with contextlib.suppress(BrokenPipeError):  # whoever asked may be dead
        os.write(1, json.dumps(outcome).encode())


if __name__ == "__main__":
    main()
