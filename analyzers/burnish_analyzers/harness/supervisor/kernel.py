"""Calls of the Linux kernel that Python has no function for."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from typing import Any

IS_LINUX = sys.platform == "linux"
MACHINE = platform.machine()

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITY_SET_BYTES = 2 * 3 * 4

_C = ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """`result`, unless it tells of an error. Raises OSError."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int, argument: Any = 0) -> None:
    """prctl(2). Raises OSError."""
    checked(_C.prctl(option, value, argument, 0, 0), "prctl")


def syscall(what: str, number: int, *arguments: Any) -> int:
    """syscall(2), for calls that the C library has no wrapper for. Raises OSError."""
    return checked(_C.syscall(number, *arguments), what)


def unshare(flags: int) -> None:
    """unshare(2). Raises OSError."""
    checked(_C.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """mount(2). Raises OSError."""
    texts = (source.encode(), os.fsencode(target), kind.encode() or None)
    checked(_C.mount(*texts, ctypes.c_ulong(flags), options.encode() or None), f"mount {target}")


def drop_capabilities() -> None:
    """capset(2) with nothing: root, here or in a namespace, is an ordinary user from here on. Raises OSError."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    checked(_C.capset(header, bytes(_CAPABILITY_SET_BYTES)), "capset")


def detach(target: str) -> None:
    """umount2(2) with MNT_DETACH. Raises OSError."""
    checked(_C.umount2(os.fsencode(target), 2), f"umount {target}")
