"""Runs jobs on throwaway copies of the project: its tests, replays of calls, timings, and scripts on example inputs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.overlay import copy_project
from burnish_analyzers.harness.process import Finished, Limits, run
from burnish_analyzers.harness.project import Project
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

LAUNCHER = Path(__file__).with_name("runner") / "launch.py"
SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|credential")
UNTITLED = "untitled.py"
FOLDER_PREFIX = "burnish-"
STARTUP_SECONDS = 30.0
MOST_CALLS = 200
MOST_CALLS_FOR_TEST = 15


@dataclass(frozen=True, kw_only=True)
class TestOutcome:
    """One test of the project: what it said, and whether it ran the unit."""

    identifier: str
    outcome: str
    message: str
    reached: bool


@dataclass(frozen=True, kw_only=True)
class SuiteRun:
    """One run of the project's tests. `truncated`: time ran out before all had run. `problem`: why none ran, or ""."""

    tests: tuple[TestOutcome, ...]
    collected: int
    truncated: bool
    problem: str
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Version:
    """A whole text of the module, and the statements that it imports at its top beyond the original's."""

    text: str
    imports: tuple[str, ...] = ()


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
    """One project with one document under judgement; a context manager that leaves nothing behind."""

    def __init__(
        self,
        project: Project,
        snapshot: Snapshot,
        unit: Unit,
        *,
        limits: Limits,
        cancelled: Callable[[], bool],
    ) -> None:
        self.project = project
        self.snapshot = snapshot
        self.unit = unit
        self.limits = limits
        self.cancelled = cancelled
        path = snapshot.path
        self.relative = path.resolve().relative_to(project.root.resolve()) if path else Path(UNTITLED)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = 0

    def __enter__(self) -> Workbench:
        remove_abandoned()
        self._folder = tempfile.TemporaryDirectory(prefix=f"{FOLDER_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True)
        base = self.folder / "base"
        base.mkdir()
        if self.snapshot.path:
            copy_project(self.project.root, base)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder:
            self._folder.cleanup()

    @property
    def folder(self) -> Path:
        """The temporary folder that holds everything; Workbench must be entered."""
        assert self._folder is not None
        return Path(self._folder.name)

    def tests(self, text: str, *, select: Sequence[str] | None, seconds: float, fail_fast: bool) -> SuiteRun:
        """Run the project's tests (the selected ones, else all) on this text. Raises JobError."""
        job = {"kind": "tests", "select": select, "fail_fast": fail_fast, "seconds": seconds}
        result, finished = self._job(job, text, seconds)
        return SuiteRun(
            tests=tuple(
                TestOutcome(
                    identifier=test["id"], outcome=test["outcome"], message=test["message"], reached=test["reached"]
                )
                for test in result["tests"]
            ),
            collected=result["collected"],
            truncated=result["truncated"],
            problem=result["problem"],
            seconds=finished.seconds,
        )

    def replay(
        self,
        candidate: Version,
        *,
        select: Sequence[str],
        mutants: Sequence[str],
        open_parameters: tuple[Sequence[str], Sequence[str]],
        seconds: float,
    ) -> dict[str, Any]:
        """Compare original and candidate on the calls that the selected tests make, and on variations of them.

        The result is the runner's `kind_replay` document. Raises JobError.
        """
        job = {
            "kind": "replay",
            "select": select,
            "seconds": seconds,
            "replay_seconds": seconds / 2,
            "mutants": mutants,
            "open_parameters": open_parameters,
            **self._pair(candidate),
        }
        return self._job(job, self.snapshot.text, 2 * seconds)[0]

    def timing(
        self,
        candidate: Version,
        *,
        select: Sequence[str],
        seconds: float,
        timing_seconds: float,
        alpha: float,
        seed: int,
    ) -> dict[str, Any]:
        """Time original and candidate on the calls that the selected tests make, in a fresh process.

        The result is the runner's `kind_timing` document. Raises JobError.
        """
        job = {
            "kind": "timing",
            "select": select,
            "seconds": seconds,
            "replay_seconds": seconds / 2,
            "timing_seconds": timing_seconds,
            "alpha": alpha,
            "seed": seed,
            **self._pair(candidate),
        }
        return self._job(job, self.snapshot.text, 2 * seconds + timing_seconds, hash_seed=seed)[0]

    def script(self, text: str, stdin: Path, *, seconds: float) -> Finished:
        """Run the document as a script on one input. Raises Cancelled; how it ended is in the result."""
        run_folder, path = self._lay(text)
        try:
            return run(
                [str(self.project.interpreter.path), "-X", f"pycache_prefix={run_folder / 'pycache'}", str(path)],
                cwd=path.parent,
                env=self._environment(run_folder, hash_seed=0),
                work=run_folder,
                limits=replace(self.limits, seconds=seconds),
                cancelled=self.cancelled,
                readable=self._readable(),
                stdin=stdin,
            )
        finally:
            shutil.rmtree(run_folder, ignore_errors=True)

    def diagnostics(self, text: str) -> tuple[tuple[str, str], ...]:
        """ruff's errors in this text, as (code, message), in order; only those that mean a fault, not style."""
        run_folder, path = self._lay(text)
        try:
            finished = run(
                [
                    sys.executable,
                    "-m",
                    "ruff",
                    "check",
                    "--isolated",
                    "--no-cache",
                    "--select",
                    "E9,F,PLE",
                    "--preview",
                    "--output-format",
                    "json",
                    "--exit-zero",
                    str(path),
                ],
                cwd=run_folder,
                env=self._environment(run_folder, hash_seed=0),
                work=run_folder,
                limits=self.limits,
                cancelled=self.cancelled,
                readable=[Path(sys.prefix), Path(sys.base_prefix), *map(Path, sys.path)],
            )
        finally:
            shutil.rmtree(run_folder, ignore_errors=True)
        if finished.exit_code != 0:
            raise JobError(f"ruff could not check the file: {finished.account}.")
        return tuple((item["code"] or "syntax", item["message"]) for item in json.loads(finished.stdout))

    def _pair(self, candidate: Version) -> dict[str, Any]:
        return {
            "original": self.snapshot.text,
            "candidate": candidate.text,
            "imports": candidate.imports,
            "most_calls": MOST_CALLS,
            "most_for_test": MOST_CALLS_FOR_TEST,
        }

    def _job(
        self, job: dict[str, Any], text: str, seconds: float, *, hash_seed: int = 0
    ) -> tuple[dict[str, Any], Finished]:
        """Hand one job to the runner in the project's interpreter, on a fresh copy that holds `text`."""
        run_folder, path = self._lay(text)
        result = run_folder / "result.json"
        document = {
            "root": str(run_folder / "project"),
            "original_root": str(self.project.root),
            "path": str(path),
            "first_line": self.unit.start_line,
            "last_line": self.unit.end_line,
            "unit_name": self.unit.name,
            "use_pytest": self.project.interpreter.has_pytest,
            "doctests": ">>>" in self.snapshot.text,
            "result": str(result),
            "writable": [str(run_folder)],
            **job,
        }
        (run_folder / "job.json").write_text(json.dumps(document), encoding="utf-8")
        try:
            finished = run(
                [
                    str(self.project.interpreter.path),
                    "-X",
                    f"pycache_prefix={run_folder / 'pycache'}",
                    str(LAUNCHER),
                    str(run_folder / "job.json"),
                ],
                cwd=run_folder / "project",
                env=self._environment(run_folder, hash_seed),
                work=run_folder,
                limits=replace(self.limits, seconds=seconds + STARTUP_SECONDS),
                cancelled=self.cancelled,
                readable=self._readable(),
            )
            answer = result.read_text(encoding="utf-8") if result.is_file() else ""
        finally:
            shutil.rmtree(run_folder, ignore_errors=True)
        try:
            return json.loads(answer), finished
        except ValueError:
            raise JobError(f"The run in the project's interpreter gave no result: {finished.account}.") from None

    def _lay(self, text: str) -> tuple[Path, Path]:
        """A fresh folder for one run, and the path of the document with `text` in the copy of the project there."""
        self._count += 1
        run_folder = self.folder / f"run{self._count}"
        for name in ("home", "tmp"):
            (run_folder / name).mkdir(parents=True)
        shutil.copytree(self.folder / "base", run_folder / "project", symlinks=True)
        path = run_folder / "project" / self.relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # it may be a link, or write-protected
        path.write_bytes(self.snapshot.encode(text))
        return run_folder, path

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
