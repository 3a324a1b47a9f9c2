"""Refinements at work, each in a child process: the server itself never does anything that takes long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from burnish.lsp.client import Client, ProgressLine
from burnish.lsp.settings import EditorSettings
from burnish_analyzers.errors import BurnishError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.json_lines_process import json_lines_process
from burnish_analyzers.source.units import Unit

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Target:
    """What a job refines: a unit of one version of a document, and what for."""

    uri: str
    version: int | None
    text: str
    path: str | None
    root: str | None
    unit: Unit
    goal: Goal
    title: str

    @property
    def key(self) -> tuple[str, str, int, Goal]:
        """What two clicks on the same action have in common."""
        return self.uri, self.unit.qualname, self.unit.occurrence, self.goal


Finish = Callable[[str, Target, Mapping[str, Any]], Awaitable[None]]


@dataclass(kw_only=True)
class Job:
    """One job: `working` until its child has ended, afterwards only waiting for the user."""

    target: Target
    id: str = field(default_factory=lambda: uuid4().hex)
    working: bool = True


class Jobs:
    """All jobs that have not ended. `finish` gets a job's id, its target and the `refine` document that came out."""

    def __init__(
        self, *, worker_command: Sequence[str], client: Client, settings: EditorSettings, finish: Finish
    ) -> None:
        self._worker_command = worker_command
        self._client = client
        self._settings = settings
        self._finish = finish
        self._tasks: dict[asyncio.Task[None], Job] = {}

    def start(self, target: Target) -> str:
        """Start a job and give its id at once; the id of the running one if the same is being done already."""
        for job in self._tasks.values():
            if job.working and job.target.key == target.key:
                return job.id
        job = Job(target=target)
        task = asyncio.get_running_loop().create_task(self._run(job))
        self._tasks[task] = job
        task.add_done_callback(self._ended)
        return job.id

    def cancel(self, job_id: str) -> None:
        """Cancel a job, if there still is one of that id."""
        self._cancel(lambda job: job.id == job_id)

    def cancel_document(self, uri: str) -> None:
        """Cancel the jobs of a document."""
        self._cancel(lambda job: job.target.uri == uri)

    def cancel_all(self) -> None:
        """Cancel every job."""
        self._cancel(lambda _: True)

    async def close(self) -> None:
        """Cancel every job, and wait until their processes are gone."""
        self.cancel_all()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _cancel(self, chosen: Callable[[Job], bool]) -> None:
        for task, job in self._tasks.items():
            if chosen(job):
                task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("A job failed.", exc_info=error)
            self._client.warn("Burnish failed on this job; the log of the language server says why.")

    async def _run(self, job: Job) -> None:
        try:
            try:
                document = await self._work(job)
            finally:
                job.working = False
            await self._finish(job.id, job.target, document)
        except BurnishError as error:
            self._client.warn(str(error))

    async def _work(self, job: Job) -> Mapping[str, Any]:
        async with self._client.showing_progress(job.id, job.target.title) as progress:
            settings = await self._settings.of(job.target.uri)
            async with json_lines_process(self._worker_command, _request(job.target, settings)) as messages:
                return await _follow(messages, progress)


async def _follow(messages: AsyncIterator[Mapping[str, Any]], progress: ProgressLine) -> Mapping[str, Any]:
    """The `refine` document that the worker ends with. Raises BurnishError if it ends without."""
    async for message in messages:
        match message:
            case {"event": "progress", "step": str(step)}:
                detail, done, total = (message.get(key) for key in ("detail", "done", "total"))
                progress.report(step, str(detail or ""), int(done or 0), int(total or 0))
            case {"event": "result", "document": dict(document)}:
                return document
            case {"event": "error", "message": str(text)}:
                return {"status": "error", "message": text}
    raise BurnishError("Burnish's worker ended without a result; the log of the language server says why.")


def _request(target: Target, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "path": target.path,
        "text": target.text,
        "root": target.root,
        "qualname": target.unit.qualname,
        "start_line": target.unit.start_line,
        "end_line": target.unit.end_line,
        "goal": target.goal.value,
        "settings": dict(settings),
    }
