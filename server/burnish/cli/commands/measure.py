"""`burnish measure`: the metrics of each unit."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from burnish.cli.exit_codes import PROPOSAL
from burnish.cli.output import say, tell
from burnish.cli.target import require_path
from burnish.files import python_files
from burnish.report.document import measure_document, to_json
from burnish_analyzers.errors import SourceError
from burnish_analyzers.metrics.measure import FileMetrics, UnitMetrics, measure_file
from burnish_analyzers.source.snapshot import Snapshot

_COLUMNS = ("cyclomatic", "nesting", "lines", "meaningful_ratio", "comment_ratio", "maintainability", "readability")


def run(arguments: argparse.Namespace) -> int:
    """Measure and show. Raises SourceError for a path that cannot be read."""
    files = [measured for path in arguments.paths for measured in _measured(path)]
    for file in files:
        if file.error_line is not None:
            tell(
                f"{file.path} has a syntax error at line {file.error_line}: "
                "the figures are of what could be read; mend it and measure again."
            )
    if arguments.json:
        say(to_json(measure_document([file.as_document() for file in files])))
    else:
        for file in files:
            _show(file)
    return PROPOSAL


def _measured(path: Path) -> Iterator[FileMetrics]:
    require_path(path)
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
