"""A throwaway copy of the project that holds the text under judgement, so that the project itself is never touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from burnish_analyzers.errors import ProjectError

EXCLUDED = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".tox",
        ".nox",
        ".eggs",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".hypothesis",
        "__pycache__",
        "node_modules",
    }
)
MOST_FILES = 50_000
MOST_BYTES = 2 << 30


def copy_project(root: Path, target: Path) -> None:
    """Copy `root` to `target` without version control, environments and caches.

    A link that stays inside the project points at the copy's own file; one that leaves it becomes a copy of what it
    names, so that nothing can be written through it. Raises ProjectError where the project is too large.
    """
    root = root.resolve()
    files = size = 0
    for source, kind in walk(root):
        copy = target / source.relative_to(root)
        if kind == "folder":
            copy.mkdir(parents=True, exist_ok=True)
            continue
        files += 1
        size += source.stat().st_size
        if files > MOST_FILES or size > MOST_BYTES:
            raise ProjectError(
                f"{root} holds more than {MOST_FILES} files or {MOST_BYTES >> 30} GiB; "
                "refine from a smaller project folder (put a pyproject.toml at its top)."
            )
        if kind == "link":
            inside = source.resolve().relative_to(root)
            copy.symlink_to(os.path.relpath(target / inside, copy.parent))
        else:
            shutil.copy2(source, copy)


def walk(root: Path) -> Iterator[tuple[Path, str]]:
    """Every path of the project that a copy needs, parents first: ("folder" | "file" | "link")."""
    seen = set()
    queue = [root]
    while queue:
        folder = queue.pop()
        real = folder.resolve()
        if real in seen or (real != root and real in root.parents):  # a loop of links
            continue
        seen.add(real)
        yield folder, "folder"
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            path = Path(entry.path)
            if entry.name in EXCLUDED or not path.exists():
                continue
            if entry.is_symlink() and path.resolve().is_relative_to(root):
                yield path, "link"
            elif path.is_dir():
                if not (path / "pyvenv.cfg").is_file() and not (path / "conda-meta").is_dir():
                    queue.append(path)
            elif path.is_file():
                yield path, "file"
