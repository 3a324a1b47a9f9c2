"""An audit hook (PEP 578) that refuses what code under judgement has no business doing.

It stops accidents, not attacks: a rewrite that calls a function on another path, a generated argument that names a real
folder. Writing outside the job's own folders and connecting to other machines raise PermissionError.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any

WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PATH_EVENTS = {
    "os.remove": 1,
    "os.rmdir": 1,
    "os.mkdir": 1,
    "os.rename": 2,
    "os.link": 2,
    "os.symlink": 2,
    "os.truncate": 1,
    "os.chmod": 1,
    "os.chown": 1,
    "os.utime": 1,
    "shutil.rmtree": 1,
    "shutil.move": 2,
    "shutil.copyfile": 2,
}
PROCESS_EVENTS = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.fork", "os.forkpty"}
)
MOST_BYTES = 1 << 20
TEMPORARY_NAME = re.compile(r"tmp[a-z0-9_]{8}")
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::ffff:127.")


class Guard:
    """Installed once in a process; `processes_allowed` is turned off while calls are replayed.

    `note_process` is called whenever a process is started.
    """

    def __init__(self, writable: tuple[str, ...]) -> None:
        self.writable = tuple(os.path.realpath(path) for path in (*writable, "/dev"))
        self.processes_allowed = True
        self.note_process: Callable[[], None] = lambda: None
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Called by the interpreter for every audited event."""
        if event == "open":
            path, mode, flags = arguments
            if (isinstance(mode, str) and set(mode) & set("wax+")) or (flags or 0) & WRITE_FLAGS:
                self.refuse_path(path)
                WrittenFiles.note(path)
        elif event in PATH_EVENTS:
            for path in arguments[: PATH_EVENTS[event]]:
                self.refuse_path(path)
        elif event in ("socket.connect", "socket.sendto"):
            self.refuse_address(arguments[-1])
        elif event in PROCESS_EVENTS:
            self.note_process()
            if not self.processes_allowed:
                raise PermissionError("Burnish starts no process while it replays calls")

    def refuse_path(self, path: Any) -> None:
        """Raise PermissionError unless the path is the job's own; file descriptors were opened under the same rule."""
        if isinstance(path, int) or path is None:
            return
        real = os.path.realpath(os.fsdecode(path))
        if not any(real == folder or real.startswith(folder + os.sep) for folder in self.writable):
            raise PermissionError(f"Burnish lets nothing be written outside its copy of the project: {real}")

    def refuse_address(self, address: Any) -> None:
        """Raise PermissionError for another machine."""
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise PermissionError(f"Burnish lets nothing connect to another machine: {address[0]}")


class WrittenFiles:
    """Sees which files are opened for writing while it is entered, and undoes what was written."""

    active: WrittenFiles | None = None

    def __init__(self) -> None:
        self.before: dict[str, bytes | None] = {}

    def __enter__(self) -> None:
        WrittenFiles.active = self

    def __exit__(self, *error: object) -> None:
        WrittenFiles.active = None

    @classmethod
    def note(cls, path: Any) -> None:
        """Keep what a file holds before it is opened for writing the first time."""
        watching, cls.active = cls.active, None  # reading it is no part of what the call does
        if watching is not None and not isinstance(path, int):
            real = os.path.realpath(os.fsdecode(path))
            if not real.startswith("/dev/") and real not in watching.before:
                watching.before[real] = content(real)
        cls.active = watching

    def taken(self) -> list[tuple[str, Any]]:
        """Each file's name and content in the order of opening; afterwards they are as before the call."""
        found = []
        for path, old in self.before.items():
            new = content(path)
            found.append((TEMPORARY_NAME.sub("tmp", path), new))
            if new != old:
                put_back(path, old)
        return found


def content(path: str) -> bytes | None:
    """The first bytes of a file, None where there is none to read."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return None


def put_back(path: str, old: bytes | None) -> None:
    """Make a file hold what it held."""
    if old is None:
        os.remove(path)
        return
    with open(path, "wb") as file:
        file.write(old)
