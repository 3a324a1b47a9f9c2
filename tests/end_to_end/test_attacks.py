"""Attacks by code under judgement, tried for real under each protection; docs/protection.md says what each stops."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import burnish_analyzers
from burnish_analyzers.harness.process import protections

pytestmark = pytest.mark.end_to_end
ROOT = Path(__file__).parents[2]
ATTACKS = Path(__file__).with_name("attacks.py")
ORDINARY_USER = 65534
# Runs an attack as `burnish_analyzers.harness.process` does, with the protections that are named.
DRIVER = """
import dataclasses, json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from burnish_analyzers.errors import JobError
from burnish_analyzers.harness import process
task = json.loads(sys.argv[2])
process.protections = lambda: tuple(task["protections"])
work = Path(task["work"])
try:
  limits = process.Limits(
      seconds=20 if task["attack"] != "deaf loop" else 1, memory_bytes=512 << 20, total_memory_bytes=400 << 20,
      file_bytes=8 << 20, disk_bytes=32 << 20, processes=20,
  )
  argv = (sys.executable, "-S", task["script"], task["attack"], json.dumps(task["targets"]))
  finished = process.run(
      process.Command(argv=argv, cwd=work, env={}, work=work, readable=(Path(task["script"]),), limits=limits),
      lambda: False,
  )
except JobError as error:
    print(json.dumps({"reason": "lost", "code": None, "output": "", "error": str(error)}))
else:
    print(json.dumps({"reason": finished.reason, "code": finished.exit_code, "output": finished.stdout.decode(),
        "error": finished.stderr.decode()}))
"""


def startable() -> str:
    """A Python that an ordinary user can start too: the one that runs this, or the system's."""
    own = Path(sys.base_prefix).resolve() / f"bin/python3.{sys.version_info.minor}"
    is_open = all(folder.stat().st_mode & stat.S_IXOTH for folder in own.parents)
    return str(own) if is_open else "/usr/bin/python3"


PYTHON = startable()


def documented() -> list[tuple[str, str, bool]]:
    """(attack, protections, whether it is stopped), from the table."""
    lines = (ROOT / "docs/protection.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    head = next(row for row in rows if row[0] == "attack")
    return [
        (row[0], mode, cell == "✔")
        for row in rows
        if len(row) == len(head) and row[1] in ("✔", "✘")
        for mode, cell in zip(head[1:], row[1:], strict=True)
    ]


@dataclass(frozen=True, kw_only=True)
class Victim:
    """What an attack may reach for: a home with a key, a process with a secret, and servers."""

    folder: Path
    work: Path
    process: subprocess.Popen[bytes]
    targets: dict[str, Any]
    received: list[bytes]


@pytest.fixture(scope="module")
def package() -> Iterator[Path]:
    """A copy of the harness where an ordinary user can read it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        source = Path(burnish_analyzers.__file__).parent
        shutil.copytree(source, folder / "burnish_analyzers", ignore=shutil.ignore_patterns("__pycache__", "metrics"))
        shutil.copy(ATTACKS, folder)
        yield folder


@pytest.fixture(params=["root", "ordinary"])
def user(request: pytest.FixtureRequest) -> int:
    """Whose process it is. Only root can become somebody else, so others try as themselves alone."""
    if os.getuid() != 0:
        return os.getuid()
    return 0 if request.param == "root" else ORDINARY_USER


@pytest.fixture
def victim(user: int) -> Iterator[Victim]:
    with tempfile.TemporaryDirectory() as name, socket.socket() as tcp, socket.socket(socket.AF_UNIX) as unix:
        folder = Path(name)
        folder.chmod(0o755)
        for each in ("home", "work"):
            (folder / each).mkdir()
            os.chown(folder / each, user, user)
        (folder / "home/key").write_text("PRIVATE")
        os.chown(folder / "home/key", user, user)
        tcp.bind(("127.0.0.1", 0))
        unix.bind(str(folder / "home/socket"))
        (folder / "home/socket").chmod(0o777)
        abstract = socket.socket(socket.AF_UNIX)
        tag = secrets.token_hex(8)
        abstract.bind("\0" + tag)
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(tcp.getsockname())
        datagrams.settimeout(0.5)
        for server in (tcp, unix, abstract):
            server.listen()
        process = subprocess.Popen(
            [PYTHON, "-S", "-c", "import time; time.sleep(600)"], user=user, group=user, env={"TAG": tag}
        )
        received: list[bytes] = []
        listener = threading.Thread(target=listen, args=(datagrams, received))
        listener.start()
        targets = {
            "home": str(folder / "home"),
            "secret": tag,
            "abstract": tag,
            "pid": process.pid,
            "port": tcp.getsockname()[1],
            "socket": str(folder / "home/socket"),
        }
        with closing(abstract), process:
            yield Victim(folder=folder, work=folder / "work", process=process, targets=targets, received=received)
            process.kill()
        datagrams.close()
        listener.join()


def listen(datagrams: socket.socket, received: list[bytes]) -> None:
    """Keep what arrives until the socket is closed."""
    while True:
        try:
            received.append(datagrams.recv(16))
        except TimeoutError:
            continue
        except OSError:
            return


def attempt(package: Path, victim: Victim, user: int, attack: str, mode: str) -> dict[str, Any]:
    """Try one attack in a process of the user's; how it ended."""
    task = {
        "attack": attack,
        "protections": [] if mode == "limits only" else mode.split(" + "),
        "work": str(victim.work),
        "script": str(package / ATTACKS.name),
        "targets": victim.targets,
    }
    answer = subprocess.run(
        [PYTHON, "-S", "-c", DRIVER, str(package), json.dumps(task)],
        user=user,
        group=user,
        extra_groups=[],
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_this_machine_grants_all_protections() -> None:
    """Where it does not, the tests below could not try them; a machine for CI must."""
    assert protections() == ("namespaces", "landlock", "seccomp")


@pytest.mark.parametrize(("attack", "mode", "stopped"), documented(), ids=lambda value: str(value).replace(" ", "-"))
def test_an_attack_is_stopped_as_documented(
    package: Path, victim: Victim, user: int, attack: str, mode: str, stopped: bool
) -> None:
    finished = attempt(package, victim, user, attack, mode)
    worked = (
        "GOT" in finished["output"]
        or finished["reason"] == "lost"
        or victim.process.poll() is not None
        or bool(victim.received)
        or (victim.folder / "home/written").exists()
    )
    assert worked is not stopped, finished


@pytest.mark.parametrize("mode", ["namespaces + landlock + seccomp", "landlock + seccomp", "limits only"])
def test_honest_work_goes_on(package: Path, victim: Victim, user: int, mode: str) -> None:
    finished = attempt(package, victim, user, "honest work", mode)
    assert finished == {"reason": "exited", "code": 0, "output": "GOT\n", "error": ""}
