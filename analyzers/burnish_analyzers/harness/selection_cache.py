"""Remembers which tests reach a unit, by the content of the whole project, in a private temporary folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burnish_analyzers.harness.workbench import Workbench

VERSION = "1"
MOST_BYTES = 1 << 20
MOST_KEPT = 2_000
PRIVATE = 0o700


def read_selection(bench: Workbench) -> dict[str, Any] | None:
    """What was found for this unit in a project of this very content; None where nothing is known."""
    with contextlib.suppress(OSError, ValueError):
        path = place(bench)
        found = json.loads(path.read_text(encoding="utf-8")) if path else None
        return found if isinstance(found, dict) else None
    return None


def write_selection(bench: Workbench, selection: dict[str, Any]) -> None:
    """Remember what was found, where that can be done."""
    with contextlib.suppress(OSError):
        if path := place(bench):
            forget_old(path.parent)
            fresh = path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps(selection), encoding="utf-8")
            fresh.replace(path)


def forget_old(folder: Path) -> None:
    """Keep the folder small."""
    kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in kept[: max(0, len(kept) - MOST_KEPT)]:
        path.unlink(missing_ok=True)


def place(bench: Workbench) -> Path | None:
    """Where this unit's selection is kept; None where the folder is not ours alone."""
    folder = Path(tempfile.gettempdir()) / f"burnish.{os.getuid()}"
    folder.mkdir(PRIVATE, exist_ok=True)
    status = folder.lstat()
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) == PRIVATE
    return folder / f"{key(bench)}.json" if ours else None


def key(bench: Workbench) -> str:
    """SHA-256 of all that may decide which tests reach the unit: the project's files, the interpreter and the unit."""
    interpreter = bench.project.interpreter
    digest = hashlib.sha256()
    unit = bench.unit
    parts = (VERSION, str(bench.project.root), interpreter.path, interpreter.version, interpreter.has_pytest)
    for part in (*parts, bench.relative, unit.qualname, unit.occurrence, os.environ.get("PYTEST_ADDOPTS", "")):
        digest.update(f"{part}\0".encode())
    base = bench.folder / "base"
    for path in sorted(base.rglob("*")):
        status = path.lstat()
        digest.update(f"{path.relative_to(base)}\0{status.st_size}\0{stat.S_IFMT(status.st_mode)}\0".encode())
        if stat.S_ISREG(status.st_mode):
            digest.update(path.read_bytes() if status.st_size < MOST_BYTES else str(status.st_mtime_ns).encode())
    return digest.hexdigest()
