"""Commands under the supervisor: bounded, and gone with all they started."""

import os
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish_analyzers.harness.process import Cancelled, Command, Finished, Limits, run

pytestmark = pytest.mark.end_to_end
MEBIBYTE = 1 << 20


def python(
    work: Path, code: str, *, limits: Limits | None = None, cancelled: Callable[[], bool] = lambda: False
) -> Finished:
    return run(command(work, sys.executable, "-c", textwrap.dedent(code), limits=limits), cancelled)


def command(work: Path, *argv: str, limits: Limits | None = None) -> Command:
    return Command(
        argv=argv,
        cwd=work,
        env={"PATH": os.environ["PATH"], "WORK": str(work)},
        work=work,
        limits=limits or Limits(seconds=20),
        readable=(Path(sys.prefix), Path(sys.base_prefix)),
    )


def running(work: Path) -> list[int]:
    """The processes that were started with `work` in their environment; numbers differ inside of a namespace."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"WORK={work}\0".encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:  # it ended while we looked
            continue
    return found


def test_output_exit_code_and_seconds_are_reported(tmp_path: Path) -> None:
    finished = python(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (finished.reason, finished.exit_code) == ("exited", 3)
    assert (finished.stdout, finished.stderr) == (b"out\n", b"err\n")
    assert 0 < finished.cpu_seconds < 5


def test_a_command_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    finished = run(command(tmp_path, "/no/such/command"), lambda: False)
    assert finished.exit_code == 127
    assert "/no/such/command" in finished.account


def test_an_endless_loop_that_ignores_signals_is_stopped(tmp_path: Path) -> None:
    code = """
        import signal
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        while True: pass
    """
    began = time.monotonic()
    finished = python(tmp_path, code, limits=Limits(seconds=1))
    assert finished.reason == "time"
    assert time.monotonic() - began < 5


def test_a_daemon_left_behind_is_ended(tmp_path: Path) -> None:
    code = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                open("daemon", "w").close()
                time.sleep(600)
            os._exit(0)
        while not os.path.exists("daemon"): time.sleep(0.01)
    """
    assert python(tmp_path, code).exit_code == 0
    assert running(tmp_path) == []


def test_a_fork_bomb_is_stopped(tmp_path: Path) -> None:
    code = """
        import os
        while True:
            try: os.fork()
            except OSError: pass
    """
    finished = python(tmp_path, code, limits=Limits(seconds=10, processes=20))
    assert finished.reason == "processes"


def test_memory_is_bounded(tmp_path: Path) -> None:
    finished = python(tmp_path, "x = bytearray(100 << 30)", limits=Limits(seconds=10, memory_bytes=512 * MEBIBYTE))
    assert finished.exit_code == 1
    assert "MemoryError" in finished.account


def test_a_file_is_bounded(tmp_path: Path) -> None:
    code = "with open('big', 'wb') as file:\n    for _ in range(64): file.write(bytes(1 << 20))"
    python(tmp_path, code, limits=Limits(seconds=10, file_bytes=8 * MEBIBYTE))
    assert (tmp_path / "big").stat().st_size <= 8 * MEBIBYTE


def test_cancel_ends_the_tree_within_two_seconds(tmp_path: Path) -> None:
    code = """
        import os, time
        child = os.fork()
        if child == 0:
            os.setsid()
            time.sleep(600)
        open("started", "w").close()
        time.sleep(600)
    """
    seen: list[int] = []

    def cancelled() -> bool:
        if (tmp_path / "started").exists():
            seen.extend(running(tmp_path))
        return bool(seen)

    with pytest.raises(Cancelled):
        python(tmp_path, code, cancelled=cancelled)
    began = time.monotonic()
    assert len(seen) >= 2
    while running(tmp_path):
        assert time.monotonic() - began < 2


def test_nothing_outlives_a_caller_that_is_killed(tmp_path: Path) -> None:
    caller = f"""
        import sys
        from pathlib import Path
        from burnish_analyzers.harness.process import Command, Limits, run
        work = Path({str(tmp_path)!r})
        waiting = "import time; open('started', 'w').close(); time.sleep(600)"
        run(
            Command(
                argv=(sys.executable, "-c", waiting), cwd=work, env={{"WORK": str(work)}}, work=work, limits=Limits(),
                readable=(Path(sys.prefix), Path(sys.base_prefix)),
            ),
            lambda: False,
        )
    """
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", textwrap.dedent(caller)], dict(os.environ))
    while not (tmp_path / "started").exists():
        assert os.waitpid(pid, os.WNOHANG) == (0, 0)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    began = time.monotonic()
    while running(tmp_path):
        assert time.monotonic() - began < 2
