"""What code under judgement may try: each attack prints GOT where it works. It is handed TARGETS, a JSON object."""

import contextlib
import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_outside(targets: dict[str, Any]) -> None:
    """Leave a file in somebody's home."""
    Path(targets["home"], "written").write_text("x")
    print("GOT")


def write_through_link(targets: dict[str, Any]) -> None:
    """Change the project through a link in the folder that may be written."""
    Path("link").symlink_to(targets["home"])
    Path("link", "written").write_text("x")
    print("GOT")


def read_private_key(targets: dict[str, Any]) -> None:
    """Read a key in somebody's home."""
    if "PRIVATE" in Path(targets["home"], "key").read_text():
        print("GOT")


def read_environment(targets: dict[str, Any]) -> None:
    """Read a secret in the environment of any process."""
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if targets["secret"].encode() in environment.read_bytes():
                print("GOT")


def trace_process(targets: dict[str, Any]) -> None:
    """Attach to a process of the same user."""
    if ctypes.CDLL(None).ptrace(16, targets["pid"], 0, 0) == 0:
        print("GOT")


def kill_process(targets: dict[str, Any]) -> None:
    """End a process of the same user."""
    os.kill(targets["pid"], signal.SIGKILL)


def kill_parent(targets: dict[str, Any]) -> None:
    """End whoever watches."""
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1)


def connect_loopback(targets: dict[str, Any]) -> None:
    """Reach a server of the user's."""
    with socket.create_connection(("127.0.0.1", targets["port"]), 2):
        print("GOT")


def send_datagram(targets: dict[str, Any]) -> None:
    """Send what was found out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", targets["port"]))
        sender.send(b"x")
        time.sleep(0.1)
        sender.send(b"x")  # a refusal of the first one is told here


def connect_unix_socket(targets: dict[str, Any]) -> None:
    """Reach a daemon's socket, as that of a container engine or a key agent."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(targets["socket"])
        print("GOT")


def connect_abstract_socket(targets: dict[str, Any]) -> None:
    """Reach a socket that has no file."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + targets["abstract"])
        print("GOT")


def enter_namespace(targets: dict[str, Any]) -> None:
    """Become root of a namespace of one's own, from where much can be tried."""
    if ctypes.CDLL(None).unshare(0x10000000) == 0:
        print("GOT")


def fork_bomb(targets: dict[str, Any]) -> None:
    """Start processes without end."""
    for _ in range(400):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    time.sleep(5)
    print("GOT")


def memory_bomb(targets: dict[str, Any]) -> None:
    """Take more memory than one process may."""
    block = bytearray(1 << 30)
    print("GOT", len(block))


def shared_memory_bomb(targets: dict[str, Any]) -> None:
    """Take more memory than all may, each process within its own limit."""
    for _ in range(8):
        if os.fork() == 0:
            block = bytearray(100 << 20)
            time.sleep(60)
            os._exit(len(block) & 1)
    time.sleep(5)
    print("GOT")


def large_file(targets: dict[str, Any]) -> None:
    """Fill the disk with one file."""
    with Path("large").open("wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    print("GOT")


def many_files(targets: dict[str, Any]) -> None:
    """Fill the disk with files, each within its limit."""
    for number in range(64):
        Path(f"part{number}").write_bytes(os.urandom(1 << 20) * 4)
    time.sleep(5)
    print("GOT")


def deaf_loop(targets: dict[str, Any]) -> None:
    """Go on for ever and hear no signal."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


def daemon(targets: dict[str, Any]) -> None:
    """Leave a process behind, in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    os.wait()


def honest_work(targets: dict[str, Any]) -> None:
    """What tests do every day must go on working: files, processes, threads, event loops, sockets between them."""
    import asyncio
    import subprocess
    import tempfile
    import threading

    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    asyncio.run(asyncio.sleep(0))
    subprocess.run([sys.executable, "-S", "-c", ""], check=True, start_new_session=True)
    print("GOT")


ATTACKS: dict[str, Callable[[dict[str, Any]], None]] = {
    attack.__name__.replace("_", " "): attack
    for attack in (
        *(write_outside, write_through_link, read_private_key, read_environment, trace_process, kill_process),
        *(kill_parent, connect_loopback, send_datagram, connect_unix_socket, connect_abstract_socket),
        *(enter_namespace, fork_bomb, memory_bomb, shared_memory_bomb, large_file, many_files, deaf_loop, daemon),
        honest_work,
    )
}

if __name__ == "__main__":
    ATTACKS[sys.argv[1]](json.loads(sys.argv[2]))
