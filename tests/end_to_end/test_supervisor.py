"""Commands under the supervisor: bounded, and gone with all they started."""

import os
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish_analyzers.harness.process import Cancelled, Finished, Limits, run

pytestmark = pytest.mark.end_to_end
MEBIBYTE = 1 << 20


def python(
    work: Path, code: str, *, limits: Limits | None = None, cancelled: Callable[[], bool] = lambda: False
) -> Finished:
    return run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=work,
        env={"PATH": os.environ["PATH"]},
        work=work,
        limits=limits or Limits(seconds=20),
        cancelled=cancelled,
    )


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_output_exit_code_and_seconds_are_reported(tmp_path: Path) -> None:
    finished = python(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (finished.reason, finished.exit_code) == ("exited", 3)
    assert (finished.stdout, finished.stderr) == (b"out\n", b"err\n")
    assert 0 < finished.cpu_seconds < 5


def test_a_command_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    finished = run(["/no/such/command"], cwd=tmp_path, env={}, work=tmp_path, limits=Limits(), cancelled=lambda: False)
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
                with open("daemon", "w") as file: file.write(str(os.getpid()))
                time.sleep(600)
            os._exit(0)
        while not os.path.exists("daemon") or not os.path.getsize("daemon"): time.sleep(0.01)
    """
    assert python(tmp_path, code).exit_code == 0
    assert not alive(int((tmp_path / "daemon").read_text()))


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
        with open("pids", "w") as file: file.write(f"{os.getpid()} {child} ")
        time.sleep(600)
    """
    cancel = threading.Event()
    pids = tmp_path / "pids"

    def started() -> bool:
        return pids.exists() and pids.read_text().endswith(" ")

    def cancelled() -> bool:
        if started():
            cancel.set()
        return cancel.is_set()

    with pytest.raises(Cancelled):
        python(tmp_path, code, cancelled=cancelled)
    began = time.monotonic()
    waiting = [int(pid) for pid in pids.read_text().split()]
    while any(alive(pid) for pid in waiting):
        assert time.monotonic() - began < 2


def test_nothing_outlives_a_caller_that_is_killed(tmp_path: Path) -> None:
    caller = f"""
        import sys
        from pathlib import Path
        from burnish_analyzers.harness.process import Limits, run
        code = "import os, time; open('pid', 'w').write(str(os.getpid()) + ' '); time.sleep(600)"
        work = Path({str(tmp_path)!r})
        run([sys.executable, "-c", code], cwd=work, env={{}}, work=work, limits=Limits(), cancelled=lambda: False)
    """
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", textwrap.dedent(caller)], dict(os.environ))
    child = tmp_path / "pid"
    while not (child.exists() and child.read_text().endswith(" ")):
        assert os.waitpid(pid, os.WNOHANG) == (0, 0)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    began = time.monotonic()
    while alive(int(child.read_text())):
        assert time.monotonic() - began < 2
