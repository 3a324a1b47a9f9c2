"""Runs jobs on throwaway copies of the project: its tests, calls of the unit, timings, and scripts on inputs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.overlay import copy_project
from burnish_analyzers.harness.process import Command, Finished, Limits, protections, run
from burnish_analyzers.harness.project import Project
from burnish_analyzers.harness.session import Session
from burnish_analyzers.harness.tasks import Answer, CallSource, Decoy, SuiteRun, Version, suite_run
from burnish_analyzers.harness.working_copy import WorkingCopy
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

LAUNCHER = Path(__file__).with_name("runner") / "launch.py"
SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|credential")
UNTITLED = "untitled.py"
FOLDER_PREFIX = "burnish-"
STARTUP_SECONDS = 30.0
SESSION_SECONDS = 24 * 3600.0
MOST_CALLS = 200
MOST_CALLS_FOR_TEST = 15


def remove_abandoned() -> None:
    """Remove the folders of workbenches whose process was killed before it could do so itself."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*-*"):
        owner = folder.name.removeprefix(FOLDER_PREFIX).partition("-")[0]
        if owner.isdigit() and folder.stat().st_uid == os.getuid() and not is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(pid: int) -> bool:
    """Whether a process of this number exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class Workbench:
    """One project with one document under judgement; a context manager that leaves nothing behind.

    `warm`: whether one process may serve many tasks by forking. `files`: the test files to collect, None for all.
    """

    def __init__(
        self,
        project: Project,
        snapshot: Snapshot,
        unit: Unit,
        *,
        limits: Limits,
        cancelled: Callable[[], bool],
        warm: bool = True,
    ) -> None:
        self.project = project
        self.snapshot = snapshot
        self.unit = unit
        self.limits = limits
        self.cancelled = cancelled
        self.warm = warm
        self.files: tuple[str, ...] | None = None
        path = snapshot.path
        self.relative = path.resolve().relative_to(project.root.resolve()) if path else Path(UNTITLED)
        self.placed = "namespaces" in protections()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._session: tuple[Session, WorkingCopy] | None = None

    def __enter__(self) -> Workbench:
        remove_abandoned()
        self._folder = tempfile.TemporaryDirectory(prefix=f"{FOLDER_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True)
        base = self.folder / "base"
        base.mkdir()
        if self.snapshot.path:
            copy_project(self.project.root, base)
        path = base / self.relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(self.snapshot.encode(self.snapshot.text))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_session()
        if self._folder:
            self._folder.cleanup()

    @property
    def folder(self) -> Path:
        """The temporary folder that holds everything; Workbench must be entered."""
        assert self._folder is not None
        return Path(self._folder.name)

    def tests(
        self,
        version: Version | None,
        *,
        select: Sequence[str] | None,
        seconds: float,
        fail_fast: bool,
        decoy: Decoy | None = None,
    ) -> SuiteRun:
        """Run the project's tests (the selected ones, else all) on a version, or the original. Raises JobError."""
        task = {
            "task": "tests",
            "select": select,
            "fail_fast": fail_fast,
            "seconds": seconds,
            "decoy": asdict(decoy) if decoy else None,
            "version": asdict(version) if version else None,
        }
        began = time.monotonic()
        session, copy = self._opened()
        forks, at_import = session.hello["forks"], session.hello["at_import"]
        answer: Answer = [{"unswappable": "it runs while its module is imported"}]
        if forks and not (version and at_import):
            if version:
                copy.write(self.relative, self.snapshot.encode(version.text))
            answer, ended = self._ask(task, seconds + STARTUP_SECONDS)
        if any("unswappable" in document for document in answer):
            answer, ended = self._ask_alone(task, seconds + STARTUP_SECONDS, version)
        return suite_run(answer, ended, session.hello["collected"], time.monotonic() - began)

    def calls(self, source: CallSource, kind: str, seconds: float, **wanted: Any) -> Answer:
        """Ask the process that holds the unit's calls: "gather", "observe" or "timing".

        What each is given and answers is in `runner/main.py`. Raises JobError.
        """
        task = {
            "task": "calls",
            "kind": kind,
            "most_calls": MOST_CALLS,
            "most_for_test": MOST_CALLS_FOR_TEST,
            "fail_fast": False,
            "seconds": seconds,
            **asdict(source),
            **wanted,
        }
        session, copy = self._opened()
        limit = 2 * seconds + STARTUP_SECONDS
        if wanted.get("version"):
            copy.write(self.relative, self.snapshot.encode(wanted["version"]["text"]))
        answer, ended = self._ask(task, limit) if session.hello["forks"] else self._ask_alone(task, limit, None)
        if ended:
            answer.append({"ended": ended})
        return answer

    def timing(
        self,
        source: CallSource,
        version: Version,
        *,
        seconds: float,
        timing_seconds: float,
        alpha: float,
        earlier: Sequence[Sequence[float]],
    ) -> dict[str, Any]:
        """Time original and version on the recorded calls, after the first process in one that is started for it.

        `earlier`: the log ratios of each process before. The result is the runner's `timing` document. Raises JobError.
        """
        seed = len(earlier) + 1
        wanted = {
            "version": asdict(version),
            "timing_seconds": timing_seconds,
            "alpha": alpha,
            "seed": seed,
            "earlier": earlier,
        }
        limit = seconds + timing_seconds
        if seed == 1:
            answer = self.calls(source, "timing", limit, **wanted)
        else:
            task = {
                "task": "calls",
                "kind": "timing",
                "most_calls": MOST_CALLS,
                "most_for_test": MOST_CALLS_FOR_TEST,
                "fail_fast": False,
                "seconds": seconds,
                **asdict(source),
                **wanted,
            }
            answer, ended = self._ask_alone(task, 2 * limit + STARTUP_SECONDS, None, hash_seed=seed)
        found: dict[str, Any] = {}
        for document in answer:
            found.update(document)
        if "workloads" not in found and "unswappable" not in found:
            raise JobError(f"The timing gave no result: {found.get('ended') or ended}.")
        return found

    def script(self, text: str, stdin: Path, *, seconds: float) -> Finished:
        """Run the document as a script on one input. Raises Cancelled; how it ended is in the result."""
        run_folder, root = self._lay(text)
        path = root / self.relative
        try:
            command = self._command(
                run_folder,
                argv=(str(self.project.interpreter.path), "-X", f"pycache_prefix={run_folder / 'pycache'}", str(path)),
                cwd=path.parent,
                seconds=seconds,
            )
            return run(replace(command, stdin=stdin), self.cancelled)
        finally:
            shutil.rmtree(run_folder, ignore_errors=True)

    def diagnostics(self, text: str) -> tuple[tuple[str, str], ...]:
        """ruff's errors in this text, as (code, message), in order; only those that mean a fault, not style."""
        run_folder = self._run_folder("ruff")
        path = run_folder / self.relative.name
        path.write_bytes(self.snapshot.encode(text))
        rules = ("--select", "E9,F,PLE", "--preview", "--output-format", "json", "--exit-zero")
        try:
            command = self._command(
                run_folder,
                argv=(sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", *rules, str(path)),
                cwd=run_folder,
                seconds=self.limits.seconds,
            )
            own = tuple(map(Path, (sys.prefix, sys.base_prefix, *sys.path)))
            finished = run(replace(command, readable=own, places=()), self.cancelled)
        finally:
            shutil.rmtree(run_folder, ignore_errors=True)
        if finished.exit_code != 0:
            raise JobError(f"ruff could not check the file: {finished.account}.")
        return tuple((item["code"] or "syntax", item["message"]) for item in json.loads(finished.stdout))

    def _ask(self, task: dict[str, Any], seconds: float) -> tuple[Answer, str]:
        """Ask the warm session; one that fails is ended, and the next question starts another."""
        session, copy = self._opened()
        try:
            found = session.ask(task, seconds)
        except BaseException:
            self._end_session()
            raise
        copy.restore()
        return found

    def _ask_alone(
        self, task: dict[str, Any], seconds: float, version: Version | None, *, hash_seed: int = 0
    ) -> tuple[Answer, str]:
        """Ask a session that is started for this one question, on a copy that holds the version."""
        text = version.text if version else self.snapshot.text
        run_folder, root = self._lay(text)
        try:
            with self._started(run_folder, root, text, warm=False, hash_seed=hash_seed) as session:
                return session.ask({**task, "version": None if version else task.get("version")}, seconds)
        finally:
            shutil.rmtree(run_folder, ignore_errors=True)

    def _opened(self) -> tuple[Session, WorkingCopy]:
        """The warm session on the original, started where none runs."""
        if self._session is None:
            run_folder = self._run_folder("warm")
            copy = WorkingCopy(self.folder / "base", run_folder / "project")
            root = self._root(run_folder)
            self._session = self._started(run_folder, root, self.snapshot.text, warm=self.warm), copy
        return self._session

    def _started(self, run_folder: Path, root: Path, text: str, *, warm: bool, hash_seed: int = 0) -> Session:
        """A session that has collected the tests."""
        job = {
            "root": str(root),
            "original_root": str(self.project.root),
            "path": str(root / self.relative),
            "text": text,
            "first_line": self.unit.start_line,
            "last_line": self.unit.end_line,
            "unit_name": self.unit.name,
            "run_tests": self.files != (),
            "use_pytest": self.project.interpreter.has_pytest,
            "files": self.files,
            "doctests": ">>>" in self.snapshot.text,
            "writable": [str(run_folder)],
            "warm": warm,
        }
        interpreter = (str(self.project.interpreter.path), "-X", f"pycache_prefix={run_folder / 'pycache'}")
        command = self._command(
            run_folder,
            argv=(*interpreter, str(LAUNCHER), str(run_folder / "job.json")),
            cwd=root,
            seconds=SESSION_SECONDS,
            hash_seed=hash_seed,
        )
        session = Session(command, job, cancelled=self.cancelled)
        try:
            session.greet(self.limits.seconds + STARTUP_SECONDS)
        except BaseException:
            session.end()
            raise
        return session

    def _end_session(self) -> None:
        if self._session:
            session, copy = self._session
            self._session = None
            session.end()
            shutil.rmtree(copy.folder.parent, ignore_errors=True)

    def _command(
        self, run_folder: Path, *, argv: tuple[str, ...], cwd: Path, seconds: float, hash_seed: int = 0
    ) -> Command:
        """A command that sees the copy where the project is, if this machine can show it there."""
        copy = run_folder / "project"
        places = {self.project.root, self.project.root.resolve()} if self.placed and self.snapshot.path else ()
        return Command(
            argv=argv,
            cwd=cwd,
            env=self._environment(run_folder, hash_seed),
            work=run_folder,
            limits=replace(self.limits, seconds=seconds),
            readable=tuple(self._readable()),
            places=tuple((copy, path) for path in places),
        )

    def _run_folder(self, kind: str) -> Path:
        """A fresh folder for one run; what runs alone is always in the same place, as paths may be seen by tests."""
        run_folder = self.folder / kind
        for name in ("home", "tmp"):
            (run_folder / name).mkdir(parents=True)
        return run_folder

    def _root(self, run_folder: Path) -> Path:
        """Where a run sees the copy of the project."""
        return self.project.root if self.placed and self.snapshot.path else run_folder / "project"

    def _lay(self, text: str) -> tuple[Path, Path]:
        """A fresh folder for one run with a copy of the project that holds `text`, and where the run sees that copy."""
        run_folder = self._run_folder("alone")
        copy = WorkingCopy(self.folder / "base", run_folder / "project")
        copy.write(self.relative, self.snapshot.encode(text))
        return run_folder, self._root(run_folder)

    def _readable(self) -> list[Path]:
        """What the project's interpreter imports, but nothing of the project itself: there the copy stands for it."""
        root = self.project.root.resolve()
        interpreter = self.project.interpreter
        environment = interpreter.prefix.resolve()
        named = [
            Path(entry)
            for variable in ("PYTHONPATH", "LD_LIBRARY_PATH")
            for entry in os.environ.get(variable, "").split(os.pathsep)
            if entry
        ]
        return [LAUNCHER.parent] + [
            folder
            for folder in (*interpreter.folders, *named)
            if not folder.resolve().is_relative_to(root) or folder.resolve().is_relative_to(environment)
        ]

    def _environment(self, run_folder: Path, hash_seed: int) -> dict[str, str]:
        """The user's environment without secrets, with a home and temporary folder of the run's own."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not SECRET_NAME.search(name) and name not in ("PWD", "OLDPWD")
        }
        prefix = self.project.interpreter.prefix
        return kept | {
            "HOME": str(run_folder / "home"),
            "TMPDIR": str(run_folder / "tmp"),
            "VIRTUAL_ENV": str(prefix),
            "PATH": os.pathsep.join([str(self.project.interpreter.path.parent), kept.get("PATH", "")]),
            "PYTHONHASHSEED": str(hash_seed),
            "PYTHONPYCACHEPREFIX": str(run_folder / "pycache-of-children"),
        }
