"""The user's project: where it begins, and which interpreter runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from burnish_analyzers.errors import NoInterpreterError

ROOT_FILES = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "pytest.ini", "Pipfile", "requirements.txt")
ROOT_FOLDERS = (".git", ".hg")
VENV_FOLDERS = (".venv", "venv", "env", ".env")
OLDEST = (3, 9)
SYSTEM_PYTHONS = ("python3", "python")
PROBE = """\
import importlib.util as u, json, os, sys
served = [getattr(sys.modules.get(getattr(each, "__module__", "")), "MAPPING", {}) for each in sys.meta_path]
print(json.dumps({
    "version": sys.version_info[:3],
    "pytest": u.find_spec("pytest") is not None,
    "executable": sys.executable,
    "prefix": sys.prefix,
    "folders": [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable)), *sys.path]
    + [place for mapping in served if isinstance(mapping, dict) for place in mapping.values()],
}))
"""


@dataclass(frozen=True, kw_only=True)
class Interpreter:
    """The Python that runs the project. `folders` hold what it imports; `source` says how it was found, for people."""

    path: Path
    version: tuple[int, int, int]
    has_pytest: bool
    prefix: Path
    folders: tuple[Path, ...]
    source: str


@dataclass(frozen=True, kw_only=True)
class Project:
    """A root folder and its interpreter."""

    root: Path
    interpreter: Interpreter


def find_root(path: Path) -> Path:
    """The nearest folder above `path` that looks like a project's top, else the folder of `path` itself."""
    start = path if path.is_dir() else path.parent
    folders = [start, *start.parents]
    for folder in folders:
        if any((folder / name).is_file() for name in ROOT_FILES):
            return folder
        if any((folder / name).exists() for name in ROOT_FOLDERS):
            return folder
    return start


def find_interpreter(root: Path, setting: str | None, environ: Mapping[str, str]) -> Interpreter:
    """The project's interpreter: the setting, the active environment, a folder of the project's, then its tool's.

    The setting is a path (absolute or below `root`) or a command's name; an editor hands its own choice over in it.
    Raises NoInterpreterError with what to set where none starts, or where the chosen one is older than 3.9.
    """
    if setting:
        chosen = root / os.path.expanduser(setting)  # noqa: PTH111 - a setting may start with ~
        path = str(chosen) if chosen.exists() else shutil.which(setting, path=environ.get("PATH"))
        if path is None:
            raise NoInterpreterError(f"There is no Python at {setting}; correct the setting burnish.interpreter.")
        if Path(path).is_dir():
            path = str(python_of(Path(path)) or path)
        return probe(Path(path), "the setting burnish.interpreter")
    for candidate, source in candidates(root, environ):
        try:
            return probe(candidate, source)
        except NoInterpreterError:
            continue
    raise NoInterpreterError(
        f"No Python of 3.9 or newer was found for {root}; set burnish.interpreter or pass --interpreter PATH."
    )


def candidates(root: Path, environ: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Interpreters worth a try, best first, each with how it was found."""
    own_prefix = Path(sys.prefix).resolve()
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = environ.get(variable)
        # Burnish's own environment may be the active one only because it was started from there.
        if prefix and Path(prefix).resolve() != own_prefix and (path := python_of(Path(prefix))):
            yield path, f"the active environment ({variable})"
    for folder in (root, *root.parents[:2]):
        for name in VENV_FOLDERS:
            if (folder / name / "pyvenv.cfg").is_file() and (path := python_of(folder / name)):
                yield path, f"the folder {name}"
        if (folder / ".pixi/envs/default").is_dir() and (path := python_of(folder / ".pixi/envs/default")):
            yield path, "the pixi environment"
    for tool, marker, arguments in (
        ("uv", "uv.lock", ("python", "find", "--offline")),
        ("poetry", "poetry.lock", ("env", "info", "--executable")),
        ("pdm", "pdm.lock", ("info", "--python")),
        ("pipenv", "Pipfile", ("--py",)),
    ):
        if (root / marker).is_file() and (path := ask(tool, arguments, root, environ)):
            yield path, tool
    prefix = environ.get("VIRTUAL_ENV")
    if prefix and (path := python_of(Path(prefix))):
        yield path, "the active environment (VIRTUAL_ENV)"
    for name in SYSTEM_PYTHONS:
        if found := shutil.which(name, path=environ.get("PATH")):
            yield Path(found), "the first Python on PATH"


def python_of(prefix: Path) -> Path | None:
    """The interpreter of an environment's folder."""
    for name in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if (prefix / name).exists():
            return prefix / name
    return None


def ask(tool: str, arguments: tuple[str, ...], root: Path, environ: Mapping[str, str]) -> Path | None:
    """The interpreter that a project manager names, where it is installed and has one."""
    executable = shutil.which(tool, path=environ.get("PATH"))
    if executable is None:
        return None
    answer = output([executable, *arguments], root, environ)
    path = Path(answer.strip()) if answer else None
    return path if path and path.is_file() else None


def probe(path: Path, source: str) -> Interpreter:
    """Start the interpreter once and ask what it is. Raises NoInterpreterError."""
    answer = output([str(path), "-I", "-c", PROBE], path.parent, os.environ)
    try:
        facts = json.loads(answer or "")
    except ValueError:
        raise NoInterpreterError(f"{path} ({source}) does not start; set burnish.interpreter to another one.") from None
    version = tuple(facts["version"])
    if version[:2] < OLDEST:
        raise NoInterpreterError(
            f"{path} ({source}) is Python {version[0]}.{version[1]}; Burnish needs 3.9 or newer in the project."
        )
    return Interpreter(
        path=path,
        version=(version[0], version[1], version[2]),
        has_pytest=facts["pytest"],
        prefix=Path(facts["prefix"]),
        folders=tuple(dict.fromkeys(map(Path, facts["folders"]))),
        source=source,
    )


def output(argv: list[str], cwd: Path, environ: Mapping[str, str]) -> str | None:
    """What a short, harmless command prints, or None."""
    try:
        finished = subprocess.run(
            argv,
            cwd=cwd,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return finished.stdout.decode("utf-8", "replace") if finished.returncode == 0 else None
