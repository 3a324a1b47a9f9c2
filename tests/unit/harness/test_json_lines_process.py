"""`json_lines_process`: what comes out of the child, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from burnish_analyzers.errors import BurnishError
from burnish_analyzers.harness.json_lines_process import json_lines_process

ECHO = "import json, sys; print(json.dumps({'got': json.loads(sys.stdin.readline())}), flush=True)"
PIDS = "import json, os; print(json.dumps({'pid': os.getpid(), 'session': os.getsid(0)}), flush=True)\n"


def command(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def is_running(pid: int) -> bool:
    """Whether the process is alive; a zombie, which we would have failed to reap, counts."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def answers_of(code: str, request: dict[str, Any]) -> list[dict[str, Any]]:
    async with json_lines_process(command(code), request) as answers:
        return [answer async for answer in answers]


async def test_sends_the_request_and_yields_each_object() -> None:
    request = {"text": "é\n🎉", "size": 1}
    assert await answers_of(ECHO + ";print('{}')", request) == [{"got": request}, {}]


async def test_a_request_and_an_answer_larger_than_any_pipe_arrive() -> None:
    text = "x" * 3_000_000
    assert await answers_of(ECHO, {"text": text}) == [{"got": {"text": text}}]


async def test_a_child_that_reads_nothing_is_no_error() -> None:
    assert await answers_of("pass", {"text": "x" * 1_000_000}) == []


@pytest.mark.parametrize("line", ["no json", "[1]", "\\udcff"])
async def test_anything_but_objects_is_an_error(line: str) -> None:
    code = f"import sys; sys.stdout.reconfigure(errors='surrogateescape'); print('{line}')"
    with pytest.raises(BurnishError, match="unintelligibly"):
        await answers_of(code, {})


async def test_a_missing_program_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(BurnishError, match="does not start"):
        async with json_lines_process([str(tmp_path / "missing")], {}):
            pass


async def test_the_child_leads_its_own_session_and_is_gone_afterwards() -> None:
    async with json_lines_process(command(PIDS + "import sys; sys.stdin.read()"), {}, grace_seconds=0.2) as answers:
        answer = await anext(answers)
        assert answer["session"] == answer["pid"]
    assert not is_running(answer["pid"])


async def test_leaving_normally_lets_it_tidy_up(tmp_path: Path) -> None:
    marker = tmp_path / "tidied"
    code = PIDS + f"import time; time.sleep(0.1); open({str(marker)!r}, 'w').close()"
    async with json_lines_process(command(code), {}) as answers:
        await anext(answers)
    assert marker.exists()


async def cancelled_run(code: str, grace_seconds: float) -> tuple[int, float]:
    """The child's process id, and the seconds from cancelling its task to the task's end."""
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def run() -> None:
        async with json_lines_process(command(code), {}, grace_seconds=grace_seconds) as answers:
            async for answer in answers:
                started.set_result(answer["pid"])

    task = asyncio.create_task(run())
    pid = await started
    begin = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return pid, time.monotonic() - begin


async def test_cancelling_ends_it_at_once() -> None:
    pid, seconds = await cancelled_run(PIDS + "import time; time.sleep(60)", grace_seconds=5)
    assert not is_running(pid)
    assert seconds < 2


async def test_a_child_that_ignores_the_signal_is_killed_after_the_grace() -> None:
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + PIDS + "time.sleep(60)"
    pid, seconds = await cancelled_run(stubborn, grace_seconds=0.2)
    assert not is_running(pid)
    assert 0.2 <= seconds < 2


async def test_what_the_child_left_in_its_group_goes_with_it() -> None:
    code = """
import json, subprocess, sys
child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"], stdout=subprocess.DEVNULL)
print(json.dumps({"pid": child.pid}), flush=True)
"""
    [answer] = await answers_of(code, {})
    deadline = time.monotonic() + 2
    while is_running(answer["pid"]) and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    # Nobody but init can reap an orphan, and a container may have no init that does.
    assert not is_running(answer["pid"]) or " Z " in Path(f"/proc/{answer['pid']}/stat").read_text()


async def test_being_cancelled_twice_still_reaps() -> None:
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + PIDS + "time.sleep(60)"
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def run() -> None:
        async with json_lines_process(command(stubborn), {}, grace_seconds=60) as answers:
            async for answer in answers:
                started.set_result(answer["pid"])

    task = asyncio.create_task(run())
    pid = await started
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_running(pid)
