"""What keeps a command in bounds on this machine: the best of what its kernel offers."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence

from burnish_analyzers.harness.supervisor import kernel, landlock, namespaces, seccomp

NAMESPACES, LANDLOCK, SECCOMP = "namespaces", "landlock", "seccomp"
# Programs, libraries and facts about the machine; of /etc only what they look up.
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store", "/sys"),
    *(
        f"/etc/{name}"
        for name in (
            *("alternatives", "fonts", "group", "host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"),
            *("locale.alias", "localtime", "magic", "mime.types", "nsswitch.conf", "os-release", "passwd", "profile"),
            *("protocols", "resolv.conf", "services", "ssl/certs", "ssl/openssl.cnf", "timezone"),
        )
    ),
)
SCRATCH = ("/tmp", "/var/tmp", "/dev/shm")


def available() -> list[str]:
    """The protections that this machine grants, each tried in a child process."""
    tried: dict[str, Callable[[], bool]] = {
        NAMESPACES: namespaces.is_available,
        LANDLOCK: lambda: landlock.version() > 0 and _works(lambda: landlock.restrict((), (), tcp=False)),
        SECCOMP: lambda: seccomp.is_available() and _works(lambda: seccomp.restrict(network=False)),
    }
    return [name for name, works in tried.items() if works()]


def _works(restrict: Callable[[], None]) -> bool:
    child = os.fork()
    if child == 0:
        try:
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
            restrict()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def confine(
    protections: Collection[str], readable: Sequence[str], writable: Sequence[str], places: Sequence[tuple[str, str]]
) -> None:
    """Apply them to this process, on its way to the command. With namespaces it returns in a grandchild.

    Only there each of `places`, (folder, path), is shown at its path too, to be written to.

    Raises OSError: nothing may be started then.
    """
    isolated = NAMESPACES in protections
    readable = (*SYSTEM, *readable)
    if isolated:
        namespaces.enter(readable=readable, writable=writable, places=places)
        writable = (*writable, *(path for _, path in places))
        namespaces.become_init()
    if protections:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)  # or root's next program gets its capabilities back
        kernel.drop_capabilities()
    if LANDLOCK in protections:
        devices = [f"/dev/{name}" for name in namespaces.DEVICES]
        scratch = SCRATCH if isolated else ("/dev/shm",)
        landlock.restrict((*readable, "/proc", "/dev"), (*writable, *devices, *scratch), tcp=isolated)
    if SECCOMP in protections:
        seccomp.restrict(network=isolated)
