"""Landlock (landlock(7)): from here on, this process and its children read and write only what is listed."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from burnish_analyzers.harness.supervisor import kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
# Every right over files that a version of the interface knows, one more bit for each.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP_SINCE, _SCOPE_SINCE = 4, 6
_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


def version() -> int:
    """The version of the interface, 0 where the kernel has none or it is switched off."""
    try:
        return kernel.syscall("landlock", _CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], *, tcp: bool) -> None:
    """Read and run only what lies in `readable` or `writable`, change only what lies in `writable`.

    Signals and abstract sockets reach no process outside, and other processes cannot be traced. `tcp`: connecting and
    listening stay allowed. Paths that are not there are left out. Raises OSError.
    """
    abi = version()
    rights = (1 << _RIGHTS[min(abi, max(_RIGHTS))]) - 1
    attributes = [rights]
    if abi >= _TCP_SINCE:
        attributes.append(0 if tcp else _TCP)
    if abi >= _SCOPE_SINCE:
        attributes.append(_ABSTRACT_SOCKETS_AND_SIGNALS)
    packed = struct.pack(f"={len(attributes)}Q", *attributes)
    ruleset = kernel.syscall("landlock_create_ruleset", _CREATE_RULESET, packed, ctypes.c_size_t(len(packed)), 0)
    for paths, allowed in ((readable, _EXECUTE | _READ_FILE | _READ_DIR), (writable, rights)):
        for path in paths:
            _allow(ruleset, path, allowed & rights)
    kernel.syscall("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= _OF_FILES
    rule = struct.pack("=Qi", rights, descriptor)
    kernel.syscall(f"landlock_add_rule {path}", _ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    os.close(descriptor)
