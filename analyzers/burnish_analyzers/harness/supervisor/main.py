"""Runs one command and leaves nothing of it behind.

SPEC is JSON: ``argv``, ``cwd``, ``env``, ``stdin``, ``stdout``, ``stderr`` (paths), ``seconds``, ``memory_bytes``,
``total_memory_bytes``, ``file_bytes``, ``disk_bytes``, ``processes``, ``protections``, ``readable``, ``writable``,
``places`` (folders to show at other paths), ``channel`` (a descriptor to hand on, or null).
Standard input is the lifeline: when it closes, everything ends. The one line on standard output says how it ended.
Without SPEC it prints the protections that this machine grants.

On Linux the supervisor is a child subreaper, so that a grandchild that left its session is still its own to end
(prctl(2), PR_SET_CHILD_SUBREAPER). Elsewhere the process group is what can be ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

from burnish_analyzers.harness.runner.descendants import descendants
from burnish_analyzers.harness.supervisor import confinement, kernel, namespaces

POLL_SECONDS = 0.05
PAGE_BYTES = resource.getpagesize()


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
        if kernel.IS_LINUX:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(spec["stdin"], os.O_RDONLY), 0)
        os.dup2(os.open(spec["stdout"], flags, 0o600), 1)
        os.dup2(os.open(spec["stderr"], flags, 0o600), 2)
        if spec["channel"] is not None:
            os.set_inheritable(spec["channel"], True)
        confinement.confine(spec["protections"], spec["readable"], spec["writable"], spec["places"])
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


def resident_bytes(pid: int) -> int:
    """The memory that a process holds, 0 once it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return 0


class Usage:
    """What the command and all it started use together, beyond what the kernel itself can limit."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.folder = Path(spec["stdout"]).parent
        self.free_bytes = self.free()

    def free(self) -> int:
        """Free bytes where the command may write."""
        status = os.statvfs(self.folder)
        return status.f_bavail * status.f_frsize

    def excess(self) -> str | None:
        """Of what there is too much: "processes", "memory", "disk", or None."""
        processes = descendants(os.getpid())
        if len(processes) > self.spec["processes"]:
            return "processes"
        if sum(map(resident_bytes, processes)) > self.spec["total_memory_bytes"]:
            return "memory"
        # Others write to the same disk, so the folder itself is looked at once the disk has got fuller.
        if self.free_bytes - self.free() > self.spec["disk_bytes"] and self.written() > self.spec["disk_bytes"]:
            return "disk"
        return None

    def written(self) -> int:
        """The bytes of all files in the command's folder."""
        total = 0
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with contextlib.suppress(OSError):  # it is gone by now
                    total += os.lstat(os.path.join(folder, name)).st_blocks * 512
        return total


def watch(pid: int, spec: dict[str, Any]) -> dict[str, Any]:
    """Wait for the end, the clock, the lifeline or too much use of the machine, whichever is first."""
    began = time.monotonic()
    usage_of_all = Usage(spec)
    watched = [0]
    if hasattr(os, "pidfd_open"):
        watched.append(os.pidfd_open(pid))
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        seconds = time.monotonic() - began
        if done:
            return {
                "reason": "exited",
                "exit_code": namespaces.exit_code(status),
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
                "seconds": seconds,
                "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            }
        if seconds > spec["seconds"]:
            return {"reason": "time", "seconds": seconds}
        if excess := usage_of_all.excess():
            return {"reason": excess, "seconds": seconds}
        ready, _, _ = select.select(watched, [], [], min(POLL_SECONDS, spec["seconds"] - seconds + 0.001))
        if 0 in ready and not os.read(0, 1):
            return {"reason": "cancelled", "seconds": seconds}


def main() -> None:
    """Run SPEC and print how it ended."""
    if len(sys.argv) == 1:
        os.write(1, json.dumps(confinement.available()).encode())
        return
    spec = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if kernel.IS_LINUX:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    pid = start(spec)
    try:
        outcome = watch(pid, spec)
    finally:
        end(pid)
    with contextlib.suppress(BrokenPipeError):  # whoever asked may be dead
        os.write(1, json.dumps(outcome).encode())
