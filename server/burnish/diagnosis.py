"""What `burnish doctor` looks at: whether Burnish can do its work in a project, and what would be missing."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from burnish import __version__
from burnish.configuration import ModelSettings, Settings
from burnish.missing_pytest import missing_pytest
from burnish_analyzers.errors import BurnishError, ProjectError
from burnish_analyzers.harness.overlay import copy_project
from burnish_analyzers.harness.process import protections
from burnish_analyzers.harness.project import find_interpreter


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One finding of the doctor: what was looked at, whether it is well, and what to do if not."""

    name: str
    ok: bool
    detail: str


def diagnose(settings: Settings, root: Path) -> tuple[Diagnosis, ...]:
    """Everything worth telling about a project. Starts its interpreter; runs no code of the project."""
    return tuple(diagnoses(settings, root))


def diagnoses(settings: Settings, root: Path) -> Iterator[Diagnosis]:
    """One after the other."""
    yield Diagnosis(name="burnish", ok=True, detail=f"{__version__} on Python {platform.python_version()}")
    yield Diagnosis(name="project", ok=True, detail=str(root))
    yield from interpreter(settings, root)
    yield copying(root)
    yield protection()
    yield examples(settings, root)
    yield model(settings.model)


def interpreter(settings: Settings, root: Path) -> Iterator[Diagnosis]:
    """The project's Python and its test runner."""
    try:
        found = find_interpreter(root, settings.interpreter, os.environ)
    except BurnishError as error:
        yield Diagnosis(name="interpreter", ok=False, detail=str(error))
        return
    version = ".".join(map(str, found.version))
    yield Diagnosis(name="interpreter", ok=True, detail=f"Python {version} at {found.path}, from {found.source}")
    remedy = missing_pytest(root, found)
    if remedy:
        yield Diagnosis(name="tests", ok=False, detail=f"written for pytest, which is not installed there: {remedy}")
        return
    runner = "pytest" if found.has_pytest else "unittest, since pytest is not installed there"
    yield Diagnosis(name="tests", ok=True, detail=f"run by {runner}")


def copying(root: Path) -> Diagnosis:
    """Whether the project can be copied, which every check of behaviour needs."""
    with tempfile.TemporaryDirectory(prefix="burnish-") as folder:
        try:
            copy_project(root, Path(folder) / "project")
        except (ProjectError, OSError) as error:
            return Diagnosis(name="copy", ok=False, detail=str(error))
    return Diagnosis(name="copy", ok=True, detail="the project can be copied; candidates never run in place")


def protection() -> Diagnosis:
    """What keeps code under judgement in bounds on this platform."""
    granted = protections()
    return Diagnosis(
        name="protection",
        ok=True,
        detail=f"{', '.join((*granted, 'limits and the audit hook'))}; docs/protection.md says what that stops",
    )


def examples(settings: Settings, root: Path) -> Diagnosis:
    """The example inputs of scripts."""
    if settings.examples is None:
        return Diagnosis(name="examples", ok=True, detail="none set; scripts need them, functions do not")
    folder = root / settings.examples
    count = len(list(folder.glob("*.in")) + list(folder.glob("inputs/*.in"))) if folder.is_dir() else 0
    return Diagnosis(name="examples", ok=count > 0, detail=f"{count} *.in files in {folder}")


def model(settings: ModelSettings | None) -> Diagnosis:
    """The model's endpoint, if one is set."""
    if settings is None:
        return Diagnosis(name="model", ok=True, detail="none set; the embedded rules work without one")
    return Diagnosis(name="model", ok=True, detail=f"{settings.name} at {settings.base_url}")
