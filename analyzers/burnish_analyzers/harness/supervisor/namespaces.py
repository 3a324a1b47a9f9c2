"""Namespaces (namespaces(7)): a file tree that holds only what is listed, a network with nothing but its own loopback,
and no process to be seen but the command's own."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import stat
import struct
from collections.abc import Iterable

from burnish_analyzers.harness.supervisor import kernel

_CLONE_NEWNS, _CLONE_NEWIPC, _CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
_CLONE_NEWPID, _CLONE_NEWNET = 0x20000000, 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_MOUNT_SETATTR = 442
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_MOUNT_ATTR_RDONLY = 1
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
_MOUNT_POINT = "/tmp"
_SMALL = "size=64m,mode=1777"
_SHARED_MEMORY = "size=1g,mode=1777"
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def is_available() -> bool:
    """Whether a tree of our own can be entered on this machine; it is tried in a child."""
    if not kernel.IS_LINUX or kernel.MACHINE not in _PIVOT_ROOT:
        return False
    child = os.fork()
    if child == 0:
        try:
            enter(readable=("/usr",), writable=())
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def enter(*, readable: Iterable[str], writable: Iterable[str], places: Iterable[tuple[str, str]] = ()) -> None:
    """Go into new namespaces; returns in a child, the first process there. Ours ends as that child does.

    Raises OSError.
    """
    user, group = os.getuid(), os.getgid()
    kernel.unshare(_CLONE_NEWUSER | _CLONE_NEWNS | _CLONE_NEWNET | _CLONE_NEWIPC | _CLONE_NEWPID)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    _raise_loopback()
    child = os.fork()
    if child:
        os._exit(exit_code(os.waitpid(child, 0)[1]))
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    _build_tree(readable, writable, places)


def become_init() -> None:
    """Return in a child, and reap here whatever is orphaned until that child ends; then end as it did."""
    child = os.fork()
    if child == 0:
        return
    while True:
        pid, status = os.wait()
        if pid == child:
            os._exit(exit_code(status))


def exit_code(status: int) -> int:
    """How a process ended, as shells say it: 128 and the number for a signal."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _raise_loopback() -> None:
    request = struct.pack("16sH14x", b"lo", _IFF_UP | _IFF_RUNNING)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, request)


def _build_tree(readable: Iterable[str], writable: Iterable[str], places: Iterable[tuple[str, str]]) -> None:
    """Mount the new tree over a folder and make it the only one."""
    root = _MOUNT_POINT
    kernel.mount("none", "/", flags=_MS_REC | _MS_PRIVATE)
    # What is bound may lie under the mount point, so it is reached through descriptors that were opened before.
    readable, places = list(readable), list(places)
    hidden = [path for path in readable if any(path.startswith(f"{place}/") for _, place in places)]
    bound = [(path, _opened(path), False) for path in (*_outermost(readable), *_outermost(hidden))]
    bound += [(path, _opened(path), True) for path in _outermost(writable)]
    bound += [(path, _opened(folder), True) for folder, path in places]
    devices = [(f"/dev/{name}", _opened(f"/dev/{name}"), True) for name in DEVICES]
    kernel.mount("tmpfs", root, "tmpfs", _MS_NOSUID | _MS_NODEV, _SMALL)
    for path, descriptor, is_writable in sorted(bound, key=lambda entry: len(entry[0])) + devices:
        if descriptor is not None:
            _bind(descriptor, root, path, is_writable=is_writable)
    os.makedirs(f"{root}/proc", exist_ok=True)
    kernel.mount("proc", f"{root}/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    os.makedirs(f"{root}/dev/shm", exist_ok=True)
    kernel.mount("tmpfs", f"{root}/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, _SHARED_MEMORY)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    for name in ("tmp", "var/tmp"):
        os.makedirs(f"{root}/{name}", 0o1777, exist_ok=True)
    os.chdir(root)
    kernel.syscall("pivot_root", _PIVOT_ROOT[kernel.MACHINE], b".", b".")
    kernel.detach(".")
    os.chdir("/")


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths without those that lie in another one; links stay links."""
    kept: list[str] = []
    for path in sorted(set(paths), key=len):
        if not any(path == other or path.startswith(other.rstrip("/") + "/") for other in kept):
            kept.append(path)
    return kept


def _opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None


def _bind(descriptor: int, root: str, path: str, *, is_writable: bool) -> None:
    """Show one file or folder at its own path in the new tree; a link becomes the same link."""
    target = root + path
    kind = os.fstat(descriptor).st_mode
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.lexists(target) and not stat.S_ISDIR(kind):
        return
    if stat.S_ISLNK(kind):
        os.symlink(os.readlink("", dir_fd=descriptor), target)
        return
    if stat.S_ISDIR(kind):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    kernel.mount(f"/proc/self/fd/{descriptor}", target, flags=_MS_BIND | _MS_REC)
    if not is_writable:
        attributes = struct.pack("=QQQQ", _MOUNT_ATTR_RDONLY, 0, 0, 0)
        kernel.syscall(
            f"mount_setattr {path}",
            _MOUNT_SETATTR,
            _AT_FDCWD,
            os.fsencode(target),
            _AT_RECURSIVE,
            attributes,
            ctypes.c_size_t(len(attributes)),
        )
