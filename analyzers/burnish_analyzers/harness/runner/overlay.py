"""Makes the copy of the project what its interpreter imports."""

from __future__ import annotations

import os
import sys


def enter_overlay(root: str, original_root: str) -> None:
    """Make the overlay what is imported: first on the path, and instead of every entry that names the original."""
    real = os.path.realpath(original_root)
    entries = [entry for entry in sys.path if entry]
    moved = []
    for entry in entries + editable_folders():
        path = os.path.realpath(entry)
        inside = path == real or path.startswith(real + os.sep)
        if inside and not is_environment(path):
            moved.append(os.path.join(root, os.path.relpath(path, real)))
    source = os.path.join(root, "src")
    first = [root, *([source] if os.path.isdir(source) else []), *moved]
    kept = [entry for entry in entries if is_environment(os.path.realpath(entry)) or not within(entry, real)]
    sys.path[:] = list(dict.fromkeys(os.path.normpath(entry) for entry in first)) + kept


def within(entry: str, root: str) -> bool:
    """Whether a path entry lies in the original project."""
    path = os.path.realpath(entry)
    return path == root or path.startswith(root + os.sep)


def is_environment(path: str) -> bool:
    """Whether a folder belongs to the interpreter, even where its environment lies inside the project."""
    prefixes = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix)}
    return any(path == prefix or path.startswith(prefix + os.sep) for prefix in prefixes)


def editable_folders() -> list[str]:
    """Folders that editable installs serve through an import hook instead of the path."""
    found = []
    for finder in sys.meta_path:
        module = sys.modules.get(getattr(finder, "__module__", ""), None)
        mapping = getattr(module, "MAPPING", None)
        if isinstance(mapping, dict):
            found += [os.path.dirname(str(place)) for place in mapping.values()]
    return found
