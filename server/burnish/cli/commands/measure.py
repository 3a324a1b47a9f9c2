"""`burnish measure`: the metrics of each unit."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from burnish.cli.exit_codes import PROPOSAL
from burnish.cli.output import say, tell
from burnish.report.document import measure_document, to_json
from burnish_analyzers.errors import SourceError
from burnish_analyzers.metrics.measure import FileMetrics, UnitMetrics, measure_file
from burnish_analyzers.source.snapshot import Snapshot

_COLUMNS = ("cyclomatic", "nesting", "lines", "meaningful_ratio", "comment_ratio", "maintainability", "readability")
_SKIPPED_FOLDERS = {"__pycache__", "node_modules"}


def run(arguments: argparse.Namespace) -> int:
    """Measure and show. Raises SourceError for a path that cannot be read."""
    files = [measured for path in arguments.paths for measured in _measured(path)]
    if arguments.json:
        say(to_json(measure_document([file.as_document() for file in files])))
    else:
        for file in files:
            _show(file)
    return PROPOSAL


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files of a folder in order, without those of hidden folders and of environments."""
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(name for name in folders if _is_source(here / name))
        yield from (here / name for name in sorted(names) if name.endswith((".py", ".pyi")))


def _is_source(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _SKIPPED_FOLDERS
    return not hidden and not (folder / "pyvenv.cfg").exists()


def _measured(path: Path) -> Iterator[FileMetrics]:
    if not path.is_dir():
        yield measure_file(Snapshot.read(path))
        return
    for file in python_files(path):
        try:
            yield measure_file(Snapshot.read(file))
        except SourceError as error:  # one odd file must not hide the others
            tell(str(error))


def _show(file: FileMetrics) -> None:
    name_width = max([len(measured.unit.qualname) for measured in file.units] + [len("unit")])
    say(str(file.path))
    say("  " + " ".join([f"{'unit':<{name_width}}  at       ", *_COLUMNS]))
    for measured in file.units:
        unit = measured.unit
        place = f"{unit.start_line}-{unit.end_line}"
        say(f"  {unit.qualname or '(script)':<{name_width}}  {place:<9} {_cells(measured.metrics)}")


def _cells(metrics: UnitMetrics) -> str:
    values = metrics.as_document()
    return " ".join(f"{_cell(values[name]):>{len(name)}}" for name in _COLUMNS)


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
