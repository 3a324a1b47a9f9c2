"""`burnish worker`: one refinement for the language server, in a process of its own.

The server writes one line of JSON, the job, and keeps standard input open: its end is the order to stop. Standard
output has a line of JSON for each event: any number of "progress", and last one "result" or "error".
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from burnish.cli.exit_codes import BAD_INPUT, NONE, PROPOSAL
from burnish.cli.output import say
from burnish.configuration import load_settings
from burnish.engine.refinement import Refinement
from burnish.report.document import refine_document, to_json
from burnish_analyzers.errors import BurnishError, SourceError
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit, script_unit

_STDIN = 0
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Job:
    """What the language server asks for. `qualname` is empty for a script; `settings` are the editor's."""

    path: str | None
    text: str
    root: str | None
    qualname: str
    start_line: int
    end_line: int
    goal: str
    settings: dict[str, Any]


def run(arguments: argparse.Namespace) -> int:
    """Do the job on standard input. Errors are events too; KeyboardInterrupt leaves without one."""
    try:
        job = _read_job()
        threading.Thread(target=_stop_at_end, name="lifeline", daemon=True).start()
        refinement = _refine(job)
    except BurnishError as error:
        _emit("error", message=str(error))
        return BAD_INPUT
    _emit("result", document=refine_document(refinement))
    return PROPOSAL if refinement.status == "proposal" else NONE


def _refine(job: Job) -> Refinement:
    snapshot = Snapshot.from_text(job.text, None if job.path is None else Path(job.path))
    lines = (job.start_line, job.end_line)
    unit = find_unit(snapshot, job.qualname, lines) if job.qualname else script_unit(snapshot)
    root = None if job.root is None else Path(job.root)
    settings = load_settings(root, editor=job.settings)
    from burnish.refinement import Request, refine

    request = Request(snapshot=snapshot, unit=unit, goal=Goal(job.goal), settings=settings, root=root)
    return refine(request, lambda event: _emit("progress", **asdict(event)))


def _read_job() -> Job:
    # os.read, as nothing may be left in a buffer that the other thread's wait would hold at exit.
    line = b""
    while not line.endswith(b"\n") and (chunk := os.read(_STDIN, _CHUNK_BYTES)):
        line += chunk
    try:
        return Job(**json.loads(line))
    except (ValueError, TypeError) as error:
        raise SourceError(f"The job on standard input is malformed: {error}.") from error


def _stop_at_end() -> None:
    """Wait for the end of standard input, then leave as for SIGTERM, which ends every child process."""
    while os.read(_STDIN, _CHUNK_BYTES):
        continue
    os.kill(os.getpid(), signal.SIGTERM)


def _emit(event: str, **content: Any) -> None:
    say(to_json({"event": event, **content}, indent=None))
