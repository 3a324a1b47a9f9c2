"""Which files of a folder are Python of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_SKIPPED_FOLDERS = {"__pycache__", "node_modules"}


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files of a folder in order, without those of hidden folders and of environments."""
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(name for name in folders if _is_source(here / name))
        yield from (here / name for name in sorted(names) if name.endswith((".py", ".pyi")))


def _is_source(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _SKIPPED_FOLDERS
    return not hidden and not (folder / "pyvenv.cfg").exists()
