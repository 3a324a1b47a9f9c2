"""`burnish worker`: the language server's child, as a real process with a fake `burnish.refinement`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.unit.cli.conftest import OLD

# The fake's refinement starts a child of its own and waits for it, as the real one waits for tests.
PROGRAM = """
import subprocess, sys
from types import ModuleType
from tests.unit.cli.conftest import FakeRefinement, Request
from burnish.cli.main import main
from burnish.engine.refinement import Progress
from burnish_analyzers.errors import BackendError

fake = FakeRefinement()

def wait():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        fake.report(Progress(step="waiting", detail=str(child.pid)))
        child.wait()
    finally:
        child.kill()
        child.wait()

def refine(request, report):
    fake.report = report
    print(request.settings.rounds, request.unit.qualname, request.root, file=sys.stderr, flush=True)
    return fake.refine(request, report)

if sys.argv[1] == "wait":
    fake.before_answer = wait
elif sys.argv[1] == "fail":
    fake.failure = BackendError("No answer.")
module = ModuleType("burnish.refinement")
module.Request, module.refine = Request, refine
sys.modules["burnish.refinement"] = module
sys.exit(main(["worker"]))
"""
JOB = {
    "path": "/nowhere/code.py",
    "text": OLD,
    "root": None,
    "qualname": "total",
    "start_line": 1,
    "end_line": 5,
    "goal": "performance",
    "settings": {"rounds": 7, "interpreter": ""},
}


@contextmanager
def worker(mode: str, job: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        stdin = pipe(process.stdin)
        stdin.write(job + "\n")
        stdin.flush()
        try:
            yield process
        finally:
            process.kill()


def pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def events(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in pipe(process.stdout)]


def test_progress_then_a_result_while_standard_input_stays_open() -> None:
    with worker("answer", json.dumps(JOB)) as process:
        *progress, last = events(process)
        assert process.wait(10) == 0
        assert pipe(process.stderr).read() == "7 total None\n"
    assert progress[0] == {"event": "progress", "step": "tests", "detail": "1.84× faster", "done": 12, "total": 40}
    assert last["event"] == "result"
    assert last["document"]["status"] == "proposal"
    assert last["document"]["unit"]["path"] == "/nowhere/code.py"


def test_an_untitled_script() -> None:
    with worker("answer", json.dumps({**JOB, "path": None, "qualname": ""})) as process:
        last = events(process)[-1]
    assert last["document"]["unit"]["path"] is None
    assert last["document"]["unit"]["kind"] == "script"


@pytest.mark.parametrize(
    ("mode", "job", "words"),
    [
        ("fail", json.dumps(JOB), "No answer."),
        ("answer", "{", "malformed"),
        ("answer", "[]", "malformed"),
        ("answer", json.dumps({**JOB, "qualname": "nothing"}), "There is no unit"),
        ("answer", json.dumps({**JOB, "settings": {"roundz": 1}}), "There is no setting roundz"),
    ],
)
def test_an_error_is_the_last_event(mode: str, job: str, words: str) -> None:
    with worker(mode, job) as process:
        last = events(process)[-1]
        assert process.wait(10) == 2
        assert "Traceback" not in pipe(process.stderr).read()
    assert last["event"] == "error"
    assert words in last["message"]


def test_the_end_of_standard_input_stops_everything() -> None:
    with worker("wait", json.dumps(JOB)) as process:
        child = 0
        for line in pipe(process.stdout):
            event = json.loads(line)
            if event["step"] == "waiting":
                child = int(event["detail"])
                break
        pipe(process.stdin).close()
        assert process.wait(10) == 130
    assert child
    assert not Path(f"/proc/{child}").exists()
