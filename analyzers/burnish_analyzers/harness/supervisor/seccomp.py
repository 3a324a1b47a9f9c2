"""seccomp(2): system calls that code under judgement has no use for fail with EPERM.

The filter is a small program for the kernel's classic BPF machine; a structure of four fields is one instruction.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from burnish_analyzers.harness.supervisor import kernel

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE = (_RETURN, 0, 0, _ERROR | errno.EPERM)
_NOT_THERE = (_RETURN, 0, 0, _ERROR | errno.ENOSYS)
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _FIRST_ARGUMENT_OFFSET = 0, 4, 16
_X32_BIT = 0x40000000
_CLONE_NEWUSER = 0x10000000
_AF_UNIX = 1
_FILTER_MODE = 2

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Numbers of the refused calls on x86_64 and aarch64 (asm/unistd.h of each).
_NEVER = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "mount": (165, 40),
    "umount2": (166, 39),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
}
_OUTSIDE = {"connect": (42, 203), "bind": (49, 200)}
_SOCKET = (41, 198)
_CLONE = (56, 220)
_CLONE3 = (435, 435)


def is_available() -> bool:
    """Whether this machine's kind is known; the kernel's own word is had by trying."""
    return kernel.IS_LINUX and kernel.MACHINE in _ARCHITECTURES


def restrict(*, network: bool) -> None:
    """Refuse such calls from here on, in this process and its children.

    `network`: sockets stay allowed, since a namespace keeps them in; else only pairs of unix sockets are.
    Needs no_new_privs or root. Raises OSError.
    """
    program = b"".join(struct.pack("=HBBI", *instruction) for instruction in _program(network=network))
    buffer = ctypes.create_string_buffer(program)
    description = _Program(len(program) // 8, ctypes.addressof(buffer))
    kernel.prctl(kernel.PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(description))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _program(*, network: bool) -> list[tuple[int, int, int, int]]:
    column = 0 if kernel.MACHINE == "x86_64" else 1
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        (_IF_EQUAL, 1, 0, _ARCHITECTURES[kernel.MACHINE]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_OFFSET),
    ]
    if kernel.MACHINE == "x86_64":
        program += [(_IF_AT_LEAST, 0, 1, _X32_BIT), _REFUSE]
    for numbers in (_NEVER if network else _NEVER | _OUTSIDE).values():
        program += [(_IF_EQUAL, 0, 1, numbers[column]), _REFUSE]
    # The C library falls back to clone, whose flags can be seen here.
    program += [(_IF_EQUAL, 0, 1, _CLONE3[column]), _NOT_THERE]
    first_argument = (_LOAD, 0, 0, _FIRST_ARGUMENT_OFFSET)
    allow = (_RETURN, 0, 0, _ALLOW)
    program += [(_IF_EQUAL, 0, 4, _CLONE[column]), first_argument, (_IF_ANY_BIT, 0, 1, _CLONE_NEWUSER), _REFUSE, allow]
    if not network:
        program += [(_IF_EQUAL, 0, 4, _SOCKET[column]), first_argument, (_IF_EQUAL, 1, 0, _AF_UNIX), _REFUSE, allow]
    return [*program, allow]
