"""Does each task in a forked child, so that no task sees another and the parent stays as it was.

The parent holds what it would take long to make again: imported modules, collected tests, recorded calls. It never runs
code under judgement. A child cannot speak in its name: it has no descriptor of the parent's channel, and cannot open
one (prctl(2), PR_SET_DUMPABLE, is off in the parent).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from .channel import Channel
from .descendants import descendants

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
POLL_SECONDS = 0.01
SPARE_CPU_SECONDS = 5


def can_fork() -> bool:
    """Whether a child would be whole: the platform forks, and no thread would be missing in it."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threads() == 1


def threads() -> int:
    """How many threads this process has, those of C libraries included where that can be seen."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


def prctl(option: int, value: int) -> None:
    """prctl(2), where there is one; some builds of Python have no ctypes."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def become_parent() -> None:
    """From now on this process is closed to its children, and takes up what they leave behind."""
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def in_child(action: Callable[[], None], seconds: float, closed: Sequence[Channel], kept: Sequence[int] = ()) -> str:
    """Do `action` in a child; how that ended: "" for well, else in words. Nothing that it started is left.

    `closed` are channels that it must not have, `kept` processes that are not to be ended with it.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        do(action, seconds, closed)
    ended = waited(pid, seconds)
    end_others(pid, kept)
    if ended is None:
        return f"it was stopped after {seconds:.0f} s"
    code = os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else 128 + os.WTERMSIG(ended)
    return "" if code == 0 else f"it ended with exit code {code}"


def do(action: Callable[[], None], seconds: float, closed: Sequence[Channel]) -> None:
    """What the child does; it never returns."""
    code = 1
    try:
        os.setsid()
        prctl(PR_SET_DUMPABLE, 1)
        for channel in closed:
            channel.close()
        limit_cpu(int(seconds) + SPARE_CPU_SECONDS)
        sys.dont_write_bytecode = True  # or a later child would take it for its own
        action()
        code = 0
    except BaseException:  # noqa: BLE001 - whatever happens in a child stays there
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def limit_cpu(seconds: int) -> None:
    """Lower the limit of processor time."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = seconds if hard == resource.RLIM_INFINITY else min(seconds, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def waited(pid: int, seconds: float) -> int | None:
    """The status with which a child ends; None if it does not in time, and is killed."""
    deadline = time.monotonic() + seconds
    descriptor = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    try:
        while True:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status
            left = deadline - time.monotonic()
            if left <= 0:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return None
            if descriptor is None:
                time.sleep(min(POLL_SECONDS, left))
            else:
                select.select([descriptor], [], [], left)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def end_others(pid: int, kept: Sequence[int]) -> None:
    """Kill the group of a child that has ended, and whatever else of it is still there."""
    while True:
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        left = descendants(os.getpid(), without=kept)
        for child in left:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        for child in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, os.WNOHANG)
        if not left:
            return
        time.sleep(POLL_SECONDS / 5)


def serve(channel: Channel, tasks: dict[str, Callable[[dict[str, Any]], str]]) -> None:
    """Do each task that is asked for and answer how it ended, until the other side is gone."""
    while True:
        task = channel.receive()
        if task is None:
            return
        channel.send({"ended": tasks[task["task"]](task)})
