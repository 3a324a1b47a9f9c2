"""What a command works on: FILE[::QUALNAME], --lines A-B, and the settings of its project."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from burnish.cli.arguments import UsageError
from burnish.configuration import Settings, all_settings, load_settings
from burnish_analyzers.errors import SourceError
from burnish_analyzers.harness.project import find_root
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, find_unit


@dataclass(frozen=True, kw_only=True)
class Target:
    """A unit of a file of a project."""

    snapshot: Snapshot
    unit: Unit
    root: Path


def find_target(text: str, lines: str | None = None) -> Target:
    """What `text` (FILE[::QUALNAME]) and `lines` (A-B) name. Raises SourceError, NoSuchUnitError or UsageError."""
    path, qualname = split_target(text)
    snapshot = Snapshot.read(path)
    unit = find_unit(snapshot, qualname, None if lines is None else parse_lines(lines))
    return Target(snapshot=snapshot, unit=unit, root=find_root(path))


def require_path(path: Path) -> None:
    """Raise SourceError where there is nothing at a path that may be a file or a folder."""
    if not path.exists():
        raise SourceError(f"There is no file or folder {path}: check the path.")


def split_target(text: str) -> tuple[Path, str | None]:
    """The absolute path and the qualname, if any; methods may be written `Class.method` or `Class::method`."""
    if Path(text).exists():
        return Path(text).absolute(), None
    path, separator, qualname = text.partition("::")
    if not path or (separator and not qualname):
        raise UsageError(f"`{text}` names no unit: write FILE::QUALNAME, or FILE alone for the whole script.")
    return Path(path).absolute(), qualname.replace("::", ".") or None


def parse_lines(text: str) -> tuple[int, int]:
    """The first and last line of "A-B" or "A"."""
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", text)
    if match is None:
        raise UsageError(f"`--lines {text}` is no range of lines: write the first and the last, as in --lines 10-24.")
    return int(match[1]), int(match[2] or match[1])


def settings_for(root: Path, arguments: argparse.Namespace) -> Settings:
    """The settings in force in the project at `root`, flags included. Raises ConfigurationError."""
    flags = {name: value for name, value in vars(arguments).items() if name in all_settings()}
    return load_settings(root, flags=flags)
